// SPDX-License-Identifier: Apache-2.0
// Signed areas and volumes as in Montanari, Petrinic, Barbieri, Improving the GJK algorithm for
// faster and more reliable distance queries between convex objects (2017), but of cross products of
// the vertices themselves, which keep their digits where the origin is near.
#include "convex/simplex.h"

#include <cmath>

#include "convex/three.h"

namespace touche::convex {
namespace {

/// Of the simplex's vertex i.
[[gnu::always_inline]] inline Three w_of(const Simplex& s, int i) {
  const auto at = static_cast<std::size_t>(s.at[static_cast<std::size_t>(i)]);
  return {s.x[at], s.y[at], s.z[at]};
}

/// Six times the signed volumes of the origin with each face, the face left out named by its
/// vertex.
[[gnu::always_inline]] inline std::array<double, 4> volumes(const Simplex& s) {
  const Three a = w_of(s, 0), b = w_of(s, 1), c = w_of(s, 2), d = w_of(s, 3);
  const Three ab = cross(a, b), cd = cross(c, d);
  return {dot(b, cd), -dot(a, cd), dot(d, ab), -dot(c, ab)};
}

constexpr std::uint8_t kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/// Faces, edges and vertices that are looked at one by one. All of it is inlined into one function:
/// numbers that stay in registers need not be written and read again, which takes longer than the
/// sums and products.
class NearestSearch {
 public:
  [[gnu::always_inline]] explicit NearestSearch(const Simplex& s) : s_(s) {}

  /// Of vertices i < j < k; leaves its edges and vertices for later, by bits.
  template <int i, int j, int k>
  [[gnu::always_inline]] void look_at_face() {
    const Three p = w(i), q = w(j), r = w(k);
    const Three n = cross(q - p, r - p);
    const double at_p = dot(n, cross(q, r)), at_q = dot(n, cross(r, p)), at_r = dot(n, cross(p, q));
    const double n2 = dot(n, n);
    // Beyond the edges that the origin sees from outside; all of them where the face has no area.
    const bool flat = !(n2 > 1e-290);
    if (both(both(!flat, at_p > 0), both(at_q > 0, at_r > 0))) {
      if (takes(dot(n, r) / n2 * n, 3)) set({i, j, k}, {at_p, at_q, at_r});
      return;
    }
    edges_ |= static_cast<unsigned>(either(flat, !(at_p > 0))) << bit_of(j, k) |
              static_cast<unsigned>(either(flat, !(at_q > 0))) << bit_of(i, k) |
              static_cast<unsigned>(either(flat, !(at_r > 0))) << bit_of(i, j);
  }
  /// Of vertices i < j, if a face has left it.
  template <int i, int j>
  [[gnu::always_inline]] void look_at_edge() {
    if ((edges_ >> bit_of(i, j) & 1u) == 0) return;
    const Three p = w(i), q = w(j), along = q - p;
    const double from_p = -dot(p, along), from_q = dot(q, along);
    if (!(from_p > 0)) {
      vertices_ |= 1u << i;
    } else if (!(from_q > 0)) {
      vertices_ |= 1u << j;
    } else if (takes(1 / (from_p + from_q) * cross(along, cross(p, along)), 2)) {
      set({i, j}, {from_q, from_p});
    }
  }
  template <int i>
  [[gnu::always_inline]] void look_at_vertex() {
    if ((vertices_ >> i & 1u) != 0 && takes(w(i), 1)) set({i}, {1});
  }

  [[gnu::always_inline]] void of_edges_and_vertices() {
    look_at_edge<0, 1>(), look_at_edge<0, 2>(), look_at_edge<1, 2>();
    look_at_edge<0, 3>(), look_at_edge<1, 3>(), look_at_edge<2, 3>();
    look_at_vertex<0>(), look_at_vertex<1>(), look_at_vertex<2>(), look_at_vertex<3>();
  }

  void leave_edge() { edges_ = 1; }
  void leave_vertex() { vertices_ = 1; }

  [[gnu::always_inline]] void tell(Nearest& nearest) const {
    nearest.distance2 = distance2_, nearest.size = size_;
    nearest.point = {point_.x, point_.y, point_.z};
    nearest.vertex = {vertex_[0], vertex_[1], vertex_[2], 0};
    nearest.share = {share_[0], share_[1], share_[2], 0};
  }

 private:
  static constexpr int bit_of(int i, int j) {
    return i == 0 && j == 1 ? 0 : j == 2 ? 1 + i : 3 + i;
  }
  [[gnu::always_inline]] Three w(int i) const { return w_of(s_, i); }

  /// Whether a point is nearer than all before; it becomes the best one then.
  [[gnu::always_inline]] bool takes(const Three& p, int size) {
    const double p2 = dot(p, p);
    if (!(p2 < distance2_)) return false;
    distance2_ = p2, point_ = p, size_ = size;
    return true;
  }
  [[gnu::always_inline]] void set(const std::array<int, 3>& v, const std::array<double, 3>& s) {
    vertex_ = v, share_ = s;
  }

  const Simplex& s_;
  unsigned edges_ = 0, vertices_ = 0;
  double distance2_ = kInfinity;
  Three point_ = {};
  int size_ = 0;
  std::array<int, 3> vertex_ = {};
  std::array<double, 3> share_ = {};
};

}  // namespace

void find_nearest(const Simplex& simplex, Nearest& nearest) {
  NearestSearch search(simplex);
  if (simplex.size == 4) {
    const std::array<double, 4> volume = volumes(simplex);
    const double all = (volume[0] + volume[1]) + (volume[2] + volume[3]);
    const auto outside = [&](std::size_t k) {
      return both(!both(all > 0, volume[k] > 0), !both(all < 0, volume[k] < 0));
    };
    const bool faces[4] = {outside(0), outside(1), outside(2), outside(3)};
    if (!either(either(faces[0], faces[1]), either(faces[2], faces[3]))) {
      nearest.distance2 = 0, nearest.point.setZero(), nearest.size = 4;
      nearest.vertex = {0, 1, 2, 3};
      for (std::size_t k = 0; k < 4; ++k) nearest.share[k] = volume[k] / all;
      return;
    }
    if (faces[0]) search.look_at_face<1, 2, 3>();
    if (faces[1]) search.look_at_face<0, 2, 3>();
    if (faces[2]) search.look_at_face<0, 1, 3>();
    if (faces[3]) search.look_at_face<0, 1, 2>();
  } else if (simplex.size == 3) {
    search.look_at_face<0, 1, 2>();
  } else if (simplex.size == 2) {
    search.leave_edge();
  } else {
    search.leave_vertex();
  }
  search.of_edges_and_vertices();
  search.tell(nearest);
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
