// SPDX-License-Identifier: Apache-2.0
// The thread of an object, or its shaft or bore: the axis along which most of its surface slides in
// itself, and its triangles in the profile around it (helix_motion.h).
#pragma once

#include <mutex>

#include "query/helix_tree.h"
#include "query/sliding_screw.h"

namespace touche {

class ObjectThread {
 public:
  ObjectThread(const Object& object, const SlidingScrew& screw);

  /// From the object's coordinates to those that have the axis as z axis, and on it an origin near
  /// the object's middle.
  const HelixMotion::Map& map() const { return map_; }
  double advance() const { return advance_; }  // along the axis, for each radian
  /// Made when first asked for, which takes about as long as ten pairs of nodes for each triangle;
  /// divided down to single triangles.
  const HelixTree& tree(const Object& object) const;

 private:
  HelixMotion::Map map_;
  double advance_;
  mutable std::once_flag asked_;
  mutable HelixTree tree_;
};

/// Found when first asked for; null where there is none.
const ObjectThread* thread_of(const Object& object);

}  // namespace touche
