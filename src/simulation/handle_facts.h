// SPDX-License-Identifier: Apache-2.0
// Facts about a dragged part for its sentence, tables and plots.
#pragma once

#include <limits>
#include <numbers>
#include <vector>

#include "touche/handle.h"

namespace touche::simulation {

inline constexpr double kDegrees = 180 / std::numbers::pi;  // per radian

}  // namespace touche::simulation

namespace touche::simulation {

/// How a part held back the part in the hand.
struct HoldingPart {
  std::size_t part = 0;  ///< of the study
  double seconds = 0;    ///< in which it pushed
  double force = 0;      ///< the greatest, of all its contacts together
  std::size_t step = 0;  ///< when that was, and which contact pushed most
  std::size_t contact = 0;
};

struct HandleFacts {
  double seconds = 0;                ///< from the hand's first pose to the last one that was done
  double held_back = 0;              ///< seconds of it at whose end contacts pushed the part
  double touching = 0;               ///< seconds in which it stood still, too near to something
  std::vector<HoldingPart> holding;  ///< longest first
  std::size_t cut_short = 0;         ///< poses of the hand at which the budget ended
  std::size_t stood_still = 0;       ///< of these, where it moved no farther than the tolerance
  double nearest = kInfinity;        ///< the least distance of a contact that pushed
  double force = 0;                  ///< the greatest of all contacts together
  std::size_t strongest = 0;         ///< the step with that force
  bool arrived = false;              ///< at the hand's last pose
  /// Lists the holding parts whose boxes met the box of the held parts at the start, but not at the
  /// end.
  std::vector<std::size_t> left;
};

HandleFacts facts_of(const HandleResult& result);

/// Seconds from the pose before to the pose of a step.
double duration_of(const HandleResult& result, std::size_t step);

/// s on the path that was taken, at a time of the hand.
double position_of(const HandleResult& result, double time);

/// The least clearance that was measured at each pose of the path: infinite if it is above the
/// study's threshold, or was not measured.
std::vector<double> clearances_of(const HandleResult& result);

/// The number of steps that were examined: all of them unless the proof was interrupted.
std::size_t examined_steps(const StudyResult& proof);

}  // namespace touche::simulation
