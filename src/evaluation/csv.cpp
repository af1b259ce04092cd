// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "evaluation/text.h"

namespace touche {
namespace {

using evaluation::kOwnLargestLeaf;
using evaluation::quoted;

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double most(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// Costs are computed from counts; seconds are empty if nothing was timed.
std::string run_columns(const TrialRun& run) {
  const std::string times =
      run.seconds.empty()
          ? ","
          : fmt::format("{:.4g},{:.4g}", 1e6 * mean(run.seconds), 1e6 * most(run.seconds));
  return fmt::format("{},{},{},{:.4g},{:.4g},{},{},{},{}", quoted(run.removal),
                     std::max(run.cost.size(), run.seconds.size()), run.hits, mean(run.cost),
                     most(run.cost), times, run.stats.volume_tests, run.stats.primitive_tests,
                     run.stats.front);
}

void add(std::string& out, const char* what, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials)
    for (const TrialRun& run : trial.runs)
      out += fmt::format("{},{},{},{},{},{},{},{},{:.4g},{:.4g},{},{}\n", what, quoted(trial.study),
                         name(trial.tree.method), trial.tree.volume, trial.tree.degree,
                         trial.tree.improvement, name(trial.traversal.expansion),
                         name(trial.traversal.order), trial.build_seconds, trial.bytes_per_triangle,
                         trial.largest_leaf, run_columns(run));
}

}  // namespace

std::string evaluation_csv(const Evaluation& evaluation) {
  std::string out =
      "comparison,study,method,volume,degree,improvement,expansion,order,build_s,"
      "bytes_per_triangle,largest_leaf,removal,poses,hits,mean_cost_us,worst_cost_us,mean_us,worst_"
      "us,"
      "volume_tests,triangle_tests,front\n";
  add(out, "settings", evaluation.settings);
  add(out, "volumes", evaluation.volumes);
  add(out, "methods", evaluation.methods);
  add(out, "traversals", evaluation.traversals);
  for (const DefaultTrial& trial : evaluation.own)
    for (const TrialRun& run : trial.runs)
      out += fmt::format("own,{},,,,,,,{:.4g},{:.4g},{},{}\n", quoted(trial.study),
                         trial.build_seconds, trial.bytes_per_triangle, kOwnLargestLeaf,
                         run_columns(run));
  return out;
}

}  // namespace touche
