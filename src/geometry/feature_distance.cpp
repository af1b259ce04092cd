// SPDX-License-Identifier: Apache-2.0
// touche/distance.h: scales coordinates to the range of exact arithmetic and calls the region
// tests.
#include "geometry/feature_distance.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <tuple>

#include "geometry/region_pair.h"
#include "geometry/triangle_pair.h"

namespace touche::geometry {

namespace {

/// Powers of two by which the input is scaled. Usually no scaling is needed.
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
        finite = finite && size < kInfinity;  // false for NaN
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

/// Corners are scaled together with everything else. A direction is scaled by itself, because its
/// length does not matter.
auto corners_of(Vec3& p) { return std::tie(p); }
auto corners_of(Segment& s) { return std::tie(s.start, s.end); }
auto corners_of(Ray& r) { return std::tie(r.origin); }
auto corners_of(Line& l) { return std::tie(l.origin); }
auto corners_of(Triangle& t) { return std::tie(t[0], t[1], t[2]); }
auto corners_of(Rectangle& r) { return std::tie(r.corner, r.side_u, r.side_v); }
template <class Shape>
void scale_direction(Shape& s) {
  if constexpr (requires { s.direction; }) static_cast<void>(RegionScale(s.direction));
}

void make(RegionShape<1>& s, const Vec3& p) { make_point(s, p); }
void make(RegionShape<1>& s, const Segment& t) { make_segment(s, t.start, t.end); }
void make(RegionShape<1>& s, const Ray& r) { make_ray(s, r.origin, r.direction, false); }
void make(RegionShape<1>& s, const Line& l) { make_ray(s, l.origin, l.direction, true); }
void make(RegionShape<1>& s, const Triangle& t) { make_triangle(s, t); }
void make(RegionShape<3>& s, const Rectangle& r) { make_rectangle(s, r); }
void make(RegionShape<3>& s, const Vec3& p) {
  s.corner(0, {p, Vec3::Zero(), Vec3::Zero()}, nullptr, nullptr);
}

/// If triangles are apart, the regions found by closest_points() are nearly always the right ones.
std::optional<RegionGuess> likely_regions(const Triangle& a, const Triangle& b) {
  const ClosestPoints closest = closest_points(a, b);
  if (!(closest.distance > 0)) return std::nullopt;
  const auto number = [](FeatureKind kind, int local) {
    return kind == FeatureKind::vertex ? local : kind == FeatureKind::edge ? 3 + local : 6;
  };
  return RegionGuess{number(closest.kind_a, closest.local_a),
                     number(closest.kind_b, closest.local_b)};
}

template <class A, class B>
RegionDistance ask(A a, B b, const RegionGuess* guess = nullptr) {
  scale_direction(a);
  scale_direction(b);
  const RegionScale scale = std::apply([](auto&... corner) { return RegionScale(corner...); },
                                       std::tuple_cat(corners_of(a), corners_of(b)));
  RegionShape<std::same_as<B, Rectangle> ? 3 : 1> shape_a, shape_b;
  make(shape_a, a);
  make(shape_b, b);
  std::optional<RegionGuess> own;
  if constexpr (std::same_as<A, Triangle> && std::same_as<B, Triangle>)
    if (guess == nullptr) own = likely_regions(a, b);
  return scale.back(closest_regions(shape_a, shape_b, own ? &*own : guess));
}

/// Exact test, for directions that were scaled by scale_direction.
bool parallel(const Vec3& a, const Vec3& b) {
  const Difference u = difference(a, Vec3::Zero()), v = difference(b, Vec3::Zero());
  for (int k = 0; k < 3; ++k) {
    const Difference axis = difference(Vec3::Unit(k), Vec3::Zero());
    if (triple_sign(axis, u, v) != 0) return false;
  }
  return true;
}

}  // namespace

RegionDistance guessed_distance(const Vec3& a, const Segment& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Vec3& a, const Triangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Vec3& a, const Rectangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Segment& a, const Segment& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Line& a, const Triangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Ray& a, const Triangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Segment& a, const Triangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Triangle& a, const Triangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}
RegionDistance guessed_distance(const Rectangle& a, const Rectangle& b, const RegionGuess& guess) {
  return ask(a, b, &guess);
}

}  // namespace touche::geometry

namespace touche {

RegionDistance point_line_distance(const Vec3& a, const Line& b) { return geometry::ask(a, b); }
RegionDistance point_ray_distance(const Vec3& a, const Ray& b) { return geometry::ask(a, b); }
RegionDistance point_segment_distance(const Vec3& a, const Segment& b) {
  return geometry::ask(a, b);
}
RegionDistance point_triangle_distance(const Vec3& a, const Triangle& b) {
  return geometry::ask(a, b);
}
RegionDistance point_rectangle_distance(const Vec3& a, const Rectangle& b) {
  return geometry::ask(a, b);
}

/// The only regions of two lines are their edges, which determine points only if they are not
/// parallel. (All other pairs have a region with a corner in that case: see the top of
/// region_pair.cpp.)
RegionDistance line_line_distance(const Line& a, const Line& b) {
  Vec3 u = a.direction, v = b.direction;
  geometry::RegionScale only_u(u), only_v(v);
  if (u == Vec3::Zero() || v == Vec3::Zero() || !geometry::parallel(u, v))
    return geometry::ask(a, b);
  RegionDistance found = geometry::ask(a.origin, b);
  found.region_a = {FeatureKind::edge, 0};
  return found;
}
RegionDistance line_ray_distance(const Line& a, const Ray& b) { return geometry::ask(a, b); }
RegionDistance line_segment_distance(const Line& a, const Segment& b) {
  return geometry::ask(a, b);
}
RegionDistance ray_ray_distance(const Ray& a, const Ray& b) { return geometry::ask(a, b); }
RegionDistance ray_segment_distance(const Ray& a, const Segment& b) { return geometry::ask(a, b); }
RegionDistance segment_segment_distance(const Segment& a, const Segment& b) {
  return geometry::ask(a, b);
}

RegionDistance line_triangle_distance(const Line& a, const Triangle& b) {
  return geometry::ask(a, b);
}
RegionDistance ray_triangle_distance(const Ray& a, const Triangle& b) {
  return geometry::ask(a, b);
}
RegionDistance segment_triangle_distance(const Segment& a, const Triangle& b) {
  return geometry::ask(a, b);
}
RegionDistance triangle_triangle_distance(const Triangle& a, const Triangle& b) {
  return geometry::ask(a, b);
}
RegionDistance rectangle_rectangle_distance(const Rectangle& a, const Rectangle& b) {
  return geometry::ask(a, b);
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
