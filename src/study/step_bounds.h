// SPDX-License-Identifier: Apache-2.0
// Boxes and balls that contain the parts during one step, used to discard pairs that are far apart.
#pragma once

#include <vector>

#include "touche/study.h"

namespace touche::study {

inline constexpr std::size_t kFixed = static_cast<std::size_t>(-1);

/// The group of each part; kFixed for parts without a group.
std::vector<std::size_t> group_of_part(const Study& study);

/// The pose of a part's group at s, which is applied after its start pose; the identity for parts
/// without a group.
Pose pose_of_part(const Study& study, std::size_t part, double s);

/// Balls around the parts, in their coordinates, centred at the centres of their boxes.
std::vector<Ball> balls_around(const std::vector<Object>& parts);

/// Motions and bounds for the step between two recorded poses.
class StepBounds {
 public:
  /// `balls` contain the parts, see balls_around().
  StepBounds(const Study& study, const std::vector<Object>& parts, const std::vector<Ball>& balls,
             const std::vector<std::size_t>& groups, std::size_t step);

  const Motion& motion(std::size_t part) const;  ///< over the step, as t in [0, 1]
  bool is_still(std::size_t part) const { return motion(part).is_still(); }

  /// True only if the two parts stay farther apart than `gap` during the whole step.
  bool apart(std::size_t part_a, std::size_t part_b, double gap) const;

 private:
  // A ball whose centre moves linearly along a world segment.
  struct MovingBall {
    Vec3 start, end;
    double radius;
  };

  const std::vector<std::size_t>* groups_;
  std::vector<Motion> motions_;    // by group, then one for the fixed parts
  std::vector<Aabb> boxes_;        // in world coordinates
  std::vector<MovingBall> balls_;  // contain the parts also while they rotate
};

}  // namespace touche::study
