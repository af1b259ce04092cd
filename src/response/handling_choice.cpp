// SPDX-License-Identifier: Apache-2.0
// Chooses the motion that comes nearest to the target among the motions that near contacts allow.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "response/gap_curvature.h"
#include "response/handling_data.h"

namespace touche {
namespace {

// In tolerances. Contacts nearer to the clearance than this leave hardly any room for non-linear
// effects.
constexpr double kTight = 1.0 / 64;
// In tolerances. Contacts within this of the clearance bear friction.
constexpr double kHolding = 3;

constexpr int kConeSides = 8;

}  // namespace

// The part's point at the contact must move by at least `least` in the direction.
void Handling::Data::add_row(std::size_t near, const Vec3& direction, double least) {
  response::LinearConstraint row;
  row.a << direction, (near_[near].contact.point_a - centre()).cross(direction);
  row.b = least;
  rows_.push_back(row);
  pushes_.push_back({near, direction});
}

// A part sticks if forces within the friction cones balance the spring: if no motion gets nearer to
// the target, of the motions that oppose none of these forces.
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
  return solved_ == response::QpStatus::optimal && !program_.active().empty() &&
         travel(program_.x()) < kLeastMove * options.tolerance;
}

// Bars motions that come too near. `opening`: fraction of the missing room that is to be gained.
void Handling::Data::bar_ways(double opening) {
  rows_.clear();
  pushes_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i) {
    const Contact& contact = near_[i].contact;
    const double room = contact.distance - options.clearance - kRoom * options.tolerance;
    add_row(i, -contact.normal, room < 0 ? -opening * room : -room);
  }
}

void Handling::Data::choose_within(const response::BentSpring& spring) {
  solved_ = program_.solve(spring.metric, spring.start, rows_);
  result.stats.iterations += program_.iterations();
  twist_ = program_.x();
}

// A long motion that opens a contact on the whole may approach it at first, because of non-linear
// terms. Such steps leave ever less room, until a part that could come free does not move at all.
bool Handling::Data::is_tight() const {
  return !drew_back_ && gap_ > options.clearance &&
         gap_ - options.clearance < kTight * options.tolerance;
}

// The smallest motion that gives all contacts their room. It goes against the spring, so no gain is
// required before the next round.
void Handling::Data::draw_back() {
  drew_back_ = true;
  bar_ways(1);
  choose_within({metric_, response::Vec6::Zero()});
  last_energy_ = kInfinity;
}

// If nothing holds the part, it takes the whole screw motion to the target, which follows a
// thread. But a screw that turns far may start in another direction than towards the target, and
// into near bodies; then the part goes straight.
void Handling::Data::go_to(const Pose& target) {
  twist_ = response::twist_between(pose_, target, part.mass().centre);
  goes_straight_ =
      std::any_of(rows_.begin(), rows_.end(),
                  [&](const response::LinearConstraint& row) { return row.a.dot(twist_) < row.b; });
  if (goes_straight_) twist_ = wish_;
}

// First as if contacts were flat, then with the curvature that the resulting forces give: a part
// that is pressed onto an edge rolls about it, which has the effect of another spring.
Handling::Data::Hold Handling::Data::choose() {
  goes_straight_ = false;
  // Between walls there may be less room than wanted; the last try accepts the room there is.
  for (const double opening : {1.0, 0.5, 0.0}) {
    bar_ways(opening);
    choose_within({metric_, wish_});
    if (solved_ != response::QpStatus::optimal) continue;
    if (program_.active().empty()) return Hold::none;
    response::Mat6 curvature = response::Mat6::Zero();
    for (const response::QuadraticProgram::Active& active : program_.active())
      curvature += active.multiplier * part.curvature(near_[pushes_[active.constraint].near]);
    choose_within(response::bend(metric_, wish_, curvature));
    // Contacts that bend the spring hold the part, even if none is active with the bent spring.
    if (solved_ == response::QpStatus::optimal) return Hold::contacts;
  }
  twist_.setZero();
  return Hold::contacts;
}

}  // namespace touche
