// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/budget_part.h"
#include "base/progress_report.h"
#include "evaluation/continuous_methods.h"
#include "evaluation/stopped.h"
#include "evaluation/timing.h"
#include "touche/methods/continuous_evaluation.h"

namespace touche {
namespace {

using evaluation::best_seconds;
using evaluation::continuous_methods;
using evaluation::kCertified;
using Pair = ContinuousStudy::Pair;

class Referee {
 public:
  Referee(const ContinuousStudy& study, const ContinuousEvaluationOptions& options,
          base::ProgressReport& progress, ContinuousEvaluation& result)
      : study_(study), options_(options), progress_(progress), result_(result) {
    for (const auto& step : study.steps)
      for (const Pair& pair : step)
        for (const std::size_t part : {pair.a, pair.b})
          if (!trees_.contains(part))
            trees_.emplace(part, VolumeTree(study.parts[part].soup(), options.tree));
  }

  void run() {
    certify();
    for (const auto& method : continuous_methods()) try_out(method);
  }

 private:
  // One pair in one step.
  struct Truth {
    bool asked = true, contact = false;
    double t = kInfinity;
  };

  ToiResult certified(const Pair& pair) const {
    const Object &a = study_.parts[pair.a], &b = study_.parts[pair.b];
    const double size = std::min(a.bounds().diagonal(), b.bounds().diagonal());
    return time_of_impact(a, pair.motion_a, b, pair.motion_b,
                          {.tolerance = options_.tolerance * size});
  }

  void certify() {
    ContinuousEvaluation::Scene scene{.title = study_.title, .steps = study_.steps.size()};
    ContinuousTrial trial{.study = study_.title, .name = kCertified};
    for (const auto& step : study_.steps) {
      std::vector<Truth> truths;
      for (const Pair& pair : step) {
        const ToiResult r = certified(pair);
        Truth truth;
        truth.asked = r.status != ToiStatus::initially_touching;
        truth.contact = r.status == ToiStatus::contact;
        truth.t = r.time.upper;
        ++scene.pairs;
        scene.touching_starts += truth.asked ? 0 : 1;
        scene.contacts += truth.contact ? 1 : 0;
        if (truth.contact && !touching(pair, 0) && !touching(pair, 1)) ++scene.free_poses_contacts;
        if (truth.asked) ++(truth.contact ? trial.found : trial.free);
        truths.push_back(truth);
      }
      trial.seconds.push_back(best_seconds([&] {
        for (std::size_t i = 0; i < step.size(); ++i)
          if (truths[i].asked) (void)certified(step[i]);
      }));
      truths_.push_back(std::move(truths));
      evaluation::told(progress_, options_.budget);
    }
    result_.scenes.push_back(scene);
    result_.trials.push_back(trial);
  }

  bool touching(const Pair& pair, double t) const {
    return intersects(study_.parts[pair.a], pair.motion_a.pose(t), study_.parts[pair.b],
                      pair.motion_b.pose(t))
        .intersects;
  }

  void try_out(const evaluation::NamedMethod& method) {
    ContinuousTrial trial{.study = study_.title, .name = method.name};
    ContinuousOptions how = method.options;
    how.max_tests = options_.max_tests;
    how.budget = base::with_any_work(options_.budget);
    std::map<std::pair<std::size_t, std::size_t>, ContinuousTest> tests;
    double error_sum = 0;
    for (std::size_t k = 0; k < study_.steps.size(); ++k) {
      const auto& step = study_.steps[k];
      std::vector<ContinuousTest*> test_of;
      for (const Pair& pair : step)
        test_of.push_back(
            &tests.try_emplace({pair.a, pair.b}, trees_.at(pair.a), trees_.at(pair.b), how)
                 .first->second);
      std::vector<ContinuousResult> answers(step.size());
      trial.seconds.push_back(best_seconds([&] {
        for (std::size_t i = 0; i < step.size(); ++i)
          if (truths_[k][i].asked) answers[i] = (*test_of[i])(step[i].motion_a, step[i].motion_b);
      }));
      for (std::size_t i = 0; i < step.size(); ++i) {
        const Truth& truth = truths_[k][i];
        if (!truth.asked) continue;
        if (!answers[i].complete) {
          ++trial.given_up;
          continue;
        }
        ++(truth.contact        ? answers[i].contact ? trial.found : trial.missed
           : answers[i].contact ? trial.false_alarms
                                : trial.free);
        if (!truth.contact || !answers[i].contact) continue;
        const double error = std::abs(answers[i].t - truth.t);
        error_sum += error;
        trial.worst_error = std::max(trial.worst_error, error);
      }
      evaluation::told(progress_, options_.budget);
    }
    if (trial.found > 0) trial.mean_error = error_sum / static_cast<double>(trial.found);
    result_.trials.push_back(trial);
  }

  const ContinuousStudy& study_;
  const ContinuousEvaluationOptions& options_;
  base::ProgressReport& progress_;
  ContinuousEvaluation& result_;
  std::map<std::size_t, VolumeTree> trees_;  // by part
  std::vector<std::vector<Truth>> truths_;   // by step and pair
};

}  // namespace

double ContinuousTrial::mean_seconds() const {
  if (seconds.empty()) return 0;
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double ContinuousTrial::worst_seconds() const {
  return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end());
}

ContinuousEvaluation evaluate_continuous(const std::vector<ContinuousStudy>& studies,
                                         const ContinuousEvaluationOptions& options) {
  ContinuousEvaluation result;
  std::size_t total = 0;
  for (const ContinuousStudy& study : studies)
    total += study.steps.size() * (continuous_methods().size() + 1);
  base::ProgressReport progress(options.budget.progress, total);
  result.seconds = evaluation::seconds([&] {
    try {
      for (const ContinuousStudy& study : studies) Referee(study, options, progress, result).run();
      result.swept_volumes = evaluation::measure_swept_volumes();
      result.path_volumes = evaluation::measure_path_volumes();
      result.complete = true;
    } catch (const evaluation::Stopped&) {
    }
  });
  progress.finish();
  return result;
}

}  // namespace touche
