// SPDX-License-Identifier: Apache-2.0
// The hierarchy: nodes with up to eight children stored side by side, each node with its own frame
// aligned to its surface, and leaves of up to eight triangles with their corners in the leaf's
// frame. Everything is in single precision and rounded outwards.
//
// Coordinates: "local" coordinates of an object are (x − centre) · scale, with a power of two as
// scale, so that the object fits the unit ball and single precision works at any size and offset. A
// node's own coordinates are y = axes · (local − origin); the axes are used exactly as stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "touche/object.h"
#include "touche/soup.h"

namespace touche::bvh {

inline constexpr int kWidth = 8;

/// Pairs of a row and a lane are numbered 8 · row + lane.
inline constexpr int row_of(int pair) { return pair >> 3; }
inline constexpr int lane_of(int pair) { return pair & (kWidth - 1); }

/// An axis-aligned box in some frame, as centre and half widths, padded for vector loads.
struct Box {
  float centre[4];
  float half[4];
};

/// Up to eight boxes, structure of arrays. Unused lanes have negative half widths, which makes
/// them overlap nothing and lie far from everything.
struct Boxes8 {
  float centre[3][kWidth];
  float half[3][kWidth];
};
inline constexpr float kUnusedHalf = -1e18f;

/// A node's axes: the rows of a matrix that is stored by columns, padded for vector loads.
struct Frame {
  float columns[3][4];
  float origin[4];

  float axis(int k, int component) const { return columns[component][k]; }
};

/// The bounds of a node or a leaf: a box in its own frame. The extent and the count are stored in
/// the box's padding.
struct Bounds {
  Frame frame;
  Box box;

  /// Largest absolute coordinate of the box's corners.
  float extent() const { return box.half[3]; }
  void set_extent(float extent) { box.half[3] = extent; }

  /// Number of children or triangles. It is stored as a float, because it is loaded together with
  /// floats.
  int count() const { return static_cast<int>(box.centre[3]); }
  void set_count(int count) { box.centre[3] = static_cast<float>(count); }
};

/// Refers to a node (>= 0) or a leaf (~leaf < 0).
using NodeRef = std::int32_t;
inline bool is_leaf(NodeRef ref) { return ref < 0; }

// Bounds come first: they are read before the rest, which is often not read at all. No vector
// straddles a cache line.
struct alignas(64) BvhNode {
  Bounds bounds;
  Boxes8 children;        // in the node's frame
  NodeRef child[kWidth];  // unused ones repeat the first
};

struct alignas(32) BvhLeaf {
  Bounds bounds;
  float corner[3][3][kWidth];  // [corner][axis][lane]; unused lanes repeat the first
  Index triangle[kWidth];

  int count() const { return bounds.count(); }
};

/// The root of a hierarchy of two leaves, which are its children. It would use only two lanes of a
/// BvhNode; with this struct a box of twelve triangles takes 1,080 bytes instead of 1,256.
struct RootOfTwo {
  Bounds bounds;
  float centre[3][2], half[3][2];

  explicit RootOfTwo(const BvhNode& node) : bounds(node.bounds) {
    for (int k = 0; k < 3; ++k)
      for (int lane = 0; lane < 2; ++lane) {
        centre[k][lane] = node.children.centre[k][lane];
        half[k][lane] = node.children.half[k][lane];
      }
  }

  /// Expands the children's boxes to the layout of a BvhNode.
  void widen(Boxes8& boxes) const {
    for (int k = 0; k < 3; ++k) {
      widen(centre[k], 0, boxes.centre[k]);
      widen(half[k], kUnusedHalf, boxes.half[k]);
    }
  }

 private:
  // Writes four numbers at a time: every store matters in a query that takes 200 ns.
  static void widen(const float (&used)[2], float unused, float (&lanes)[kWidth]) {
    using Four = float __attribute__((vector_size(16)));
    const Four parts[2] = {{used[0], used[1], unused, unused}, {unused, unused, unused, unused}};
    static_assert(sizeof parts == sizeof lanes);
    std::memcpy(lanes, parts, sizeof parts);
  }
};
static_assert(sizeof(BvhNode) == 320 && sizeof(BvhLeaf) == 416 && sizeof(RootOfTwo) == 144);

/// A uniform view of a node, independent of its storage.
struct NodeView {
  const Bounds& bounds;
  const Boxes8& children;
  const NodeRef* child;

  // Implicit, so that a BvhNode can be used as a view.
  NodeView(const BvhNode& node)  // NOLINT(google-explicit-constructor)
      : bounds(node.bounds), children(node.children), child(node.child) {}
  /// `room` is filled in, and must outlive the view.
  NodeView(const RootOfTwo& root, Boxes8& room)
      : bounds(root.bounds), children(room), child(kTwoLeaves) {
    root.widen(room);
  }

  int count() const { return bounds.count(); }

 private:
  static constexpr NodeRef kTwoLeaves[kWidth] = {~0, ~1, ~0, ~0, ~0, ~0, ~0, ~0};
};

/// Height limit: the builder makes no higher hierarchy, and higher ones are not loaded. The lowest
/// hierarchy of 2^32 triangles has a height of 10.
inline constexpr int kMostHeight = 12;

/// Maps an object's coordinates to local ones, which lie in the unit ball: local = (x − centre) ·
/// scale.
struct Normalization {
  Vec3 centre = Vec3::Zero();
  double scale = 1, inverse_scale = 1;  ///< powers of two
  double largest_number = 2;            ///< bounds all numbers from x to local and back
  double radius = 0;  ///< of the ball about the centre that contains the object's box

