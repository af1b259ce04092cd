// SPDX-License-Identifier: Apache-2.0
#include "study/step_bounds.h"

#include "math/moved_box.h"

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

StepBounds::StepBounds(const Study& study, const std::vector<Object>& parts,
                       const std::vector<std::size_t>& groups, std::size_t step)
    : groups_(&groups) {
  for (const StudyGroup& group : study.groups)
    motions_.push_back(group.motion.part(study.times[step], study.times[step + 1]));
  motions_.push_back(Motion::at(Pose()));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    // From the middle of the step the way to either end is shortest.
    const double reach = motion(p).displacement_bound(parts[p].bounds(), 0.5, 0, 1);
    boxes_.push_back(moved_box(parts[p].bounds(), motion(p).pose(0.5), reach));
  }
}

const Motion& StepBounds::motion(std::size_t part) const {
  const std::size_t group = (*groups_)[part];
  return motions_[group == kFixed ? motions_.size() - 1 : group];
}

bool StepBounds::apart(std::size_t part_a, std::size_t part_b, double gap) const {
  const Aabb &a = boxes_[part_a], &b = boxes_[part_b];
  const Vec3 between = (a.lo - b.hi).cwiseMax(b.lo - a.hi).cwiseMax(0.0);
  // A comparison with NaN is false: pairs whose boxes overflow are not discarded.
  return between.norm() * kRoundDown > gap;
}

}  // namespace touche::study
