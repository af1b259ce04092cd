// SPDX-License-Identifier: Apache-2.0
// Scenes whose outcome is known: a top on its tip, an arch, dominoes, symmetric heaps, and the
// patch on which a cylinder rests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "dynamic_bodies.h"
#include "dynamic_scenes.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche::dynamics_scenes_test {
namespace {

using namespace test;

// ---- scenes that `touche scene` writes ----------------------------------------------------------

struct Played {
  World world;
  std::optional<Dynamics> dynamics;
  std::vector<NodeId> nodes;

  explicit Played(const scenes::DynamicScene& scene, double friction = -1) {
    const double metres = scene.unit == "mm" ? 1e-3 : 1;
    dynamics.emplace(
        world, DynamicsOptions{
                   .tolerance = scene.tolerance, .gravity = scene.gravity / metres, .surface = {}});
    std::vector<Object> objects;
    for (const scenes::DynamicMesh& mesh : scene.meshes) objects.emplace_back(mesh.soup);
    for (const scenes::DynamicBody& body : scene.bodies) {
      const NodeId node = world.add(objects[body.mesh], body.pose, {.fixed = body.fixed});
      nodes.push_back(node);
      dynamics->set_surface(node, {.restitution = body.restitution,
                                   .friction = friction >= 0 ? friction : body.friction});
      if (!body.fixed)
        dynamics->add(node, scene.density * metres * metres * metres,
                      {body.velocity, body.angular_velocity});
    }
  }
};

// Ten boxes exactly above each other.
TEST(DynamicsScenes, TheStackComesToRest) {
  const scenes::DynamicScene scene = scenes::stack();
  Played stack(scene);
  const int settled = 120, steps = scaled(600, 300);
  std::vector<Vec3> places;
  double lost = 0;
  for (int i = 0; i < steps; ++i) {
    const DynamicsResult& step = stack.dynamics->step(scene.time_step);
    if (i == settled)
      for (const NodeId node : stack.nodes) places.push_back(stack.world.pose(node).translation());
    if (i > settled)
      for (const LostTime& part : step.lost) lost += part.time;
  }
  EXPECT_EQ(lost, 0);
  EXPECT_LT(stack.dynamics->kinetic_energy() / (10 * scene.density), 1e-6);
  for (std::size_t i = 1; i < stack.nodes.size(); ++i) {
    const Vec3 place = stack.world.pose(stack.nodes[i]).translation();
    EXPECT_LT((place - places[i]).norm(), 5 * scene.tolerance) << i;
    EXPECT_LT((place - scene.bodies[i].pose.translation()).norm(), 0.01) << i;
  }
}

TEST(DynamicsScenes, AnArchStands) {
  const scenes::DynamicScene scene = scenes::arch();
  Played arch(scene);
  double lost = 0;
  const int steps = scaled(3600, 300);
  for (int i = 0; i < steps; ++i)
    for (const LostTime& part : arch.dynamics->step(1.0 / 60).lost) lost += part.time;
  for (std::size_t i = 1; i < arch.nodes.size(); ++i) {
    EXPECT_LT(
        (arch.world.pose(arch.nodes[i]).translation() - scene.bodies[i].pose.translation()).norm(),
        0.02)
        << i;
    EXPECT_LT(arch.dynamics->velocity(arch.nodes[i]).linear.norm(), 1e-2) << i;
  }
  EXPECT_LT(lost, 0.01 * steps / 60.0 * static_cast<double>(arch.nodes.size()));
}

TEST(DynamicsScenes, AnArchWithoutFrictionFalls) {
  Played arch(scenes::arch(), 0);
  const NodeId key = arch.nodes[arch.nodes.size() / 2];
  const double top = arch.world.pose(key).translation().z();
  for (int i = 0; i < 120; ++i) (void)arch.dynamics->step(1.0 / 60);
  EXPECT_LT(arch.world.pose(key).translation().z(), top - 1);
}

TEST(DynamicsScenes, TheWaveOfDominoesPasses) {
  Played row(scenes::dominoes(12));
  std::vector<int> fell(row.nodes.size(), -1);
  for (int i = 0; i < 240; ++i) {
    (void)row.dynamics->step(1.0 / 60);
    for (std::size_t k = 1; k < row.nodes.size(); ++k)
      if (fell[k] < 0 && row.world.pose(row.nodes[k]).rotate(Vec3::UnitZ()).z() < 0.9) fell[k] = i;
  }
  for (std::size_t k = 1; k < fell.size(); ++k) EXPECT_GT(fell[k], k == 1 ? 0 : fell[k - 1]) << k;
}

// Takes a step, and proves by separate queries that the paths of these bodies, each and the next
// one, are free. Returns the time that was lost.
double prove_step(Played& played, const scenes::DynamicScene& scene,
                  const std::vector<std::size_t>& bodies) {
  double lost = 0;
  for (const LostTime& part : played.dynamics->step(scene.time_step).lost) lost += part.time;
  const auto way = [&](std::size_t i) {
    return scene.bodies[i].fixed ? Motion::at(scene.bodies[i].pose)
                                 : played.dynamics->last_motion(played.nodes[i]);
  };
  const auto object = [&](std::size_t i) {
    return Object(scene.meshes[scene.bodies[i].mesh].soup);
  };
  for (std::size_t k = 0; k + 1 < bodies.size(); ++k) {
    const std::size_t a = bodies[k], b = bodies[k + 1];
    EXPECT_EQ(time_of_impact(object(a), way(a), object(b), way(b), {.tolerance = 1e-7}).status,
              ToiStatus::free)
        << a << " " << b;
  }
  return lost;
}

// The work of the torque becomes motion, also when gears turn by a third of a radian in a step, and
// by more: a facet of a flank is passed in 0.07.
TEST(DynamicsScenes, GearsDriveEachOther) {
  const scenes::DynamicScene scene = scenes::gears();
  Played gears(scene);
  const NodeId first = gears.nodes[2], second = gears.nodes[4];
  const double torque = 1e6 * scene.forces[0].torque.z();  // kg mm² / s²
  double angle = 0, second_angle = 0, had = 0;
  const int steps = scaled(240, 24);
  for (int i = 0; i < steps; ++i) {
    gears.dynamics->apply_torque(first, {0, 0, torque});
    const Pose before = gears.world.pose(first), second_before = gears.world.pose(second);
    EXPECT_EQ(prove_step(gears, scene, {2, 4, 6}), 0) << i;
    const Pose::AxisAngle turn = (gears.world.pose(first) * before.inverse()).axis_angle();
    const double turned = turn.angle * turn.axis.z();
    angle += turned;
    const double has = gears.dynamics->kinetic_energy();
    EXPECT_LT(has, had + 1.01 * torque * turned) << i;
    had = has;
    const Pose::AxisAngle other = (gears.world.pose(second) * second_before.inverse()).axis_angle();
    second_angle += other.angle * other.axis.z();
    if (i < 23) continue;
    EXPECT_GT(has, 0.9 * torque * angle) << i;
    EXPECT_NEAR(
        gears.dynamics->velocity(first).angular.z() / gears.dynamics->velocity(second).angular.z(),
        -27.0 / 18, 0.1)
        << i;
  }
  EXPECT_NEAR(second_angle, -angle * 18 / 27, 0.01);
}

// A gear that follows a motion, of up to a third of a radian in a step, drives another one. Steps
// are taken in parts, and it goes as it would in one.
TEST(DynamicsScenes, AGearThatFollowsAMotionDrivesAnother) {
  const scenes::DynamicScene scene = scenes::gears();
  Played gears(scene);
  const NodeId first = gears.nodes[2], second = gears.nodes[4];
  gears.dynamics->remove(first);
  const Pose start = gears.world.pose(first);
  const auto turned_by = [&](double angle) {
    return start * Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero());
  };
  const int steps = 30;
  const auto at = [](double i) { return 0.006 * i * i; };
  for (int i = 0; i < steps; ++i) {
    const Pose here = gears.world.pose(first), there = gears.world.pose(second);
    // It speeds up, so that nobody is hit.
    gears.dynamics->move(first, Motion::interpolated(here, turned_by(at(i + 1))));
    EXPECT_EQ(prove_step(gears, scene, {2, 4, 6}), 0) << i;
    const Motion way = gears.dynamics->last_motion(first),
                 other = gears.dynamics->last_motion(second);
    for (const double t : {0.0, 0.3, 0.5, 1.0}) {
      const Pose wanted = turned_by((1 - t) * at(i) + t * at(i + 1));
      EXPECT_LT((way.pose(t).matrix() - wanted.matrix()).norm(), 1e-9) << i << " " << t;
    }
    EXPECT_LT((other.pose(0).translation() - there.translation()).norm(), 1e-9);
    const Pose::AxisAngle turn = (gears.world.pose(second) * there.inverse()).axis_angle();
    EXPECT_NEAR(turn.angle * turn.axis.z(), -(at(i + 1) - at(i)) * 18 / 27, 0.02) << i;
    EXPECT_NEAR((other.pose(0.5) * there.inverse()).axis_angle().angle, 0.5 * turn.angle, 0.02);
  }
  EXPECT_NEAR((gears.world.pose(first).matrix() - turned_by(at(steps)).matrix()).norm(), 0, 1e-9);
}

