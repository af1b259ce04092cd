// SPDX-License-Identifier: Apache-2.0
#include "touche/handling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/data_access.h"
#include "response/gap_curvature.h"
#include "response/held_part.h"
#include "response/twist.h"
#include "touche/step.h"

namespace touche {
namespace {

// All in tolerances. What a step leaves between parts beyond the clearance, where it can.
constexpr double kRoom = 2;
// A motion is not worth while when no point would go this far.
constexpr double kLeastMove = 0.25;
// Nor is a round that gains less energy than the spring's force does on this way: the next step
// goes on anyway.
constexpr double kLeastGain = 0.5;
// What gains more is no little gain, however much the step has gained before.
constexpr double kLittleGain = 16;
constexpr double kArrived = 1e-3;
// Contacts nearer to the clearance than this leave hardly any room for what is not linear.
constexpr double kTight = 1.0 / 64;
// Contacts within this of the clearance bear friction.
constexpr double kHolding = 3;
// The finest that a motion is proved with.
constexpr double kFinest = 1.0 / 64;

constexpr int kConeSides = 8;

void require_of_handling(bool holds, const char* what) {
  if (!holds) throw InvalidInput(std::string("handling: ") + what);
}

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

void check(const HandlingOptions& options) {
  require_of_handling(is_positive(options.tolerance), "the tolerance must be a length > 0");
  require_of_handling(is_positive(options.clearance), "the clearance must be a length > 0");
  require_of_handling(options.margin >= 0 && std::isfinite(options.margin),
                      "the margin must be a length >= 0");
  require_of_handling(is_positive(options.stiffness), "the stiffness must be a number > 0");
  require_of_handling(options.friction >= 0 && std::isfinite(options.friction),
                      "the coefficient of friction must be a number >= 0");
  require_of_handling(options.least_gain >= 0 && options.least_gain < 1,
                      "the least gain must be a share in [0, 1)");
  require_of_handling(options.max_rounds > 0, "a step takes at least one round");
}

}  // namespace

struct Handling::Data {
  Data(World& of, NodeId node, const HandlingOptions& with)
      : world(DataAccess::mutable_data(of)),
        options(with),
        part(world, node, with.mass, with.tolerance),
        stepper_(of) {
    constexpr double kMargin = 3;
    if (options.margin == 0) options.margin = kMargin * (with.clearance + kRoom * with.tolerance);
    // What is found out about objects once should not burden the first step.
    part.prepare_motions(options.margin);
    look_around();
  }

  World::Data& world;
  HandlingOptions options;
  HeldPart part;
  HandlingStep result;

  void step(const Pose& target, Budget::Clock::time_point deadline);

 private:
  /// How the part may be pushed at a near contact: a row of the quadratic program.
  struct Push {
    std::size_t near;
    Vec3 direction;
  };

  void begin_result();
  bool take_round(const Pose& target);
  bool may_go_on() const;
  void look_around();
  bool sticks();
  bool is_tight() const;
  void draw_back();
  void choose();
  void bar_ways(double opening);
  void choose_within(const BentSpring& spring);
  void add_row(std::size_t near, const Vec3& direction, double least);
  void advance();
  Budget budget_of_motion() const;
  bool is_worth_while() const;
  void end(HandlingStatus status);
  void spend(const QueryStats& stats);
  void tell(const Pose& target);

  Vec3 centre() const { return pose_ * part.mass().centre; }
  double travel(const Vec6& twist) const { return travel_bound(twist, part.reach()); }
  double energy() const { return 0.5 * wish_.dot(metric_ * wish_); }

  Stepper stepper_;
  Budget left_;
  Pose pose_;  // of the part
  Mat6 metric_ = Mat6::Identity();
  Vec6 wish_ = Vec6::Zero(), twist_ = Vec6::Zero();  // to the target, and what is to be done
  double last_energy_ = 0;                           // before the last round
  double first_energy_ = 0;                          // before the first
  std::uint64_t work_before_ = 0;                    // that was left before the last motion
  bool drew_back_ = false;                           // in this step

