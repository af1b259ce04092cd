// SPDX-License-Identifier: Apache-2.0
// Holding, moving and putting back.
#include <fmt/core.h>

#include <algorithm>

#include "math/coordinates.h"
#include "viewer/core.h"
#include "viewer/core_send.h"

namespace touche::viewer {
namespace {

constexpr std::size_t kMostMoves = 1000;  // that can be undone
constexpr std::size_t kStepTimes = 600;
constexpr std::size_t kMostHeldContacts = 1000, kMostPairs = 10000;

double milliseconds(Core::Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

bool is_same(const Pose& a, const Pose& b) {
  return a.translation() == b.translation() && a.rotation().coeffs() == b.rotation().coeffs();
}

}  // namespace

HoldSettings Core::hold_settings() const {
  HoldSettings settings;
  settings.tolerance = budget_.tolerance;
  settings.clearance = budget_.clearance;
  settings.share = static_cast<BudgetShare>(budget_.share);
  settings.guess = static_cast<Guess>(budget_.guess);
  settings.threads = options_.threads;
  if (const auto client = clients_.find(holder_); client != clients_.end())
    settings.viewer = client->second.viewpoint;
  return settings;
}

// All bodies are fixed except the held ones, so only pairs with one of these are tested.
void Core::free_what_is_held(bool held) {
  for (const NodeId body : bodies_below(world_, hold_->node())) {
    BodyOptions options = world_.options(body);
    options.fixed = !held;
    world_.set_options(body, options);
  }
}

void Core::on(ClientId client, const protocol::Grab& m) {
  const std::uint32_t node = checked(m.node);
  check_may_move(client);
  if (recorder_.active()) recorder_.check(node, opened_);
  let_go();
  mode_ = m.mode;
  hold_.emplace(world_, nodes_[node], m.mode, hold_settings());
  holder_ = client;
  free_what_is_held(true);
  play_.speed = 0;
  wanted_ = drag_is_new_ = false;
  drag_ = {};
  grabbed_ = {.before = {{node, world_.local_pose(nodes_[node])}}, .after = {}};
  send_roles();
}

void Core::on(ClientId client, const protocol::Drag& m) {
  if (client != holder_) throw InvalidInput("No part is held.");
  if (!math::all_within(m.target.translation(), 1e9))
    throw InvalidInput("The target is farther than 1e9 from the origin.");
  drag_ = m;
  wanted_ = drag_is_new_ = true;
}

void Core::on(ClientId client, const protocol::Release& /*m*/) {
  if (client != holder_) throw InvalidInput("No part is held.");
  let_go();
}

void Core::on(ClientId client, const protocol::SetMode& m) {
  check_may_move(client);
  mode_ = m.mode;
  if (!hold_) return;
  hold_->set_mode(m.mode);
  wanted_ = drag_.sequence != 0 || drag_is_new_;
}

void Core::let_go() {
  if (!hold_) return;
  free_what_is_held(false);
  const auto& [node, before] = grabbed_.before.front();
  const Pose& after = world_.local_pose(nodes_[node]);
  if (!is_same(before, after)) {
    grabbed_.after = {{node, after}};
    remember(std::move(grabbed_));
  }
  hold_.reset();
  holder_ = 0;
  wanted_ = drag_is_new_ = false;
  send_roles();
  send_all(protocol::Clashes{}, Delivery::latest);
}

// ---- steps -------------------------------------------------------------------------------------

void Core::step_held(Clock::time_point now) {
  // New target poses are handled at once; pending ones continue at the session's rate.
  if (!hold_ || !wanted_ || (!drag_is_new_ && now < next_step_)) return;
  const auto node = id_of(hold_->node());
  const Pose before = world_.pose(hold_->node());
  const Clock::time_point begin = Clock::now();
  const HoldStep step = hold_->step(
      drag_.target, begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double, std::milli>(budget_.milliseconds)));
  const Clock::time_point end = Clock::now();
  ++steps_;
  drag_is_new_ = false;
  wanted_ = step.status == protocol::HeldStatus::undecided;
  next_step_ = begin + std::chrono::duration_cast<Clock::duration>(
                           std::chrono::duration<double>(1 / options_.rate));

  moved_.insert(node);
  poses_changed_ = true;
  if (recorder_.active() && !step.motions.empty()) {
    recorder_.add(node, before, step.motions, record_seconds(begin), record_seconds(end),
                  Recorder::kDeviation * budget_.clearance, opened_);
    if (end >= next_recording_message_) {
      next_recording_message_ = end + std::chrono::milliseconds(200);
      send_recording(Delivery::latest);
    }
  }

  protocol::Held held = held_message(step);
  held.milliseconds = milliseconds(end - begin);
  send_all(held, Delivery::latest);
  if (step.touching) send_all(clashes_message(*step.touching), Delivery::latest);

