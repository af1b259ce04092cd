// SPDX-License-Identifier: Apache-2.0
// Stacks, dominoes and arches.
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <utility>

#include "dynamic_scenes.h"
#include "mesh_builder.h"
#include "pi.h"

namespace touche::scenes {
namespace {

DynamicScene on_ground(std::string title, double width) {
  DynamicScene scene{
      .title = std::move(title), .unit = "m", .density = 2500, .tolerance = 1e-4};  // stone
  scene.meshes.push_back(
      {"ground", box({-width / 2, -width / 2, -0.5}, {width / 2, width / 2, 0})});
  scene.bodies.push_back({.name = "ground", .mesh = 0, .fixed = true, .friction = 0.6});
  return scene;
}

}  // namespace

DynamicScene stack(const StackOptions& options) {
  DynamicScene scene = on_ground("A stack of boxes", 10);
  scene.duration = 5;
  scene.meshes.push_back({"box", box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})});
  for (Index i = 0; i < options.boxes; ++i)
    scene.bodies.push_back({.name = fmt::format("box {}", i + 1),
                            .mesh = 1,
                            .pose = Pose::from_translation({0, 0, 0.5 + i + (i + 1) * options.gap}),
                            .friction = 0.6});
  return scene;
}

DynamicScene dominoes(Index count) {
  const double thickness = 0.1, width = 0.4, height = 0.8, spacing = 0.4;
  DynamicScene scene = on_ground("Dominoes", 2 + spacing * count);
  scene.duration = 3;
  scene.meshes.push_back({"domino", box({-thickness / 2, -width / 2, -height / 2},
                                        {thickness / 2, width / 2, height / 2})});
  for (Index i = 0; i < count; ++i)
    scene.bodies.push_back({.name = fmt::format("domino {}", i + 1),
                            .mesh = 1,
                            .pose = Pose::from_translation(
                                {spacing * (i - 0.5 * (count - 1)), 0, 0.5 * height + 1e-3}),
                            .friction = 0.3});
  // About its lower edge, as when it is tipped with a finger.
  scene.bodies[1].angular_velocity = {0, 2, 0};
  scene.bodies[1].velocity = {height, 0, 0};
  return scene;
}

DynamicScene arch(Index wedges) {
  const double inner = 4, outer = 5, depth = 1, gap = 1e-3;
  DynamicScene scene = on_ground("An arch", 16);
  scene.duration = 5;
  const double half = 0.5 * kPi / wedges;
  // One wedge, with its axis up and its middle at the origin of the arch.
  MeshBuilder mesh;
  std::array<Ring, 2> ends;
  for (const int side : {0, 1})
    for (const auto& [radius, angle] :
         {std::pair{inner, half}, {outer, half}, {outer, -half}, {inner, -half}})
      ends[static_cast<std::size_t>(side)].push_back(
          mesh.vertex({radius * std::sin(angle), side == 0 ? 0.5 * depth : -0.5 * depth,
                       radius * std::cos(angle)}));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t next = (i + 1) % 4;
    mesh.face({ends[0][i], ends[0][next], ends[1][next], ends[1][i]});
  }
  mesh.cap_below(ends[0]);
  mesh.cap(ends[1]);
  scene.meshes.push_back({"wedge", mesh.soup()});
  // Each stands off from its neighbours, as if it had been moved outwards along its own axis.
  for (Index i = 0; i < wedges; ++i) {
    const double turn = half * (2. * i + 1 - wedges), off = gap / (2 * std::sin(half));
    const Vec3 out(std::sin(turn), 0, std::cos(turn));
    scene.bodies.push_back(
        {.name = fmt::format("wedge {}", i + 1),
         .mesh = 1,
         .pose = Pose::from_axis_angle(Vec3::UnitY(), turn, off * out + Vec3(0, 0, gap)),
         .friction = 0.6});
  }
  return scene;
}

}  // namespace touche::scenes
