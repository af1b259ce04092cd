// SPDX-License-Identifier: Apache-2.0
#include "broadphase/partition_pairs.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "aabb_tree/aabb_tree.h"
#include "broadphase/joined_box.h"

namespace touche::broadphase {
namespace {

constexpr std::size_t kMostInLeaf = 12;  // a leaf with at most this many items is not divided
constexpr std::size_t kMostCopies = 8;   // limit of the average number of leaves per item
constexpr std::size_t kSample = 128;     // number of items by which planes are rated

// Axes first, then diagonals of faces and of space.
constexpr std::array<std::array<double, 3>, 13> kDirections = {{{1, 0, 0},
                                                                {0, 1, 0},
                                                                {0, 0, 1},
                                                                {1, 1, 0},
                                                                {1, -1, 0},
                                                                {1, 0, 1},
                                                                {1, 0, -1},
                                                                {0, 1, 1},
                                                                {0, 1, -1},
                                                                {1, 1, 1},
                                                                {1, 1, -1},
                                                                {1, -1, 1},
                                                                {1, -1, -1}}};

// The coordinate along a direction. Rounding is monotonic, so a point of a box is never outside the
// box's interval computed in the same way.
double height(const std::array<float, 3>& point, std::size_t direction) {
  if (direction < 3) return point[direction];
  const std::array<double, 3>& n = kDirections[direction];
  return n[0] * point[0] + n[1] * point[1] + n[2] * point[2];
}

struct Interval {
  double from, to;
};
Interval interval(const RoundedBox& box, std::size_t direction) {
  if (direction < 3) return {box.lo[direction], box.hi[direction]};
  std::array<float, 3> lowest = box.lo, highest = box.hi;
  for (std::size_t k = 0; k < 3; ++k)
    if (kDirections[direction][k] < 0) std::swap(lowest[k], highest[k]);
  return {height(lowest, direction), height(highest, direction)};
}

std::array<float, 3> lower_corner(const RoundedBox& a, const RoundedBox& b) {
  return {std::max(a.lo[0], b.lo[0]), std::max(a.lo[1], b.lo[1]), std::max(a.lo[2], b.lo[2])};
}

// Number of items on either side of a plane.
struct Sides {
  std::size_t lower = 0, upper = 0;
  // Returns the share of pairs that still have to be tested when the plane is used.
  double share(std::size_t items) const {
    const auto low = static_cast<double>(lower), high = static_cast<double>(upper),
               all = static_cast<double>(items);
    return (low * low + high * high) / (all * all);
  }
};

}  // namespace

PartitionPairs::PartitionPairs(Planes planes)
    : directions_(planes == Planes::across_axes ? 3 : kDirections.size()) {}

Index PartitionPairs::leaf_at(const std::array<float, 3>& point) const {
  Index at = 0;
  while (!nodes_[at].is_leaf()) {
    const Plane& plane = nodes_[at].plane;
    at = height(point, plane.direction) < plane.offset ? nodes_[at].lower : nodes_[at].upper;
  }
  return at;
}

template <class Meet>
void PartitionPairs::visit_leaves(const RoundedBox& box, Meet&& meet) const {
  if (nodes_.empty()) return;
  aabb_tree::TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Index at = waiting.pop();
    const Node& node = nodes_[at];
    if (node.is_leaf()) {
      meet(at);
      continue;
    }
    const auto [from, to] = interval(box, node.plane.direction);
    if (to >= node.plane.offset) waiting.push(node.upper);
    if (from < node.plane.offset) waiting.push(node.lower);
  }
}

// Tries the median and the middle along each direction, and takes the plane that leaves the fewest
// pairs to test.
PartitionPairs::Plane PartitionPairs::best_plane(const std::vector<Index>& items) {
  const std::size_t some = std::min(items.size(), kSample);
  const auto sample = [&](std::size_t i) -> const RoundedBox& {
    return places_[items[i * items.size() / some]].box;
  };
  Plane best;
  double least = kInfinity;
  for (std::size_t direction = 0; direction < directions_; ++direction) {
    middles_.clear();
    for (std::size_t i = 0; i < some; ++i) {
      const auto [from, to] = interval(sample(i), direction);
      middles_.push_back(0.5 * (from + to));
    }
    const auto [first, last] = std::minmax_element(middles_.begin(), middles_.end());
    const double middle = 0.5 * (*first + *last);
    const auto median = middles_.begin() + static_cast<std::ptrdiff_t>(some / 2);
    std::nth_element(middles_.begin(), median, middles_.end());
    for (const double offset : {*median, middle}) {
      Sides sides;
      for (std::size_t i = 0; i < some; ++i) {
        const auto [from, to] = interval(sample(i), direction);
        sides.lower += std::size_t{from < offset};
        sides.upper += std::size_t{to >= offset};
      }
      if (sides.share(some) >= least) continue;
      least = sides.share(some);
      best = {direction, offset};
    }
  }
  return best;
}

