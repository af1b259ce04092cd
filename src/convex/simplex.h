// SPDX-License-Identifier: Apache-2.0
// Up to four points of the difference of two bodies, and which point of their hull is nearest to
// the origin.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "convex/support.h"

namespace touche::convex {

/// A point of b minus a: two supporting points, in a's frame and scaled as the simplex is.
struct Vertex {
  Vec3 w = Vec3::Zero();  // b − a, rounded
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  Index corner_a = 0, corner_b = 0;  // of polytopes
};

/// Vertices stay in their slots, so that an earlier state is three small arrays.
struct Simplex {
  int size = 0;
  std::array<std::uint8_t, 4> at = {};  // slots
  std::array<double, 4> share = {};     // of the nearest point; they add up to 1
  std::array<Vertex, 5> slot;

  [[nodiscard]] const Vertex& vertex(int i) const { return slot[at[i]]; }
  /// Leaves the slots of those that are there as they are.
  void add(const Vertex& v) {
    unsigned taken = 0;
    for (int i = 0; i < size; ++i) taken |= 1u << at[i];
    at[size] = static_cast<std::uint8_t>(std::countr_one(taken));
    slot[at[size]] = v;
    ++size;
  }
  [[nodiscard]] bool has(const Vertex& v) const {
    for (int i = 0; i < size; ++i)
      if (vertex(i).w == v.w) return true;
    return false;
  }
};

/// Keeps the vertices of the least face of the simplex that holds its point nearest to the origin,
/// and tells that point. All four are kept where the origin is inside of them. Right up to
/// rounding: which vertices are kept, and so how near the point is, may be slightly wrong for flat
/// simplices.
Vec3 nearest_of(Simplex& simplex);

/// How far inside of its four vertices the origin is: a lower bound, proved for the w as they are;
/// negative or 0 where it is outside or on the surface.
double depth_inside(const Simplex& simplex);

}  // namespace touche::convex
