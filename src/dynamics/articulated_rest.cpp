// SPDX-License-Identifier: Apache-2.0
// Articulations that lie on other bodies or stand at their limits: joints take part in the solution
// of resting contacts.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"
#include "math/motion_data.h"

namespace touche {
namespace {

// The share of a joint's excess beyond a limit that is regained in a step.
constexpr double kRegainOfJoints = 0.2;

// Iterations after which joints must be closed at the end of the step.
constexpr int kMostPasses = 30;

// Limit of the parts of a motion of bodies that rest or slide.
constexpr double kMostPartsAtRest = 64;

}  // namespace

dynamics::Home Dynamics::Data::home(const dynamics::MovingNode* node) {
  if (node == nullptr) return {};
  dynamics::Articulation* const of = articulation(*node);
  return of == nullptr ? dynamics::Home{} : dynamics::Home{of, local_of_[number_of(*node)]};
}

// Finds velocities that joints allow, with all forces of the step, and the systems of joints.
void Dynamics::Data::predict_joined() {
  responses_used_ = 0;
  for (dynamics::Articulation& of : articulations()) {
    if (sleeps(of)) continue;
    place_bodies(of, 0);
    of.targets = of.nodes;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) of.bodies[n] = solver_bodies_[of.nodes[n]];
    build_system(of);
    if (!of.fast) {
      unit_bodies_ = of.bodies;
      of.fast = !close_joints(of, 0, kMostPasses);
      of.bodies = unit_bodies_;
    }
    if (of.fast)
      of.system.project(of.bodies, joint_impulses_);
    else
      (void)close_joints(of, 0, 3);
    for (std::size_t n = 0; n < of.nodes.size(); ++n) solver_bodies_[of.nodes[n]] = of.bodies[n];
  }
}

// Lists joints that could get to a limit in this step as contacts, after all others.
void Dynamics::Data::list_limits() {
  limits_.clear();
  const Index still = static_cast<Index>(nodes.size());
  for (dynamics::Articulation& of : articulations()) {
    if (sleeps(of)) continue;
    for (const Index j : of.joints) {
      const dynamics::JointEntry& joint = joints[j];
      const bool is_free =
          joint.joint.type == JointType::hinge || joint.joint.type == JointType::slider;
      if (!is_free) continue;
      const dynamics::JointRow row = dynamics::free_row(joint.joint.type, place_a(joint, of.places),
                                                        place_b(joint, of.places));
      const Index a = std::min(joint.a, still), b = std::min(joint.b, still);
      for (const double sign : {1.0, -1.0}) {
        const double gap =
            sign > 0 ? joint.position - joint.joint.least : joint.joint.most - joint.position;
        if (!std::isfinite(gap)) continue;
        dynamics::SolverContact limit;
        limit.a = a;
        limit.b = b;
        limit.is_limit = true;
        limit.inverse_mass_a = solver_bodies_[a].inverse_mass;
        limit.inverse_mass_b = solver_bodies_[b].inverse_mass;
        limit.normal.direction = sign * row.direction;
        limit.normal.lever_a = sign * row.lever_a;
        limit.normal.lever_b = sign * row.lever_b;
        limit.normal.turn_a = solver_bodies_[a].inverse_inertia * limit.normal.lever_a;
        limit.normal.turn_b = solver_bodies_[b].inverse_inertia * limit.normal.lever_b;
        const double inverse =
            (limit.inverse_mass_a + limit.inverse_mass_b) * limit.normal.direction.squaredNorm() +
            limit.normal.lever_a.dot(limit.normal.turn_a) +
            limit.normal.lever_b.dot(limit.normal.turn_b);
        limit.normal.mass = inverse > 0 ? 1 / inverse : 0;
        // A joint that is far from its limit cannot get there: farther than twice what it would
        // move without the limit.
        const double way =
            -dt * dynamics::speed_along(limit.normal, solver_bodies_[a], solver_bodies_[b]);
        if (gap > 2 * way && gap > 0) continue;
        gap_speeds_.push_back(gap < 0 ? -kRegainOfJoints * gap / dt : -gap / dt);
        join_contact(limit, {home_of(a), home_of(b)});
        solver_contacts_.push_back(limit);
        limits_.emplace_back(j, sign);
      }
    }
  }
}

// Returns the articulation of a body of the solver.
dynamics::Home Dynamics::Data::home_of(Index body) {
  return articulation_count_ == 0 || body >= nodes.size() ? dynamics::Home{} : home(&nodes[body]);
}

// Changes velocities of motions so that they close the joints at the end of the step. Returns
// whether that succeeds for all; with `at_last`, the others are marked as too fast for it.
bool Dynamics::Data::close_moved(int most, bool at_last) {
  bool all = true;
  for (dynamics::Articulation& of : articulations()) {
    if (of.fast || sleeps(of)) continue;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) of.bodies[n] = solver_bodies_[of.nodes[n]];
    if (!close_joints(of, 0, most) && at_last) {
      of.fast = true;
      all = false;
    }
    for (std::size_t n = 0; n < of.nodes.size(); ++n) solver_bodies_[of.nodes[n]] = of.bodies[n];
  }
  return all;
}

// Takes from velocities what only closes open joints: it moves bodies, but is no speed that they
// keep.
void Dynamics::Data::keep_drift() {
  for (dynamics::Articulation& of : articulations()) {
    if (of.fast || sleeps(of)) continue;
    (void)joint_errors(of, of.places, joint_impulses_);
    for (double& error : joint_impulses_) error /= dt;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) of.bodies[n] = solver_bodies_[of.nodes[n]];
    of.system.change(of.bodies, joint_impulses_);
    for (std::size_t n = 0; n < of.nodes.size(); ++n) solver_bodies_[of.nodes[n]] = of.bodies[n];
  }
}

