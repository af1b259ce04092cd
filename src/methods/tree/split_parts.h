// SPDX-License-Identifier: Apache-2.0
// Several splitting methods share this: numbering parts, and how far a face is from a point.
#pragma once

#include <algorithm>
#include <array>

#include "methods/tree/splitter.h"

namespace touche::tree {

/// Parts without faces are left out; the others keep their order.
inline Split numbered(std::vector<std::uint8_t> part) {
  std::array<std::uint8_t, 256> number{};
  for (const std::uint8_t p : part) number[p] = 1;
  Split split;
  for (std::uint8_t& n : number)
    if (n != 0) n = static_cast<std::uint8_t>(split.parts++);
  for (std::uint8_t& p : part) p = number[p];
  split.part = std::move(part);
  return split;
}

/// No more parts than faces.
inline int degree_for(std::span<const Index> set, int degree) {
  return static_cast<int>(std::min(set.size(), static_cast<std::size_t>(degree)));
}

/// Returns the distance of a face's farthest corner from a centre (thesis §3.7.2). Squared.
inline double farthest_corner2(const Triangle& t, const Vec3& centre) {
  return std::max({(t[0] - centre).squaredNorm(), (t[1] - centre).squaredNorm(),
                   (t[2] - centre).squaredNorm()});
}

/// The squared distance of a triangle's nearest corner.
inline double nearest_corner2(const Triangle& t, const Vec3& point) {
  return std::min(
      {(t[0] - point).squaredNorm(), (t[1] - point).squaredNorm(), (t[2] - point).squaredNorm()});
}

}  // namespace touche::tree
