// SPDX-License-Identifier: Apache-2.0
// Up to four points of the difference of two bodies, and which point of their hull is nearest to
// the origin.
#pragma once

#include <array>

#include "convex/support.h"
#include "math/three.h"

namespace touche::convex {

/// A point of b minus a: two supporting points, in a's frame and scaled as the simplex is.
struct Vertex {
  Vec3 w;                            // b − a, rounded
  Index corner_a = 0, corner_b = 0;  // of polytopes
  Vec3 a, b;
};

/// Vertices stay in their slots.
struct Simplex {
  int size = 0;
  std::array<int, 4> at = {0, 1, 2, 3};  // slots of the vertices, then the free ones
  std::array<double, 4> share = {};      // of the nearest point, times a common factor
  std::array<Vertex, 4> slot;
  // Their w again, coordinate by coordinate: see three.h.
  alignas(32) std::array<double, 4> x = {}, y = {}, z = {};

  [[nodiscard]] const Vertex& vertex(int i) const {
    return slot[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
  }
  [[nodiscard]] Vertex& vertex(int i) {
    return slot[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
  }
  /// The next vertex is to be made in its place. There must be less than four.
  [[nodiscard]] Vertex& next() { return vertex(size); }
  /// `w`: that of the vertex that was made there.
  void add_next(const Three& w) {
    const auto s = static_cast<std::size_t>(at[static_cast<std::size_t>(size++)]);
    x[s] = w.x, y[s] = w.y, z[s] = w.z;
  }
  void add(const Vertex& v) {
    next() = v;
    add_next(Three(v.w));
  }
};

/// The least face of a simplex that holds its point nearest to the origin.
struct Nearest {
  double distance2;  ///< of the point
  Three point;
  Three towards;  ///< it, times a positive factor: known before the point, as it takes no division
  int size;       ///< 4: the origin is inside; the point is the origin
  std::array<int, 4> vertex;    ///< numbers in the simplex, in order, then those that are left out
  std::array<double, 4> share;  ///< of the point, times a common factor; none is negative

  /// Leaves only the vertices of the face.
  void keep_in(Simplex& simplex) const {
    simplex.size = size;
    const std::array<int, 4> was = simplex.at;
    for (std::size_t i = 0; i < 4; ++i) simplex.at[i] = was[static_cast<std::size_t>(vertex[i])];
    simplex.share = share;
  }
};
/// Does what nearest-inl.h tells, for tests.
void find_nearest(const Simplex& simplex, Nearest& nearest);
bool is_nearest_on_the_way(const Simplex& simplex, const Three& way, Nearest& nearest);

/// How far inside of its four vertices the origin is: a lower bound, proved for the w as they are;
/// negative or 0 where it is outside or on the surface.
double depth_inside(const Simplex& simplex);

}  // namespace touche::convex
