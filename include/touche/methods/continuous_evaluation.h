// SPDX-License-Identifier: Apache-2.0
// Evaluates the continuous tests of Eckstein's thesis (chapter 10.2) against the certified time of
// impact: contacts found and missed, false alarms, errors and costs. Link target touche::study.
#pragma once

#include <string>
#include <vector>

#include "touche/methods/continuous.h"
#include "touche/study.h"

namespace touche {

// ---- input -------------------------------------------------------------------------------------

/// The motions of pairs of parts that come near each other, step by step.
struct [[nodiscard]] ContinuousStudy {
  struct Pair {
    std::size_t a, b;  ///< indices of parts
    Motion motion_a, motion_b;
  };
  std::string title;
  std::vector<Object> parts;
  std::vector<std::vector<Pair>> steps;
};

/// The steps of a study in which moving parts come near each other, in order.
ContinuousStudy continuous_study_of(const Study& study, std::vector<Object> parts);

// ---- results -----------------------------------------------------------------------------------

struct ContinuousTrial {
  std::string study, name;        ///< titles of the study and the method
  std::vector<double> seconds{};  ///< time of each step
  // Numbers of pairs in steps, by whether there is a contact and whether it is found.
  std::size_t found = 0, missed = 0, false_alarms = 0, free = 0;
  std::size_t given_up = 0;                ///< pairs in none of these
  double mean_error = 0, worst_error = 0;  ///< errors of the times of found contacts, in steps

  [[nodiscard]] double mean_seconds() const;
  [[nodiscard]] double worst_seconds() const;
};

struct [[nodiscard]] ContinuousEvaluation {
  struct Scene {
    std::string title;
    std::size_t steps = 0, pairs = 0, contacts = 0;
    std::size_t free_poses_contacts = 0;  ///< contacts in steps whose both recorded poses are free
    std::size_t touching_starts = 0;  ///< pairs left out since they touch at the start of the step
  };
  /// How much larger a swept volume is than necessary.
  struct SweptVolume {
    std::string volume, sweep;
    /// Mean ratio of its surface to that of the same kind of volume fitted to points of the path.
    double area_ratio = 1;
    double outside = 0;  ///< fraction of path points that it does not contain
  };
  /// How loosely a kind of volume encloses paths.
  struct PathVolume {
    std::string volume;
    /// Mean ratio of the surface of a volume fitted to points of a path to that of their convex
    /// hull.
    double area_ratio = 1;
  };
  std::vector<Scene> scenes;
  std::vector<ContinuousTrial> trials;  ///< for each scene: the certified test, then every method
  std::vector<SweptVolume> swept_volumes;
  std::vector<PathVolume> path_volumes;  ///< for each bounding volume
  double seconds = 0;                    ///< time of the whole evaluation
  bool complete = false;                 ///< false when it was stopped; then trials are missing
};

struct ContinuousEvaluationOptions {
  /// The trees of the parts.
  TreeOptions tree = {.volume = "obb",
                      .method = SplitMethod::moving_centres,
                      .degree = 8,
                      .improvement = 0.75,
                      .min_split_faces = 8};
  double tolerance = 1e-7;  ///< of the certified test, relative to the smaller part's size
  std::uint64_t max_tests = 2000000;  ///< for each pair and step; then a method gives up
  /// Of the whole evaluation; progress: steps times methods; work is not counted.
  Budget budget = {};
};

/// Runs all methods on all studies. All times are measured on one thread; the best of three runs
/// counts.
ContinuousEvaluation evaluate_continuous(const std::vector<ContinuousStudy>& studies,
                                         const ContinuousEvaluationOptions& options = {});

[[nodiscard]] std::string continuous_csv(const ContinuousEvaluation& evaluation);

/// A self-contained HTML page with plots like the thesis' Figures D.49 to D.56.
[[nodiscard]] std::string continuous_html(const ContinuousEvaluation& evaluation,
                                          const std::string& remark = {});

}  // namespace touche
