// SPDX-License-Identifier: Apache-2.0
// Spur gears with involute teeth (ISO 53: pressure angle 20°, addendum m, dedendum 1.25 m).
#include <fmt/core.h>

#include <cmath>

#include "dynamic_scenes.h"
#include "mesh_builder.h"
#include "pi.h"

namespace touche::scenes {
namespace {

constexpr double kPressure = 20 * kPi / 180;
constexpr int kFlank = 8;  // points of a flank above the base circle

double involute(double angle) { return std::tan(angle) - angle; }

// One tooth from its right flank's root to its left flank's: radius and angle, which never falls.
std::vector<Vec2> tooth(int teeth, double module, double play) {
  const double pitch = 0.5 * module * teeth, base = pitch * std::cos(kPressure);
  const double tip = pitch + module, root = pitch - 1.25 * module;
  // Half of the tooth's angle on the pitch circle, less its share of the play.
  const double half = 0.5 * kPi / teeth - 0.25 * play / pitch;
  std::vector<Vec2> right;
  const double first = std::max(base, root);
  if (root < base) right.emplace_back(root, -half - involute(kPressure));
  for (int i = 0; i <= kFlank; ++i) {
    const double r = first + (tip - first) * i / kFlank;
    const double at = involute(std::acos(std::min(1.0, base / r)));
    right.emplace_back(r, -half - involute(kPressure) + at);
  }
  std::vector<Vec2> all = right;
  for (auto p = right.rbegin(); p != right.rend(); ++p) all.emplace_back(p->x(), -p->y());
  return all;
}

}  // namespace

PolygonSoup gear(int teeth, double module, double height, double bore, double play) {
  if (teeth < 8) throw InvalidInput("gear: expected at least 8 teeth");
  if (!(bore > 0 && bore < module * (teeth - 2.5) - module))
    throw InvalidInput("gear: the bore leaves no rim");
  const std::vector<Vec2> one = tooth(teeth, module, play);
  std::vector<Vec2> outline, hole;
  for (int t = 0; t < teeth; ++t)
    for (const Vec2& p : one) {
      const double middle = 2 * kPi * t / teeth, angle = middle + p.y();
      outline.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle));
      // The hole's corner lies nearer to the middle of the tooth, so that it sees the flank from
      // inside; the ends of a flank that runs to the axis get corners of their own.
      const bool end = &p == &one.front() || &p == &one.back();
      const double inner = middle + (end ? 0.9 : 0.8) * p.y();
      hole.emplace_back(0.5 * bore * std::cos(inner), 0.5 * bore * std::sin(inner));
    }
  MeshBuilder mesh;
  const auto ring = [&](const std::vector<Vec2>& points, double z) {
    return mesh.ring(static_cast<Index>(points.size()),
                     [&](Index i) { return Vec3(points[i].x(), points[i].y(), z); });
  };
  const Ring outer_low = ring(outline, 0), outer_high = ring(outline, height),
             inner_low = ring(hole, 0), inner_high = ring(hole, height);
  mesh.strip(outer_low, outer_high);
  mesh.strip(outer_high, inner_high);
  mesh.strip(inner_high, inner_low);
  mesh.strip(inner_low, outer_low);
  return mesh.soup();
}

DynamicScene gears(const GearOptions& options) {
  const double module = 2, height = 8, bore = 10, pin = 9.9, play = 0.1, lift = 0.05;
  DynamicScene scene;
  scene.title = "Gears drive each other";
  scene.duration = 2;
  scene.time_step = 1. / 240;  // in longer steps, teeth that move on straight paths block each
                               // other
  double length = 0;
  for (const int teeth : options.teeth) length += module * teeth;
  scene.meshes.push_back({"plate", box({-20, -40, -5}, {length + 20, 40, 0})});
  scene.bodies.push_back({.name = "plate", .mesh = 0, .fixed = true});
  scene.meshes.push_back({"pin", cylinder(0.5 * pin, 1.5 * height, 48)});
  double x = 0, turn = 0;
  int before = 0;
  for (std::size_t g = 0; g < options.teeth.size(); ++g) {
    const int teeth = options.teeth[g];
    // Where a tooth of the one before points at this one, this one has a gap.
    if (g > 0) {
      x += 0.5 * module * (before + teeth);
      const double phase = -turn * before / (2 * kPi);  // in teeth of the one before, at its right
      turn = kPi + 2 * kPi / teeth * (0.5 + phase);
    }
    before = teeth;
    scene.meshes.push_back(
        {fmt::format("gear {}", g + 1), gear(teeth, module, height, bore, play)});
    // Pins end in the plate's surface; bodies that are fixed are no pair.
    scene.bodies.push_back({.name = fmt::format("pin {}", g + 1),
                            .mesh = 1,
                            .pose = Pose::from_translation({x, 0, 0}),
                            .fixed = true});
    scene.bodies.push_back({.name = fmt::format("gear {}", g + 1),
                            .mesh = scene.meshes.size() - 1,
                            .pose = Pose::from_axis_angle(Vec3::UnitZ(), turn, {x, 0, lift})});
  }
  scene.forces.push_back({.body = 2, .torque = {0, 0, options.torque}});
  return scene;
}

}  // namespace touche::scenes
