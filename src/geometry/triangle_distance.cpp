// SPDX-License-Identifier: Apache-2.0
// Distance of two triangles: the minimum over nine pairs of edges and six pairs of corner and face.
// Usually one edge pair is proved to be the closest by the slab it spans (as in PQP, Larsen et al.
// 1999) and the rest is skipped.
#include <cmath>

#include "geometry/point_triangle.h"
#include "geometry/segment_pair.h"
#include "geometry/triangle_pair.h"
#include "math/rounding.h"

namespace touche::geometry {

namespace {

/// Both triangles relative to a corner of a, at a scale where no product overflows or underflows.
struct Pair {
  Triangle a, b;
  Vec3 origin;
  double scale = 1;  // a power of two
  double size2 = 0;  // squared bound of all local points' distances from the origin

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

/// The closest points found so far.
struct Best {
  double distance2 = kInfinity;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  FeatureKind kind_a = FeatureKind::vertex, kind_b = FeatureKind::vertex;
  int local_a = 0, local_b = 0;
};

struct Place {
  FeatureKind kind;
  int local;
};

/// The feature at parameter s of edge k: an end of the edge is a corner.
Place place_on_edge(int k, double s) {
  if (s <= 0) return {FeatureKind::vertex, k};
  if (s >= 1) return {FeatureKind::vertex, (k + 1) % 3};
  return {FeatureKind::edge, k};
}

/// The edges of a triangle as arrays, for arithmetic on all at once. The fourth repeats the first.
struct Edges {
  using Numbers = Eigen::Array4d;
  Numbers px, py, pz, ux, uy, uz;  // start, direction
  Numbers length2, per_length2;    // the latter 0 for an edge of length zero

  explicit Edges(const Triangle& t)
      : px(t[0].x(), t[1].x(), t[2].x(), t[0].x()),
        py(t[0].y(), t[1].y(), t[2].y(), t[0].y()),
        pz(t[0].z(), t[1].z(), t[2].z(), t[0].z()),
        ux(px[1] - px[0], px[2] - px[1], px[0] - px[2], px[1] - px[0]),
        uy(py[1] - py[0], py[2] - py[1], py[0] - py[2], py[1] - py[0]),
        uz(pz[1] - pz[0], pz[2] - pz[1], pz[0] - pz[2], pz[1] - pz[0]),
        length2(ux * ux + uy * uy + uz * uz),
        per_length2(1 / length2) {
    for (int k = 0; k < 4; ++k)
      if (!(length2[k] > 1e-280)) per_length2[k] = 0;
  }
  Vec3 start(int k) const { return {px[k], py[k], pz[k]}; }
  Vec3 direction(int k) const { return {ux[k], uy[k], uz[k]}; }
};

/// The closest points of one edge of a and each edge of b, as multiples s and t of the directions.
struct EdgeRow {
  Edges::Numbers s, t, distance2;
};

EdgeRow closest_row(const Edges& a, int i, const Edges& b) {
  using Numbers = Edges::Numbers;
  const double ux = a.ux[i], uy = a.uy[i], uz = a.uz[i];
  const Numbers wx = b.px - a.px[i], wy = b.py - a.py[i], wz = b.pz - a.pz[i];
  const Numbers uv = ux * b.ux + uy * b.uy + uz * b.uz;
  const Numbers uw = ux * wx + uy * wy + uz * wz;
  const Numbers vw = b.ux * wx + b.uy * wy + b.uz * wz;

  // Closest point of the lines, clamped to the edge of a.
  const Numbers product = a.length2[i] * b.length2;
  const Numbers determinant = product - uv * uv;
  EdgeRow row;
  row.s = ((uw * b.length2 - uv * vw) / determinant).min(1).max(0);
  for (int j = 0; j < 3; ++j)
    if (!(determinant[j] > kParallel * product[j]))
      row.s[j] = closest_to_parallel_line(a.direction(i), b.direction(j), b.start(j) - a.start(i));

  // From there the closest point on the edge of b, then the closest to that on the edge of a.
  row.t = ((row.s * uv - vw) * b.per_length2).min(1).max(0);
  row.s = ((row.t * uv + uw) * a.per_length2[i]).min(1).max(0);
  const Numbers x = wx + row.t * b.ux - row.s * ux, y = wy + row.t * b.uy - row.s * uy,
                z = wz + row.t * b.uz - row.s * uz;
  row.distance2 = x * x + y * y + z * z;
  return row;
}

/// Tests all pairs of edges. Returns true if the pair found is proved to be the closest of all.
bool closest_edges(const Pair& pair, Best& best) {
  const Edges edges_a(pair.a), edges_b(pair.b);
  const EdgeRow rows[3] = {closest_row(edges_a, 0, edges_b), closest_row(edges_a, 1, edges_b),
                           closest_row(edges_a, 2, edges_b)};
  // The minimum is found without branches, which could not be predicted.
  int i = 0, j = 0;
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 3; ++k) {
      const double distance2 = rows[row].distance2[k];
      const bool nearer = distance2 < best.distance2;
      best.distance2 = nearer ? distance2 : best.distance2;
      i = nearer ? row : i;
      j = nearer ? k : j;
    }
  const double s = rows[i].s[j], t = rows[i].t[j];
  const Place on_a = place_on_edge(i, s), on_b = place_on_edge(j, t);
  const Vec3 p = pair.a[i] + s * (pair.a[(i + 1) % 3] - pair.a[i]);
  const Vec3 q = pair.b[j] + t * (pair.b[(j + 1) % 3] - pair.b[j]);
  best = {best.distance2, p, q, on_a.kind, on_b.kind, on_a.local, on_b.local};

