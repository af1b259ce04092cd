// SPDX-License-Identifier: Apache-2.0
// A bolt falls onto a plate, topples and comes to rest on its side. It never enters the plate: each
// of its motions is proved again by a separate query.
#include <touche/dynamics.h>

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

/// Rings of corners about the z axis, (radius, height) each, closed by a face at either end.
touche::PolygonSoup turned(const std::vector<std::pair<double, double>>& rings, touche::Index n) {
  std::vector<double> coordinates;
  for (const auto& [radius, z] : rings)
    for (touche::Index i = 0; i < n; ++i) {
      const double angle = 2 * M_PI * i / n;
      coordinates.insert(coordinates.end(),
                         {radius * std::cos(angle), radius * std::sin(angle), z});
    }
  std::vector<touche::Index> corners, sizes;
  const auto last = static_cast<touche::Index>(rings.size() - 1) * n;
  for (touche::Index i = 0; i < n; ++i) corners.push_back(n - 1 - i);
  for (touche::Index i = 0; i < n; ++i) corners.push_back(last + i);
  sizes = {n, n};
  for (touche::Index ring = 0; ring < last; ring += n)
    for (touche::Index i = 0; i < n; ++i) {
      const touche::Index j = (i + 1) % n;
      corners.insert(corners.end(), {ring + i, ring + j, ring + n + j, ring + n + i});
      sizes.push_back(4);
    }
  return touche::PolygonSoup(coordinates, corners, sizes);
}

}  // namespace

int main() {
  // Metres, kilograms, seconds: an M8 bolt of 40 mm, head down and askew, 50 mm above the plate.
  const touche::Object bolt(
      turned({{0.0075, 0}, {0.0075, 0.0053}, {0.004, 0.0053}, {0.004, 0.0453}}, 24), "bolt");
  const touche::Object plate(turned({{0.5, -0.01}, {0.5, 0}}, 4), "plate");
  touche::World world;
  const touche::NodeId ground = world.add(plate, {}, {.fixed = true});
  const touche::NodeId falling =
      world.add(bolt, touche::Pose::from_axis_angle({1, 0, 0}, 0.6, {0, 0, 0.05}));

  const touche::Motion still = touche::Motion::at(world.pose(ground));

  const double tolerance = 1e-5;
  touche::Dynamics dynamics(world, {.tolerance = tolerance, .gravity = {0, 0, -9.81}});
  dynamics.add(falling, 7850.0);
  dynamics.set_surface(falling, {.restitution = 0.3, .friction = 0.4});
  std::size_t impacts = 0, not_proved = 0;
  double lost = 0;
  for (int frame = 0; frame < 240; ++frame) {
    const touche::DynamicsResult& step = dynamics.step(1.0 / 120);
    impacts += step.impacts.size();
    for (const touche::LostTime& slower : step.lost) lost += slower.time;
    const touche::ToiResult proof = touche::time_of_impact(
        bolt, dynamics.last_motion(falling), plate, still, {.tolerance = tolerance / 100});
    not_proved += proof.status != touche::ToiStatus::free;
  }
  const touche::Vec3 axis = world.pose(falling).rotate({0, 0, 1});
  std::printf("%zu impacts; %zu of 240 steps not proved free; %.3f s of time lost\n", impacts,
              not_proved, lost);
  std::printf("at rest on its side, %.0f degrees from upright, at %.1e m/s\n",
              std::acos(axis.z()) * 180 / M_PI, dynamics.velocity(falling).linear.norm());
  return not_proved == 0 && std::abs(axis.z()) < 0.3 ? 0 : 1;
}
