// SPDX-License-Identifier: Apache-2.0
// Objects that are moved through soups: closed forms, starts and limits.
#include "touche/response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::move_object_test {
namespace {

using std::numbers::pi;
using test::scaled;

constexpr double kTolerance = 1e-5;

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }
Object cube(double half, Index divisions = 1) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), divisions));
}
Object floor_below(double z) { return Object(scenes::box({-50, -50, z - 1}, {50, 50, z}, 1)); }
ObjectMoveOptions with(Response response, double clearance = 0) {
  ObjectMoveOptions options;
  options.tolerance = kTolerance;
  options.clearance = clearance;
  options.response = response;
  return options;
}

// ---- closed forms ------------------------------------------------------------------------------

TEST(MoveObject, StopsSlidesAndIsReflectedOnAFloor) {
  const Object box = cube(0.5), floor = floor_below(0);
  const Pose start = at(0, 0, 2);
  const Vec3 motion(2, 0, -3);
  const double clearance = 0.01, met = (2 - 0.5 - clearance) / 3;
  const ObjectMove stopped =
      move_object(box, start, motion, floor, {}, with(Response::stop, clearance));
  EXPECT_EQ(stopped.status, MoveStatus::stopped);
  EXPECT_NEAR(stopped.t, met, kTolerance);
  EXPECT_GT(stopped.pose.translation().z(), 0.5 + clearance);
  EXPECT_LE(stopped.pose.translation().z(), 0.5 + clearance + kTolerance);
  EXPECT_EQ(stopped.motion, Vec3::Zero());
  ASSERT_EQ(stopped.contacts.size(), 1U);
  EXPECT_LT((stopped.contacts[0].contact.normal + Vec3::UnitZ()).norm(), 1e-9);
  EXPECT_EQ(stopped.path.size(), 1U);

  const ObjectMove slid =
      move_object(box, start, motion, floor, {}, with(Response::slide, clearance));
  EXPECT_EQ(slid.status, MoveStatus::arrived);
  EXPECT_EQ(slid.t, 1);
  EXPECT_LT((slid.pose.translation() - Vec3(2, 0, 0.5 + clearance)).norm(), 2 * kTolerance);
  EXPECT_LT((slid.motion - Vec3(2, 0, 0)).norm(), 1e-9);
  EXPECT_EQ(slid.contacts.size(), 1U);

  ObjectMoveOptions half = with(Response::reflect, clearance);
  half.restitution = 0.5;
  const ObjectMove back = move_object(box, start, motion, floor, {}, half);
  EXPECT_EQ(back.status, MoveStatus::arrived);
  const double high = 0.5 + clearance + (1 - met) * 1.5;
  EXPECT_LT((back.pose.translation() - Vec3(2, 0, high)).norm(), 5 * kTolerance);
  EXPECT_LT((back.motion - Vec3(2, 0, 1.5)).norm(), 1e-9);
  ASSERT_EQ(back.path.size(), 2U);
}

// Its faces are parallel to the faces of the room, so its centre moves as a point in a smaller
// room, whose mirror images fill space.
TEST(MoveObject, PlaysBilliardsInABox) {
  base::Random random(31);
  for (int i = 0; i < scaled(40); ++i) {
    const double size = random.uniform(0.05, 0.5), half = 1 - size;
    const Object box = cube(size), room = cube(1, 1 + random.below(3));
    const Vec3 start = random.in_box(0.9 * half);
    const Vec3 motion = random.in_box(6);
    ObjectMoveOptions options = with(Response::reflect);
    options.max_contacts = 1000;
    const ObjectMove move =
        move_object(box, Pose::from_translation(start), motion, room, {}, options);
    ASSERT_EQ(move.status, MoveStatus::arrived) << i;
    EXPECT_NEAR(move.motion.norm(), motion.norm(), 1e-9 * motion.norm());
    double bounces = 0;
    for (int k = 0; k < 3; ++k) {
      const double unfolded = start[k] + motion[k];
      const double room_number = std::round(unfolded / (2 * half));
      const double inside = unfolded - 2 * half * room_number;
      const bool mirrored = std::fmod(std::abs(room_number), 2) == 1;
      bounces += std::abs(room_number);
      EXPECT_NEAR(move.pose.translation()[k], mirrored ? -inside : inside,
                  4 * kTolerance * (1 + std::abs(room_number)))
          << i;
    }
    EXPECT_NEAR(static_cast<double>(move.contacts.size()), bounces, 1.5);  // corners count once
  }
}

