// SPDX-License-Identifier: Apache-2.0
// The hierarchy: nodes of up to eight children side by side, each node with a frame of its own
// that is aligned to its surface, leaves of up to eight triangles with their corners in the
// leaf's frame. Everything is single precision and rounded outwards.
//
// Coordinates. "Local" coordinates of an object are (x − centre) · scale, with a power of two as
// scale, so that the object fits the unit ball and single precision works at any size and offset.
// A node's own coordinates are y = axes · (local − origin); the axes are used exactly as stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "touche/object.h"
#include "touche/soup.h"

namespace touche {

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

/// A node's axes, as columns of the matrix whose rows they are, padded for vector loads.
struct Frame {
  float columns[3][4];
  float origin[4];

  float axis(int k, int component) const { return columns[component][k]; }
};

/// Encloses a node or a leaf: a box in a frame of its own.
struct Bounds {
  Frame frame;
  Box box;
  float extent;  // largest absolute coordinate of the box's corners
};

/// Names a node (>= 0) or a leaf (~leaf < 0).
using NodeRef = std::int32_t;
inline bool is_leaf(NodeRef ref) { return ref < 0; }

// Bounds come first: they are looked at before the rest, which is often not looked at. No vector
// straddles a cache line.
struct alignas(64) BvhNode {
  Bounds bounds;
  std::int32_t count;
  alignas(64) Boxes8 children;  // in the node's frame
  NodeRef child[kWidth];
};

struct alignas(64) BvhLeaf {
  Bounds bounds;
  std::int32_t count;
  alignas(64) float corner[3][3][kWidth];  // [corner][axis][lane]; unused lanes repeat the first
  Index triangle[kWidth];
};

/// No hierarchy that is built here is higher, and none that is loaded may be. The lowest one of
/// 2^32 triangles has a height of 10.
inline constexpr int kMostHeight = 12;

/// Maps an object's coordinates to local ones, which lie in the unit ball:
/// local = (x − centre) · scale.
struct Normalization {
  Vec3 centre = Vec3::Zero();
  double scale = 1, inverse_scale = 1;  ///< powers of two
  double largest_number = 2;            ///< bounds all numbers on the way from x to local and back
  double radius = 0;  ///< of the ball about the centre in which the object's box lies

  Normalization() = default;
  explicit Normalization(const Aabb& bounds);
};

/// The parts of a hierarchy, wherever they lie in memory.
struct BvhArrays {
  std::span<const BvhNode> nodes;
  std::span<const BvhLeaf> leaves;
  NodeRef root = ~0;
  int height = 0;
  Normalization normalization;
  double cost = 1, built_cost = 1;    // area of all boxes over the surface's: now, and as built
  std::shared_ptr<const void> owner;  // keeps the nodes and leaves
};

class Bvh {
 public:
  Bvh(const PolygonSoup& soup, const BuildOptions& options);
  /// Takes the arrays as they are.
  explicit Bvh(BvhArrays arrays)
      : nodes_(arrays.nodes),
        leaves_(arrays.leaves),
        root_(arrays.root),
        height_(arrays.height),
        normalization_(arrays.normalization),
        cost_(arrays.cost),
        built_cost_(arrays.built_cost),
        owner_(std::move(arrays.owner)) {}

  /// Makes new bounds and frames after the soup's vertices have moved; leaves keep their triangles.
  /// The soup must have the triangles that the hierarchy was built for.
  Bvh refitted(const PolygonSoup& soup, const BuildOptions& options) const;

  /// The price of the bounds in queries, relative to that when the hierarchy was built.
  double area_ratio() const { return cost_ / built_cost_; }
  double cost() const { return cost_; }
  double built_cost() const { return built_cost_; }

  NodeRef root() const { return root_; }
  const BvhNode& node(NodeRef ref) const { return nodes_[static_cast<std::size_t>(ref)]; }
  const BvhLeaf& leaf(NodeRef ref) const { return leaves_[static_cast<std::size_t>(~ref)]; }
  const Bounds& bounds(NodeRef ref) const {
    return is_leaf(ref) ? leaf(ref).bounds : node(ref).bounds;
  }

  /// Starts to load bounds, or the rest of a node or leaf, that will soon be looked at.
  static void fetch(const Bounds& bounds) { fetch(&bounds, sizeof(Bounds)); }
  void fetch_contents(NodeRef ref) const {
    if (is_leaf(ref))
      fetch(leaf(ref).corner, sizeof(BvhLeaf::corner) + sizeof(BvhLeaf::triangle));
    else
      fetch(&node(ref).children, sizeof(Boxes8) + sizeof(BvhNode::child));
  }

  std::size_t node_count() const { return nodes_.size(); }
  std::size_t leaf_count() const { return leaves_.size(); }
  int height() const { return height_; }

  const Vec3& centre() const { return normalization_.centre; }
  double scale() const { return normalization_.scale; }
  const Normalization& normalization() const { return normalization_; }

  std::span<const BvhNode> nodes() const { return nodes_; }
  std::span<const BvhLeaf> leaves() const { return leaves_; }

  std::size_t memory_bytes() const;

  /// Throws Error naming the node or leaf that does not contain what it should, or a triangle
  /// that is missing or held twice.
  void validate(const PolygonSoup& soup) const;

 private:
  void check_structure(std::size_t triangles) const;
  static void fetch(const void* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 64)
      __builtin_prefetch(static_cast<const char*>(from) + i);
  }

  std::span<const BvhNode> nodes_;
  std::span<const BvhLeaf> leaves_;
  NodeRef root_;
  int height_;
  Normalization normalization_;
  double cost_, built_cost_;
  std::shared_ptr<const void> owner_;
};

}  // namespace touche
