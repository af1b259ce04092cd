// SPDX-License-Identifier: Apache-2.0
// One instant as the kernels see it: the map between local coordinates and both bodies' velocities
// in both of them.
#pragma once

#include "query/pair_traversal.h"
#include "query/triangle_impact.h"

namespace touche {

struct LocalSnapshot {
  LocalMap map;
  Field a_in_a, b_in_a;  // local coordinates of a
  Field a_in_b, b_in_b;  // local coordinates of b
  LocalFields fields;    // both in local coordinates of a, in single precision
  float separation_a, separation_b;

  LocalSnapshot(const Bvh& a, const Bvh& b, const Snapshot& snapshot);

  /// The same in the frames of two nodes.
  PairField in_frames(const FramedPair::Ends& ends, const PairFrame& frame) const;
};

}  // namespace touche
