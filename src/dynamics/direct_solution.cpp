// SPDX-License-Identifier: Apache-2.0
// Solves one island: by Newton's method, or by interior points if that does not converge.
#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "dynamics/direct_contacts.h"

namespace touche::dynamics {
namespace {

// The stiffness of contacts that hold, in units of the largest mass of an island.
constexpr double kStiff = 1e5;
// The same for interior points, whose steps continue from each other. Stiffer contacts would leave
// fewer digits to light bodies.
constexpr double kStiffInside = 1e3;
// Limit of rounds of Newton's method.
constexpr int kMostNewtonRounds = 12;
// Limit of interior point steps, how near the border of the cones each step goes, and the share of
// the least product of impulse and speed that matters which may be left.
constexpr int kMostInside = 50;
constexpr double kToBorder = 0.99, kInsideGap = 1e-3;
// A residual of more than this many times the best one is rounding.
constexpr double kLostInside = 1e3;
// Limit of updates of the sliding speeds.
constexpr int kMostLifts = 20;
// An island with less than this share of the solver's tolerance is solved.
constexpr double kSolved = 0.1;
// Rounds that leave more than this share of the residual of two rounds before alternate between
// sets of contacts.
constexpr double kTakesTurns = 0.5;

// Friction as an iteration of `pass` would leave it: the impulse that stops sliding, or else one
// against sliding at the limit.
Eigen::Vector2d friction_at(const SolverContact& c, const Vec3& impulse, const Vec3& speed) {
  const double most = c.friction * impulse[0];
  Eigen::Vector2d to(impulse[1] - c.tangent_xx * speed[1] - c.tangent_xy * speed[2],
                     impulse[2] - c.tangent_xy * speed[1] - c.tangent_yy * speed[2]);
  if (to.norm() <= most) return to;
  to = impulse.tail<2>() - c.tangent_least * speed.tail<2>();
  const double size = to.norm();
  if (size > most) to *= most / size;
  return to;
}

}  // namespace

// Orders the members for elimination so that few blocks fill: next is always one with the fewest
// remaining neighbours.
void DirectContacts::find_order() {
  const std::size_t count = members_.size();
  neighbours_.assign(count, 0);
  for (const Place& place : places_)
    if (place.a != kNone && place.b != kNone) {
      neighbours_[place.a] |= std::uint64_t{1} << place.b;
      neighbours_[place.b] |= std::uint64_t{1} << place.a;
    }
  slots_.resize(kMostBodies * kMostBodies);
  order_.clear();
  Index used = 0;
  std::uint64_t left = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  while (left != 0) {
    Index next = kNone;
    for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<Index>(std::countr_zero(rest));
      if (next == kNone || std::popcount(neighbours_[i]) < std::popcount(neighbours_[next]))
        next = i;
    }
    order_.push_back(next);
    const std::uint64_t bit = std::uint64_t{1} << next, around = neighbours_[next];
    left &= ~bit;
    slots_[next * kMostBodies + next] = used++;
    for (std::uint64_t rest = around; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<Index>(std::countr_zero(rest));
      slots_[next * kMostBodies + i] = used++;
      slots_[i * kMostBodies + next] = used++;
      neighbours_[i] = (neighbours_[i] | around) & ~bit & ~(std::uint64_t{1} << i);
    }
  }
  blocks_.resize(used);
}

// Multiplications that a solution of the system takes, roughly.
double DirectContacts::work_of_system() const {
  double work = 600 * static_cast<double>(places_.size());
  for (const std::uint64_t around : neighbours_) {
    const double count = std::popcount(around);
    work += 216 * (1 + count + count * count);
  }
  return work;
}

// Linearises the contact law near these impulses and speeds. The masses of single rows only decide
// which case holds, as in `pass`.
DirectContacts::Response DirectContacts::response(const Place& place) const {
  const SolverContact& c = *place.contact;
  const Vec3 &r = place.impulse, &u = place.speed;
  Response to{Mat3::Zero(), -r};  // nothing presses
  const double pressed = r[0] - c.normal.mass * u[0];
  if (!(pressed > 0) || !(c.normal.mass > 0)) return to;
  to.stiffness(0, 0) = stiffness_;
  to.aim[0] = -stiffness_ * u[0];
  if (!(c.friction > 0) || !(c.tangent_least > 0)) return to;
  const Eigen::Vector2d held(r[1], r[2]), speed(u[1], u[2]);
  const Eigen::Vector2d wanted = held - c.tangent_least * speed;
  const double size = wanted.norm(), most = c.friction * pressed;
  if (size <= most) {  // it sticks
    to.stiffness(1, 1) = to.stiffness(2, 2) = stiffness_;
    to.aim.tail<2>() = -stiffness_ * speed;
    return to;
  }
  // It slides: friction is at its limit along `wanted`, and turns with the speed across.
  const Eigen::Vector2d along = wanted / size;
  const Eigen::Matrix2d across = Eigen::Matrix2d::Identity() - along * along.transpose();
  const double share = most / size,
               turning = std::min(stiffness_, share / (1 - share) * c.tangent_least);
  to.stiffness.block<2, 1>(1, 0) = c.friction * stiffness_ * along;
  to.stiffness.block<2, 2>(1, 1) = turning * across;
  to.aim.tail<2>() = c.friction * (r[0] + to.aim[0]) * along - turning * (across * speed) - held;
  return to;
}

