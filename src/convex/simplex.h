// SPDX-License-Identifier: Apache-2.0
// Up to four points of the difference of two bodies, and the point of their hull that is nearest to
// the origin.
#pragma once

#include <array>

#include "convex/support.h"
#include "math/three.h"

namespace touche::convex {

/// A point of b minus a: two supporting points, in a's frame and scaled like the simplex.
struct Vertex {
  Vec3 w;                            // b − a, rounded
  Index corner_a = 0, corner_b = 0;  // of polytopes
  Vec3 a, b;
};

/// Vertices keep their slots.
struct Simplex {
  int size = 0;
  std::array<int, 4> at = {0, 1, 2, 3};  // slots of the vertices, then free ones
  std::array<double, 4> share = {};      // weights of the nearest point, times a common factor
  std::array<Vertex, 4> slot;
  // The w of the slots, by coordinate: see three.h.
  alignas(32) std::array<double, 4> x = {}, y = {}, z = {};

  [[nodiscard]] const Vertex& vertex(int i) const {
    return slot[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
  }
  [[nodiscard]] Vertex& vertex(int i) {
    return slot[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
  }
  /// The slot for the next vertex. There must be fewer than four vertices.
  [[nodiscard]] Vertex& next() { return vertex(size); }
  /// Adds the vertex in that slot; `w` is its difference.
  void add_next(const math::Three& w) {
    const auto s = static_cast<std::size_t>(at[static_cast<std::size_t>(size++)]);
    x[s] = w.x, y[s] = w.y, z[s] = w.z;
  }
  void add(const Vertex& v) {
    next() = v;
    add_next(math::Three(v.w));
  }
};

/// The least face of a simplex that contains its point nearest to the origin.
struct Nearest {
  double distance2;  ///< squared distance of the point
  math::Three point;
  math::Three
      towards;  ///< the point times a positive factor: available earlier, as it needs no division
  int size;     ///< 4: the origin is inside; the point is the origin
  /// numbers in the simplex of the face's vertices, in order, then of the others
  std::array<int, 4> vertex;
  std::array<double, 4> share;  ///< weights of the point, times a common factor; not negative

  /// Keeps only the vertices of the face.
  void keep_in(Simplex& simplex) const {
    simplex.size = size;
    const std::array<int, 4> was = simplex.at;
    for (std::size_t i = 0; i < 4; ++i) simplex.at[i] = was[static_cast<std::size_t>(vertex[i])];
    simplex.share = share;
  }
};
/// The functions of nearest-inl.h, for tests.
void find_nearest(const Simplex& simplex, Nearest& nearest);
bool is_nearest_on_the_way(const Simplex& simplex, const math::Three& way, Nearest& nearest);

/// Lower bound of the distance of the origin from the surface of the tetrahedron, proved for the
/// stored w; negative or 0 if the origin is outside or on the surface.
double depth_inside(const Simplex& simplex);

}  // namespace touche::convex
