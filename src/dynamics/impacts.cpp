// SPDX-License-Identifier: Apache-2.0
// What bodies do when they meet within a step. Asked in the order of time.
#include <algorithm>
#include <array>

#include "dynamics/dynamics_data.h"
#include "dynamics/impact.h"

namespace touche {
namespace {

// After so many impacts in a step a body stands still for the rest of it: bounded work where there
// is no end of impacts.
constexpr int kMaxImpacts = 24;

// Of a pair in one impact, where it touches at several places.
constexpr int kMaxBounces = 8;

// Relative to others: a speed that is but rounding.
constexpr double kSmallSpeed = 1e-12;

// Of the step: over which the velocity of a given motion is taken.
constexpr double kPart = 1.0 / 128;

// In units of the tolerance: who rests on another that near waits for the next step.
constexpr double kPressed = 0.5;
// Who meets another one with some speed may do so a few times, each nearer than the last.
constexpr double kPressedHard = 0.1;

// In units of the tolerance: places that are that near count as touching when others do.
constexpr double kTouching = 4;

}  // namespace

Dynamics::Data::Side Dynamics::Data::side(NodeId body, NodeId group, const Pose& pose) {
  Side side;
  side.pose = side.body_pose = pose;
  if (group.index == kNone) return side;
  side.node = &nodes[mover_of_[body.index]];
  if (group != body)
    side.body_pose = pose * relative(world.graph.pose(group.index), world.bodies[body.index].pose);
  side.centre = pose * side.node->inertia.centre;
  side.rotation = pose.matrix();
  return side;
}

// A body that was stopped stood still since then, and its momentum is what it was. Those that meet
// again at once are stopped without a question: then it was at their last answer.
void Dynamics::Data::wake(MovingNode& node, bool is_still, double t) const {
  if (!node.stopped && (!is_still || node.motion().is_still())) return;
  if (!node.stopped) node.stop(node.pose(node.begin));
  if (node.is_dynamic()) take_back(node, (t - node.begin) * dt);
  node.lost += t - node.begin;
  node.begin = t;
  node.stopped = false;
}

// Brings velocities to a time of the step.
void Dynamics::Data::advance(MovingNode& node, double t) const {
  const double time = (t - node.begin) * dt;
  if (node.is_dynamic() && !node.supported) {
    node.linear += time * acceleration(node);
    node.angular_momentum += time * node.all_torque;
  }
  node.begin = t;
}

SolverBody Dynamics::Data::solver_body(const Side& side, double t) const {
  if (side.node == nullptr) return {};
  if (!side.node->is_dynamic()) {
    const Velocity velocity = side.node->motion_speed(t, kPart);
    return {velocity.linear / dt, velocity.angular / dt};
  }
  const Mat3 inverse = side.node->inertia.inverse_world(side.rotation);
  return {side.node->linear, inverse * side.node->angular_momentum, side.node->inertia.inverse_mass,
          inverse};
}

// What the velocities of a supported body hold already of forces until the end of the step.
SolverBody Dynamics::Data::forces_ahead(const Side& side, double t) const {
  SolverBody ahead;
  if (side.node == nullptr || !side.node->is_dynamic() || !side.node->supported) return ahead;
  const double time = (1 - t) * dt;
  ahead.linear = held_of(side.node->linear, time * acceleration(*side.node));
  ahead.angular = side.node->inertia.inverse_world(side.rotation) *
                  held_of(side.node->angular_momentum, time * side.node->all_torque);
  return ahead;
}

void Dynamics::Data::take(const Side& side, const SolverBody& body) const {
  if (side.node == nullptr || !side.node->is_dynamic()) return;
  side.node->linear = body.linear;
  side.node->angular_momentum = side.node->inertia.world(side.rotation) * body.angular;
}

// From now on it has the impulse of all forces until the end of the step.
void Dynamics::Data::support(const Side& side, double rest) const {
  if (side.node == nullptr || !side.node->is_dynamic() || side.node->supported) return;
  side.node->supported = true;
  side.node->linear += rest * acceleration(*side.node);
  side.node->angular_momentum += rest * side.node->all_torque;
}

std::vector<GroupMotion> Dynamics::Data::respond(const StepContact& met) {
  const double t = met.pair.time.lower;
  const Sides sides = {side(met.pair.a, met.group_a, met.pose_a),
                       side(met.pair.b, met.group_b, met.pose_b)};
  if (met.pair.status == ToiStatus::initially_touching && t == 0)
    touching_.emplace_back(met.pair.a, met.pair.b);
  bool no_end = false;
  for (const Side& s : sides)
    if (s.node != nullptr && ++s.node->responses > kMaxImpacts) no_end = true;

  for (std::size_t i = 0; i < 2; ++i)
    if (sides[i].node != nullptr) {
      wake(*sides[i].node, (i == 0 ? met.rest_a : met.rest_b).is_still(), t);
      advance(*sides[i].node, t);
    }
  // Who is pressed together goes on in the next step, where all contacts are solved together.
  if (no_end || is_pressed(meet(met, sides))) {
    for (const Side& s : sides)
      if (s.node != nullptr) s.node->stop(s.pose);
    return {};
  }
  give_motions(met, sides);
  std::vector<GroupMotion> motions;
  for (const Side& s : sides)
    if (s.node != nullptr) motions.push_back({s.node->node, s.node->motion()});
  return motions;
}

bool Dynamics::Data::is_pressed(const Meeting& meeting) const {
  return meeting.nearest < (meeting.rests ? kPressed : kPressedHard) * options.tolerance;
}

// Gives both the velocities that they have after an impact here and now.
Dynamics::Data::Meeting Dynamics::Data::meet(const StepContact& met, const Sides& sides) {
  const double t = met.pair.time.lower;
  SidesSpeeds bodies = {solver_body(sides[0], t), solver_body(sides[1], t)};
  std::array<Mat3, 2> inertias = {Mat3::Zero(), Mat3::Zero()};
  for (std::size_t i = 0; i < 2; ++i)
    if (sides[i].node != nullptr) inertias[i] = sides[i].node->inertia.world(sides[i].rotation);
  const Surface surface = common_surface(met.pair.a.index, met.pair.b.index);
  list_touching(met, sides, bodies, surface.friction);

  const double resting = resting_speed(met.pair.a.index, met.pair.b.index);
  const auto coming = [&] {
    double most = 0;
    for (const SolverContact& contact : meeting_)
      most = std::max(most, -speed_along(contact.normal, bodies[0], bodies[1]));
    return most;
  };
  Meeting meeting;
  for (const SolverContact& contact : meeting_)
    meeting.nearest = std::min(meeting.nearest, contact.distance);
  // A bounce throws back what bodies have by then, not what forces will have given them in the end.
  const SidesSpeeds ahead = {forces_ahead(sides[0], t), forces_ahead(sides[1], t)};
  const auto add_ahead = [&](double sign) {
    for (std::size_t i = 0; i < 2; ++i) {
      bodies[i].linear += sign * ahead[i].linear;
      bodies[i].angular += sign * ahead[i].angular;
    }
  };
  add_ahead(-1);
  double speed = coming();
  meeting.rests = speed <= resting;
  if (meeting.rests) {
    add_ahead(1);
    speed = coming();
  }
  if (!(speed > 0)) return meeting;
  // What one place throws back may come down on another.
  double now = speed;
  for (int i = 0; i < kMaxBounces && now > (i == 0 ? 0 : resting + kSmallSpeed * speed); ++i) {
    solve_impact(bodies, inertias, meeting_, meeting.rests ? 0 : surface.restitution,
                 impact_solver_);
    collect_impulses();
    now = coming();
  }
  if (!meeting.rests) {
    add_ahead(1);
    tell_impact(met, speed);
  }
  for (std::size_t i = 0; i < 2; ++i) take(sides[i], bodies[i]);
  return meeting;
}

void Dynamics::Data::collect_impulses() {
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    meeting_impulses_[i] += impulse_of(meeting_[i]);
    meeting_[i].normal.impulse = 0;
    for (SolverRow& row : meeting_[i].tangents) row.impulse = 0;
  }
}

