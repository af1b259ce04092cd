// SPDX-License-Identifier: Apache-2.0
// The tests of nearest points and of the Hausdorff distance share this.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "geometry/point_triangle.h"
#include "methods/tree/hausdorff.h"

namespace touche::test {

inline constexpr tree::Correction kCorrections[] = {
    tree::Correction::region_radius, tree::Correction::nearest_point,
    tree::Correction::nearest_face, tree::Correction::smallest};

/// The slow reference implementation of a search.
template <typename Faces>
ClosestPoint nearest_of_all(const Faces& faces, const Vec3& x) {
  ClosestPoint best;
  for (Index i = 0; i < faces.size(); ++i)
    if (const Vec3 offset = geometry::nearest_offset(x, faces.face(i));
        offset.norm() < best.distance)
      best = {i, x - offset, offset.norm()};
  return best;
}

/// The slow reference implementation of the hierarchies.
class AllFaces final : public tree::NearestPoint {
 public:
  explicit AllFaces(std::vector<Triangle> faces) : faces_(std::move(faces)) {
    for (const Triangle& t : faces_)
      for (int k = 0; k < 3; ++k)
        longest_edge_ = std::max(longest_edge_, (t[k] - t[(k + 1) % 3]).norm());
  }
  Index size() const override { return static_cast<Index>(faces_.size()); }
  Triangle face(Index i) const override { return faces_[i]; }
  ClosestPoint nearest(const Vec3& x, Index) const override { return nearest_of_all(*this, x); }

 private:
  std::vector<Triangle> faces_;
};

}  // namespace touche::test
