// SPDX-License-Identifier: Apache-2.0
// The motion of articulations that nothing touches: RATTLE, with free bodies between the impulses
// of joints (Andersen, Rattle: a "velocity" version of the Shake algorithm for molecular dynamics
// calculations, 1983). Joints are closed at the end of each part except for rounding, momentum and
// angular momentum stay, and energy oscillates about its value without a drift.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"
#include "math/motion_data.h"

namespace touche {
namespace {

constexpr int kMostParts = 256;
constexpr double kMostTurn = 0.5;  // radians in a part
// Iterations that close the joints of a part: each multiplies the error by roughly the angle of the
// part's turn.
constexpr int kPasses = 40;
// In units of the arms: joints with no larger error are closed.
constexpr double kExact = 1e-13;
// An iteration that leaves an error of more than kClosed, and more than kAstray times the first
// one, has diverged. Joints that contradict each other keep the error of the start; in driven
// articulations, the error that given motions cause.
constexpr double kClosed = 1e-6, kAstray = 1.5;
// Joints that are open where a flight begins close in this share of a step. It is no share of the
// time that is left, which may be arbitrarily short.
constexpr double kClosingTime = 0.25;

}  // namespace

// Returns the point, in the frame of the node, that moves on a straight line while the body turns.
// It is the point of a joint to what stands still, if there is one, so that this joint does not
// open; else the centre of mass.
Vec3 Dynamics::Data::straight_point(const dynamics::Articulation& of, Index number) const {
  for (const Index j : of.joints) {
    const dynamics::JointEntry& joint = joints[j];
    if (joint.joint.type == JointType::slider) continue;
    if (joint.b == number && joint.a == kNone) return joint.at_b.point;
    if (joint.a == number && joint.b == kNone) return joint.at_a.point;
  }
  return nodes[number].inertia.centre;
}

// Returns how far joints may open in a part of that time between poses at which they are closed, as
// chords deviate from arcs. A body that slides along an axis is far from where the axis turns, and
// a straight path along an axis that turns deviates from it, too.
double Dynamics::Data::opening(const dynamics::Articulation& of,
                               std::span<const dynamics::Placed> places,
                               std::span<const dynamics::Drift> drifts, double time) const {
  double most = 0;
  for (const Index j : of.joints) {
    const dynamics::JointEntry& joint = joints[j];
    double slid = 0, slides = 0;
    if (joint.joint.type == JointType::slider) {
      const dynamics::JointRow row =
          dynamics::free_row(joint.joint.type, place_a(joint, places), place_b(joint, places));
      const auto drift = [&](Index i) {
        return i == kNone ? dynamics::Drift{} : drifts[local_of_[i]];
      };
      const dynamics::Drift a = drift(joint.a), b = drift(joint.b);
      slides = time * std::abs(row.direction.dot(b.linear - a.linear) + row.lever_b.dot(b.angular) -
                               row.lever_a.dot(a.angular));
      slid = std::abs(row.error) + slides;
    }
    double sum = 0;
    for (const auto& [i, frame] : {std::pair{joint.a, &joint.at_a}, {joint.b, &joint.at_b}}) {
      if (i == kNone || !nodes[i].is_dynamic()) continue;
      const double turn = time * drifts[local_of_[i]].angular.norm();
      const double arm = (frame->point - straight_point(of, i)).norm();
      sum += arm * turn * turn / 8;
      if (i == joint.a) sum += slid * turn * turn / 8 + slides * turn / 4;
    }
    most = std::max(most, sum);
  }
  return most;
}

void Dynamics::Data::place_bodies(dynamics::Articulation& of, double t) {
  of.places.resize(of.nodes.size());
  of.bodies.resize(of.nodes.size() + 1);
  of.bodies.back() = {};
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    const Pose pose = t > 0 || !node.is_dynamic() ? node.pose(t) : node.start;
    of.places[n] = {pose * node.inertia.centre, pose.matrix()};
    of.bodies[n] = body_at(of, n, t);
  }
}

