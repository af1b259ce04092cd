// SPDX-License-Identifier: Apache-2.0
#include "broadphase/hash_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace touche::broadphase {
namespace {

// Cells of level l have edges of 2^(2 l − 150): powers of two, so that the cell of a coordinate is
// computed without rounding.
constexpr int kStep = 2, kLowest = -150;
double inverse_edge(int level) { return std::ldexp(1.0, -(kStep * level + kLowest)); }

// Cells are no smaller than the coordinates times 2^-20, so that their numbers are small.
constexpr int kFinest = 20;

// The exponent of the smallest power of two above x.
int exponent(double x) {
  int e = kLowest;
  if (x > 0) std::frexp(x, &e);
  return std::max(e, kLowest);
}

}  // namespace

// A power of two above the rounded edge is also above the exact edge.
HashGrid::Cell HashGrid::cell_of(const RoundedBox& box) {
  double edge = 0, farthest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double lo = box.lo[k], hi = box.hi[k];
    edge = std::max(edge, hi - lo);
    farthest = std::max({farthest, std::abs(lo), std::abs(hi)});
  }
  Cell cell;
  const int power = std::max(exponent(edge), exponent(farthest) - kFinest);
  cell.level = (power - kLowest + kStep - 1) / kStep;
  const double inverse = inverse_edge(cell.level);
  for (std::size_t k = 0; k < 3; ++k)
    cell.at[k] = static_cast<std::int32_t>(std::floor(box.lo[k] * inverse));
  return cell;
}

// No box is larger than its cell, so a box that reaches into a cell begins in that cell or in the
// one before.
HashGrid::Range HashGrid::range_of(const RoundedBox& box, int level) {
  const double inverse = inverse_edge(level);
  constexpr double kMost = 1 << (kFinest + 2);  // no used cell has such a number
  Range range;
  for (std::size_t k = 0; k < 3; ++k) {
    range.from[k] = std::clamp(std::floor(box.lo[k] * inverse) - 1, -kMost, kMost);
    range.to[k] = std::clamp(std::floor(box.hi[k] * inverse), -kMost, kMost);
  }
  return range;
}

double HashGrid::Range::cells() const {
  double product = 1;
  for (std::size_t k = 0; k < 3; ++k) product *= to[k] - from[k] + 1;
  return product;
}

std::size_t HashGrid::place(const Cell& cell) const {
  std::uint64_t x = static_cast<std::uint32_t>(cell.level);
  for (const std::int32_t at : cell.at)
    x = (std::rotl(x, 23) ^ static_cast<std::uint32_t>(at)) * 0x9e3779b97f4a7c15u;
  return (x ^ x >> 32) & (heads_.size() - 1);
}

void HashGrid::link(Index number) {
  Index& head = heads_[place(entries_[number].cell)];
  entries_[number].previous = kNone;
  entries_[number].next = head;
  if (head != kNone) entries_[head].previous = number;
  head = number;
}

void HashGrid::take_out(Index number) {
  const Entry& entry = entries_[number];
  if (entry.next != kNone) entries_[entry.next].previous = entry.previous;
  (entry.previous == kNone ? heads_[place(entry.cell)] : entries_[entry.previous].next) =
      entry.next;
  --held_at_[static_cast<std::size_t>(entry.cell.level)];
  --count_;
}

void HashGrid::resize_table() {
  heads_.assign(std::bit_ceil(std::max<std::size_t>(16, 2 * size())), kNone);
  for (Index number = 0; number < entries_.size(); ++number)
    if (is_held(number)) link(number);
}

void HashGrid::settle(std::span<const Index> numbers) {
  entries_.resize(boxes().size());
  if (size() > heads_.size()) resize_table();
  for (const Index number : numbers) {
    const Cell cell = cell_of(boxes()[number]);
    stretch_bounds(cell.level, boxes()[number]);
    if (is_held(number)) {
      if (cell == entries_[number].cell) continue;
      take_out(number);
    }
    entries_[number].cell = cell;
    link(number);
    ++held_at_[static_cast<std::size_t>(cell.level)];
    ++count_;
  }
}

void HashGrid::stretch_bounds(int level, const RoundedBox& box) {
  const auto l = static_cast<std::size_t>(level);
  if (held_at_[l] == 0) bounds_[l] = box;
  for (std::size_t k = 0; k < 3; ++k) {
    bounds_[l].lo[k] = std::min(bounds_[l].lo[k], box.lo[k]);
    bounds_[l].hi[k] = std::max(bounds_[l].hi[k], box.hi[k]);
  }
}

template <class Look>
void HashGrid::each_cell(const Range& range, int level, Look&& look) {
  const auto whole = [](double x) { return static_cast<std::int32_t>(x); };
  Cell cell{{}, level};
  for (cell.at[0] = whole(range.from[0]); cell.at[0] <= range.to[0]; ++cell.at[0])
    for (cell.at[1] = whole(range.from[1]); cell.at[1] <= range.to[1]; ++cell.at[1])
      for (cell.at[2] = whole(range.from[2]); cell.at[2] <= range.to[2]; ++cell.at[2]) look(cell);
}

// Other cells may have the same hash.
template <class Look>
void HashGrid::look_in(const Cell& cell, Look&& look) const {
  for (Index i = heads_[place(cell)]; i != kNone; i = entries_[i].next)
    if (entries_[i].cell == cell) look(i);
}