  step_times_.push_back(held.milliseconds);
  if (step_times_.size() > kStepTimes) step_times_.pop_front();
  budget_.used = held.milliseconds;
  budget_.pairs = static_cast<std::uint32_t>(step.pairs);
  budget_.undecided = static_cast<std::uint32_t>(step.undecided);
  budget_.guessed = static_cast<std::uint32_t>(step.guessed);
  send_budget();
}

protocol::Held Core::held_message(const HoldStep& step) const {
  protocol::Held held;
  held.sequence = drag_.sequence;
  held.client_time = drag_.client_time;
  held.holder = holder_;
  held.node = id_of(hold_->node());
  held.mode = hold_->mode();
  held.status = step.status;
  held.pose = step.pose;
  held.distance_left = step.distance_left;
  held.angle_left = step.angle_left;
  held.force = step.force;
  held.torque = step.torque;
  held.centre = step.centre;
  for (const HeldBy& contact : step.contacts) {
    if (held.contacts.size() == kMostHeldContacts) break;
    held.contacts.push_back({.part = id_of(contact.part),
                             .other = id_of(contact.other),
                             .face_a = contact.contact.face_a,
                             .face_b = contact.contact.face_b,
                             .point = contact.contact.point_a,
                             .normal = contact.contact.normal,
                             .force = contact.force,
                             .distance = contact.contact.distance});
  }
  return held;
}

protocol::Clashes Core::clashes_message(const TouchingPairs& touching) const {
  protocol::Clashes clashes;
  for (const TouchingPair& pair : touching.pairs) {
    if (clashes.pairs.size() == kMostPairs) break;
    const PolygonSoup& soup = world_.object(pair.a).soup();
    Vec3 middle = Vec3::Zero();
    for (const Index v : soup.face(pair.face_a)) middle += soup.vertex(v);
    middle /= static_cast<double>(soup.face(pair.face_a).size());
    clashes.pairs.push_back({.a = id_of(pair.a),
                             .b = id_of(pair.b),
                             .face_a = pair.face_a,
                             .face_b = pair.face_b,
                             .point = world_.pose(pair.a) * middle});
  }
  clashes.undecided = static_cast<std::uint32_t>(touching.undecided.size());
  return clashes;
}

// ---- undo --------------------------------------------------------------------------------------

void Core::remember(Move move) {
  redo_.clear();
  undo_.push_back(std::move(move));
  if (undo_.size() > kMostMoves) undo_.erase(undo_.begin());
  send_history();
}

void Core::apply(const std::vector<std::pair<std::uint32_t, Pose>>& poses) {
  for (const auto& [node, pose] : poses) {
    world_.set_local_pose(nodes_[node], pose);
    moved_.insert(node);
  }
  poses_changed_ = true;
}

void Core::on(ClientId client, const protocol::Undo& /*m*/) {
  check_may_move(client);
  if (recorder_.active()) throw InvalidInput("Undo is not possible during a recording.");
  let_go();
  if (undo_.empty()) throw InvalidInput("There is nothing to undo.");
  apply(undo_.back().before);
  redo_.push_back(std::move(undo_.back()));
  undo_.pop_back();
  send_history();
}

void Core::on(ClientId client, const protocol::Redo& /*m*/) {
  check_may_move(client);
  if (recorder_.active()) throw InvalidInput("Redo is not possible during a recording.");
  let_go();
  if (redo_.empty()) throw InvalidInput("There is nothing to redo.");
  apply(redo_.back().after);
  undo_.push_back(std::move(redo_.back()));
  redo_.pop_back();
  send_history();
}

void Core::on(ClientId client, const protocol::SnapBack& m) {
  if (m.node != protocol::kNoNode) (void)checked(m.node);
  check_may_move(client);
  if (recorder_.active()) throw InvalidInput("Parts cannot be put back during a recording.");
  let_go();
  Move move;
  for (const std::uint32_t node : moved_) {
    if (m.node != protocol::kNoNode && node != m.node) continue;
    const Pose& now = world_.local_pose(nodes_[node]);
    if (is_same(now, start_poses_[node])) continue;
    move.before.emplace_back(node, now);
    move.after.emplace_back(node, start_poses_[node]);
  }
  if (move.before.empty()) return;
  apply(move.after);
  remember(std::move(move));
}

void Core::send_history() {
  send_all(protocol::History{.undo = static_cast<std::uint32_t>(undo_.size()),
                             .redo = static_cast<std::uint32_t>(redo_.size())});
}

void Core::send_roles() {
  protocol::Roles roles;
  for (const auto& [client, state] : clients_) roles.clients += state.entered ? 1U : 0U;
  roles.holder = holder_;
  roles.node = hold_ ? id_of(hold_->node()) : protocol::kNoNode;
  send_all(roles);
}

// ---- the budget --------------------------------------------------------------------------------

void Core::on(ClientId client, const protocol::SetBudget& m) {
  check_may_move(client);
  if (!(m.tolerance > 0) || m.tolerance > 1e9)
    throw InvalidInput(fmt::format("A tolerance of {}, expected more than 0.", m.tolerance));
  if (!(m.clearance > 1.5 * m.tolerance) || m.clearance > 1e9)
    throw InvalidInput(
        fmt::format("A clearance of {}, expected more than 1.5 times the tolerance, {}: otherwise "
                    "paths could not be proved.",
                    m.clearance, 1.5 * m.tolerance));
  if (!(m.milliseconds >= 0.1 && m.milliseconds <= 1000))
    throw InvalidInput(
        fmt::format("A step of {} milliseconds, expected 0.1 to 1000.", m.milliseconds));
  budget_.tolerance = m.tolerance;
  budget_.clearance = m.clearance;
  budget_.milliseconds = m.milliseconds;
  budget_.share = m.share;
  budget_.guess = m.guess;
  if (hold_) hold_->set(hold_settings());
  send_budget();
}

void Core::send_budget() {
  budget_.slowest =
      step_times_.empty() ? 0 : *std::max_element(step_times_.begin(), step_times_.end());
  send_all(budget_, Delivery::latest);
}

}  // namespace touche::viewer