void Dynamics::Data::give_motions(const StepContact& met, const Sides& sides) {
  const double t = met.pair.time.lower, rest = (1 - t) * dt;
  const bool held = rest_on_each_other(met, sides, rest);
  const SidesSpeeds drifts = held ? hold(sides, t) : SidesSpeeds{};
  for (std::size_t i = 0; i < 2; ++i) {
    MovingNode* const node = sides[i].node;
    if (node == nullptr) continue;
    if (held && node->is_dynamic())
      node->set_motion(
          t, drifting(node->inertia, sides[i].pose, {drifts[i].linear, drifts[i].angular}, rest));
    else
      give_motion(*node, t, sides[i].pose);
  }
}

// All places where the two touch now.
void Dynamics::Data::list_touching(const StepContact& met, const Sides& sides,
                                   const SidesSpeeds& bodies, double friction) {
  near_features(world.object(met.pair.a.index), sides[0].body_pose, world.object(met.pair.b.index),
                sides[1].body_pose,
                {.margin = kTouching * options.tolerance, .workspace = &workspace_}, near_);
  if (near_.contacts.empty() && met.pair.contact) near_.contacts.push_back(*met.pair.contact);
  meeting_.clear();
  meeting_points_.clear();
  meeting_impulses_.assign(near_.contacts.size(), Vec3::Zero());
  for (const Contact& contact : near_.contacts) {
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b);
    meeting_.push_back(solver_contact(bodies, 0, 1, contact.normal, point - sides[0].centre,
                                      point - sides[1].centre, friction));
    meeting_.back().distance = contact.distance;
    meeting_.back().share_a = share_of_normal(contact.feature_a, contact.feature_b);
    meeting_points_.push_back(point);
  }
}

