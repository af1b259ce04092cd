// SPDX-License-Identifier: Apache-2.0
// The default builder: top down, packed. A node's triangles are parted where the boxes around the
// parts are small, but only at multiples of what a full child holds; so all leaves lie at the same
// depth and all lanes but the last are used. Then bottom up: moments, frame, and the boxes of the
// children in that frame. Refitting does the second half only, in the order that the leaves have.
#include "bvh/build.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "base/large_pages.h"
#include "base/threads.h"
#include "bvh/binned_cut.h"
#include "bvh/kernels.h"
#include "bvh/surface_frame.h"
#include "bvh/triangle_item.h"

namespace touche {
namespace {

// Local coordinates are rounded to single precision, and so are the three products and sums of a
// projection on a unit axis: together less than 16 half-ulps of the unit ball's radius.
constexpr float kProjectionError = 1e-6f;
constexpr std::size_t kParallelGrain = 8192;
constexpr int kHeightTold = 2;     // of the subtrees whose triangles are reported as done
constexpr int kHighestTurned = 2;  // higher up it costs more than it gains

std::size_t full_child(int height) {  // triangles in a full child of a node of this height
  return std::size_t{1} << (3 * height);
}

void unused_lane(Boxes8& boxes, int lane) {
  for (int k = 0; k < 3; ++k) {
    boxes.centre[k][lane] = 0;
    boxes.half[k][lane] = kUnusedHalf;
  }
}

// Centre and half width around [lo, hi], never smaller.
void enclose(float lo, float hi, float& centre, float& half) {
  centre = 0.5f * (lo + hi);
  half = std::max(hi - centre, centre - lo);
  half += 2e-7f * half + 1e-30f;
}

}  // namespace

int tree_height(std::size_t triangles) {
  int height = 0;
  for (std::size_t capacity = kWidth; capacity < triangles; capacity *= kWidth) ++height;
  return height;
}

SubtreeSize subtree_size(std::size_t triangles, int height) {
  SubtreeSize size;
  size.leaves = (triangles + kWidth - 1) / kWidth;
  for (int h = 1; h <= height; ++h) {
    const std::size_t capacity = kWidth * full_child(h);
    size.nodes += (triangles + capacity - 1) / capacity;
  }
  return size;
}

class BvhBuilder {
 public:
  BvhBuilder(const PolygonSoup& soup, const BuildOptions& options)
      : soup_(soup), place_(soup.bounds()), progress_(options.progress) {}

  BvhArrays build() {
    if (soup_.triangle_count() == 0) throw InvalidInput("hierarchy: the soup has no faces");
    make_items();
    BvhArrays built = arrange();
    built.built_cost = built.cost;
    return built;
  }

  // Keeps the order of the triangles, and so which of them each leaf holds.
  BvhArrays refit(const Bvh& bvh) {
    take_items(bvh);
    splits_ = false;
    BvhArrays refitted = arrange();
    refitted.built_cost = bvh.built_cost();
    return refitted;
  }

 private:
  Vec3 local(Index vertex) const { return (soup_.vertex(vertex) - place_.centre) * place_.scale; }

