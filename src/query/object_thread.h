// SPDX-License-Identifier: Apache-2.0
// The thread of an object, or its shaft or bore: the axis along which most of its surface slides in
// itself, and its triangles in the profile around it (helix_motion.h).
#pragma once

#include <mutex>

#include "query/helix_tree.h"
#include "query/sliding_screw.h"

namespace touche::query {

class ObjectThread {
 public:
  ObjectThread(const Object& object, const SlidingScrew& screw);

  /// The map from the object's coordinates to coordinates with the axis as z axis and an origin on
  /// it near the object's centre.
  const HelixMotion::Map& map() const { return map_; }
  double advance() const { return advance_; }  // along the axis, for each radian
  /// The tree, divided down to single triangles. Built on the first call, which costs about as much
  /// as ten pairs of nodes for each triangle.
  const HelixTree& tree(const Object& object) const;

 private:
  HelixMotion::Map map_;
  double advance_;
  mutable std::once_flag asked_;
  mutable HelixTree tree_;
};

/// Detected on the first call; null if there is none.
const ObjectThread* thread_of(const Object& object);

}  // namespace touche::query
