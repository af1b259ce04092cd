// SPDX-License-Identifier: Apache-2.0
// Joints between rigid bodies. Link target touche::dynamics.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

#include "touche/names.h"
#include "touche/world.h"

namespace touche {

enum class JointType : std::uint8_t {
  fixed,   ///< both bodies move as one
  ball,    ///< a point of one stays at a point of the other
  hinge,   ///< as `ball`, and they turn about one axis only
  slider,  ///< they slide along one axis and do not turn
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<JointType> = {"fixed", "ball", "hinge",
                                                                      "slider"};

/// Drives a hinge or a slider at a speed with limited strength. Strength 0: no motor.
struct Motor {
  double speed = 0;     ///< of b relative to a: radians, or length, per unit of time
  double strength = 0;  ///< largest torque of a hinge or force of a slider, >= 0
};

/// Joins two nodes at the poses that they have when the joint is made. At least one of them must be
/// dynamic; the other one may be dynamic, stand still or follow given motions.
struct Joint {
  JointType type = JointType::fixed;
  NodeId a = {}, b = {};      ///< one of them may be left out: the default is the world
  Vec3 point = Vec3::Zero();  ///< common point of both, in the world
  Vec3 axis = Vec3::UnitZ();  ///< axis of a hinge or slider, in the world; any length > 0
  /// Limits of the position, `least` <= 0 <= `most`. The position is that of b relative to a, 0 at
  /// the start: the angle of a hinge in radians, right-handed about the axis, or the distance that
  /// a slider has moved. Angles may be larger than a turn.
  double least = -kInfinity, most = kInfinity;
  Motor motor = {};
  /// Whether bodies of one node collide with bodies of the other. If not, they may pass through
  /// each other.
  bool contacts = false;
};

/// Identifies a joint. The id of a removed joint is never used again.
struct JointId {
  Index index = kNone, generation = 0;
  friend auto operator<=>(const JointId&, const JointId&) = default;
};

struct JointState {
  double position = 0;  ///< angle of a hinge or distance of a slider, see Joint::least; else 0
  double speed = 0;     ///< rate of change of `position`
  /// Mean force on b in the last step, and torque about the joint's point, without the effect of
  /// motors, limits and impacts.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  /// Error of the joint: distance of the two points that should coincide (a length), and angle
  /// between the axes that should be parallel (radians).
  double drift = 0, tilt = 0;
};

}  // namespace touche
