// SPDX-License-Identifier: Apache-2.0
#include "broadphase/octree_pairs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "aabb_tree/aabb_tree.h"
#include "broadphase/joined_box.h"

namespace touche::broadphase {
namespace {

constexpr Index kMostInCell = 8;  // number of boxes in a cell before it is opened
// if more than one box in `kManyMoved` moved, refit the bounds
constexpr std::size_t kManyMoved = 8;

double middle(const RoundedBox& box, std::size_t k) {
  return 0.5 * (double{box.lo[k]} + double{box.hi[k]});
}

}  // namespace

// The cell of a box affects only the speed of searches, not their results, so rounding does no harm
// here.
bool OctreePairs::fits(const RoundedBox& box, const Cell& cell) const {
  for (std::size_t k = 0; k < 3; ++k)
    if (!(cell.centre[k] - 2 * cell.half <= box.lo[k] &&
          box.hi[k] <= cell.centre[k] + 2 * cell.half))
      return false;
  return true;
}

// The child of an opened cell into which a box fits, made if it does not exist; kNone if it fits
// into none.
Index OctreePairs::child_for(const RoundedBox& box, Index at) {
  const Cell& parent = cells_[at];
  if (0.5 * parent.half < finest_) return kNone;
  Cell child;
  child.half = 0.5 * parent.half;
  child.parent = at;
  child.bound = empty_box();
  std::size_t place = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool upper = middle(box, k) >= parent.centre[k];
    place |= std::size_t{upper} << k;
    child.centre[k] = parent.centre[k] + (upper ? child.half : -child.half);
  }
  if (!fits(box, child)) return kNone;
  if (parent.children[place] == kNone) {
    cells_[at].children[place] = static_cast<Index>(cells_.size());
    cells_.push_back(child);
  }
  return cells_[at].children[place];
}

void OctreePairs::link(Index number, Index at) {
  Cell& cell = cells_[at];
  entries_[number] = {at, cell.first, kNone};
  if (cell.first != kNone) entries_[cell.first].previous = number;
  cell.first = number;
  ++cell.count;
}

void OctreePairs::unlink(Index number) {
  Entry& entry = entries_[number];
  Cell& cell = cells_[entry.cell];
  if (entry.next != kNone) entries_[entry.next].previous = entry.previous;
  (entry.previous == kNone ? cell.first : entries_[entry.previous].next) = entry.next;
  --cell.count;
  entry.cell = kNone;
}

// Moves a box up until it fits, then down as far as it fits.
void OctreePairs::place(Index number) {
  const RoundedBox& box = boxes()[number];
  const Index before = entries_[number].cell;
  Index at = before == kNone ? 0 : before;
  while (at != 0 && !fits(box, cells_[at])) at = cells_[at].parent;
  while (cells_[at].opened) {
    const Index child = child_for(box, at);
    if (child == kNone) break;
    at = child;
  }
  if (at != before) {
    if (before != kNone) unlink(number);
    link(number, at);
  }
  for (Index above = at; above != kNone && !contains(cells_[above].bound, box);
       above = cells_[above].parent)
    include(cells_[above].bound, box);
  if (at != before && cells_[at].count > kMostInCell && !cells_[at].opened) open_up(at);
}

// Moves boxes that fit into children there, and opens children that get too many.
void OctreePairs::open_up(Index first) {
  std::vector<Index> waiting{first};
  while (!waiting.empty()) {
    const Index at = waiting.back();
    waiting.pop_back();
    cells_[at].opened = true;
    for (Index i = cells_[at].first, next = kNone; i != kNone; i = next) {
      next = entries_[i].next;
      // The box moved and waits to be placed: the bounds above do not contain it yet.
      if (!contains(cells_[at].bound, boxes()[i])) continue;
      const Index child = child_for(boxes()[i], at);
      if (child == kNone) continue;
      unlink(i);
      link(i, child);
      include(cells_[child].bound, boxes()[i]);
      if (cells_[child].count == kMostInCell + 1) waiting.push_back(child);
    }
  }
}

// Rebuilds the octree, in a root twice as large as needed, so that boxes can move before they leave
// it.
void OctreePairs::build() {
  Cell root;
  root.bound = empty_box();
  for (Index number = 0; number < boxes().size(); ++number)
    if (has(number)) include(root.bound, boxes()[number]);
  double farthest = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double lo = root.bound.lo[k], hi = root.bound.hi[k];
    root.centre[k] = middle(root.bound, k);
    root.half = std::max(root.half, hi - lo);
    farthest = std::max({farthest, std::abs(lo), std::abs(hi)});
  }
  finest_ = 0x1p-30 * std::max(farthest, root.half);
  cells_.assign(1, root);
  entries_.assign(boxes().size(), {});
  for (Index number = 0; number < boxes().size(); ++number)
    if (has(number)) link(number, 0);
  if (cells_[0].count > kMostInCell) open_up(0);
  first_cells_ = cells_.size();
  refit();
}