  void make_items() {
    items_.resize(soup_.triangle_count());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, items_.size(), kParallelGrain),
                      [&](const auto& range) {
                        for (std::size_t t = range.begin(); t < range.end(); ++t) {
                          const auto& [a, b, c] = soup_.triangle(static_cast<Index>(t));
                          const Vec3 place = place_of(local(a), local(b), local(c));
                          for (int k = 0; k < 3; ++k)
                            items_[t].place[k] = static_cast<float>(place[k]);
                          items_[t].box = grid_box(local(a), local(b), local(c));
                          items_[t].triangle = static_cast<Index>(t);
                        }
                      });
  }

  // The leaves lie in the order of their triangles.
  void take_items(const Bvh& bvh) {
    items_.reserve(soup_.triangle_count());
    for (const BvhLeaf& leaf : bvh.leaves())
      for (int lane = 0; lane < leaf.count; ++lane) items_.push_back({{}, leaf.triangle[lane], {}});
  }

  BvhArrays arrange() {
    const std::size_t count = items_.size();
    const int height = tree_height(count);
    const SubtreeSize size = subtree_size(count, height);
    // In one block, which is more of large pages; nodes first, for they are read more often.
    const auto block = std::make_shared<LargeVector<std::byte>>(size.nodes * sizeof(BvhNode) +
                                                                size.leaves * sizeof(BvhLeaf));
    nodes_ = {reinterpret_cast<BvhNode*>(block->data()), size.nodes};
    leaves_ = {reinterpret_cast<BvhLeaf*>(nodes_.data() + size.nodes), size.leaves};
    for (auto& axis : ordered_) axis.resize(3 * kWidth * size.leaves);
    const double cost_now = cost(subtree(0, count, height, 0, 0));

    return {.nodes = nodes_,
            .leaves = leaves_,
            .root = height == 0 ? ~0 : 0,
            .height = height,
            .place = place_,
            .cost = cost_now,
            .owner = block};
  }

  // Orders items [begin, end) so that every multiple of `step` from begin on parts them by a plane.
  void split(std::size_t begin, std::size_t end, std::size_t step) {
    const std::size_t parts = (end - begin + step - 1) / step;
    if (parts <= 1) return;
    TriangleItem *const first = &items_[begin], *const last = items_.data() + end;
    std::size_t middle = begin + (parts / 2) * step;
    if (const auto cut = binned_cut(first, last, step)) {
      middle = begin + cut->items;
      select(first, &items_[middle], last, cut->axis, cut->low, cut->high);
    } else {
      select(first, &items_[middle], last, 0);
    }
    both(
        end - begin, [&] { split(begin, middle, step); }, [&] { split(middle, end, step); });
  }

  template <class F, class G>
  static void both(std::size_t work, F&& f, G&& g) {
    if (work > kParallelGrain) {
      tbb::parallel_invoke(f, g);
    } else {
      f();
      g();
    }
  }

  // What a subtree tells its parent.
  struct Summary {
    SurfaceMoments moments;
    double box_area = 0;  // of all its bounds

    void add(const Summary& other) {
      moments.add(other.moments);
      box_area += other.box_area;
    }
  };

  // How much larger than the surface the boxes around it are, over all levels. Positive.
  static double cost(const Summary& all) {
    return all.box_area / std::max(all.moments.area, 1e-30);
  }

  static double area(const Box& box) {
    const double x = box.half[0], y = box.half[1], z = box.half[2];
    return 8 * (x * y + y * z + z * x);
  }

  // Builds items [begin, end); its nodes start at `node`, its leaves at `leaf`.
  Summary subtree(std::size_t begin, std::size_t end, int height, std::size_t node,
                  std::size_t leaf) {
    if (height == 0) return make_leaf(begin, end, leaf);
    const std::size_t step = full_child(height);
    if (splits_) split(begin, end, step);

    struct Child {
      std::size_t begin, end, node, leaf;
    };
    Child children[kWidth];
    std::size_t next_node = node + 1, next_leaf = leaf;
    int count = 0;
    for (std::size_t b = begin; b < end; b += step) {
      const std::size_t e = std::min(b + step, end);
      children[count++] = {b, e, next_node, next_leaf};
      const SubtreeSize size = subtree_size(e - b, height - 1);
      next_node += size.nodes;
      next_leaf += size.leaves;
    }

    Summary parts[kWidth];
    const auto build_child = [&](int i) {
      parts[i] = subtree(children[i].begin, children[i].end, height - 1, children[i].node,
                         children[i].leaf);
    };
    if (end - begin > kParallelGrain) {
      tbb::parallel_for(0, count, build_child);
    } else {
      for (int i = 0; i < count; ++i) build_child(i);
    }
    Summary sum;
    for (int i = 0; i < count; ++i) sum.add(parts[i]);

    if (height == kHeightTold && progress_ != nullptr) *progress_ += end - begin;

    BvhNode& n = nodes_[node];
    n.bounds.frame = principal_frame(sum.moments);
    if (height <= kHighestTurned) turn(n.bounds.frame, leaf, next_leaf);
    n.count = count;
    float lo[3] = {1e30f, 1e30f, 1e30f}, hi[3] = {-1e30f, -1e30f, -1e30f};
    for (int i = 0; i < kWidth; ++i) {
      if (i >= count) {
        unused_lane(n.children, i);
        n.child[i] = n.child[0];
        continue;
      }
      const Child& c = children[i];
      n.child[i] = height == 1 ? ~static_cast<NodeRef>(c.leaf) : static_cast<NodeRef>(c.node);
      float child_lo[3], child_hi[3];
      project(n.bounds.frame, c.leaf, c.leaf + (c.end - c.begin + kWidth - 1) / kWidth, child_lo,
              child_hi);
      for (int k = 0; k < 3; ++k) {
        child_lo[k] -= kProjectionError;
        child_hi[k] += kProjectionError;
        enclose(child_lo[k], child_hi[k], n.children.centre[k][i], n.children.half[k][i]);
        lo[k] = std::min(lo[k], child_lo[k]);
        hi[k] = std::max(hi[k], child_hi[k]);
      }
    }
    finish_box(lo, hi, n.bounds);
    sum.box_area += area(n.bounds.box);
    return sum;
  }

  static void finish_box(const float (&lo)[3], const float (&hi)[3], Bounds& bounds) {
    Box& box = bounds.box;
    bounds.extent = 0;
    for (int k = 0; k < 3; ++k) {
      enclose(lo[k], hi[k], box.centre[k], box.half[k]);
      // One part in a million more covers the children's boxes, which are rounded once more.
      box.half[k] += 1e-6f * (box.half[k] + std::abs(box.centre[k]));
      bounds.extent = std::max(bounds.extent, std::abs(box.centre[k]) + box.half[k]);
    }
    bounds.extent *= 1.000001f;
  }

  // About the surface's normal, the second and third principal axes say little about how a box
  // should lie.
  void turn(Frame& frame, std::size_t first, std::size_t last) const {
    const std::size_t begin = 3 * kWidth * first, count = 3 * kWidth * (last - first);
    kernels().turn_to_least_area(ordered_[0].data() + begin, ordered_[1].data() + begin,
                                 ordered_[2].data() + begin, count, frame);
  }

  // Bounds of the corners of leaves [first, last) along a frame's axes.
  void project(const Frame& frame, std::size_t first, std::size_t last, float (&lo)[3],
               float (&hi)[3]) const {
    const std::size_t begin = 3 * kWidth * first, count = 3 * kWidth * (last - first);
    kernels().project_bounds(frame, ordered_[0].data() + begin, ordered_[1].data() + begin,
                             ordered_[2].data() + begin, count, lo, hi);
  }

  Summary make_leaf(std::size_t begin, std::size_t end, std::size_t index) {
    BvhLeaf& leaf = leaves_[index];
    leaf.count = static_cast<std::int32_t>(end - begin);
    SurfaceMoments moments;
    LeafCorners corners;
    for (int lane = 0; lane < kWidth; ++lane) {
      const std::size_t i = begin + static_cast<std::size_t>(lane < leaf.count ? lane : 0);
      leaf.triangle[lane] = items_[i].triangle;
      const auto& triangle = soup_.triangle(items_[i].triangle);
      Vec3 corner[3];
      for (std::size_t v = 0; v < 3; ++v) {
        corner[v] = local(triangle[v]);
        for (int k = 0; k < 3; ++k) {
          corners[v][k][lane] = corner[v][k];
          ordered_[k][3 * (kWidth * index + static_cast<std::size_t>(lane)) + v] =
              static_cast<float>(corner[v][k]);
        }
      }
    }
    moments.add_triangles(corners, leaf.count);
    leaf.bounds.frame = principal_frame(moments);
    turn(leaf.bounds.frame, index, index + 1);
    if (!(moments.area > 0))  // a bundle of segments or points: any axes, but a near origin
      for (int k = 0; k < 3; ++k)
        leaf.bounds.frame.origin[k] = static_cast<float>(corners[0][k][0]);
    store_corners(leaf, corners);
    return {moments, area(leaf.bounds.box)};
  }

  static void store_corners(BvhLeaf& leaf, const LeafCorners& corners) {
    using Rounded = Eigen::Array<float, kWidth, 1>;
    const Frame& frame = leaf.bounds.frame;
    float lo[3], hi[3];
    for (int k = 0; k < 3; ++k) {
      Rounded least = Rounded::Constant(1e30f), most = Rounded::Constant(-1e30f);
      const double x = frame.axis(k, 0), y = frame.axis(k, 1), z = frame.axis(k, 2);
      for (int v = 0; v < 3; ++v) {
        const auto& [px, py, pz] = corners[v];
        const Lanes exact = x * (px - static_cast<double>(frame.origin[0])) +
                            y * (py - static_cast<double>(frame.origin[1])) +
                            z * (pz - static_cast<double>(frame.origin[2]));
        const Rounded rounded = exact.cast<float>();
        Eigen::Map<Rounded>(leaf.corner[v][k]) = rounded;
        const Rounded slack = 2e-7f * rounded.abs() + 1e-30f;
        least = least.min(rounded - slack);
        most = most.max(rounded + slack);
      }
      lo[k] = least.minCoeff();
      hi[k] = most.maxCoeff();
    }
    finish_box(lo, hi, leaf.bounds);
  }

  const PolygonSoup& soup_;
  const LocalPlace place_;
  std::atomic<std::size_t>* const progress_;
  bool splits_ = true;
  std::span<BvhNode> nodes_;
  std::span<BvhLeaf> leaves_;
  LargeVector<TriangleItem> items_;
  LargeVector<float> ordered_[3];  // local corners in leaf order, while building
};

Bvh::Bvh(const PolygonSoup& soup, const BuildOptions& options)
    : Bvh(with_threads(options.threads, [&] { return BvhBuilder(soup, options).build(); })) {}

Bvh Bvh::refitted(const PolygonSoup& soup, const BuildOptions& options) const {
  return Bvh(with_threads(options.threads, [&] { return BvhBuilder(soup, options).refit(*this); }));
}

}  // namespace touche
