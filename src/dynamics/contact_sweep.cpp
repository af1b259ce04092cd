// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_sweep.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/three.h"

namespace touche::dynamics {
namespace {

// An iteration has stalled if the energy of its changes is more than half of the smallest so far.
// After kPatience stalled iterations the solver stops if the mean change is harmless. For few
// contacts, which are solved as exactly as possible, that is less than kHarmlessOfFew times
// `small`, with which stacks of 20 boxes come to rest. From kCrowd contacts on it is the largest
// of: kHarmless times `small`; kFastShare of the amount by which the root mean square speed exceeds
// `fast`; and kHarmlessInMotion times `small`, but at most kMotionShare of the speed that a quarter
// of the bodies exceeds. So creeping bodies are solved as exactly as resting ones, and a single
// fast body does not make a wall creep that it passes.
constexpr int kPatience = 8;
constexpr double kHarmlessOfFew = 0.3, kHarmless = 3, kFastShare = 2e-3, kHarmlessInMotion = 20,
                 kMotionShare = 3e-2;

// A plate that is held at four corners needs only three of them: impulses may shift along a line
// without effect on speeds. If the corners demand speeds that no plate can have, each iteration
// shifts the impulses by the same amount until one corner no longer presses. Meanwhile the energy
// of the changes stays the same or grows slightly. So for few contacts, conjugate directions are
// kept while this energy is at most kNoLessEnergy times the smallest value that counted as
// progress. When they were dropped at each growth, 2,000 iterations made no progress; with a factor
// of two, round bodies in a box gained energy.
constexpr double kNoLessEnergy = 1.3;

// Stores element by element: a load of one element would have to wait for a store of a pair.
[[gnu::always_inline]] inline void write(const math::Three& from, Vec3& to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
}
// The order of operations is that of Eigen, whose packets hold two rows.
[[gnu::always_inline]] inline math::Three times(const Mat3& m, const math::Three& v) {
  return {(m(0, 0) * v.x + m(0, 1) * v.y) + m(0, 2) * v.z,
          (m(1, 0) * v.x + m(1, 1) * v.y) + m(1, 2) * v.z,
          m(2, 0) * v.x + (m(2, 1) * v.y + m(2, 2) * v.z)};
}

double harmless_change(const SweepSpeeds& speeds, double small, double fast) {
  return std::max({kHarmless * small, kFastShare * (std::sqrt(speeds.square) - fast),
                   std::min(kHarmlessInMotion * small, kMotionShare * speeds.quarter)});
}

}  // namespace

SweepSpeeds speeds_of(std::span<const SolverBody> bodies, std::vector<double>& squares) {
  squares.clear();
  for (const SolverBody& body : bodies)
    if (body.inverse_mass > 0) squares.push_back(body.linear.squaredNorm());
  if (squares.empty()) return {};
  SweepSpeeds speeds;
  for (const double square : squares) speeds.square += square;
  speeds.square /= static_cast<double>(squares.size());
  const auto at = squares.begin() + static_cast<std::ptrdiff_t>(3 * squares.size() / 4);
  std::nth_element(squares.begin(), at, squares.end());
  speeds.quarter = std::sqrt(*at);
  return speeds;
}

void ContactSweep::begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts) {
  bodies_ = bodies;
  contacts_.clear();
  impulses_.clear();
  for (const SolverContact& from : contacts) {
    const SolverRow &n = from.normal, &x = from.tangents[0], &y = from.tangents[1];
    const auto along_normal = [&](const SolverRow& row) {
      return n.lever_a.dot(row.turn_a) + n.lever_b.dot(row.turn_b);
    };
    contacts_.push_back({from.a, from.b, n.direction, x.direction, y.direction, from.arm_a,
                         from.arm_b, n.mass, from.least_speed, from.friction, from.tangent_xx,
                         from.tangent_xy, from.tangent_yy, from.tangent_least, along_normal(x),
                         along_normal(y)});
    impulses_.emplace_back(n.impulse, x.impulse, y.impulse);
  }
  changes_.assign(contacts_.size(), Vec3::Zero());
  forget_direction();
}

