// SPDX-License-Identifier: Apache-2.0
// Builds trees of cells, level by level.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

#include "spatial/check.h"
#include "touche/spatial.h"

namespace touche::spatial {

namespace {

// A possible division of a cell.
struct CellDivision {
  Vec3 middle = Vec3::Zero();
  std::uint8_t axes = 0;
};

struct Candidates {
  std::array<CellDivision, 6> list;
  std::size_t count = 0;
  void add(const CellDivision& division) {
    if (division.axes != 0) list[count++] = division;
  }
};

void check(const CellOptions& options) {
  if (options.max_items < 1) throw InvalidInput("cells: max_items must be at least 1");
  if (options.max_depth > 48) throw InvalidInput("cells: max_depth must be at most 48");
  if (!(options.max_copies >= 1)) throw InvalidInput("cells: max_copies must be at least 1");
}

}  // namespace

}  // namespace touche::spatial

namespace touche {

class CellTree::Builder {
 public:
  Builder(CellTree& tree, const CellOptions& options, std::uint8_t axes, bool halved)
      : tree_(tree), options_(options), axes_(axes), halved_(halved) {
    constexpr double kMost = std::numeric_limits<Index>::max() - 1;
    const auto items = static_cast<double>(tree_.boxes_.size());
    max_held_ = static_cast<std::size_t>(std::min(kMost, options.max_copies * items));
  }

  void run() {
    Cell root;
    for (const Aabb& box : tree_.boxes_) root.box.include(box);
    root.item_count = static_cast<Index>(tree_.boxes_.size());
    held_ = root.item_count;
    tree_.cells_.push_back(root);
    level_.resize(root.item_count);
    std::iota(level_.begin(), level_.end(), 0);
    for (std::size_t begin = 0; begin < tree_.cells_.size();) {
      const std::size_t end = tree_.cells_.size();
      next_.clear();
      for (; begin < end; ++begin) settle(static_cast<Index>(begin));
      level_.swap(next_);
    }
    tree_.items_.shrink_to_fit();
    tree_.cells_.shrink_to_fit();
  }

 private:
  // The items of a cell of the level that is being divided.
  std::span<const Index> items_of(const Cell& cell) const {
    return std::span(level_).subspan(cell.first_item, cell.item_count);
  }

  // Divides a cell, or makes it a leaf.
  void settle(Index at) {
    const Cell cell = tree_.cells_[at];
    if (cell.item_count > options_.max_items && cell.depth < options_.max_depth) {
      const spatial::Candidates candidates = halved_ ? halves(cell) : medians(cell);
      for (std::size_t i = 0; i < candidates.count; ++i)
        if (divide(at, candidates.list[i])) return;
    }
    const std::span<const Index> items = items_of(cell);
    tree_.cells_[at].first_item = static_cast<Index>(tree_.items_.size());
    tree_.items_.insert(tree_.items_.end(), items.begin(), items.end());
  }

  spatial::Candidates halves(const Cell& cell) const {
    spatial::CellDivision division{cell.box.centre()};
    for (int k = 0; k < 3; ++k)
      if ((axes_ >> k & 1) != 0 && is_inside(cell, division.middle, k))
        division.axes |= static_cast<std::uint8_t>(1 << k);
    spatial::Candidates result;
    result.add(division);
    return result;
  }

