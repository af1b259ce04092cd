// SPDX-License-Identifier: Apache-2.0
// Objects that are moved through soups: equivalent calls must agree, and nothing is passed through.
#include "touche/reference.h"
#include "touche/response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::move_object_attack_test {
namespace {

using test::scaled;

constexpr double kTolerance = 1e-5;

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }
Object cube(double half) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), 1));
}
ObjectMoveOptions with(Response response, double clearance = 0) {
  ObjectMoveOptions options;
  options.tolerance = kTolerance;
  options.clearance = clearance;
  options.response = response;
  return options;
}
Pose some_pose(base::Random& random, double reach) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, 3);
  return Pose::from_axis_angle(axis, angle, random.in_box(reach));
}
double gap(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  return brute_force::distance(a, pose_a, b, pose_b).distance.upper;
}

// ---- equivalent calls ---------------------------------------------------------------------------

// To move a among b is to move b the other way among a.
TEST(MoveObjectAttack, IsTheSameSeenFromTheOther) {
  base::Random random(32);
  int met = 0, several = 0;
  for (int i = 0; i < scaled(150); ++i) {
    scenes::RandomSoup how;
    how.faces = 10 + random.below(30);
    how.face_size = random.uniform(0.3, 0.8);
    const Object a(scenes::random_soup(random.next(), how)), b = cube(random.uniform(0.1, 0.4));
    const Pose pose_a = some_pose(random, 0.5);
    Pose pose_b = some_pose(random, 0.5);
    const Vec3 from = 4 * random.direction();
    pose_b = Pose::from_translation(from) * pose_b;
    const Vec3 motion = -1.6 * from;
    const ObjectMoveOptions options = with(static_cast<Response>(random.below(2)), 0.01);
    const ObjectMove one = move_object(b, pose_b, motion, a, pose_a, options);
    const ObjectMove other = move_object(a, pose_a, -motion, b, pose_b, options);
    if (one.contacts.empty()) {
      EXPECT_TRUE(other.contacts.empty()) << i;
      continue;
    }
    ++met;
    several += one.contacts.size() > 1;
    ASSERT_FALSE(other.contacts.empty()) << i;
    // At first they agree, later on rounding may choose another way round a corner.
    EXPECT_NEAR(one.contacts[0].t, other.contacts[0].t, 1e-4) << i;
    if (options.response != Response::stop) continue;
    const Vec3 way = one.pose.translation() - pose_b.translation(),
               back = other.pose.translation() - pose_a.translation();
    EXPECT_LT((way + back).norm(), 4 * kTolerance) << i;
  }
  EXPECT_GT(met, scaled(30));
  EXPECT_GT(several, scaled(15));
}

// A sphere of many faces goes as a ball, up to the height of its faces.
TEST(MoveObjectAttack, ASphereGoesAsABall) {
  base::Random random(33);
  const double radius = 0.2;
  const Object sphere(scenes::sphere(radius, 3000));
  const double off = 0.01 * radius;  // by which its faces are below the ball
  int met = 0;
  for (int i = 0; i < scaled(60); ++i) {
    const Object room = cube(1);
    const Pose turned = some_pose(random, 0);
    const Vec3 start = random.in_box(0.3);
    const Vec3 motion = random.in_box(2);
    BallMoveOptions for_ball;
    for_ball.tolerance = kTolerance;
    for_ball.response = static_cast<Response>(random.below(3));
    ObjectMoveOptions options = with(for_ball.response);
    const BallMove ball = move_ball({start, radius}, motion, room, turned, for_ball);
    const ObjectMove move =
        move_object(sphere, Pose::from_translation(start), motion, room, turned, options);
    ASSERT_EQ(move.status, ball.status) << i;
    EXPECT_LT((move.pose.translation() - ball.path.back()).norm(), 20 * off) << i;
    EXPECT_LT((move.motion - ball.motion).norm(), 0.25 * motion.norm()) << i;
    met += !ball.contacts.empty();
  }
  EXPECT_GT(met, scaled(30));
}

TEST(MoveObjectAttack, AmongBodiesItIsAsInOneObjectOfAllOfThem) {
  base::Random random(34);
  int met = 0;
  for (int i = 0; i < scaled(60); ++i) {
    World world;
    std::vector<PolygonSoup> placed;
    for (int b = 0; b < 8; ++b) {
      const Vec3 lo = random.in_box(2);
      placed.push_back(scenes::box(lo, lo + Vec3(0.5, 0.6, 0.7), 1));
      world.add(Object(placed.back()));
      world.add(cube(0.5), Pose::from_translation(lo), {.category = 2});  // unseen
    }
    std::vector<const PolygonSoup*> all;
    for (const PolygonSoup& soup : placed) all.push_back(&soup);
    const Object one(merged(all));
    ObjectMoveOptions options = with(static_cast<Response>(random.below(3)));
    options.mask = 1;
    const Vec3 from = random.in_box(3);
    const Pose start = Pose::from_translation(from) * some_pose(random, 0);
    const Vec3 motion = 2 * (random.in_box(1) - from);
    const Object moved = cube(0.15);
    const NodeId self = world.add(moved, start);
    options.ignored = self;
    const ObjectMove in_world = move_object(moved, start, motion, world, options);
    const ObjectMove in_one = move_object(moved, start, motion, one, {}, options);
    ASSERT_EQ(in_world.status == MoveStatus::initially_touching,
              in_one.status == MoveStatus::initially_touching)
        << i;
    if (in_one.status == MoveStatus::initially_touching) continue;
    ASSERT_EQ(in_world.contacts.empty(), in_one.contacts.empty()) << i;
    if (in_one.contacts.empty()) continue;
    EXPECT_NEAR(in_world.contacts[0].t, in_one.contacts[0].t, 1e-4) << i;
    for (const ObjectContact& contact : in_world.contacts) {
      ASSERT_EQ(world.options(contact.body).category, 1U);
      ASSERT_NE(contact.body, self);
    }
    ++met;
  }
  EXPECT_GT(met, scaled(10));
  World empty;
  const ObjectMove free =
      move_object(cube(1), at(1, 2, 3), {1, 1, 1}, empty, with(Response::slide));
  EXPECT_EQ(free.status, MoveStatus::arrived);
  EXPECT_LT((free.pose.translation() - Vec3(2, 3, 4)).norm(), 1e-12);
}

