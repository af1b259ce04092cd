// SPDX-License-Identifier: Apache-2.0
// The benchmark of parts that follow a hand through contacts: whether they arrive, how long steps
// take, and whether the resulting paths are free of contacts, judged by other queries.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "committed_way.h"
#include "hand_scene.h"

namespace touche::bench {
namespace {

double thread_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

struct Case {
  const char* name;
  int seeds;
  double tolerance, clearance;
  std::uint64_t work;  // of a step, at most
  std::function<scenes::Scene(std::uint64_t seed)> scene;
};

std::vector<Case> cases(int nuts, int pegs, int bulbs, Index triangles, std::uint64_t nut_work) {
  const auto nut = [](std::uint64_t seed) {
    scenes::ThreadByHandOptions options;
    options.trembling.seed = seed;
    return scenes::thread_by_hand(options);
  };
  const auto peg = [](std::uint64_t seed, bool round) {
    scenes::PegByHandOptions options;
    options.peg.round = round;
    options.trembling.seed = seed;
    return scenes::peg_by_hand(options);
  };
  const auto bulb = [triangles](std::uint64_t seed, scenes::BulbByHandOptions::Lamp lamp) {
    scenes::BulbByHandOptions options;
    options.lamp = lamp;
    options.triangles = triangles;
    options.trembling.seed = seed;
    return scenes::bulb_by_hand(options);
  };
  using Lamp = scenes::BulbByHandOptions::Lamp;
  constexpr std::uint64_t kAny = Budget::kUnlimited;
  return {
      {"nut off its bolt", nuts, 5e-3, 0.01, nut_work, nut},
      {"round peg", pegs, 1e-3, 0.01, kAny, [=](std::uint64_t seed) { return peg(seed, true); }},
      {"rectangular peg", pegs, 1e-3, 0.01, kAny,
       [=](std::uint64_t seed) { return peg(seed, false); }},
      {"bulb of the main beam", bulbs, 0.01, 0.05, kAny,
       [=](std::uint64_t seed) { return bulb(seed, Lamp::main); }},
      {"bulb of the auxiliary lamp", bulbs, 0.01, 0.05, kAny,
       [=](std::uint64_t seed) { return bulb(seed, Lamp::auxiliary); }}};
}

class Bench {
 public:
  Bench(int first, int rounds, bool judge, bool each, std::FILE* steps)
      : first_(first), rounds_(rounds), judge_(judge), each_(each), steps_(steps) {
    if (steps_ != nullptr)
      fmt::print(steps_, "part,seed,step,ms,rounds,contacts,node_pairs,volume_tests,tests\n");
  }

  void print_heading() const {
    fmt::print("{:<28} {:>7} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "", "seeds", "arrived",
               "mean ms", "99 %", "worst", "rounds", "motions", "contacts");
  }

  void measure(const Case& what) const {
    std::vector<double> times;
    int arrived = 0, rounds = 0, bad = 0, motions = 0;
    for (int seed = first_; seed < first_ + what.seeds; ++seed) {
      test::HandScene scene(what.scene(static_cast<std::uint64_t>(seed)));
      Handling hand(scene.world, scene.held,
                    {.tolerance = what.tolerance,
                     .clearance = what.clearance,
                     .max_rounds = rounds_,
                     .budget = {.max_work = what.work}});
      std::optional<test::CommittedWay> way;
      if (judge_) way.emplace(scene.world, scene.held, what.clearance);
      double left = 0;
      for (const Pose& target : scene.targets) {
        const double begin = thread_milliseconds();
        const HandlingStep& step = hand.step(target);
        times.push_back(thread_milliseconds() - begin);
        if (steps_ != nullptr)
          write(what, seed, &target - scene.targets.data(), times.back(), step.stats);
        rounds += step.stats.rounds;
        motions += static_cast<int>(step.motions.size());
        left = std::abs(step.pose.translation().z() - target.translation().z());
        if (!way) continue;
        const std::string complaint = way->complaint(step);
        if (complaint.empty()) continue;
        fmt::print("  seed {}: {}\n", seed, complaint);
        ++bad;
      }
      constexpr double kThere = 0.5;
      if (left < kThere) ++arrived;
      if (each_) tell(what, times, seed - first_ + 1, arrived, rounds, motions, bad);
    }
    tell(what, times, what.seeds, arrived, rounds, motions, bad);
  }

 private:
  void write(const Case& what, int seed, std::ptrdiff_t number, double ms,
             const HandlingStats& stats) const {
    fmt::print(steps_, "{},{},{},{:.3f},{},{},{},{},{}\n", what.name, seed, number, ms,
               stats.rounds, stats.near_contacts, stats.queries.node_pairs,
               stats.queries.volume_tests, stats.queries.primitive_tests);
  }

  void tell(const Case& what, std::vector<double> times, int seeds, int arrived, int rounds,
            int motions, int bad) const {
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    double sum = 0;
    for (const double time : times) sum += time;
    const auto count = static_cast<double>(times.size());
    fmt::print("{:<28} {:>7} {:>9} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.2f} {:>8} {:>9}\n", what.name,
               seeds, arrived, sum / count, times[static_cast<std::size_t>(0.99 * (count - 1))],
               times.back(), rounds / count, motions, judge_ ? std::to_string(bad) : "not asked");
    std::fflush(stdout);
  }

  int first_, rounds_;
  bool judge_, each_;
  std::FILE* steps_;
};

int run(int argc, char** argv) {
  CLI::App app{"Parts that follow a trembling hand through contacts, 60 steps a second."};
  int nuts = 50, pegs = 200, bulbs = 3, rounds = 20, first = 1;
  Index triangles = 200'000;
  std::uint64_t nut_work = 26'000;
  bool judge = false, each = false;
  std::string steps;
  app.add_option("--nuts", nuts, "Seeds of the hand that takes a nut off")->capture_default_str();
  app.add_option("--pegs", pegs, "Scenes that put pegs in, of each shape")->capture_default_str();
  app.add_option("--bulbs", bulbs, "Scenes that draw bulbs out")->capture_default_str();
  app.add_option("--triangles", triangles, "Of the headlamp")->capture_default_str();
  app.add_option("--rounds", rounds, "At most, of each step")->capture_default_str();
  app.add_option("--nut-work", nut_work, "Of a step of the nut, at most")->capture_default_str();
  app.add_option("--first", first, "Seed")->capture_default_str();
  app.add_flag("--each", each, "Print the results so far after each seed")->capture_default_str();
  app.add_flag("--judge", judge, "Check the paths taken for contacts");
  app.add_option("--steps", steps, "A table of all steps: their times and their work");
  CLI11_PARSE(app, argc, argv);
  std::FILE* file = steps.empty() ? nullptr : std::fopen(steps.c_str(), "w");
  if (!steps.empty() && file == nullptr) throw std::runtime_error("cannot write " + steps);
  const Bench bench(first, rounds, judge, each, file);
  bench.print_heading();
  for (const Case& what : cases(nuts, pegs, bulbs, triangles, nut_work)) bench.measure(what);
  if (file != nullptr) std::fclose(file);
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  try {
    return touche::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "touche_handling_bench: {}\n", error.what());
    return 2;
  }
}
