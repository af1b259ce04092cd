// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "case.h"
#include "scenes.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

constexpr int kRounds = 5;        // one thread and two by turns; the best of each counts
constexpr double kSeconds = 0.3;  // of a batch on one thread

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The questions again and again, until a batch of them takes long enough to be timed.
template <class Question, class Ask>
void measure(const std::string& name, const std::vector<Question>& questions, const Ask& ask) {
  std::vector<Question> all = questions;
  const auto seconds = [&](int threads) {
    return seconds_of([&] { (void)batch(all, ask, {.threads = threads}); });
  };
  const double times = std::ceil(kSeconds / seconds(1));
  for (int i = 1; i < times; ++i) all.insert(all.end(), questions.begin(), questions.end());
  double best[2] = {kInfinity, kInfinity};
  for (int round = 0; round < kRounds; ++round)
    for (const int threads : {1, 2})
      best[threads - 1] = std::min(best[threads - 1], seconds(threads));
  const double each = 1e6 / static_cast<double>(all.size());
  fmt::print("| {} | {} | {:.2f} µs | {:.2f} µs | ×{:.2f} |\n", name, all.size(), each * best[0],
             each * best[1], best[0] / best[1]);
}

void measure_poses(const Case& scene) {
  const Object a(scene.a), b(scene.b);
  const auto& poses = scene.placements;
  measure(scene.name + ", intersects", poses,
          [&](const PosePair& p) { return intersects(a, p.a, b, p.b); });
  measure(scene.name + ", all pairs", poses,
          [&](const PosePair& p) { return intersecting_faces(a, p.a, b, p.b); });
  measure(scene.name + ", distance", poses,
          [&](const PosePair& p) { return distance(a, p.a, b, p.b); });
}

/// All pairs of the headlamp's parts, where they stand at the start.
void measure_pairs() {
  const scenes::Scene scene = scenes::headlamp({.triangles = 200000});
  std::vector<Object> parts;
  for (const scenes::ScenePart& part : scene.parts) parts.emplace_back(part.soup, part.name);
  struct Pair {
    std::size_t i, j;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) pairs.push_back({i, j});
  const auto& at = scene.parts;
  measure("pairs of headlamp parts, intersects", pairs, [&](const Pair& p) {
    return intersects(parts[p.i], at[p.i].pose, parts[p.j], at[p.j].pose);
  });
  measure("pairs of headlamp parts, distance", pairs, [&](const Pair& p) {
    return distance(parts[p.i], at[p.i].pose, parts[p.j], at[p.j].pose);
  });
}

}  // namespace

void measure_batches() {
  fmt::print("| batch | queries | 1 thread | 2 threads | gain |\n|---|---|---|---|---|\n");
  measure_poses(bumpy_spheres(20000));
  measure_poses(bumpy_spheres(200000));
  measure_pairs();
}

}  // namespace touche::bench