// Returns the velocities of a node at a time; its pose is in `of`.
dynamics::SolverBody Dynamics::Data::body_at(const dynamics::Articulation& of, std::size_t n,
                                             double t) const {
  const dynamics::MovingNode& node = nodes[of.nodes[n]];
  if (!node.is_dynamic()) {
    const Velocity velocity = node.motion_speed(t, 1.0 / 128);
    return {velocity.linear / dt, velocity.angular / dt};
  }
  const Mat3 inverse = node.inertia.inverse_world(of.places[n].rotation);
  return {node.linear, inverse * node.angular_momentum, node.inertia.inverse_mass, inverse};
}

// Gives all bodies motions from that time to the end of the step.
void Dynamics::Data::fly(dynamics::Articulation& of, double from) {
  place_bodies(of, from);
  fly_from(of, from);
}

// The same for bodies that rest or slide and turn too far for one piece. They have their velocities
// already, with the impulse of all forces until the end of the step, and keep them.
void Dynamics::Data::fly_supported(dynamics::Articulation& of, double from) {
  if (from == 0 && !is_touched(of)) keep_turning(of);
  fly_from(of, from);
  of.flies = false;
  for (const Index i : of.nodes) nodes[i].flight.clear();
  for (const Index j : of.joints) joints[j].flight_push = joints[j].flight_turn = Vec3::Zero();
}

void Dynamics::Data::fly_from(dynamics::Articulation& of, double from) {
  start_places_ = of.places;
  start_bodies_ = of.bodies;
  of.flight_begin = from;
  drifts_.clear();
  double fastest = 0;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    drifts_.push_back({of.bodies[n].linear, of.bodies[n].angular});
    fastest = std::max(fastest, (1 - from) * dt * of.bodies[n].angular.stableNorm());
  }
  double rate = passing_share(fastest);
  // Bodies that follow a motion do not slow down for bodies joined to them. Otherwise all bodies go
  // on at the slowest rate among them, which an impact may have set.
  const bool driven = is_driven(of);
  if (driven && rate < 1) return stand_still(of);
  if (!driven)
    for (const Index i : of.nodes) rate = std::min(rate, nodes[i].rate);
  for (const Index i : of.nodes)
    if (nodes[i].is_dynamic()) nodes[i].rate = rate;
  fastest *= rate;
  const double open = opening(of, start_places_, drifts_, rate * (1 - from) * dt);
  const double wanted = std::max(fastest / kMostTurn, std::sqrt(open / options.tolerance));
  int parts = static_cast<int>(std::clamp(std::ceil(wanted), 1.0, double{kMostParts}));
  while (true) {
    of.places = start_places_;
    const double off = fly_parts(of, from, parts, rate) / options.tolerance;
    if (off <= 1) break;
    if (parts == kMostParts) {
      if (std::isfinite(off)) break;
      if (from > 0)
        stand_still(of);
      else
        go_on_as_one(of, rate);
      return;
    }
    const double more = std::isfinite(off) ? 1.1 * std::sqrt(off) : 4;
    parts = static_cast<int>(std::clamp(std::ceil(parts * more), parts + 1.0, double{kMostParts}));
  }
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (node.is_dynamic()) node.set_motion(from, flight_motions_[n]);
  }
}

// Makes all bodies stay where they are for the rest of the step. They keep their momentum.
void Dynamics::Data::stand_still(dynamics::Articulation& of) {
  of.flies = false;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (node.is_dynamic()) node.stop(node.way.empty() ? node.start : node.pose(node.begin));
  }
  for (const Index j : of.joints) joints[j].flight_push = joints[j].flight_turn = Vec3::Zero();
}

