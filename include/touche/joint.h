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
  fixed,   ///< both move as one
  ball,    ///< a point of both stays the same
  hinge,   ///< the same, and both turn about one axis only
  slider,  ///< both slide along one axis, and do not turn
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<JointType> = {"fixed", "ball", "hinge",
                                                                      "slider"};

/// Drives a hinge or a slider at a speed, with no more strength than it has. No strength: no motor.
struct Motor {
  double speed = 0;     ///< of b as seen from a: radians, or length, per unit of time
  double strength = 0;  ///< torque of a hinge, force of a slider, >= 0
};

/// Two nodes that are joined where they are when the joint is made. `b` or `a` must be dynamic; the
/// other one may be dynamic, stand still or follow motions.
struct Joint {
  JointType type = JointType::fixed;
  NodeId a = {}, b = {};      ///< one of them may be left out: that is the world
  Vec3 point = Vec3::Zero();  ///< in the world, of both
  Vec3 axis = Vec3::UnitZ();  ///< in the world, of a hinge or slider; any length > 0
  /// A hinge's angle in radians, by the right hand about the axis, or the way of a slider, of b as
  /// seen from a, both 0 at the start. `least` <= 0 <= `most`; angles may be more than a turn.
  double least = -kInfinity, most = kInfinity;
  Motor motor = {};
  /// Whether bodies of the one may meet bodies of the other. Else they may pass through each other.
  bool contacts = false;
};

/// Names a joint. That of one that was removed is never another one.
struct JointId {
  Index index = kNone, generation = 0;
  friend auto operator<=>(const JointId&, const JointId&) = default;
};

struct JointState {
  double position = 0;  ///< the angle of a hinge, the way of a slider; else 0
  double speed = 0;     ///< of that
  /// On b in the last step: mean force, and torque about the joint's point; without motors, limits
  /// and impacts.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  /// How far points are apart that should be the same, and by how many radians axes are askew.
  double drift = 0, tilt = 0;
};

}  // namespace touche
