// SPDX-License-Identifier: Apache-2.0
// First contact of a vertex and a face, or of two edges, whose vertices move on straight lines at
// constant speed: the continuous test for deformable bodies within a time step. Certified: a
// contact is never missed, and none is reported where the primitives stay farther apart than
// clearance + tolerance.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "touche/budget.h"
#include "touche/types.h"

namespace touche {

/// Positions of a vertex at t = 0 and t = 1. In between, x(t) = start + t (end − start), in real
/// numbers.
struct MovingVertex {
  Vec3 start, end;
};

struct LinearOptions {
  /// Length, >= 0. Primitives that stay farther apart than clearance + tolerance are never
  /// reported. To cover rounding it is raised to 2^-45 of the largest |p − q|₁ + |p' − p|₁ + |q' −
  /// q|₁ of a vertex p of one primitive and q of the other at t = 0, and p' and q' at t = 1, where
  /// |x|₁ is the sum of the sizes of x's coordinates: to at most 2^-41 of the largest difference of
  /// two coordinates along one axis.
  double tolerance = 0;
  double clearance = 0;  ///< length, >= 0: primitives nearer than this count as in contact
  double t_end = 1;      ///< in [0, 1]: later contacts are not searched for
  /// Steps of each pair of primitives, see LinearImpact::steps.
  std::uint64_t max_steps = Budget::kUnlimited;
  /// Work: pairs of primitives, for SelfContact only; the other functions test the pairs that they
  /// are given. Progress is counted in pairs by the functions that take many.
  Budget budget = {};
};

struct [[nodiscard]] LinearImpact {
  bool contact = false;
  /// At every earlier time the distance is more than `clearance`. For a decided contact, the
  /// distance at t is at most clearance + tolerance. Without a contact this is `t_end`.
  double t = 0;
  double distance = 0;      ///< length, at t; valid with `contact` only
  std::uint32_t steps = 0;  ///< number of searches for a separating direction
  /// False when no proof was possible or the budget ended first. Then `contact` is set, to be
  /// conservative.
  bool complete = false;
};

/// Tests one pair. The order of the vertices is v, f0, f1, f2 for a vertex and a face, and a0, a1,
/// b0, b1 for two edges. Edges without length and faces without area are allowed. Throws
/// InvalidInput when a coordinate, the tolerance or the clearance is not finite, when the tolerance
/// or the clearance is negative, or when `t_end` is out of range.
LinearImpact vertex_face_impact(const std::array<MovingVertex, 4>& query,
                                const LinearOptions& options = {});
LinearImpact edge_edge_impact(const std::array<MovingVertex, 4>& query,
                              const LinearOptions& options = {});

/// Tests many pairs in parallel. `results` must have as many elements as `queries`; each result is
/// the same as that of a single call. Pairs that the budget leaves out are undecided. threads = 0:
/// all.
void vertex_face_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                         std::span<LinearImpact> results, const LinearOptions& options = {},
                         int threads = 0);
void edge_edge_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                       std::span<LinearImpact> results, const LinearOptions& options = {},
                       int threads = 0);

}  // namespace touche