// Gives articulations their motions of the step: at rest as contacts allow, or flights.
void Dynamics::Data::give_joined_motions() {
  for (dynamics::Articulation& of : articulations()) {
    if (held_[of.nodes.front()] || sleeps(of)) continue;
    place_bodies(of, 0);
    if (!is_supported(of)) {
      fly(of, 0);
      continue;
    }
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      of.bodies[n].linear = moved_bodies_[of.nodes[n]].linear;
      of.bodies[n].angular = moved_bodies_[of.nodes[n]].angular;
    }
    if (of.fast)
      fly_supported(of, 0);
    else
      drift_joined(of, 0);
  }
}

// Gives bodies that rest or slide motions at velocities that close joints at the end of the step.
// In between, joints would open as chords deviate from arcs, so joints are closed at points in
// between, too.
void Dynamics::Data::drift_joined(dynamics::Articulation& of, double from) {
  const double rest = (1 - from) * dt;
  drifts_.clear();
  for (std::size_t n = 0; n < of.nodes.size(); ++n)
    drifts_.push_back({of.bodies[n].linear, of.bodies[n].angular});
  const double open = opening(of, of.places, drifts_, rest) / options.tolerance;
  const int parts = static_cast<int>(std::clamp(std::ceil(std::sqrt(open)), 1.0, kMostPartsAtRest));
  (void)joint_errors(of, of.places, start_errors_);
  start_places_ = of.places;
  std::vector<detail::MotionData> data(of.nodes.size());
  double begin = 0;
  for (int p = 1; p <= parts; ++p) {
    const double end = p < parts ? static_cast<double>(p) / parts : 1, time = (end - begin) * rest;
    if (parts > 1) {
      aims_.clear();
      for (const double error : start_errors_) aims_.push_back((1 - end) * error);
      before_ = of.bodies;
      // If that fails, the next part leads from the last poses to the ones after these.
      if (!close_joints(of, before_, from, from + (1 - from) * end, aims_, kMostPasses) &&
          p < parts)
        continue;
    }
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      if (!node.is_dynamic()) continue;
      dynamics::Placed& at = start_places_[n];
      dynamics::Drift drift{of.bodies[n].linear, of.bodies[n].angular};
      if (parts > 1) {
        const Eigen::AngleAxisd turn(Mat3(end_places_[n].rotation * at.rotation.transpose()));
        drift = {(end_places_[n].centre - at.centre) / time, turn.angle() / time * turn.axis()};
      }
      detail::Piece piece =
          dynamics::piece_about(straight_point(of, of.nodes[n]), node.inertia.centre, at.centre,
                                at.rotation, drift, time);
      piece.t_begin = begin;
      piece.t_end = end;
      at.centre += time * drift.linear;
      at.rotation = Eigen::Quaterniond(detail::rotation_at(piece, piece.angle))
                        .normalized()
                        .toRotationMatrix();
      data[n].add(std::move(piece));
    }
    begin = end;
  }
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) continue;
    node.flight.clear();
    node.rate = 1;  // it turns by a radian at most
    node.set_motion(from, detail::MotionData::motion(std::move(data[n])));
  }
}

bool Dynamics::Data::is_supported(const dynamics::Articulation& of) const {
  return std::any_of(of.nodes.begin(), of.nodes.end(), [&](Index i) { return nodes[i].supported; });
}

// Marks all bodies as supported, or held, that are joined to one that is.
void Dynamics::Data::support_joined() {
  for (dynamics::Articulation& of : articulations()) {
    const bool supported = is_supported(of);
    const bool held =
        std::any_of(of.nodes.begin(), of.nodes.end(), [&](Index i) { return held_[i]; });
    for (const Index i : of.nodes) {
      if (supported && nodes[i].is_dynamic()) nodes[i].supported = true;
      if (held) held_[i] = true;
    }
  }
}

// Finds the reactions of the joints of supported bodies: the rest of what changed their velocities.
// Joints of bodies that turn far also act in directions that they have later in the step
// (build_middle). What their directions at the start do not explain is a correction.
void Dynamics::Data::tell_reactions() {
  if (articulation_count_ == 0) return;
  before_ = unjoined_;
  for (dynamics::SolverContact contact : solver_contacts_) {
    contact.jointed = nullptr;
    dynamics::apply_impulses(before_, std::span(&contact, 1));
  }
  for (dynamics::Articulation& of : articulations()) {
    if (!is_supported(of)) continue;
    if (of.fast) {  // its flight left the system of the last part
      place_bodies(of, 0);
      build_system(of);
    }
    std::vector<dynamics::SolverBody>& now = unit_bodies_;
    now = of.bodies;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      now[n].linear = solver_bodies_[of.nodes[n]].linear - before_[of.nodes[n]].linear;
      now[n].angular = solver_bodies_[of.nodes[n]].angular - before_[of.nodes[n]].angular;
    }
    // Leaves what these impulses do not explain.
    of.system.project(now, joint_impulses_);
    for (double& impulse : joint_impulses_) impulse = -impulse;
    add_reactions(of, joint_impulses_, false);
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      dynamics::MovingNode& node = nodes[of.nodes[n]];
      if (!node.is_dynamic()) continue;
      node.corrected += node.inertia.mass * now[n].linear;
      node.corrected_turn += node.inertia.world(node.start.matrix()) * now[n].angular;
    }
  }
}

}  // namespace touche