void DirectContacts::clear_system() {
  for (Block& of : blocks_) of.setZero();
  right_.assign(members_.size(), Vec6::Zero());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto n = static_cast<Index>(i);
    block(n, n).setIdentity();
  }
}

// Adds a contact whose impulse becomes `aim`, less its stiffness times the change of its speeds.
void DirectContacts::add_to_system(const Place& place, const Mat3& stiffness, const Vec3& aim) {
  const bool any = !stiffness.isZero(0);
  if (place.a != kNone) {
    right_[place.a] += place.rows_a.transpose() * aim;
    if (any) {
      const Rows by_a = stiffness * place.rows_a;
      block(place.a, place.a) += place.rows_a.transpose() * by_a;
      if (place.b != kNone) block(place.b, place.a) += place.rows_b.transpose() * by_a;
    }
  }
  if (place.b != kNone) {
    right_[place.b] += place.rows_b.transpose() * aim;
    if (any) {
      const Rows by_b = stiffness * place.rows_b;
      block(place.b, place.b) += place.rows_b.transpose() * by_b;
      if (place.a != kNone) block(place.a, place.b) += place.rows_a.transpose() * by_b;
    }
  }
}

// The speeds at a contact that result from velocities of members.
Vec3 DirectContacts::change_at(const Place& place, const std::vector<Vec6>& of) const {
  Vec3 change = Vec3::Zero();
  if (place.a != kNone) change += place.rows_a * of[place.a];
  if (place.b != kNone) change += place.rows_b * of[place.b];
  return change;
}

// One round of Newton's method: finds the changes of velocity that go with the linearised contact
// law, and brings impulses back to what the law allows.
void DirectContacts::take_step() {
  clear_system();
  responses_.clear();
  for (const Place& place : places_) {
    const Response& to = responses_.emplace_back(response(place));
    add_to_system(place, to.stiffness, to.aim);
  }
  eliminate();
  substitute();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const Response& to = responses_[i];
    Vec3 impulse = place.impulse + (to.aim - to.stiffness * change_at(place, right_));
    impulse[0] = std::max(impulse[0], 0.0);
    const double most = place.contact->friction * impulse[0], size = impulse.tail<2>().norm();
    if (size > most) impulse.tail<2>() *= most / size;
    place.impulse = impulse;
  }
  find_speeds();
}

// Factors the system of all members for right-hand sides. No block is inverted: beside the
// directions in which a light body is free, an inverse would keep no digit of the directions in
// which it is held.
void DirectContacts::eliminate() {
  work_left_ -= work_of_system();
  inverses_.resize(std::max(inverses_.size(), members_.size()));
  for (const Index pivot : order_) {
    Eigen::PartialPivLU<Block>& own = inverses_[pivot];
    own.compute(block(pivot, pivot));
    for (std::uint64_t columns = neighbours_[pivot]; columns != 0; columns &= columns - 1) {
      Block& across = block(pivot, static_cast<Index>(std::countr_zero(columns)));
      across = own.solve(across).eval();
    }
    for (std::uint64_t rows = neighbours_[pivot]; rows != 0; rows &= rows - 1) {
      const auto i = static_cast<Index>(std::countr_zero(rows));
      const Block& down = block(i, pivot);
      for (std::uint64_t columns = neighbours_[pivot]; columns != 0; columns &= columns - 1) {
        const auto k = static_cast<Index>(std::countr_zero(columns));
        block(i, k).noalias() -= down * block(pivot, k);
      }
    }
  }
}

// Replaces right-hand sides by solutions.
void DirectContacts::substitute() {
  for (const Index pivot : order_) {
    right_[pivot] = inverses_[pivot].solve(right_[pivot]).eval();
    for (std::uint64_t rows = neighbours_[pivot]; rows != 0; rows &= rows - 1) {
      const auto i = static_cast<Index>(std::countr_zero(rows));
      right_[i].noalias() -= block(i, pivot) * right_[pivot];
    }
  }
  for (std::size_t n = order_.size(); n-- > 0;) {
    const Index pivot = order_[n];
    for (std::uint64_t columns = neighbours_[pivot]; columns != 0; columns &= columns - 1) {
      const auto k = static_cast<Index>(std::countr_zero(columns));
      right_[pivot].noalias() -= block(pivot, k) * right_[k];
    }
  }
}