void OctreePairs::refit() {
  for (std::size_t i = cells_.size(); i-- > 0;) {
    Cell& cell = cells_[i];
    cell.bound = empty_box();
    for (Index box = cell.first; box != kNone; box = entries_[box].next)
      include(cell.bound, boxes()[box]);
    for (const Index child : cell.children)
      if (child != kNone) include(cell.bound, cells_[child].bound);
  }
}

// Cells are never freed one by one, so that children come after their parents. If boxes have moved
// through many cells, the octree is rebuilt.
void OctreePairs::settle(std::span<const Index> numbers) {
  entries_.resize(boxes().size());
  bool anew = cells_.empty() || cells_.size() > 2 * first_cells_ + 64;
  for (const Index number : numbers) anew = anew || !fits(boxes()[number], cells_[0]);
  if (anew) {
    if (!numbers.empty()) build();
    return;
  }
  for (const Index number : numbers) place(number);
  if (numbers.size() > size() / kManyMoved) refit();
}

void OctreePairs::take_out(Index number) { unlink(number); }

template <class Meet>
void OctreePairs::search_below(Index first, const RoundedBox& box, Meet&& meet) const {
  aabb_tree::TraversalStack<Index> waiting;
  waiting.push(first);
  while (!waiting.empty()) {
    const Cell& cell = cells_[waiting.pop()];
    if (!cell.bound.overlaps(box)) continue;
    for (Index i = cell.first; i != kNone; i = entries_[i].next)
      if (boxes()[i].overlaps(box)) meet(i);
    for (const Index child : cell.children)
      if (child != kNone) waiting.push(child);
  }
}

void OctreePairs::find(const RoundedBox& box, std::vector<Index>& found) const {
  if (!cells_.empty()) search_below(0, box, [&](Index i) { found.push_back(i); });
}

// A pair of cells, of which none is an ancestor of the other, or of a cell and itself, stands for
// all pairs below it.
void OctreePairs::find_pairs(std::vector<BoxPair>& found) {
  if (cells_.empty()) return;
  aabb_tree::TraversalStack<BoxPair> waiting;
  waiting.push({0, 0});
  const auto below = [&](Index first, Index i) {
    search_below(first, boxes()[i], [&](Index j) { found.push_back({i, j}); });
  };
  while (!waiting.empty()) {
    const auto [at, other] = waiting.pop();
    const Cell &a = cells_[at], &b = cells_[other];
    if (!a.bound.overlaps(b.bound)) continue;
    for (Index i = a.first; i != kNone; i = entries_[i].next) {
      if (at != other) {
        below(other, i);
        continue;
      }
      for (Index j = entries_[i].next; j != kNone; j = entries_[j].next)
        if (boxes()[i].overlaps(boxes()[j])) found.push_back({i, j});
    }
    // Test the other cell's own boxes against all boxes below this cell.
    for (Index i = b.first; i != kNone; i = entries_[i].next)
      for (const Index child : a.children)
        if (child != kNone) below(child, i);
    for (std::size_t x = 0; x < 8; ++x)
      for (std::size_t y = at == other ? x : 0; y < 8; ++y)
        if (a.children[x] != kNone && b.children[y] != kNone)
          waiting.push({a.children[x], b.children[y]});
  }
}

void OctreePairs::start(RayQueue& queue) const {
  if (!cells_.empty()) queue.add_node(0, cells_[0].bound);
}

void OctreePairs::open(Index at, RayQueue& queue) const {
  const Cell& cell = cells_[at];
  for (Index i = cell.first; i != kNone; i = entries_[i].next) add_ray_box(i, queue);
  for (const Index child : cell.children)
    if (child != kNone) queue.add_node(child, cells_[child].bound);
}

std::size_t OctreePairs::structure_bytes() const {
  return cells_.capacity() * sizeof(Cell) + entries_.capacity() * sizeof(Entry);
}

void OctreePairs::validate() const {
  const auto require = [](bool holds, const char* what, std::size_t cell) {
    if (!holds) throw Error("octree: cell " + std::to_string(cell) + ' ' + what);
  };
  std::size_t met = 0, held = 0;
  for (Index i = 0; i < entries_.size(); ++i) held += std::size_t{is_held(i)};
  for (Index at = 0; at < cells_.size(); ++at) {
    const Cell& cell = cells_[at];
    Index count = 0;
    for (Index i = cell.first, before = kNone; i != kNone; before = i, i = entries_[i].next) {
      require(++count <= cell.count, "has a list that is too long", at);
      require(is_held(i) && entries_[i].cell == at && entries_[i].previous == before,
              "has a box that is elsewhere", at);
      if (waits(i)) continue;
      require(contains(cell.bound, boxes()[i]), "has a box outside of its bounds", at);
      require(at == 0 || fits(boxes()[i], cell), "has a box that is too large", at);
    }
    require(count == cell.count, "has a list that is too short", at);
    met += count;
    for (const Index child : cell.children) {
      if (child == kNone) continue;
      require(child > at && cells_.at(child).parent == at, "has a child that is not its own", at);
      require(contains(cell.bound, cells_[child].bound), "does not contain a child", at);
    }
  }
  require(met == held, "and others do not hold all boxes", 0);
}

}  // namespace touche::broadphase
