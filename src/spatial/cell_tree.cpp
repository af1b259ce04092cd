// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include "aabb_tree/aabb_tree.h"
#include "spatial/check.h"
#include "touche/spatial.h"

namespace touche {
namespace {

// The children of a cell that a box reaches into: a bit for each.
unsigned children_met(const CellTree::Cell& cell, const Aabb& box) {
  unsigned met = 1;
  int divided = 0;
  for (int k = 0; k < 3; ++k) {
    if ((cell.axes >> k & 1) == 0) continue;
    const int step = 1 << divided++;
    const unsigned lower = box.lo[k] < cell.middle[k] ? met : 0;
    const unsigned upper = box.hi[k] >= cell.middle[k] ? met << step : 0;
    met = lower | upper;
  }
  return met;
}

double distance_of(const Vec3& point, const Aabb& box) {
  return std::sqrt(aabb_tree::squared_distance(point, box));
}

}  // namespace

Index CellTree::Cell::child_count() const { return is_leaf() ? 0 : 1u << std::popcount(axes); }

Index CellTree::leaf_at(const Vec3& point) const {
  spatial::check_point(point, "cells");
  if (cells_.empty() || !overlap(cells_[0].box, {point, point})) return kNone;
  Index at = 0;
  while (!cells_[at].is_leaf())
    at = cells_[at].first_child +
         static_cast<Index>(std::countr_zero(children_met(cells_[at], {point, point})));
  return at;
}

bool CellTree::owns(const Cell& cell, const Vec3& point) const {
  const auto last = cell.box.hi.array() == cells_[0].box.hi.array();
  return (cell.box.lo.array() <= point.array()).all() &&
         (point.array() < cell.box.hi.array() || (last && point.array() == cell.box.hi.array()))
             .all();
}

template <class Visit>
void CellTree::visit_leaves(const Aabb& box, Visit&& visit) const {
  if (cells_.empty() || !overlap(cells_[0].box, box)) return;
  aabb_tree::TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Cell& cell = cells_[waiting.pop()];
    if (cell.is_leaf()) {
      visit(cell);
      continue;
    }
    for (unsigned met = children_met(cell, box); met != 0; met &= met - 1)
      waiting.push(cell.first_child + static_cast<Index>(std::countr_zero(met)));
  }
}

// An item may be in several leaves. It is reported by the leaf that contains the lower corner of
// the intersection of the item's box and the queried one.
std::vector<Index> CellTree::items_in_box(const Aabb& box) const {
  spatial::check_box(box, "cells", kNone);
  std::vector<Index> found;
  visit_leaves(box, [&](const Cell& leaf) {
    for (const Index item : items(leaf))
      if (overlap(boxes_[item], box) && owns(leaf, boxes_[item].lo.cwiseMax(box.lo)))
        found.push_back(item);
  });
  std::sort(found.begin(), found.end());
  return found;
}

// Cells are opened nearest first. The nearest point of an item lies in some leaf that is not
// farther away, also as computed, since each step of distance_of is monotonic.
std::vector<NearItem> CellTree::nearest_items(const Vec3& point, Index count) const {
  spatial::check_point(point, "cells");
  if (cells_.empty() || count == 0) return {};
  struct Waiting {
    double distance;
    Index what;
    bool operator<(const Waiting& other) const {
      return distance != other.distance ? distance < other.distance : what < other.what;
    }
    bool operator>(const Waiting& other) const { return other < *this; }
  };
  std::vector<Waiting> open{{distance_of(point, cells_[0].box), 0}};  // the nearest is on top
  std::vector<Waiting> found;                                         // the farthest is on top
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), std::greater<>());
    const Waiting next = open.back();
    open.pop_back();
    if (found.size() == count && next.distance > found.front().distance) break;
    const Cell& cell = cells_[next.what];
    for (Index i = 0; i < cell.child_count(); ++i) {
      const Index child = cell.first_child + i;
      open.push_back({distance_of(point, cells_[child].box), child});
      std::push_heap(open.begin(), open.end(), std::greater<>());
    }
    if (!cell.is_leaf()) continue;
    for (const Index item : items(cell)) {
      const Aabb& box = boxes_[item];
      if (!owns(cell, point.cwiseMax(box.lo).cwiseMin(box.hi))) continue;
      const Waiting candidate{distance_of(point, box), item};
      if (found.size() == count) {
        if (!(candidate < found.front())) continue;
        std::pop_heap(found.begin(), found.end());
        found.pop_back();
      }
      found.push_back(candidate);
      std::push_heap(found.begin(), found.end());
    }
  }
  std::sort_heap(found.begin(), found.end());
  std::vector<NearItem> result;
  result.reserve(found.size());
  for (const Waiting& near : found) result.push_back({near.what, near.distance});
  return result;
}

void CellTree::validate() const {
  const auto require = [](bool holds, std::size_t cell, const char* what) {
    if (!holds) throw Error("cell " + std::to_string(cell) + ' ' + what);
  };
  std::vector<Index> expected(cells_.size());  // number of items that should be in each leaf
  for (const Aabb& box : boxes_)
    visit_leaves(box, [&](const Cell& leaf) {
      ++expected[static_cast<std::size_t>(&leaf - cells_.data())];
    });
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    require(!cell.box.empty(), i, "has no room");
    for (Index c = 0; c < cell.child_count(); ++c) {
      const Cell& child = cells_.at(cell.first_child + c);
      require(child.parent == i && cell.first_child > i && child.depth == cell.depth + 1, i,
              "has children that are not its own");
      Aabb both = child.box;
      both.include(cell.box);
      require(both.lo == cell.box.lo && both.hi == cell.box.hi, i, "does not contain its children");
    }
    if (!cell.is_leaf()) continue;
    require(cell.item_count == expected[i], i, "has too many items or too few");
    const std::span<const Index> held = items(cell);
    require(std::adjacent_find(held.begin(), held.end(), std::greater_equal<>()) == held.end(), i,
            "has an item twice, or no order");
    for (const Index item : held)
      require(overlap(cell.box, boxes_[item]), i, "has an item that is elsewhere");
  }
}

}  // namespace touche