// ---- never through anything --------------------------------------------------------------------

TEST(MoveObjectAttack, NeverPassesThroughAnything) {
  base::Random random(35);
  int ends[4] = {}, many = 0, turning = 0;
  const int cases = scaled(150);
  for (int i = 0; i < cases; ++i) {
    scenes::RandomSoup how;
    how.faces = 5 + random.below(40);
    how.face_size = random.uniform(0.2, 0.8);
    how.slivers = 0.3;
    const Object a(random.below(2) == 0 ? scenes::random_soup(random.next(), how)
                                        : scenes::box({-0.3, -0.2, -0.1}, {0.3, 0.2, 0.1}, 2));
    const Object b(random.below(3) == 0 ? scenes::box({-2, -2, -2}, {2, 2, 2}, 2)
                                        : scenes::random_soup(random.next(), how));
    const Pose pose_b = some_pose(random, 0.2);
    ObjectMoveOptions options = with(static_cast<Response>(random.below(3)));
    options.clearance = random.below(2) == 0 ? 0 : random.uniform(0, 0.05);
    options.restitution = random.uniform();
    options.tolerance = std::pow(10, random.uniform(-6, -2));
    options.max_contacts = 30;
    const Pose start = Pose::from_translation(random.in_box(2.5)) * some_pose(random, 0);
    const Vec3 to = random.in_box(1.5);
    const Vec3 motion = random.uniform(0.5, 2) * (to - start.translation());
    Motion wanted = Motion::interpolated(start, Pose::from_translation(motion) * start);
    if (random.below(3) == 0) {
      const Vec3 axis = random.direction();
      const double angle = random.uniform(-2, 2);
      wanted = Motion::screw(start, to, axis, angle, random.uniform(-2, 2));
      ++turning;
    }
    const ObjectMove move = move_object(a, wanted, b, pose_b, options);
    ++ends[static_cast<int>(move.status)];
    many += move.contacts.size() > 1;
    if (move.status == MoveStatus::initially_touching) {
      EXPECT_LE(gap(a, start, b, pose_b), options.clearance + 1e-12) << i;
      EXPECT_TRUE(move.path.empty());
      EXPECT_EQ(move.t, 0);
      continue;
    }
    Pose last = start;
    for (std::size_t s = 0; s < move.path.size(); ++s) {
      const Motion& piece = move.path[s];
      EXPECT_LT((piece.pose(0).translation() - last.translation()).norm(), 1e-12) << i;
      EXPECT_LT((piece.pose(0).matrix() - last.matrix()).norm(), 1e-12) << i;
      last = piece.pose(1);
      // Another question, without a clearance; now and then by every pair of triangles.
      const Motion rest = Motion::at(pose_b);
      const ToiOptions exactly{.tolerance = 1e-12};
      const ToiResult judge = i % 16 == 0 ? brute_force::time_of_impact(a, piece, b, rest, exactly)
                                          : time_of_impact(a, piece, b, rest, exactly);
      ASSERT_EQ(judge.status, ToiStatus::free) << i << " " << s;
      for (int k = 0; k <= 4; ++k)
        ASSERT_GT(gap(a, piece.pose(k / 4.0), b, pose_b), options.clearance) << i << " " << s;
    }
    EXPECT_LT((last.translation() - move.pose.translation()).norm(), 1e-12) << i;
    for (const ObjectContact& contact : move.contacts) {
      EXPECT_GT(contact.contact.distance, options.clearance) << i;
      EXPECT_LE(contact.contact.distance, options.clearance + options.tolerance * 1.01) << i;
    }
    if (move.status == MoveStatus::arrived) {
      EXPECT_EQ(move.t, 1) << i;
    }
  }
  EXPECT_GT(ends[0], cases / 10);
  EXPECT_GT(ends[1], cases / 20);
  EXPECT_GT(ends[2], cases / 100);
  EXPECT_GT(many, cases / 20);
  EXPECT_GT(turning, cases / 10);
}

}  // namespace
}  // namespace touche::move_object_attack_test
