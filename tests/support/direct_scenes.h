// SPDX-License-Identifier: Apache-2.0
// Bodies and contacts for tests of the direct solver.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <span>
#include <vector>

#include "dynamics/direct_contacts.h"
#include "random.h"

namespace touche::direct_scenes {

struct Scene {
  std::vector<dynamics::SolverBody> bodies;
  std::vector<dynamics::SolverContact> contacts;
};

/// Some bodies with masses from 1 to 1 / `lightest`, and the ground, which is the last.
inline Scene random_scene(scenes::Random& random, Index count, int contact_count, double lightest,
                          double friction) {
  Scene scene;
  for (Index i = 0; i < count; ++i) {
    dynamics::SolverBody body{random.in_box(1) - Vec3(0, 0, 1), random.in_box(1)};
    body.inverse_mass = std::pow(lightest, -random.uniform());
    const Mat3 shape = Mat3::Identity() + 0.3 * random.in_box(1) * random.in_box(1).transpose();
    body.inverse_inertia = body.inverse_mass * shape * shape.transpose();
    scene.bodies.push_back(body);
  }
  scene.bodies.emplace_back();
  for (int i = 0; i < contact_count; ++i) {
    const Index a = random.below(count), b = count == 1 || random.uniform() < 0.4
                                                 ? count
                                                 : (a + 1 + random.below(count - 1)) % count;
    scene.contacts.push_back(dynamics::solver_contact(
        scene.bodies, a, b, random.direction(), random.in_box(0.5), random.in_box(0.5), friction));
    scene.contacts.back().least_speed = -random.uniform(0, 0.1);  // so rest is allowed
  }
  return scene;
}

/// Boxes of 10 x 10 x 1, which do not tip, above each other on a slope, from the ground up, which
/// is the last body. All have been under gravity for a sixtieth of a second. Seen in a frame along
/// none of the axes, where rounding would be too kind.
inline Mat3 frame() { return Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix(); }
inline Scene column(std::span<const double> masses, double slope, double friction) {
  const double speed = 9.81 / 60;
  const Mat3 turn = frame();
  Scene scene;
  for (const double mass : masses) {
    dynamics::SolverBody body{turn * (speed * Vec3(std::sin(slope), 0, -std::cos(slope)))};
    body.inverse_mass = 1 / mass;
    body.inverse_inertia =
        12 / mass * turn * Vec3(101, 101, 200).cwiseInverse().asDiagonal() * turn.transpose();
    scene.bodies.push_back(body);
  }
  const auto ground = static_cast<Index>(masses.size());
  scene.bodies.emplace_back();
  for (Index i = 0; i < ground; ++i)
    for (const double x : {-5.0, 5.0})
      for (const double y : {-5.0, 5.0})
        scene.contacts.push_back(dynamics::solver_contact(
            scene.bodies, i == 0 ? ground : i - 1, i, turn.col(2),
            turn * Vec3(x, y, i == 0 ? 0 : 0.5), turn * Vec3(x, y, -0.5), friction));
  return scene;
}
inline bool solve(dynamics::DirectContacts& direct, Scene& scene, double small, double heavy = 1) {
  return direct.choose(scene.bodies, scene.contacts, small, heavy) &&
         direct.solve(scene.bodies, scene.contacts, small);
}

/// Adds all of another scene, with a ground of its own. Returns the number of its first body.
inline std::size_t append(Scene& to, const Scene& other) {
  const std::size_t first = to.bodies.size();
  to.bodies.insert(to.bodies.end(), other.bodies.begin(), other.bodies.end());
  for (dynamics::SolverContact contact : other.contacts) {
    contact.a += static_cast<Index>(first);
    contact.b += static_cast<Index>(first);
    to.contacts.push_back(contact);
  }
  return first;
}

/// A box lies on a far heavier one and is required to keep a distance at a point where it cannot:
/// it may only rotate.
inline Scene hopeless() {
  Scene scene = column(std::vector<double>{1, 1e4}, 0, 0.5);
  dynamics::SolverBody& turning = scene.bodies[0];
  turning.inverse_mass = 0;
  const Mat3 turn = frame();
  scene.contacts.push_back(dynamics::solver_contact(scene.bodies, 2, 0, turn.col(2), Vec3::Zero(),
                                                    Vec3(-0.5 * turn.col(2)), 0.5));
  return scene;
}

}  // namespace touche::direct_scenes
