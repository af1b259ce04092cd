// SPDX-License-Identifier: Apache-2.0
// Articulations: which bodies joints hold together, and what impulses on one of them do to all.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/data_access.h"
#include "dynamics/dynamics_data.h"
#include "dynamics/find_root.h"
#include "world/step_data.h"

namespace touche {
namespace {

dynamics::JointFrame moved(const dynamics::JointFrame& frame, const Pose& by) {
  return {by * frame.point, by.matrix() * frame.axes};
}

// The error of a joint's row. Lengths are in units of the arms that hold the joint. Infinity if it
// is not finite.
double size_of_error(double error, const dynamics::JointRow& row, const dynamics::JointPlace& a,
                     const dynamics::JointPlace& b) {
  const double arms = (a.point - a.centre).norm() + (b.point - b.centre).norm();
  const bool is_length = row.direction.squaredNorm() > 0;
  const double off = std::abs(error) / (is_length && arms > 0 ? arms : 1);
  return std::isfinite(off) ? off : kInfinity;
}

}  // namespace

// ---- groups of joined nodes ---------------------------------------------------------------------

void Dynamics::Data::find_articulations() {
  articulation_of_.assign(nodes.size(), kNone);
  local_of_.assign(nodes.size(), kNone);
  articulation_count_ = 0;
  if (joints.empty()) return;
  std::vector<Index> parent(nodes.size());
  for (Index i = 0; i < nodes.size(); ++i) parent[i] = i;
  std::vector<bool> is_joined(nodes.size(), false);
  const auto number = [&](NodeId id) { return id == NodeId{} ? kNone : mover_of_[id.index]; };
  // Joined nodes may be below moving ones.
  const auto offset = [&](Index mover, NodeId id) {
    if (id == NodeId{}) return Pose();
    const Pose pose = world.graph.pose(id.index);
    return mover == kNone ? pose : relative(nodes[mover].start, pose);
  };
  const auto works = [&](const dynamics::JointEntry& joint) {
    return joint.is_there && joint.a != joint.b &&
           ((joint.a != kNone && nodes[joint.a].is_dynamic()) ||
            (joint.b != kNone && nodes[joint.b].is_dynamic()));
  };
  for (dynamics::JointEntry& joint : joints) {
    if (part_ == 0) joint.push = joint.turn = Vec3::Zero();
    if (!joint.is_there) continue;
    joint.a = number(joint.joint.a);
    joint.b = number(joint.joint.b);
    joint.at_a = moved(joint.frame_a, offset(joint.a, joint.joint.a));
    joint.at_b = moved(joint.frame_b, offset(joint.b, joint.joint.b));
    if (!works(joint)) continue;
    for (const Index i : {joint.a, joint.b})
      if (i != kNone) is_joined[i] = true;
    if (joint.a != kNone && joint.b != kNone) {
      const Index a = dynamics::find_root(parent, joint.a),
                  b = dynamics::find_root(parent, joint.b);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  for (Index i = 0; i < nodes.size(); ++i) {
    if (!is_joined[i]) continue;
    const Index root = dynamics::find_root(parent, i);
    if (root == i) {
      if (articulations_.size() == articulation_count_) articulations_.emplace_back();
      articulations_[articulation_count_].nodes.clear();
      articulations_[articulation_count_].fast = false;
      articulations_[articulation_count_].flies = false;
      articulations_[articulation_count_].swing = 0;
      articulations_[articulation_count_].joints.clear();
      articulation_of_[i] = static_cast<Index>(articulation_count_++);
    }
    articulation_of_[i] = articulation_of_[root];
    dynamics::Articulation& of = articulations_[articulation_of_[i]];
    local_of_[i] = static_cast<Index>(of.nodes.size());
    of.nodes.push_back(i);
  }
  for (Index j = 0; j < joints.size(); ++j)
    if (works(joints[j])) {
      const Index one = joints[j].a != kNone ? joints[j].a : joints[j].b;
      articulations_[articulation_of_[one]].joints.push_back(j);
    }
}

// Makes the stepper ignore pairs of bodies of joined nodes, and stop joined nodes together.
void Dynamics::Data::tell_stepper() {
  Stepper::Data& stepper = DataAccess::mutable_data(stepper_);
  stepper.exempt.clear();
  stepper.links.clear();
  stepper.link_of.clear();
  for (const dynamics::JointEntry& joint : joints) {
    if (!joint.is_there || joint.joint.contacts || joint.joint.a == NodeId{} ||
        joint.joint.b == NodeId{})
      continue;
    world.graph.walk_below(joint.joint.a.index, [&](Index a) {
      if (world.bodies[a].is_body())
        world.graph.walk_below(joint.joint.b.index, [&](Index b) {
          if (world.bodies[b].is_body())
            stepper.exempt.emplace_back(std::min(a, b), std::max(a, b));
          return true;
        });
      return true;
    });
  }
  std::sort(stepper.exempt.begin(), stepper.exempt.end());
  if (articulation_count_ == 0) return;
  stepper.link_of.assign(world.bodies.size(), kNone);
  for (std::size_t k = 0; k < articulation_count_; ++k) {
    std::vector<Index>& link = stepper.links.emplace_back();
    for (const Index i : articulations_[k].nodes) {
      link.push_back(nodes[i].node.index);
      stepper.link_of[nodes[i].node.index] = static_cast<Index>(k);
    }
  }
}

bool Dynamics::Data::is_exempt(Index a, Index b) const {
  const auto& exempt = DataAccess::data(stepper_).exempt;
  return std::binary_search(exempt.begin(), exempt.end(),
                            std::pair(std::min(a, b), std::max(a, b)));
}

dynamics::Articulation* Dynamics::Data::articulation(const dynamics::MovingNode& node) {
  const Index k = articulation_of_[number_of(node)];
  return k == kNone ? nullptr : &articulations_[k];
}

// ---- frames of joints ---------------------------------------------------------------------------

dynamics::JointPlace Dynamics::Data::joint_place(Index node, const dynamics::JointFrame& frame,
                                                 std::span<const dynamics::Placed> places) const {
  if (node == kNone) return {Vec3::Zero(), frame.point, frame.axes};
  const dynamics::Placed& at = places[local_of_[node]];
  return touche::placed(frame, nodes[node].inertia.centre, at.centre, at.rotation);
}

dynamics::JointPlace Dynamics::Data::place_a(const dynamics::JointEntry& joint,
                                             std::span<const dynamics::Placed> places) const {
  return joint_place(joint.a, joint.at_a, places);
}
dynamics::JointPlace Dynamics::Data::place_b(const dynamics::JointEntry& joint,
                                             std::span<const dynamics::Placed> places) const {
  return joint_place(joint.b, joint.at_b, places);
}

// Builds the system of the joints at their present poses.
void Dynamics::Data::build_system(dynamics::Articulation& of) {
  of.open = list_blocks(of, of.places);
  of.system.build(of.bodies, blocks_, of.open);
}

// Lists the joints' rows at these poses. Returns their largest error, see joint_errors.
double Dynamics::Data::list_blocks(const dynamics::Articulation& of,
                                   std::span<const dynamics::Placed> places) {
  const Index still = static_cast<Index>(of.nodes.size());
  double open = 0;
  blocks_.clear();
  for (const Index j : of.joints) {
    const dynamics::JointEntry& joint = joints[j];
    const dynamics::JointPlace a = place_a(joint, places), b = place_b(joint, places);
    const dynamics::JointRows made = dynamics::joint_rows(joint.joint.type, a, b);
    for (int i = 0; i < made.count; ++i) {
      const dynamics::JointRow& row = made.rows[static_cast<std::size_t>(i)];
      open = std::max(open, size_of_error(row.error, row, a, b));
    }
    blocks_.push_back({joint.a == kNone ? still : local_of_[joint.a],
                       joint.b == kNone ? still : local_of_[joint.b], made});
  }
  return open;
}

// Finds the errors of the joints at these poses, in the order of the rows, less the aims (empty:
// 0). Returns the largest one, lengths in units of the arms that hold the joints; infinity if one
// is not finite.
double Dynamics::Data::joint_errors(const dynamics::Articulation& of,
                                    std::span<const dynamics::Placed> places,
                                    std::vector<double>& errors,
                                    std::span<const double> aims) const {
  errors.clear();
  double most = 0;
  for (const Index j : of.joints) {
    const dynamics::JointEntry& joint = joints[j];
    const dynamics::JointPlace a = place_a(joint, places), b = place_b(joint, places);
    const dynamics::JointRows made = dynamics::joint_rows(joint.joint.type, a, b);
    for (int i = 0; i < made.count; ++i) {
      const dynamics::JointRow& row = made.rows[static_cast<std::size_t>(i)];
      errors.push_back(aims.empty() ? row.error : row.error - aims[errors.size()]);
      most = std::max(most, size_of_error(errors.back(), row, a, b));
    }
  }
  return most;
}

// ---- impulses -----------------------------------------------------------------------------------

// Finds the effect of impulses at this contact on all bodies to which joints transmit them. `home`
// has the articulation of each of its two bodies, or null, and the body's number there.
void Dynamics::Data::join_contact(dynamics::SolverContact& contact,
                                  const std::array<dynamics::Home, 2>& home) {
  if (home[0].of == nullptr && home[1].of == nullptr) return;
  if (responses_used_ == responses_.size()) responses_.emplace_back();
  dynamics::JointedResponse& response = responses_[responses_used_++];
  const dynamics::SolverRow* const rows[] = {&contact.normal, &contact.tangents[0],
                                             &contact.tangents[1]};
  const bool same = home[0].of == home[1].of;
  for (std::size_t k = 0; k < 3; ++k) {
    response[k].clear();
    const dynamics::SolverRow& row = *rows[k];
    if (contact.is_limit && k > 0) continue;
    for (std::size_t s = 0; s < 2; ++s) {
      const double sign = s == 0 ? -1 : 1;
      const Index target = s == 0 ? contact.a : contact.b;
      const Vec3& lever = s == 0 ? row.lever_a : row.lever_b;
      if (home[s].of == nullptr) {
        const double mass = s == 0 ? contact.inverse_mass_a : contact.inverse_mass_b;
        const Vec3& turn = s == 0 ? row.turn_a : row.turn_b;
        response[k].push_back({target, sign * mass * row.direction, sign * turn});
        continue;
      }
      dynamics::Articulation& of = *home[s].of;
      if (s == 0 || !same) {
        unit_bodies_ = of.bodies;
        for (dynamics::SolverBody& body : unit_bodies_) body.linear = body.angular = Vec3::Zero();
      }
      dynamics::SolverBody& body = unit_bodies_[home[s].local];
      body.linear += sign * body.inverse_mass * row.direction;
      body.angular += sign * (body.inverse_inertia * lever);
      if (s == 0 && same) continue;
      of.system.project(unit_bodies_, joint_impulses_);
      // Projected twice: if the system is nearly singular one solution is inexact, and impulses
      // would grow by its error.
      of.system.project(unit_bodies_, joint_impulses_);
      for (std::size_t i = 0; i < of.nodes.size(); ++i)
        if (unit_bodies_[i].inverse_mass > 0)
          response[k].push_back({of.targets[i], unit_bodies_[i].linear, unit_bodies_[i].angular});
    }
  }
  dynamics::set_jointed(contact, response);
}

// Adds these impulses along the rows of the system to the joints' reactions in this step.
void Dynamics::Data::add_reactions(const dynamics::Articulation& of,
                                   std::span<const double> impulses, bool in_flight) {
  std::size_t at = 0, block = 0;
  for (const Index j : of.joints) {
    dynamics::JointEntry& joint = joints[j];
    const dynamics::JointPlace b = place_b(joint, of.places);
    const dynamics::JointBlock& rows = of.system.blocks()[block++];
    Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
    for (int i = 0; i < rows.made.count; ++i) {
      const dynamics::JointRow& row = rows.made.rows[static_cast<std::size_t>(i)];
      const double impulse = impulses[at++];
      push += impulse * row.direction;
      turn += impulse * row.lever_b;
    }
    turn -= (b.point - b.centre).cross(push);
    (in_flight ? joint.flight_push : joint.push) += push;
    (in_flight ? joint.flight_turn : joint.turn) += turn;
  }
}

// Ends the articulation's flight at time t, which keeps that share of its joint impulses.
void Dynamics::Data::end_flight(const dynamics::Articulation& of, double t) {
  const double share =
      of.flight_begin < 1 ? std::clamp((t - of.flight_begin) / (1 - of.flight_begin), 0.0, 1.0) : 0;
  for (const Index j : of.joints) {
    dynamics::JointEntry& joint = joints[j];
    joint.push += share * joint.flight_push;
    joint.turn += share * joint.flight_turn;
    joint.flight_push = joint.flight_turn = Vec3::Zero();
  }
}

bool Dynamics::Data::close_joints(dynamics::Articulation& of, double from, int most) {
  return close_joints(of, of.bodies, from, 1, {}, most);
}

// Changes velocities for a motion from one time to another so that the joints' errors at its end
// are the aims (empty: 0). Poses and the system belong to its start. Returns whether that
// succeeded; the iteration may diverge where light bodies turn far between heavy ones.
bool Dynamics::Data::close_joints(dynamics::Articulation& of,
                                  std::vector<dynamics::SolverBody>& bodies, double from, double to,
                                  std::span<const double> aims, int most) {
  const double time = (to - from) * dt;
  constexpr double kExact = 1e-13, kClosed = 1e-6, kAstray = 1.5, kMostTurn = 1;
  // If an iteration with the system of the start leaves a larger share of the error, the system of
  // the middle is used.
  constexpr double kSlow = 0.3;
  const auto turn = [&] {
    double most_turn = 0;
    for (const dynamics::SolverBody& body : bodies)
      if (body.inverse_mass > 0) most_turn = std::max(most_turn, time * body.angular.norm());
    return most_turn;
  };
  double last = kInfinity, first = 0;
  bool is_slow = false;
  end_places_.resize(of.nodes.size());
  for (int i = 0;; ++i) {
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      const dynamics::Placed& at = of.places[n];
      if (node.is_dynamic()) {
        end_places_[n] = {at.centre + time * bodies[n].linear,
                          dynamics::turned(at.rotation, time * bodies[n].angular)};
      } else {
        const Pose pose = node.pose(to);
        end_places_[n] = {pose * node.inertia.centre, pose.matrix()};
      }
    }
    const double off = joint_errors(of, end_places_, joint_impulses_, aims);
    if (off <= kExact || (off < 1e-9 && off > 0.5 * last)) return turn() <= kMostTurn;
    if (i == 0) first = off;
    if (!std::isfinite(off)) return false;
    if (i == most) return off <= std::max(kClosed, kAstray * first) && turn() <= kMostTurn;
    for (double& error : joint_impulses_) error /= -time;
    is_slow = is_slow || off > kSlow * last;
    last = off;
    if (is_slow) build_middle(of, bodies, time);
    (is_slow ? middle_system_ : of.system).change(bodies, joint_impulses_);
  }
}

// Builds the system of joints halfway on a motion of this time to end_places_.
void Dynamics::Data::build_middle(const dynamics::Articulation& of,
                                  std::span<const dynamics::SolverBody> bodies, double time) {
  middle_places_.clear();
  for (std::size_t n = 0; n < of.nodes.size(); ++n)
    middle_places_.push_back(
        {0.5 * (of.places[n].centre + end_places_[n].centre),
         dynamics::turned(of.places[n].rotation, 0.5 * time * bodies[n].angular)});
  (void)list_blocks(of, middle_places_);
  middle_system_.build(bodies, blocks_, of.open);
}

}  // namespace touche
