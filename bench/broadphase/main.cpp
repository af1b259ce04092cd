// SPDX-License-Identifier: Apache-2.0
// The benchmark of broad phases: boxes that move, all pairs that overlap listed in every frame. One
// core.
#include <fmt/format.h>
#include <sched.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "measure.h"
#include "program.h"
#include "results.h"

namespace touche::bench {
namespace {

struct Options {
  std::vector<std::string> scenes, drivers;
  std::vector<std::uint32_t> bodies;
  std::vector<double> moving;  // percent
  bool rotating = false;
  Effort effort;
};

std::vector<std::string> scene_names() {
  std::vector<std::string> result;
  for (const Scene scene : kScenes) result.push_back(name(scene));
  return result;
}

// Also what libraries start in other threads stays on it.
void use_one_core() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

void print_head() {
  fmt::print("| {:9} | {:>7} | {:>8} | {:18} | {:>9} | {:>9} | {:>9} | {:>9} | {:>9} | {}\n",
             "scene", "bodies", "moving %", "driver", "mean ms", "median ms", "worst ms", "pairs",
             "bytes/box", "verified");
}

void print_line(const Setting& setting, const std::string& driver, const FrameTimes& times) {
  fmt::print("| {:9} | {:>7} | {:>8} | {:18} ", name(setting.scene), setting.bodies,
             100 * setting.share, driver);
  if (times.wrong.empty())
    fmt::print("| {:>9.4f} | {:>9.4f} | {:>9.4f} | {:>9.0f} | {:>9.0f} | yes, {} frames\n",
               1e3 * times.mean, 1e3 * times.median, 1e3 * times.worst, times.pairs, times.bytes,
               times.frames);
  else
    fmt::print("| {0:>9} | {0:>9} | {0:>9} | {0:>9} | {0:>9} | {1}\n", "–", times.wrong);
  std::fflush(stdout);
}

void add_results(std::vector<Result>& all, const Setting& setting, const std::string& driver,
                 const FrameTimes& times) {
  const std::string what =
      fmt::format("{} bodies {} % moving ", setting.bodies, 100 * setting.share);
  Result result{name(setting.scene), {}, driver, "s", 0, 0, times.wrong, times.wrong.empty()};
  const auto add = [&](const char* question, const char* unit, double value) {
    result.question = what + question;
    result.unit = unit;
    result.value = value;
    all.push_back(result);
  };
  add("mean frame", "s", times.mean);
  add("worst frame", "s", times.worst);
  add("memory", "B", times.bytes);
}

std::vector<Result> measure_all(const Options& options) {
  std::vector<Result> results;
  print_head();
  for (const Scene scene : kScenes) {
    if (std::find(options.scenes.begin(), options.scenes.end(), name(scene)) ==
        options.scenes.end())
      continue;
    for (const std::uint32_t bodies : options.bodies)
      for (const double percent : options.moving) {
        const Setting setting{scene, bodies, percent / 100, options.rotating};
        Contest contest(setting, options.effort);
        for (const NamedDriver& driver : drivers()) {
          if (bodies > driver.most) continue;
          if (std::find(options.drivers.begin(), options.drivers.end(), driver.name) ==
              options.drivers.end())
            continue;
          const FrameTimes times = contest.measure(driver);
          print_line(setting, driver.name, times);
          add_results(results, setting, driver.name, times);
        }
      }
  }
  return results;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Broad phases on boxes that move: which of them list every pair in every frame, and how "
      "fast.\n"
      "Times are CPU time of the whole process; all runs on one core."};
  Options options{
      {"sparse", "dense", "clustered", "falling"}, {}, {10'000, 100'000}, {100, 1}, false, {}};
  std::vector<std::string> driver_names;
  for (const NamedDriver& driver : drivers()) driver_names.push_back(driver.name);
  options.drivers = driver_names;
  bool everything = false, quick = false;
  std::string out;
  app.add_option("scenes", options.scenes, "Which of them")
      ->check(CLI::IsMember(scene_names()))
      ->capture_default_str();
  app.add_option("--bodies", options.bodies, "How many")->delimiter(',')->capture_default_str();
  app.add_option("--moving", options.moving, "Percent of them that move in a frame")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  app.add_option("--drivers", options.drivers, "Broad phases to measure; default: all")
      ->delimiter(',')
      ->check(CLI::IsMember(driver_names));
  app.add_flag("--rotating", options.rotating,
               "Other bodies move in every frame; otherwise always the same ones");
  app.add_flag("--all", everything,
               "All scenes, 100 to 1,000,000 bodies, 1, 10 and 100 % of them moving");
  app.add_flag("--quick", quick, "All scenes with 1,000 bodies, few frames");
  app.add_option("--frames", options.effort.frames, "Timed after ten others")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--rounds", options.effort.rounds,
                 "Of the same frames; the best time of each frame counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seconds", options.effort.seconds,
                 "After which a round ends with fewer frames, but ten at least")
      ->capture_default_str();
  app.add_option("--out", out, "File for the results, as CSV");
  CLI11_PARSE(app, argc, argv);
  if (everything) {
    options.scenes = scene_names();
    options.bodies = {100, 1000, 10'000, 100'000, 1'000'000};
    options.moving = {1, 10, 100};
  }
  if (quick) {
    options.scenes = scene_names();
    options.bodies = {1000};
    options.moving = {100, 1};
    options.effort = {20, 1, 0.1};
  }
  use_one_core();
  const std::vector<Result> results = measure_all(options);
  if (!out.empty()) write_csv(results, std::filesystem::absolute(out));
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_broadphase_bench", touche::bench::run, argc, argv);
}
