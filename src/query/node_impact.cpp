// SPDX-License-Identifier: Apache-2.0
#include "query/node_impact.h"

#include <cmath>

namespace touche {
namespace {

// A rate is a sum of products of single-precision numbers, each off by a few units in the last
// place, the frames by a few more.
constexpr float kRateError = 8e-6f;

Field to_local(const Field& f, const Bvh& bvh) {
  if (f.still) return f;
  Field local = f;
  local.linear *= bvh.scale();
  local.centre = (f.centre - bvh.centre()) * bvh.scale();
  local.free_speed *= bvh.scale();
  return local;
}

Field rotated(const Field& f, const Mat3& rotation, const Vec3& centre) {
  if (f.still) return f;
  Field r = f;
  r.linear = rotation * f.linear;
  r.angular = rotation * f.angular;
  r.axis = rotation * f.axis;
  r.centre = centre;
  return r;
}

// Returns the sum of the components' sizes; to take it from `out` would wait for what is being
// written there.
float in_axes(const Frame& frame, const Vec3& x, float (&out)[3]) {
  const float in[3] = {static_cast<float>(x[0]), static_cast<float>(x[1]),
                       static_cast<float>(x[2])};
  const auto component = [&](int i) {
    return frame.columns[0][i] * in[0] + frame.columns[1][i] * in[1] + frame.columns[2][i] * in[2];
  };
  const float y[3] = {component(0), component(1), component(2)};
  for (int i = 0; i < 3; ++i) out[i] = y[i];
  return std::abs(y[0]) + std::abs(y[1]) + std::abs(y[2]);
}

// Rounding of a rate: the first, and the second per unit of distance from the origin.
struct RateError {
  float linear = 1e-30f, angular = 0;
};

void to_frame(const Frame& frame, const Field& f, FrameField& out, RateError& error) {
  out.still = f.still;
  if (f.still) return;
  const Vec3 to_centre(f.centre[0] - static_cast<double>(frame.origin[0]),
                       f.centre[1] - static_cast<double>(frame.origin[1]),
                       f.centre[2] - static_cast<double>(frame.origin[2]));
  error.linear += kRateError * in_axes(frame, f.linear - f.angular.cross(to_centre), out.linear);
  error.angular += kRateError * in_axes(frame, f.angular, out.angular);
  // Every point of a turn's axis is as good a centre; one far along it would drown the distances
  // from the axis in single precision. Declared speeds, which have no axis, keep theirs.
  const bool turns = f.curvature > 0;
  in_axes(frame, turns ? Vec3(to_centre - f.axis * f.axis.dot(to_centre)) : to_centre, out.centre);
  in_axes(frame, f.axis, out.axis);
  // Distances from the centre are off by roundings of the coordinates they are between.
  error.angular += kRateError * static_cast<float>(f.free_angular);
  error.linear += kRateError * static_cast<float>(f.free_angular * to_centre.lpNorm<1>());
  const float up = 1.00001f;
  out.curvature = up * static_cast<float>(f.curvature);
  out.free_speed = up * static_cast<float>(f.free_speed);
  out.free_angular = up * static_cast<float>(f.free_angular);
}

}  // namespace

LocalSnapshot::LocalSnapshot(const Bvh& a, const Bvh& b, const Snapshot& s)
    : map(a, b, s.pose.rotation, s.pose.translation, s.error) {
  const Mat3 to_b = s.pose.rotation.transpose();
  const auto in_b = [&](const Field& f) {
    return to_local(rotated(f, to_b, to_b * (f.centre - s.pose.translation)), b);
  };
  a_in_a = to_local(s.a, a);
  b_in_a = to_local(s.b, a);
  a_in_b = in_b(s.a);
  b_in_b = in_b(s.b);
  constexpr Frame kLocal{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {}};
  RateError error;
  to_frame(kLocal, a_in_a, fields.a, error);
  to_frame(kLocal, b_in_a, fields.b, error);
  fields.linear_error = error.linear;
  fields.angular_error = error.angular;
  // Rounded down: what is left of the errors counts as error.
  separation_a = 0.9999f * static_cast<float>(s.separation * a.scale());
  separation_b = 0.9999f * static_cast<float>(s.separation * b.scale());
}

PairField LocalSnapshot::in_frames(const FramedPair::Ends& ends, const PairFrame& frame) const {
  PairField f;
  f.separation_a = separation_a;
  f.separation_b = separation_b;
  RateError error_a, error_b;
  to_frame(ends.a.bounds->frame, a_in_a, f.a_in_a, error_a);
  to_frame(ends.a.bounds->frame, b_in_a, f.b_in_a, error_a);
  to_frame(ends.b.bounds->frame, a_in_b, f.a_in_b, error_b);
  to_frame(ends.b.bounds->frame, b_in_b, f.b_in_b, error_b);
  const float reach_a = 2 * frame.reach, reach_b = reach_a * frame.inverse_ratio;
  f.rate_error_a = error_a.linear + error_a.angular * reach_a;
  f.rate_error_b = error_b.linear + error_b.angular * reach_b;
  return f;
}

}  // namespace touche
