// SPDX-License-Identifier: Apache-2.0
// The default builder. First the triangles are sorted and partitioned into leaves and nodes, which
// determines the position of each subtree in the arrays: parallel building needs no locks and gives
// the same bits. Then all leaves are made, and each node gets its moments, its frame, and the boxes
// of its children in that frame, bottom up. Refitting does only the second half, with the existing
// tree.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/large_pages.h"
#include "base/progress_report.h"
#include "base/threads.h"
#include "bvh/kernels.h"
#include "bvh/partition.h"
#include "bvh/surface_frame.h"
#include "bvh/triangle_item.h"

namespace touche::bvh {
namespace {

// Local coordinates are rounded to single precision, as are the three products and sums of a
// projection on a unit axis: together less than 16 half-ulps of the unit ball's radius.
constexpr float kProjectionError = 1e-6f;
constexpr int kHeightTold = 2;            // nodes of this height report their subtrees as done
constexpr std::size_t kMostTurned = 512;  // triangles; for more, turning does not pay

void unused_lane(Boxes8& boxes, int lane) {
  for (int k = 0; k < 3; ++k) {
    boxes.centre[k][lane] = 0;
    boxes.half[k][lane] = kUnusedHalf;
  }
}

// Computes a centre and a half width that enclose [lo, hi], rounding included.
void enclose(float lo, float hi, float& centre, float& half) {
  centre = 0.5f * (lo + hi);
  half = std::max(hi - centre, centre - lo);
  half += 2e-7f * half + 1e-30f;
}

}  // namespace

class BvhBuilder {
 public:
  BvhBuilder(const PolygonSoup& soup, const BuildOptions& options)
      : soup_(soup),
        normalization_(soup.bounds()),
        progress_(options.progress, soup.triangle_count()) {}

  BvhArrays build() {
    if (soup_.triangle_count() == 0) throw InvalidInput("hierarchy: the soup has no faces");
    make_items();
    BvhArrays built = arrange(partition(items_));
    built.built_cost = built.cost;
    return built;
  }

  // Keeps the order of the triangles, and so the contents of each leaf.
  BvhArrays refit(const Bvh& bvh) {
    items_.reserve(soup_.triangle_count());
    BvhArrays refitted = arrange(take_items(bvh, bvh.root()));
    refitted.built_cost = bvh.built_cost();
    return refitted;
  }

 private:
  void gather(Index triangle, LeafCorners& corners, int lane) const {
    const auto& vertices = soup_.triangle(triangle);
    for (std::size_t v = 0; v < 3; ++v) {
      const Vec3& at = soup_.vertex(vertices[v]);
      for (int k = 0; k < 3; ++k) corners.corner[v][k][lane] = at[k];
    }
  }