TEST(MoveObject, SlidesDownAGrooveIntoACorner) {
  const Object box = cube(0.1), room = cube(1);
  const ObjectMove move = move_object(box, at(0, 0, 0), {5, 3, 2}, room, {}, with(Response::slide));
  EXPECT_EQ(move.status, MoveStatus::stopped);
  ASSERT_EQ(move.contacts.size(), 3U);
  EXPECT_LT((move.pose.translation() - Vec3::Constant(0.9)).norm(), 4 * kTolerance);
  EXPECT_NEAR(move.contacts[0].t, 0.9 / 5, 1e-4);
  EXPECT_NEAR(move.contacts[1].t, 0.9 / 3, 1e-4);
  EXPECT_NEAR(move.contacts[2].t, 0.9 / 2, 1e-4);
  const ObjectMove along =
      move_object(box, at(0, 0, 0), {5, 3, 0.5}, room, {}, with(Response::slide));
  EXPECT_EQ(along.status, MoveStatus::arrived);
  EXPECT_LT((along.pose.translation() - Vec3(0.9, 0.9, 0.5)).norm(), 4 * kTolerance);
}

// All three walls at the same moment: none of them is preferred.
TEST(MoveObject, MeetsACornerAtOnce) {
  const Object box = cube(0.1), room = cube(1);
  const ObjectMove slid = move_object(box, at(0, 0, 0), {2, 2, 2}, room, {}, with(Response::slide));
  EXPECT_EQ(slid.status, MoveStatus::stopped);
  EXPECT_EQ(slid.contacts.size(), 1U);
  const ObjectMove back =
      move_object(box, at(0, 0, 0), {1.5, 1.5, 1.5}, room, {}, with(Response::reflect));
  EXPECT_EQ(back.status, MoveStatus::arrived);
  EXPECT_LT((back.motion - Vec3::Constant(-1.5)).norm(), 1e-9);
  EXPECT_LT((back.pose.translation() - Vec3::Constant(0.3)).norm(), 5 * kTolerance);
}

TEST(MoveObject, AnAcuteWedgeHoldsItAtOnce) {
  for (const double angle : {0.5, 0.1, 0.03}) {  // half of the wedge, open towards +x
    const double y = 10 * std::tan(angle);
    const double xyz[] = {0, 0, -9, 0, 0, 9, 10, y, -9, 10, y, 9, 10, -y, -9, 10, -y, 9};
    const Index corners[] = {0, 1, 3, 0, 3, 2, 0, 1, 5, 0, 5, 4};
    const Object wedge((PolygonSoup(xyz, corners)));
    const double half = 0.01;
    const ObjectMove move =
        move_object(cube(half), at(9, 0.01, 0), {-20, 0.003, 1}, wedge, {}, with(Response::slide));
    // Its corners fit in down to half / tan(angle); after that only z goes on.
    EXPECT_EQ(move.status, MoveStatus::arrived) << angle;
    EXPECT_LE(move.contacts.size(), 6U) << angle;
    EXPECT_NEAR(move.pose.translation().x(), half / std::tan(angle) + half,
                6 * kTolerance / std::sin(angle));
    EXPECT_NEAR(move.pose.translation().y(), 0, 6 * kTolerance);
    EXPECT_NEAR(move.pose.translation().z(), 1, 3 * kTolerance);
  }
}

