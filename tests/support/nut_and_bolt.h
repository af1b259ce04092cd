// SPDX-License-Identifier: Apache-2.0
// A generated nut on its bolt, placed as the scene has them.
#pragma once

#include "scenes.h"
#include "touche/object.h"

namespace touche::test {

struct NutAndBolt {
  static constexpr double kPitch = 2;  // of M16
  Object bolt, nut;
  double tolerance;

  explicit NutAndBolt(const scenes::NutAndBoltOptions& options)
      : NutAndBolt(scenes::nut_and_bolt(options)) {}
  explicit NutAndBolt(const scenes::Scene& made)
      : bolt(scenes::placed(made.parts[0])),
        nut(scenes::placed(made.parts[1])),
        tolerance(made.tolerance) {}
};

}  // namespace touche::test
