// SPDX-License-Identifier: Apache-2.0
// The space between two parallel planes, with one object before the first and the other beyond the
// second: its width is a lower bound of the distance.
#pragma once

#include <algorithm>
#include <array>

#include "query/distance_options.h"
#include "query/relative.h"

namespace touche::query {

class PartingSlab {
 public:
  PartingSlab(const Object& a, const Object& b, const RelativePose& pose)
      : a_(a), b_(b), pose_(pose) {}

  /// Whether the points of b lie beyond the points of a along a unit vector by `width`, up to
  /// rounding. `points_b` are in b's coordinates, everything else is in a's.
  template <class Points>
  bool parts(const Vec3& n, const Points& points_a, const Points& points_b, double width) const {
    // Offsets are relative to a vertex of the object itself, so that its position costs no digits.
    const Vec3 &start_a = a_.soup().vertex(0), &start_b = b_.soup().vertex(0);
    const Vec3 n_b = pose_.rotation.transpose() * n;
    double last_a = -kInfinity, first_b = kInfinity;
    for (const Vec3& p : points_a) last_a = std::max(last_a, n.dot(p - start_a));
    for (const Vec3& p : points_b) first_b = std::min(first_b, n_b.dot(p - start_b));
    return n.dot(pose_ * start_b - start_a) + first_b - last_a >=
           width - 0.5 * measuring_error(a_, b_);
  }

  /// Likewise for the boxes around both objects, each aligned to its object's axes.
  bool parts_boxes(const Vec3& n, double width) const {
    const Aabb &box_a = a_.bounds(), &box_b = b_.bounds();
    const Vec3 n_b = pose_.rotation.transpose() * n;
    const std::array<Vec3, 1> last_a{(n.array() > 0).select(box_a.hi, box_a.lo)};
    const std::array<Vec3, 1> first_b{(n_b.array() > 0).select(box_b.lo, box_b.hi)};
    return parts(n, last_a, first_b, width);
  }

  /// Likewise for a sample of many pairs of triangles, all nearer than `width` or as near. If the
  /// nearest pair is not yet found this usually fails, and no other points need to be tested.
  template <class Pairs>
  bool parts_some(const Vec3& n, const Pairs& pairs, double width) const {
    for (std::size_t i = 0; i < pairs.size(); i += 1 + pairs.size() / kSample)
      if (!parts(n, triangle_of(a_.soup(), pairs[i].a), triangle_of(b_.soup(), pairs[i].b), width))
        return false;
    return true;
  }

 private:
  static constexpr std::size_t kSample = 64;

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
};

}  // namespace touche::query
