// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_solver.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dynamics/rigid_body.h"

namespace touche::dynamics {
namespace {

// A response below this share of the response without joints is rounding.
constexpr double kRigid = 1e-12;

// Radians: bends are computed for no larger turn, because then other points touch than the
// contact's. The normal turns with the bodies, too: a lift along it raises them only by its cosine
// and demands more lift, without end from a quarter turn on.
constexpr double kFarTurn = 0.5;

SolverRow row_along(const SolverBody& a, const SolverBody& b, const Vec3& direction,
                    const Vec3& arm_a, const Vec3& arm_b) {
  SolverRow row{};
  row.direction = direction;
  row.lever_a = arm_a.cross(direction);
  row.lever_b = arm_b.cross(direction);
  row.turn_a = a.inverse_inertia * row.lever_a;
  row.turn_b = b.inverse_inertia * row.lever_b;
  const double inverse =
      a.inverse_mass + b.inverse_mass + row.lever_a.dot(row.turn_a) + row.lever_b.dot(row.turn_b);
  row.mass = inverse > 0 ? 1 / inverse : 0;
  return row;
}

double solve_normal(SolverContact& contact, std::span<SolverBody> bodies) {
  SolverRow& row = contact.normal;
  const double wanted =
      contact.least_speed - speed_along(row, bodies[contact.a], bodies[contact.b]);
  const double impulse = std::max(row.impulse + wanted * row.mass, 0.0) - row.impulse;
  if (impulse == 0) return 0;
  row.impulse += impulse;
  apply(bodies, contact, row, impulse);
  return row.mass > 0 ? std::abs(impulse) / row.mass : 0;
}

// std::hypot takes several times as long, because it also serves sizes whose squares overflow.
double length(double x, double y) { return std::sqrt(x * x + y * y); }

// Solves both tangents at once, so that the limit is a cone. The impulse that stops sliding is used
// if it is within the limit. Otherwise a step down the gradient of the energy that cannot overshoot
// is brought back to the limit. Both only take energy.
double solve_friction(SolverContact& contact, std::span<SolverBody> bodies) {
  SolverRow &x = contact.tangents[0], &y = contact.tangents[1];
  const double most = contact.friction * contact.normal.impulse;
  if (most == 0 && x.impulse == 0 && y.impulse == 0) return 0;
  const SolverBody &a = bodies[contact.a], &b = bodies[contact.b];
  const double speed_x = speed_along(x, a, b), speed_y = speed_along(y, a, b);
  double wanted_x = x.impulse - contact.tangent_xx * speed_x - contact.tangent_xy * speed_y;
  double wanted_y = y.impulse - contact.tangent_xy * speed_x - contact.tangent_yy * speed_y;
  if (length(wanted_x, wanted_y) > most) {
    wanted_x = x.impulse - contact.tangent_least * speed_x;
    wanted_y = y.impulse - contact.tangent_least * speed_y;
    const double size = length(wanted_x, wanted_y);
    if (size > most && size > 0) {  // the limit may be negative, see ContactSweep::visit
      wanted_x *= most / size;
      wanted_y *= most / size;
    }
  }
  const double change_x = wanted_x - x.impulse, change_y = wanted_y - y.impulse;
  x.impulse = wanted_x;
  y.impulse = wanted_y;
  apply(bodies, contact, x, change_x);
  apply(bodies, contact, y, change_y);
  return contact.tangent_least > 0
             ? std::max(std::abs(change_x), std::abs(change_y)) / contact.tangent_least
             : 0;
}

// Inverts the matrix of the tangents. `xy` is the speed along one per impulse along the other.
void invert_tangents(SolverContact& contact, double xy) {
  const auto& [x, y] = contact.tangents;
  contact.tangent_xx = contact.tangent_xy = contact.tangent_yy = contact.tangent_least = 0;
  if (x.mass == 0 || y.mass == 0) {  // friction acts along the other one, or along none
    contact.tangent_xx = x.mass;
    contact.tangent_yy = y.mass;
    contact.tangent_least = std::max(x.mass, y.mass);
    return;
  }
  const double xx = 1 / x.mass, yy = 1 / y.mass;
  contact.tangent_least = 1 / (std::max(xx, yy) + std::abs(xy));
  const double determinant = xx * yy - xy * xy;
  if (determinant > 1e-9 * xx * yy) {
    contact.tangent_xx = yy / determinant;
    contact.tangent_xy = -xy / determinant;
    contact.tangent_yy = xx / determinant;
  } else {
    contact.tangent_xx = contact.tangent_yy = contact.tangent_least;
  }
}

BendingGap gap_of(const SolverContact& contact) {
  return {contact.normal.direction, contact.arm_a,   contact.arm_b,
          contact.distance,         contact.share_a, contact.share_b};
}

}  // namespace

void tangents_of(const Vec3& normal, Vec3& first, Vec3& second) {
  Eigen::Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  first = normal.cross(Vec3::Unit(least)).normalized();
  second = normal.cross(first);
}

SolverContact solver_contact(std::span<const SolverBody> bodies, Index a, Index b,
                             const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b,
                             double friction) {
  SolverContact contact;
  contact.a = a;
  contact.b = b;
  contact.inverse_mass_a = bodies[a].inverse_mass;
  contact.inverse_mass_b = bodies[b].inverse_mass;
  contact.friction = friction;
  contact.arm_a = arm_a;
  contact.arm_b = arm_b;
  Vec3 first, second;
  tangents_of(normal, first, second);
  contact.normal = row_along(bodies[a], bodies[b], normal, arm_a, arm_b);
  contact.tangents[0] = row_along(bodies[a], bodies[b], first, arm_a, arm_b);
  contact.tangents[1] = row_along(bodies[a], bodies[b], second, arm_a, arm_b);
  const auto& [x, y] = contact.tangents;
  invert_tangents(contact,
                  x.direction.dot(y.direction) * (contact.inverse_mass_a + contact.inverse_mass_b) +
                      x.lever_a.dot(y.turn_a) + x.lever_b.dot(y.turn_b));
  return contact;
}

void set_jointed(SolverContact& contact, const JointedResponse& response) {
  contact.jointed = &response;
  // The speed along a row that results from an impulse of one along another row.
  const auto speed = [&](const SolverRow& row, const std::vector<BodyResponse>& of) {
    SolverBody a, b;
    for (const BodyResponse& r : of) {
      if (r.body == contact.a) a = {r.linear, r.angular};
      if (r.body == contact.b) b = {r.linear, r.angular};
    }
    return speed_along(row, a, b);
  };
  SolverRow* const rows[] = {&contact.normal, &contact.tangents[0], &contact.tangents[1]};
  for (std::size_t k = 0; k < 3; ++k) {
    const double inverse = speed(*rows[k], response[k]), free = rows[k]->mass;
    // If joints leave nothing to move, only rounding would be left.
    rows[k]->mass = inverse * free > kRigid ? 1 / inverse : 0;
  }
  invert_tangents(contact, speed(contact.tangents[0], response[2]));
}

Turns turns_of(const SolverBody& body, double time) {
  Turns turns;
  turns.none = body.angular.isZero(0);
  if (turns.none) return turns;
  turns.half = turned(Mat3::Identity(), 0.5 * time * body.angular);
  turns.whole = turned(Mat3::Identity(), time * body.angular);
  return turns;
}

double bend(const SolverContact& contact, std::span<const SolverBody> bodies,
            std::span<const Turns> turns, double time) {
  if (contact.is_limit) return 0;
  return bend(gap_of(contact), bodies[contact.a], bodies[contact.b], turns[contact.a],
              turns[contact.b], time);
}

double bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time) {
  if (contact.is_limit) return 0;
  const SolverBody &a = bodies[contact.a], &b = bodies[contact.b];
  return bend(gap_of(contact), a, b, turns_of(a, time), turns_of(b, time), time);
}

double bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, const Turns& turns_a,
            const Turns& turns_b, double time) {
  if (turns_a.none && turns_b.none) return 0;
  const double turn = time * std::max(a.angular.norm(), b.angular.norm());
  if (turn > kFarTurn * (1 + 1e-9)) {
    const double part = time * kFarTurn / turn;
    return bend(gap, a, b, turns_of(a, part), turns_of(b, part), part);
  }
  double least = kInfinity;
  for (const bool at_end : {false, true}) {
    const Mat3 &turn_a = at_end ? turns_a.whole : turns_a.half,
               &turn_b = at_end ? turns_b.whole : turns_b.half;
    const double t = at_end ? time : 0.5 * time;
    const Vec3 way = t * (b.linear - a.linear) + (turn_b * gap.arm_b - gap.arm_b) -
                     (turn_a * gap.arm_a - gap.arm_a);
    const double still = 1 - gap.share_a - gap.share_b;
    const Vec3 then = (gap.share_a * (turn_a * gap.normal) + gap.share_b * (turn_b * gap.normal) +
                       still * gap.normal)
                          .normalized();
    const double distance = then.dot(gap.distance * gap.normal + way);
    least = std::min(least, (distance - gap.distance) / t);
  }
  return least - parting_speed(gap, a, b);
}

