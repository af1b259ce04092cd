// SPDX-License-Identifier: Apache-2.0
// The volumes that a body sweeps while it moves.
#pragma once

#include "methods/bounds/sweep.h"
#include "touche/methods/continuous.h"

namespace touche::continuous {

class SweptVolumes {
 public:
  /// `slack`: how far the points that are meant may lie from where the poses put them.
  SweptVolumes(const Motion& motion, Sweep sweep, SweptBy by, double slack = 0);

  /// The volume that stands for the path of one given in body coordinates, as `Sweep` says.
  bounds::Mixed of(const bounds::Mixed& volume) const;

 private:
  Motion motion_;
  Sweep sweep_;
  SweptBy by_;
  bounds::PoseMatrix start_, end_;
  Pose travel_;  // from start to end, in the world
};

}  // namespace touche::continuous
