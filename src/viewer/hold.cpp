// SPDX-License-Identifier: Apache-2.0
#include "viewer/hold.h"

#include <algorithm>

#include "query/exchanged.h"

namespace touche::viewer {
namespace {

using protocol::HeldStatus;

HeldStatus status_of(HandlingStatus status) {
  switch (status) {
    case HandlingStatus::arrived:
      return HeldStatus::arrived;
    case HandlingStatus::held_back:
      return HeldStatus::held_back;
    case HandlingStatus::touching:
      return HeldStatus::touching;
    case HandlingStatus::undecided:
      break;
  }
  return HeldStatus::undecided;
}

bool begins_too_near(const StepResult& result) {
  return !(result.groups.front().reached > 0) &&
         std::any_of(result.contacts.begin(), result.contacts.end(), [](const StepPair& pair) {
           return pair.status == ToiStatus::initially_touching;
         });
}

double least_gap(const StepResult& result) {
  double gap = kInfinity;
  for (const StepPair& pair : result.contacts)
    if (pair.status == ToiStatus::initially_touching)
      gap = std::min(gap, pair.contact ? pair.contact->distance : 0);
  return gap;
}

}  // namespace

std::vector<NodeId> bodies_below(const World& world, NodeId node) {
  std::vector<NodeId> bodies, open = {node};
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (world.is_body(next)) bodies.push_back(next);
    const std::vector<NodeId> children = world.children(next);
    open.insert(open.end(), children.begin(), children.end());
  }
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

Hold::Hold(World& world, NodeId node, protocol::Mode mode, const HoldSettings& settings)
    : world_(world), node_(node), mode_(mode), settings_(settings), stepper_(world) {
  const std::vector<NodeId> bodies = bodies_below(world, node);
  if (bodies.empty()) throw InvalidInput("no body hangs on this node that could be held");
  Aabb box;
  for (const NodeId body : bodies) {
    const Aabb& own = world.object(body).bounds();
    const Pose pose = relative(world.pose(node), world.pose(body));
    for (int corner = 0; corner < 8; ++corner)
      box.include(pose * Vec3((corner & 1) != 0 ? own.hi.x() : own.lo.x(),
                              (corner & 2) != 0 ? own.hi.y() : own.lo.y(),
                              (corner & 4) != 0 ? own.hi.z() : own.lo.z()));
  }
  middle_ = box.centre();
  reach_ = (box.hi - middle_).norm();
}

void Hold::set(const HoldSettings& settings) {
  if (settings.tolerance != settings_.tolerance || settings.clearance != settings_.clearance)
    handling_.reset();
  settings_ = settings;
}

// If a step's time was too short for any motion, the next one gets more.
HoldStep Hold::step(const Pose& target, Budget::Clock::time_point deadline) {
  constexpr double kMore = 2, kLess = 0.9, kMost = 32;
  const auto now = Budget::Clock::now();
  const std::chrono::duration<double> time = deadline - now;
  HoldStep step = step_until(
      target, now + std::chrono::duration_cast<Budget::Clock::duration>(patience_ * time));
  const bool stuck = step.status == HeldStatus::undecided && step.motions.empty();
  patience_ = stuck ? std::min(kMore * patience_, kMost) : std::max(kLess * patience_, 1.0);
  return step;
}

HoldStep Hold::step_until(const Pose& target, Budget::Clock::time_point deadline) {
  switch (mode_) {
    case protocol::Mode::free:
      return move_freely(target, deadline);
    case protocol::Mode::stop:
      return move_until_contact(target, deadline);
    case protocol::Mode::contact:
      break;
  }
  return move_with_contacts(target, deadline);
}

bool Hold::holds(NodeId body) const {
  for (std::optional<NodeId> n = body; n; n = world_.parent(*n))
    if (*n == node_) return true;
  return false;
}

void Hold::measure_rest(HoldStep& step, const Pose& target) const {
  step.pose = world_.pose(node_);
  step.centre = step.pose * middle_;
  step.distance_left = (target * middle_ - step.centre).norm();
  step.angle_left = relative(step.pose, target).axis_angle().angle;
}

HoldStep Hold::move_freely(const Pose& target, Budget::Clock::time_point deadline) {
  HoldStep step;
  step.motions.push_back(Motion::interpolated(world_.pose(node_), target));
  world_.set_pose(node_, target);
  measure_rest(step, target);
  step.status = HeldStatus::arrived;
  step.touching =
      world_.touching_pairs({.threads = settings_.threads, .budget = {.deadline = deadline}});
  step.pairs = step.touching->pairs.size() + step.touching->undecided.size();
  step.undecided = step.touching->undecided.size();
  return step;
}

// No point of what is held goes farther on a motion between two poses.
double Hold::travel(const Motion& motion) const {
  const Pose begin = motion.pose(0), end = motion.pose(1);
  return (end * middle_ - begin * middle_).norm() +
         reach_ * relative(begin, end).axis_angle().angle;
}

const StepResult& Hold::try_to_go(const Motion& motion, double tolerance, double clearance,
                                  Budget::Clock::time_point deadline) {
  stepper_.move(node_, motion);
  StepOptions options;
  options.tolerance = tolerance;
  options.clearance = clearance;
  options.policy = StepPolicy::each;
  options.budget.deadline = deadline;
  options.share = settings_.share;
  options.viewer = settings_.viewer;
  options.guess = settings_.guess;
  options.threads = settings_.threads;
  return stepper_.run(options);
}

HoldStep Hold::move_until_contact(const Pose& target, Budget::Clock::time_point deadline) {
  constexpr double kWayOut = 4;        // clearances, to begin with
  constexpr double kFinest = 1. / 64;  // of the tolerance
  HoldStep step;
  Motion motion = Motion::interpolated(world_.pose(node_), target);
  bool whole = true;
  const StepResult* result = &try_to_go(motion, settings_.tolerance, settings_.clearance, deadline);
  // A pair that began too near keeps half of its gap, or separates if there is no gap. Not all
  // pairs are reported, so the least gap may appear later. The part moves a short distance, after
  // which there may be space again.
  double gap = kInfinity;
  if (begins_too_near(*result)) {
    const double way = travel(motion);
    way_out_ = way_out_ > 0 ? 2 * way_out_ : kWayOut * settings_.clearance;
    whole = way <= way_out_;
    if (!whole) motion = motion.part(0, way_out_ / way);
  } else {
    way_out_ = 0;
  }
  for (int tries = 0; tries < 3 && gap > 0 && begins_too_near(*result); ++tries) {
    gap = tries == 2 ? 0 : std::min(gap, least_gap(*result));
    const double tolerance =
        std::clamp(gap / 4, kFinest * settings_.tolerance, settings_.tolerance);
    result = &try_to_go(motion, tolerance, gap / 2, deadline);
  }

  const double reached = result->groups.front().reached;
  if (reached > 0)
    step.motions.push_back(reached < 1 ? motion.part(0, reached) : motion);
  else
    way_out_ = 0;
  step.status = reached >= 1 && whole ? HeldStatus::arrived : HeldStatus::undecided;
  for (const StepPair& pair : result->contacts) {
    if (reached < 1)
      step.status = pair.status == ToiStatus::initially_touching ? HeldStatus::touching
                                                                 : HeldStatus::held_back;
    if (!pair.contact) continue;
    if (holds(pair.a))
      step.contacts.push_back({pair.a, pair.b, *pair.contact});
    else
      step.contacts.push_back({pair.b, pair.a, query::exchanged(*pair.contact)});
  }
  step.pairs = result->stats.pairs;
  step.undecided = result->undecided.size();
  for (const StepPair& pair : result->undecided)
    if (pair.guess && *pair.guess < 1) ++step.guessed;
  measure_rest(step, target);
  return step;
}

HoldStep Hold::move_with_contacts(const Pose& target, Budget::Clock::time_point deadline) {
  if (!handling_) {
    HandlingOptions options;
    options.tolerance = settings_.tolerance;
    options.clearance = settings_.clearance;
    options.threads = settings_.threads;
    handling_.emplace(world_, node_, options);
  }
  const HandlingStep& taken = handling_->step(target, deadline);
  const HeldState& held = taken;
  HoldStep step;
  static_cast<HeldState&>(step) = held;
  step.status = status_of(taken.status);
  step.motions = taken.motions;
  for (const HandlingContact& c : taken.contacts)
    step.contacts.push_back({c.held, c.other, c.contact, c.force});
  step.pairs = taken.stats.near_contacts;
  step.undecided = taken.status == HandlingStatus::undecided ? 1 : 0;
  return step;
}

}  // namespace touche::viewer
