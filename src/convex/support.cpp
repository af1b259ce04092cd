// SPDX-License-Identifier: Apache-2.0
// Derivation of kSupportError, with u the unit roundoff and R the reach, which is at least the sum
// of the sizes and distances of all parts.
//
// Corners: the error of a product of three terms is 3 u |x| |d| (Cauchy and Schwarz, for the
// magnitudes), and comparing two of them doubles it: 6 u R |d|.
//
// Round parts: their axes form a rotation with an error of 8 u in each entry, and the direction in
// the axes has another 3 u from its sums: together less than √3 · 11 u |d| < 20 u |d|. The point is
// the one for that direction, except for 8 u of its size: along the true direction it falls short
// by at most 2 · 20 u R |d| + 8 u R |d|. Rotating it back and adding the centre adds 3 √3 u + u.
//
// Adding up at most kMostRound parts and the corner rounds kMostRound times: 8 u R. In total less
// than 64 u R |d|, since the sizes are divided among the parts; and the error of the computed point
// is less than a part of that.
#include "convex/support.h"

#include "convex/scan.h"

namespace touche::convex {
namespace {

/// The supporting point along d, in the part's own frame.
Vec3 round_point(const Round& part, const Vec3& d) {
  const Vec3& size = part.size;
  if (part.kind == Round::Kind::ellipsoid) {
    const Vec3 scaled = size.cwiseProduct(d);
    const double length = scaled.norm();
    if (!(length > 0)) return Vec3::Zero();
    return size.cwiseProduct(scaled) / length;
  }
  const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
  // If d is parallel to the axis, all points of the rim are equally far.
  const double x = across > 1e-140 ? size.x() * (d.x() / across) : size.x();
  const double y = across > 1e-140 ? size.x() * (d.y() / across) : 0;
  if (part.kind == Round::Kind::disc) return {x, y, 0};
  if (size.z() * d.z() >= size.x() * across - size.z() * d.z()) return {0, 0, size.z()};
  return {x, y, -size.z()};
}

}  // namespace

Vec3 round_share(std::span<const Round> parts, const Vec3& direction) {
  Vec3 sum = Vec3::Zero();
  for (const Round& part : parts)
    sum += part.axes * round_point(part, part.axes.transpose() * direction) + part.centre;
  return sum;
}

Supporting supporting(const Body& body, const Vec3& direction) {
  static const FarthestCorner farthest = farthest_corner();
  Supporting s;
  s.corner = body.corners == 1 ? 0 : farthest(body, direction);
  s.point = body.corner(s.corner);
  if (!body.round.empty()) s.point += round_share(body.round, direction);
  return s;
}

}  // namespace touche::convex
