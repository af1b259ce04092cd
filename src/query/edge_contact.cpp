// SPDX-License-Identifier: Apache-2.0
#include "query/edge_contact.h"

#include <algorithm>

#include "math/rounding.h"

namespace touche::query {

Vec3 edge_normal(const Segment& a, const Segment& b, const RegionDistance& closest) {
  if (closest.distance > 0)
    if (Vec3 between = math::unit_or_zero(closest.point_b - closest.point_a); !between.isZero(0))
      return between;
  Vec3 best = Vec3::UnitX();
  double least = kInfinity;
  for (const Segment* edge : {&a, &b}) {
    const Vec3 along = edge->end - edge->start;
    const Vec3 across = math::unit_or_zero(Vec3(-along.y(), along.x(), 0));
    if (across.isZero(0)) continue;
    for (const Vec3& n : {across, Vec3(-across)}) {
      const double shift = std::max(n.dot(a.start - b.start), n.dot(a.end - b.start)) +
                           std::max(0.0, n.dot(b.start - b.end));
      if (shift < least) least = shift, best = n;
    }
  }
  return best;
}

}  // namespace touche::query
