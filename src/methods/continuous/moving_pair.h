// SPDX-License-Identifier: Apache-2.0
// The two situations in which surfaces meet (thesis §5.3): a vertex that moves before a face, and
// two edges that move past each other. Each has a signed distance, whose roots are possible times
// of contact, and tests of whether they are.
#pragma once

#include <optional>
#include <vector>

#include "query/relative.h"
#include "touche/motion.h"

namespace touche::continuous {

/// Where each body is, seen from the other.
struct Instant {
  double t = 0;
  query::RelativePose b_in_a, a_in_b;
};

/// The instants of a motion; the ones that are used repeatedly are stored.
class Instants {
 public:
  /// `motion` is b's, seen from a. `step` is that of the grid, which begins at 0 and ends at 1.
  Instants(const Motion& motion, double step);

  const Instant& start() const { return grid_.front(); }
  const Instant& end() const { return grid_.back(); }
  const std::vector<Instant>& grid() const { return grid_; }
  Instant at(double t) const;
  /// A moment later or, at the end, before.
  Instant beside(const Instant& instant) const;

 private:
  Motion motion_;
  std::vector<Instant> grid_;
};

/// How far a pair is apart at a time, with the sign of the side.
struct Gap {
  double t = 0, distance = 0;
  Vec3 across = Vec3::Zero();  // of edges: across both, of the length of their product
};

/// A vertex of one body and a face of the other, in the face's coordinates.
class VertexFace {
 public:
  VertexFace(const Vec3& vertex, bool vertex_of_b, const Triangle& face);

  /// False for a face without area; its edges are tested instead.
  bool defined() const { return defined_; }
  /// From the face's plane; positive on its front.
  Gap gap(const Instant& instant) const;
  /// No face turns past its vertex's other side.
  bool turn_past(const Instants&, const Gap&, const Gap&) const { return false; }
  /// Whether the vertex lies in the prism over the face (Fig. 5.5).
  bool inside(const Instant& instant) const;
  /// The same with the position in the prism interpolated (Fig. 5.6).
  std::optional<bool> inside(const Instant& start, const Instant& end, double t) const;

 private:
  Vec3 place(const Instant& instant) const {
    return vertex_of_b_ ? instant.b_in_a * vertex_ : instant.a_in_b * vertex_;
  }
  /// Distances from the sides of the prism, negative inside.
  Vec3 beyond(const Vec3& place) const;

  Vec3 vertex_;
  bool vertex_of_b_, defined_;
  Triangle face_;
  Vec3 normal_;
  Mat3 outwards_;  // a column for each side
  double slack_;
};

/// An edge of a, and one of b, in a's coordinates.
class EdgeEdge {
 public:
  EdgeEdge(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

  /// The gap between the lines; NaN where they are parallel.
  Gap gap(const Instant& instant) const;
  /// Whether the edges turn past being parallel in between: that reverses the direction across both
  /// and with it the sign of the distance, though they stay on their sides.
  bool turn_past(const Instants& instants, const Gap& first, const Gap& last) const;
  /// Returns whether the nearest points of the lines lie on the edges; for parallel lines, whether
  /// the edges overlap side by side (Fig. 5.8, except its condition that the distance be 0).
  bool inside(const Instant& instant) const;
  /// The same with the positions of the points on the edges interpolated (Fig. 5.9). Empty if the
  /// edges are parallel at either end.
  std::optional<bool> inside(const Instant& start, const Instant& end, double t) const;

 private:
  struct Lines {
    Vec3 along_a, along_b, between, normal;  // between: from a0 to b0
    bool parallel;
  };
  Lines lines(const Instant& instant) const;
  static bool places_on_edges(const Lines& l, double& on_a, double& on_b);
  bool touch_side_by_side(const Lines& l) const;

  Vec3 a0_, a1_, b0_, b1_;
  double size_;
};

}  // namespace touche::continuous
