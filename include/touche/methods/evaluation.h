// SPDX-License-Identifier: Apache-2.0
// Which hierarchy and which traversal serve a removal study best: chapter 10.1 of Eckstein's
// thesis, on any recorded motions. Every setting answers the same question, whether a pose is free,
// at the same poses; what it costs is counted and timed. Link target touche::study.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "touche/methods/volume_tree.h"
#include "touche/study.h"

namespace touche {

// ---- what is asked -----------------------------------------------------------------------------

/// The pairs of parts whose boxes meet while one group moves, pose by pose.
struct Removal {
  struct Pair {
    std::size_t a, b;  ///< parts
    Pose pose_a, pose_b;
  };
  std::string name;  ///< of the group
  std::vector<std::vector<Pair>> poses;
};

/// A part that deforms beside one that stands still.
struct DeformingCase {
  std::string title;
  PolygonSoup rest, obstacle;
  std::vector<std::vector<double>> vertices;  ///< of `rest`, x y z for each, at each time
};

/// A study as static tests see it.
struct [[nodiscard]] RemovalStudy {
  std::string title;
  std::vector<Object> parts;
  std::vector<Removal> removals;
};

/// At most `max_poses` of the recorded poses of each group, evenly chosen; poses at which a group
/// does not move are left out.
RemovalStudy removals_of(const Study& study, std::vector<Object> parts, std::size_t max_poses);

// ---- what is answered --------------------------------------------------------------------------

struct TrialRun {
  std::string removal;
  std::vector<double> cost{};     ///< of each pose: tests times their mean cost, µs
  std::vector<double> seconds{};  ///< of each pose, measured; empty if it was not
  std::size_t hits = 0;           ///< poses that are not free
  TreeStats stats{};              ///< of all poses
};

/// One setting on one study.
struct Trial {
  std::string study;
  TreeOptions tree;
  TraversalOptions traversal;
  double build_seconds = 0, bytes_per_triangle = 0;  ///< of all parts that are asked about
  Index largest_leaf = 0;                            ///< faces
  std::vector<TrialRun> runs{};                      ///< one a removal

  [[nodiscard]] double mean_cost() const;  ///< over the poses of all removals, µs
  [[nodiscard]] double worst_cost() const;
  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

/// The queries' own hierarchy at the same poses.
struct DefaultTrial {
  std::string study;
  double build_seconds = 0, bytes_per_triangle = 0;
  std::vector<TrialRun> runs{};  ///< without costs

  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

/// A tree while a part deforms, like van den Bergen's tables; seconds are means over the times.
struct DeformingTrial {
  std::string title, volume;
  Index triangles = 0;
  double bytes_per_triangle = 0, build_seconds = 0, refit_seconds = 0;
  double rigid_seconds = 0;  ///< all pairs of the part at rest, moved to where it will be
  double refitted_seconds = 0, rebuilt_seconds = 0;  ///< all pairs once it is deformed
};

struct [[nodiscard]] Evaluation {
  CostMatrix costs;               ///< ns
  std::vector<Trial> settings;    ///< every method with every degree, factor and volume asked for
  std::vector<Trial> volumes;     ///< one method with every volume there is
  std::vector<Trial> methods;     ///< each method's best setting, timed, on every study
  std::vector<Trial> traversals;  ///< expansions and orders with the best methods, timed
  std::vector<DefaultTrial> own;  ///< on every study
  std::vector<DeformingTrial> deforming;
  double seconds = 0;     ///< how long all this took
  bool complete = false;  ///< false when it was stopped: then trials are missing
};

struct EvaluationOptions {
  std::vector<int> degrees = {2, 3, 4, 5, 6, 7, 8};
  std::vector<double> improvements = {0.5, 0.75, 0.9};
  std::vector<std::string> volumes = {"obb", "mixed"};  ///< of the methods that take any
  std::vector<std::string> compared = {};  ///< the volumes that are compared; none: volume_names()
  std::vector<Vec3> directions = {};       ///< of "dop", if that is compared
  std::size_t poses = 40;  ///< of a removal, while settings are compared; all of them later
  int threads = 0;         ///< while counting; whatever is timed runs on one
  Budget budget = {};      ///< progress: trials; work is not counted
};

/// Settings and traversals are compared on the first study, then methods on all. Throws Error when
/// a tree and the queries' own hierarchy disagree about a pose.
Evaluation evaluate(const std::vector<RemovalStudy>& studies,
                    const std::vector<DeformingCase>& deforming, const CostMatrix& costs,
                    const EvaluationOptions& options = {});

[[nodiscard]] std::string evaluation_csv(const Evaluation& evaluation);

/// One self-contained page: what won, and plots like the thesis' Figures D.8 to D.48.
[[nodiscard]] std::string evaluation_html(const Evaluation& evaluation,
                                          const std::string& remark = {});

}  // namespace touche
