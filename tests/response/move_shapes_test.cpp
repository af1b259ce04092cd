// SPDX-License-Identifier: Apache-2.0
// Shapes that are moved among shapes and soups, and balls among shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shape_cases.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/response.h"
#include "touche/shape.h"

namespace touche::move_shapes_test {
namespace {

using namespace test;

constexpr double kTolerance = 1e-5, kClearance = 1e-3;

Pose at(const Vec3& place) { return Pose::from_translation(place); }

ObjectMoveOptions with(Response response) {
  ObjectMoveOptions options;
  options.tolerance = kTolerance;
  options.clearance = kClearance;
  options.response = response;
  return options;
}
BallMoveOptions ball_with(Response response) {
  BallMoveOptions options;
  options.tolerance = kTolerance;
  options.clearance = kClearance;
  options.response = response;
  return options;
}

/// The whole motion is proved, by the time of impact of a band below the clearance, and sampled.
void expect_free(const Shape& moved, const ObjectMove& move, const Shape& other, const Pose& pose) {
  for (const Motion& way : move.path) {
    const ToiResult proof =
        time_of_impact(moved, way, other, Motion::at(pose),
                       {.tolerance = 0.2 * kClearance, .clearance = 0.7 * kClearance});
    EXPECT_EQ(proof.status, ToiStatus::free) << name(moved.kind()) << " " << name(other.kind());
    for (const double t : {0.0, 0.5, 1.0})
      EXPECT_GT(distance(moved, way.pose(t), other, pose).distance.upper, 0.999 * kClearance);
  }
  for (std::size_t i = 1; i < move.path.size(); ++i)
    EXPECT_LT((move.path[i - 1].pose(1).translation() - move.path[i].pose(0).translation()).norm(),
              1e-12);
}

TEST(MoveShapes, StopSlideAndAreReflectedOnAFloor) {
  const Object soup(scenes::box({-50, -50, -1}, {50, 50, 0}));
  const Vec3 motion(2, 0, -3);
  for (const Shape& moved : {Shape::sphere(0.5), Shape::box({0.5, 0.5, 0.5}),
                             Shape::cylinder(0.3, 1), Shape::cone(0.3, 1)})
    for (const Shape& floor :
         {Shape::half_space(Vec3::UnitZ(), 0), Shape::box({50, 50, 0.0}), Shape::soup(soup)}) {
      const Pose start = at({0, 0, 2});
      const double met = (1.5 - kClearance) / 3;
      const ObjectMove stopped = move_object(moved, start, motion, floor, {}, with(Response::stop));
      EXPECT_EQ(stopped.status, MoveStatus::stopped);
      EXPECT_NEAR(stopped.t, met, kTolerance);
      ASSERT_EQ(stopped.contacts.size(), 1U);
      EXPECT_LT((stopped.contacts[0].contact.normal + Vec3::UnitZ()).norm(), 1e-9);
      const ObjectMove slid = move_object(moved, start, motion, floor, {}, with(Response::slide));
      EXPECT_EQ(slid.status, MoveStatus::arrived);
      EXPECT_LT((slid.pose.translation() - Vec3(2, 0, 0.5 + kClearance)).norm(), 2 * kTolerance);
      ObjectMoveOptions half = with(Response::reflect);
      half.restitution = 0.5;
      const ObjectMove back = move_object(moved, start, motion, floor, {}, half);
      EXPECT_EQ(back.status, MoveStatus::arrived);
      EXPECT_LT((back.motion - Vec3(2, 0, 1.5)).norm(), 1e-9);
      for (const ObjectMove& move : {stopped, slid, back}) expect_free(moved, move, floor, {});
    }
}

// It goes on along the plane that touches both.
TEST(MoveShapes, ABallSlidesAlongABall) {
  const Shape a = Shape::sphere(0.5), b = Shape::sphere(1);
  const ObjectMove move = move_object(a, at({-3, 0, 1.2}), {3, 0, 0}, b, {}, with(Response::slide));
  expect_free(a, move, b, {});
  ASSERT_EQ(move.contacts.size(), 1U);
  const double x = -std::sqrt(std::pow(1.5 + kClearance, 2) - 1.44), t = (x + 3) / 3;
  EXPECT_NEAR(move.contacts[0].t, t, 2 * kTolerance);
  const Vec3 normal = Vec3(x, 0, 1.2).normalized();
  const Vec3 end = Vec3(x, 0, 1.2) + (1 - t) * slide({3, 0, 0}, normal);
  EXPECT_LT((move.pose.translation() - end).norm(), 4 * kTolerance);
}

TEST(MoveShapes, TurnOnAFloor) {
  const Shape box = Shape::box({0.5, 0.3, 0.2}), floor = Shape::half_space(Vec3::UnitZ(), 0);
  const Motion turning = Motion::interpolated(
      at({0, 0, 0.3}), Pose::from_axis_angle(Vec3::UnitX(), 0.5 * std::numbers::pi, {1, 0, 0.3}));
  const ObjectMove move = move_object(box, turning, floor, {}, with(Response::slide));
  EXPECT_EQ(move.status, MoveStatus::arrived);
  EXPECT_GT(move.contacts.size(), 0U);
  expect_free(box, move, floor, {});
  EXPECT_NEAR(move.pose.matrix()(2, 1), 1, 1e-9);
}

// A round shape comes down with other points than the ones that are lowest now, and is not stopped
// by each of them.
TEST(MoveShapes, RoundOnesTurnOnAFloor) {
  const Shape floor = Shape::half_space(Vec3::UnitZ(), 0);
  for (const Shape& moved : {Shape::cylinder(0.5, 0.4), Shape::ellipsoid({0.5, 0.3, 0.2}),
                             Shape::capsule(0.2, 0.6), Shape::cone(0.4, 0.5)}) {
    const Pose start = at({0, 0, 0.7}) * Pose::from_axis_angle({1, 2, 3}, 0.5, Vec3::Zero());
    const Pose end = at({1, 0, -0.3}) * Pose::from_axis_angle({3, 1, 1}, 2.5, Vec3::Zero());
    const ObjectMove move =
        move_object(moved, Motion::interpolated(start, end), floor, {}, with(Response::slide));
    EXPECT_EQ(move.status, MoveStatus::arrived) << name(moved.kind());
    EXPECT_GT(move.contacts.size(), 0U);
    EXPECT_LT(move.contacts.size(), 40U) << name(moved.kind());
    expect_free(moved, move, floor, {});
  }
}

// Any shapes among any, all responses: what was carried out is free, and often something is met.
TEST(MoveShapes, RandomOnesNeverComeTooNear) {
  base::Random random(5);
  const Response responses[] = {Response::stop, Response::slide, Response::reflect};
  int met = 0, all = 0;
  for (int i = 0; i < scaled(300, 60); ++i) {
    const Shape moved = some_shape(random, static_cast<int>(random.below(11)));
    Shape other = some_shape(random, static_cast<int>(random.below(11)));
    if (i % 4 == 0) {
      const double size = random.uniform(0.3, 0.8);
      other =
          Shape::soup(Object(i % 8 == 0 ? scenes::box(Vec3::Constant(-size), Vec3::Constant(size))
                                        : scenes::torus(size, 0.4 * size, 12, 8)));
    }
    const Pose pose = random_pose(random, 0.5);
    const Pose start = random_pose(random, 0.5) * at({0, 0, 4});
    const Pose towards =
        at(-0.9 * start.translation()) * start *
        Pose::from_axis_angle(random.direction(), random.uniform(-1, 1), 0.5 * random.in_box(1));
    const Motion wanted = i % 3 == 0 ? Motion::interpolated(start, at(-start.translation()) * start)
                                     : Motion::interpolated(start, towards);
    ObjectMoveOptions options = with(responses[random.below(3)]);
    options.max_contacts = 20;
    const ObjectMove move = move_object(moved, wanted, other, pose, options);
    ++all;
    met += !move.contacts.empty();
    EXPECT_NE(move.status, MoveStatus::initially_touching);
    expect_free(moved, move, other, pose);
    for (const ObjectContact& contact : move.contacts)
      EXPECT_LE(contact.contact.distance, kClearance + 1.01 * kTolerance);
  }
  EXPECT_GT(met, all / 2);
}

TEST(MoveShapes, InAWorld) {
  World world;
  world.add(Shape::half_space(Vec3::UnitZ(), 0));
  world.add(Object(scenes::box({2, -5, 0}, {3, 5, 5})));
  const NodeId self = world.add(Shape::sphere(0.5), at({0, 0, 1}));
  ObjectMoveOptions options = with(Response::slide);
  options.ignored = self;
  const ObjectMove move = move_object(world.shape(self), at({0, 0, 1}), {4, 1, -4}, world, options);
  EXPECT_EQ(move.status, MoveStatus::arrived);
  EXPECT_LT((move.pose.translation() - Vec3(1.5 - kClearance, 1, 0.5 + kClearance)).norm(),
            3 * kTolerance);
  // An object among shapes.
  const Object box(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5)));
  const ObjectMove of_object = move_object(box, at({0, 0, 1}), {4, 1, -4}, world, options);
  EXPECT_LT((of_object.pose.translation() - move.pose.translation()).norm(), 6 * kTolerance);
  const BallMove ball = move_ball({{0, 3, 1}, 0.5}, {4, 1, -4}, world, ball_with(Response::slide));
  EXPECT_EQ(ball.status, MoveStatus::arrived);
  EXPECT_LT((ball.path.back() - Vec3(1.5 - kClearance, 4, 0.5 + kClearance)).norm(),
            3 * kTolerance);
}

