// SPDX-License-Identifier: Apache-2.0
// The motions of parts while hands hold them, as a study.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "touche/budget.h"
#include "touche/handle.h"
#include "touche/motion.h"
#include "touche/world.h"
#include "viewer/opened.h"

namespace touche::viewer {

/// Where a node went; in the world, from 0 s on.
struct Track {
  std::uint32_t node = 0;
  HandPoses path;
};

/// Holds what was recorded, and where everything was in the beginning.
struct Recorded {
  std::vector<Track> tracks;  ///< all of them end at the same time
  /// For each part, the node that carries it, a number in `tracks`, or kNone; and its pose relative
  /// to that node, or in the world.
  std::vector<Index> carried_by;
  std::vector<Pose> places;
  [[nodiscard]] bool empty() const { return tracks.empty(); }
  [[nodiscard]] double seconds() const { return empty() ? 0 : tracks[0].path.times.back(); }
  [[nodiscard]] std::size_t poses() const;
};

class Recorder {
 public:
  /// How far a motion between recorded poses may deviate from the performed one: a quarter of the
  /// clearance that was kept.
  static constexpr double kDeviation = 0.25;

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] std::size_t poses() const { return recorded_.poses(); }
  [[nodiscard]] const Recorded& recorded() const { return recorded_; }

  /// Forgets what was recorded before.
  void start(const World& world, std::span<const NodeId> nodes, const Opened& opened);
  /// A node went along these motions, from its pose at `begin` to `end`, seconds since the start.
  /// Throws InvalidInput when it hangs on a node that was recorded before, or the other way round.
  void add(std::uint32_t node, const Pose& before, const std::vector<Motion>& motions, double begin,
           double end, double deviation, const Opened& opened);
  /// Ends it after this time.
  void finish(double seconds);
  /// Throws InvalidInput as add() does.
  void check(std::uint32_t node, const Opened& opened) const;

 private:
  bool active_ = false;
  Recorded recorded_;
  std::vector<Pose> local_poses_;  // of all nodes at the start
};

/// A study in which the parts move as recorded. Its files are the ones of the opened study; without
/// a study, the ones that save_recording writes into `folder`.
[[nodiscard]] Study recorded_study(const Opened& opened, const Recorded& recorded, double tolerance,
                                   const std::filesystem::path& folder);

/// Writes study.json, path-1.csv and so on, and meshes where there are no files of their own, into
/// the folder, which is made. Where it has less of the same recording already, the meshes stay and
/// the others are replaced, study.json last. Returns that file. Throws LoadError when it fails.
std::filesystem::path save_recording(const Opened& opened, const Recorded& recorded,
                                     double tolerance, const std::filesystem::path& folder);

/// The objects of a recorded study, equal to the ones that load_parts of its file returns; unmoved
/// ones are shared.
[[nodiscard]] std::vector<Object> recorded_parts(const Opened& opened, const Study& study);

}  // namespace touche::viewer
