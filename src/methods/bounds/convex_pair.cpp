// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/convex_pair.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/rounding.h"

namespace touche::bounds {
namespace {

/// Points of the difference of two sets whose hull is known to come near the origin.
class Simplex {
 public:
  bool holds(const Vec3& p) const {
    return std::find(corners_.begin(), corners_.begin() + count_, p) != corners_.begin() + count_;
  }
  /// Nothing is left to be found: the origin lies in it.
  bool full() const { return count_ == 4; }

  /// Adds a corner; returns the point of the hull that is nearest to the origin, and keeps the
  /// corners that it lies between.
  Vec3 with(const Vec3& p) {
    corners_[count_++] = p;
    switch (count_) {
      case 1:
        return p;
      case 2:
        return keep(on_segment(0, 1));
      case 3:
        return keep(on_triangle(0, 1, 2));
      default:
        return in_tetrahedron();
    }
  }

 private:
  struct Nearest {
    Vec3 point;
    std::array<int, 3> between;
    int count;
  };

  Vec3 keep(const Nearest& n) {
    std::array<Vec3, 3> kept;
    for (int i = 0; i < n.count; ++i) kept[i] = corners_[n.between[i]];
    std::copy_n(kept.begin(), n.count, corners_.begin());
    count_ = n.count;
    return n.point;
  }

  Nearest on_segment(int i, int j) const {
    const Vec3 &a = corners_[i], along = corners_[j] - a;
    const double t = -a.dot(along), length2 = along.squaredNorm();
    if (t <= 0) return {a, {i}, 1};
    if (t >= length2) return {corners_[j], {j}, 1};
    return {a + t / length2 * along, {i, j}, 2};
  }

  /// By the regions of the origin's foot (Ericson 2005, 5.1.5).
  Nearest on_triangle(int i, int j, int k) const {
    const Vec3 &a = corners_[i], ab = corners_[j] - a, ac = corners_[k] - a, n = ab.cross(ac);
    // Twice the areas of foot and edge, as shares of n².
    const double u = n.dot(corners_[j].cross(corners_[k])), v = n.dot(corners_[k].cross(a)),
                 w = n.dot(a.cross(corners_[j]));
    const double n2 = n.squaredNorm();
    if (n2 > 0 && u > 0 && v > 0 && w > 0) return {n.dot(a) / n2 * n, {i, j, k}, 3};
    Nearest best = on_segment(i, j);
    for (const Nearest& other : {on_segment(j, k), on_segment(k, i)})
      if (other.point.squaredNorm() < best.point.squaredNorm()) best = other;
    return best;
  }

  Vec3 in_tetrahedron() {
    Nearest best;
    double least = kInfinity;
    for (int apex = 0; apex < 4; ++apex) {
      const int i = (apex + 1) % 4, j = (apex + 2) % 4, k = (apex + 3) % 4;
      const Vec3& a = corners_[i];
      const Vec3 n = (corners_[j] - a).cross(corners_[k] - a);
      const double to_apex = n.dot(corners_[apex] - a), to_origin = -n.dot(a);
      // Behind this face or in its plane. If the tetrahedron has no volume up to rounding, all four
      // faces count.
      const double flat = 1e-12 * n.norm() * (corners_[apex] - a).norm();
      if (std::abs(to_apex) > flat && to_apex * to_origin > 0) continue;
      const Nearest on = on_triangle(i, j, k);
      if (const double d = on.point.squaredNorm(); d < least) least = d, best = on;
    }
    if (least < kInfinity) return keep(best);
    return Vec3::Zero();
  }

  std::array<Vec3, 4> corners_;
  int count_ = 0;
};

/// The set of differences: points of b minus points of a, in the frame of a.
class Difference {
 public:
  Difference(const ConvexSet& a, const ConvexSet& b, const PoseMatrix& pose)
      : a_(a), b_(b), rotation_(pose.rotation), between_(pose * b.centre - a.centre) {
    // A point x of b, relative to its centre, lies at between + R x from a's centre. The true one
    // is up to pose.error away from that, and so is the centre as computed. The difference and the
    // products with a unit direction: 8 u of their size. Turning the direction back takes three
    // roundings a component, below 8 u in all, as a share of b's radius; that it is not exactly of
    // unit length, 3 u, counts for both radii.
    slack_ = 2 * pose.error(b.centre.lpNorm<1>() + 2 * b.radius) +
             16 * math::kUnitRoundoff * (between_.lpNorm<1>() + a.centre.lpNorm<1>()) +
             64 * math::kUnitRoundoff * (a.radius + b.radius);
  }

  const Vec3& between() const { return between_; }

  /// The point that lies least far along n.
  Vec3 least_along(const Vec3& n) const {
    const Vec3 back = -(rotation_.transpose() * n);
    return between_ + rotation_ * b_.farthest(b_.set, back) - a_.farthest(a_.set, n);
  }

  /// No point lies less far along n, rounded down.
  double gap_along(const Vec3& n) const {
    const Vec3 back = -(rotation_.transpose() * n);
    const double gap = n.dot(between_) - b_.reach(b_.set, back) - a_.reach(a_.set, n) - slack_;
    return std::max(0.0, gap * (1 - 8 * math::kUnitRoundoff));
  }

 private:
  const ConvexSet &a_, &b_;
  Mat3 rotation_;
  Vec3 between_;
  double slack_;
};

}  // namespace

ConvexSet single_point(const Vec3& p) {
  return {p, 0, nullptr, [](const void*, const Vec3&) -> Vec3 { return Vec3::Zero(); },
          [](const void*, const Vec3&) { return 0.0; }};
}

double proved_gap(const ConvexSet& a, const ConvexSet& b, const PoseMatrix& pose, Seek seek) {
  const Difference difference(a, b, pose);
  // Round shapes are approached by ever smaller triangles; more than this is rounding.
  constexpr int kRounds = 80;
  constexpr double kEnough = 1e-14;
  Vec3 n = math::unit_or_zero(difference.between());
  if (n.isZero(0)) n = Vec3::UnitX();
  Simplex simplex;
  double best = 0, length = kInfinity, largest = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Vec3 corner = difference.least_along(n);
    const double least = n.dot(corner);
    if (least > 0) best = std::max(best, difference.gap_along(n));
    if (seek == Seek::any_gap && best > 0) break;
    if (round > 0 && (length - least <= kEnough * length || simplex.holds(corner))) break;
    const Vec3 nearest = simplex.with(corner);
    largest = std::max(largest, corner.norm());
    const double now = nearest.norm();
    if (simplex.full() || !(now > math::kUnitRoundoff * largest) || !(now < length)) break;
    length = now;
    n = nearest / length;
  }
  return best;
}

}  // namespace touche::bounds