// Beside gears that turn fast, for which steps are taken in parts, a box falls that a force pushes
// aside: it goes and bounces as it would alone, at the time of the step at which it does.
TEST(DynamicsScenes, WhatHappensBesideGearsIsToldForTheWholeStep) {
  const scenes::DynamicScene scene = scenes::gears();
  Played gears(scene);
  const auto box = [&](const Vec3& low, const Vec3& high) {
    return gears.world.add(Object(scenes::box(low, high)), Pose(), {});
  };
  (void)box({-400, -50, -10}, {-100, 50, 0});
  const double height = 300, gravity = -1e3 * scene.gravity.z(), step = 1.0 / 60, push = 500;
  const NodeId falling = box({-310, -5, height}, {-300, 5, height + 10});
  gears.dynamics->set_surface(falling, {.restitution = 0.5, .friction = 0});
  gears.dynamics->add(falling, scene.density * 1e-9);
  const double mass = gears.dynamics->mass(falling).mass, when = std::sqrt(2 * height / gravity);
  std::vector<double> times;
  const int steps = 18;
  for (int i = 0; i < steps; ++i) {
    gears.dynamics->apply_torque(gears.nodes[2], {0, 0, 1e6 * scene.forces[0].torque.z()});
    gears.dynamics->apply_force(falling, {push * mass, 0, 0});
    for (const Impact& impact : gears.dynamics->step(step).impacts)
      if (impact.a == falling || impact.b == falling) times.push_back(i * step + impact.time);
  }
  EXPECT_LT(gears.dynamics->velocity(gears.nodes[4]).angular.z(), -20);  // 0.8 rad a step
  ASSERT_EQ(times.size(), 1);
  EXPECT_NEAR(times[0], when, 1e-4);
  const Vec3 velocity = gears.dynamics->velocity(falling).linear;
  EXPECT_NEAR(velocity.x(), push * steps * step, 1e-6);
  EXPECT_NEAR(velocity.z(), 0.5 * gravity * when - gravity * (steps * step - when), 1);
}