  bool cut_ = false;                // the budget ended in the last round
  bool moved_ = false;              // in the last round
  Budget::Clock::duration look_{};  // how long the last look around took

  using Revision = std::pair<std::uint64_t, std::uint64_t>;
  Revision revision() const { return {world.revision, world.graph.changes()}; }

  Revision seen_;  // of the world, in which these were near
  std::vector<NearContact> near_;
  bool complete_ = false;  // whether these are all
  double gap_ = 0;         // the least distance of them
  bool pierced_ = false;   // the proof says so, where faces in one plane leave no such features
  std::vector<LinearConstraint> rows_;
  std::vector<Push> pushes_;  // of each row
  QuadraticProgram program_;
  QpStatus solved_ = QpStatus::optimal;
  std::vector<QuadraticProgram::Active> active_;  // by constraint
};

void Handling::Data::step(const Pose& target, Budget::Clock::time_point deadline) {
  part.refresh();
  begin_result();
  pierced_ = false;
  drew_back_ = cut_ = false;
  left_ = options.budget;
  left_.deadline = std::min(left_.deadline, deadline);
  while (take_round(target)) {
  }
  tell(target);
}

// Keeps the memory of the last.
void Handling::Data::begin_result() {
  std::vector<Motion> motions = std::move(result.motions);
  std::vector<HandlingContact> contacts = std::move(result.contacts);
  motions.clear();
  contacts.clear();
  result = {};
  result.motions = std::move(motions);
  result.contacts = std::move(contacts);
}

// Looks around, chooses a motion, and takes it as far as it is proved. False when the step ends.
bool Handling::Data::take_round(const Pose& target) {
  pose_ = part.pose();
  metric_ = part.metric(pose_);
  wish_ = offset_between(pose_, target, part.mass().centre);
  if (result.stats.rounds == 0) first_energy_ = energy();
  look_around();
  if (sticks()) {
    end(HandlingStatus::held_back);
    return false;
  }
  if (is_tight() && may_go_on()) {
    draw_back();
    if (solved_ == QpStatus::optimal) {
      advance();
      return true;
    }
  }
  choose();
  if (program_.active().empty() && solved_ == QpStatus::optimal)
    twist_ = twist_between(pose_, target, part.mass().centre);
  if (travel(twist_) < kLeastMove * options.tolerance) {
    end(travel(wish_) <= kArrived * options.tolerance ? HandlingStatus::arrived
                                                      : HandlingStatus::held_back);
    return false;
  }
  if (cut_) return false;  // it gained little for want of time: that holds nobody back
  if (result.stats.rounds > 0 && !is_worth_while()) {
    end(program_.active().empty() ? HandlingStatus::undecided : HandlingStatus::held_back);
    return false;
  }
  last_energy_ = energy();
  if (!may_go_on()) return false;
  advance();
  return true;
}

// The next round is thought to take as much as the last, with a look around at its end.
bool Handling::Data::may_go_on() const {
  if (result.stats.rounds >= options.max_rounds || left_.expired() || left_.max_work == 0)
    return false;
  return result.stats.rounds == 0 || left_.max_work >= work_before_ - left_.max_work;
}

// Whether one more round is, by what the last gained and what the next would. Where nothing is near
// the part would arrive, also after a turn that led away from all contacts and gained nothing.
bool Handling::Data::is_worth_while() const {
  if (near_.empty()) return moved_;
  const double on_way = options.tolerance * std::sqrt(2 * energy());
  // Where no contact holds it the part would arrive.
  const double share = program_.active().empty() ? 0 : options.least_gain;
  const double worth =
      std::clamp(share * (first_energy_ - energy()), kLeastGain * on_way, kLittleGain * on_way);
  const Vec6 left = wish_ - twist_;
  const double after = 0.5 * left.dot(metric_ * left);
  return last_energy_ - energy() > worth && energy() - after > worth;
}

void Handling::Data::end(HandlingStatus status) {
  // What was not looked at holds nobody back, nor does it free anybody.
  result.status = gap_ <= options.clearance || pierced_ ? HandlingStatus::touching
                  : complete_                           ? status
                                                        : HandlingStatus::undecided;
}

void Handling::Data::spend(const QueryStats& stats) {
  result.stats.queries += stats;
  if (left_.max_work != Budget::kUnlimited)
    left_.max_work -= std::min(left_.max_work, stats.node_pairs + stats.primitive_tests);
}

// ---- what is near -------------------------------------------------------------------------------

// What was seen at the end of a step is still there when the next begins, unless something changed.
void Handling::Data::look_around() {
  if (complete_ && seen_ == revision()) return;
  const bool timed = left_.deadline != Budget::Clock::time_point::max();
  const auto begin = timed ? Budget::Clock::now() : Budget::Clock::time_point{};
  QueryStats stats;
  complete_ = part.find_contacts({.margin = options.margin, .budget = left_}, near_, stats);
  spend(stats);
  result.stats.near_contacts += near_.size();
  gap_ = kInfinity;
  for (const NearContact& near : near_) gap_ = std::min(gap_, near.contact.distance);
  seen_ = revision();
  if (timed) look_ = Budget::Clock::now() - begin;
}

// ---- the motion that comes nearest to the target ------------------------------------------------

// The point of the part at the contact goes at least that far in the direction.
void Handling::Data::add_row(std::size_t near, const Vec3& direction, double least) {
  LinearConstraint row;
  row.a << direction, (near_[near].contact.point_a - centre()).cross(direction);
  row.b = least;
  rows_.push_back(row);
  pushes_.push_back({near, direction});
}

// A part sticks when pushes within the cones of friction balance the spring: when no motion but
// none gets nearer to the target, of those that go against no such push.
bool Handling::Data::sticks() {
  if (options.friction == 0) return false;
  rows_.clear();
  pushes_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    const Contact& contact = near_[i].contact;
    if (contact.distance > options.clearance + kHolding * options.tolerance) continue;
    const Vec3 aside = contact.normal.unitOrthogonal(), across = contact.normal.cross(aside);
    for (int side = 0; side < kConeSides; ++side) {
      const double angle = side * 2 * std::numbers::pi / kConeSides;
      const Vec3 tangent = std::cos(angle) * aside + std::sin(angle) * across;
      add_row(i, options.friction * tangent - contact.normal, 0);
    }
  }
  solved_ = program_.solve(metric_, wish_, rows_);
  result.stats.iterations += program_.iterations();
  return solved_ == QpStatus::optimal && !program_.active().empty() &&
         travel(program_.x()) < kLeastMove * options.tolerance;
}

