// SPDX-License-Identifier: Apache-2.0
#include "viewer/timeline.h"

#include <algorithm>

namespace touche::viewer {
namespace {

constexpr std::size_t kMostKeys = 1'000'000;

}  // namespace

double Timeline::advanced(double value, int count) const {
  if (keys.empty()) return value;
  const auto last = static_cast<std::int64_t>(keys.size()) - 1;
  const auto after = std::upper_bound(keys.begin(), keys.end(), value) - keys.begin();
  const auto at_or_after = std::lower_bound(keys.begin(), keys.end(), value) - keys.begin();
  // Forwards from the key at or before, backwards from that at or after.
  const std::int64_t from = count >= 0 ? after - 1 : at_or_after;
  return keys[static_cast<std::size_t>(std::clamp<std::int64_t>(from + count, 0, last))];
}

Timeline timeline_of(const Study& study, const std::vector<std::uint32_t>& group_nodes,
                     double duration) {
  Timeline timeline;
  timeline.duration = duration;
  timeline.keys = study.times;
  if (timeline.keys.size() > kMostKeys) timeline.keys = {0, 1};
  for (std::size_t g = 0; g < study.groups.size(); ++g)
    timeline.motions.push_back({group_nodes[g], study.groups[g].motion});
  return timeline;
}

Timeline timeline_of(const SimulationResult& result) {
  Timeline timeline;
  timeline.seconds = true;
  for (const SimulationStep& step : result.steps) timeline.keys.push_back(step.time);
  if (timeline.keys.size() < 2) return {};
  timeline.start = timeline.keys.front();
  timeline.end = timeline.keys.back();
  timeline.duration = timeline.end - timeline.start;
  for (std::uint32_t b = 0; b < result.poses.size(); ++b) {
    if (result.poses[b].size() != result.steps.size()) continue;
    std::vector<double> shares;
    std::vector<Pose> poses;
    for (const SimulationPose& recorded : recorded_poses(result, b)) {
      const double share = timeline.share(recorded.time);
      if (!shares.empty() && !(share > shares.back())) continue;
      shares.push_back(share);
      poses.push_back(recorded.pose);
    }
    shares.back() = 1;
    timeline.motions.push_back({b, Motion::through(poses, shares)});
  }
  return timeline;
}

protocol::Timeline timeline_message(const Timeline& timeline) {
  return {.start = timeline.start,
          .end = timeline.end,
          .seconds = timeline.seconds,
          .keys = timeline.keys};
}

void PlayState::go_on(const Timeline& timeline, double seconds) {
  if (speed == 0 || timeline.empty()) return;
  value += speed * seconds * (timeline.end - timeline.start) / timeline.duration;
  if (value > timeline.start && value < timeline.end) return;
  value = std::clamp(value, timeline.start, timeline.end);
  speed = 0;
}

}  // namespace touche::viewer
