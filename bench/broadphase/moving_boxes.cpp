// SPDX-License-Identifier: Apache-2.0
// Bodies that move for a whole step: how many pairs remain after comparing their swept boxes, how
// many of these after comparing linearly moving boxes, and at what cost.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "program.h"
#include "touche/broadphase.h"
#include "touche/motion.h"

namespace touche::bench {
namespace {

struct Body {
  Aabb box;  // its own coordinates
  Motion motion;
};

// All bodies of a world, which lie in a cube of the given edge so that each has as much room as a
// cube of edge 4.
struct World {
  std::string name;
  std::function<Body(base::Random&, double edge)> body;
};

constexpr double kFast = 20;  // displacement of a fast body of size 1

Aabb cube() { return {Vec3::Constant(-0.5), Vec3::Constant(0.5)}; }

Pose anywhere(base::Random& random, double edge) {
  const Vec3 axis = random.direction(), place = random.in_box(0.5 * edge);
  return Pose::from_axis_angle(axis, random.uniform(-3, 3), place);
}

Body going(const Pose& start, const Vec3& way, const Aabb& box = cube()) {
  return {box, Motion::interpolated(start, Pose::from_translation(way) * start)};
}

std::array<World, 7> worlds() {
  using std::numbers::pi;
  return {{
      {"slow walk",
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         return going(start, 0.1 * random.direction());
       }},
      {"fast, one direction",
       [](base::Random& random, double edge) {
         return going(anywhere(random, edge), Vec3(1, 1, 1).normalized() * kFast);
       }},
      {"fast, two directions",
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         return going(start, Vec3::UnitX() * (random.uniform() < 0.5 ? -kFast : kFast));
       }},
      {"fast, all directions",
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         return going(start, random.direction() * kFast);
       }},
      {"fast, spinning",
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         const Vec3 axis = random.direction();
         return Body{cube(), Motion::screw(start, start.translation(), axis, 30, kFast)};
       }},
      {"turning rods",
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         const Vec3 axis = random.direction();
         return Body{{{-4, -0.1, -0.1}, {4, 0.1, 0.1}},
                     Motion::screw(start, start.translation(), axis, pi / 3, 0)};
       }},
      {"carousel",  // a quarter of a turn about an axis far from most
       [](base::Random& random, double edge) {
         const Pose start = anywhere(random, edge);
         return Body{cube(), Motion::screw(start, Vec3::Zero(), Vec3::UnitZ(), pi / 2, 0)};
       }},
  }};
}

// Seconds that the fastest of several calls took.
template <class Work>
double seconds(const Work& work) {
  double best = kInfinity;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Pairs whose boxes overlap at one of many times: no filter of boxes along these axes can leave
// fewer.
std::size_t overlap_sometimes(const std::vector<Body>& bodies, std::span<const BoxPair> pairs) {
  constexpr int kTimes = 200;
  std::vector<std::array<Aabb, kTimes + 1>> boxes(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (int k = 0; k <= kTimes; ++k) {
      const Pose pose = bodies[i].motion.pose(static_cast<double>(k) / kTimes);
      boxes[i][k] = Motion::at(pose).swept_box(bodies[i].box);
    }
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const BoxPair& pair) {
        for (int k = 0; k <= kTimes; ++k) {
          const Aabb &a = boxes[pair.a][k], &b = boxes[pair.b][k];
          if ((a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all())
            return true;
        }
        return false;
      }));
}

void measure(const World& world, int count) {
  base::Random random(7);
  const double edge = 4 * std::cbrt(count);
  std::vector<Body> bodies;
  for (int i = 0; i < count; ++i) bodies.push_back(world.body(random, edge));

  std::vector<Aabb> swept(bodies.size());
  const double sweeping = seconds([&] {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      swept[i] = bodies[i].motion.swept_box(bodies[i].box);
  });
  std::vector<MovingBox> moving(bodies.size());
  const double following = seconds([&] {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      moving[i] = bodies[i].motion.moving_box(bodies[i].box);
  });
  const auto boxes = make_broad_phase();
  for (const Aabb& box : swept) boxes->insert(box);
  const std::span<const BoxPair> pairs = boxes->pairs();
  std::size_t left = 0;
  const double comparing = seconds([&] {
    left = 0;
    for (const BoxPair& pair : pairs)
      left += overlap_time(moving[pair.a], moving[pair.b]).has_value();
  });
  const double share = static_cast<double>(count);
  const auto removed = static_cast<double>(pairs.size() - left);
  fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {:.1f} | {} |\n", world.name,
             static_cast<double>(pairs.size()) / share, static_cast<double>(left) / share,
             static_cast<double>(overlap_sometimes(bodies, pairs)) / share, 1e9 * sweeping / share,
             1e9 * following / share, 1e9 * comparing / static_cast<double>(pairs.size()),
             removed > 0 ? fmt::format("{:.0f}", 1e9 * (following + comparing) / removed) : "–");
}

int run(int argc, char** argv) {
  CLI::App app{
      "Bodies that move for a whole step: what boxes that move evenly save where swept boxes "
      "overlap."};
  int count = 10'000;
  app.add_option("--bodies", count, "How many")->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  fmt::print(
      "| world | pairs a body, swept | moving | any boxes | `swept_box`, ns | `moving_box`, ns | "
      "`overlap_time`, ns | ns a pair removed |\n|---|---|---|---|---|---|---|---|\n");
  for (const World& world : worlds()) measure(world, count);
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_moving_boxes_bench", touche::bench::run, argc, argv);
}