  // Along the longest axis first: at the median of the centres, then in the middle of the cell.
  spatial::Candidates medians(const Cell& cell) {
    const Vec3 extent = cell.box.hi - cell.box.lo;
    std::array<int, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return extent[a] > extent[b]; });
    spatial::Candidates result;
    for (const int k : order) {
      centres_.clear();
      for (const Index item : items_of(cell))
        centres_.push_back(0.5 * (tree_.boxes_[item].lo[k] + tree_.boxes_[item].hi[k]));
      const auto median = centres_.begin() + static_cast<std::ptrdiff_t>(centres_.size() / 2);
      std::nth_element(centres_.begin(), median, centres_.end());
      for (const double x : {*median, 0.5 * (cell.box.lo[k] + cell.box.hi[k])}) {
        spatial::CellDivision division;
        division.middle[k] = x;
        if (is_inside(cell, division.middle, k)) division.axes = static_cast<std::uint8_t>(1 << k);
        result.add(division);
      }
    }
    return result;
  }

  static bool is_inside(const Cell& cell, const Vec3& middle, int axis) {
    return cell.box.lo[axis] < middle[axis] && middle[axis] < cell.box.hi[axis];
  }

  // Visits the children that an item reaches into, by their numbers, which have a bit for each
  // divided axis.
  template <class Visit>
  void each_child(const spatial::CellDivision& division, const Aabb& box, Visit&& visit) const {
    unsigned lowest = 0, both = 0, bit = 1;
    for (int k = 0; k < 3; ++k) {
      if ((division.axes >> k & 1) == 0) continue;
      if (!(box.lo[k] < division.middle[k]))
        lowest |= bit;
      else if (box.hi[k] >= division.middle[k])
        both |= bit;
      bit <<= 1;
    }
    for (unsigned more = both;; more = (more - 1) & both) {  // all subsets
      visit(lowest | more);
      if (more == 0) break;
    }
  }

  // Divides a cell if that is useful.
  bool divide(Index at, const spatial::CellDivision& division) {
    const Cell cell = tree_.cells_[at];
    const std::span<const Index> items = items_of(cell);
    const unsigned parts = 1u << std::popcount(division.axes);
    std::array<Index, 8> counts{};
    for (const Index item : items)
      each_child(division, tree_.boxes_[item], [&](unsigned child) { ++counts[child]; });
    const std::size_t sum = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const std::size_t held = held_ - items.size() + sum;
    if (4 * sum > 3 * parts * items.size() || held > max_held_) return false;
    // If a child contains all items, the same median would be found again and again.
    if (!halved_ && *std::max_element(counts.begin(), counts.end()) == items.size()) return false;
    held_ = held;

    Cell& parent = tree_.cells_[at];
    parent.middle = division.middle;
    parent.axes = division.axes;
    parent.first_child = static_cast<Index>(tree_.cells_.size());
    parent.first_item = parent.item_count = 0;
    std::array<Index, 8> ends{};
    for (unsigned child = 0; child < parts; ++child) {
      Cell part = child_of(cell, at, division, child);
      part.first_item = ends[child] = static_cast<Index>(next_.size());
      part.item_count = counts[child];
      next_.resize(next_.size() + counts[child]);
      tree_.cells_.push_back(part);
    }
    for (const Index item : items)
      each_child(division, tree_.boxes_[item],
                 [&](unsigned child) { next_[ends[child]++] = item; });
    return true;
  }

  static Cell child_of(const Cell& cell, Index at, const spatial::CellDivision& division,
                       unsigned place) {
    Cell child;
    child.box = cell.box;
    child.parent = at;
    child.depth = static_cast<std::uint8_t>(cell.depth + 1);
    for (int k = 0; k < 3; ++k) {
      if ((division.axes >> k & 1) == 0) continue;
      ((place & 1) != 0 ? child.box.lo : child.box.hi)[k] = division.middle[k];
      place >>= 1;
    }
    return child;
  }

  CellTree& tree_;
  const CellOptions& options_;
  std::uint8_t axes_;
  bool halved_;
  // number of items in all cells of the level and in all leaves
  std::size_t held_ = 0, max_held_ = 0;
  std::vector<Index> level_, next_;  // items of the cells of a level
  std::vector<double> centres_;
};

CellTree::CellTree(std::span<const Aabb> boxes, const CellOptions& options, std::uint8_t axes,
                   bool halved)
    : boxes_(boxes.begin(), boxes.end()) {
  spatial::check(options);
  if (boxes.size() >= kNone) throw InvalidInput("cells: more than 2^32 - 2 items");
  for (Index item = 0; item < boxes_.size(); ++item)
    spatial::check_box(boxes_[item], "cells", item);
  if (!boxes_.empty()) Builder(*this, options, axes, halved).run();
}

Octree::Octree(std::span<const Aabb> boxes, const CellOptions& options)
    : CellTree(boxes, options, 0b111, true) {}

}  // namespace touche

namespace touche::spatial {

static std::uint8_t axes_beside(int normal) {
  if (normal < 0 || normal > 2) throw InvalidInput("quadtree: the normal must be an axis, 0 to 2");
  return static_cast<std::uint8_t>(0b111 & ~(1 << normal));
}

}  // namespace touche::spatial

namespace touche {

Quadtree::Quadtree(std::span<const Aabb> boxes, const CellOptions& options, int normal)
    : CellTree(boxes, options, spatial::axes_beside(normal), true) {}

KdTree::KdTree(std::span<const Aabb> boxes, const CellOptions& options)
    : CellTree(boxes, options, 0b111, false) {}

}  // namespace touche
