// SPDX-License-Identifier: Apache-2.0
// A tree of whatever volume, and the soup it belongs to.
#pragma once

#include <memory>

#include "base/data_access.h"
#include "methods/tree/outline.h"
#include "query/relative.h"
#include "touche/methods/volume_tree.h"

namespace touche {

namespace tree {

class AnyTree {
 public:
  virtual ~AnyTree() = default;
  virtual TreeShape shape() const = 0;
  virtual std::unique_ptr<const AnyTree> refitted(const PolygonSoup& moved, int threads) const = 0;
  virtual void validate(const PolygonSoup& soup) const = 0;
  virtual LevelOutline outline(int level, std::size_t most) const = 0;
  virtual void save(const PolygonSoup& soup, const std::filesystem::path& file) const = 0;
  /// `b` is a tree of the same volume, `pose` its pose in this tree's frame.
  virtual TreeResult intersects(const PolygonSoup& soup, const AnyTree& b,
                                const PolygonSoup& soup_b, const query::RelativePose& pose,
                                const TraversalOptions& options) const = 0;
};

/// Throws InvalidInput for options out of range.
void check_options(const TreeOptions& options);

}  // namespace tree

struct VolumeTree::Data {
  PolygonSoup soup;
  std::string volume;
  std::unique_ptr<const tree::AnyTree> tree;
};

}  // namespace touche