// A box that turns on a floor shifts upwards by what its corners come down.
TEST(MoveObject, TurnsAsItWouldHaveDone) {
  const Object box = cube(0.5), floor = floor_below(0);
  for (const double angle : {0.3, 0.7, -0.5}) {
    const Pose start = at(0, 0, 0.5 + 1e-3);
    const Motion turn = Motion::screw(start, start.translation(), Vec3::UnitY(), angle, 0.2);
    ObjectMoveOptions options = with(Response::slide);
    options.max_contacts = 1000;
    const ObjectMove move = move_object(box, turn, floor, {}, options);
    EXPECT_EQ(move.status, MoveStatus::arrived) << angle;
    const Pose wanted = turn.pose(1);
    EXPECT_LT((move.pose.matrix() - wanted.matrix()).norm(), 1e-12);
    EXPECT_NEAR(move.pose.translation().y(), 0.2, 1e-9);
    const double lowest = std::sqrt(0.5) * std::sin(pi / 4 + std::abs(angle));
    EXPECT_GT(move.pose.translation().z(), lowest);
    // It rises evenly, as fast as the corner comes down at first.
    EXPECT_LT(move.pose.translation().z(), 0.5 + 0.5 * std::abs(angle) + 0.01);
    EXPECT_LE(move.contacts.size(), 5U) << angle;
  }
  // In a slot that is too narrow to turn in it stops, and stays straight enough for it.
  World slot;
  slot.add(floor_below(0));
  slot.add(floor_below(2.01));
  const Object bar(scenes::box({-3, -1, -0.5}, {3, 1, 0.5}, 1));
  const Pose start = at(0, 0, 0.505);
  const ObjectMove held =
      move_object(bar, Motion::screw(start, start.translation(), Vec3::UnitY(), 1, 0), slot,
                  with(Response::slide));
  EXPECT_NE(held.status, MoveStatus::arrived);
  EXPECT_LT(held.t, 0.01);
}

TEST(MoveObject, NothingIsTooThinNorTooFast) {
  const double xyz[] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
  const Index corners[] = {0, 1, 2};
  const Object sheet((PolygonSoup(xyz, corners)));
  for (const double speed : {1.0, 1e3, 1e6}) {
    for (const Response response : {Response::stop, Response::slide, Response::reflect}) {
      const ObjectMove move =
          move_object(cube(0.1), at(0, 0, 0.5), {0, 0, -speed}, sheet, {}, with(response));
      EXPECT_GT(move.pose.translation().z(), 0.1) << speed;
      EXPECT_EQ(move.contacts.size(), 1U) << speed;
    }
  }
}

// ---- starts and limits -------------------------------------------------------------------------

TEST(MoveObject, StartsThatTouchAreToldAndMoveNothing) {
  const Object box = cube(0.5), floor = floor_below(0);
  for (const double z : {0.3, 0.5, 0.505, 0.51})
    for (const double up : {-1.0, 0.0, 1.0}) {
      const ObjectMove move =
          move_object(box, at(0, 0, z), {1, 0, up}, floor, {}, with(Response::slide, 0.01));
      EXPECT_EQ(move.status, MoveStatus::initially_touching) << z;
      EXPECT_TRUE(move.path.empty());
      EXPECT_EQ(move.motion, Vec3::Zero());
      EXPECT_EQ(move.pose.translation(), Vec3(0, 0, z));
    }
}

// However little room there is beyond the clearance: it goes along, away, and no farther in.
TEST(MoveObject, WhereItStoppedItGoesOn) {
  const Object box = cube(0.5), floor = floor_below(0);
  for (const double room : {1.0, 0.5, 0.1, 1e-3}) {
    const Pose start = at(0, 0, 0.51 + room * kTolerance);
    for (const double up : {-1.0, 0.0, 1.0}) {
      const ObjectMove move =
          move_object(box, start, {1, 0, up}, floor, {}, with(Response::slide, 0.01));
      EXPECT_EQ(move.status, MoveStatus::arrived) << room << " " << up;
      EXPECT_NEAR(move.pose.translation().x(), 1, 2 * kTolerance) << room << " " << up;
      EXPECT_GT(move.pose.translation().z(), 0.51) << room << " " << up;
      EXPECT_LE(move.contacts.size(), 4U) << room << " " << up;
      EXPECT_NEAR(move.pose.translation().z(), 0.51 + std::max(0.0, up), 2 * kTolerance)
          << room << " " << up;
    }
  }
  // Over and over, as a game does: it neither sinks nor sticks.
  Pose pose = at(0, 0, 3);
  for (int step = 0; step < 50; ++step) {
    const ObjectMove move =
        move_object(box, pose, {0.1, 0, -0.2}, floor, {}, with(Response::slide, 0.01));
    EXPECT_EQ(move.status, MoveStatus::arrived) << step;
    pose = move.pose;
  }
  EXPECT_NEAR(pose.translation().x(), 5, 1e-3);
  EXPECT_GT(pose.translation().z(), 0.51);
  EXPECT_LT(pose.translation().z(), 0.51 + 1.1 * kTolerance);
}

