// SPDX-License-Identifier: Apache-2.0
#include "study/step_bounds.h"

#include <algorithm>

#include "math/moved_box.h"
#include "touche/motion.h"

namespace touche::study {

std::vector<std::size_t> group_of_part(const Study& study) {
  std::vector<std::size_t> result(study.parts.size(), kFixed);
  for (std::size_t g = 0; g < study.groups.size(); ++g)
    for (const std::size_t part : study.groups[g].parts) result[part] = g;
  return result;
}

Pose pose_of_part(const Study& study, std::size_t part, double s) {
  const std::size_t group = group_of_part(study)[part];
  return group == kFixed ? Pose() : study.groups[group].motion.pose(s);
}

std::vector<Ball> balls_around(const std::vector<Object>& parts) {
  std::vector<Ball> balls;
  for (const Object& part : parts) {
    Ball& ball = balls.emplace_back(Ball{part.bounds().centre(), 0});
    for (const Vec3& vertex : part.soup().vertices())
      ball.radius = std::max(ball.radius, math::kRoundUp * (vertex - ball.centre).norm());
  }
  return balls;
}

StepBounds::StepBounds(const Study& study, const std::vector<Object>& parts,
                       const std::vector<Ball>& balls, const std::vector<std::size_t>& groups,
                       std::size_t step)
    : groups_(&groups) {
  for (const StudyGroup& group : study.groups)
    motions_.push_back(group.motion.part(study.times[step], study.times[step + 1]));
  motions_.push_back(Motion::at(Pose()));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    // Measured from the middle of the step, the displacement to either end is shortest.
    const double reach = motion(p).displacement_bound(parts[p].bounds(), 0.5, 0, 1);
    boxes_.push_back(math::moved_box(parts[p].bounds(), motion(p).pose(0.5), reach));
    // A ball moves with its centre, which stays close to the centre of a linearly moving box.
    const auto& [centre, radius] = balls[p];
    const MovingBox way = motion(p).moving_box({centre, centre});
    const double off =
        0.5 * std::max((way.start.hi - way.start.lo).norm(), (way.end.hi - way.end.lo).norm());
    balls_.push_back({way.start.centre(), way.end.centre(), radius + off});
  }
}

const Motion& StepBounds::motion(std::size_t part) const {
  const std::size_t group = (*groups_)[part];
  return motions_[group == kFixed ? motions_.size() - 1 : group];
}

bool StepBounds::apart(std::size_t part_a, std::size_t part_b, double gap) const {
  const Aabb &a = boxes_[part_a], &b = boxes_[part_b];
  const Vec3 between = (a.lo - b.hi).cwiseMax(b.lo - a.hi).cwiseMax(0.0);
  // A comparison with NaN is false, so pairs with overflowing boxes are not discarded.
  if (between.norm() * math::kRoundDown > gap) return true;

  // Relative to one ball, the other's centre moves along a segment. For any direction, the smaller
  // of the two end points' projections is a lower bound for the whole segment; the direction of the
  // nearest point gives the best bound. Comparisons with overflowing or underflowing squares are
  // false.
  const MovingBall &ball_a = balls_[part_a], &ball_b = balls_[part_b];
  const Vec3 start = ball_b.start - ball_a.start, end = ball_b.end - ball_a.end;
  const Vec3 way = end - start;
  const double length2 = way.squaredNorm();
  const double share = length2 > 0 ? std::clamp(-start.dot(way) / length2, 0.0, 1.0) : 0.0;
  const Vec3 nearest = start + share * way;
  const double along = std::min(start.dot(nearest), end.dot(nearest)) - math::kUnderflow;
  const double slack = math::kFormulaError * (start.norm() + end.norm() + gap);
  return along > nearest.norm() * (ball_a.radius + ball_b.radius + gap + slack);
}

}  // namespace touche::study
