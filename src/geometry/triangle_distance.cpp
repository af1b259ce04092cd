// SPDX-License-Identifier: Apache-2.0
// Distance of two triangles: the least of nine pairs of edges and six pairs of corner and face.
// Mostly one edge pair is proved to be the closest by the slab it spans (as in PQP, Larsen et al.
// 1999) and the rest is not looked at.
#include <cmath>

#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"
#include "geometry/triangle_pair.h"

namespace touche {

namespace {

constexpr double kEpsilon = 0x1p-52;

/// Both triangles as seen from a corner of a, at a scale where no product over- or underflows.
struct Pair {
  Triangle a, b;
  Vec3 origin;
  double scale = 1;  // a power of two
  double size2 = 0;  // no local point is farther from the origin than its square root

  Pair(const Triangle& global_a, const Triangle& global_b) : origin(global_a[0]) {
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
      a[k] = global_a[k] - origin;
      b[k] = global_b[k] - origin;
      largest = std::max({largest, a[k].cwiseAbs().maxCoeff(), b[k].cwiseAbs().maxCoeff()});
    }
    if (largest > 0 && !(largest > 0x1p-60 && largest < 0x1p60)) {
      scale = std::ldexp(1.0, -std::ilogb(largest));
      for (int k = 0; k < 3; ++k) {
        a[k] *= scale;
        b[k] *= scale;
      }
      largest *= scale;
    }
    size2 = 3 * largest * largest;
  }
};

/// The closest places found so far.
struct Best {
  double distance2 = kInfinity;
  Vec3 point_a, point_b;
  FeatureKind kind_a, kind_b;
  int local_a, local_b;
};

struct Place {
  FeatureKind kind;
  int local;
};

/// Place s on edge k: an end of the edge is a corner.
Place place_on_edge(int k, double s) {
  if (s <= 0) return {FeatureKind::vertex, k};
  if (s >= 1) return {FeatureKind::vertex, (k + 1) % 3};
  return {FeatureKind::edge, k};
}

/// All pairs of edges. Returns true when the pair found is proved to be the closest of all.
bool closest_edges(const Pair& pair, Best& best) {
  const auto edges = [](const Triangle& t) {
    return std::array{SegmentDirection(t[1] - t[0]), SegmentDirection(t[2] - t[1]),
                      SegmentDirection(t[0] - t[2])};
  };
  const auto edge_a = edges(pair.a), edge_b = edges(pair.b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto [s, t] = closest_on_segments(edge_a[i], edge_b[j], pair.b[j] - pair.a[i]);
      const Vec3 p = pair.a[i] + s * edge_a[i].u, q = pair.b[j] + t * edge_b[j].u;
      const Vec3 offset = q - p;
      const double distance2 = offset.squaredNorm();
      if (!(distance2 < best.distance2)) continue;
      const Place on_a = place_on_edge(i, s), on_b = place_on_edge(j, t);
      best = {distance2, p, q, on_a.kind, on_b.kind, on_a.local, on_b.local};

      // Closest of all if the third corners lie outside the slab between p and q. The direction
      // of a short offset is uncertain, so that it must be by a margin.
      const double margin = distance2 > 1e-6 * pair.size2 ? 0 : 32 * kEpsilon * pair.size2;
      if ((pair.a[(i + 2) % 3] - p).dot(offset) <= -margin &&
          (pair.b[(j + 2) % 3] - q).dot(offset) >= margin)
        return true;
    }
  }
  return false;
}

void closest_corners(const Pair& pair, const TriangleFrame& frame_a, const TriangleFrame& frame_b,
                     Best& best) {
  for (int k = 0; k < 3; ++k) {
    if (const auto offset = frame_a.offset(pair.b[k]);
        offset && offset->squaredNorm() < best.distance2)
      best = {offset->squaredNorm(),
              pair.b[k] - *offset,
              pair.b[k],
              FeatureKind::face,
              FeatureKind::vertex,
              0,
              k};
    if (const auto offset = frame_b.offset(pair.a[k]);
        offset && offset->squaredNorm() < best.distance2)
      best = {offset->squaredNorm(),
              pair.a[k],
              pair.a[k] - *offset,
              FeatureKind::vertex,
              FeatureKind::face,
              k,
              0};
  }
}

/// Where edge k of `t` passes through the plane of `frame`, if inside: a place s on the edge and
/// the point of the face next to it.
struct Crossing {
  int edge;
  double s;
  Vec3 on_edge, on_face;
  double distance2 = kInfinity;
};

Crossing best_crossing(const Triangle& t, const TriangleFrame& frame) {
  Crossing best{};
  for (int k = 0; k < 3; ++k) {
    const Vec3 &p = t[k], &q = t[(k + 1) % 3];
    const double height_p = frame.height(p), height_q = frame.height(q);
    if (height_p == height_q || (height_p > 0) == (height_q > 0)) continue;
    const double s = height_p / (height_p - height_q);
    const Vec3 x = p + s * (q - p);
    if (const auto offset = frame.offset(x); offset && offset->squaredNorm() < best.distance2)
      best = {k, s, x, x - *offset, offset->squaredNorm()};
  }
  return best;
}

/// For triangles that pierce each other without corners or edges being near.
void closest_crossing(const Pair& pair, const TriangleFrame& frame_a, const TriangleFrame& frame_b,
                      Best& best) {
  if (const Crossing c = best_crossing(pair.a, frame_b); c.distance2 < best.distance2) {
    const Place place = place_on_edge(c.edge, c.s);
    best = {c.distance2, c.on_edge, c.on_face, place.kind, FeatureKind::face, place.local, 0};
  }
  if (const Crossing c = best_crossing(pair.b, frame_a); c.distance2 < best.distance2) {
    const Place place = place_on_edge(c.edge, c.s);
    best = {c.distance2, c.on_face, c.on_edge, FeatureKind::face, place.kind, 0, place.local};
  }
}

ClosestPoints to_global(const Pair& pair, const Best& best) {
  ClosestPoints result;
  result.distance = std::sqrt(best.distance2) / pair.scale;
  result.point_a = pair.origin + best.point_a / pair.scale;
  result.point_b = pair.origin + best.point_b / pair.scale;
  result.kind_a = best.kind_a;
  result.kind_b = best.kind_b;
  result.local_a = best.local_a;
  result.local_b = best.local_b;
  return result;
}

}  // namespace

ClosestPoints closest_points(const Triangle& a, const Triangle& b) {
  const Pair pair(a, b);
  Best best;
  const bool touching = !boxes_disjoint(a, b) && triangles_intersect(a, b);
  if (closest_edges(pair, best) && !touching) return to_global(pair, best);

  const TriangleFrame frame_a(pair.a), frame_b(pair.b);
  closest_corners(pair, frame_a, frame_b, best);
  if (!touching) {
    ClosestPoints result = to_global(pair, best);
    // Zero is reserved for contact, also where the gap is lost in rounding.
    result.distance = std::max(result.distance, std::numeric_limits<double>::min());
    return result;
  }

  // Name a corner or edge that touches; if there is none, an edge that pierces a face.
  constexpr double kNear = 32 * kEpsilon;
  if (best.distance2 > kNear * kNear * pair.size2) closest_crossing(pair, frame_a, frame_b, best);
  best.point_a = best.point_b = 0.5 * (best.point_a + best.point_b);
  best.distance2 = 0;
  return to_global(pair, best);
}

}  // namespace touche