// ---- balls -------------------------------------------------------------------------------------

// A cast meets where the time of impact of a sphere, which is another search, says.
TEST(MoveShapes, CastsMeetWhereSpheresDo) {
  base::Random random(6);
  int met = 0, all = 0;
  for (int i = 0; i < scaled(3000, 300); ++i) {
    const Shape shape = i % 12 == 0 ? Shape::half_space(random.direction(), random.uniform(-1, 0))
                                    : some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 0.5);
    const double radius = i % 3 == 0 ? 0 : random.uniform(0.1, 0.5);
    const Segment way = {random.in_box(1) + 3 * random.direction(), 0.7 * random.in_box(1)};
    if (closest_point(shape, pose, way.start).distance <= radius + 1e-4) continue;
    const auto hit = cast_ball(shape, pose, way, radius, 1e-6);
    const ToiResult impact =
        time_of_impact(Shape::sphere(radius), Motion::interpolated(at(way.start), at(way.end)),
                       shape, Motion::at(pose), {.tolerance = 1e-8});
    ++all;
    met += hit.has_value();
    if (!hit) {
      // A shape that is not met may be passed within the tolerance.
      EXPECT_EQ(impact.status, ToiStatus::free);
      continue;
    }
    const Vec3 centre = way.start + hit->t * (way.end - way.start);
    const double apart = closest_point(shape, pose, centre).distance;
    EXPECT_GE(apart, radius - 1e-12);
    EXPECT_LE(apart, radius + 1.001e-6);
    EXPECT_EQ(hit->face, kNone);
    EXPECT_NEAR(hit->distance, apart, 1e-9);
    if (impact.status == ToiStatus::contact) {
      EXPECT_LE(hit->t, impact.time.upper + 1e-9);
    }
  }
  EXPECT_GT(met, 3 * all / 10);
  EXPECT_LT(met, 8 * all / 10);
}

