// SPDX-License-Identifier: Apache-2.0
// In the order of thesis §10.1: each method by itself, methods against each other, traversals.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "base/progress_report.h"
#include "evaluation/contest.h"
#include "evaluation/deforming.h"
#include "evaluation/stopped.h"

namespace touche {
namespace {

using evaluation::Contest;

constexpr SplitMethod kMethods[] = {
    SplitMethod::zachmann,  SplitMethod::gottschalk,      SplitMethod::moving_centres,
    SplitMethod::insertion, SplitMethod::hochbaum_shmoys, SplitMethod::middle,
    SplitMethod::median,    SplitMethod::least_overlap,   SplitMethod::surface_area};

// For these methods their authors fixed the volumes (thesis §3.7.6, van den Bergen §2).
std::vector<std::string> volumes_of(SplitMethod method, const EvaluationOptions& options) {
  std::vector<std::string> volumes = options.volumes;
  if (method == SplitMethod::zachmann || method == SplitMethod::middle ||
      method == SplitMethod::median || method == SplitMethod::least_overlap)
    volumes.insert(volumes.begin(), "aabb");
  if (method == SplitMethod::hochbaum_shmoys) volumes.insert(volumes.begin(), "sphere");
  return volumes;
}

constexpr int kMostDegree = 8;
// With variable degree: thesis §3.7 leaves s_min open; fewer faces than this go to a leaf whole
// when dividing them gains nothing.
constexpr Index kMinFaces = 8;

std::vector<TreeOptions> settings_of(SplitMethod method, const EvaluationOptions& options) {
  std::vector<TreeOptions> settings;
  for (const std::string& volume : volumes_of(method, options)) {
    TreeOptions tree{.volume = volume, .method = method};
    for (const int degree : options.degrees) {
      tree.degree = degree;
      settings.push_back(tree);
    }
    tree.degree = kMostDegree;
    tree.min_split_faces = kMinFaces;
    for (const double improvement : options.improvements) {
      tree.improvement = improvement;
      settings.push_back(tree);
    }
  }
  return settings;
}

const Trial& cheapest(const std::vector<Trial>& trials,
                      const std::function<bool(const Trial&)>& among) {
  const Trial* best = nullptr;
  for (const Trial& trial : trials)
    if (among(trial) && (best == nullptr || trial.mean_cost() < best->mean_cost())) best = &trial;
  return *best;
}

class Evaluator {
 public:
  Evaluator(const std::vector<RemovalStudy>& studies, const std::vector<DeformingCase>& deforming,
            const CostMatrix& costs, const EvaluationOptions& options)
      : studies_(studies),
        deforming_(deforming),
        options_(options),
        progress_(options.budget.progress) {
    if (studies.empty() || studies.front().removals.empty())
      throw InvalidInput("evaluation: no study in which parts come near each other");
    result_.costs = costs;
  }

  Evaluation run() {
    const auto start = std::chrono::steady_clock::now();
    count_trials();
    try {
      run_trials();
      result_.complete = true;
    } catch (const evaluation::Stopped&) {
    }
    progress_.finish();
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void count_trials() {
    std::size_t total = compared().size() + 2 * 16 + studies_.size() * std::size(kMethods);
    for (const SplitMethod method : kMethods) total += settings_of(method, options_).size();
    progress_.add_total(total + 2 * deforming_.size());
  }

  void run_trials() {
    {
      Contest first(studies_.front(), result_.costs, options_.threads);
      compare_settings(first);
      compare_volumes(first);
      compare_traversals(first);
    }
    for (const RemovalStudy& study : studies_) compare_methods(study);
    for (const DeformingCase& scene : deforming_)
      for (const char* volume : {"aabb", "obb"}) {
        result_.deforming.push_back(evaluation::deforming_trial(scene, volume));
        evaluation::told(progress_, options_.budget);
      }
  }

  void add(std::vector<Trial>& trials, Contest& contest, TreeOptions tree,
           const TraversalOptions& traversal, bool timed) {
    tree.costs = result_.costs;
    tree.threads = options_.threads;
    trials.push_back(contest.run(tree, traversal, timed, timed ? 1 : stride()));
    evaluation::told(progress_, options_.budget);
  }

  // This number of poses suffices to distinguish settings.
  std::size_t stride() const {
    std::size_t most = 1;
    for (const Removal& removal : studies_.front().removals)
      most = std::max(most, removal.poses.size());
    return (most + options_.poses - 1) / options_.poses;
  }

  void compare_settings(Contest& contest) {
    for (const SplitMethod method : kMethods)
      for (const TreeOptions& tree : settings_of(method, options_))
        add(result_.settings, contest, tree, {}, false);
  }

  const TreeOptions& best(SplitMethod method) const {
    return cheapest(result_.settings, [&](const Trial& t) { return t.tree.method == method; }).tree;
  }

  // The thesis compared them with both heuristics; one is enough.
  void compare_volumes(Contest& contest) {
    for (const std::string& volume : compared()) {
      TreeOptions tree = best(SplitMethod::moving_centres);
      tree.volume = volume;
      if (volume == "dop") tree.directions = options_.directions;
      add(result_.volumes, contest, tree, {}, false);
    }
  }

  std::vector<std::string> compared() const {
    if (!options_.compared.empty()) return options_.compared;
    return {volume_names().begin(), volume_names().end()};
  }

  void compare_traversals(Contest& contest) {
    for (const SplitMethod method : {SplitMethod::moving_centres, SplitMethod::insertion})
      for (const Expansion expansion : {Expansion::worse_quality, Expansion::larger_volume,
                                        Expansion::simultaneous, Expansion::hybrid})
        for (const QueueOrder order : {QueueOrder::last_in, QueueOrder::first_in,
                                       QueueOrder::best_first, QueueOrder::worst_first})
          add(result_.traversals, contest, best(method), {expansion, order}, true);
  }

  void compare_methods(const RemovalStudy& study) {
    Contest contest(study, result_.costs, options_.threads);
    for (const SplitMethod method : kMethods) add(result_.methods, contest, best(method), {}, true);
    result_.own.push_back(contest.run_own());
  }

  const std::vector<RemovalStudy>& studies_;
  const std::vector<DeformingCase>& deforming_;
  const EvaluationOptions& options_;
  base::ProgressReport progress_;
  Evaluation result_;
};

/// Over the poses of all removals.
double mean(const std::vector<TrialRun>& runs, std::vector<double> TrialRun::*values) {
  double sum = 0;
  std::size_t count = 0;
  for (const TrialRun& run : runs) {
    for (const double value : run.*values) sum += value;
    count += (run.*values).size();
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double worst(const std::vector<TrialRun>& runs, std::vector<double> TrialRun::*values) {
  double most = 0;
  for (const TrialRun& run : runs)
    for (const double value : run.*values) most = std::max(most, value);
  return most;
}

}  // namespace

double Trial::mean_cost() const { return mean(runs, &TrialRun::cost); }
double Trial::worst_cost() const { return worst(runs, &TrialRun::cost); }
double Trial::mean_seconds() const { return mean(runs, &TrialRun::seconds); }
double Trial::worst_seconds() const { return worst(runs, &TrialRun::seconds); }
double DefaultTrial::mean_seconds() const { return mean(runs, &TrialRun::seconds); }
double DefaultTrial::worst_seconds() const { return worst(runs, &TrialRun::seconds); }

Evaluation evaluate(const std::vector<RemovalStudy>& studies,
                    const std::vector<DeformingCase>& deforming, const CostMatrix& costs,
                    const EvaluationOptions& options) {
  return Evaluator(studies, deforming, costs, options).run();
}

}  // namespace touche
