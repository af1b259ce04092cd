// SPDX-License-Identifier: Apache-2.0
// The rows of a joint: how far two bodies are off, and the directions along which its impulses act.
#pragma once

#include "touche/dynamics.h"

namespace touche::dynamics {

/// The position of a joint in the frame of a node. The third axis is the axis of a hinge or slider.
struct JointFrame {
  Vec3 point = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// The same in the world, and the centre of mass of the body.
struct JointPlace {
  Vec3 centre = Vec3::Zero();
  Vec3 point = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

}  // namespace touche::dynamics

namespace touche {

inline dynamics::JointPlace placed(const dynamics::JointFrame& frame, const Vec3& in_centre,
                                   const Vec3& centre, const Mat3& rotation) {
  return {centre, centre + rotation * (frame.point - in_centre), rotation * frame.axes};
}

}  // namespace touche

namespace touche::dynamics {

/// The speed along a row is direction · (v_b − v_a) + lever_b · ω_b − lever_a · ω_a.
struct JointRow {
  Vec3 direction = Vec3::Zero(), lever_a = Vec3::Zero(), lever_b = Vec3::Zero();
  double error = 0;  ///< its rate is that speed: a length, or an angle where `direction` is 0
};

struct JointRows {
  int count = 0;
  std::array<JointRow, 6> rows;
};

/// The rows whose speeds must be 0.
JointRows joint_rows(JointType type, const JointPlace& a, const JointPlace& b);

/// Returns the row of the free direction. Its error is the angle of a hinge in (−π, π], or the
/// length of a slider.
JointRow free_row(JointType type, const JointPlace& a, const JointPlace& b);

}  // namespace touche::dynamics