void HashGrid::find(const RoundedBox& box, std::vector<Index>& found) const {
  const auto look = [&](Index i) {
    if (boxes()[i].overlaps(box)) found.push_back(i);
  };
  std::array<bool, kLevels> too_fine{};
  bool any_too_fine = false;
  for (int level = 0; level < kLevels; ++level) {
    const auto l = static_cast<std::size_t>(level);
    if (held_at_[l] == 0) continue;
    const Range range = range_of(box, level);
    if (range.cells() > count_) {
      too_fine[l] = any_too_fine = true;
      continue;
    }
    each_cell(range, level, [&](const Cell& cell) { look_in(cell, look); });
  }
  // There are more cells than boxes, so test the boxes directly.
  if (!any_too_fine) return;
  for (Index i = 0; i < entries_.size(); ++i)
    if (is_held(i) && too_fine[static_cast<std::size_t>(entries_[i].cell.level)]) look(i);
}

// Each box is tested against larger ones, and against boxes of its size in its own cell and in
// cells that come after it.
void HashGrid::find_pairs(std::vector<BoxPair>& found) {
  bounds_.fill(RoundedBox(Aabb()));
  for (Index i = 0; i < entries_.size(); ++i) {
    if (!is_held(i)) continue;
    const RoundedBox& box = boxes()[i];
    const Cell own = entries_[i].cell;
    stretch_bounds(own.level, box);
    const auto look = [&](Index j) {
      if (boxes()[j].overlaps(box)) found.push_back({i, j});
    };
    for (int level = own.level; level < kLevels; ++level) {
      if (held_at_[static_cast<std::size_t>(level)] == 0) continue;
      each_cell(range_of(box, level), level, [&](const Cell& cell) {
        if (level > own.level || cell.at > own.at) look_in(cell, look);
      });
    }
    look_in(own, [&](Index j) {
      if (j < i) look(j);
    });
  }
}

// A ray traverses the grid of each size in steps of a cell's edge, but only if that needs fewer
// tests than there are boxes.
void HashGrid::start(RayQueue& queue) const {
  std::array<bool, kLevels> too_fine{};
  bool any_too_fine = false;
  for (int level = 0; level < kLevels; ++level) {
    const auto l = static_cast<std::size_t>(level);
    if (held_at_[l] == 0) continue;
    const double from = queue.ray().enters(bounds_[l]);
    if (from == kInfinity) continue;
    constexpr double kLooks = 8;  // usual number of cells in a step
    const double steps = (queue.ray().leaves(bounds_[l]) - from) / step_of(level, queue.ray());
    if (kLooks * steps < held_at_[l])
      queue.add_node_at(static_cast<Index>(level) << kStepBits, from);
    else
      too_fine[l] = any_too_fine = true;
  }
  if (!any_too_fine) return;
  for (Index i = 0; i < entries_.size(); ++i)
    if (is_held(i) && too_fine[static_cast<std::size_t>(entries_[i].cell.level)])
      add_ray_box(i, queue);
}

double HashGrid::step_of(int level, const RayToBoxes& ray) {
  return 1 / (inverse_edge(level) * ray.greatest_speed());
}

// Each box is reported in the step in which the ray enters it.
void HashGrid::open(Index node, RayQueue& queue) const {
  const RayToBoxes& ray = queue.ray();
  const auto level = static_cast<int>(node >> kStepBits);
  const RoundedBox& bounds = bounds_[static_cast<std::size_t>(level)];
  const double first = ray.enters(bounds), length = step_of(level, ray);
  const Index step = node & ((Index{1} << kStepBits) - 1);
  const double from = first + step * length, to = first + (step + 1) * length;
  Aabb piece;
  piece.include(ray.at(from));
  piece.include(ray.at(to));
  // Grow by more than the rounding error of a ray that was found to enter a box.
  const double size = ray.at(0).cwiseAbs().maxCoeff() + piece.lo.cwiseAbs().maxCoeff() +
                      piece.hi.cwiseAbs().maxCoeff() + 1 / inverse_edge(level);
  const Vec3 grown = Vec3::Constant(1e-14 * size);
  each_cell(range_of(RoundedBox(Aabb{piece.lo - grown, piece.hi + grown}), level), level,
            [&](const Cell& cell) {
              look_in(cell, [&](Index i) {
                if (!waits(i)) queue.add_box_between(i, boxes()[i], from, to);
              });
            });
  if (to <= ray.leaves(bounds)) queue.add_node_at(node + 1, to);
}

std::size_t HashGrid::structure_bytes() const {
  return entries_.capacity() * sizeof(Entry) + heads_.capacity() * sizeof(Index);
}

void HashGrid::validate() const {
  const auto require = [](bool holds, const char* what, Index number) {
    if (!holds) throw Error("hash grid: box " + std::to_string(number) + ' ' + what);
  };
  Index met = 0;
  for (std::size_t head = 0; head < heads_.size(); ++head)
    for (Index i = heads_[head], before = kNone; i != kNone; before = i, i = entries_[i].next) {
      require(++met <= count_, "is in a list without end", i);
      require(is_held(i) && entries_[i].previous == before && place(entries_[i].cell) == head,
              "is in the wrong list", i);
      if (!waits(i)) require(cell_of(boxes()[i]) == entries_[i].cell, "is in the wrong cell", i);
    }
  require(met == count_, "and later ones: too few are in lists", met);
}

}  // namespace touche::broadphase
