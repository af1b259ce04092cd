// SPDX-License-Identifier: Apache-2.0
// Nuts, bolts and chains under gravity.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "dynamic_scenes.h"
#include "mesh_builder.h"
#include "pi.h"
#include "random.h"

namespace touche::scenes {
namespace {

// An open box about the z axis whose inside is `width` wide and deep, with its floor at z = 0.
PolygonSoup open_box(double width, double height, double wall) {
  const double in = 0.5 * width, out = in + wall;
  const std::array<Vec2, 6> profile = {Vec2(0, -wall),   Vec2(out, -wall), Vec2(out, height),
                                       Vec2(in, height), Vec2(in, 0),      Vec2(0, 0)};
  MeshBuilder mesh;
  mesh.loft(profile, 4, [](Index i) { return Vec2(i == 0 || i == 3 ? 1 : -1, i < 2 ? 1 : -1); });
  return mesh.soup();
}

}  // namespace

DynamicScene standing_bolt(const StandingBoltOptions& options) {
  // Without spare turns two are left below the nut.
  const double spare = std::max(0., std::ceil(options.turns_left - 2));
  const Scene parts = nut_and_bolt({.size = options.size,
                                    .segments = options.segments,
                                    .spare_turns = spare,
                                    .poses_per_turn = 0});
  const double pitch = std::get<ScrewMotion>(parts.groups[0].motion).pitch;
  DynamicScene scene;
  scene.title = options.friction > 0 ? "A nut stays on its bolt" : "A nut spins down its bolt";
  scene.duration = 2;
  scene.meshes = {{"bolt", parts.parts[0].soup}, {"nut", parts.parts[1].soup}};
  const Vec3 up(0, 0, spare * pitch);
  scene.bodies = {{.name = "bolt", .mesh = 0, .fixed = true, .friction = options.friction},
                  {.name = "nut",
                   .mesh = 1,
                   .pose = Pose::from_translation(up) * parts.parts[1].pose,
                   .friction = options.friction}};
  return scene;
}

DynamicScene chain(const ChainOptions& options) {
  const double ring = 10, tube = 2.5, gap = 0.1;
  DynamicScene scene;
  scene.title = fmt::format("A chain of {} tori swings", options.links);
  scene.duration = 3;
  // Links turn on each other by more than their facets in a longer step, and would stand still.
  scene.time_step = 1. / 240;
  scene.meshes.push_back({"link", torus(ring, tube, options.around, options.tube)});
  const double spacing = 2 * (ring - tube) - gap;
  // Its x axis leads up the chain.
  const Pose tilt =
      Pose::from_axis_angle(Vec3::UnitY(), -(0.5 * kPi - options.angle), Vec3::Zero());
  for (Index i = 0; i < options.links; ++i) {
    // Every other link stands across the one before.
    const Pose turn =
        Pose::from_axis_angle(Vec3::UnitX(), i % 2 == 0 ? 0 : 0.5 * kPi, Vec3::Zero());
    const Vec3 at = -(spacing * i) * Vec3::UnitX();
    scene.bodies.push_back({.name = fmt::format("link {}", i + 1),
                            .mesh = 0,
                            .pose = tilt * Pose::from_translation(at) * turn,
                            .fixed = i == 0,
                            .friction = options.friction});
  }
  return scene;
}

DynamicScene bin(const BinOptions& options) {
  const Scene parts =
      nut_and_bolt({.size = "M8", .segments = options.segments, .poses_per_turn = 0});
  DynamicScene scene;
  scene.title = fmt::format("{} nuts and bolts fall into a bin", options.pieces);
  scene.duration = 3;
  // Small parts turn by up to a radian in a longer step, and would wait for each other.
  scene.time_step = 1. / 240;
  const double width = 200, cell = 32;
  scene.meshes = {{"bin", open_box(width, 150, 10)},
                  {"bolt", parts.parts[0].soup},
                  {"nut", parts.parts[1].soup}};
  scene.bodies.push_back({.name = "bin", .mesh = 0, .fixed = true, .friction = 0.2});
  Random random(options.seed);
  for (Index i = 0; i < options.pieces; ++i) {
    const std::size_t mesh = 1 + i % 2;
    const Index column = i % 6, row = i / 6 % 6, layer = i / 36;
    const Vec3 at(cell * (column - 2.5), cell * (row - 2.5), cell * (layer + 1));
    const Vec3 axis = random.direction();
    const double angle = random.uniform(0, kPi);
    const Pose turn = Pose::from_axis_angle(axis, angle, at);
    const Vec3 middle = scene.meshes[mesh].soup.bounds().centre();
    scene.bodies.push_back({.name = fmt::format("{} {}", mesh == 1 ? "bolt" : "nut", i / 2 + 1),
                            .mesh = mesh,
                            .pose = turn * Pose::from_translation(-middle),
                            .friction = 0.2,
                            .restitution = 0.2});
  }
  return scene;
}

}  // namespace touche::scenes
