// SPDX-License-Identifier: Apache-2.0
// How deep convex bodies are in each other: measured on the poses of any engine, by the same code
// for all.
#pragma once

#include <vector>

#include "engine.h"

namespace touche::bench {

struct Overlap {
  std::size_t pairs = 0;  ///< that intersect
  double deepest = 0;     ///< m: by how much one of the two has to be moved, at least
};

class DepthMeter {
 public:
  explicit DepthMeter(const Task& task);
  ~DepthMeter();
  /// Which pairs intersect is exact (World::touching_pairs); how deep is the least overlap of their
  /// projections, over all directions in which convex polyhedra can be parted: normals of faces,
  /// and products of edges.
  Overlap measure(const std::vector<State>& states);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace touche::bench
