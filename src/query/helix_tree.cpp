// SPDX-License-Identifier: Apache-2.0
#include "query/helix_tree.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "bvh/object_data.h"
#include "touche/soup.h"

namespace touche::query {
namespace {

// How often triangles may be split. Initially a triangle is split if its errors are more than
// kMostErrors of its size, as for faces at the end of a bolt that reach from the axis to the rim.
// Later it is split if it must be separated from another one and its errors are more than
// kLeastErrors of the gap needed for that.
constexpr int kMostSplits = 6, kSmallSplits = 4;
constexpr double kMostErrors = 0.25, kLeastErrors = 0.125;

// The gain of a cut by angle is multiplied by this share if the motion turns by more than the
// node's angles anyway.
constexpr double kSweptShare = 0.02;

HelixPoint middle_of(const HelixRegion& region) {
  const HelixPoint* c = region.corner;
  return {(c[0].r + c[1].r + c[2].r) / 3, (c[0].w + c[1].w + c[2].w) / 3};
}

}  // namespace

void HelixTree::begin(const Object& object, const HelixMotion::Map& map,
                      const HelixMotion& motion) {
  object_ = &object;
  bvh_ = &bvh::bvh_of(object);
  map_ = map;
  advance_ = motion.advance;
  swept_ = motion.turn_end - motion.turn_begin;
  least_errors_ = kLeastErrors * motion.error;
  leaf_ = 0;
  patches_.clear();
  corners_.clear();
  nodes_.clear();
}

void HelixTree::begin(const Object& object, const HelixMotion::Map& map, double advance) {
  HelixMotion motion;
  motion.advance = advance;
  motion.turn_end = 2 * std::numbers::pi;
  begin(object, map, motion);
}

bool HelixTree::add(std::size_t most) {
  const std::span<const bvh::BvhLeaf> leaves = bvh_->leaves();
  for (const std::size_t end = patches_.size() + most;
       leaf_ < leaves.size() && patches_.size() < end; ++leaf_) {
    const bvh::BvhLeaf& leaf = leaves[leaf_];
    for (int i = 0; i < leaf.count(); ++i) {
      const Triangle t = triangle_of(object_->soup(), leaf.triangle[i]);
      add({map_(t[0]), map_(t[1]), map_(t[2])}, ~static_cast<bvh::NodeRef>(leaf_), kMostSplits);
    }
  }
  return leaf_ < leaves.size();
}

void HelixTree::add(const HelixTriangle& triangle, bvh::NodeRef leaf, int splits) {
  const HelixRegion region = helix_region(triangle, advance_);
  const double size = std::max(region.along({1, 0}).size(), region.along({0, 1}).size());
  if (splits > 2 && region.size_of_errors() > kMostErrors * size) {
    for (const HelixTriangle& quarter : quarters(triangle)) add(quarter, leaf, splits - 1);
    return;
  }
  patches_.push_back({region, static_cast<std::uint32_t>(corners_.size()), leaf, splits});
  corners_.push_back(triangle);
}

void HelixTree::add_quarters(Patch patch) {
  for (const HelixTriangle& quarter : quarters(corners_[patch.corners])) {
    patches_.push_back({helix_region(quarter, advance_),
                        static_cast<std::uint32_t>(corners_.size()), patch.leaf, patch.splits - 1});
    corners_.push_back(quarter);
  }
}

void HelixTree::add_root() { nodes_.push_back(enclose(0, static_cast<int>(patches_.size()))); }

HelixTree::Node HelixTree::enclose(int first, int count) const {
  Node node;
  node.first = first;
  node.count = count;
  const std::span<const Patch> patches =
      std::span(patches_).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  // Compute the direction in which corners vary most.
  HelixPoint mean;
  for (const Patch& patch : patches)
    for (const HelixPoint& c : patch.region.corner) mean = {mean.r + c.r, mean.w + c.w};
  mean = {mean.r / (3.0 * count), mean.w / (3.0 * count)};
  double rr = 0, rw = 0, ww = 0;
  for (const Patch& patch : patches)
    for (const HelixPoint& c : patch.region.corner) {
      const HelixPoint d = c - mean;
      rr += d.r * d.r;
      rw += d.r * d.w;
      ww += d.w * d.w;
    }
  const double turn = 0.5 * std::atan2(2 * rw, rr - ww);
  node.axis = {std::cos(turn), std::sin(turn)};

  for (const Patch& patch : patches) {
    const HelixRegion& region = patch.region;
    node.box[0].include(region.along(node.axis));
    node.box[1].include(region.along(node.axis.across()));
    node.radius.include(region.along({1, 0}));
    node.height.include(region.along({0, 1}));
    node.angle.include(region.angle);
    node.z.include(region.z);
    node.least_radius = std::min(node.least_radius, region.least_radius);
  }
  node.cosine = std::cos(node.angle.middle());
  node.sine = std::sin(node.angle.middle());
  set_cut(node);
  return node;
}

// Finds the cut with the greatest gain.
void HelixTree::set_cut(Node& node) const {
  const std::span<const Patch> patches = std::span(patches_).subspan(
      static_cast<std::size_t>(node.first), static_cast<std::size_t>(node.count));
  if (node.count == 1) {
    const double errors = patches[0].region.size_of_errors();
    node.gain = patches[0].splits > 0 && errors > least_errors_ ? errors : 0;
    return;
  }
  double along = 0, across = 0, angle = 0;
  for (const Patch& patch : patches) {
    along += patch.region.along(node.axis).size();
    across += patch.region.along(node.axis.across()).size();
    angle += patch.region.angle.size();
  }
  const auto gain = [&](Node::Cut cut, double whole, double of_items, double worth) {
    const double gained = worth * (whole - of_items / node.count);
    if (!(gained > node.gain)) return;
    node.gain = gained;
    node.cut = cut;
  };
  node.gain = std::numeric_limits<double>::min();  // any cut is better than none
  gain(Node::Cut::along, node.box[0].size(), along, 1);
  gain(Node::Cut::across, node.box[1].size(), across, 1);
  gain(Node::Cut::angle, node.angle.size(), angle,
       node.radius.middle() * (node.angle.size() > swept_ ? 1 : kSweptShare));
}

// Partitions the patches of a node into two halves, and returns how many are in the first one.
int HelixTree::cut(const Node& node) {
  const auto begin = patches_.begin() + node.first, end = begin + node.count;
  const bool by_angle = node.cut == Node::Cut::angle, across = node.cut == Node::Cut::across;
  const HelixPoint axis = across ? node.axis.across() : node.axis;
  const auto place = [&](const Patch& patch) {
    return by_angle ? patch.region.angle.middle() : middle_of(patch.region).dot(axis);
  };
  // Cut in the middle, or at the median patch if the middle would leave one side almost empty.
  const double at = (by_angle ? node.angle : node.box[across ? 1 : 0]).middle();
  auto middle = std::partition(begin, end, [&](const Patch& patch) { return place(patch) < at; });
  const auto least = std::max<std::ptrdiff_t>(1, node.count / 16);
  if (std::min(middle - begin, end - middle) < least) {
    middle = begin + node.count / 2;
    std::nth_element(begin, middle, end, [&](const Patch& x, const Patch& y) {
      return std::pair(place(x), x.corners) < std::pair(place(y), y.corners);
    });
  }
  return static_cast<int>(middle - begin);
}

void HelixTree::divide_all() {
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
    if (node(i).count > 1) (void)children(i);
  object_ = nullptr;
  bvh_ = nullptr;
  corners_ = {};
}

bool HelixTree::is_small(const Node& node) const {
  return node.count == 1 && patch(node).splits <= kSmallSplits;
}

int HelixTree::children(int i) {
  Node node = nodes_[static_cast<std::size_t>(i)];
  if (node.children >= 0) return node.children;
  int left = 0;
  if (node.count == 1) {
    const Patch whole = patch(node);
    node.first = static_cast<int>(patches_.size());
    node.count = 4;
    left = 2;
    add_quarters(whole);
  } else {
    left = cut(node);
  }
  const int children = static_cast<int>(nodes_.size());
  nodes_[static_cast<std::size_t>(i)].children = children;
  nodes_.push_back(enclose(node.first, left));
  nodes_.push_back(enclose(node.first + left, node.count - left));
  return children;
}

}  // namespace touche::query