// Divides a leaf if that helps.
bool PartitionPairs::divide_once(Index leaf) {
  std::vector<Index> items = std::move(nodes_[leaf].items);
  const Plane plane = best_plane(items);
  Sides sides;
  for (const Index item : items) {
    const auto [from, to] = interval(places_[item].box, plane.direction);
    sides.lower += std::size_t{from < plane.offset};
    sides.upper += std::size_t{to >= plane.offset};
  }
  const std::size_t held = held_items_ - items.size() + sides.lower + sides.upper;
  constexpr double kWorthwhile = 0.8;
  if (sides.share(items.size()) > kWorthwhile || held > kMostCopies * size()) {
    nodes_[leaf].undivided = items.size();
    nodes_[leaf].items = std::move(items);
    return false;
  }
  held_items_ = held;
  const auto lower = static_cast<Index>(nodes_.size()), upper = lower + 1;
  nodes_[leaf].plane = plane;
  nodes_[leaf].lower = lower;
  nodes_[leaf].upper = upper;
  nodes_.resize(nodes_.size() + 2);
  for (const Index child : {lower, upper}) {
    nodes_[child].parent = leaf;
    nodes_[child].bound = empty_box();
  }
  for (const Index item : items) {
    Place& place = places_[item];
    const auto [from, to] = interval(place.box, plane.direction);
    --place.copies;
    for (const auto& [reaches, child] :
         {std::pair(from < plane.offset, lower), std::pair(to >= plane.offset, upper)}) {
      if (!reaches) continue;
      nodes_[child].items.push_back(item);
      ++place.copies;
    }
    if (place.leaf != leaf) continue;
    place.leaf = height(place.box.lo, plane.direction) < plane.offset ? lower : upper;
    include(nodes_[place.leaf].bound, place.box);
  }
  return true;
}

void PartitionPairs::divide(Index first) {
  std::vector<Index> waiting{first};
  while (!waiting.empty()) {
    const Index leaf = waiting.back();
    waiting.pop_back();
    const std::size_t items = nodes_[leaf].items.size();
    if (items <= kMostInLeaf || items < 2 * nodes_[leaf].undivided || !divide_once(leaf)) continue;
    waiting.push_back(nodes_[leaf].upper);
    waiting.push_back(nodes_[leaf].lower);
  }
}

void PartitionPairs::build() {
  nodes_.assign(1, {});
  nodes_[0].bound = empty_box();
  for (Index number = 0; number < boxes().size(); ++number) {
    if (!has(number)) continue;
    places_[number] = {boxes()[number], 0, 1};
    nodes_[0].items.push_back(number);
    include(nodes_[0].bound, boxes()[number]);
  }
  held_items_ = nodes_[0].items.size();
  divide(0);
  first_items_ = held_items_;
  first_size_ = size();
}

// Moves a box from its old position to its new one.
void PartitionPairs::put(Index number, bool was_there) {
  struct Waiting {
    Index node;
    bool had, has;
  };
  Place& place = places_[number];
  const RoundedBox &before = place.box, &now = boxes()[number];
  std::vector<Index> full;
  aabb_tree::TraversalStack<Waiting> waiting;
  waiting.push({0, was_there, true});
  while (!waiting.empty()) {
    const auto [at, had, has] = waiting.pop();
    Node& node = nodes_[at];
    if (!node.is_leaf()) {
      const auto old = interval(before, node.plane.direction),
                 fresh = interval(now, node.plane.direction);
      const double offset = node.plane.offset;
      const Waiting upper{node.upper, had && old.to >= offset, has && fresh.to >= offset},
          lower{node.lower, had && old.from < offset, has && fresh.from < offset};
      for (const Waiting& child : {upper, lower})
        if (child.had || child.has) waiting.push(child);
    } else if (had != has) {
      if (had)
        node.items.erase(std::find(node.items.begin(), node.items.end(), number));
      else
        node.items.push_back(number);
      place.copies += has ? 1 : -1;
      held_items_ += has ? 1 : -1;
      if (has && node.items.size() > 2 * kMostInLeaf) full.push_back(at);
    }
  }
  place.box = now;
  begin_in(number, leaf_at(now.lo));
  for (const Index leaf : full) divide(leaf);
}

void PartitionPairs::begin_in(Index number, Index leaf) {
  places_[number].leaf = leaf;
  for (Index at = leaf; at != kNone && !contains(nodes_[at].bound, places_[number].box);
       at = nodes_[at].parent)
    include(nodes_[at].bound, places_[number].box);
}

void PartitionPairs::refit() {
  for (std::size_t at = nodes_.size(); at-- > 0;) {
    Node& node = nodes_[at];
    node.bound = empty_box();
    for (const Index item : node.items)
      if (places_[item].leaf == at) include(node.bound, places_[item].box);
    if (node.is_leaf()) continue;
    include(node.bound, nodes_[node.lower].bound);
    include(node.bound, nodes_[node.upper].bound);
  }
}