TEST(DynamicsScenes, AChainHangsAndSwings) {
  const scenes::DynamicScene scene = scenes::chain({.links = 6});
  Played chain(scene);
  std::vector<std::size_t> links;
  for (std::size_t i = 0; i < chain.nodes.size(); ++i) links.push_back(i);
  const NodeId last = chain.nodes.back();
  const double start = energy(*chain.dynamics);
  const Vec3 place = chain.world.pose(last).translation();
  double weight = 0, highest = start;
  for (std::size_t i = 1; i < chain.nodes.size(); ++i)
    weight += 1e3 * kGravity * chain.dynamics->mass(chain.nodes[i]).mass;
  for (int i = 0; i < 60; ++i) {
    (void)prove_step(chain, scene, links);
    highest = std::max(highest, energy(*chain.dynamics));
  }
  EXPECT_LE(highest, start + scene.tolerance * weight);
  // It swings: its end is lower, and has come towards the middle.
  const Vec3 now = chain.world.pose(last).translation();
  EXPECT_LT(now.z(), place.z() - 1);
  EXPECT_LT(std::abs(now.x()), std::abs(place.x()));
}

// ---- a top --------------------------------------------------------------------------------------

// Two cones on each other; its tip is the origin of the lower one.
Object top_shape(double height, double radius, Index around) {
  std::vector<double> corners = {0, 0, 0, 0, 0, 2 * height};
  std::vector<Index> faces;
  for (Index i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * i / around;
    corners.insert(corners.end(), {radius * std::cos(angle), radius * std::sin(angle), height});
    const Index here = 2 + i, next = 2 + (i + 1) % around;
    for (const Index corner : {Index{0}, next, here, Index{1}, here, next}) faces.push_back(corner);
  }
  return Object(PolygonSoup(corners, faces));
}

