// SPDX-License-Identifier: Apache-2.0
// The pairs of triangles that are as near as the nearest one, but for rounding, of objects so small
// that all of their corners can be looked at.
#pragma once

#include <array>
#include <span>

#include "query/relative.h"

namespace touche {

/// Two objects on either side of the slab between their closest points are nearest there only,
/// which is mostly one corner, edge or face of each. The triangles that share these are as near as
/// the nearest; it takes a measurement to tell which is the nearest to the last digit.
class FewTies {
 public:
  /// Whether both objects are small enough.
  static bool suit(const Object& a, const Object& b);

  /// Compares all corners with the slab between the closest points of two triangles.
  FewTies(const Object& a, const Object& b, const RelativePose& pose, const TriangleIds& nearest,
          const ClosestPoints& closest);

  /// Nothing is nearer than the closest points, but for rounding.
  bool parted() const { return parted_; }
  /// No other pairs than those in pairs() may be measured as nearer.
  bool known() const { return known_; }
  std::span<const TriangleIds> pairs() const { return {pair_.data(), count_}; }

 private:
  static constexpr std::size_t kMostPairs = 36;  // two corners of six triangles each

  bool parted_ = false, known_ = false;
  std::array<TriangleIds, kMostPairs> pair_;
  std::size_t count_ = 0;
};

}  // namespace touche
