// SPDX-License-Identifier: Apache-2.0
// Scenes of bodies that move under gravity and meet each other, for `touche simulate`, tests and
// benchmarks. All are generated, the same each time, and begin free. Link target touche_scenes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenes.h"
#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::scenes {

/// Lengths and speeds are in the scene's unit, all else in SI units, as in docs/scene.schema.json.
struct DynamicMesh {
  std::string name;
  PolygonSoup soup;
  std::string shape = {};  ///< in place of a soup: a convex shape, as scene files have it
};
struct DynamicBody {
  std::string name;
  std::size_t mesh = 0;
  Pose pose = {};      ///< at the start
  bool fixed = false;  ///< else it has the scene's density
  double friction = 0, restitution = 0;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
};
struct DynamicForce {
  std::size_t body = 0;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
/// A hinge of a body to another one, or to the world where there is none.
struct DynamicHinge {
  std::size_t body = 0;
  std::optional<std::size_t> to = {};
  Vec3 point = Vec3::Zero(), axis = Vec3::UnitY();
};
struct DynamicScene {
  std::string title, unit = "mm";
  Vec3 gravity = {0, 0, -9.81};
  double density = 7850;  ///< steel
  double duration = 1, time_step = 1. / 60;
  double tolerance = 0.01;  ///< length
  std::vector<DynamicMesh> meshes = {};
  std::vector<DynamicBody> bodies = {};
  std::vector<DynamicForce> forces = {};
  std::vector<DynamicHinge> hinges = {};
};

/// Writes scene.json (docs/scene.schema.json) and one OBJ file per mesh that is no shape into
/// `folder`, which is made if need be. Throws LoadError when a file cannot be written.
void write_scene(const DynamicScene& scene, const std::filesystem::path& folder);

// ---- threads, rings and teeth ------------------------------------------------------------------

/// An M16 nut high on its bolt, which stands on its head and does not move: without friction it
/// spins down by its weight, with enough of it stays. Its thread's clearance is 0.1 mm.
struct StandingBoltOptions {
  std::string size = "M16";
  double friction = 0;
  Index segments = 60;    ///< per turn, see NutAndBoltOptions
  double turns_left = 4;  ///< below the nut
};
DynamicScene standing_bolt(const StandingBoltOptions& options = {});

/// Interlocked tori, the first of which is held: a chain that hangs at an angle and swings.
struct ChainOptions {
  Index links = 20;
  Index around = 32, tube = 16;  ///< segments of a ring of 10 mm and its tube of 2.5 mm
  double friction = 0.1;
  double angle = 0.6;  ///< radians from the vertical at the start
};
DynamicScene chain(const ChainOptions& options = {});

/// M8 nuts and bolts, half of them each, that fall into a bin.
struct BinOptions {
  Index pieces = 500;
  Index segments = 24;  ///< of threads, per turn
  std::uint64_t seed = 1;
};
DynamicScene bin(const BinOptions& options = {});

/// A row of involute spur gears (module 2 mm, 0.1 mm of play) that turn on pins in a plate; a
/// torque drives the first, teeth the others.
struct GearOptions {
  std::vector<int> teeth = {18, 27, 18};
  double torque = 0.005;  ///< N m on the first
};
DynamicScene gears(const GearOptions& options = {});

/// One such gear about the z axis, from z = 0. Tooth 0 is centred on the x axis, the corners of its
/// hole lie on the circle of diameter `bore`; `play` is that of two such gears, along the teeth.
/// Throws InvalidInput for fewer than 8 teeth or a bore that leaves no rim.
PolygonSoup gear(int teeth, double module, double height, double bore, double play);

// ---- blocks ------------------------------------------------------------------------------------

/// `boxes` boxes of 1 m on each other, `gap` apart.
struct StackOptions {
  Index boxes = 10;
  double gap = 1e-3;  ///< m
};
DynamicScene stack(const StackOptions& options = {});

/// A row of dominoes, the first of which is pushed over.
DynamicScene dominoes(Index count = 20);

/// A ball on a chain of links with hinges is let go and swings into a wall of bricks.
struct WreckingBallOptions {
  Index links = 6;
  Index rows = 4;  ///< of three bricks each
};
DynamicScene wrecking_ball(const WreckingBallOptions& options = {});

/// A round arch of wedges that holds by its weight and friction.
DynamicScene arch(Index wedges = 11);

// ---- many at once ------------------------------------------------------------------------------

/// A ball of 42 vertices and 80 triangles, an icosahedron cut once: convex, 1 m across.
PolygonSoup ball42();

/// Such balls that fall into a box of 10 m by 10 m.
struct PileOptions {
  Index bodies = 1000;
  std::uint64_t seed = 1;
};
DynamicScene pile(const PileOptions& options = {});

/// Convex shapes of eight kinds, about 4 cm across, roll down a flight of stairs onto a half space.
struct TumblingShapesOptions {
  Index bodies = 16;
  std::uint64_t seed = 1;
};
DynamicScene tumbling_shapes(const TumblingShapesOptions& options = {});

/// The same balls as a block in a closed chamber whose walls are `wall` thick, at `speed` towards
/// one of them. The chamber's inside is the box from `inside_lo` to `inside_hi`.
struct ShotOptions {
  Index bodies = 1000;
  double speed = 200;  ///< m/s
  double wall = 0.1;   ///< m
  std::uint64_t seed = 1;
};
struct Shot {
  DynamicScene scene;
  Vec3 inside_lo, inside_hi;
};
Shot shot(const ShotOptions& options = {});

}  // namespace touche::scenes
