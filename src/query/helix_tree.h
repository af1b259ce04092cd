// SPDX-License-Identifier: Apache-2.0
// A body's triangles in the profile of a helix, in a hierarchy that is divided on demand. Nodes are
// boxes along and across the direction in which they are longest: the flank of a thread, all
// around, is one thin strip.
#pragma once

#include <vector>

#include "base/held_bytes.h"
#include "bvh/bvh.h"
#include "query/helix_motion.h"
#include "query/helix_region.h"

namespace touche::query {

class HelixTree {
 public:
  /// A triangle, or a part of one whose region would be too large.
  struct Patch {
    HelixRegion region;
    std::uint32_t corners;  // index of its corners
    bvh::NodeRef leaf;      // of the object's hierarchy
    int splits;             // how often it may be split
  };

  struct Node {
    HelixPoint axis;            // unit length; the box lies along it and across it
    HelixRange box[2];          // along the axis, and across it
    HelixRange radius, height;  // along the axes of the profile
    HelixRange angle, z;
    double cosine = 1, sine = 0;  // cosine and sine of the middle of its angles
    double least_radius = kInfinity;
    int first = 0, count = 0;  // patches
    int children = -1;         // the first of two, if it is divided
    // `gain` is the amount by which halves may be shorter: the box's length minus the length of its
    // patches. For a single patch it is its errors. A node with no gain cannot be divided.
    enum class Cut : std::uint8_t { along, across, angle } cut = Cut::along;
    double gain = 0;

    /// Returns the range of all points along a direction.
    HelixRange along(HelixPoint n) const {
      const double s = axis.dot(n), t = axis.across().dot(n);
      const double middle = s * box[0].middle() + t * box[1].middle();
      const double half = 0.5 * (std::abs(s) * box[0].size() + std::abs(t) * box[1].size());
      return {middle - half, middle + half};
    }
  };

  /// Starts a tree for one motion, or for all motions along a screw with this advance.
  void begin(const Object& object, const HelixMotion::Map& map, const HelixMotion& motion);
  void begin(const Object& object, const HelixMotion::Map& map, double advance);
  /// Adds up to `most` more triangles; returns false if none are left.
  bool add(std::size_t most);
  void add_root();
  /// Divides all nodes down to single patches, so that several threads may use the tree. Nothing
  /// can be added or divided later, and the object is no longer needed.
  void divide_all();

  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  /// The only patch of a node.
  const Patch& patch(const Node& node) const {
    return patches_[static_cast<std::size_t>(node.first)];
  }
  /// Whether a node is a small part of a triangle.
  bool is_small(const Node& node) const;
  /// The first of a node's two children, which are created on the first call. Invalidates
  /// references to nodes.
  int children(int node);

  std::size_t bytes() const { return base::held_bytes(patches_, corners_, nodes_); }

 private:
  void add(const HelixTriangle& triangle, bvh::NodeRef leaf, int splits);
  void add_quarters(Patch patch);
  Node enclose(int first, int count) const;
  void set_cut(Node& node) const;
  int cut(const Node& node);

  const Object* object_ = nullptr;
  const bvh::Bvh* bvh_ = nullptr;
  HelixMotion::Map map_;
  double advance_ = 0;
  double swept_ = 0;         // the angle by which the motion turns
  double least_errors_ = 0;  // of patches that are split
  std::size_t leaf_ = 0;     // the next to be added
  std::vector<Patch> patches_;
  std::vector<HelixTriangle> corners_;
  std::vector<Node> nodes_;
};

}  // namespace touche::query
