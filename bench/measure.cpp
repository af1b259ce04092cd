// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>

#include "timing.h"
#include "verify.h"

namespace touche::bench {
namespace {

constexpr double kOnceIsEnough = 2;  // seconds; longer passes are not repeated

const char* name(Question question) {
  switch (question) {
    case Question::intersects:
      return "intersects";
    case Question::all_pairs:
      return "all pairs";
    case Question::distance:
      return "distance";
    case Question::continuous:
      break;
  }
  return "time of impact";
}

void pass(const Case& scene, Rival& rival, Question question) {
  if (question == Question::continuous)
    for (const Sweep& s : scene.sweeps)
      benchmark::DoNotOptimize(rival.continuous(s, scene.tolerance));
  for (const PosePair& p : scene.placements) {
    if (question == Question::intersects) benchmark::DoNotOptimize(rival.intersects(p));
    if (question == Question::all_pairs) benchmark::DoNotOptimize(rival.all_pairs(p, nullptr));
    if (question == Question::distance) benchmark::DoNotOptimize(rival.distance(p));
  }
}

double heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

/// A peer that is another way to use one that is there already: its hierarchy is the same.
bool is_variant(const Peer& peer) { return !peer.can(Question::intersects); }

std::vector<Loaded> load(const Case& scene, const std::vector<std::string>& names,
                         std::vector<Result>& results) {
  const double triangles = static_cast<double>(scene.a.triangle_count() + scene.b.triangle_count());
  std::vector<Loaded> rivals;
  for (const Peer& peer : peers()) {
    if (peer.name == scene.without) continue;
    if (std::find(names.begin(), names.end(), peer.name) == names.end()) continue;
    const double before = heap_in_use();
    rivals.push_back({&peer, peer.load(scene.a, scene.b)});
    if (is_variant(peer)) continue;
    const double bytes = heap_in_use() - before;
    results.push_back({scene.name, "heap with mesh", peer.name, "B", bytes / triangles});
    if (const auto hierarchy = rivals.back().rival->hierarchy_bytes())
      results.push_back(
          {scene.name, "hierarchy", peer.name, "B", static_cast<double>(*hierarchy) / triangles});
  }
  return rivals;
}

}  // namespace

std::vector<Result> measure(const Case& scene, const std::vector<std::string>& names,
                            double seconds) {
  fmt::print(stderr, "{}: {} and {} triangles\n", scene.name, scene.a.triangle_count(),
             scene.b.triangle_count());
  std::vector<Result> results;
  const std::vector<Loaded> rivals = load(scene, names, results);
  for (const Loaded& r : rivals)
    if (!is_variant(*r.peer)) {
      results.push_back({scene.name, "build", r.peer->name, "s"});
      add_timing("build/" + r.peer->name, 2, seconds,
                 [&] { benchmark::DoNotOptimize(r.peer->load(scene.a, scene.b)); });
    }
  for (const auto& [asked, check] : verify(scene, rivals)) {
    if (check.asked == 0) continue;
    const auto& [question, peer] = asked;
    Result& result = results.emplace_back(Result{scene.name, name(question), peer, "s"});
    result.check = check.text();
    result.right = check.right;
    if (!check.right) continue;
    const std::size_t queries =
        question == Question::continuous ? scene.sweeps.size() : scene.placements.size();
    if (check.seconds > kOnceIsEnough) {
      result.value = result.wall = check.seconds / static_cast<double>(check.answers);
      continue;
    }
    const auto has_name = [&](const Loaded& r) { return r.peer->name == asked.second; };
    Rival& rival = *std::find_if(rivals.begin(), rivals.end(), has_name)->rival;
    add_timing(fmt::format("{}/{}", name(question), peer), queries, seconds,
               [&scene, &rival, q = question] { pass(scene, rival, q); });
  }
  const auto timings = run_timings();
  for (Result& r : results)
    if (const auto timing = timings.find(r.question + "/" + r.peer); timing != timings.end()) {
      r.value = timing->second.cpu;
      r.wall = timing->second.wall;
    }
  return results;
}

}  // namespace touche::bench