TEST(MoveObject, EndsWithTheBudgetWhereItsWayIsProved) {
  const Object moved(scenes::sphere(0.4, 2000)), room(scenes::sphere(1, 4000));
  const Vec3 motion(0.5, 2, 0.3);
  ObjectMoveOptions options = with(Response::slide);
  const ObjectMove whole = move_object(moved, {}, motion, room, {}, options);
  EXPECT_NE(whole.status, MoveStatus::unfinished);
  int unfinished = 0;
  double last = 0;
  for (const std::uint64_t work : {0, 1, 30, 300, 3000, 30000}) {
    options.budget.max_work = work;
    const ObjectMove part = move_object(moved, {}, motion, room, {}, options);
    unfinished += part.status == MoveStatus::unfinished;
    EXPECT_GE(part.t, last - 1e-12);
    last = part.t;
    EXPECT_GT(distance(moved, part.pose, room, {}).distance.lower, 0);
  }
  EXPECT_GE(unfinished, 3);
  options.budget = {};
  options.max_contacts = 1;
  const ObjectMove first = move_object(moved, {}, motion, room, {}, options);
  EXPECT_EQ(first.status, MoveStatus::unfinished);
  EXPECT_EQ(first.contacts.size(), 1U);
}

TEST(MoveObject, TheSameQuestionHasTheSameBits) {
  const Object moved(scenes::sphere(0.3, 500)), room = cube(1, 3);
  const Motion wanted = Motion::screw({}, {0.2, 0, 0}, {1, 2, 3}, 2, 3);
  const ObjectMove one = move_object(moved, wanted, room, {}, with(Response::slide));
  const ObjectMove two = move_object(moved, wanted, room, {}, with(Response::slide));
  EXPECT_FALSE(one.contacts.empty());
  EXPECT_EQ(one.pose.translation(), two.pose.translation());
  EXPECT_EQ(one.t, two.t);
  EXPECT_EQ(one.motion, two.motion);
}

TEST(MoveObject, RefusesWhatHasNoMeaning) {
  const Object box = cube(0.1), room = cube(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3 motion(1, 0, 0);
  const auto refused = [&](const Vec3& by, const ObjectMoveOptions& options) {
    World world;
    world.add(room);
    EXPECT_THROW((void)move_object(box, {}, by, room, {}, options), InvalidInput);
    EXPECT_THROW((void)move_object(box, {}, by, world, options), InvalidInput);
  };
  const ObjectMoveOptions good = with(Response::slide);
  refused({nan, 0, 0}, good);
  refused({kInfinity, 0, 0}, good);
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    ObjectMoveOptions options = good;
    options.tolerance = bad;
    refused(motion, options);
  }
  for (const double bad : {-1.0, nan, kInfinity}) {
    ObjectMoveOptions options = good;
    options.clearance = bad;
    refused(motion, options);
  }
  for (const double bad : {-0.1, 1.1, nan}) {
    ObjectMoveOptions options = good;
    options.restitution = bad;
    refused(motion, options);
  }
  ObjectMoveOptions options = good;
  options.max_contacts = 0;
  refused(motion, options);
}

}  // namespace
}  // namespace touche::move_object_test
