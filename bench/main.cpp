// SPDX-License-Identifier: Apache-2.0
// Touché and its peers on the same queries: first which answers are right, then which library is
// fast. One thread.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numbers>
#include <string_view>

#include "anytime.h"
#include "batch.h"
#include "deforming.h"
#include "growth.h"
#include "measure.h"
#include "micro.h"
#include "peer.h"
#include "program.h"
#include "sampling.h"
#include "timing.h"
#include "touche/simd.h"
#include "workloads.h"

namespace touche::bench {
namespace {

std::vector<Case> workloads() {
  std::vector<Case> result;
  for (const scenes::NamedWorkload& named : scenes::workloads()) result.push_back(workload(named));
  return result;
}

std::vector<Case> moving_workloads() {
  std::vector<Case> result;
  for (const scenes::NamedMovingWorkload& named : scenes::moving_workloads())
    result.push_back(workload(named));
  return result;
}

struct Named {
  const char* name;
  std::vector<Case> (*make)();
};
const std::vector<Named> kCases{
    {"spheres-20k", [] { return std::vector{bumpy_spheres(20000)}; }},
    {"spheres-200k", [] { return std::vector{bumpy_spheres(200000)}; }},
    {"knots", [] { return std::vector{torus_knots()}; }},
    {"passing",
     [] {
       return std::vector{passing_spheres(0), passing_spheres(143 * std::numbers::pi / 180)};
     }},
    {"headlamp", headlamp_steps},
    {"workloads", workloads},
    {"moving", moving_workloads},
};

void compare(const std::vector<std::string>& names, const std::vector<std::string>& peer_names,
             double seconds, const std::string& machine, const std::filesystem::path& out) {
  std::vector<Result> all;
  for (const Named& named : kCases) {
    if (std::find(names.begin(), names.end(), named.name) == names.end()) continue;
    for (const Case& scene : named.make()) {
      const std::vector<Result> results = measure(scene, peer_names, seconds);
      all.insert(all.end(), results.begin(), results.end());
    }
  }
  write_csv(all, out / (machine + ".csv"));
  fmt::print(
      "{}\n×n: n times what Touché takes. Thread CPU time, best of {} repetitions. {}, {}.\n",
      table(all), kRepetitions, machine, simd_targets().front());
}

int run(int argc, char** argv) {
  // It takes its own options out of the arguments, and would answer --help with nothing but these.
  const auto is_micro = [](const char* argument) {
    return std::string_view(argument) == "--micro";
  };
  if (std::any_of(argv, argv + argc, is_micro)) benchmark::Initialize(&argc, argv);
  CLI::App app{
      "Touché and its peers on the same queries, one thread: which are right, which are fast."};
  std::vector<std::string> names;
  for (const Named& c : kCases) names.emplace_back(c.name);
  std::vector<std::string> peer_names;
  for (const Peer& peer : peers()) peer_names.push_back(peer.name);
  double seconds = 0.2;
  Index growth = 0;
  bool micro = false, deforming = false, batches = false, anytime = false, sampling = false;
  std::filesystem::path out = "bench/results";
  std::string machine = machine_name();
  app.add_option("cases", names, "which of them; default: all")->check(CLI::IsMember(names));
  app.add_option("--peers", peer_names,
                 "libraries to measure; default: all. The table is relative to Touché")
      ->delimiter(',')
      ->check(CLI::IsMember(peer_names));
  app.add_flag("--micro", micro,
               "time single operations instead; takes --benchmark_filter and its like");
  app.add_option("--growth", growth,
                 "measure how cost grows up to this many triangles instead, e.g. 10000000");
  app.add_flag("--deforming", deforming, "measure what refitting deforming meshes costs instead");
  app.add_flag("--batch", batches, "measure what a second thread gains in batches instead");
  app.add_flag("--anytime", anytime,
               "measure how much a search for the time of impact proves when it is cut short");
  app.add_flag("--sampling", sampling,
               "measure what a proof costs for a path that is recorded in ever smaller steps");
  app.add_option("--seconds", seconds, "for each of the repetitions")->capture_default_str();
  app.add_option("--out", out, "folder for <machine>.csv")->capture_default_str();
  app.add_option("--machine", machine, "name of it in the results")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  if (micro)
    run_micro();
  else if (deforming)
    measure_deforming();
  else if (batches)
    measure_batches();
  else if (anytime)
    measure_anytime(out / (machine + "-anytime.csv"));
  else if (sampling)
    measure_sampling();
  else if (growth > 0)
    measure_growth(growth, out / (machine + "-growth.csv"));
  else
    compare(names, peer_names, seconds, machine, out);
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_bench", touche::bench::run, argc, argv);
}
