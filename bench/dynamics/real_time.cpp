// SPDX-License-Identifier: Apache-2.0
// Scenes that should run in real time: how long steps take, how much time and energy is lost, and
// whether the paths of neighbouring bodies are free, by a separate query.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "dynamic_scenes.h"
#include "touche/dynamics.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

struct Options {
  std::vector<std::string> scenes{"nut", "nut-with-friction", "chain"};
  bool each = false;
  int parts = 1, threads = 1, most_steps = 1'000'000;
};

/// Processor time of this thread if it is the only one, else time that passes.
double seconds(const Options& options) {
  timespec time{};
  clock_gettime(options.threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

scenes::DynamicScene scene_called(const std::string& name) {
  if (name == "nut") return scenes::standing_bolt();
  if (name == "nut-with-friction") return scenes::standing_bolt({.friction = 0.3});
  if (name == "chain") return scenes::chain();
  if (name == "bin") return scenes::bin();
  throw InvalidInput("there is no scene " + name);
}

struct Played {
  World world;
  std::vector<Object> objects;  // of each body
  std::vector<NodeId> nodes;
  Dynamics dynamics;

  Played(const scenes::DynamicScene& scene, int threads)
      : dynamics(world, {.tolerance = scene.tolerance,
                         .gravity = scene.gravity / metres(scene),
                         .threads = threads}) {
    std::vector<Object> meshes;
    for (const scenes::DynamicMesh& mesh : scene.meshes) meshes.emplace_back(mesh.soup, mesh.name);
    for (const scenes::DynamicBody& body : scene.bodies) {
      objects.push_back(meshes[body.mesh]);
      const NodeId node = world.add(objects.back(), body.pose, {.fixed = body.fixed});
      nodes.push_back(node);
      dynamics.set_surface(node, {.restitution = body.restitution, .friction = body.friction});
      const double unit = metres(scene);
      if (!body.fixed)
        dynamics.add(node, scene.density * unit * unit * unit,
                     {body.velocity, body.angular_velocity});
    }
    dynamics.prepare();
  }
  static double metres(const scenes::DynamicScene& scene) { return scene.unit == "mm" ? 1e-3 : 1; }

  Motion way(std::size_t body) const {
    return dynamics.is_dynamic(nodes[body]) ? dynamics.last_motion(nodes[body])
                                            : Motion::at(world.pose(nodes[body]));
  }
  bool is_free(std::size_t a, std::size_t b, double tolerance) const {
    // Bodies may be as near as that.
    for (const double share : {1e-2, 1e-5, 1e-8})
      if (time_of_impact(objects[a], way(a), objects[b], way(b), {.tolerance = share * tolerance})
              .status == ToiStatus::free)
        return true;
    return false;
  }
  /// Counts bodies that are consecutive in the scene and whose last paths are not proved free.
  int not_free(double tolerance) const {
    int count = 0;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) count += !is_free(i, i + 1, tolerance);
    return count;
  }
};

void run(const std::string& name, const Options& options) {
  scenes::DynamicScene scene = scene_called(name);
  scene.time_step /= options.parts;
  Played played(scene, options.threads);
  Dynamics& dynamics = played.dynamics;
  const double start = dynamics.kinetic_energy() + dynamics.potential_energy();
  std::vector<double> times;
  double lost = 0;
  int not_free = 0;
  const int steps =
      std::min(options.most_steps, static_cast<int>(scene.duration / scene.time_step + 0.5));
  for (int i = 0; i < steps; ++i) {
    const double before = seconds(options);
    const DynamicsResult& step = dynamics.step(scene.time_step);
    times.push_back(seconds(options) - before);
    for (const LostTime& one : step.lost) lost += one.time;
    not_free += played.not_free(scene.tolerance);
    if (options.each)
      fmt::print(
          "{:>5} {:>7.2f} ms {:>8} pairs of nodes {:>5} contacts, the last body at z {:.3f}, "
          "{:.3f} "
          "of the energy it came down by\n",
          i + 1, 1e3 * times.back(), step.stats.queries.node_pairs, step.contacts.size(),
          played.world.pose(played.nodes.back()).translation().z(),
          dynamics.kinetic_energy() / (start - dynamics.potential_energy()));
  }
  double sum = 0;
  for (const double time : times) sum += time;
  const auto beyond = std::count_if(times.begin(), times.end(),
                                    [&](double time) { return time > scene.time_step; });
  fmt::print(
      "{:<18} {:>5} steps of {:>5.2f} ms: mean {:>5.2f} ms, worst {:>6.2f} ms, {:>3} longer than a "
      "step; time lost {:.3f} s, {} paths not proved free\n",
      name, steps, 1e3 * scene.time_step, 1e3 * sum / steps,
      1e3 * *std::max_element(times.begin(), times.end()), beyond, lost, not_free);
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  using namespace touche::bench;
  Options options;
  CLI::App app("Scenes of threads and links: time per step.");
  app.add_option("scenes", options.scenes, "nut, nut-with-friction, chain, bin")
      ->capture_default_str();
  app.add_flag("--each", options.each, "print each step");
  app.add_option("--parts", options.parts, "of each of the scene's steps")->capture_default_str();
  app.add_option("--threads", options.threads, "1: report processor time, else elapsed time")
      ->capture_default_str();
  app.add_option("--steps", options.most_steps, "most steps of a scene");
  CLI11_PARSE(app, argc, argv);
  try {
    for (const std::string& name : options.scenes) run(name, options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