  void make_items() {
    items_.resize(soup_.triangle_count());
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, items_.size(), kParallelGrain), [&](const auto& range) {
          LeafCorners corners;
          for (std::size_t t = range.begin(); t < range.end(); t += kWidth) {
            const auto first = static_cast<Index>(t);
            const auto count = static_cast<int>(std::min<std::size_t>(kWidth, range.end() - t));
            for (int lane = 0; lane < kWidth; ++lane)
              gather(first + static_cast<Index>(lane < count ? lane : 0), corners, lane);
            kernels().make_items(corners, normalization_, first, count, items_.data() + t);
          }
        });
  }

  Subtree take_items(const Bvh& bvh, NodeRef ref) {
    Subtree tree = {items_.size(), 0};
    if (is_leaf(ref)) {
      const BvhLeaf& leaf = bvh.leaf(ref);
      for (int lane = 0; lane < leaf.count(); ++lane)
        items_.push_back({{}, leaf.triangle[lane], {}});
    } else {
      Boxes8 room;
      const NodeView node = bvh.node(ref, room);
      tree.children.reserve(static_cast<std::size_t>(node.count()));
      for (int i = 0; i < node.count(); ++i)
        tree.children.push_back(take_items(bvh, node.child[i]));
      tree.count_children();
    }
    tree.end = items_.size();
    return tree;
  }

  BvhArrays arrange(const Subtree& tree) {
    // Allocate one block of memory, which has more large pages than two.
    const BvhBlock at(tree.nodes, tree.leaves);
    const auto block = std::make_shared<base::LargeVector<std::byte>>(at.size);
    leaves_ = {reinterpret_cast<BvhLeaf*>(block->data() + at.leaves), tree.leaves};
    for (auto& axis : ordered_) axis.resize(3 * kWidth * tree.leaves);
    make_leaves(tree);
    double cost_now = 0;
    if (tree.leaves == 2) {
      BvhNode root;
      nodes_ = {&root, 1};
      cost_now = cost(build(tree, 0, 0));
      new (block->data() + at.nodes) RootOfTwo(root);
    } else {
      nodes_ = {reinterpret_cast<BvhNode*>(block->data() + at.nodes), tree.nodes};
      cost_now = cost(build(tree, 0, 0));
    }

    BvhArrays arrays;
    arrays.node_count = static_cast<std::uint32_t>(tree.nodes);
    arrays.leaf_count = static_cast<std::uint32_t>(tree.leaves);
    arrays.root = tree.height == 0 ? ~0 : 0;
    arrays.height = tree.height;
    arrays.normalization = normalization_;
    arrays.cost = static_cast<float>(cost_now);
    arrays.lie_in(block, block->data());
    progress_.finish_all();
    return arrays;
  }

  // The result that each subtree returns to its parent.
  struct Summary {
    SurfaceMoments moments;
    double box_area = 0;  // of all its bounds

    void add(const Summary& other) {
      moments.add(other.moments);
      box_area += other.box_area;
    }
  };

  // The total surface area of all boxes of all levels, divided by the area of the surface.
  // Positive.
  static double cost(const Summary& all) {
    return all.box_area / std::max(all.moments.area, 1e-25);
  }

  static double area(const Box& box) {
    const double x = box.half[0], y = box.half[1], z = box.half[2];
    return 8 * (x * y + y * z + z * x);
  }

  // Builds a subtree whose nodes start at `node` and whose leaves start at `leaf`.
  Summary build(const Subtree& tree, std::size_t node, std::size_t leaf) {
    if (tree.height == 0) return made_leaves_[leaf];
    const auto count = static_cast<int>(tree.children.size());
    // Assign the children's subtrees their ranges in the arrays.
    std::size_t node_of[kWidth], leaf_of[kWidth + 1];
    std::size_t next_node = node + 1;
    leaf_of[0] = leaf;
    for (int i = 0; i < count; ++i) {
      const Subtree& child = tree.children[static_cast<std::size_t>(i)];
      node_of[i] = next_node;
      next_node += child.nodes;
      leaf_of[i + 1] = leaf_of[i] + child.leaves;
    }

    // Build the children.
    Summary parts[kWidth];
    const auto build_child = [&](int i) {
      parts[i] = build(tree.children[static_cast<std::size_t>(i)], node_of[i], leaf_of[i]);
    };
    if (tree.end - tree.begin > kParallelGrain) {
      tbb::parallel_for(0, count, build_child);
    } else {
      for (int i = 0; i < count; ++i) build_child(i);
    }
    Summary sum;
    for (int i = 0; i < count; ++i) sum.add(parts[i]);
    tell(tree);

    // Enclose the children in the frame of their surface.
    BvhNode& n = nodes_[node];
    n.bounds.frame = principal_frame(sum.moments);
    if (tree.end - tree.begin <= kMostTurned) turn(n.bounds.frame, leaf, leaf_of[count]);
    float lo[3] = {1e30f, 1e30f, 1e30f}, hi[3] = {-1e30f, -1e30f, -1e30f};
    for (int i = 0; i < kWidth; ++i) {
      if (i >= count) {
        unused_lane(n.children, i);
        n.child[i] = n.child[0];
        continue;
      }
      const bool ends = tree.children[static_cast<std::size_t>(i)].height == 0;
      n.child[i] = ends ? ~static_cast<NodeRef>(leaf_of[i]) : static_cast<NodeRef>(node_of[i]);
      float child_lo[3], child_hi[3];
      project(n.bounds.frame, leaf_of[i], leaf_of[i + 1], child_lo, child_hi);
      for (int k = 0; k < 3; ++k) {
        child_lo[k] -= kProjectionError;
        child_hi[k] += kProjectionError;
        enclose(child_lo[k], child_hi[k], n.children.centre[k][i], n.children.half[k][i]);
        lo[k] = std::min(lo[k], child_lo[k]);
        hi[k] = std::max(hi[k], child_hi[k]);
      }
    }
    finish_box(lo, hi, count, n.bounds);
    sum.box_area += area(n.bounds.box);
    return sum;
  }

  // Adds low subtrees to the progress, once all of them are done.
  void tell(const Subtree& tree) {
    if (tree.height < kHeightTold) return;
    for (const Subtree& child : tree.children)
      if (child.height < kHeightTold) progress_.add_done(child.end - child.begin);
  }

  static void finish_box(const float (&lo)[3], const float (&hi)[3], int count, Bounds& bounds) {
    Box& box = bounds.box;
    float extent = 0;
    for (int k = 0; k < 3; ++k) {
      enclose(lo[k], hi[k], box.centre[k], box.half[k]);
      // Add one part in a million to cover the children's boxes, which are rounded once more.
      box.half[k] += 1e-6f * (box.half[k] + std::abs(box.centre[k]));
      extent = std::max(extent, std::abs(box.centre[k]) + box.half[k]);
    }
    bounds.set_extent(1.000001f * extent);
    bounds.set_count(count);
  }

  // Rotates a frame about the surface's normal, because the second and third principal axes rarely
  // give the tightest box.
  void turn(Frame& frame, std::size_t first, std::size_t last) const {
    const std::size_t begin = 3 * kWidth * first, count = 3 * kWidth * (last - first);
    kernels().turn_to_least_area(ordered_[0].data() + begin, ordered_[1].data() + begin,
                                 ordered_[2].data() + begin, count, frame);
  }

  // Finds the bounds of the corners of leaves [first, last) along a frame's axes.
  void project(const Frame& frame, std::size_t first, std::size_t last, float (&lo)[3],
               float (&hi)[3]) const {
    const std::size_t begin = 3 * kWidth * first, count = 3 * kWidth * (last - first);
    kernels().project_bounds(frame, ordered_[0].data() + begin, ordered_[1].data() + begin,
                             ordered_[2].data() + begin, count, lo, hi);
  }

  // Makes all leaves of a tree, eight at a time.
  void make_leaves(const Subtree& tree) {
    std::vector<std::size_t> begin;  // first item of each leaf, and the end of all items
    begin.reserve(tree.leaves + 1);
    add_begins(tree, begin);
    begin.push_back(tree.end);
    made_leaves_.resize(tree.leaves);
    constexpr std::size_t kGrain = kParallelGrain / kWidth / kWidth;
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, (tree.leaves + kWidth - 1) / kWidth, kGrain),
        [&](const auto& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i)
            make_eight_leaves(begin, kWidth * i);
        });
  }

  static void add_begins(const Subtree& tree, std::vector<std::size_t>& begin) {
    if (tree.height == 0) begin.push_back(tree.begin);
    for (const Subtree& child : tree.children) add_begins(child, begin);
  }

  // Makes up to eight leaves from `first` on.
  void make_eight_leaves(const std::vector<std::size_t>& begin, std::size_t first) {
    const std::size_t count = std::min<std::size_t>(kWidth, leaves_.size() - first);
    LeafCorners corners[kWidth];
    int counts[kWidth];
    double sums[kMoments][kWidth];
    for (std::size_t i = 0; i < count; ++i) {
      BvhLeaf& leaf = leaves_[first + i];
      const std::size_t item = begin[first + i];
      counts[i] = static_cast<int>(begin[first + i + 1] - item);
      // Gather the corners; unused lanes repeat the first triangle.
      for (int lane = 0; lane < kWidth; ++lane) {
        leaf.triangle[lane] =
            items_[item + static_cast<std::size_t>(lane < counts[i] ? lane : 0)].triangle;
        gather(leaf.triangle[lane], corners[i], lane);
      }
      const std::size_t at = 3 * kWidth * (first + i);
      double its_sums[kMoments];
      kernels().measure_leaf(corners[i], normalization_, counts[i], ordered_[0].data() + at,
                             ordered_[1].data() + at, ordered_[2].data() + at, its_sums);
      for (int m = 0; m < kMoments; ++m) sums[m][i] = its_sums[m];
    }
    for (auto& sum : sums) std::fill(sum + count, sum + kWidth, sum[0]);
    // Choose the frames, and store the corners in them.
    Frame frames[kWidth];
    kernels().principal_frames(sums, frames);
    for (std::size_t i = 0; i < count; ++i) {
      BvhLeaf& leaf = leaves_[first + i];
      Summary& made = made_leaves_[first + i];
      made.moments.area = sums[0][i];
      for (int k = 0; k < 3; ++k) made.moments.first[k] = sums[1 + k][i];
      for (int k = 0; k < 6; ++k) made.moments.second[k] = sums[4 + k][i];
      leaf.bounds.frame = frames[i];
      turn(leaf.bounds.frame, first + i, first + i + 1);
      if (!(made.moments.area > 0))  // only segments or points: any axes, but a near origin
        for (int k = 0; k < 3; ++k)
          leaf.bounds.frame.origin[k] = ordered_[k][3 * kWidth * (first + i)];
      float lo[3], hi[3];
      kernels().place_corners(corners[i], normalization_, leaf.bounds.frame, leaf.corner, lo, hi);
      finish_box(lo, hi, counts[i], leaf.bounds);
      made.box_area = area(leaf.bounds.box);
    }
  }

  const PolygonSoup& soup_;
  const Normalization normalization_;
  base::ProgressReport progress_;
  std::span<BvhNode> nodes_;
  std::span<BvhLeaf> leaves_;
  base::LargeVector<TriangleItem> items_;
  std::vector<Summary> made_leaves_;
  base::LargeVector<float> ordered_[3];  // local corners in leaf order, while building
};

Bvh::Bvh(const PolygonSoup& soup, const BuildOptions& options)
    : Bvh(base::with_threads(options.threads, [&] { return BvhBuilder(soup, options).build(); })) {}

Bvh Bvh::refitted(const PolygonSoup& soup, const BuildOptions& options) const {
  return Bvh(
      base::with_threads(options.threads, [&] { return BvhBuilder(soup, options).refit(*this); }));
}

}  // namespace touche::bvh