// `opening`: which share of the room that is missing is to be gained.
void Handling::Data::bar_ways(double opening) {
  rows_.clear();
  pushes_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    const Contact& contact = near_[i].contact;
    const double room = contact.distance - options.clearance - kRoom * options.tolerance;
    add_row(i, -contact.normal, room < 0 ? -opening * room : -room);
  }
}

void Handling::Data::choose_within(const BentSpring& spring) {
  solved_ = program_.solve(spring.metric, spring.start, rows_);
  result.stats.iterations += program_.iterations();
  twist_ = program_.x();
}

// A long motion that opens a contact on the whole may approach it at first, by what is not linear.
// Such steps leave ever less room, until a part that would come free does not move at all.
bool Handling::Data::is_tight() const {
  return !drew_back_ && gap_ > options.clearance &&
         gap_ - options.clearance < kTight * options.tolerance;
}

// The least motion that gives all contacts their room. It goes against the spring, so the next
// round need not have gained by it.
void Handling::Data::draw_back() {
  drew_back_ = true;
  bar_ways(1);
  choose_within({metric_, Vec6::Zero()});
  last_energy_ = kInfinity;
}

// First as if contacts were flat, then with the forces that come out: a part that is pressed onto
// an edge rolls about it, which is as if the spring was another.
void Handling::Data::choose() {
  // Between walls there may not be as much room as is wanted; in the end what there is must do.
  for (const double opening : {1.0, 0.5, 0.0}) {
    bar_ways(opening);
    choose_within({metric_, wish_});
    if (solved_ != QpStatus::optimal) continue;
    if (program_.active().empty()) return;
    Mat6 curvature = Mat6::Zero();
    for (const QuadraticProgram::Active& active : program_.active())
      curvature += active.multiplier * part.curvature(near_[pushes_[active.constraint].near]);
    choose_within(bend(metric_, wish_, curvature));
    if (solved_ == QpStatus::optimal) return;
  }
  twist_.setZero();
}