// Always computed from the start, so that velocities match the impulses.
void DirectContacts::find_speeds() {
  for (Member& m : members_) m.change.setZero();
  for (const Place& place : places_) {
    const Vec3 more = place.impulse - place.start_impulse;
    if (place.a != kNone) members_[place.a].change += place.rows_a.transpose() * more;
    if (place.b != kNone) members_[place.b].change += place.rows_b.transpose() * more;
  }
  for (Place& place : places_) place.speed = speed_at(place);
}

Vec3 DirectContacts::speed_at(const Place& place) const {
  Vec3 speed = place.start_speed;
  if (place.a != kNone) speed += place.rows_a * members_[place.a].change;
  if (place.b != kNone) speed += place.rows_b * members_[place.b].change;
  return speed;
}

// The largest change of velocity that a row would make by itself, as `pass` measures it.
double DirectContacts::residual() const {
  double most = 0;
  const auto count = [&](double change) {
    if (!(change <= most)) most = change;  // also NaN
  };
  for (const Place& place : places_) {
    const SolverContact& c = *place.contact;
    const Vec3 &r = place.impulse, &u = place.speed;
    if (c.normal.mass > 0)
      count(std::abs(std::max(r[0] - u[0] * c.normal.mass, 0.0) - r[0]) / c.normal.mass);
    if (c.tangent_least > 0)
      count((friction_at(c, r, u) - r.tail<2>()).cwiseAbs().maxCoeff() / c.tangent_least);
  }
  return most;
}

// Solves all contacts one by one, to and fro, as `pass` does. This ends cycles of rounds that
// alternate between sets of contacts. The normal comes first, so that friction is within its limit.
void DirectContacts::pass_once() {
  const auto add = [&](const Place& place, const Vec3& more) {
    if (place.a != kNone) members_[place.a].change += place.rows_a.transpose() * more;
    if (place.b != kNone) members_[place.b].change += place.rows_b.transpose() * more;
  };
  for (std::size_t i = 0; i < 2 * places_.size(); ++i) {
    Place& place = places_[i < places_.size() ? i : 2 * places_.size() - 1 - i];
    const SolverContact& c = *place.contact;
    Vec3& r = place.impulse;
    const double press = std::max(r[0] - speed_at(place)[0] * c.normal.mass, 0.0) - r[0];
    r[0] += press;
    add(place, {press, 0, 0});
    if (!(c.tangent_least > 0)) continue;
    Vec3 more = Vec3::Zero();
    more.tail<2>() = friction_at(c, r, speed_at(place)) - r.tail<2>();
    r += more;
    add(place, more);
  }
  find_speeds();
}

// Returns whether a solution was found: by Newton's method from the present impulses, or by
// interior points.
bool DirectContacts::solve_island(double small) {
  stiffness_ = kStiff * most_mass_;
  return solve_by_newton(small) || solve_by_interior_points(small);
}

bool DirectContacts::solve_by_newton(double small) {
  double best = residual(), last = kInfinity, before = kInfinity;
  for (Place& place : places_) place.best = place.impulse;
  for (int round = 0; round < kMostNewtonRounds && best > kSolved * small && work_left_ > 0;
       ++round) {
    take_step();
    double now = residual();
    if (!(now < kTakesTurns * before) && before < kInfinity) {
      pass_once();
      now = residual();
    }
    before = std::exchange(last, now);
    if (!(now < best)) continue;
    best = now;
    for (Place& place : places_) place.best = place.impulse;
  }
  if (!(best <= kAccepted * small)) return false;
  for (Place& place : places_) place.impulse = place.best;
  find_speeds();
  return true;
}

// Newton's method converges only from nearby. If the sliding speed of each contact is known, the
// contact law is the condition of a least energy of change with impulses in cones, provided that
// this speed times the coefficient of friction counts as parting (De Saxce and Feng, The
// bipotential method, 1998). Interior points solve that from anywhere. So the sliding speeds are
// updated until Newton's method converges.
bool DirectContacts::solve_by_interior_points(double small) {
  insides_.clear();
  for (const Place& place : places_) {
    const SolverContact& c = *place.contact;
    Inside& inside = insides_.emplace_back();
    inside.pair.is_ray = !(c.friction > 0) || !(c.tangent_least > 0);
    inside.unit = inside.pair.is_ray ? Vec3(1, 0, 0) : Vec3(1 / c.friction, 1, 1);
    inside.give = inside.unit.cwiseAbs2() / (kStiffInside * most_mass_);
  }
  double last = kInfinity;
  for (int i = 0; i < kMostLifts && work_left_ > 0; ++i) {
    go_inside(small);
    for (std::size_t k = 0; k < places_.size(); ++k)
      if (!insides_[k].pair.is_ray) insides_[k].slid = places_[k].speed.tail<2>().norm();
    const double now = residual();
    if (now <= kSolved * small || solve_by_newton(small)) return true;
    // Sliding speeds that alternate are updated by half.
    const double share = now < kTakesTurns * last ? 1 : 0.5;
    for (Inside& inside : insides_) inside.lift += share * (inside.slid - inside.lift);
    last = now;
  }
  return false;
}

