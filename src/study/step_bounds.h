// SPDX-License-Identifier: Apache-2.0
// Boxes and balls that hold the parts during one step, for discarding pairs that are far apart.
#pragma once

#include <vector>

#include "touche/study.h"

namespace touche::study {

inline constexpr std::size_t kFixed = static_cast<std::size_t>(-1);

/// The group of each part; kFixed for those in none.
std::vector<std::size_t> group_of_part(const Study& study);

/// The pose of a part's group at s, on top of its start pose; the identity for those in none.
Pose pose_of_part(const Study& study, std::size_t part, double s);

/// Balls around the parts, in their coordinates, about the middles of their boxes.
std::vector<Ball> balls_around(const std::vector<Object>& parts);

/// Motions and bounds of one step between two recorded poses.
class StepBounds {
 public:
  /// `balls` are those around the parts.
  StepBounds(const Study& study, const std::vector<Object>& parts, const std::vector<Ball>& balls,
             const std::vector<std::size_t>& groups, std::size_t step);

  const Motion& motion(std::size_t part) const;  ///< over the step, as t in [0, 1]
  bool is_still(std::size_t part) const { return motion(part).is_still(); }

  /// True only if the two parts stay farther apart than `gap` all through the step.
  bool apart(std::size_t part_a, std::size_t part_b, double gap) const;

 private:
  // Its centre goes evenly along a segment of the world.
  struct MovingBall {
    Vec3 start, end;
    double radius;
  };

  const std::vector<std::size_t>* groups_;
  std::vector<Motion> motions_;    // by group, then one for the fixed parts
  std::vector<Aabb> boxes_;        // world
  std::vector<MovingBall> balls_;  // parts that turn do not leave them
};

}  // namespace touche::study