// ---- the motion that is proved ------------------------------------------------------------------

// Some time is left to look around once more: who is told where the part stands wants to know what
// holds it there.
Budget Handling::Data::budget_of_motion() const {
  Budget budget = left_;
  if (budget.deadline != Budget::Clock::time_point::max()) {
    const auto rest = budget.deadline - Budget::Clock::now();
    if (rest > rest.zero()) budget.deadline -= std::min(look_, rest / 2);
  }
  return budget;
}

void Handling::Data::advance() {
  work_before_ = left_.max_work;
  const Motion motion = motion_along(pose_, part.mass().centre, twist_);
  stepper_.move(part.node(), motion);
  // Who began too near keeps half of the gap that there is, and comes apart where there is none.
  const double clearance = gap_ > options.clearance ? options.clearance : gap_ / 2;
  // The step looks for contacts in a band below its tolerance. Parts must begin well above it, or
  // they are stopped at once.
  const double tolerance =
      std::clamp((gap_ - clearance) / kRoom, kFinest * options.tolerance, options.tolerance);
  const StepResult& step = stepper_.run({.tolerance = tolerance,
                                         .clearance = clearance,
                                         .policy = StepPolicy::each,
                                         .budget = budget_of_motion(),
                                         .threads = options.threads});
  ++result.stats.rounds;
  spend(step.stats.queries);
  const double reached = step.groups.front().reached;
  pierced_ = !(reached > 0) && gap_ > clearance + kRoom * tolerance &&
             std::any_of(step.contacts.begin(), step.contacts.end(), [](const StepPair& pair) {
               return pair.status == ToiStatus::initially_touching;
             });
  moved_ = reached > 0;
  if (moved_) result.motions.push_back(reached < 1 ? motion.part(0, reached) : motion);
  cut_ = !step.undecided.empty();
}

void Handling::Data::tell(const Pose& target) {
  pose_ = part.pose();
  result.pose = pose_;
  result.centre = centre();
  const Vec6 left = offset_between(pose_, target, part.mass().centre);
  result.distance_left = left.head<3>().norm();
  result.angle_left = left.tail<3>().norm();
  active_.assign(program_.active().begin(), program_.active().end());
  std::sort(active_.begin(), active_.end(),
            [](const auto& x, const auto& y) { return x.constraint < y.constraint; });
  std::size_t last = near_.size();
  for (const auto& [constraint, multiplier] : active_) {
    const Push& push = pushes_[constraint];
    const NearContact& near = near_[push.near];
    if (push.near != last)
      result.contacts.push_back(
          {world.graph.id(near.held), world.graph.id(near.other), near.contact, Vec3::Zero()});
    last = push.near;
    result.contacts.back().force += options.stiffness * multiplier * push.direction;
  }
  for (const HandlingContact& contact : result.contacts) {
    result.force += contact.force;
    result.torque += (contact.contact.point_a - result.centre).cross(contact.force);
  }
}

// ---- the interface ------------------------------------------------------------------------------

Handling::Handling(World& world, NodeId held, const HandlingOptions& options) {
  check(options);
  data_ = std::make_unique<Data>(world, held, options);
}
Handling::~Handling() = default;
Handling::Handling(Handling&&) noexcept = default;
Handling& Handling::operator=(Handling&&) noexcept = default;

const HandlingStep& Handling::step(const Pose& target, Budget::Clock::time_point deadline) {
  data_->step(target, deadline);
  return data_->result;
}
NodeId Handling::held() const { return data_->part.node(); }
const MassProperties& Handling::mass() const { return data_->part.mass(); }

}  // namespace touche
