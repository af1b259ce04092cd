// SPDX-License-Identifier: Apache-2.0
#include "viewer/recorder.h"

#include <algorithm>

#include "simulation/taken_path.h"

namespace touche::viewer {
namespace {

constexpr double kLeastTime = 1e-6;  // seconds between two poses

// Returns whether `above` is the node or one of its ancestors.
bool hangs_on(const Opened& opened, std::uint32_t node, std::uint32_t above) {
  for (std::uint32_t n = node; n != protocol::kNoNode; n = opened.nodes[n].parent)
    if (n == above) return true;
  return false;
}

}  // namespace

std::size_t Recorded::poses() const {
  std::size_t count = 0;
  for (const Track& track : tracks) count += track.path.poses.size();
  return count;
}

void Recorder::start(const World& world, std::span<const NodeId> nodes, const Opened& opened) {
  active_ = true;
  recorded_ = {};
  local_poses_.clear();
  for (const NodeId node : nodes) local_poses_.push_back(world.local_pose(node));
  recorded_.carried_by.assign(opened.parts.size(), kNone);
  for (const OpenedPart& part : opened.parts)
    recorded_.places.push_back(world.pose(nodes[part.node]));
}

void Recorder::check(std::uint32_t node, const Opened& opened) const {
  for (const Track& track : recorded_.tracks)
    if (track.node != node &&
        (hangs_on(opened, node, track.node) || hangs_on(opened, track.node, node)))
      throw InvalidInput("\"" + opened.nodes[node].name + "\" and \"" +
                         opened.nodes[track.node].name +
                         "\", of which one hangs on the other, cannot be recorded together");
}

void Recorder::add(std::uint32_t node, const Pose& before, const std::vector<Motion>& motions,
                   double begin, double end, double deviation, const Opened& opened) {
  if (!active_) return;
  auto track = std::find_if(recorded_.tracks.begin(), recorded_.tracks.end(),
                            [&](const Track& t) { return t.node == node; });
  if (track == recorded_.tracks.end()) {
    check(node, opened);
    // Descendants of the node move with it from now on. The poses of the chain are multiplied, so
    // that a part at the node's own pose gets that pose exactly.
    const auto number = static_cast<Index>(recorded_.tracks.size());
    for (std::size_t p = 0; p < opened.parts.size(); ++p) {
      if (!hangs_on(opened, opened.parts[p].node, node)) continue;
      Pose place;
      for (std::uint32_t n = opened.parts[p].node; n != node; n = opened.nodes[n].parent)
        place = n == opened.parts[p].node ? local_poses_[n] : local_poses_[n] * place;
      recorded_.carried_by[p] = number;
      recorded_.places[p] = place;
    }
    recorded_.tracks.push_back({node, {{0}, {before}}});
    track = recorded_.tracks.end() - 1;
  }
  HandPoses& path = track->path;
  if (begin > path.times.back() + kLeastTime) simulation::append(path, {}, begin, deviation);
  simulation::append(path, motions, std::max(end, path.times.back() + kLeastTime), deviation);
}

void Recorder::finish(double seconds) {
  active_ = false;
  for (const Track& track : recorded_.tracks)
    seconds = std::max(seconds, track.path.times.back() + kLeastTime);
  for (Track& track : recorded_.tracks) simulation::append(track.path, {}, seconds, 1);
}

}  // namespace touche::viewer