// Solves friction first, both tangents at once, then the normal, as solve_friction and solve_normal
// do.
double ContactSweep::visit(const Contact& c, Vec3& impulse, Vec3& changed) const {
  SolverBody &a = bodies_[c.a], &b = bodies_[c.b];
  const math::Three linear_a(a.linear), angular_a(a.angular), linear_b(b.linear),
      angular_b(b.angular), normal(c.normal), first(c.first), second(c.second), arm_a(c.arm_a),
      arm_b(c.arm_b);
  const math::Three now(impulse);
  // Negative if conjugate directions led to a pulling normal impulse. Friction is reversed then:
  // with zero friction, or as much as before, stacks of boxes never came to rest.
  const double most = c.friction * now.x;
  const math::Three speed =
      ((linear_b - linear_a) + math::cross(angular_b, arm_b)) - math::cross(angular_a, arm_a);
  double x = now.y, y = now.z, change = 0, change_x = 0, change_y = 0;
  if (most != 0 || x != 0 || y != 0) {
    const double speed_x = math::dot(first, speed), speed_y = math::dot(second, speed);
    x = now.y - c.xx * speed_x - c.xy * speed_y;
    y = now.z - c.xy * speed_x - c.yy * speed_y;
    if (std::sqrt(x * x + y * y) > most) {
      x = now.y - c.least * speed_x;
      y = now.z - c.least * speed_y;
      const double size = std::sqrt(x * x + y * y);
      if (size > most && size > 0) {
        x *= most / size;
        y *= most / size;
      }
    }
    change_x = x - now.y;
    change_y = y - now.z;
    if (c.least > 0) change = std::max(std::abs(change_x), std::abs(change_y)) / c.least;
  }
  const double along =
      math::dot(normal, speed) + c.normal_first * change_x + c.normal_second * change_y;
  const double change_n = std::max(now.x + (c.least_speed - along) * c.mass, 0.0) - now.x;
  if (c.mass > 0) change = std::max(change, std::abs(change_n) / c.mass);
  const math::Three after(now.x + change_n, x, y);
  write(after, impulse);
  write({after.x - now.x, change_x, change_y}, changed);
  if (change == 0) return 0;
  const math::Three push = change_n * normal + change_x * first + change_y * second;
  write(linear_a - a.inverse_mass * push, a.linear);
  write(angular_a - times(a.inverse_inertia, math::cross(arm_a, push)), a.angular);
  write(linear_b + b.inverse_mass * push, b.linear);
  write(angular_b + times(b.inverse_inertia, math::cross(arm_b, push)), b.angular);
  return change;
}

double ContactSweep::pass(bool forwards) {
  double change = 0;
  const std::size_t count = contacts_.size();
  if (forwards)
    for (std::size_t i = 0; i < count; ++i)
      change = std::max(change, visit(contacts_[i], impulses_[i], changes_[i]));
  else
    for (std::size_t i = count; i-- > 0;)
      change = std::max(change, visit(contacts_[i], impulses_[i], changes_[i]));
  return change;
}

void ContactSweep::remember() {
  before_.clear();
  for (const SolverBody& body : bodies_) before_.push_back({body.linear, body.angular});
}

SweepChange ContactSweep::change() const {
  SweepChange sum;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double mass = contacts_[i].mass;
    if (!(mass > 0)) continue;
    const double energy = changes_[i].squaredNorm() / mass;
    sum.energy += energy;
    sum.square += energy / mass;
  }
  sum.square /= static_cast<double>(std::max<std::size_t>(contacts_.size(), 1));
  return sum;
}

// Velocities are extrapolated together with the impulses, so impulses need not be applied contact
// by contact.
void ContactSweep::go_on(double share) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec3 more = share * impulses_direction_[i];
    impulses_direction_[i] = more + changes_[i];
    impulses_[i] += more;
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vec3 linear = share * direction_[i].linear, angular = share * direction_[i].angular;
    direction_[i] = {linear + (bodies_[i].linear - before_[i].linear),
                     angular + (bodies_[i].angular - before_[i].angular)};
    bodies_[i].linear += linear;
    bodies_[i].angular += angular;
  }
}

void ContactSweep::forget_direction() {
  impulses_direction_.assign(contacts_.size(), Vec3::Zero());
  direction_.assign(bodies_.size(), {Vec3::Zero(), Vec3::Zero()});
}

SweepSpeeds ContactSweep::speeds() { return speeds_of(bodies_, squares_); }

void ContactSweep::give_impulses(std::span<SolverContact> contacts) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i].normal.impulse = impulses_[i][0];
    contacts[i].tangents[0].impulse = impulses_[i][1];
    contacts[i].tangents[1].impulse = impulses_[i][2];
  }
}

template <class Sweep>
int SweptSolver::solve_by(Sweep& sweep, std::span<SolverContact> contacts, int most, double small,
                          double fast) {
  const bool crowd = contacts.size() >= kCrowd;
  double last = 0, least = kInfinity, harmless = 0;
  int passes = 0, in_vain = 0;
  ended_in_vain_ = true;
  while (passes < most) {
    sweep.remember();
    const double largest = sweep.pass(crowd ? forwards_ : passes % 2 == 0);
    ++passes;
    ended_in_vain_ = !(largest <= small);
    if (!ended_in_vain_ || passes == most) break;
    const SweepChange change = sweep.change();
    ++in_vain;
    if (change.energy < 0.5 * least) {
      least = change.energy;
      in_vain = 0;
    }
    if (in_vain >= kPatience) {
      // Evaluated once: speeds hardly change any more.
      if (harmless == 0)
        harmless = crowd ? harmless_change(sweep.speeds(), small, fast) : kHarmlessOfFew * small;
      if (change.square <= harmless * harmless) break;
    }
    const double share = last > 0 ? change.energy / last : 0;
    last = change.energy;
    const bool is_no_less = !crowd && least < kInfinity && change.energy <= kNoLessEnergy * least;
    if (!(share <= 1) && !is_no_less)  // also if both overflow
      sweep.forget_direction();
    else
      sweep.go_on(std::min(share, 1.0));
  }
  sweep.end();
  sweep.give_impulses(contacts);
  return passes;
}

int SweptSolver::solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most,
                       double small, double fast) {
  if (batches_.begin(bodies, contacts)) return solve_by(batches_, contacts, most, small, fast);
  sweep_.begin(bodies, contacts);
  return solve_by(sweep_, contacts, most, small, fast);
}

}  // namespace touche::dynamics