double parting_speed(const BendingGap& gap, const SolverBody& a, const SolverBody& b) {
  return gap.normal.dot(b.linear + b.angular.cross(gap.arm_b) - a.linear -
                        a.angular.cross(gap.arm_a));
}

double most_bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time) {
  return contact.is_limit ? 0
                          : most_bend(gap_of(contact), bodies[contact.a], bodies[contact.b], time);
}

double most_bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, double time) {
  const double turn_a = a.angular.norm(), turn_b = b.angular.norm(),
               glide = (b.linear - a.linear).norm() + (turn_a + turn_b) * gap.distance;
  return 2 * time * (turn_a + turn_b) *
         (glide + turn_a * gap.arm_a.norm() + turn_b * gap.arm_b.norm());
}

Vec3 relative_velocity(const SolverContact& contact, std::span<const SolverBody> bodies) {
  const SolverBody &a = bodies[contact.a], &b = bodies[contact.b];
  Vec3 velocity = speed_along(contact.normal, a, b) * contact.normal.direction;
  for (const SolverRow& row : contact.tangents) velocity += speed_along(row, a, b) * row.direction;
  return velocity;
}

Vec3 impulse_of(const SolverContact& contact) {
  Vec3 impulse = contact.normal.impulse * contact.normal.direction;
  for (const SolverRow& row : contact.tangents) impulse += row.impulse * row.direction;
  return impulse;
}

void apply(std::span<SolverBody> bodies, const SolverContact& contact, const SolverRow& row,
           double impulse) {
  if (contact.jointed != nullptr) {
    const std::size_t k = &row == &contact.normal ? 0 : &row == &contact.tangents[0] ? 1 : 2;
    for (const BodyResponse& response : (*contact.jointed)[k]) {
      SolverBody& body = bodies[response.body];
      body.linear += impulse * response.linear;
      body.angular += impulse * response.angular;
    }
    return;
  }
  SolverBody &a = bodies[contact.a], &b = bodies[contact.b];
  a.linear -= (impulse * contact.inverse_mass_a) * row.direction;
  a.angular -= impulse * row.turn_a;
  b.linear += (impulse * contact.inverse_mass_b) * row.direction;
  b.angular += impulse * row.turn_b;
}

void apply_impulses(std::span<SolverBody> bodies, std::span<const SolverContact> contacts) {
  for (const SolverContact& contact : contacts) {
    for (const SolverRow* row : {&contact.normal, &contact.tangents[0], &contact.tangents[1]})
      if (row->impulse != 0) apply(bodies, contact, *row, row->impulse);
  }
}

int ContactSolver::solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most,
                         double small) {
  const auto impulses = [](const SolverContact& c) {
    return Vec3(c.normal.impulse, c.tangents[0].impulse, c.tangents[1].impulse);
  };
  before_.resize(contacts.size());
  direction_.assign(contacts.size(), Vec3::Zero());
  double last = 0;
  for (int i = 0; i < most; ++i) {
    for (std::size_t c = 0; c < contacts.size(); ++c) before_[c] = impulses(contacts[c]);
    if (pass(bodies, contacts, i % 2 == 0) <= small) return i + 1;
    if (i + 1 == most) break;
    // In the metric of energy, so that heavy and light bodies count alike.
    double square = 0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      before_[c] = impulses(contacts[c]) - before_[c];
      const double mass = contacts[c].normal.mass;
      if (mass > 0) square += before_[c].squaredNorm() / mass;
    }
    const double share = last > 0 ? square / last : 0;
    last = square;
    if (!(share <= 1)) {  // also if both overflow
      std::fill(direction_.begin(), direction_.end(), Vec3::Zero());
      continue;
    }
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      SolverContact& contact = contacts[c];
      const Vec3 more = share * direction_[c];
      SolverRow* const rows[] = {&contact.normal, &contact.tangents[0], &contact.tangents[1]};
      for (int k = 0; k < 3; ++k)
        if (more[k] != 0) {
          rows[k]->impulse += more[k];
          apply(bodies, contact, *rows[k], more[k]);
        }
      direction_[c] = more + before_[c];
    }
  }
  return most;
}

double pass(std::span<SolverBody> bodies, std::span<SolverContact> contacts, bool forwards,
            Friction friction) {
  double change = 0;
  const std::size_t count = contacts.size();
  for (std::size_t i = 0; i < count; ++i) {
    SolverContact& contact = contacts[forwards ? i : count - 1 - i];
    change = std::max(change, solve_friction(contact, bodies));
    if (friction == Friction::solved) change = std::max(change, solve_normal(contact, bodies));
  }
  return change;
}

}  // namespace touche::dynamics
