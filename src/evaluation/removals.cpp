// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include "methods/bounds/obb.h"
#include "study/step_bounds.h"
#include "touche/methods/evaluation.h"

namespace touche {
namespace {

using study::kFixed;

/// Where the groups are at one s, with the parts in no group as the last.
std::vector<Pose> poses_at(const Study& study, double s) {
  std::vector<Pose> poses;
  for (const StudyGroup& group : study.groups) poses.push_back(group.motion.pose(s));
  poses.emplace_back();
  return poses;
}

bool same(const Pose& a, const Pose& b) {
  return a.translation() == b.translation() && a.rotation().coeffs() == b.rotation().coeffs();
}

bounds::AabbMinMax box_of(const Object& part) { return {part.bounds().lo, part.bounds().hi}; }

class Collector {
 public:
  Collector(const Study& study, const std::vector<Object>& parts)
      : study_(study), parts_(parts), groups_(study::group_of_part(study)) {
    for (std::size_t& group : groups_)
      if (group == kFixed) group = study.groups.size();
  }

  Removal removal(std::size_t group, std::size_t max_poses) const {
    Removal result{study_.groups[group].name, {}};
    const std::vector<double> times = moving_times(group);
    const std::size_t count = std::min(max_poses, times.size());
    for (std::size_t i = 0; i < count; ++i)
      result.poses.push_back(pairs_at(group, times[i * times.size() / count]));
    return result;
  }

 private:
  // At which the group is elsewhere than a recorded pose earlier.
  std::vector<double> moving_times(std::size_t group) const {
    std::vector<double> times;
    const Motion& motion = study_.groups[group].motion;
    for (std::size_t k = 0; k < study_.times.size(); ++k)
      if (k == 0 ? !same(motion.pose(study_.times[0]), motion.pose(study_.times[1]))
                 : !same(motion.pose(study_.times[k]), motion.pose(study_.times[k - 1])))
        times.push_back(study_.times[k]);
    return times;
  }

  std::vector<Removal::Pair> pairs_at(std::size_t group, double s) const {
    const std::vector<Pose> poses = poses_at(study_, s);
    std::vector<Removal::Pair> pairs;
    for (const std::size_t a : study_.groups[group].parts)
      for (std::size_t b = 0; b < parts_.size(); ++b) {
        if (groups_[b] == group) continue;
        const Pose &pose_a = poses[group], &pose_b = poses[groups_[b]];
        if (boxes_meet(a, b, pose_a.inverse() * pose_b)) pairs.push_back({a, b, pose_a, pose_b});
      }
    return pairs;
  }

  bool boxes_meet(std::size_t a, std::size_t b, const Pose& b_from_a) const {
    return bounds::overlap(bounds::to_obb(box_of(parts_[a])), bounds::to_obb(box_of(parts_[b])),
                           b_from_a);
  }

  const Study& study_;
  const std::vector<Object>& parts_;
  std::vector<std::size_t> groups_;
};

}  // namespace

RemovalStudy removals_of(const Study& study, std::vector<Object> parts, std::size_t max_poses) {
  RemovalStudy result{study.title, std::move(parts), {}};
  const Collector collector(study, result.parts);
  for (std::size_t g = 0; g < study.groups.size(); ++g)
    if (Removal removal = collector.removal(g, max_poses); !removal.poses.empty())
      result.removals.push_back(std::move(removal));
  return result;
}

}  // namespace touche
