// SPDX-License-Identifier: Apache-2.0
// The way of a body, and the volumes that stand for it.
#pragma once

#include "methods/bounds/sweep.h"
#include "touche/methods/continuous.h"

namespace touche::continuous {

class Way {
 public:
  /// `slack`: how far the points that are meant may lie from where the poses put them.
  Way(const Motion& motion, Sweep sweep, SweptBy by, double slack = 0);

  /// Around the way of a volume given in body coordinates, as `Sweep` says.
  bounds::Mixed of(const bounds::Mixed& volume) const;

 private:
  Motion motion_;
  Sweep sweep_;
  SweptBy by_;
  bounds::Placement start_, end_;
  Pose travel_;  // from start to end, in the world
};

}  // namespace touche::continuous