  Normalization() = default;
  explicit Normalization(const Aabb& bounds);
};

/// The layout of nodes and leaves in one block of memory, as byte offsets: nodes come first,
/// because they are read more often. The root of two leaves follows the leaves, which keeps them
/// aligned.
struct BvhBlock {
  std::size_t nodes, leaves, size;

  BvhBlock(std::size_t node_count, std::size_t leaf_count) {
    const bool two = leaf_count == 2;
    const std::size_t of_nodes = two ? sizeof(RootOfTwo) : node_count * sizeof(BvhNode);
    const std::size_t of_leaves = leaf_count * sizeof(BvhLeaf);
    nodes = two ? of_leaves : 0;
    leaves = two ? 0 : of_nodes;
    size = of_nodes + of_leaves;
  }
};

/// The parts of a hierarchy, independent of how their memory is owned.
struct BvhArrays {
  // The bounds at the start of the first node, a BvhNode or a RootOfTwo; also owns the leaves.
  std::shared_ptr<const Bounds> nodes;
  const BvhLeaf* leaves = nullptr;
  std::uint32_t node_count = 0, leaf_count = 0;
  NodeRef root = ~0;
  int height = 0;
  Normalization normalization;
  float cost = 1, built_cost = 1;  // area of all boxes divided by the surface's: now, and as built

  /// Points nodes and leaves into a block that `owner` keeps alive. Their numbers must be set.
  void lie_in(std::shared_ptr<const void> owner, const std::byte* block) {
    const BvhBlock at(node_count, leaf_count);
    nodes = {std::move(owner), reinterpret_cast<const Bounds*>(block + at.nodes)};
    leaves = reinterpret_cast<const BvhLeaf*>(block + at.leaves);
  }
};

class Bvh {
 public:
  Bvh(const PolygonSoup& soup, const BuildOptions& options);
  /// Takes over the arrays unchanged.
  explicit Bvh(BvhArrays arrays) : arrays_(std::move(arrays)) {}

  /// Makes new bounds and frames after the soup's vertices have moved; leaves keep their triangles.
  /// The soup must have the same triangles as when the hierarchy was built.
  Bvh refitted(const PolygonSoup& soup, const BuildOptions& options) const;

  /// The cost of the bounds in queries, relative to the cost when the hierarchy was built.
  double area_ratio() const {
    return static_cast<double>(arrays_.cost) / static_cast<double>(arrays_.built_cost);
  }
  float cost() const { return arrays_.cost; }
  float built_cost() const { return arrays_.built_cost; }

  NodeRef root() const { return arrays_.root; }
  /// `room`: storage for the boxes of a RootOfTwo; must outlive the view.
  NodeView node(NodeRef ref, Boxes8& room) const {
    if (has_two_leaves()) [[unlikely]]
      return {root_of_two(), room};
    return nodes()[static_cast<std::size_t>(ref)];
  }
  const BvhLeaf& leaf(NodeRef ref) const { return arrays_.leaves[static_cast<std::size_t>(~ref)]; }
  const Bounds& bounds(NodeRef ref) const {
    return is_leaf(ref) ? leaf(ref).bounds : *reinterpret_cast<const Bounds*>(bytes_of_node(ref));
  }

  /// Prefetches bounds, or the rest of a node or leaf, that will be read soon.
  static void fetch(const Bounds& bounds) { fetch(&bounds, sizeof(Bounds)); }
  void fetch_contents(NodeRef ref) const {
    if (is_leaf(ref)) {
      fetch(leaf(ref).corner, sizeof(BvhLeaf::corner));
      fetch(leaf(ref).triangle, sizeof(BvhLeaf::triangle));
    } else {
      fetch(bytes_of_node(ref) + offsetof(BvhNode, children),
            sizeof(Boxes8) + sizeof(BvhNode::child));
    }
  }

  std::size_t node_count() const { return arrays_.node_count; }
  std::size_t leaf_count() const { return arrays_.leaf_count; }
  int height() const { return arrays_.height; }

  const Vec3& centre() const { return arrays_.normalization.centre; }
  double scale() const { return arrays_.normalization.scale; }
  const Normalization& normalization() const { return arrays_.normalization; }

  bool has_two_leaves() const { return arrays_.leaf_count == 2; }
  /// Only if there are two leaves.
  const RootOfTwo& root_of_two() const {
    return *reinterpret_cast<const RootOfTwo*>(arrays_.nodes.get());
  }
  /// Empty if there are two leaves.
  std::span<const BvhNode> nodes() const {
    return {reinterpret_cast<const BvhNode*>(arrays_.nodes.get()),
            has_two_leaves() ? 0 : arrays_.node_count};
  }
  std::span<const BvhLeaf> leaves() const { return {arrays_.leaves, arrays_.leaf_count}; }

  /// All nodes and leaves as one block of memory.
  std::span<const std::byte> bytes() const {
    const void* begin =
        has_two_leaves() ? static_cast<const void*>(arrays_.leaves) : arrays_.nodes.get();
    return {static_cast<const std::byte*>(begin), BvhBlock(node_count(), leaf_count()).size};
  }
  std::size_t memory_bytes() const;

  /// Throws Error naming a node or leaf that does not contain what it should, or a triangle that is
  /// missing or stored twice.
  void validate(const PolygonSoup& soup) const;

 private:
  void check_structure(std::size_t triangles) const;
  const std::byte* bytes_of_node(NodeRef ref) const {
    return reinterpret_cast<const std::byte*>(arrays_.nodes.get()) +
           static_cast<std::size_t>(ref) * sizeof(BvhNode);
  }
  static void fetch(const void* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 64)
      __builtin_prefetch(static_cast<const char*>(from) + i);
  }

  BvhArrays arrays_;
};
static_assert(sizeof(Bvh) == 104);

}  // namespace touche::bvh
