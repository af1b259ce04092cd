// SPDX-License-Identifier: Apache-2.0
// A set of faces is divided into parts; one method a file, thesis §3.7.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "methods/tree/faces.h"
#include "methods/tree/fitter.h"
#include "touche/methods/volume_tree.h"

namespace touche::tree {

struct Split {
  std::vector<std::uint8_t> part;  ///< of each face of the set, numbered without gaps from 0
  int parts = 0;                   ///< 2 to the requested degree; 0 or 1: cannot be divided
  double gap = 0;                  ///< branch and bound: quality / proven lower bound − 1
};

class Splitter {
 public:
  virtual ~Splitter() = default;
  /// `set` has at least two faces. The same arguments give the same split.
  virtual Split split(std::span<const Index> set, int degree, std::uint64_t seed) const = 0;
};

/// Throws InvalidInput, naming the option, for values out of range and for Hausdorff distance with
/// branch and bound: it can become smaller with more faces, so partial solutions give no bounds.
void require_valid(const TreeOptions& options);

/// Makes a splitter of the method chosen. The arguments must outlive it; many threads may use it.
std::unique_ptr<Splitter> make_splitter(const Faces& faces, const Fitter& fitter,
                                        const TreeOptions& options);

/// Quality of a set of nodes from the qualities of its members (§3.4.2).
double combined(std::span<const double> qualities, Combine combine);

}  // namespace touche::tree
