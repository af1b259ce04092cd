// SPDX-License-Identifier: Apache-2.0
#include "query/node_impact.h"

namespace touche::query {
namespace {

void copy(const Vec3& from, float (&to)[4]) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
  to[3] = 0;
}

// Converts from an object's coordinates to local ones in single precision, and adds the rounding to
// the errors.
void to_local(const math::VelocityBound& f, const Vec3& centre, double scale,
              bvh::FrameVelocityBound& out, bvh::LocalVelocityBounds& errors) {
  out.still = f.still;
  if (f.still) return;
  const Vec3 to_centre = scale * (f.centre - centre);
  const Vec3 linear = scale * f.linear - f.angular.cross(to_centre);
  // Every point of a rotation's axis is an equally valid centre; one far along it would swamp the
  // distances from the axis in single precision. Declared speeds, which have no axis, keep their
  // centre.
  const bool turns = f.acceleration_per_distance > 0 && f.undirected_angular_speed == 0;
  const Vec3 near = turns ? Vec3(to_centre - f.axis * f.axis.dot(to_centre)) : to_centre;
  copy(linear, out.linear);
  copy(f.angular, out.angular);
  copy(near, out.centre);
  copy(f.axis, out.axis);
  const auto size = [](const Vec3& x) { return static_cast<float>(x.lpNorm<1>()); };
  errors.linear_error += bvh::kRateError * size(linear);
  errors.angular_error += bvh::kRateError * size(f.angular);
  errors.centre_error += bvh::kRateError * size(near);
  const float up = 1.00001f;
  out.acceleration_per_distance = up * static_cast<float>(f.acceleration_per_distance);
  out.undirected_speed = up * static_cast<float>(scale * f.undirected_speed);
  out.undirected_angular_speed = up * static_cast<float>(f.undirected_angular_speed);
}

bool glides(const math::VelocityBound& f) {
  return f.still || (f.angular.isZero(0) && f.acceleration_per_distance == 0 &&
                     f.undirected_angular_speed == 0);
}

Vec3 velocity(const math::VelocityBound& f) { return f.still ? Vec3(Vec3::Zero()) : f.linear; }

bvh::LocalVelocityBounds to_local(const math::VelocityBound& of_a, const math::VelocityBound& of_b,
                                  const bvh::Bvh& bvh) {
  bvh::LocalVelocityBounds out{};
  out.linear_error = 1e-30f;
  out.gliding = glides(of_a) && glides(of_b);
  if (out.gliding) {
    math::VelocityBound approach, rest;
    approach.linear = velocity(of_a) - velocity(of_b);
    rest.still = true;
    to_local(approach, bvh.centre(), bvh.scale(), out.a, out);
    to_local(rest, bvh.centre(), bvh.scale(), out.b, out);
    // Allow for the rounding of the difference, whose terms were rotated at most twice, and for
    // speeds of unknown direction.
    const double rounding = 4e-15 * (velocity(of_a).lpNorm<1>() + velocity(of_b).lpNorm<1>());
    out.linear_error +=
        1.00001f * static_cast<float>(bvh.scale() *
                                      (rounding + of_a.undirected_speed + of_b.undirected_speed));
    return out;
  }
  to_local(of_a, bvh.centre(), bvh.scale(), out.a, out);
  to_local(of_b, bvh.centre(), bvh.scale(), out.b, out);
  return out;
}

}  // namespace

LocalSnapshot::LocalSnapshot(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& s)
    : map(a, b, s.pose.rotation, s.pose.translation, s.error) {
  set_velocities(a, b, s);
}

void LocalSnapshot::move_to(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& s) {
  map = bvh::LocalMap(a, b, s.pose.rotation, s.pose.translation, s.error);
  // Gliding bodies keep their velocities and usually their rotations, but the latter may jump where
  // pieces of a motion meet.
  const bool same = s.rotation_a == rotation_a_ && s.pose.rotation == rotation_b_;
  if (!velocities.in_a.gliding || !same) set_velocities(a, b, s);
}

void LocalSnapshot::set_velocities(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& s) {
  rotation_a_ = s.rotation_a;
  rotation_b_ = s.pose.rotation;
  const Mat3 to_b = s.pose.rotation.transpose();
  const auto in_b = [&](const math::VelocityBound& v) {
    return v.in_frame(to_b, s.pose.translation);
  };
  velocities.in_a = to_local(s.velocity_a, s.velocity_b, a);
  velocities.in_b = to_local(in_b(s.velocity_a), in_b(s.velocity_b), b);
  // Round the clearance down: the remainder counts as an error of positions.
  velocities.clearance_a = 0.9999f * static_cast<float>(s.clearance * a.scale());
  velocities.clearance_b = 0.9999f * static_cast<float>(s.clearance * b.scale());
}

}  // namespace touche::query
