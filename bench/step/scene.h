// SPDX-License-Identifier: Apache-2.0
// Worlds whose steps are measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "touche/step.h"

namespace touche::bench {

class StepScene {
 public:
  virtual ~StepScene() = default;
  virtual World& world() = 0;
  /// Chooses the motions of the next step.
  virtual void advance() = 0;
  /// Gives them to a stepper.
  virtual void give_motions(Stepper& stepper) const = 0;
  /// Takes the step without a budget, where the one that was measured moved nothing.
  virtual void arrive() = 0;
  virtual double tolerance() const = 0;
  virtual StepPolicy policy() const = 0;
};

/// The headlamp, all four parts of which are removed at once, each along its own part of the path,
/// repeatedly. They pass through obstacles.
std::unique_ptr<StepScene> headlamp_scene(Index triangles);
/// traffic.h
std::unique_ptr<StepScene> traffic_scene(Index bodies, Index triangles);

}  // namespace touche::bench
