// SPDX-License-Identifier: Apache-2.0
#include "deforming.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deforming_scenes.h"
#include "random.h"
#include "shapes.h"
#include "timing.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

const BuildOptions kOneThread{.threads = 1};

/// Milliseconds of the thread's CPU time; the best of the repetitions.
double timed(const std::function<void()>& work) {
  double best = kInfinity;
  for (int i = 0; i < kRepetitions; ++i) {
    const double before = thread_seconds();
    work();
    best = std::min(best, 1e3 * (thread_seconds() - before));
  }
  return best;
}

/// Milliseconds for each question, and the pairs of nodes they open together.
struct Cost {
  double intersects = 0, all_pairs = 0, distance = 0;
  double pairs = 0;

  double sum() const { return intersects + all_pairs + distance; }
  Cost& operator+=(const Cost& o) {
    intersects += o.intersects;
    all_pairs += o.all_pairs;
    distance += o.distance;
    pairs += o.pairs;
    return *this;
  }
};

Cost ask(const Object& part, const Object& obstacle, const Pose& pose) {
  Cost cost;
  QueryStats stats;
  cost.intersects = timed([&] { stats = intersects(part, {}, obstacle, pose).stats; });
  cost.pairs += static_cast<double>(stats.node_pairs);
  cost.all_pairs = timed([&] { stats = intersecting_faces(part, {}, obstacle, pose).stats; });
  cost.pairs += static_cast<double>(stats.node_pairs);
  cost.distance = timed([&] { stats = distance(part, {}, obstacle, pose).stats; });
  cost.pairs += static_cast<double>(stats.node_pairs);
  return cost;
}

/// Means over the steps.
struct Measured {
  double build = 0, refit = 0, area_ratio = 0;
  Cost refitted, rebuilt;
};

/// Refits to each step's vertices, rebuilds from them, and queries both at each pose.
Measured measure(const PolygonSoup& rest, const Object& obstacle,
                 const std::vector<std::vector<double>>& steps, const std::vector<Pose>& poses) {
  Measured all;
  Object part(rest, {}, kOneThread);
  for (const std::vector<double>& vertices : steps) {
    all.refit += timed([&] { part.refit(vertices, kOneThread); });
    std::optional<Object> anew;
    all.build += timed([&] { anew.emplace(part.soup(), std::string(), kOneThread); });
    all.area_ratio = std::max(all.area_ratio, part.area_ratio());
    for (const Pose& pose : poses) {
      all.refitted += ask(part, obstacle, pose);
      all.rebuilt += ask(*anew, obstacle, pose);
    }
  }
  const auto count = static_cast<double>(steps.size());
  all.refit /= count;
  all.build /= count;
  for (Cost* cost : {&all.refitted, &all.rebuilt}) {
    const double each = 1 / (count * static_cast<double>(poses.size()));
    *cost = {each * cost->intersects, each * cost->all_pairs, each * cost->distance,
             each * cost->pairs};
  }
  return all;
}

void measure_scenes() {
  constexpr int kSteps = 16;
  fmt::print(
      "| scene | triangles | build | refit | area ratio | intersects | all pairs | distance |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const Index triangles : {2000u, 20000u, 200000u})
    for (const auto& scene :
         {scenes::cloth_and_ball(triangles), scenes::hose_and_housing(triangles)}) {
      std::vector<std::vector<double>> steps;
      for (int i = 0; i < kSteps; ++i) steps.push_back(scene.vertices((i + 0.5) / kSteps));
      const Object obstacle(scene.obstacle, {}, kOneThread);
      const Measured m = measure(scene.rest, obstacle, steps, {Pose()});
      const Cost &a = m.refitted, &b = m.rebuilt;
      fmt::print(
          "| {} | {} | {:.2f} ms | {:.2f} ms | {:.2f} | {:.1f} / {:.1f} µs | {:.0f} / {:.0f} µs | "
          "{:.0f} / {:.0f} µs |\n",
          scene.title, scene.rest.triangle_count(), m.build, m.refit, m.area_ratio,
          1e3 * a.intersects, 1e3 * b.intersects, 1e3 * a.all_pairs, 1e3 * b.all_pairs,
          1e3 * a.distance, 1e3 * b.distance);
    }
}

/// A deformation of any strength.
struct Deformation {
  const char* name;
  PolygonSoup rest;
  std::function<std::vector<double>(double)> vertices;
  std::vector<double> strengths;
};

Deformation scattering(Index faces) {
  const PolygonSoup soup = scenes::random_soup(1, {.faces = faces, .face_size = 0.03});
  std::vector<Vec3> ways;
  scenes::Random random(2);
  for (Index f = 0; f < faces; ++f) ways.push_back(random.direction());
  const auto vertices = [=](double strength) {
    std::vector<double> all(3 * soup.vertex_count());
    for (Index f = 0; f < faces; ++f)
      for (const Index v : soup.face(f))
        for (std::size_t k = 0; k < 3; ++k)
          all[3 * v + k] = soup.vertex(v)[k] + strength * ways[f][k];
    return all;
  };
  return {"scattering soup", soup, vertices, {0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8}};
}

Deformation stretching(Index triangles) {
  const PolygonSoup soup = scenes::bumpy_sphere(triangles, 1);
  const auto vertices = [=](double strength) {
    std::vector<double> all;
    for (const Vec3& v : soup.vertices()) all.insert(all.end(), {v.x() * strength, v.y(), v.z()});
    return all;
  };
  return {"stretched sphere", soup, vertices, {1, 2, 4, 8, 16, 32}};
}

void measure_threshold() {
  fmt::print(
      "\n| deformation | strength | area ratio | pairs of nodes, refitted / rebuilt | time | "
      "rebuilding pays after |\n|---|---|---|---|---|---|\n");
  const Object obstacle(scenes::bumpy_sphere(20000, 3), {}, kOneThread);
  scenes::Random random(4);
  std::vector<Pose> poses;
  for (int i = 0; i < 20; ++i)
    poses.push_back(Pose::from_axis_angle(random.direction(), random.uniform(0, 3),
                                          random.uniform(0.5, 3) * random.direction()));
  for (const Deformation& d : {scattering(20000), stretching(20000)})
    for (const double strength : d.strengths) {
      const Measured m = measure(d.rest, obstacle, {d.vertices(strength)}, poses);
      const double saved = m.refitted.sum() - m.rebuilt.sum();
      fmt::print("| {} | {} | {:.2f} | {:.0f} / {:.0f} = {:.2f} | {:.2f} | {} |\n", d.name,
                 strength, m.area_ratio, m.refitted.pairs, m.rebuilt.pairs,
                 m.refitted.pairs / m.rebuilt.pairs, m.refitted.sum() / m.rebuilt.sum(),
                 saved > 0 ? fmt::format("{:.0f} × 3 queries", m.build / saved) : "–");
    }
}

}  // namespace

void measure_deforming() {
  measure_scenes();
  measure_threshold();
}

}  // namespace touche::bench
