// SPDX-License-Identifier: Apache-2.0
// Positions of joints after a step: the length of a slider, and the angle of a hinge, which counts
// full turns, also within the step.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dynamics/dynamics_data.h"
#include "math/motion_data.h"

namespace touche {
namespace {

// Radians: between two samples a hinge turns by no more, so that its angle is the one nearest to
// the angle before.
constexpr double kTurnToNext = 2;
// Given motions may turn by any angle. After this many halvings of the step they are sampled no
// finer.
constexpr int kMostHalvings = 16;

// An upper bound of how far a body turns in a part of its motion.
double turn_within(const Motion& motion, double begin, double end) {
  double sum = 0;
  for (const detail::Piece& piece : math::pieces_of(motion)) {
    const double from = std::max(begin, piece.t_begin), to = std::min(end, piece.t_end);
    if (!(from < to)) continue;
    const double share = (to - from) * piece.rate();
    switch (piece.kind) {
      case detail::PieceKind::slerp:
        sum += share * std::abs(piece.angle);
        break;
      case detail::PieceKind::nlerp:  // fastest in the middle
        sum += share * 4 * std::tan(0.25 * std::abs(piece.angle));
        break;
      case detail::PieceKind::function:
        sum += share * piece.max_angular_speed;
        break;
    }
  }
  return sum;
}

double next_to(double last, double angle) {
  return last + std::remainder(angle - last, 2 * std::numbers::pi);
}

}  // namespace

// Returns the angle of a hinge at the end of the step, except for the last bits, from its angle at
// the beginning.
double Dynamics::Data::follow_hinge(const dynamics::JointEntry& joint,
                                    std::span<const dynamics::Placed> places) const {
  double most = 0;
  for (const Index i : {joint.a, joint.b})
    if (i != kNone)
      for (const dynamics::WayPart& part : nodes[i].way) most += turn_within(part.motion, 0, 1);
  if (most <= kTurnToNext) return joint.position;

  const auto way = [&](Index i) { return i == kNone ? Motion::at({}) : way_of_part(nodes[i]); };
  const Motion way_a = way(joint.a), way_b = way(joint.b);
  std::vector<dynamics::Placed> at(places.begin(), places.end());
  const auto angle = [&](double t) {
    for (const auto& [i, motion] : {std::pair{joint.a, &way_a}, {joint.b, &way_b}}) {
      if (i == kNone) continue;
      const Pose pose = motion->pose(t);
      at[local_of_[i]] = {pose * nodes[i].inertia.centre, pose.matrix()};
    }
    return dynamics::free_row(joint.joint.type, place_a(joint, at), place_b(joint, at)).error;
  };
  double position = joint.position, t = 0;
  while (t < 1) {
    double step = 1 - t;
    for (int i = 0; i < kMostHalvings; ++i, step *= 0.5)
      if (turn_within(way_a, t, t + step) + turn_within(way_b, t, t + step) <= kTurnToNext) break;
    t = std::min(1.0, t + std::max(step, std::ldexp(1.0, -kMostHalvings)));
    position = next_to(position, angle(t));
  }
  return position;
}

void Dynamics::Data::update(dynamics::JointEntry& joint,
                            std::span<const dynamics::Placed> places) const {
  const JointType type = joint.joint.type;
  if (type != JointType::hinge && type != JointType::slider) return;
  const double now = dynamics::free_row(type, place_a(joint, places), place_b(joint, places)).error;
  joint.position = type == JointType::slider ? now : next_to(follow_hinge(joint, places), now);
}

}  // namespace touche