TEST(MoveShapes, ABallRunsAroundShapes) {
  base::Random random(7);
  const Response responses[] = {Response::stop, Response::slide, Response::reflect};
  int met = 0;
  const int all = scaled(400, 60);
  for (int i = 0; i < all; ++i) {
    const Shape shape = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 0.3);
    const double radius = random.uniform(0, 0.3);
    const Vec3 start = 3.5 * random.direction();
    const BallMove move = move_ball({start, radius}, -1.8 * start + random.in_box(1), shape, pose,
                                    ball_with(responses[random.below(3)]));
    met += !move.contacts.empty();
    for (std::size_t k = 1; k < move.path.size(); ++k)
      for (int s = 0; s <= 8; ++s) {
        const Vec3 x = move.path[k - 1] + s / 8.0 * (move.path[k] - move.path[k - 1]);
        EXPECT_GT(closest_point(shape, pose, x).distance, radius + kClearance - 1e-12);
      }
  }
  EXPECT_GT(met, 3 * all / 10);
}

// Without radius and clearance: inside, and on the surface within rounding.
TEST(MoveShapes, APointThatBeginsInAShape) {
  base::Random random(8);
  const Shape cylinder = Shape::cylinder(0.4, 1), box = Shape::box({0.5, 0.3, 0.2});
  const Shape shapes[] = {Shape::sphere(0.7),
                          Shape::capsule(0.3, 1),
                          box,
                          cylinder,
                          Shape::cone(0.5, 1),
                          Shape::ellipsoid({0.5, 0.3, 0.8}),
                          Shape::hull(box.corners()),
                          Shape::zonotope(Vec3::Zero(), box.corners().first(4)),
                          Shape::sum(cylinder, box),
                          box.rounded(0.1),
                          Shape::half_space({1, 2, 3}, 0.5)};
  for (const Shape& shape : shapes)
    for (const Response response : {Response::stop, Response::slide, Response::reflect})
      for (int i = 0; i < scaled(200, 40); ++i) {
        const Pose pose = i % 2 == 0 ? Pose() : random_pose(random, 1);
        const bool inside = i % 4 < 2;
        const Vec3 direction = random.direction();
        const Vec3 on_it = shape.kind() == ShapeKind::half_space
                               ? closest_point(shape, {}, 5 * Vec3(1, 2, 3) + direction).point
                               : shape.support(direction);
        const double share = inside ? random.uniform(0, 0.9) : 1 + 1e-16 * random.uniform(-9, 9);
        BallMoveOptions options = ball_with(response);
        options.clearance = 0;
        const Vec3 start = pose * Vec3(share * on_it), motion = random.in_box(1);
        BallMove move;
        ASSERT_NO_THROW(move = move_ball({start, 0}, motion, shape, pose, options))
            << name(shape.kind());
        ASSERT_FALSE(move.path.empty());
        EXPECT_EQ(move.path.front(), start);
        if (inside) {
          EXPECT_EQ(move.status, MoveStatus::initially_touching) << name(shape.kind());
        }
        if (move.status == MoveStatus::initially_touching) {
          EXPECT_EQ(move.path.size(), 1U);
          EXPECT_TRUE(move.contacts.empty());
          EXPECT_TRUE(move.motion.isZero(0));
        }
        for (const BallContact& contact : move.contacts)
          EXPECT_NEAR(contact.normal.norm(), 1, 1e-12);
      }
}

