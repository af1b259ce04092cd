// SPDX-License-Identifier: Apache-2.0
// Evaluates the thesis' continuous tests against the certified answer: what they find, miss and
// cost. That is chapter 10.2 of Eckstein's thesis, and what it could not show. Link target
// touche::study.
#pragma once

#include <string>
#include <vector>

#include "touche/methods/continuous.h"
#include "touche/study.h"

namespace touche {

// ---- what is asked -----------------------------------------------------------------------------

/// Motions of pairs of parts that come near each other.
struct [[nodiscard]] ContinuousStudy {
  struct Pair {
    std::size_t a, b;  ///< parts
    Motion motion_a, motion_b;
  };
  std::string title;
  std::vector<Object> parts;
  std::vector<std::vector<Pair>> steps;
};

/// The steps of a study in which parts come near each other while they move, in order.
ContinuousStudy continuous_study_of(const Study& study, std::vector<Object> parts);

// ---- what is answered --------------------------------------------------------------------------

struct ContinuousTrial {
  std::string study, name;        ///< of the method
  std::vector<double> seconds{};  ///< of each step
  // Pairs of parts in a step, by whether there is a contact and whether it is found.
  std::size_t found = 0, missed = 0, false_alarms = 0, free = 0;
  std::size_t given_up = 0;                ///< pairs, in none of these
  double mean_error = 0, worst_error = 0;  ///< of the time of contacts found, in steps

  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

struct [[nodiscard]] ContinuousEvaluation {
  struct Scene {
    std::string title;
    std::size_t steps = 0, pairs = 0, contacts = 0;
    std::size_t free_poses_contacts = 0;  ///< of which both recorded poses are free
    std::size_t touching_starts = 0;      ///< pairs left out: they touch when the step begins
  };
  /// How much larger a swept volume is than need be.
  struct SweptVolume {
    std::string volume, sweep;
    /// Mean ratio of its surface to that of the same kind of volume around points of the path.
    double area_ratio = 1;
    double outside = 0;  ///< share of points of paths that it does not contain
  };
  /// How loosely a kind of volume lies around paths.
  struct PathVolume {
    std::string volume;
    /// Mean ratio of the surface of one around points of a path to that of their convex hull.
    double area_ratio = 1;
  };
  std::vector<Scene> scenes;
  std::vector<ContinuousTrial> trials;  ///< of a scene: the certified answer, then every method
  std::vector<SweptVolume> swept_volumes;
  std::vector<PathVolume> path_volumes;  ///< for every bounding volume
  double seconds = 0;                    ///< how long all this took
  bool complete = false;                 ///< false when it was stopped: then trials are missing
};

struct ContinuousEvaluationOptions {
  /// The trees of the parts.
  TreeOptions tree = {.volume = "obb",
                      .method = SplitMethod::moving_centres,
                      .degree = 8,
                      .improvement = 0.75,
                      .min_split_faces = 8};
  double tolerance = 1e-7;            ///< of the certified answer, times the smaller part's size
  std::uint64_t max_tests = 2000000;  ///< of each pair in each step, after which a method gives up
  Budget budget = {};  ///< of all; progress: steps, once for each method; work is not counted
};

/// Everything is timed on one thread, the best of three runs.
ContinuousEvaluation evaluate_continuous(const std::vector<ContinuousStudy>& studies,
                                         const ContinuousEvaluationOptions& options = {});

[[nodiscard]] std::string continuous_csv(const ContinuousEvaluation& evaluation);

/// One self-contained page, with plots like the thesis' Figures D.49 to D.56.
[[nodiscard]] std::string continuous_html(const ContinuousEvaluation& evaluation,
                                          const std::string& remark = {});

}  // namespace touche
