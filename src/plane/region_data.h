// SPDX-License-Identifier: Apache-2.0
// The search structure of a Region for locating points.
#pragma once

#include <vector>

#include "touche/plane.h"
#include "touche/plane_volumes.h"

namespace touche::plane {

/// A ray from x to the right, and its crossings so far.
struct RayCount {
  Vec2 x;
  int winding = 0;
  bool on_border = false;

  int above(const Vec2& p) const { return p.y() > x.y() ? 1 : 0; }
  void cross_edge(const Vec2& start, const Vec2& end);
  Place place(FillRule rule) const;
};

/// For each closed chain a binary tree over its edges in order: node k has the children 2 k + 1 and
/// 2 k + 2, each with half of the edges.
struct Region::Data {
  /// Uses only the chains marked as `used`, which must be closed.
  Data(const Outline& outline, std::vector<bool> used);

  RayCount count(const Outline& outline, const Vec2& x) const;
  Place place(const Outline& outline, const Vec2& x, FillRule rule) const {
    return count(outline, x).place(rule);
  }

 private:
  Box enclose(const Outline& outline, std::size_t node, Index begin, Index end);
  void count(const Outline& outline, Index chain, std::size_t node, Index begin, Index end,
             RayCount& ray) const;

  std::vector<bool> used_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> first_box_;  // for each chain
};

}  // namespace touche::plane
