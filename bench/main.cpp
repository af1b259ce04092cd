// SPDX-License-Identifier: Apache-2.0
// Touché and its peers on the same questions: first who is right, then who is fast. One thread.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "results.h"
#include "timing.h"
#include "touche/version.h"
#include "verify.h"

namespace touche::bench {
namespace {

const char* name(Question question) {
  switch (question) {
    case Question::first_hit:
      return "first hit";
    case Question::all_pairs:
      return "all pairs";
    case Question::distance:
      return "distance";
    case Question::continuous:
      return "time of impact";
  }
  return "";
}

void pass(const Case& scene, Rival& rival, Question question) {
  if (question == Question::continuous)
    for (const Sweep& s : scene.sweeps)
      benchmark::DoNotOptimize(rival.continuous(s, scene.tolerance));
  else
    for (const Placement& p : scene.placements) switch (question) {
        case Question::first_hit:
          benchmark::DoNotOptimize(rival.first_hit(p));
          break;
        case Question::all_pairs:
          benchmark::DoNotOptimize(rival.all_pairs(p, nullptr));
          break;
        default:
          benchmark::DoNotOptimize(rival.distance(p));
      }
}

double heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

struct Options {
  double seconds = 0.2;  ///< per repetition
};

/// Everything about one case: loads all peers, verifies them, times those that are right.
std::vector<Result> measure(const Case& scene, const Options& options) {
  fmt::print(stderr, "{}: {} and {} triangles\n", scene.name, scene.a.triangle_count(),
             scene.b.triangle_count());
  const double triangles = static_cast<double>(scene.a.triangle_count() + scene.b.triangle_count());
  std::vector<Result> results;
  std::vector<Loaded> rivals;
  for (const Peer& peer : peers()) {
    const double before = heap_in_use();
    rivals.push_back({&peer, peer.load(scene.a, scene.b)});
    if (peer.answers.size() == 1 && peer.can(Question::continuous)) continue;  // as its sibling
    results.push_back(
        {scene.name, "heap with mesh", peer.name, "B", (heap_in_use() - before) / triangles});
    if (const auto bytes = rivals.back().rival->hierarchy_bytes())
      results.push_back(
          {scene.name, "hierarchy", peer.name, "B", static_cast<double>(*bytes) / triangles});
  }

  const Checks checks = verify(scene, rivals);
  for (const Loaded& r : rivals) {
    if (!r.peer->answers.empty() && r.peer->answers.front() != Question::continuous)
      add_timing("build/" + r.peer->name, 2, options.seconds,
                 [&] { benchmark::DoNotOptimize(r.peer->load(scene.a, scene.b)); });
    for (const auto& [asked, check] : checks)
      if (asked.second == r.peer->name && check.right && check.asked > 0)
        add_timing(
            fmt::format("{}/{}", name(asked.first), r.peer->name),
            asked.first == Question::continuous ? scene.sweeps.size() : scene.placements.size(),
            options.seconds, [&, question = asked.first] { pass(scene, *r.rival, question); });
  }
  for (const auto& [key, timing] : run_timings()) {
    const auto slash = key.find('/');
    results.push_back(
        {scene.name, key.substr(0, slash), key.substr(slash + 1), "s", timing.cpu, timing.wall});
  }
  for (const auto& [asked, check] : checks) {
    const auto same = [&](const Result& r) {
      return r.question == name(asked.first) && r.peer == asked.second;
    };
    auto found = std::find_if(results.begin(), results.end(), same);
    if (found == results.end())
      found = results.insert(found, {scene.name, name(asked.first), asked.second, "s"});
    found->check = check.text();
    found->right = check.right;
  }
  return results;
}

struct Named {
  const char* name;
  std::vector<Case> (*make)();
};
const std::vector<Named> kCases{
    {"spheres-20k", [] { return std::vector{bumpy_spheres(20000)}; }},
    {"spheres-200k", [] { return std::vector{bumpy_spheres(200000)}; }},
    {"knots", [] { return std::vector{torus_knots()}; }},
    {"headlamp", headlamp_steps},
};

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  CLI::App app{
      "Touché and its peers on the same questions, one thread: who is right, who is fast."};
  Options options;
  std::vector<std::string> names;
  std::filesystem::path out = "bench/results";
  std::string machine = machine_name();
  for (const Named& c : kCases) names.emplace_back(c.name);
  app.add_option("cases", names, "which of " + CLI::detail::join(names) + " (default: all)")
      ->check(CLI::IsMember(names));
  app.add_option("--seconds", options.seconds, "time for each of the repetitions")
      ->capture_default_str();
  app.add_option("--out", out, "folder for <machine>.csv")->capture_default_str();
  app.add_option("--machine", machine, "its name")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  std::vector<Result> all;
  for (const Named& named : kCases)
    if (std::find(names.begin(), names.end(), named.name) != names.end())
      for (const Case& scene : named.make()) {
        const auto results = measure(scene, options);
        all.insert(all.end(), results.begin(), results.end());
      }
  write_csv(all, out / (machine + ".csv"));
  fmt::print(
      "{}\n×n: n times what Touché takes. Time of the thread, best of {} repetitions. {}, {}\n",
      table(all), kRepetitions, machine, simd_targets().front());
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  try {
    return touche::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "touche_bench: {}\n", error.what());
    return 2;
  }
}
