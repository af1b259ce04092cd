// SPDX-License-Identifier: Apache-2.0
// touche/distance.h: brings coordinates to where exact arithmetic works, and asks.
#include "geometry/feature_distance.h"

#include <cmath>

#include "geometry/region_pair.h"
#include "geometry/triangle_pair.h"

namespace touche {

namespace {

/// Powers of two by which a question is scaled. Mostly it need not be.
class RegionScale {
 public:
  /// Scales these vectors in place.
  template <class... Vectors>
  explicit RegionScale(Vectors&... vectors) {
    double most = 0, least = kInfinity;
    bool finite = true;
    const auto look = [&](const Vec3& v) {
      for (int k = 0; k < 3; ++k) {
        const double size = std::abs(v[k]);
        finite = finite && size < kInfinity;  // false for what is no number
        most = std::max(most, size);
        if (size > 0) least = std::min(least, size);
      }
    };
    (look(vectors), ...);
    if (!finite) throw InvalidInput("distance: a coordinate is not finite");
    if (most < 0x1p201 && least >= 0x1p-200) return;
    if (most == 0) return;
    power_ = 200 - std::ilogb(most);
    const auto bring = [&](Vec3& v) {
      for (int k = 0; k < 3; ++k) {
        v[k] = std::ldexp(v[k], power_);
        if (std::abs(v[k]) < 0x1p-200) v[k] = 0;
      }
    };
    (bring(vectors), ...);
  }

  RegionDistance back(RegionDistance found) const {
    if (power_ == 0) return found;
    found.distance = back(found.distance);
    for (int k = 0; k < 3; ++k) {
      found.point_a[k] = std::ldexp(found.point_a[k], -power_);
      found.point_b[k] = std::ldexp(found.point_b[k], -power_);
    }
    return found;
  }

