// SPDX-License-Identifier: Apache-2.0
// Numbers the different positions of a triangle list in the order they first appear.
#pragma once

#include <vector>

#include "io/mesh_data.h"

namespace touche::io {

/// A hash table with open addressing that holds vertex numbers only, 8 to 16 bytes per vertex;
/// positions stay in the mesh.
class VertexMerger {
 public:
  explicit VertexMerger(MeshBuilder& mesh) : mesh_(mesh) { restart(); }

  /// The number of the vertex at this position, added to the mesh if it is new. Zeros of both
  /// signs are the same position.
  Index vertex(double x, double y, double z);

  /// Forget what was seen: later vertices are not merged with earlier ones.
  void restart();

 private:
  std::size_t slot(double x, double y, double z) const;
  void grow();

  MeshBuilder& mesh_;
  std::vector<Index> table_;  // a power of two long, kNone where free
  std::size_t first_ = 0;     // vertices before this one are forgotten
};

}  // namespace touche::io
