// SPDX-License-Identifier: Apache-2.0
// First contact of a vertex and a face, or of two edges, whose vertices move on straight lines at
// constant speed: what deformable bodies need within a time step. Certified: a contact is never
// missed, and none is reported where the primitives stay farther apart than asked for.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "touche/budget.h"
#include "touche/types.h"

namespace touche {

/// A vertex at t = 0 and at t = 1; x(t) = start + t (end − start), in real numbers.
struct MovingVertex {
  Vec3 start, end;
};

struct LinearOptions {
  /// Length, >= 0. Primitives that stay farther apart than clearance + tolerance are never
  /// reported. At least 2^-45 of the largest difference of coordinates is used, which is rounding.
  double tolerance = 0;
  double clearance = 0;  ///< length, >= 0: primitives that are nearer count as in contact
  double t_end = 1;      ///< in [0, 1]: contacts after it are not looked for
  /// Work: of each pair of primitives, see LinearImpact::steps; SelfContact counts pairs. Progress:
  /// pairs, where there are many.
  Budget budget = {};
};

struct [[nodiscard]] LinearImpact {
  bool contact = false;
  /// For every t before it the distance is more than `clearance`; with `contact` it is at most
  /// clearance + tolerance here. Without: `t_end`.
  double t = 0;
  double distance = 0;      ///< at t, where there is a contact
  std::uint32_t steps = 0;  ///< how often a direction was looked for
  /// False where nothing more could be proved, or the budget ended first: then `contact` is set, to
  /// be on the safe side.
  bool decided = false;
};

/// Vertices in the order v, f0, f1, f2; or of the edges a0, a1, b0, b1. Points, segments and
/// triangles of no length or area are as good as any. Throws InvalidInput when a coordinate, the
/// tolerance or the clearance is not finite, one of the latter negative, or `t_end` out of range.
LinearImpact vertex_face_impact(const std::array<MovingVertex, 4>& query,
                                const LinearOptions& options = {});
LinearImpact edge_edge_impact(const std::array<MovingVertex, 4>& query,
                              const LinearOptions& options = {});

/// Many at once, in parallel; `results` has as many elements as `queries`. The same results as one
/// by one; what the budget leaves out is undecided. threads = 0: all.
void vertex_face_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                         std::span<LinearImpact> results, const LinearOptions& options = {},
                         int threads = 0);
void edge_edge_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                       std::span<LinearImpact> results, const LinearOptions& options = {},
                       int threads = 0);

}  // namespace touche