 private:
  double back(double distance) const {
    const double scaled = std::ldexp(distance, -power_);
    return distance > 0 ? std::max(scaled, std::numeric_limits<double>::min()) : scaled;
  }
  int power_ = 0;
};

/// The length of a direction does not count.
void scale_direction(Vec3& u) { RegionScale only_its_own(u); }

RegionDistance of_point_triangle(Vec3 p, Triangle t, const RegionGuess* guess) {
  const RegionScale scale(p, t[0], t[1], t[2]);
  RegionShape<1> shape_a, shape_b;
  make_point(shape_a, p);
  make_triangle(shape_b, t);
  return scale.back(closest_regions(shape_a, shape_b, guess));
}

RegionDistance of_segments(Segment s, Segment t, const RegionGuess* guess) {
  const RegionScale scale(s.start, s.end, t.start, t.end);
  RegionShape<1> shape_a, shape_b;
  make_segment(shape_a, s.start, s.end);
  make_segment(shape_b, t.start, t.end);
  return scale.back(closest_regions(shape_a, shape_b, guess));
}

/// The regions that closest_points() tells are nearly always right where the triangles are apart.
RegionDistance of_triangles(Triangle s, Triangle t, const RegionGuess* guess) {
  const RegionScale scale(s[0], s[1], s[2], t[0], t[1], t[2]);
  RegionShape<1> shape_a, shape_b;
  make_triangle(shape_a, s);
  make_triangle(shape_b, t);
  if (guess) return scale.back(closest_regions(shape_a, shape_b, guess));
  const ClosestPoints closest = closest_points(s, t);
  const auto number = [](FeatureKind kind, int local) {
    return kind == FeatureKind::vertex ? local : kind == FeatureKind::edge ? 3 + local : 6;
  };
  const RegionGuess own = {number(closest.kind_a, closest.local_a),
                           number(closest.kind_b, closest.local_b)};
  return scale.back(closest_regions(shape_a, shape_b, closest.distance > 0 ? &own : nullptr));
}

}  // namespace

RegionDistance guessed_distance(const Vec3& a, const Triangle& b, const RegionGuess& guess) {
  return of_point_triangle(a, b, &guess);
}
RegionDistance guessed_distance(const Segment& a, const Segment& b, const RegionGuess& guess) {
  return of_segments(a, b, &guess);
}
RegionDistance guessed_distance(const Triangle& a, const Triangle& b, const RegionGuess& guess) {
  return of_triangles(a, b, &guess);
}

RegionDistance point_triangle_distance(const Vec3& a, const Triangle& b) {
  return of_point_triangle(a, b, nullptr);
}
RegionDistance segment_segment_distance(const Segment& a, const Segment& b) {
  return of_segments(a, b, nullptr);
}
RegionDistance triangle_triangle_distance(const Triangle& a, const Triangle& b) {
  return of_triangles(a, b, nullptr);
}

RegionDistance point_segment_distance(const Vec3& a, const Segment& b) {
  Vec3 p = a;
  Segment s = b;
  const RegionScale scale(p, s.start, s.end);
  RegionShape<1> shape_a, shape_b;
  make_point(shape_a, p);
  make_segment(shape_b, s.start, s.end);
  return scale.back(closest_regions(shape_a, shape_b));
}

RegionDistance point_rectangle_distance(const Vec3& a, const Rectangle& b) {
  Vec3 p = a;
  Rectangle r = b;
  const RegionScale scale(p, r.corner, r.side_u, r.side_v);
  RegionShape<3> shape_a, shape_b;
  shape_a.corner(0, {p, Vec3::Zero(), Vec3::Zero()}, nullptr, nullptr);
  make_rectangle(shape_b, r);
  return scale.back(closest_regions(shape_a, shape_b));
}

RegionDistance line_triangle_distance(const Line& a, const Triangle& b) {
  Line l = a;
  Triangle t = b;
  scale_direction(l.direction);
  const RegionScale scale(l.origin, t[0], t[1], t[2]);
  RegionShape<1> shape_a, shape_b;
  make_ray(shape_a, l.origin, l.direction, true);
  make_triangle(shape_b, t);
  return scale.back(closest_regions(shape_a, shape_b));
}

RegionDistance ray_triangle_distance(const Ray& a, const Triangle& b) {
  Ray r = a;
  Triangle t = b;
  scale_direction(r.direction);
  const RegionScale scale(r.origin, t[0], t[1], t[2]);
  RegionShape<1> shape_a, shape_b;
  make_ray(shape_a, r.origin, r.direction, false);
  make_triangle(shape_b, t);
  return scale.back(closest_regions(shape_a, shape_b));
}

RegionDistance segment_triangle_distance(const Segment& a, const Triangle& b) {
  Segment s = a;
  Triangle t = b;
  const RegionScale scale(s.start, s.end, t[0], t[1], t[2]);
  RegionShape<1> shape_a, shape_b;
  make_segment(shape_a, s.start, s.end);
  make_triangle(shape_b, t);
  return scale.back(closest_regions(shape_a, shape_b));
}

RegionDistance rectangle_rectangle_distance(const Rectangle& a, const Rectangle& b) {
  Rectangle r = a, q = b;
  const RegionScale scale(r.corner, r.side_u, r.side_v, q.corner, q.side_u, q.side_v);
  RegionShape<3> shape_a, shape_b;
  make_rectangle(shape_a, r);
  make_rectangle(shape_b, q);
  return scale.back(closest_regions(shape_a, shape_b));
}

BoxDistance point_box_distance(const Vec3& a, const Aabb& b) {
  if (!a.allFinite() || !b.lo.allFinite() || !b.hi.allFinite())
    throw InvalidInput("distance: a coordinate is not finite");
  if (b.empty()) throw InvalidInput("distance: an empty box");
  BoxDistance found;
  for (int k = 0; k < 3; ++k) {
    found.region[static_cast<std::size_t>(k)] = a[k] <= b.lo[k] ? -1 : a[k] >= b.hi[k] ? 1 : 0;
    found.point_b[k] = std::clamp(a[k], b.lo[k], b.hi[k]);
  }
  found.distance = (a - found.point_b).stableNorm();
  return found;
}

}  // namespace touche
