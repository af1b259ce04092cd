// SPDX-License-Identifier: Apache-2.0
// Two bodies of which at least one is a convex shape, as the bodies of a path.
#pragma once

#include <optional>

#include "path/bodies.h"
#include "touche/shape.h"

namespace touche::shape_path {

/// Two shapes: not two soups, and no rounded soup. The shapes must outlive it.
struct ShapePair {
  const Shape &a, &b;

  bool both_are_convex() const { return a.is_convex() && b.is_convex(); }
  const Shape& convex() const { return a.is_convex() ? a : b; }
};

/// The inside of a pair's soup, made only if needed. For one thread at a time.
class SoupInside {
 public:
  explicit SoupInside(const Shape& soup) : soup_(soup) {}
  const Interior& get() {
    if (!made_) made_.emplace(soup_.object());
    return *made_;
  }

 private:
  const Shape& soup_;
  std::optional<Interior> made_;
};

/// Unit directions in which b may come free of a: of the deepest overlap, or the normals of faces
/// that touch. None if the budget has ended, and fewer if it ends soon.
std::vector<Vec3> directions_out(const ShapePair& pair, const Pose& pose_a, const Pose& pose_b,
                                 const Budget& budget);

/// Whether the bodies are apart, and the convex one is not known to lie inside the soup. `inside`
/// is null for two convex shapes.
bool are_apart(const ShapePair& pair, const Interior* inside, const Pose& pose_a,
               const Pose& pose_b, const Budget& budget);

/// Upper bound of the distance of all points of a shape that may touch a bounded body, and of the
/// frame's origin, from the world's origin during a motion; for a half space, that of its plane.
double reach_of(const Shape& shape, const Motion& motion);

class ShapeTouchProof final : public paths::TouchProof {
 public:
  /// All must outlive it. The soup must not have slits; if it is open, the proof is about surfaces.
  ShapeTouchProof(const ShapePair& pair, const Interior* inside, const Motion& motion_a,
                  const Motion& motion_b, double t_start, double t_end, double tolerance,
                  const Budget& budget);

  double proved_from(double t, double end, double most) override;

 private:
  double apart_until(const Motion& motion_a, const Motion& motion_b, double t, double end,
                     double tolerance);

  const ShapePair& pair_;
  const Interior* const inside_;
  const Motion &motion_a_, &motion_b_;
  const double tolerance_;
  const Budget budget_;
  double error_;           // rounding error of coordinates at any of these times
  std::vector<Vec3> met_;  // normals of contacts that ended a stretch, latest first
  std::uint64_t work_ = 0;
};

}  // namespace touche::shape_path