// A top that spins on its tip, which friction holds: its axis goes around at the slower of the two
// rates of steady precession, m g l = Ω (I3 ω3 − (I1 − I3) Ω cos θ) (Goldstein, §5.7), where I1 is
// about the tip.
TEST(DynamicsScenes, ATopPrecessesOnItsTip) {
  const double mass = 2, height = 0.1, tilt = 0.4, spin = 200;
  const double along = 0.01, across = 0.008, about_tip = across + mass * height * height;
  World world;
  add_ground(world);
  Dynamics dynamics(world, {.tolerance = 1e-6,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = 0, .friction = 2}});
  const NodeId top = world.add(top_shape(height, 0.08, 16),
                               Pose::from_axis_angle(Vec3::UnitY(), tilt, Vec3(0, 0, 2e-6)));
  dynamics.add(top, {.mass = mass,
                     .centre = {0, 0, height},
                     .inertia = Vec3(across, across, along).asDiagonal()});
  const double torque = mass * kGravity * height, cosine = std::cos(tilt);
  const double a = (about_tip - along) * cosine;
  const double rate =
      (along * spin - std::sqrt(along * along * spin * spin - 4 * a * torque)) / (2 * a);
  const Vec3 axis = world.pose(top).rotate(Vec3::UnitZ());
  // About its axis it turns at `spin` in total; the axis goes around the vertical.
  const Vec3 angular = rate * Vec3::UnitZ() + (spin - rate * cosine) * axis;
  dynamics.set_velocity(top, {.linear = angular.cross(height * axis), .angular = angular});
  const int steps = scaled(8000, 4000);
  const double dt = 2.5e-4;
  double lost = 0;
  for (int i = 0; i < steps; ++i)
    for (const LostTime& part : dynamics.step(dt).lost) lost += part.time;
  const Vec3 now = world.pose(top).rotate(Vec3::UnitZ());
  const double angle =
      std::remainder(std::atan2(now.y(), now.x()) - rate * steps * dt, 2 * std::numbers::pi);
  EXPECT_GT(rate * steps * dt, 0.9);
  EXPECT_LT(std::abs(angle), 0.01 * rate * steps * dt);
  EXPECT_NEAR(now.z(), cosine, 0.01);
  // Steps are chords: the tip walks along a small circle, the smaller the shorter they are.
  EXPECT_LT(world.pose(top).translation().norm(), 0.02 * height);
  EXPECT_LT(lost, 0.01 * steps * dt);
}

// ---- symmetry -----------------------------------------------------------------------------------

// Bodies that are images of each other stay so, to rounding while no contact joins them. Then to
// what passes over contacts leave, which take them one after the other, and impacts enlarge: within
// a hundredth of the size of a body.
TEST(DynamicsScenes, MirroredBodiesStayMirrored) {
  World world;
  const NodeId ground = add_ground(world);
  Dynamics dynamics(world, {.tolerance = 1e-4,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = 0.3, .friction = 0.4}});
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (int i = 0; i < 3; ++i) {
    const Vec3 place(0.9 + 0.1 * i, 0, 0.8 + 1.2 * i), mirrored(-place.x(), 0, place.z());
    const Object shape = box({1, 0.8, 0.6});
    const double angle = 0.2 + 0.1 * i;
    const NodeId right = world.add(shape, Pose::from_axis_angle(Vec3::UnitY(), angle, place));
    const NodeId left = world.add(shape, Pose::from_axis_angle(Vec3::UnitY(), -angle, mirrored));
    dynamics.add(right, 100.0, {.linear = {-1.5, 0, 0}});
    dynamics.add(left, 100.0, {.linear = {1.5, 0, 0}});
    pairs.emplace_back(right, left);
  }
  double worst = 0;
  int joined = -1, met = 0;
  for (int i = 0; i < 120; ++i) {
    const DynamicsResult& step = dynamics.step(1.0 / 120);
    met += static_cast<int>(step.impacts.size());
    const bool any = std::any_of(step.impacts.begin(), step.impacts.end(),
                                 [&](const Impact& impact) { return impact.a != ground; }) ||
                     !step.contacts.empty();
    if (joined < 0 && any) joined = i;
    for (const auto& [right, left] : pairs) {
      const Vec3 a = world.pose(right).translation(), b = world.pose(left).translation();
      worst = std::max(
          {worst, std::abs(a.x() + b.x()), std::abs(a.y() - b.y()), std::abs(a.z() - b.z())});
    }
    if (joined < 0) {
      EXPECT_LT(worst, 1e-12) << i;
    }
  }
  EXPECT_GT(joined, 20);
  EXPECT_GT(met, 4);
  EXPECT_LT(worst, 1e-2);
}

