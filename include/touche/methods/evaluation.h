// SPDX-License-Identifier: Apache-2.0
// Evaluates which hierarchy and traversal are best for a removal study: chapter 10.1 of Eckstein's
// thesis, on any recorded motions. Each setting tests the same poses for being free; its cost is
// counted and timed. Link target touche::study.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "touche/methods/volume_tree.h"
#include "touche/study.h"

namespace touche {

// ---- input -------------------------------------------------------------------------------------

/// The pairs of parts whose boxes overlap while one group moves, pose by pose.
struct Removal {
  struct Pair {
    std::size_t a, b;  ///< indices of parts
    Pose pose_a, pose_b;
  };
  std::string name;  ///< name of the group
  std::vector<std::vector<Pair>> poses;
};

/// A deforming part next to one that stands still.
struct DeformingCase {
  std::string title;
  PolygonSoup rest, obstacle;
  std::vector<std::vector<double>> vertices;  ///< for each time: x y z of each vertex of `rest`
};

/// The poses of a study, for static tests.
struct [[nodiscard]] RemovalStudy {
  std::string title;
  std::vector<Object> parts;
  std::vector<Removal> removals;
};

/// The removals of a study, with at most `max_poses` evenly chosen recorded poses of each group.
/// Poses at which a group does not move are left out.
RemovalStudy removals_of(const Study& study, std::vector<Object> parts, std::size_t max_poses);

// ---- results -----------------------------------------------------------------------------------

struct TrialRun {
  std::string removal;
  std::vector<double> cost{};     ///< of each pose, µs: numbers of tests times their mean costs
  std::vector<double> seconds{};  ///< of each pose, measured; empty if not measured
  std::size_t hits = 0;           ///< number of poses that are not free
  TreeStats stats{};              ///< sum over all poses
};

/// One setting on one study.
struct Trial {
  std::string study;
  TreeOptions tree;
  TraversalOptions traversal;
  double build_seconds = 0, bytes_per_triangle = 0;  ///< of all parts in the pairs
  Index largest_leaf = 0;                            ///< faces
  std::vector<TrialRun> runs{};                      ///< one for each removal

  [[nodiscard]] double mean_cost() const;  ///< µs, over the poses of all removals
  [[nodiscard]] double worst_cost() const;
  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

/// The hierarchy of Object at the same poses.
struct DefaultTrial {
  std::string study;
  double build_seconds = 0, bytes_per_triangle = 0;
  std::vector<TrialRun> runs{};  ///< without costs

  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

/// A tree of a deforming part, as in van den Bergen's tables. Seconds are means over the times.
struct DeformingTrial {
  std::string title, volume;
  Index triangles = 0;
  double bytes_per_triangle = 0, build_seconds = 0, refit_seconds = 0;
  double rigid_seconds = 0;  ///< all pairs for the undeformed part, at the same position
  double refitted_seconds = 0, rebuilt_seconds = 0;  ///< all pairs for the deformed part
};

struct [[nodiscard]] Evaluation {
  CostMatrix costs;               ///< ns
  std::vector<Trial> settings;    ///< every method with every selected degree, factor and volume
  std::vector<Trial> volumes;     ///< one method with each compared volume
  std::vector<Trial> methods;     ///< each method's best setting, timed, on every study
  std::vector<Trial> traversals;  ///< the best methods with each expansion and order, timed
  std::vector<DefaultTrial> own;  ///< for each study
  std::vector<DeformingTrial> deforming;
  double seconds = 0;     ///< time of the whole evaluation
  bool complete = false;  ///< false when it was stopped; then trials are missing
};

struct EvaluationOptions {
  std::vector<int> degrees = {2, 3, 4, 5, 6, 7, 8};
  std::vector<double> improvements = {0.5, 0.75, 0.9};
  std::vector<std::string> volumes = {"obb", "mixed"};  ///< for methods that support any volume
  std::vector<std::string> compared = {};  ///< volumes to compare; empty: volume_names()
  std::vector<Vec3> directions = {};       ///< for "dop", if it is compared
  std::size_t poses = 40;  ///< for each removal while settings are compared; later all are used
  int threads = 0;         ///< for counting; timed runs use one thread
  Budget budget = {};      ///< progress: trials; work is not counted
};

/// Compares settings and traversals on the first study, and methods on all studies. Throws Error
/// when a tree and the hierarchy of Object disagree about a pose.
Evaluation evaluate(const std::vector<RemovalStudy>& studies,
                    const std::vector<DeformingCase>& deforming, const CostMatrix& costs,
                    const EvaluationOptions& options = {});

[[nodiscard]] std::string evaluation_csv(const Evaluation& evaluation);

/// A self-contained HTML page: the best settings, and plots like the thesis' Figures D.8 to D.48.
[[nodiscard]] std::string evaluation_html(const Evaluation& evaluation,
                                          const std::string& remark = {});

}  // namespace touche
