// SPDX-License-Identifier: Apache-2.0
// Moves bodies whose joints cannot be closed as one rigid body. This is the case for loops that are
// stretched along one line: velocities exist that open no joint, but no motion follows them.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/as_one.h"
#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

constexpr int kMostPartsAsOne = 4096;
// Relative: accelerations that differ by less are equal.
constexpr double kAlikeForces = 1e-12;

// The inertia of the whole about its centre, in the frame of the world.
dynamics::Inertia inertia_of(const dynamics::AsOne& all) {
  dynamics::Inertia one;
  one.mass = all.mass();
  one.inverse_mass = 1 / one.mass;
  one.body = all.inertia();
  one.inverse_body = one.body.inverse();
  return one;
}

}  // namespace

// True if impulses of contacts, not of joint limits, act on one of the bodies.
bool Dynamics::Data::is_touched(const dynamics::Articulation& of) const {
  const auto is_in = [&](Index i) {
    return i < dynamic_count && articulation_of_[i] == articulation_of_[of.nodes.front()];
  };
  return std::any_of(solver_contacts_.begin(), solver_contacts_.end(),
                     [&](const dynamics::SolverContact& contact) {
                       return !contact.is_limit && contact.normal.impulse > 0 &&
                              (is_in(contact.a) || is_in(contact.b));
                     });
}

bool Dynamics::Data::stands(const dynamics::Articulation& of) const {
  return std::any_of(of.joints.begin(), of.joints.end(),
                     [&](Index j) { return joints[j].a == kNone || joints[j].b == kNone; });
}

bool Dynamics::Data::is_driven(const dynamics::Articulation& of) const {
  return std::any_of(of.nodes.begin(), of.nodes.end(),
                     [&](Index i) { return !nodes[i].is_dynamic(); });
}

// Bodies that are pressed only by limits of their own joints keep their angular momentum and gain
// no energy. For large turns, however, the solved velocities are averages over a rotation that does
// not happen: the bodies would fly to where even the least energy with their momentum is more than
// they had. So they get the missing angular momentum as one rigid body, which joints allow, and
// lose the energy that they did not have.
void Dynamics::Data::keep_turning(dynamics::Articulation& of) const {
  if (stands(of) || is_driven(of)) return;
  const Vec3 falls = acceleration(nodes[of.nodes.front()]);
  dynamics::AsOne had, now;
  double energy_had = 0;
  const auto momentum = [&](std::size_t n) {
    return Vec3(nodes[of.nodes[n]].inertia.world(of.places[n].rotation) * of.bodies[n].angular);
  };
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    const dynamics::Placed& at = of.places[n];
    // Forces that accelerate all bodies alike do not turn them.
    if (!node.all_torque.isZero(0) ||
        (acceleration(node) - falls).norm() > kAlikeForces * falls.norm())
      return;
    had.add(node.inertia, at.centre, at.rotation, node.had.linear, node.had.angular);
    now.add(node.inertia, at.centre, at.rotation, of.bodies[n].linear, momentum(n));
    energy_had += node.kinetic_energy(node.rotation(node.start));
  }
  had.finish();
  now.finish();
  const Vec3 turn = had.angular() - now.angular();
  dynamics::AsOne all;
  double energy = 0;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    dynamics::SolverBody& body = of.bodies[n];
    body.linear += turn.cross(of.places[n].centre - now.centre());
    body.angular += turn;
    all.add(node.inertia, of.places[n].centre, of.places[n].rotation, body.linear, momentum(n));
    energy +=
        0.5 * node.inertia.mass * body.linear.squaredNorm() + 0.5 * body.angular.dot(momentum(n));
  }
  all.finish();
  // The energy beyond that of the motion as one rigid body.
  const double own = energy - all.energy(), own_had = energy_had - had.energy();
  if (!(own > own_had)) return;
  const double part = own_had > 0 ? 1 - std::sqrt(own_had / own) : 1;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::SolverBody& body = of.bodies[n];
    Vec3 turning = momentum(n);
    all.share(part, nodes[of.nodes[n]].inertia, of.places[n].centre, of.places[n].rotation,
              body.linear, turning);
    body.angular = body.inverse_inertia * turning;
  }
}