// Follows the central path of the cones (Mehrotra's predictor and corrector) until the contact law
// holds for the assumed sliding speeds.
void DirectContacts::go_inside(double small) {
  for (Place& place : places_) place.impulse = Vec3::Zero();
  find_speeds();
  double speed = small;
  for (std::size_t i = 0; i < places_.size(); ++i)
    speed =
        std::max({speed, insides_[i].unit.cwiseProduct(places_[i].speed).norm(), insides_[i].lift});
  const auto count = static_cast<double>(places_.size());
  for (Inside& inside : insides_) {
    inside.pair.x = Vec3(most_mass_ * speed, 0, 0);
    inside.pair.y = Vec3(speed, 0, 0);
  }
  double best = kInfinity;
  for (int i = 0; i < kMostInside && work_left_ > 0; ++i) {
    double gap = 0, missing = 0;
    for (std::size_t k = 0; k < places_.size(); ++k)
      places_[k].impulse = insides_[k].unit.cwiseProduct(insides_[k].pair.x);
    find_speeds();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      Inside& inside = insides_[k];
      inside.missing = inside.unit.cwiseProduct(places_[k].speed) - inside.pair.y;
      inside.missing[0] += inside.lift;
      gap += inside.pair.x.dot(inside.pair.y);
      missing = std::max(missing, inside.missing.norm());
    }
    gap /= count;
    const double now = residual();
    if (now < best) {
      best = now;
      for (Place& place : places_) place.best = place.impulse;
    }
    if (missing <= kSolved * small && gap <= kInsideGap * least_mass_ * small * speed) break;
    if (!(now < kLostInside * best)) break;
    const auto has_inside = [](Inside& inside) { return inside.pair.find_scaling(); };
    if (!std::all_of(insides_.begin(), insides_.end(), has_inside)) break;
    clear_system();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      Inside& inside = insides_[k];
      inside.stiffness = inside.pair.softened(inside.give[0], inside.give[1]);
      const Mat3 unit = inside.unit.asDiagonal();
      add_to_system(places_[k], unit * inside.stiffness * unit, Vec3::Zero());
    }
    eliminate();
    const auto longest = [&] {
      double most = 1;
      for (const Inside& inside : insides_)
        most = std::min({most, inside.pair.longest(inside.pair.x, inside.step_x),
                         inside.pair.longest(inside.pair.y, inside.step_y)});
      return most;
    };
    find_inside_step(0, false);
    const double left = 1 - longest();
    find_inside_step(gap * left * left * left, true);
    const double step = kToBorder * longest();
    if (!(step > 0)) break;
    for (Inside& inside : insides_) {
      inside.pair.x += step * inside.step_x;
      inside.pair.y += step * inside.step_y;
    }
  }
  for (Place& place : places_) place.impulse = place.best;
  find_speeds();
}

// Finds the step after which the products of impulses and speeds are `target`, approximately: to
// second order if the previous step corrects it.
void DirectContacts::find_inside_step(double target, bool corrected) {
  for (Vec6& of : right_) of.setZero();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    Inside& inside = insides_[k];
    const ConePair& pair = inside.pair;
    Vec3 left = Vec3(target, 0, 0) - pair.product(pair.middle, pair.middle);
    if (corrected)
      left -= pair.product(pair.scaled(inside.step_x, -1), pair.scaled(inside.step_y, 1));
    inside.wanted = pair.scaled(pair.divided(left), -1) - inside.missing;
    const Vec3 aim = inside.unit.cwiseProduct(inside.stiffness * inside.wanted);
    const Place& place = places_[k];
    if (place.a != kNone) right_[place.a] += place.rows_a.transpose() * aim;
    if (place.b != kNone) right_[place.b] += place.rows_b.transpose() * aim;
  }
  substitute();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    Inside& inside = insides_[k];
    const Vec3 change = inside.unit.cwiseProduct(change_at(places_[k], right_));
    inside.step_x = inside.stiffness * (inside.wanted - change);
    inside.step_y = change + inside.missing + inside.give.cwiseProduct(inside.step_x);
    if (inside.pair.is_ray) inside.step_y.tail<2>().setZero();
  }
}

}  // namespace touche::dynamics