// Flies in this number of parts. Returns how far a joint opens within a part at most; infinity if
// joints cannot be closed.
double Dynamics::Data::fly_parts(dynamics::Articulation& of, double from, int parts, double rate) {
  const double time = rate * (1 - from) * dt / parts;
  double open = 0;
  std::vector<detail::MotionData> data(of.nodes.size());
  for (const Index i : of.nodes) nodes[i].flight.clear();
  for (const Index j : of.joints) joints[j].flight_push = joints[j].flight_turn = Vec3::Zero();
  open_at_start_ = joint_errors(of, start_places_, start_errors_);
  if (open_at_start_ <= kExact) start_errors_.clear();
  momenta_.resize(of.nodes.size());
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (node.supported)
      momenta_[n] = {start_bodies_[n].linear,
                     node.inertia.world(start_places_[n].rotation) * start_bodies_[n].angular};
    else
      momenta_[n] = {node.linear, node.angular_momentum};
  }
  for (int p = 0; p < parts; ++p) {
    const double begin = from + (1 - from) * p / parts;
    const double end = p + 1 < parts ? from + (1 - from) * (p + 1) / parts : 1;
    begin_part(of, begin, end, time);
    regain_part(of, begin - from, end - from, time);
    if (!close_part(of, end, time)) return kInfinity;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      dynamics::MovingNode& node = nodes[of.nodes[n]];
      if (!node.is_dynamic()) {
        of.places[n] = end_places_[n];
        continue;
      }
      detail::Piece piece =
          dynamics::piece_about(straight_point(of, of.nodes[n]), node.inertia.centre,
                                of.places[n].centre, of.places[n].rotation, drifts_[n], time);
      piece.t_begin = static_cast<double>(p) / parts;
      piece.t_end = static_cast<double>(p + 1) / parts;
      of.places[n].centre += time * drifts_[n].linear;
      of.places[n].rotation = Eigen::Quaterniond(detail::rotation_at(piece, piece.angle))
                                  .normalized()
                                  .toRotationMatrix();
      data[n].add(std::move(piece));
    }
    open = std::max(open, opening(of, of.places, drifts_, time));
  }
  flight_motions_.clear();
  for (std::size_t n = 0; n < of.nodes.size(); ++n)
    flight_motions_.push_back(nodes[of.nodes[n]].is_dynamic()
                                  ? detail::MotionData::motion(std::move(data[n]))
                                  : Motion::at({}));
  return open;
}

// Finds velocities that joints allow, and then adds half of the forces.
void Dynamics::Data::begin_part(dynamics::Articulation& of, double begin, double end, double time) {
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) {
      of.bodies[n] = body_at(of, n, begin);
      continue;
    }
    const Mat3 inverse = node.inertia.inverse_world(of.places[n].rotation);
    of.bodies[n] = {momenta_[n].linear, inverse * momenta_[n].angular, node.inertia.inverse_mass,
                    inverse};
  }
  build_system(of);
  before_ = of.bodies;
  of.system.project(of.bodies, joint_impulses_);
  add_reactions(of, joint_impulses_, true);
  if (begin == of.flight_begin) {
    of.flies = true;
    of.flown = energy_of(of);
  }
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) continue;
    momenta_[n].linear = of.bodies[n].linear;
    momenta_[n].angular +=
        node.inertia.world(of.places[n].rotation) * (of.bodies[n].angular - before_[n].angular);
    node.flight.push_back(
        {begin, end, momenta_[n].linear, momenta_[n].angular, Vec3::Zero(), Vec3::Zero()});
    momenta_[n].linear += 0.5 * time * force_in_flight(node);
    momenta_[n].angular += 0.5 * time * torque_in_flight(node);
  }
}

// Finds velocities that close joints which were open at the start of the flight; bodies do not keep
// them. Times count from that start.
void Dynamics::Data::regain_part(dynamics::Articulation& of, double begin, double end,
                                 double time) {
  closing_ = of.bodies;
  for (dynamics::SolverBody& body : closing_) body.linear = body.angular = Vec3::Zero();
  aims_.clear();
  const double before = std::max(0.0, 1 - begin / kClosingTime),
               after = std::max(0.0, 1 - end / kClosingTime);
  if (start_errors_.empty() || before == 0) return;
  joint_impulses_.clear();
  for (const double error : start_errors_) {
    joint_impulses_.push_back((after - before) * error / time);
    aims_.push_back(after * error);
  }
  of.system.change(closing_, joint_impulses_);
}

