// SPDX-License-Identifier: Apache-2.0
// Up to four points of the difference of two bodies, and which point of their hull is nearest to
// the origin.
#pragma once

#include <array>
#include <bit>

#include "convex/support.h"
#include "convex/three.h"

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
  std::array<int, 4> at = {};        // slots
  std::array<double, 4> share = {};  // of the nearest point, times a common factor
  std::array<Vertex, 5> slot;
  // Their w again, coordinate by coordinate: see three.h.
  std::array<double, 5> x = {}, y = {}, z = {};

  [[nodiscard]] const Vertex& vertex(int i) const {
    return slot[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])];
  }
  /// The next vertex may be made in its place: a slot that no vertex is in.
  [[nodiscard]] int free_slot() const {
    // All four are looked at, here and below: how many there are would be mispredicted.
    unsigned taken = 0;
    for (int i = 0; i < 4; ++i)
      taken |= static_cast<unsigned>(i < size) << at[static_cast<std::size_t>(i)];
    return std::countr_one(taken);
  }
  /// `w`: that of the vertex that was made there.
  void add_slot(int free, const Three& w) {
    const auto s = static_cast<std::size_t>(free);
    x[s] = w.x, y[s] = w.y, z[s] = w.z;
    at[static_cast<std::size_t>(size++)] = free;
  }
  void add(const Vertex& v) {
    const int free = free_slot();
    slot[static_cast<std::size_t>(free)] = v;
    add_slot(free, Three(v.w));
  }
  [[nodiscard]] bool has(const Three& w) const {
    bool found = false;
    for (int i = 0; i < 4; ++i) {
      const auto s = static_cast<std::size_t>(at[static_cast<std::size_t>(i)]);
      found = either(found, both(both(i < size, x[s] == w.x), both(y[s] == w.y, z[s] == w.z)));
    }
    return found;
  }
};

/// The least face of a simplex that holds its point nearest to the origin.
struct Nearest {
  double distance2;  ///< of the point
  Three point;
  Three towards;  ///< it, times a positive factor: known before the point, as it takes no division
  int size;       ///< 4: the origin is inside; the point is the origin
  std::array<int, 4> vertex;    ///< numbers in the simplex, in order
  std::array<double, 4> share;  ///< of the point, times a common factor; none is negative

  /// Leaves only the vertices of the face.
  void keep_in(Simplex& simplex) const {
    simplex.size = size;
    for (std::size_t i = 0; i < 4; ++i) {
      // Numbers are in order: what is overwritten was read.
      simplex.at[i] = simplex.at[static_cast<std::size_t>(vertex[i])];
      simplex.share[i] = share[i];
    }
  }
};
/// As nearest-inl.h tells, for tests.
void find_nearest(const Simplex& simplex, Nearest& nearest);

/// How far inside of its four vertices the origin is: a lower bound, proved for the w as they are;
/// negative or 0 where it is outside or on the surface.
double depth_inside(const Simplex& simplex);

}  // namespace touche::convex
