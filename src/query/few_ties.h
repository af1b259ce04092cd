// SPDX-License-Identifier: Apache-2.0
// For objects so small that all of their corners can be tested: the pairs of triangles that are as
// near as the nearest pair, up to rounding.
#pragma once

#include <array>
#include <span>

#include "query/relative.h"

namespace touche::query {

/// Two objects on either side of the slab between their closest points are nearest only there,
/// usually at one corner, edge or face of each. The triangles that share these features are as near
/// as the nearest; only a measurement shows which is the nearest to the last digit.
class FewTies {
 public:
  /// Whether both objects are small enough.
  static bool suit(const Object& a, const Object& b);

  /// Compares all corners with the slab between the closest points of two triangles.
  FewTies(const Object& a, const Object& b, const RelativePose& pose, const TriangleIds& nearest,
          const geometry::ClosestPoints& closest);

  /// True if nothing is nearer than the closest points, up to rounding.
  bool parted() const { return parted_; }
  /// True if no pairs other than the ones in pairs() could be measured as nearer.
  bool known() const { return known_; }
  std::span<const TriangleIds> pairs() const { return {pair_.data(), count_}; }

 private:
  static constexpr std::size_t kMostPairs = 36;  // two corners of six triangles each

  bool parted_ = false, known_ = false;
  std::array<TriangleIds, kMostPairs> pair_;
  std::size_t count_ = 0;
};

}  // namespace touche::query