void Dynamics::Data::tell_impact(const StepContact& met, double coming) {
  Impact impact{met.pair.a, met.pair.b, met.pair.time.lower * dt};
  impact.speed = coming;
  // Two that follow their motions exchange no impulse: then all places count alike.
  const auto pushes = [](const Vec3& impulse) { return impulse.squaredNorm() > 0; };
  const bool push = std::any_of(meeting_impulses_.begin(), meeting_impulses_.end(), pushes);
  Vec3 normal = Vec3::Zero();
  double sum = 0;
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    const Vec3& direction = meeting_[i].normal.direction;
    const double weight = push ? meeting_impulses_[i].dot(direction) : 1;
    impact.point += weight * meeting_points_[i];
    normal += weight * direction;
    impact.impulse += meeting_impulses_[i];
    sum += weight;
  }
  impact.point /= sum;
  impact.normal = normal.normalized();
  result.impacts.push_back(impact);
}

// Whether forces or their turning bring them together again before the step ends, where they hardly
// come apart.
bool Dynamics::Data::rest_on_each_other(const StepContact& met, const Sides& sides,
                                        double rest) const {
  const double resting = resting_speed(met.pair.a.index, met.pair.b.index);
  SidesSpeeds bodies, means;
  double speed = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const MovingNode* node = sides[i].node;
    bodies[i] = means[i] = solver_body(sides[i], node == nullptr ? 0 : node->begin);
    if (node != nullptr && node->is_dynamic() && !node->supported)
      means[i].linear += 0.5 * rest * acceleration(*node);
    speed = std::max(speed, bodies[i].linear.norm());
  }
  return std::any_of(meeting_.begin(), meeting_.end(), [&](const SolverContact& contact) {
    const double small = kSmallSpeed * speed;
    return speed_along(contact.normal, bodies[0], bodies[1]) <= resting + small &&
           speed_along(contact.normal, means[0], means[1]) +
                   std::min(bend(contact, means, rest), 0.0) <
               -small;
  });
}

// Gives both all that forces do until the end of the step, and takes what brings them together.
// Returns velocities for their motions, which make room for their turning.
Dynamics::Data::SidesSpeeds Dynamics::Data::hold(const Sides& sides, double t) {
  const double rest = (1 - t) * dt;
  for (const Side& s : sides) support(s, rest);
  SidesSpeeds bodies = {solver_body(sides[0], t), solver_body(sides[1], t)};
  solve_impact(bodies, {}, meeting_, 0, impact_solver_);
  for (std::size_t i = 0; i < 2; ++i) take(sides[i], bodies[i]);
  for (SolverContact& contact : meeting_)
    contact.least_speed = -std::min(bend(contact, bodies, rest), 0.0);
  solve_impact(bodies, {}, meeting_, 0, impact_solver_);
  return bodies;
}

}  // namespace touche
