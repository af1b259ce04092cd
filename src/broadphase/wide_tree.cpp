// SPDX-License-Identifier: Apache-2.0
#include "broadphase/wide_tree.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "broadphase/box_kernels.h"
#include "broadphase/joined_box.h"

namespace touche::broadphase {
namespace {

constexpr float kHuge = std::numeric_limits<float>::infinity();

// Half of the surface area. Scaled first, so that coordinates of 1e30 do not overflow.
float half_area(const RoundedBox& box) {
  constexpr float kUnit = 1e-12f;
  const float x = kUnit * (box.hi[0] - box.lo[0]), y = kUnit * (box.hi[1] - box.lo[1]),
              z = kUnit * (box.hi[2] - box.lo[2]);
  return x * y + y * z + z * x;
}

std::size_t widest_axis(const RoundedBox& box) {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (box.hi[k] - box.lo[k] > box.hi[axis] - box.lo[axis]) axis = k;
  return axis;
}

}  // namespace

struct WideTree::Centre {
  std::array<float, 3> x;  // twice the centre
  Index item;
};

// Grows by little, since most trees hardly grow.
void WideTree::make_room() { nodes_.reserve(nodes_.size() + nodes_.size() / 8 + 8); }

Index WideTree::make_node(int level) {
  Index at = free_;
  if (at == kNone) {
    at = static_cast<Index>(nodes_.size());
    if (at == nodes_.capacity()) make_room();
    nodes_.emplace_back();
  } else {
    free_ = nodes_[at].parent;
  }
  Node& node = nodes_[at];
  for (std::size_t k = 0; k < 3; ++k) {
    std::fill_n(node.lo[k], kWidth, kHuge);
    std::fill_n(node.hi[k], kWidth, -kHuge);
  }
  std::fill_n(node.child, kWidth, kNone);
  node.parent = kNone;
  node.lane = 0;
  node.level = static_cast<std::uint8_t>(level);
  node.used = 0;
  return at;
}

void WideTree::put(Index at, int lane, Index child, const RoundedBox& box) {
  Node& node = nodes_[at];
  for (std::size_t k = 0; k < 3; ++k) {
    node.lo[k][lane] = box.lo[k];
    node.hi[k][lane] = box.hi[k];
  }
  node.child[lane] = child;
  node.used = static_cast<std::uint8_t>(node.used | 1u << lane);
  if (node.level == 0) {
    place_[child] = at * kWidth + static_cast<Index>(lane);
  } else {
    nodes_[child].parent = at;
    nodes_[child].lane = static_cast<std::uint8_t>(lane);
  }
}

RoundedBox WideTree::box_of(const Node& node, int lane) {
  RoundedBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[k] = node.lo[k][lane];
    box.hi[k] = node.hi[k][lane];
  }
  return box;
}

RoundedBox WideTree::box_of(const Node& node) const {
  RoundedBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    // In halves, so that compilers do four comparisons at once.
    float lo[kWidth / 2], hi[kWidth / 2];
    for (int i = 0; i < kWidth / 2; ++i) {
      lo[i] = std::min(node.lo[k][i], node.lo[k][i + kWidth / 2]);
      hi[i] = std::max(node.hi[k][i], node.hi[k][i + kWidth / 2]);
    }
    box.lo[k] = std::min(std::min(lo[0], lo[1]), std::min(lo[2], lo[3]));
    box.hi[k] = std::max(std::max(hi[0], hi[1]), std::max(hi[2], hi[3]));
  }
  return box;
}

// ---- building -----------------------------------------------------------------------------------

std::vector<Index> WideTree::build(std::span<const PackedBox> boxes) {
  nodes_.clear();
  free_ = root_ = kNone;
  place_.resize(boxes.size());
  std::vector<Index> order;
  if (boxes.empty()) return order;
  order.reserve(boxes.size());
  std::vector<Centre> centres(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) centres[i].x[k] = boxes[i].ends[k] - boxes[i].ends[3 + k];
    centres[i].item = static_cast<Index>(i);
  }
  int level = 0;
  for (std::size_t room = kBuiltWidth; room < boxes.size(); room *= kBuiltWidth) ++level;
  nodes_.shrink_to_fit();
  root_ = build_node(centres, boxes, level, order);
  make_room();  // so that nodes are not all copied by one of the next calls
  return order;
}

