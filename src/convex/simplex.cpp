// SPDX-License-Identifier: Apache-2.0
// Signed areas and volumes as in Montanari, Petrinic, Barbieri, Improving the GJK algorithm for
// faster and more reliable distance queries between convex objects (2017), but of cross products of
// the vertices themselves, which keep their digits where the origin is near.
#include "convex/simplex.h"

#include <cmath>

namespace touche::convex {
namespace {

/// A face of a simplex: vertices with shares, and the point.
struct Nearest {
  double distance2 = kInfinity;
  Vec3 point = Vec3::Zero();
  int size = 0;
  std::array<int, 3> vertex = {};
  std::array<double, 3> share = {};

  /// Whether a point is nearer than this one; it becomes this one's then.
  bool takes(const Vec3& p, int n) {
    const double p2 = p.squaredNorm();
    if (!(p2 < distance2)) return false;
    distance2 = p2, point = p, size = n;
    return true;
  }
};

void look_at_point(const Simplex& s, int i, Nearest& best) {
  if (!best.takes(s.vertex(i).w, 1)) return;
  best.vertex[0] = i, best.share[0] = 1;
}

void look_at_segment(const Simplex& s, int i, int j, Nearest& best) {
  const Vec3 &p = s.vertex(i).w, &q = s.vertex(j).w;
  const Vec3 e = q - p;
  const double from_p = -p.dot(e), from_q = q.dot(e);
  if (!(from_p > 0)) return look_at_point(s, i, best);
  if (!(from_q > 0)) return look_at_point(s, j, best);
  const double one = 1 / (from_p + from_q);
  if (!best.takes(e.cross(p.cross(e)) * one, 2)) return;
  best.vertex[0] = i, best.vertex[1] = j;
  best.share[0] = from_q * one, best.share[1] = from_p * one;
}

/// With k the vertex that came last: where rounding leaves a choice, it stays.
void look_at_triangle(const Simplex& s, int i, int j, int k, Nearest& best) {
  const Vec3 &p = s.vertex(i).w, &q = s.vertex(j).w, &r = s.vertex(k).w;
  const Vec3 n = (q - p).cross(r - p);
  const double at_p = n.dot(q.cross(r)), at_q = n.dot(r.cross(p)), at_r = n.dot(p.cross(q));
  const double n2 = n.squaredNorm();
  const bool flat = !(n2 > 1e-290);
  if (!flat && at_p > 0 && at_q > 0 && at_r > 0) {
    const double one = 1 / n2, all = 1 / (at_p + at_q + at_r);
    if (!best.takes(n * (n.dot(r) * one), 3)) return;
    best.vertex = {i, j, k};
    best.share = {at_p * all, at_q * all, at_r * all};
    return;
  }
  // Beyond the edges that the origin sees from outside; all of them where the triangle has no area.
  if (flat || !(at_p > 0)) look_at_segment(s, j, k, best);
  if (flat || !(at_q > 0)) look_at_segment(s, i, k, best);
  if (flat || !(at_r > 0)) look_at_segment(s, i, j, best);
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

/// Six times the signed volumes of the origin with each face, the face left out named by its
/// vertex.
std::array<double, 4> volumes(const Simplex& s) {
  const Vec3 &a = s.vertex(0).w, &b = s.vertex(1).w, &c = s.vertex(2).w, &d = s.vertex(3).w;
  return {determinant(b, c, d), -determinant(a, c, d), determinant(a, b, d), -determinant(a, b, c)};
}

constexpr int kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

void keep(Simplex& s, const Nearest& n) {
  const std::array<std::uint8_t, 4> at = s.at;
  s.size = n.size;
  for (int i = 0; i < n.size; ++i) {
    s.at[i] = at[n.vertex[i]];
    s.share[i] = n.share[i];
  }
}

}  // namespace

Vec3 nearest_of(Simplex& simplex) {
  Nearest best;
  switch (simplex.size) {
    case 1:
      look_at_point(simplex, 0, best);
      break;
    case 2:
      look_at_segment(simplex, 0, 1, best);
      break;
    case 3:
      look_at_triangle(simplex, 0, 1, 2, best);
      break;
    default: {
      const std::array<double, 4> volume = volumes(simplex);
      const double all = (volume[0] + volume[1]) + (volume[2] + volume[3]);
      bool inside = true;
      for (int k = 0; k < 4; ++k) {
        if ((all > 0 && volume[k] > 0) || (all < 0 && volume[k] < 0)) continue;
        inside = false;
        look_at_triangle(simplex, kFace[k][0], kFace[k][1], kFace[k][2], best);
      }
      if (inside) {
        for (int k = 0; k < 4; ++k) simplex.share[k] = volume[k] / all;
        return Vec3::Zero();
      }
    }
  }
  keep(simplex, best);
  return best.point;
}

// A determinant of vectors of length up to L in double precision is off by less than 16 u L³: 3 u
// for each of its six products, which add up to at most 2.5 L³ in magnitude. The normal's length
// enters as a factor near 1.
double depth_inside(const Simplex& s) {
  const std::array<double, 4> volume = volumes(s);
  double largest = 0;
  for (int k = 0; k < 4; ++k) largest = std::max(largest, s.vertex(k).w.lpNorm<1>());
  const double error = 32 * kUnitRoundoff * largest * largest * largest + kUnderflow;
  const double sign = volume[0] > 0 ? 1 : -1;
  double least = kInfinity;
  for (int k = 0; k < 4; ++k) {
    if (!(sign * volume[k] > error)) return 0;
    const Vec3 &p = s.vertex(kFace[k][0]).w, &q = s.vertex(kFace[k][1]).w,
               &r = s.vertex(kFace[k][2]).w;
    // The normal is off by less than 32 u of the largest area there can be.
    const double area =
        (q - p).cross(r - p).norm() * kRoundUp + 32 * kUnitRoundoff * largest * largest;
    least = std::min(least, (sign * volume[k] - error) / area);
  }
  return least * kRoundDown;
}

}  // namespace touche::convex