// Casts at a soup give the hits of its object, bit by bit.
TEST(MoveShapes, CastsAtSoupsAreThoseOfTheObject) {
  base::Random random(29);
  int hits = 0;
  for (int i = 0; i < 100; ++i) {
    const Object object(scenes::bumpy_sphere(100, random.next()));
    const Pose pose = test::random_pose(random, 1);
    const Segment way{random.in_box(3), random.in_box(1)};
    const auto expected = cast_ball(object, pose, way, 0.2, 1e-3);
    const auto found = cast_ball(Shape(object), pose, way, 0.2, 1e-3);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (!found) continue;
    ++hits;
    EXPECT_EQ(found->face, expected->face);
    EXPECT_EQ(found->t, expected->t);
    EXPECT_EQ(found->point, expected->point);
    EXPECT_EQ(found->normal, expected->normal);
    EXPECT_EQ(found->distance, expected->distance);
  }
  EXPECT_GT(hits, 20);
}

TEST(MoveShapes, WhatCannotBe) {
  const Shape plane = Shape::half_space(Vec3::UnitZ(), 0), ball = Shape::sphere(1);
  const Shape soft = Shape::soup(Object(scenes::box({0, 0, 0}, {1, 1, 1}))).rounded(0.1);
  const Pose start = at({0, 0, 3});
  World world;
  const auto options = with(Response::stop);
  EXPECT_THROW((void)move_object(plane, start, {1, 0, 0}, plane, {}, options), InvalidInput);
  EXPECT_THROW((void)move_object(plane, start, {1, 0, 0}, world, options), InvalidInput);
  EXPECT_THROW((void)move_object(soft, start, {1, 0, 0}, ball, {}, options), InvalidInput);
  EXPECT_THROW((void)move_object(ball, start, {1, 0, 0}, soft, {}, options), InvalidInput);
  EXPECT_THROW((void)move_ball({{0, 0, 5}, 1}, {1, 0, 0}, soft, {}, ball_with(Response::stop)),
               InvalidInput);
  EXPECT_THROW((void)cast_ball(soft, {}, {{0, 0, 5}, {0, 0, 0}}, 1, 0.1), InvalidInput);
  EXPECT_THROW((void)cast_ball(ball, {}, {{0, 0, 5}, {0, 0, 0}}, -1, 0.1), InvalidInput);
  // Bodies that begin in each other stay.
  const ObjectMove stays = move_object(ball, at({0, 0, 0.5}), {1, 0, 0}, plane, {}, options);
  EXPECT_EQ(stays.status, MoveStatus::initially_touching);
  EXPECT_TRUE(stays.path.empty());
}

}  // namespace
}  // namespace touche::move_shapes_test