// Divides the items at medians of the axis along which they are spread most, until there is one
// part for each child.
Index WideTree::build_node(std::span<Centre> centres, std::span<const PackedBox> boxes, int level,
                           std::vector<Index>& order) {
  const Index at = make_node(level);
  std::size_t room = 1;  // capacity of a child
  for (int l = 0; l < level; ++l) room *= kBuiltWidth;
  int lane = 0;
  const auto divide = [&](auto&& self, std::span<Centre> part, std::size_t children) -> void {
    if (children == 1) {
      if (level == 0) {
        const auto item = static_cast<Index>(order.size());
        order.push_back(part[0].item);
        put(at, lane++, item, boxes[part[0].item].unpacked());
      } else {
        const Index child = build_node(part, boxes, level - 1, order);
        put(at, lane++, child, box_of(nodes_[child]));
      }
      return;
    }
    RoundedBox spread = empty_box();
    for (const Centre& c : part)
      for (std::size_t k = 0; k < 3; ++k) {
        spread.lo[k] = std::min(spread.lo[k], c.x[k]);
        spread.hi[k] = std::max(spread.hi[k], c.x[k]);
      }
    const std::size_t axis = widest_axis(spread), first = children / 2;
    const std::size_t cut = part.size() * first / children;
    std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(cut), part.end(),
                     [&](const Centre& a, const Centre& b) {
                       return a.x[axis] != b.x[axis] ? a.x[axis] < b.x[axis] : a.item < b.item;
                     });
    self(self, part.first(cut), first);
    self(self, part.subspan(cut), children - first);
  };
  divide(divide, centres, (centres.size() + room - 1) / room);
  return at;
}

// ---- changing -----------------------------------------------------------------------------------

// The surface area of each lane's box, and its growth if it includes another box; for empty lanes
// these are not numbers. Loops over lanes, so that compilers do several at once.
void WideTree::grow_each(const Node& node, const RoundedBox& box, float (&growth)[kWidth],
                         float (&area)[kWidth]) {
  for (int lane = 0; lane < kWidth; ++lane) {
    RoundedBox own, grown;
    for (std::size_t k = 0; k < 3; ++k) {
      own.lo[k] = node.lo[k][lane];
      own.hi[k] = node.hi[k][lane];
      grown.lo[k] = std::min(own.lo[k], box.lo[k]);
      grown.hi[k] = std::max(own.hi[k], box.hi[k]);
    }
    area[lane] = half_area(own);
    growth[lane] = half_area(grown) - area[lane];
  }
}

void WideTree::insert(Index item, const PackedBox& packed) {
  const RoundedBox box = packed.unpacked();
  if (item >= place_.size()) place_.resize(item + 1);
  if (root_ == kNone) root_ = make_node(0);
  Index at = root_;
  while (nodes_[at].level > 0) {
    // Choose the child that grows least, and the smallest of several.
    const Node& node = nodes_[at];
    float growth[kWidth], area[kWidth];
    grow_each(node, box, growth, area);
    int best = std::countr_zero(node.used);
    for (unsigned left = node.used; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (growth[lane] < growth[best] || (growth[lane] == growth[best] && area[lane] < area[best]))
        best = lane;
    }
    RoundedBox grown = box_of(node, best);
    include(grown, box);
    put(at, best, node.child[best], grown);
    at = node.child[best];
  }
  place(at, item, box);
}

// Adds a child. The boxes of the ancestors must already contain it.
void WideTree::place(Index at, Index child, const RoundedBox& box) {
  const unsigned used = nodes_[at].used;
  if (used == (1u << kWidth) - 1)
    split(at, child, box);
  else
    put(at, std::countr_one(used), child, box);
}

void WideTree::split(Index at, Index child, const RoundedBox& box) {
  struct Part {
    RoundedBox box;
    Index child;
  };
  std::array<Part, kWidth + 1> parts;
  RoundedBox spread = empty_box();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int lane = static_cast<int>(i);
    parts[i] =
        lane < kWidth ? Part{box_of(nodes_[at], lane), nodes_[at].child[lane]} : Part{box, child};
    RoundedBox centre;
    for (std::size_t k = 0; k < 3; ++k)
      centre.lo[k] = centre.hi[k] = 0.5f * parts[i].box.lo[k] + 0.5f * parts[i].box.hi[k];
    include(spread, centre);
  }
  const std::size_t axis = widest_axis(spread);
  std::sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
    const float x = a.box.lo[axis] + a.box.hi[axis], y = b.box.lo[axis] + b.box.hi[axis];
    return x != y ? x < y : a.child < b.child;
  });
  // Three to six children stay: the number that makes both halves smallest.
  std::array<RoundedBox, kWidth + 1> from_end;
  from_end[kWidth] = parts[kWidth].box;
  for (std::size_t i = kWidth; i-- > 0;) {
    from_end[i] = from_end[i + 1];
    include(from_end[i], parts[i].box);
  }
  RoundedBox from_start = parts[0].box;
  std::size_t stay = 4;
  float least = kHuge;
  for (std::size_t i = 1; i <= 6; ++i) {
    if (i >= 3) {
      const float area = half_area(from_start) * static_cast<float>(i) +
                         half_area(from_end[i]) * static_cast<float>(parts.size() - i);
      if (area < least) {
        least = area;
        stay = i;
      }
    }
    include(from_start, parts[i].box);
  }

  const int level = nodes_[at].level;
  const Index sibling = make_node(level), parent = nodes_[at].parent;
  const int lane_above = nodes_[at].lane;
  for (int lane = 0; lane < kWidth; ++lane) clear(at, lane);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Index to = i < stay ? at : sibling;
    put(to, static_cast<int>(i < stay ? i : i - stay), parts[i].child, parts[i].box);
  }
  if (parent == kNone) {
    root_ = make_node(level + 1);
    put(root_, 0, at, box_of(nodes_[at]));
    put(root_, 1, sibling, box_of(nodes_[sibling]));
  } else {
    put(parent, lane_above, at, box_of(nodes_[at]));
    place(parent, sibling, box_of(nodes_[sibling]));
  }
}

