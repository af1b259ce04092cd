// SPDX-License-Identifier: Apache-2.0
// One instant in the form that the kernels need: the map between local coordinates, and the
// velocities of both bodies in both of them.
#pragma once

#include "bvh/kernels.h"
#include "query/triangle_impact.h"

namespace touche::query {

struct LocalSnapshot {
  bvh::LocalMap map;
  bvh::PairVelocityBounds velocities;

  LocalSnapshot(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& snapshot);
  /// Moves to another instant of the same slice or span.
  void move_to(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& snapshot);

 private:
  Mat3 rotation_a_, rotation_b_;  // for which the velocities were computed

  void set_velocities(const bvh::Bvh& a, const bvh::Bvh& b, const Snapshot& snapshot);
};

}  // namespace touche::query
