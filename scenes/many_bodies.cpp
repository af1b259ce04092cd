// SPDX-License-Identifier: Apache-2.0
// A thousand balls that fall, or are shot at walls.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <map>

#include "dynamic_scenes.h"
#include "mesh_builder.h"
#include "random.h"

namespace touche::scenes {
namespace {

Pose turned(Random& random, const Vec3& at) {
  std::array<double, 4> q;
  for (double& x : q) x = random.uniform(-1, 1);
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (length < 1e-3) return Pose::from_translation(at);
  return Pose::from_quaternion(q[0] / length, q[1] / length, q[2] / length, q[3] / length, at);
}

DynamicScene balls(const std::string& title) {
  // 600 steps
  DynamicScene scene{
      .title = title, .unit = "m", .density = 1000, .duration = 10, .tolerance = 1e-3};
  scene.meshes.push_back({"ball", ball42()});
  return scene;
}

void add_wall(DynamicScene& scene, const std::string& name, const Vec3& lo, const Vec3& hi) {
  const Vec3 half = (hi - lo) / 2;
  scene.bodies.push_back({.name = name,
                          .mesh = scene.meshes.size(),
                          .pose = Pose::from_translation((lo + hi) / 2),
                          .fixed = true,
                          .friction = 0.5});
  scene.meshes.push_back({name, box(-half, half)});
}

}  // namespace

PolygonSoup ball42() {
  const double golden = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vec3> points;
  for (const double a : {-1., 1.})
    for (const double b : {-golden, golden})
      for (int k = 0; k < 3; ++k) {
        Vec3 p = Vec3::Zero();
        p[k] = a;
        p[(k + 1) % 3] = b;
        points.push_back(p);
      }
  MeshBuilder mesh;
  for (const Vec3& p : points) mesh.vertex(0.5 * p.normalized());
  std::map<std::pair<Index, Index>, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [found, is_new] = middles.try_emplace(std::minmax(a, b), 0);
    if (is_new) found->second = mesh.vertex(0.5 * (points[a] + points[b]).normalized());
    return found->second;
  };
  // Faces of the icosahedron: three corners that are 2 apart each, seen from outside.
  for (Index a = 0; a < 12; ++a)
    for (Index b = a + 1; b < 12; ++b)
      for (Index c = b + 1; c < 12; ++c) {
        const auto far = [&](Index i, Index j) { return (points[i] - points[j]).norm() > 2.1; };
        if (far(a, b) || far(b, c) || far(a, c)) continue;
        const bool out = points[a].dot((points[b] - points[a]).cross(points[c] - points[a])) > 0;
        const Index p = a, q = out ? b : c, r = out ? c : b;
        const Index pq = middle(p, q), qr = middle(q, r), rp = middle(r, p);
        for (const auto& t : {std::array{p, pq, rp}, {pq, q, qr}, {rp, qr, r}, {pq, qr, rp}})
          mesh.face({t[0], t[1], t[2]});
      }
  return mesh.soup();
}

DynamicScene pile(const PileOptions& options) {
  DynamicScene scene = balls("A pile");
  Random random(options.seed);
  const double height = 40;
  add_wall(scene, "floor", {-6, -6, -1}, {6, 6, 0});
  add_wall(scene, "wall -x", {-6, -6, 0}, {-5, 6, height});
  add_wall(scene, "wall +x", {5, -6, 0}, {6, 6, height});
  add_wall(scene, "wall -y", {-5, -6, 0}, {5, -5, height});
  add_wall(scene, "wall +y", {-5, 5, 0}, {5, 6, height});
  for (Index i = 0; i < options.bodies; ++i) {
    const Index column = i % 8, row = i / 8 % 8, layer = i / 64;
    Vec3 at(1.2 * column - 4.2, 1.2 * row - 4.2, 1.2 * layer + 1);
    for (int k = 0; k < 3; ++k) at[k] += random.uniform(-0.09, 0.09);
    const Pose pose = turned(random, at);
    scene.bodies.push_back(
        {.name = fmt::format("ball {}", i + 1), .mesh = 0, .pose = pose, .friction = 0.5});
  }
  return scene;
}

Shot shot(const ShotOptions& options) {
  const double w = options.wall;
  const Vec3 lo(0, -7, 0), hi(30, 7, 14);
  Shot made{balls(fmt::format("Shot at {} m/s at walls of {} m", options.speed, w)), lo, hi};
  DynamicScene& scene = made.scene;
  Random random(options.seed);
  scene.duration = 2;
  for (int k = 0; k < 3; ++k)
    for (const bool upper : {false, true}) {
      // Walls across x fill the chamber's whole end, the others what is left.
      Vec3 from = lo, to = hi;
      for (int j = k + 1; j < 3; ++j) {
        from[j] -= w;
        to[j] += w;
      }
      (upper ? from : to)[k] = (upper ? hi : lo)[k];
      (upper ? to : from)[k] = upper ? hi[k] + w : lo[k] - w;
      add_wall(scene, fmt::format("wall {}{}", upper ? '+' : '-', "xyz"[k]), from, to);
    }
  for (Index i = 0; i < options.bodies; ++i) {
    const Index column = i % 10, row = i / 10 % 10, layer = i / 100;
    Vec3 at(1.2 * layer + 1, 1.2 * column - 5.4, 1.2 * row + 1.6);
    for (int k = 0; k < 3; ++k) at[k] += random.uniform(-0.09, 0.09);
    const Pose pose = turned(random, at);
    scene.bodies.push_back({.name = fmt::format("ball {}", i + 1),
                            .mesh = 0,
                            .pose = pose,
                            .friction = 0.5,
                            .velocity = {options.speed, 0, 0}});
  }
  return made;
}

}  // namespace touche::scenes
