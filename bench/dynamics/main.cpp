// SPDX-License-Identifier: Apache-2.0
// The benchmark of dynamics: how long a step takes, how deep bodies are in each other, by how much
// energy is wrong, and how many went through a wall or fell, of scenes that all engines can do.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "cases.h"
#include "depth.h"

namespace touche::bench {
namespace {

struct Options {
  std::vector<std::string> scenes{"pile", "shot-50",   "shot-200",  "stack",  "dominoes",
                                  "arch", "billiards", "pendulums", "folding"};
  std::vector<std::string> engines;
  CaseOptions cases;
  bool list = false;
  std::string out, times;
};

/// Processor time of this process.
double seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Measured {
  double mean = 0, worst = 0, rest = 0;  // seconds a step; rest: mean of the last 100
  double deepest = 0, deepest_at_end = 0;
  std::size_t pairs_at_end = 0;
  // Shares of what it began with: the most that it rose above an earlier value, and, where nothing
  // takes any, the most that it differed from the start.
  double energy_gain = 0, energy_error = 0;
  double joint_drift = 0;  // the farthest that points of a joint came apart
  std::size_t counted = 0;
  double lost = 0;
  std::vector<double> times;  // of each step
};

double energy(const Task& task, const std::vector<State>& states) {
  double sum = 0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    if (task.scene.bodies[b].fixed) continue;
    const MassProperties& mass = task.mass[task.scene.bodies[b].mesh];
    const Mat3 turn = states[b].pose.matrix();
    const Vec3 spin = turn.transpose() * states[b].spin;
    sum += 0.5 * mass.mass * states[b].velocity.squaredNorm() +
           0.5 * spin.dot(mass.inertia * spin) -
           mass.mass * task.scene.gravity.dot(states[b].pose.translation());
  }
  return sum;
}

std::size_t count(const Case& one, const std::vector<State>& states) {
  std::size_t count = 0;
  for (std::size_t b = 0; b < states.size() && one.counts; ++b)
    count += !one.task.scene.bodies[b].fixed && one.counts(one, b, states[b]);
  return count;
}

double joint_drift(const Task& task, const std::vector<State>& states) {
  double most = 0;
  for (const scenes::DynamicHinge& hinge : task.scene.hinges) {
    const auto now = [&](std::size_t body) -> Vec3 {
      return states[body].pose * (task.scene.bodies[body].pose.inverse() * hinge.point);
    };
    most = std::max(most, (now(hinge.body) - (hinge.to ? now(*hinge.to) : hinge.point)).norm());
  }
  return most;
}

Measured measure(const Case& one, const EngineEntry& entry, DepthMeter& meter) {
  const std::unique_ptr<Engine> engine = entry.make(one.task);
  Measured made;
  std::vector<double>& times = made.times;
  const auto energy_now = [&] { return energy(one.task, engine->states()) - one.energy_zero; };
  const double start = energy_now();
  double least = start;
  for (int i = 0; i < one.steps; ++i) {
    const double before = seconds();
    engine->step();
    times.push_back(seconds() - before);
    const std::vector<State> states = engine->states();
    const double now = energy_now();
    made.energy_gain = std::max(made.energy_gain, now - least);
    least = std::min(least, now);
    if (one.conservative) made.energy_error = std::max(made.energy_error, std::abs(now - start));
    made.joint_drift = std::max(made.joint_drift, joint_drift(one.task, states));
    if ((i + 1) % one.measure_every != 0 && i + 1 != one.steps) continue;
    const Overlap overlap = meter.measure(states);
    made.deepest = std::max(made.deepest, overlap.deepest);
    made.deepest_at_end = overlap.deepest;
    made.pairs_at_end = overlap.pairs;
    made.counted = count(one, states);
  }
  const auto mean = [](auto begin, auto end) {
    double sum = 0;
    for (auto t = begin; t != end; ++t) sum += *t;
    return sum / static_cast<double>(end - begin);
  };
  made.mean = mean(times.begin(), times.end());
  made.worst = *std::max_element(times.begin(), times.end());
  made.rest = mean(times.end() - std::min<std::ptrdiff_t>(100, one.steps), times.end());
  made.energy_gain /= std::abs(start);
  made.energy_error /= std::abs(start);
  made.lost = engine->lost();
  return made;
}

int list() {
  for (const CaseName& one : case_names()) fmt::print("{:<12} {}\n", one.name, one.about);
  return 0;
}

int run(const Options& options) {
  if (options.list) return list();
  const std::vector<EngineEntry> all = {touche_engine(), bullet_engine(), bullet_exact_engine(),
                                        bullet_ccd_engine(), ode_engine()};
  std::ofstream out;
  if (!options.out.empty()) {
    out.open(options.out);
    out << "scene,engine,steps,mean_ms,worst_ms,rest_ms,deepest_mm,deepest_at_end_mm,pairs_at_end,"
           "energy_gain,energy_error,joint_drift_mm,counted,lost_s\n";
  }
  std::ofstream times;
  if (!options.times.empty()) {
    times.open(options.times);
    times << "scene,engine,step,ms\n";
  }
  for (const std::string& name : options.scenes) {
    const Case one = make_case(name, options.cases);
    DepthMeter meter(one.task);
    fmt::print(
        "{}: {} bodies, {} steps of 1/60 s\n{:<18} {:>9} {:>9} {:>9} {:>10} {:>10} {:>6} {:>9} "
        "{:>9} {:>9} {:>8} {:>8}\n",
        name, one.task.scene.bodies.size(), one.steps, "", "mean", "worst", "last 100", "deepest",
        "at end", "pairs", "gain", "error", "joints", one.counted, "lost");
    for (const EngineEntry& entry : all) {
      if (!options.engines.empty() && std::find(options.engines.begin(), options.engines.end(),
                                                entry.name) == options.engines.end())
        continue;
      const Measured m = measure(one, entry, meter);
      fmt::print(
          "{:<18} {:>6.3g} ms {:>6.3g} ms {:>6.3g} ms {:>7.2f} mm {:>7.2f} mm {:>6} {:>7.2g} % "
          "{:>7.2g} % {:>6.2g} mm {:>8} {:>6.2f} s\n",
          entry.name, 1e3 * m.mean, 1e3 * m.worst, 1e3 * m.rest, 1e3 * m.deepest,
          1e3 * m.deepest_at_end, m.pairs_at_end, 100 * m.energy_gain, 100 * m.energy_error,
          1e3 * m.joint_drift, m.counted, m.lost);
      std::fflush(stdout);
      for (std::size_t i = 0; i < m.times.size() && times.is_open(); ++i)
        times << fmt::format("{},\"{}\",{},{:.4g}\n", name, entry.name, i + 1, 1e3 * m.times[i]);
      if (out.is_open())
        out << fmt::format(
            "{},\"{}\",{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{},{:.4g},{:.4g},{:.4g},{},{:.4g}\n",
            name, entry.name, one.steps, 1e3 * m.mean, 1e3 * m.worst, 1e3 * m.rest, 1e3 * m.deepest,
            1e3 * m.deepest_at_end, m.pairs_at_end, m.energy_gain, m.energy_error,
            1e3 * m.joint_drift, m.counted, m.lost);
    }
  }
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  using namespace touche::bench;
  Options options;
  CLI::App app("Dynamics of Touché and its peers: time, depth, energy, tunnelling.");
  app.add_option("scenes", options.scenes, "See --list")->capture_default_str();
  app.add_flag("--list", options.list, "What scenes there are");
  app.add_option("--engines", options.engines,
                 "Touché, Bullet, \"Bullet, no margin\", \"Bullet, CCD\", ODE (default: all)");
  app.add_option("--bodies", options.cases.bodies, "of pile and shots")->capture_default_str();
  app.add_option("--steps", options.cases.steps, "of the pile")->capture_default_str();
  app.add_option("--shot-steps", options.cases.shot_steps)->capture_default_str();
  app.add_option("--measure-every", options.cases.measure_every,
                 "steps: depth in pile and shots, else after each")
      ->capture_default_str();
  app.add_option("--seed", options.cases.seed, "of where bodies begin")->capture_default_str();
  app.add_option("--out", options.out, "CSV file");
  app.add_option("--times", options.times, "CSV file: how long each step took");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
