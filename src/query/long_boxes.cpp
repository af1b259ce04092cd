// SPDX-License-Identifier: Apache-2.0
#include "query/long_boxes.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::query {
namespace {

constexpr float kLong = 16;               // length in multiples of the width
constexpr double kMostTiltOfAxis = 0.25;  // the axis tilts by at most this share of its length
constexpr double kLeastAngle = 0.05;      // between long edges, as a sine

// A stored frame's axes are orthonormal, and its numbers exact, up to this share of the extent.
constexpr double kFrameSlack = 1e-5;

int longest(const bvh::Box& box) {
  return static_cast<int>(std::max_element(box.half, box.half + 3) - box.half);
}

/// A box and its motion, in a's object coordinates.
struct LongBox {
  Vec3 centre, axis[3], velocity;
  double half[3], radius, slack;
  int long_axis;
  const math::VelocityBound& bound;

  LongBox(const bvh::Bvh& bvh, const bvh::Bounds& bounds, const RelativePose* pose,
          const math::VelocityBound& v)
      : radius(0), long_axis(longest(bounds.box)), bound(v) {
    const bvh::Normalization& normalization = bvh.normalization();
    Vec3 local(bounds.frame.origin[0], bounds.frame.origin[1], bounds.frame.origin[2]);
    for (int k = 0; k < 3; ++k) {
      axis[k] = Vec3(bounds.frame.axis(k, 0), bounds.frame.axis(k, 1), bounds.frame.axis(k, 2));
      local += static_cast<double>(bounds.box.centre[k]) * axis[k];
      half[k] = normalization.inverse_scale * static_cast<double>(bounds.box.half[k]);
      radius += half[k] * half[k];
    }
    centre = normalization.centre + normalization.inverse_scale * local;
    if (pose != nullptr) {
      centre = *pose * centre;
      for (Vec3& x : axis) x = pose->rotation * x;
    }
    radius = std::sqrt(radius) * math::kRoundFarUp;
    slack = kFrameSlack * normalization.inverse_scale * static_cast<double>(bounds.extent());
    velocity = bound.velocity(centre);
  }

  const Vec3& edge() const { return axis[long_axis]; }

  /// The half extent of the box along a vector.
  double reach(const Vec3& n) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(n.dot(axis[k])) * half[k];
    return sum;
  }
  double undirected() const {
    return bound.undirected_speed +
           bound.undirected_angular_speed * ((centre - bound.centre).norm() + radius + slack);
  }
  double acceleration() const {
    return bound.acceleration_per_distance *
           (bound.axis.cross(centre - bound.centre).norm() + radius + slack);
  }
};

}  // namespace

bool is_long(const bvh::Bounds& bounds) {
  const int k = longest(bounds.box);
  return bounds.box.half[k] >
         kLong * std::max(bounds.box.half[(k + 1) % 3], bounds.box.half[(k + 2) % 3]);
}

// With x and v the position and velocity of a point of b relative to one of a, their gap is
//   (n + tilt t) · (x + v t + s) >= n·x + (tilt·x + n·v) t + tilt·v t² − |n + tilt t| |s|
// where the unknown s is at most `undirected` t + `acceleration` t² / 2. Velocities are linear in
// the position, v(y) = v(centre) + ω × (y − centre), so each term is extreme at a corner of the
// boxes.
double time_apart_across(const bvh::Bvh& bvh_a, const bvh::Bounds& bounds_a, const bvh::Bvh& bvh_b,
                         const bvh::Bounds& bounds_b, const Snapshot& s) {
  const LongBox a(bvh_a, bounds_a, nullptr, s.velocity_a);
  const LongBox b(bvh_b, bounds_b, &s.pose, s.velocity_b);
  const Vec3 apart = b.centre - a.centre, across = a.edge().cross(b.edge());
  const double sine = across.norm();
  if (!(sine > kLeastAngle)) return 0;
  const Vec3 n = (across.dot(apart) < 0 ? -1 / sine : 1 / sine) * across;
  constexpr double kLongest = (1 + kMostTiltOfAxis) * math::kRoundFarUp;
  const double gap = n.dot(apart) * math::kRoundFarDown -
                     (a.reach(n) + b.reach(n)) * math::kRoundFarUp -
                     kLongest * (s.error + 2 * (a.slack + b.slack));
  if (!(gap > 0)) return 0;

  // Solve tilt · edge = −n · (ω × edge) for both edges, and tilt · n = 0.
  const Vec3 &turning_a = a.bound.angular, &turning_b = b.bound.angular;
  const Vec3 slope_a = n.cross(turning_a), slope_b = n.cross(turning_b);
  const Vec3 tilt =
      (-slope_a.dot(a.edge()) * b.edge().cross(n) - slope_b.dot(b.edge()) * n.cross(a.edge())) /
      a.edge().dot(b.edge().cross(n));
  const double size = tilt.norm();
  const double longest_time = size > 0 ? kMostTiltOfAxis / size : kInfinity;

  const Vec3 speed = b.velocity - a.velocity;
  const double spread = a.reach(tilt + slope_a) + b.reach(tilt + slope_b) +
                        kLongest * (a.undirected() + b.undirected());
  const double unsure = size * apart.norm() + speed.norm() +
                        (size + turning_a.norm() + turning_b.norm()) * (a.radius + b.radius);
  const double slack = (size + turning_a.norm() + turning_b.norm()) * 2 * (a.slack + b.slack);
  const double rate =
      -(tilt.dot(apart) + n.dot(speed)) + spread * math::kRoundFarUp + 1e-9 * unsure + slack;
  const double acceleration =
      kLongest * (a.acceleration() + b.acceleration()) - 2 * tilt.dot(speed) +
      2 * size *
          (turning_a.norm() * (a.radius + a.slack) + turning_b.norm() * (b.radius + b.slack)) +
      1e-9 * size * unsure;
  return std::min(longest_time, time_to_close(gap, rate, std::max(acceleration, 0.0))) *
         math::kRoundFarDown;
}

}  // namespace touche::query
