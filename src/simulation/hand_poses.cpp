// SPDX-License-Identifier: Apache-2.0
#include "touche/handle.h"

#include <fmt/format.h>

#include <iterator>

#include "study/motion_input.h"
#include "touche/broadphase.h"

namespace touche {

HandPoses load_hand_poses(const std::filesystem::path& file) {
  study::RecordedPoses read = study::read_pose_csv(file);
  if (read.times.empty() && !read.poses.empty())
    throw LoadError(file.string(), "1", "no column \"t\"; when the hand was where must be known");
  if (read.poses.size() < 2)
    throw LoadError(file.string(), "",
                    fmt::format("{} pose{}, expected at least 2", read.poses.size(),
                                read.poses.size() == 1 ? "" : "s"));
  // Boxes around moving bodies reach no farther.
  constexpr double kFarthest = BroadPhase::kMaxCoordinate;
  for (std::size_t i = 0; i < read.poses.size(); ++i)
    if (!(read.poses[i].translation().array().abs() < kFarthest).all())
      throw LoadError(file.string(), std::to_string(read.lines[i]),
                      fmt::format("the hand is farther away than {:.0e}", kFarthest));
  for (std::size_t i = 1; i < read.times.size(); ++i)
    if (!(read.times[i] > read.times[i - 1]))
      throw LoadError(file.string(), std::to_string(read.lines[i]),
                      fmt::format("the time {} does not come after the one before, {}",
                                  read.times[i], read.times[i - 1]));
  return {std::move(read.times), std::move(read.poses)};
}

std::string hand_poses_csv(const HandPoses& hand) {
  std::string result = "t,x,y,z,qw,qx,qy,qz\n";
  for (std::size_t i = 0; i < hand.poses.size(); ++i) {
    const Vec3& at = hand.poses[i].translation();
    const Eigen::Quaterniond q = hand.poses[i].rotation();
    fmt::format_to(std::back_inserter(result), "{},{},{},{},{},{},{},{}\n", hand.times[i], at.x(),
                   at.y(), at.z(), q.w(), q.x(), q.y(), q.z());
  }
  return result;
}

}  // namespace touche
