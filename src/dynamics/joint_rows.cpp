// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joint_rows.h"

#include <Eigen/Geometry>
#include <cmath>

namespace touche::dynamics {
namespace {

// The impulse acts on both bodies at the same point, so it adds no angular momentum.
JointRow along(const Vec3& direction, const Vec3& point, const JointPlace& a, const JointPlace& b) {
  return {direction, (point - a.centre).cross(direction), (point - b.centre).cross(direction), 0};
}

JointRow about(const Vec3& axis, double error) { return {Vec3::Zero(), axis, axis, error}; }

}  // namespace

JointRows joint_rows(JointType type, const JointPlace& a, const JointPlace& b) {
  JointRows made;
  const auto add = [&](const JointRow& row) {
    made.rows[static_cast<std::size_t>(made.count++)] = row;
  };
  const Vec3 apart = b.point - a.point;
  if (type == JointType::slider) {
    // Directions turn with a about its centre, so the lever on a extends to the point of b.
    for (int k = 0; k < 2; ++k) {
      JointRow row = along(a.axes.col(k), b.point, a, b);
      row.error = apart.dot(row.direction);
      add(row);
    }
  } else {
    const Vec3 middle = a.point + 0.5 * apart;
    for (int k = 0; k < 3; ++k) {
      JointRow row = along(Vec3::Unit(k), middle, a, b);
      row.error = apart[k];
      add(row);
    }
  }
  if (type == JointType::hinge) {
    const Vec3 askew = a.axes.col(2).cross(b.axes.col(2));
    for (int k = 0; k < 2; ++k) add(about(a.axes.col(k), askew.dot(a.axes.col(k))));
  } else if (type != JointType::ball) {
    const Eigen::Quaterniond turn(Mat3(a.axes.transpose() * b.axes));
    const double twice = turn.w() < 0 ? -2 : 2;
    for (int k = 0; k < 3; ++k) add(about(a.axes.col(k), twice * turn.vec()[k]));
  }
  return made;
}

JointRow free_row(JointType type, const JointPlace& a, const JointPlace& b) {
  const Vec3 axis = a.axes.col(2);
  if (type == JointType::slider) {
    JointRow row = along(axis, b.point, a, b);
    row.error = axis.dot(b.point - a.point);
    return row;
  }
  const Mat3 turn = a.axes.transpose() * b.axes;
  return about(axis, std::atan2(turn(1, 0) - turn(0, 1), turn(0, 0) + turn(1, 1)));
}

}  // namespace touche::dynamics