  // It is the closest of all if the third corners lie outside the slab between p and q. The
  // direction of a short offset is inaccurate, so a margin is required.
  const Vec3 offset = q - p;
  const double margin =
      best.distance2 > 1e-6 * pair.size2 ? 0 : 64 * math::kUnitRoundoff * pair.size2;
  return (pair.a[(i + 2) % 3] - p).dot(offset) <= -margin &&
         (pair.b[(j + 2) % 3] - q).dot(offset) >= margin;
}

/// `a_for_b`: a's corners in the coordinates of frame_b.
void closest_corners(const Pair& pair, const TriangleFrame& frame_a, const TriangleFrame& frame_b,
                     const Triangle& a_for_b, Best& best) {
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
    if (const auto offset = frame_b.offset(a_for_b[k]);
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

/// A point where edge k of `t` crosses the plane of `frame` inside the triangle: at s on the edge,
/// with the corresponding point of the face.
struct Crossing {
  int edge;
  double s;
  Vec3 on_edge, on_face;
  double distance2 = kInfinity;
};

/// The heights of the corners of each triangle above the plane of the other one.
struct Heights {
  std::array<double, 3> of_a, of_b;
};

/// Calls visit(k, s, x) for each edge k of `t` that crosses the plane: at parameter s, in the point
/// x. `height` are the corners' heights above the plane.
template <class Visit>
void for_crossings(const Triangle& t, const std::array<double, 3>& height, const Visit& visit) {
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double height_p = height[k], height_q = height[next];
    if (height_p == height_q || (height_p > 0) == (height_q > 0)) continue;
    const double s = height_p / (height_p - height_q);
    visit(k, s, Vec3(t[k] + s * (t[next] - t[k])));
  }
}

Crossing best_crossing(const Triangle& t, const std::array<double, 3>& height,
                       const TriangleFrame& frame) {
  Crossing best{};
  for_crossings(t, height, [&](int k, double s, const Vec3& x) {
    if (const auto offset = frame.offset(x); offset && offset->squaredNorm() < best.distance2)
      best = {k, s, x, x - *offset, offset->squaredNorm()};
  });
  return best;
}

/// For triangles that pierce each other without corners or edges being near.
void closest_crossing(const Pair& pair, const TriangleFrame& frame_a, const TriangleFrame& frame_b,
                      const Heights& heights, Best& best) {
  if (const Crossing c = best_crossing(pair.a, heights.of_a, frame_b);
      c.distance2 < best.distance2) {
    const Place place = place_on_edge(c.edge, c.s);
    best = {c.distance2, c.on_edge, c.on_face, place.kind, FeatureKind::face, place.local, 0};
  }
  if (const Crossing c = best_crossing(pair.b, heights.of_b, frame_a);
      c.distance2 < best.distance2) {
    const Place place = place_on_edge(c.edge, c.s);
    best = {c.distance2, c.on_face, c.on_edge, FeatureKind::face, place.kind, 0, place.local};
  }
}

/// Whether it is clear that no corner or edge of one triangle is near one of the other: all corners
/// are far above or below the other's plane, and a's edges cross the plane of b far
/// from b's border. Never true for slivers.
///
/// Let L be the size, and let `near` mean within 64 rounding errors of it. A point of an edge of a
/// that is near an edge of b is equally near to b's plane. As the ends of its edge are kClear L
/// above and below that plane, it is no farther than 64 u L / kClear = 7e-9 L from where the edge
/// passes through. b's border is farther away than that by far more than the rounding error.
bool only_pierce(const Pair& pair, const TriangleFrame& frame_a, const TriangleFrame& frame_b,
                 const Heights& heights) {
  constexpr double kClear = 1e-6, kThick = 1e-3;
  const double size = std::sqrt(pair.size2), altitude_b = frame_b.least_altitude();
  if (!(frame_a.least_altitude() > kThick * size && altitude_b > kThick * size)) return false;
  const double low_a = kClear * size * frame_b.normal().norm(),
               low_b = kClear * size * frame_a.normal().norm();
  bool clear = true;
  for (const double height : heights.of_a) clear = clear && std::abs(height) > low_a;
  for (const double height : heights.of_b) clear = clear && std::abs(height) > low_b;
  if (!clear) return false;
  bool crosses = false;
  for_crossings(pair.a, heights.of_a, [&](int, double, const Vec3& x) {
    crosses = true;
    clear = clear && frame_b.from_border(x) * altitude_b > kClear * size;
  });
  return crosses && clear;
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

ClosestPoints closest_apart(const Triangle& a, const Triangle& b) {
  const Pair pair(a, b);
  Best best;
  if (closest_edges(pair, best)) return to_global(pair, best);
  // Each face is represented relative to its own corner, so that a corner's distance from it
  // depends on nothing else, to the last digit: triangles that share the corner are equally far
  // from the face.
  const auto from_b = [&](const Triangle& t) -> Triangle {
    return {pair.scale * (t[0] - b[0]), pair.scale * (t[1] - b[0]), pair.scale * (t[2] - b[0])};
  };
  closest_corners(pair, TriangleFrame(pair.a), TriangleFrame(from_b(b)), from_b(a), best);
  ClosestPoints result = to_global(pair, best);
  // Zero is reserved for contact, also if the gap is lost in rounding.
  result.distance = std::max(result.distance, std::numeric_limits<double>::min());
  return result;
}

/// Returns a touching corner or edge; if there is none, an edge that pierces a face.
ClosestPoints closest_touching(const Triangle& a, const Triangle& b) {
  const Pair pair(a, b);
  const TriangleFrame frame_a(pair.a), frame_b(pair.b);
  const Heights heights{frame_b.heights(pair.a), frame_a.heights(pair.b)};
  Best best;
  if (!only_pierce(pair, frame_a, frame_b, heights)) {
    (void)closest_edges(pair, best);
    closest_corners(pair, frame_a, frame_b, pair.a, best);
  }
  constexpr double kNear = 64 * math::kUnitRoundoff;
  if (best.distance2 > kNear * kNear * pair.size2)
    closest_crossing(pair, frame_a, frame_b, heights, best);
  best.point_a = best.point_b = 0.5 * (best.point_a + best.point_b);
  best.distance2 = 0;
  return to_global(pair, best);
}

}  // namespace

ClosestPoints closest_points(const Triangle& a, const Triangle& b) {
  return !boxes_disjoint(a, b) && triangles_intersect(a, b) ? closest_touching(a, b)
                                                            : closest_apart(a, b);
}

ClosestPoints closest_points_apart(const Triangle& a, const Triangle& b) {
  return closest_apart(a, b);
}

ClosestPoints closest_points_touching(const Triangle& a, const Triangle& b) {
  return closest_touching(a, b);
}

}  // namespace touche::geometry