// Planes stay while boxes move. If boxes have moved so that they cross many planes, or most boxes
// were removed, the tree is rebuilt with other planes.
void PartitionPairs::settle(std::span<const Index> numbers) {
  constexpr std::size_t kMany = 8;  // if more than one box in `kMany` moved, refit the bounds
  places_.resize(boxes().size());
  std::size_t held = 0;
  for (const Index number : numbers) held += std::size_t{is_held(number)};
  if (nodes_.empty() || 2 * (numbers.size() - held) > size() || 4 * size() < first_size_) {
    build();
    return;
  }
  for (const Index number : numbers) put(number, is_held(number));
  if (2 * held_items_ > 3 * first_items_ + 128)
    build();
  else if (numbers.size() > size() / kMany)
    refit();
}

void PartitionPairs::take_out(Index number) {
  Place& place = places_[number];
  visit_leaves(place.box, [&](Index leaf) {
    std::vector<Index>& items = nodes_[leaf].items;
    items.erase(std::find(items.begin(), items.end(), number));
  });
  held_items_ -= place.copies;
  place = {};
}

void PartitionPairs::find(const RoundedBox& box, std::vector<Index>& found) const {
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  bool several = false;
  visit_leaves(box, [&](Index leaf) {
    for (const Index item : nodes_[leaf].items) {
      if (!boxes()[item].overlaps(box)) continue;
      found.push_back(item);
      several |= places_[item].copies > 1;
    }
  });
  if (!several) return;
  std::sort(found.begin() + before, found.end());
  found.erase(std::unique(found.begin() + before, found.end()), found.end());
}

void PartitionPairs::find_pairs(std::vector<BoxPair>& found) {
  for (Index leaf = 0; leaf < nodes_.size(); ++leaf) {
    const std::vector<Index>& items = nodes_[leaf].items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const RoundedBox& a = boxes()[items[i]];
      for (std::size_t j = i + 1; j < items.size(); ++j) {
        const RoundedBox& b = boxes()[items[j]];
        if (!a.overlaps(b)) continue;
        const bool elsewhere = places_[items[i]].copies > 1 && places_[items[j]].copies > 1;
        if (!elsewhere || leaf_at(lower_corner(a, b)) == leaf)
          found.push_back({items[i], items[j]});
      }
    }
  }
}

void PartitionPairs::start(RayQueue& queue) const {
  if (!nodes_.empty()) queue.add_node(0, nodes_[0].bound);
}

void PartitionPairs::open(Index at, RayQueue& queue) const {
  const Node& node = nodes_[at];
  for (const Index item : node.items)
    if (places_[item].leaf == at) add_ray_box(item, queue);
  if (node.is_leaf()) return;
  for (const Index child : {node.lower, node.upper}) queue.add_node(child, nodes_[child].bound);
}

std::size_t PartitionPairs::structure_bytes() const {
  std::size_t bytes = nodes_.capacity() * sizeof(Node) + places_.capacity() * sizeof(Place) +
                      middles_.capacity() * sizeof(double);
  for (const Node& node : nodes_) bytes += node.items.capacity() * sizeof(Index);
  return bytes;
}

void PartitionPairs::validate() const {
  const auto require = [](bool holds, const char* what, std::size_t node) {
    if (!holds) throw Error("partition: node " + std::to_string(node) + ' ' + what);
  };
  std::vector<std::size_t> expected(nodes_.size());  // number of items in each leaf
  for (Index i = 0; i < places_.size(); ++i) {
    if (!is_held(i)) continue;
    Index copies = 0;
    visit_leaves(places_[i].box, [&](Index leaf) {
      ++expected[leaf];
      ++copies;
      require(std::count(nodes_[leaf].items.begin(), nodes_[leaf].items.end(), i) == 1,
              "does not hold a box once that reaches into it", leaf);
    });
    require(copies == places_[i].copies, "or another one has too many copies", 0);
    const Index leaf = places_[i].leaf;
    require(leaf == leaf_at(places_[i].box.lo), "has a box that begins elsewhere", leaf);
    if (!waits(i)) require(places_[i].box == boxes()[i], "has a box that is another one", leaf);
    require(contains(nodes_[leaf].bound, places_[i].box), "has a box outside of its bounds", leaf);
  }
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    const Node& node = nodes_[at];
    require(node.items.size() == expected[at], "holds a box that does not reach into it", at);
    if (node.is_leaf()) continue;
    for (const Index child : {node.lower, node.upper})
      require(
          child > at && nodes_.at(child).parent == at && contains(node.bound, nodes_[child].bound),
          "has a child that is not its own or outside of its bounds", at);
  }
  require(held_items_ == std::accumulate(expected.begin(), expected.end(), std::size_t{0}),
          "or another one miscounts", 0);
}

}  // namespace touche::broadphase
