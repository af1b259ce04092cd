// SPDX-License-Identifier: Apache-2.0
// Distance of two convex polygons, each with a radius. For any direction n, however it was found,
// the gap
//   (min over b of n·p − max over a of n·p) / |n| − both radii
// is a lower bound of the distance; so the search for n need not consider rounding.
#include <algorithm>
#include <cmath>

#include "plane/volumes.h"

namespace touche::plane {
namespace {

/// The corners of two polygons relative to a common origin near both.
class PolygonPair {
 public:
  PolygonPair(const Rounded& a, const Rounded& b) : a_(a), b_(b), origin_(a.corners.front()) {
    double size = 0;
    for (const Rounded* r : {&a, &b})
      for (const Vec2& p : r->corners) size = std::max(size, (p - origin_).lpNorm<1>());
    // A coordinate relative to the origin has an error of u, a product and a sum another two; there
    // are two such numbers and one difference.
    slack_ = 16 * math::kUnitRoundoff * size;
  }

  /// Lower bound of the distance by the direction n, of any length; negative if it proves nothing.
  double gap(const Vec2& n) const {
    const double length = n.norm();
    if (!(length > 0) || !std::isfinite(length)) return -kInfinity;
    const Vec2 unit = n / length;
    const double between =
        place(b_, support(b_, -unit), unit) - place(a_, support(a_, unit), unit) - slack_;
    const double radii = (a_.radius + b_.radius) * (1 + 4 * math::kUnitRoundoff);
    // The length of the unit vector may be too large by 4 u, the difference by 2 u.
    return between * (1 - 16 * math::kUnitRoundoff) - radii - math::kUnderflow;
  }

  /// The corner of a + (−1) b that is farthest along −v.
  struct Corner {
    std::size_t a, b;
    Vec2 difference;
  };
  Corner farthest_against(const Vec2& v) const {
    const std::size_t i = support(a_, -v), j = support(b_, v);
    return {i, j, a_.corners[i] - b_.corners[j]};
  }

 private:
  static std::size_t support(const Rounded& r, const Vec2& n) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < r.corners.size(); ++i)
      if (n.dot(r.corners[i] - r.corners[best]) > 0) best = i;
    return best;
  }
  double place(const Rounded& r, std::size_t i, const Vec2& n) const {
    return n.dot(r.corners[i] - origin_);
  }

  const Rounded &a_, &b_;
  Vec2 origin_;
  double slack_;
};

/// The point of a segment that is nearest to 0.
Vec2 nearest_to_zero(const Vec2& p, const Vec2& q) {
  const Vec2 side = q - p;
  const double length2 = side.squaredNorm();
  if (!(length2 > 0)) return p;
  return p + std::clamp(-p.dot(side) / length2, 0.0, 1.0) * side;
}

/// The best gap found in the search for the point of a − b nearest to 0. In the plane this point
/// always lies on the segment between the last two corners, once there are two: the new corner is
/// the third, and one of the others is dropped.
double best_gap(const PolygonPair& pair, double enough) {
  auto first = pair.farthest_against(Vec2::UnitX());
  auto second = first;
  Vec2 nearest = first.difference;
  double best = -kInfinity;
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    best = std::max({best, pair.gap(-nearest)});
    // Also try the normal of the segment that contains the point, since that is less affected by
    // rounding.
    const Vec2 across = turned_left(second.difference - first.difference);
    best = std::max({best, pair.gap(across), pair.gap(-across)});
    if (best > enough) return best;
    const auto next = pair.farthest_against(nearest);
    if (!(nearest.dot(nearest - next.difference) > 1e-15 * nearest.squaredNorm())) break;
    // If the triangle of the three contains 0, the polygons overlap.
    const Vec2 p = first.difference, q = second.difference, r = next.difference;
    const double pq = cross(p, q), qr = cross(q, r), rp = cross(r, p);
    if (step > 0 && ((pq > 0 && qr > 0 && rp > 0) || (pq < 0 && qr < 0 && rp < 0))) break;
    const Vec2 by_first = nearest_to_zero(p, r), by_second = nearest_to_zero(q, r);
    const bool keep_first = by_first.squaredNorm() <= by_second.squaredNorm();
    const Vec2 nearer = keep_first ? by_first : by_second;
    if (!keep_first) first = second;
    second = next;
    if (step > 0 && !(nearer.squaredNorm() < nearest.squaredNorm())) break;
    nearest = nearer;
  }
  return std::max({best, pair.gap(-nearest)});
}

}  // namespace

bool overlap(const Rounded& a, const Rounded& b) {
  if (a.corners.empty() || b.corners.empty()) return false;
  return !(best_gap(PolygonPair(a, b), 0) > 0);
}

double lower_bound(const Rounded& a, const Rounded& b) {
  if (a.corners.empty() || b.corners.empty()) return kInfinity;
  return std::max(0.0, best_gap(PolygonPair(a, b), kInfinity));
}

}  // namespace touche::plane
