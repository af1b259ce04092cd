// SPDX-License-Identifier: Apache-2.0
// Splitting methods see this of a bounding volume: how good one around a set of faces is, times the
// cost of a test of its kind. Lower is better; 0 for the empty set.
#pragma once

#include <memory>
#include <span>

#include "touche/types.h"

namespace touche::tree {

/// A volume to which faces are added one at a time, for heuristics that visit each face in turn.
/// May be slightly larger than the volume fitted to all of them at once.
class GrowingVolume {
 public:
  virtual ~GrowingVolume() = default;
  virtual std::unique_ptr<GrowingVolume> clone() const = 0;
  virtual double quality() const = 0;
  virtual double quality_with(Index face) const = 0;  ///< never below quality(), except for
                                                      /// Hausdorff
  virtual bool contains(Index face) const = 0;        ///< adding it would change nothing
  virtual void add(Index face) = 0;
};

class Fitter {
 public:
  virtual ~Fitter() = default;
  virtual double quality(std::span<const Index> faces) const = 0;
  virtual std::unique_ptr<GrowingVolume> empty() const = 0;
};

}  // namespace touche::tree