// Called at the start of a step if no iteration closes the joints. The next step would fail again
// at the same poses, so bodies joined to something that stands still come to rest.
void Dynamics::Data::go_on_as_one(dynamics::Articulation& of, double rate) {
  if (is_driven(of) || is_touched(of)) return stand_still(of);
  if (!stands(of)) return fly_as_one(of, rate * dt);
  stand_still(of);
  for (const Index i : of.nodes) nodes[i].slow_down(0);
}

// Moves the bodies as one rigid body with their total momentum. They lose the energy of their
// relative motion, and joints stay as they are.
void Dynamics::Data::fly_as_one(dynamics::Articulation& of, double rest) {
  of.places = start_places_;
  of.flies = false;
  dynamics::AsOne all;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    all.add(node.inertia, of.places[n].centre, of.places[n].rotation, start_bodies_[n].linear,
            node.inertia.world(of.places[n].rotation) * start_bodies_[n].angular);
    force += node.inertia.mass * force_in_flight(node);
  }
  all.finish();
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    torque +=
        torque_in_flight(node) +
        (of.places[n].centre - all.centre()).cross(Vec3(node.inertia.mass * force_in_flight(node)));
  }

  // In the frame of the whole, which is aligned with the world at the start.
  const dynamics::Inertia one = inertia_of(all);
  Mat3 rotation = Mat3::Identity();
  Vec3 centre = all.centre(), linear = all.linear();
  Vec3 momentum = one.body * all.angular();
  const double longest =
      dynamics::longest_free_turn(one, rotation, momentum + 0.5 * rest * torque, rest);
  const int parts = std::clamp(static_cast<int>(std::ceil(rest / longest)), 1, kMostPartsAsOne);
  const double time = rest / parts;
  std::vector<detail::MotionData> data(of.nodes.size());
  const auto velocity = [&](std::size_t n) -> dynamics::Drift {
    const Vec3 angular = one.inverse_world(rotation) * momentum;
    return {linear + angular.cross(of.places[n].centre - centre),
            nodes[of.nodes[n]].inertia.world(of.places[n].rotation) * angular};
  };
  for (const Index i : of.nodes) nodes[i].flight.clear();
  for (int p = 0; p < parts; ++p) {
    const double begin = static_cast<double>(p) / parts,
                 end = p + 1 < parts ? static_cast<double>(p + 1) / parts : 1;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::Drift at_begin = velocity(n);
      nodes[of.nodes[n]].flight.push_back(
          {begin, end, at_begin.linear, at_begin.angular, Vec3::Zero(), Vec3::Zero()});
    }
    const Vec3 travel = time * (linear + 0.5 * time * one.inverse_mass * force);
    const Vec3 turn =
        time * dynamics::free_turn(one, rotation, momentum + 0.5 * time * torque, time);
    const Mat3 turned_by = dynamics::turned(Mat3::Identity(), turn);
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      dynamics::Placed& at = of.places[n];
      const Vec3 arm = at.centre - centre, now = centre + travel + turned_by * arm;
      const Vec3 straight = node.inertia.centre - at.rotation.transpose() * arm;
      detail::Piece piece =
          dynamics::piece_about(straight, node.inertia.centre, at.centre, at.rotation,
                                {(now - at.centre) / time, turn / time}, time);
      piece.t_begin = begin;
      piece.t_end = end;
      at.centre = now;
      at.rotation = Eigen::Quaterniond(detail::rotation_at(piece, piece.angle))
                        .normalized()
                        .toRotationMatrix();
      data[n].add(std::move(piece));
    }
    rotation = Eigen::Quaterniond(turned_by * rotation).normalized().toRotationMatrix();
    centre += travel;
    linear += time * one.inverse_mass * force;
    momentum += time * torque;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      dynamics::MovingNode& node = nodes[of.nodes[n]];
      dynamics::FlightPart& part = node.flight.back();
      const dynamics::Drift at_end = velocity(n);
      part.joint_linear = at_end.linear - part.linear - time * force_in_flight(node);
      part.joint_angular = at_end.angular - part.angular_momentum - time * torque_in_flight(node);
    }
  }
  for (std::size_t n = 0; n < of.nodes.size(); ++n)
    nodes[of.nodes[n]].set_motion(0, detail::MotionData::motion(std::move(data[n])));
}

}  // namespace touche
