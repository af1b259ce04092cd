// SPDX-License-Identifier: Apache-2.0
// Numbers that are not finite: every function refuses them, in its arguments and from functions
// that it calls, and changes nothing. Poses are always finite (tests/math/pose_test.cpp).
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "each_kind.h"
#include "touche/handling.h"
#include "touche/linear.h"
#include "touche/manifold.h"
#include "touche/mass.h"
#include "touche/near_faces.h"
#include "touche/path.h"
#include "touche/plane_shape.h"
#include "touche/reference.h"
#include "touche/response.h"
#include "touche/separation.h"

namespace touche::not_finite_test {
namespace {

using test::at;
using test::expect_refused;
using test::kNan;
using test::segment_to;
class NotFinite : public test::EachKind {};

/// Whether an infinite length is refused, too; elsewhere it may mean that there is no limit.
enum class Infinite { refused, allowed };

struct OfLength {
  const char* name;
  Infinite infinite;
  std::function<void(double)> call;
};

TEST_F(NotFinite, LengthsAreRefused) {
  using enum Infinite;
  Contact contact;
  contact.face_a = contact.face_b = 0;
  const MovingVertex vertex{Vec3::Zero(), Vec3::Zero()};
  const std::array four{vertex, vertex, vertex, vertex};
  const std::vector<OfLength> calls = {
      {"distance", allowed, [&](double x) { (void)distance(a, {}, b, {}, {.max_distance = x}); }},
      {"distance", allowed, [&](double x) { (void)distance(a, {}, b, {}, {.stop_below = x}); }},
      {"distance", allowed, [&](double x) { (void)distance(a, {}, b, {}, {.relative_error = x}); }},
      {"brute distance", allowed,
       [&](double x) { (void)brute_force::distance(a, {}, b, {}, {.max_distance = x}); }},
      {"distance of shapes", allowed,
       [&](double x) { (void)distance(box, {}, ball, {}, {.max_distance = x}); }},
      {"distance of shapes", allowed,
       [&](double x) { (void)distance(box, {}, soup, {}, {.absolute_error = x}); }},
      {"depth", allowed, [&](double x) { (void)depth(box, {}, ball, {}, {.relative_error = x}); }},
      {"contacts", allowed, [&](double x) { (void)contacts(box, {}, ball, {}, x); }},
      {"contacts of soups", allowed, [&](double x) { (void)contacts(box, {}, soup, {}, x); }},
      {"near_faces", allowed,
       [&](double x) { (void)near_faces(a, {}, b, {}, {.max_distance = x}); }},
      {"near_features", allowed,
       [&](double x) { (void)near_features(a, {}, b, {}, {.max_distance = x}); }},
      {"near_features", refused, [&](double x) { (void)near_features(a, {}, b, {}, {.turn = x}); }},
      {"near_features of shapes", allowed,
       [&](double x) { (void)near_features(box, {}, soup, {}, {.max_distance = x}); }},
      {"closest_point", allowed, [&](double x) { (void)closest_point(a, {}, Vec3::Zero(), x); }},
      {"brute closest_point", allowed,
       [&](double x) { (void)brute_force::closest_point(a, {}, Vec3::Zero(), x); }},
      {"closest_point of a shape", allowed,
       [&](double x) { (void)closest_point(box, {}, Vec3::Zero(), x); }},
      {"closest_point of a soup", allowed,
       [&](double x) { (void)closest_point(soup, {}, Vec3::Zero(), x); }},
      {"closest_point of an outline", allowed,
       [&](double x) { (void)plane::closest_point(square, {}, plane::Vec2::Zero(), x); }},
      {"faces_in_ball", allowed,
       [&](double x) {
         (void)faces_in_ball(a, {}, {Vec3::Zero(), x});
       }},
      {"time_of_impact", refused,
       [&](double x) { (void)time_of_impact(a, still, b, way, {.tolerance = x}); }},
      {"time_of_impact", refused,
       [&](double x) { (void)time_of_impact(a, still, b, way, {.tolerance = 1, .clearance = x}); }},
      {"time_of_impact", refused,
       [&](double x) { (void)time_of_impact(a, still, b, way, {.tolerance = 1, .t_start = x}); }},
      {"time_of_impact of shapes", refused,
       [&](double x) { (void)time_of_impact(box, still, soup, way, {.tolerance = x}); }},
      {"time_of_impact of shapes", refused,
       [&](double x) {
         (void)time_of_impact(box, still, ball, way, {.tolerance = 1, .clearance = x});
       }},
      {"path", refused, [&](double x) { (void)path(a, still, b, way, {.tolerance = x}); }},
      {"path", refused,
       [&](double x) { (void)path(a, still, b, way, {.tolerance = 1, .clearance = x}); }},
      {"path of shapes", refused,
       [&](double x) { (void)path(box, still, b, way, {.tolerance = x}); }},
      {"separation", refused,
       [&](double x) { (void)separation(inside, {}, inside, {}, {.tolerance = x}); }},
      {"separation of shapes", refused,
       [&](double x) { (void)separation(box, {}, ball, {}, {.tolerance = 1, .clearance = x}); }},
      {"overlap_thickness", allowed,
       [&](double x) {
         (void)overlap_thickness(inside, {}, inside_box, {}, {.absolute_error = x});
       }},
      {"opening", refused, [&](double x) { (void)opening(a, {}, b, {}, contact, x); }},
      {"manifold", allowed, [&](double x) { Manifold().update({}, {.reach = x}); }},
      {"rounded", refused, [&](double x) { (void)box.rounded(x); }},
      {"sphere", refused, [&](double x) { (void)Shape::sphere(x); }},
      {"cylinder", refused, [&](double x) { (void)Shape::cylinder(1, x); }},
      {"cone", refused, [&](double x) { (void)Shape::cone(x, 1); }},
      {"capsule", refused, [&](double x) { (void)Shape::capsule(1, x); }},
      {"half_space", refused, [&](double x) { (void)Shape::half_space(Vec3::UnitZ(), x); }},
      {"mass_properties", refused, [&](double x) { (void)mass_properties(box, x); }},
      {"mass_properties", refused, [&](double x) { (void)mass_properties(a.soup(), x); }},
      {"shape_mesh", refused, [&](double x) { (void)shape_mesh(ball, x); }},
      {"cast_ball", refused,
       [&](double x) {
         (void)cast_ball(a, {}, segment_to({1, 0, 0}), x, 1);
       }},
      {"cast_ball", refused,
       [&](double x) {
         (void)cast_ball(box, {}, segment_to({1, 0, 0}), 1, x);
       }},
      {"move_ball", refused,
       [&](double x) {
         (void)move_ball({at(9).translation(), x}, {1, 0, 0}, box, {}, {.tolerance = 1});
       }},
      {"move_object", refused,
       [&](double x) {
         (void)move_object(ball, at(9), {1, 0, 0}, box, {}, {.tolerance = x});
       }},
      {"linear", refused, [&](double x) { (void)vertex_face_impact(four, {.tolerance = x}); }},
      {"linear", refused, [&](double x) { (void)edge_edge_impact(four, {.clearance = x}); }},
      {"overlap_time", refused, [&](double x) { (void)overlap_time({}, {}, x); }},
      {"near_pairs", allowed, [&](double x) { (void)world.near_pairs(x); }},
      {"nearest", allowed, [&](double x) { (void)world.nearest(Vec3::Zero(), 1, x); }},
      {"World::closest_point", allowed,
       [&](double x) { (void)world.closest_point(body, Vec3::Zero(), x); }},
      {"touching_ball", refused,
       [&](double x) {
         (void)world.touching_ball({Vec3::Zero(), x});
       }},
      {"World::contacts", allowed, [&](double x) { (void)world.contacts(body, other, x); }},
      {"slide_response", refused, [&](double x) { (void)slide_response(world, x); }},
      {"reflect_response", refused, [&](double x) { (void)reflect_response(x); }},
      {"Stepper", refused,
       [&](double x) {
         Stepper stepper(world);
         stepper.move(body, still);
         (void)stepper.run({.tolerance = x});
       }},
      {"Handling", refused,
       [&](double x) { Handling(world, body, {.tolerance = 1e-3, .clearance = x}); }},
      {"plane distance", allowed,
       [&](double x) { (void)plane::distance(square, {}, square, {}, {.max_distance = x}); }},
      {"plane contacts", allowed,
       [&](double x) { (void)plane::contacts(plane::Shape(square), {}, square, {}, x); }},
      {"plane::Pose", refused, [&](double x) { (void)plane::Pose(x); }},
      {"plane::Motion", refused,
       [&](double x) { (void)plane::Motion::turning({}, x, plane::Vec2::Zero()); }},
      {"sheet_of", refused, [&](double x) { (void)plane::sheet_of(square.outline(), x); }},
      {"plane::Shape", refused, [&](double x) { (void)plane::Shape(square).rounded(x); }},
  };
  for (const OfLength& of : calls) {
    expect_refused(of.name, [&] { of.call(kNan); });
    if (of.infinite == Infinite::refused) expect_refused(of.name, [&] { of.call(kInfinity); });
  }
}

TEST_F(NotFinite, PosesLeaveAWorldAsItWas) {
  const auto bad = [] { return Pose::from_quaternion_unchecked(kNan, 0, 0, 1, Vec3::Zero()); };
  const auto far = [] { return at(1e300) * at(1e300); };
  for (const std::function<Pose()>& pose :
       {std::function<Pose()>(bad), std::function<Pose()>(far)}) {
    expect_refused("add", [&] { (void)world.add(a, pose()); });
    expect_refused("add_group", [&] { (void)world.add_group(pose()); });
    expect_refused("set_pose", [&] { world.set_pose(body, pose()); });
    expect_refused("set_local_pose", [&] { world.set_local_pose(body, pose()); });
  }
  EXPECT_EQ(world.body_count(), 2U);
  EXPECT_EQ(world.pose(body).translation(), Vec3::Zero());
}

// A parent's and a child's pose are finite, but their product is not.
TEST_F(NotFinite, PosesOfAttachedNodesThatOverflowAreReported) {
  const NodeId parent = world.add_group(at(1e300));
  const NodeId child = world.add(a, at(1e300), {}, parent);
  EXPECT_THROW((void)world.pose(child), InvalidInput);
  EXPECT_THROW((void)world.touching_pairs(), InvalidInput);
  world.set_local_pose(parent, at(0));
  world.set_local_pose(child, at(0));
  EXPECT_EQ(world.touching_pairs().pairs.size(), 1U);
}

// ---- functions of the caller that return no pose half way ---------------------------------------

/// Moves past the origin; its function throws beyond t = 0.6.
Motion failing() {
  return Motion::function(
      [](double t) {
        const Pose pose = at(-5 + 10 * t);
        return t > 0.6 ? Pose::from_quaternion_unchecked(1, 0, kNan, 0, pose.translation()) : pose;
      },
      10, 0);
}

TEST_F(NotFinite, MotionsThatFailEndTheQuery) {
  const Motion away = Motion::at(at(3, 3)), bad = failing();
  const ToiOptions toi{.tolerance = 1e-3};
  const PathOptions whole{.tolerance = 1e-3};
  EXPECT_THROW((void)time_of_impact(a, away, b, bad, toi), InvalidInput);
  EXPECT_THROW((void)time_of_impact(a, bad, b, away, toi), InvalidInput);
  EXPECT_THROW((void)brute_force::time_of_impact(a, bad, b, away, toi), InvalidInput);
  EXPECT_THROW((void)time_of_impact(box, bad, ball, away, toi), InvalidInput);
  EXPECT_THROW((void)time_of_impact(box, bad, soup, away, toi), InvalidInput);
  EXPECT_THROW((void)time_of_impact(soup, bad, box, away, toi), InvalidInput);
  EXPECT_THROW((void)path(a, bad, b, away, whole), InvalidInput);
  EXPECT_THROW((void)path(box, bad, b, away, whole), InvalidInput);
  EXPECT_THROW((void)path(box, bad, ball, away, whole), InvalidInput);
  const std::vector<int> many(200);
  EXPECT_THROW((void)batch(many, [&](int) { return time_of_impact(a, away, b, bad, toi); }),
               InvalidInput);
}

TEST_F(NotFinite, MotionsThatFailLeaveAStepUndone) {
  for (const StepPolicy policy : {StepPolicy::each, StepPolicy::together, StepPolicy::report}) {
    const NodeId moved = world.add(b, at(-5, 0, 9));
    Stepper stepper(world);
    stepper.move(moved, failing());
    stepper.move(body, Motion::interpolated(at(0), at(1)));
    EXPECT_THROW((void)stepper.run({.tolerance = 1e-3, .policy = policy}), InvalidInput);
    EXPECT_EQ(world.pose(moved).translation(), Vec3(-5, 0, 9));
    EXPECT_EQ(world.pose(body).translation(), Vec3::Zero());
    Stepper again(world);
    again.move(body, Motion::interpolated(at(0), at(0.5)));
    EXPECT_EQ(again.run({.tolerance = 1e-3, .policy = policy}).groups.size(), 1U);
    world.set_pose(body, at(0));
    world.remove(moved);
  }
}

}  // namespace
}  // namespace touche::not_finite_test