// Finds the impulses of joints that close them at the end of the part, except what is regained
// later. Then adds the other half of the forces. Returns whether impulses were found.
bool Dynamics::Data::close_part(dynamics::Articulation& of, double end, double time) {
  drifts_.resize(of.nodes.size());
  end_places_.resize(of.nodes.size());
  sum_.assign(of.system.size(), 0);
  double last = kInfinity, first = 0;
  for (int i = 0;; ++i) {
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      const dynamics::Placed& at = of.places[n];
      if (!node.is_dynamic()) {
        const Pose pose = node.pose(end);
        end_places_[n] = {pose * node.inertia.centre, pose.matrix()};
        drifts_[n] = {(end_places_[n].centre - at.centre) / time, of.bodies[n].angular};
        continue;
      }
      const dynamics::FlightPart& part = node.flight.back();
      drifts_[n] = {closing_[n].linear + momenta_[n].linear + part.joint_linear,
                    closing_[n].angular +
                        dynamics::free_turn(node.inertia, at.rotation,
                                            momenta_[n].angular + part.joint_angular, time)};
      end_places_[n] = {at.centre + time * drifts_[n].linear,
                        dynamics::turned(at.rotation, time * drifts_[n].angular)};
    }
    const double off = joint_errors(of, end_places_, joint_impulses_, aims_);
    if (off <= kExact || (off < 1e-9 && off > 0.5 * last)) break;
    if (!std::isfinite(off)) return false;
    if (i == 0) first = off;
    if (i == kPasses) {
      const double was = is_driven(of) ? first : std::min(first, open_at_start_);
      if (off > std::max(kClosed, kAstray * was)) return false;
      break;
    }
    last = off;
    for (double& error : joint_impulses_) error /= -time;
    before_ = of.bodies;
    for (dynamics::SolverBody& body : before_) body.linear = body.angular = Vec3::Zero();
    of.system.change(before_, joint_impulses_);
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += joint_impulses_[k];
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      dynamics::MovingNode& node = nodes[of.nodes[n]];
      if (!node.is_dynamic()) continue;
      node.flight.back().joint_linear += before_[n].linear;
      node.flight.back().joint_angular +=
          node.inertia.world(of.places[n].rotation) * before_[n].angular;
    }
  }
  joint_impulses_ = sum_;
  add_reactions(of, joint_impulses_, true);
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) continue;
    const dynamics::FlightPart& part = node.flight.back();
    momenta_[n].linear += part.joint_linear + 0.5 * time * force_in_flight(node);
    momenta_[n].angular += part.joint_angular + 0.5 * time * torque_in_flight(node);
  }
  return true;
}

// Returns the momenta of a node at a time of its flight.
dynamics::Drift Dynamics::Data::flight_momenta(const dynamics::MovingNode& node, double t) const {
  const auto later =
      std::upper_bound(node.flight.begin(), node.flight.end(), t,
                       [](double x, const dynamics::FlightPart& p) { return x < p.begin; });
  const dynamics::FlightPart& part = later == node.flight.begin() ? *later : *(later - 1);
  const double time = node.rate * (t - part.begin) * dt;
  const double share = std::clamp((t - part.begin) / (part.end - part.begin), 0.0, 1.0);
  return {part.linear + time * acceleration(node) + share * part.joint_linear,
          part.angular_momentum + time * node.all_torque + share * part.joint_angular};
}

// Makes velocities such as joints allow at the present poses: at the end of the step, or at an
// impact.
void Dynamics::Data::settle(dynamics::Articulation& of) {
  build_system(of);
  of.system.project(of.bodies, joint_impulses_);
  add_reactions(of, joint_impulses_, false);
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) continue;
    node.linear = of.bodies[n].linear;
    node.angular_momentum = node.inertia.world(of.places[n].rotation) * of.bodies[n].angular;
  }
}

// Ends the step for articulations: adds the impulses and deviations of flights, and updates the
// positions of joints.
void Dynamics::Data::end_joints() {
  for (dynamics::Articulation& of : articulations()) {
    if (sleeps(of)) continue;
    place_bodies(of, 1);
    double reached = 1;
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      const Pose pose = world.graph.pose(node.node.index);
      of.places[n] = {pose * node.inertia.centre, pose.matrix()};
      of.bodies[n] = body_at(of, n, 1);
      reached = std::min(reached, node.reached);
    }
    end_flight(of, reached);
    settle(of);
    end_swing(of, reached < 1);
    for (const Index j : of.joints) update(joints[j], of.places);
  }
}

}  // namespace touche