TEST(DynamicsScenes, BodiesAroundAnAxisStayAround) {
  constexpr std::size_t kCount = 4;
  World world;
  add_ground(world);
  Dynamics dynamics(world, {.tolerance = 1e-4,
                            .gravity = {0, 0, -kGravity},
                            .surface = {.restitution = 0, .friction = 0.4}});
  const auto around = [](std::size_t k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / kCount;
    return Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero());
  };
  std::vector<NodeId> bodies;
  for (std::size_t k = 0; k < kCount; ++k) {
    const Pose start = Pose::from_axis_angle(Vec3::UnitY(), 0.3, {1.2, 0, 0.7});
    bodies.push_back(world.add(box({1, 0.6, 0.6}), around(k) * start));
    dynamics.add(bodies.back(), 100.0, {.linear = around(k).rotate(Vec3(-2, 0, 0))});
  }
  double worst = 0;
  std::size_t contacts = 0;
  for (int i = 0; i < 120; ++i) {
    contacts += dynamics.step(1.0 / 120).contacts.size();
    const Vec3 first = world.pose(bodies[0]).translation();
    for (std::size_t k = 1; k < kCount; ++k)
      worst = std::max(worst,
                       (around(k).inverse() * world.pose(bodies[k]).translation() - first).norm());
  }
  EXPECT_GT(contacts, 40U);
  EXPECT_LT(worst, 1e-4);
}

// ---- the patch of a contact ---------------------------------------------------------------------

// Where a body rests, contacts and what they bear stay while it moves less than a micrometre.
TEST(DynamicsScenes, ThePatchOfACylinderStays) {
  for (const bool lies : {false, true}) {
    SCOPED_TRACE(lies ? "on its side" : "on its end");
    World world;
    add_ground(world);
    Dynamics dynamics(world, {.tolerance = 1e-5, .gravity = {0, 0, -kGravity}});
    const double radius = 0.05;
    const NodeId cylinder = world.add(
        Object(scenes::cylinder(radius, 0.1, 64)),
        lies ? Pose::from_axis_angle(Vec3::UnitX(), 0.5 * std::numbers::pi + 1e-3, {0, 0, 0.0501})
             : Pose::from_axis_angle(Vec3::UnitX(), 1e-3, {0, 0, 1e-4}));
    dynamics.add(cylinder, 7850.0);
    std::set<std::pair<Index, Index>> before;
    Vec3 centre = Vec3::Zero(), place = Vec3::Zero();
    int compared = 0;
    for (int i = 0; i < 600; ++i) {
      const DynamicsResult& step = dynamics.step(1.0 / 60);
      std::set<std::pair<Index, Index>> patch;
      Vec3 sum = Vec3::Zero();
      double force = 0;
      for (const RestingContact& contact : step.contacts) {
        if (!(contact.force.z() > 0)) continue;
        patch.emplace(contact.feature_b.index, contact.feature_a.index);
        sum += contact.force.z() * contact.point;
        force += contact.force.z();
      }
      const Vec3 now = force > 0 ? Vec3(sum / force) : Vec3(Vec3::Zero());
      const Vec3 here = world.pose(cylinder).translation();
      if (i > 300 && (here - place).norm() < 1e-6) {
        ++compared;
        EXPECT_EQ(patch, before) << i;
        EXPECT_LT((now - centre).norm(), 1e-2 * radius) << i;
        EXPECT_NEAR(force, kGravity * dynamics.mass(cylinder).mass, 0.01 * force);
      }
      before = patch;
      centre = now;
      place = here;
    }
    EXPECT_GT(compared, 250);
  }
}

}  // namespace
}  // namespace touche::dynamics_scenes_test
