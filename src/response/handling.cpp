// SPDX-License-Identifier: Apache-2.0
#include "base/budget_part.h"
#include "response/handling_data.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace touche {
namespace {

// All in tolerances. A round is worthwhile only if it gains more energy than the spring's force
// does along this length: the next step goes on anyway.
constexpr double kLeastGain = 0.5;
// A larger gain always counts, however much the step has gained before.
constexpr double kLittleGain = 16;
constexpr double kArrived = 1e-3;

void require_of_handling(bool holds, const char* what) {
  if (!holds) throw InvalidInput(std::string("handling: ") + what);
}

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

void check(const HandlingOptions& options) {
  require_of_handling(is_positive(options.tolerance), "the tolerance must be a length > 0");
  require_of_handling(is_positive(options.clearance), "the clearance must be a length > 0");
  require_of_handling(options.max_distance >= 0 && std::isfinite(options.max_distance),
                      "max_distance must be a length >= 0");
  require_of_handling(is_positive(options.stiffness), "the stiffness must be a number > 0");
  require_of_handling(options.friction >= 0 && std::isfinite(options.friction),
                      "the coefficient of friction must be a number >= 0");
  require_of_handling(options.least_gain >= 0 && options.least_gain < 1,
                      "the least gain must be a share in [0, 1)");
  require_of_handling(options.max_rounds > 0, "a step takes at least one round");
}

}  // namespace

void Handling::Data::step(const Pose& target, Budget::Clock::time_point deadline) {
  part.refresh();
  begin_result();
  pierced_ = false;
  drew_back_ = cut_ = limited_ = shortened_ = false;
  left_ = base::for_part(options.budget);
  left_.deadline = std::min(left_.deadline, deadline);
  see_target(target);
  while (take_round(target)) {
  }
  result.complete = complete_ && !limited_;
  count_idle();
  tell(target);
}

// A step may go against the spring, to give contacts their room, and the next one back. If hand and
// world stand still, a part that has gained nothing in this manner for some time stays where it is.
void Handling::Data::see_target(const Pose& target) {
  const bool same = target.translation() == target_.translation() &&
                    target.rotation().coeffs() == target_.rotation().coeffs() &&
                    revision() == ended_;
  target_ = target;
  if (same) return;
  least_energy_ = kInfinity;
  idle_ = 0;
}

void Handling::Data::count_idle() {
  ended_ = revision();
  if (energy() < least_energy_ - kLeastGain * on_way()) {
    least_energy_ = energy();
    idle_ = 0;
  } else if (!cut_ && !shortened_ && complete_ && !rests()) {
    ++idle_;
  }
}

// Clears the result, but keeps its memory.
void Handling::Data::begin_result() {
  std::vector<Motion> motions = std::move(result.motions);
  std::vector<HandlingContact> contacts = std::move(result.contacts);
  motions.clear();
  contacts.clear();
  result = {};
  result.motions = std::move(motions);
  result.contacts = std::move(contacts);
}

// Finds near contacts, chooses a motion, and makes it as far as it is proved. Returns false when
// the step ends.
bool Handling::Data::take_round(const Pose& target) {
  pose_ = part.pose();
  metric_ = part.metric(pose_);
  wish_ = response::offset_between(pose_, target, part.mass().centre);
  if (result.stats.rounds == 0) first_energy_ = energy();
  look_around();
  if (sticks()) {
    end(HandlingStatus::held_back);
    return false;
  }
  if (is_tight() && !rests() && may_go_on()) {
    draw_back();
    goes_straight_ = false;
    if (solved_ == response::QpStatus::optimal) {
      advance();
      return true;
    }
  }
  if (choose() == Hold::none) go_to(target);
  if (travel(twist_) < kLeastMove * options.tolerance) {
    end(travel(wish_) <= kArrived * options.tolerance ? HandlingStatus::arrived
                                                      : HandlingStatus::held_back);
    return false;
  }
  if (cut_) return false;  // it gained little for lack of time: it is not held back
  if (rests() || (result.stats.rounds > 0 && !is_worth_while())) {
    end(program_.active().empty() ? HandlingStatus::undecided : HandlingStatus::held_back);
    return false;
  }
  last_energy_ = energy();
  if (!may_go_on()) return false;
  advance();
  return true;
}

