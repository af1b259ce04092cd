// SPDX-License-Identifier: Apache-2.0
#include "shape/point_gap.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "convex/gjk.h"
#include "shape/shape_data.h"

namespace touche::shape {

PointGap point_gap(const Shape& shape, const Vec3& x) {
  PointGap gap;
  if (shape.kind() == ShapeKind::half_space) {
    const HalfSpace& h = base::data_of(shape).half_space;
    const double height = h.normal.dot(x) - h.offset;
    const double error = 16 * math::kUnitRoundoff * (x.lpNorm<1>() + std::abs(h.offset));
    gap.normal = h.normal;
    gap.lower = height - error;
    gap.distance = std::max(height, 0.0);
    gap.offset = gap.distance * h.normal;
    return gap;
  }
  constexpr std::array<double, convex::kBlock> kZeros = {};
  convex::Body point;
  point.x = point.y = point.z = kZeros.data();
  point.corners = 1, point.padded = convex::kBlock;
  convex::RigidTransform place;
  place.translation = x;
  const convex::Separation s =
      convex::separation({body_of(shape), point, place, convex::placed_error(point, place)});
  gap.normal = s.direction;
  gap.lower = s.lower;
  if (!(s.lower > 0)) return gap;
  gap.distance = std::max(s.upper, 0.0);
  gap.offset = x - s.point_a;
  return gap;
}

double size_of(const Shape& shape) {
  const Shape::Data& data = base::data_of(shape);
  return data.kind == ShapeKind::half_space ? std::abs(data.half_space.offset)
                                            : data.body.reach + data.body.radius;
}

}  // namespace touche::shape
