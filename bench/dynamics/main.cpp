// SPDX-License-Identifier: Apache-2.0
// The benchmark of dynamics: a pile of convex bodies, and the same shot at thin walls. How long a
// step takes, how deep bodies are in each other, by how much energy rises, how many go through a
// wall.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "depth.h"

namespace touche::bench {
namespace {

struct Options {
  std::vector<std::string> scenes{"pile", "shot-50", "shot-200"};
  std::vector<std::string> engines;
  int steps = 600, shot_steps = 120, measure_every = 30;
  Index bodies = 1000;
  std::uint64_t seed = 1;
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
  double energy_gain = 0;  // the most that it rose above an earlier value, of what it began with
  std::size_t through = 0;
  double lost = 0;
  std::vector<double> times;  // of each step
};

struct Case {
  std::string name;
  Task task;
  int steps = 0;
  Aabb inside;  // who leaves it has gone through a wall; empty: nobody can
};

Case make_case(const std::string& name, const Options& options) {
  Case made{.name = name, .task = {}, .steps = 0, .inside = {}};
  if (name == "pile") {
    made.task.scene = scenes::pile({.bodies = options.bodies, .seed = options.seed});
    made.steps = options.steps;
    made.inside.include({-5, -5, 0});
    made.inside.include({5, 5, kInfinity});
  } else if (name.starts_with("shot-")) {
    const scenes::Shot shot = scenes::shot(
        {.bodies = options.bodies, .speed = std::stod(name.substr(5)), .seed = options.seed});
    made.task.scene = shot.scene;
    made.steps = options.shot_steps;
    made.inside.include(shot.inside_lo);
    made.inside.include(shot.inside_hi);
  } else {
    throw InvalidInput("there is no scene " + name);
  }
  for (const scenes::DynamicMesh& mesh : made.task.scene.meshes)
    made.task.mass.push_back(mass_properties(mesh.soup, made.task.scene.density));
  return made;
}

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

std::size_t outside(const Case& one, const std::vector<State>& states) {
  std::size_t count = 0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const Vec3& at = states[b].pose.translation();
    count += !one.task.scene.bodies[b].fixed && ((at.array() < one.inside.lo.array()).any() ||
                                                 (at.array() > one.inside.hi.array()).any());
  }
  return count;
}

Measured measure(const Case& one, const EngineEntry& entry, DepthMeter& meter, int every) {
  const std::unique_ptr<Engine> engine = entry.make(one.task);
  Measured made;
  std::vector<double>& times = made.times;
  double least = kInfinity, start = 0;
  for (int i = 0; i < one.steps; ++i) {
    const double before = seconds();
    engine->step();
    times.push_back(seconds() - before);
    const std::vector<State> states = engine->states();
    const double now = energy(one.task, states);
    if (i == 0) start = now;
    made.energy_gain = std::max(made.energy_gain, now - least);
    least = std::min(least, now);
    if ((i + 1) % every != 0 && i + 1 != one.steps) continue;
    const Overlap overlap = meter.measure(states);
    made.deepest = std::max(made.deepest, overlap.deepest);
    made.deepest_at_end = overlap.deepest;
    made.pairs_at_end = overlap.pairs;
    made.through = outside(one, states);
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
  made.lost = engine->lost();
  return made;
}

int run(const Options& options) {
  const std::vector<EngineEntry> all = {touche_engine(), bullet_engine(), bullet_exact_engine(),
                                        bullet_ccd_engine(), ode_engine()};
  std::ofstream out;
  if (!options.out.empty()) {
    out.open(options.out);
    out << "scene,engine,steps,mean_ms,worst_ms,rest_ms,deepest_mm,deepest_at_end_mm,pairs_at_end,"
           "energy_gain,through,lost_s\n";
  }
  std::ofstream times;
  if (!options.times.empty()) {
    times.open(options.times);
    times << "scene,engine,step,ms\n";
  }
  for (const std::string& name : options.scenes) {
    const Case one = make_case(name, options);
    DepthMeter meter(one.task);
    fmt::print(
        "{}: {} bodies, {} steps of 1/60 s\n{:<18} {:>9} {:>9} {:>9} {:>10} {:>10} {:>7} "
        "{:>9} {:>8} {:>8}\n",
        name, options.bodies, one.steps, "", "mean", "worst", "last 100", "deepest", "at end",
        "pairs", "energy", "through", "lost");
    for (const EngineEntry& entry : all) {
      if (!options.engines.empty() && std::find(options.engines.begin(), options.engines.end(),
                                                entry.name) == options.engines.end())
        continue;
      const Measured m = measure(one, entry, meter, options.measure_every);
      fmt::print(
          "{:<18} {:>6.2f} ms {:>6.1f} ms {:>6.2f} ms {:>7.2f} mm {:>7.2f} mm {:>7} {:>7.2f} % "
          "{:>8} {:>6.2f} s\n",
          entry.name, 1e3 * m.mean, 1e3 * m.worst, 1e3 * m.rest, 1e3 * m.deepest,
          1e3 * m.deepest_at_end, m.pairs_at_end, 100 * m.energy_gain, m.through, m.lost);
      std::fflush(stdout);
      for (std::size_t i = 0; i < m.times.size() && times.is_open(); ++i)
        times << fmt::format("{},\"{}\",{},{:.4g}\n", name, entry.name, i + 1, 1e3 * m.times[i]);
      if (out.is_open())
        out << fmt::format("{},\"{}\",{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{},{:.4g},{},{:.4g}\n",
                           name, entry.name, one.steps, 1e3 * m.mean, 1e3 * m.worst, 1e3 * m.rest,
                           1e3 * m.deepest, 1e3 * m.deepest_at_end, m.pairs_at_end, m.energy_gain,
                           m.through, m.lost);
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
  app.add_option("scenes", options.scenes, "pile, shot-SPEED")->capture_default_str();
  app.add_option("--engines", options.engines,
                 "Touché, Bullet, \"Bullet, no margin\", \"Bullet, CCD\", ODE (default: all)");
  app.add_option("--bodies", options.bodies)->capture_default_str();
  app.add_option("--steps", options.steps, "of the pile")->capture_default_str();
  app.add_option("--shot-steps", options.shot_steps)->capture_default_str();
  app.add_option("--measure-every", options.measure_every, "steps: depth")->capture_default_str();
  app.add_option("--seed", options.seed, "of where bodies begin")->capture_default_str();
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