// The next round is expected to take as much as the last, with a search for contacts at its end.
bool Handling::Data::may_go_on() {
  if (result.stats.rounds >= options.max_rounds) return false;
  const bool fits = result.stats.rounds == 0 || left_.max_work >= work_before_ - left_.max_work;
  if (!left_.expired() && left_.max_work > 0 && fits) return true;
  limited_ = true;
  return false;
}

// True if one more round is worthwhile, by what the last one gained and what the next one would
// gain. If nothing is near, the part would arrive, also after a turn that led away from all
// contacts and gained nothing.
bool Handling::Data::is_worth_while() const {
  if (near_.empty()) return moved_;
  // If no contact holds the part, it would arrive.
  const double share = program_.active().empty() ? 0 : options.least_gain;
  const double worth =
      std::clamp(share * (first_energy_ - energy()), kLeastGain * on_way(), kLittleGain * on_way());
  const response::Vec6 left = wish_ - twist_;
  const double after = 0.5 * left.dot(metric_ * left);
  // A motion that was shortened gained little for lack of time.
  const bool gained = shortened_ || last_energy_ - energy() > worth;
  return gained && energy() - after > worth;
}

void Handling::Data::end(HandlingStatus status) {
  // Bodies that were not examined may hold the part or not, so the result stays undecided.
  result.status = gap_ <= options.clearance || pierced_ ? HandlingStatus::touching
                  : complete_                           ? status
                                                        : HandlingStatus::undecided;
}

void Handling::Data::spend(const QueryStats& stats, std::uint64_t work) {
  result.stats.queries += stats;
  if (left_.max_work != Budget::kUnlimited) left_.max_work -= std::min(left_.max_work, work);
}

// ---- near contacts ------------------------------------------------------------------------------

// Contacts found at the end of a step are still valid when the next begins, unless something
// changed.
void Handling::Data::look_around() {
  if (complete_ && seen_ == revision()) return;
  const bool timed = left_.deadline != Budget::Clock::time_point::max();
  const auto begin = timed ? Budget::Clock::now() : Budget::Clock::time_point{};
  QueryStats stats;
  complete_ =
      part.find_contacts({.max_distance = options.max_distance, .budget = left_}, near_, stats);
  Budget rest = left_;
  if (rest.max_work != Budget::kUnlimited)
    rest.max_work -= std::min(rest.max_work, response::work_of_look(stats));
  const response::HeldPart::Gap gap = part.gap(near_, options.clearance, rest, stats);
  gap_ = gap.least;
  complete_ &= gap.complete;
  const std::uint64_t work = response::work_of_look(stats);
  spend(stats, work);
  result.stats.near_contacts += near_.size();
  seen_ = revision();
  if (timed) look_ = Budget::Clock::now() - begin;
  look_work_ = complete_ ? work : std::max(work, look_work_);
}

void Handling::Data::tell(const Pose& target) {
  pose_ = part.pose();
  result.pose = pose_;
  result.centre = centre();
  const response::Vec6 left = response::offset_between(pose_, target, part.mass().centre);
  result.distance_left = left.head<3>().norm();
  result.angle_left = left.tail<3>().norm();
  active_.assign(program_.active().begin(), program_.active().end());
  std::sort(active_.begin(), active_.end(),
            [](const auto& x, const auto& y) { return x.constraint < y.constraint; });
  std::size_t last = near_.size();
  for (const auto& [constraint, multiplier] : active_) {
    const Push& push = pushes_[constraint];
    const response::NearContact& near = near_[push.near];
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
