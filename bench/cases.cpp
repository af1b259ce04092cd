// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include "case.h"
#include "random.h"
#include "scenes.h"
#include "touche/motion.h"
#include "workloads.h"

namespace touche::bench {
namespace {

using scenes::Random;

Pose random_rotation(base::Random& random) {
  return Pose::from_axis_angle(random.direction(), random.uniform(0, 2 * std::numbers::pi),
                               Vec3::Zero());
}

Pose moved(const Pose& pose, const Vec3& by) { return Pose::from_translation(by) * pose; }

/// The triangles of all soups together, so that every peer gets the same faces.
PolygonSoup triangles_of(const std::vector<PolygonSoup>& soups) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const PolygonSoup& soup : soups) {
    const auto first = static_cast<Index>(coordinates.size() / 3);
    for (const Vec3& v : soup.vertices()) coordinates.insert(coordinates.end(), v.begin(), v.end());
    for (const auto& t : soup.triangles())
      for (const Index v : t) corners.push_back(first + v);
  }
  return {coordinates, corners};
}

}  // namespace

Case bumpy_spheres(Index triangles) {
  Case result{.name = "spheres " + std::to_string(triangles / 1000) + "k",
              .a = scenes::bumpy_sphere(triangles, 1, 0.6),
              .b = scenes::bumpy_sphere(triangles, 2, 0.6)};
  base::Random random(3);
  for (int i = 0; i < 100; ++i) {
    // Every other pose overlaps, deeply or just so; the rest is apart, by little or by much.
    const double apart = i % 2 == 0 ? random.uniform(0.5, 1.7) : random.uniform(2.0, 3.2);
    const Pose a = random_rotation(random), b = random_rotation(random);
    const Vec3 place = random.in_box(5);
    const Vec3 offset = apart * random.direction();
    result.placements.push_back({moved(a, place), moved(b, place + offset)});
  }
  return result;
}

Case torus_knots() {
  Case result{
      .name = "knots", .a = scenes::torus_knot(2, 3, 7200), .b = scenes::torus_knot(2, 3, 7200)};
  result.tolerance = 1e-6;
  constexpr double kMostRotation = 86 * std::numbers::pi / 180;
  base::Random random(4);
  for (int i = 0; i < 60; ++i) {
    const Pose a = random_rotation(random), b = random_rotation(random);
    const Vec3 direction = random.direction();
    const Pose turned =
        Pose::from_axis_angle(random.direction(), random.uniform(0.1, 1) * kMostRotation,
                              Vec3::Zero()) *
        b;
    // From just apart towards the middle, and mostly not quite there.
    result.sweeps.push_back(
        {{a, moved(b, 3.1 * direction)}, {a, moved(turned, random.uniform(0.2, 1.2) * direction)}});
  }
  for (const Sweep& s : result.sweeps) {
    result.placements.push_back(s.start);
    result.placements.push_back(s.end);
  }
  return result;
}

Case passing_spheres(double most_turn) {
  Case result{.name = most_turn > 0 ? "turning 70k" : "passing 70k",
              .a = scenes::bumpy_sphere(70000, 1, 0.6),
              .b = scenes::bumpy_sphere(70000, 2, 0.6),
              .tolerance = 1e-6,
              .without = "FCL advancement"};
  base::Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Pose a = random_rotation(random), b = random_rotation(random);
    // From just apart, or nearly so, past each other or into each other.
    const Vec3 direction = random.direction();
    const Vec3 from = 2.6 * direction;
    const Vec3 aside = from.cross(random.direction()).normalized();
    const Vec3 to = random.uniform(1, 3) * (direction + random.uniform(0, 1) * aside).normalized();
    const Vec3 axis = random.direction();
    const Pose turned =
        Pose::from_axis_angle(axis, random.uniform(0.1, 1) * most_turn, Vec3::Zero()) * b;
    result.sweeps.push_back({{a, moved(b, from)}, {a, moved(turned, to)}, 1001});
  }
  return result;
}

Case workload(const scenes::NamedWorkload& named) {
  scenes::Workload made = named.make(20000, 30);
  Case result{.name = named.name, .a = std::move(made.a), .b = std::move(made.b)};
  for (const Pose& pose : made.poses) result.placements.push_back({Pose(), pose});
  return result;
}

Case workload(const scenes::NamedMovingWorkload& named) {
  scenes::MovingWorkload made = named.make(20000, 40);
  Case result{.name = named.name,
              .a = std::move(made.a),
              .b = std::move(made.b),
              .tolerance = made.tolerance,
              .without = "FCL advancement"};
  for (const scenes::PairMotion& m : made.motions)
    result.sweeps.push_back({{m.a_start, m.b_start}, {m.a_end, m.b_end}, 1001});
  return result;
}

std::vector<Case> headlamp_steps() {
  const scenes::Scene scene = scenes::headlamp();
  std::vector<Case> result;
  for (std::size_t g = 0; g < scene.groups.size(); ++g) {
    const scenes::SceneGroup& group = scene.groups[g];
    std::vector<PolygonSoup> still, moving;
    for (std::size_t p = 0; p < scene.parts.size(); ++p) {
      const bool grouped =
          std::any_of(scene.groups.begin(), scene.groups.end(), [&](const auto& s) {
            return std::find(s.parts.begin(), s.parts.end(), p) != s.parts.end();
          });
      if (std::find(group.parts.begin(), group.parts.end(), p) != group.parts.end())
        moving.push_back(placed(scene.parts[p]));
      else if (!grouped)
        still.push_back(placed(scene.parts[p]));
    }
    Case step{.name = "headlamp " + group.name,
              .a = triangles_of(still),
              .b = triangles_of(moving),
              .tolerance = scene.tolerance,
              .without = "FCL advancement"};
    // Each group moves in its own quarter of the path, in 200 steps; every 20th pose says enough,
    // and one step where it is tight: FCL takes half a minute for its 4,001 poses.
    const Motion motion = scenes::motion_of(group);
    const auto at = [&](int i) {
      const auto count = static_cast<double>(scene.groups.size());
      return PosePair{Pose(), motion.pose((static_cast<double>(g) + i / 200.0) / count)};
    };
    for (int i = 0; i <= 200; i += 20) step.placements.push_back(at(i));
    step.sweeps.push_back({at(20), at(21)});
    result.push_back(std::move(step));
  }
  return result;
}

}  // namespace touche::bench