void WideTree::clear(Index at, int lane) {
  Node& node = nodes_[at];
  for (std::size_t k = 0; k < 3; ++k) {
    node.lo[k][lane] = kHuge;
    node.hi[k][lane] = -kHuge;
  }
  node.child[lane] = kNone;
  node.used = static_cast<std::uint8_t>(node.used & ~(1u << lane));
}

void WideTree::remove(Index item) {
  const Index at = place_[item] / kWidth;
  clear(at, static_cast<int>(place_[item] % kWidth));
  // Reinsert the remaining boxes of a leaf that is nearly empty.
  constexpr int kFew = 2;
  if (std::popcount(nodes_[at].used) > kFew || nodes_[at].parent == kNone) {
    if (nodes_[at].used == 0)
      drop_empty(at);
    else
      fit_upwards(at);
    return;
  }
  std::array<Index, kFew> left{};
  std::array<RoundedBox, kFew> boxes;
  std::size_t count = 0;
  for (int lane = 0; lane < kWidth; ++lane) {
    if ((nodes_[at].used >> lane & 1) == 0) continue;
    left[count] = nodes_[at].child[lane];
    boxes[count++] = box_of(nodes_[at], lane);
    clear(at, lane);
  }
  drop_empty(at);
  for (std::size_t i = 0; i < count; ++i) insert(left[i], PackedBox(boxes[i]));
}

// Removes a node without children, and its ancestors that have no other child.
void WideTree::drop_empty(Index at) {
  while (nodes_[at].used == 0) {
    const Index parent = nodes_[at].parent;
    const int lane = nodes_[at].lane;
    nodes_[at].parent = free_;
    free_ = at;
    if (parent == kNone) {
      root_ = kNone;
      return;
    }
    clear(parent, lane);
    at = parent;
  }
  fit_upwards(at);
}

void WideTree::stretch(Index item, const PackedBox& box) {
  const Index at = place_[item] / kWidth;
  put(at, static_cast<int>(place_[item] % kWidth), item, box.unpacked());
  fit_upwards(at);
}

// Updates the boxes of a node's ancestors, as far as they change.
void WideTree::fit_upwards(Index at) {
  for (Index parent = nodes_[at].parent; parent != kNone; at = parent, parent = nodes_[at].parent) {
    const RoundedBox box = box_of(nodes_[at]);
    const int lane = nodes_[at].lane;
    if (box == box_of(nodes_[parent], lane)) return;
    put(parent, lane, at, box);
  }
}

// ---- searching ----------------------------------------------------------------------------------

void WideTree::find(const PackedBox& box, std::vector<Index>& found) const {
  if (root_ != kNone) box_kernels().find(nodes_.data(), root_, box, found);
}

void WideTree::find_of_each(const PackedBox* boxes, std::span<const Index> items,
                            Findings& findings) const {
  findings.items.clear();
  findings.ends.assign(items.size(), 0);
  if (root_ == kNone) return;
  constexpr std::size_t kSeveral = 4;  // fewer items are searched one by one
  if (items.size() >= kSeveral) {
    box_kernels().find_of_each(nodes_.data(), root_, boxes, items, findings);
    return;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    find(boxes[items[i]], findings.items);
    findings.ends[i] = findings.items.size();
  }
}

void WideTree::find_pairs(std::vector<BoxPair>& found) const {
  if (root_ != kNone) box_kernels().find_pairs(nodes_.data(), root_, found);
}

std::size_t WideTree::bytes() const {
  return nodes_.capacity() * sizeof(Node) + place_.capacity() * sizeof(Index);
}

void WideTree::validate(std::span<const PackedBox> boxes) const {
  const auto require = [](bool holds, const char* what, Index number) {
    if (!holds) throw Error(std::string("tree of boxes: ") + what + " " + std::to_string(number));
  };
  std::vector<Index> stack;
  if (root_ != kNone) {
    require(nodes_[root_].parent == kNone, "a root with a parent, node", root_);
    stack.push_back(root_);
  }
  while (!stack.empty()) {
    const Index at = stack.back();
    stack.pop_back();
    const Node& node = nodes_[at];
    require(node.used != 0, "no item in node", at);
    for (int lane = 0; lane < kWidth; ++lane) {
      const Index child = node.child[lane];
      if ((node.used >> lane & 1) == 0) {
        require(child == kNone && node.lo[0][lane] == kHuge, "an unused lane with an item, node",
                at);
      } else if (node.level == 0) {
        require(place_[child] == at * kWidth + static_cast<Index>(lane), "a lost item", child);
        require(box_of(node, lane) == boxes[child].unpacked(), "another box for item", child);
      } else {
        require(nodes_[child].parent == at && nodes_[child].lane == lane &&
                    nodes_[child].level + 1 == node.level,
                "a wrong parent of node", child);
        require(box_of(node, lane) == box_of(nodes_[child]), "a wrong box of node", child);
        stack.push_back(child);
      }
    }
  }
}

}  // namespace touche::broadphase
