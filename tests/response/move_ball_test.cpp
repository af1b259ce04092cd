// SPDX-License-Identifier: Apache-2.0
// Points and balls that are moved through soups: closed forms, and never through anything.
#include "touche/reference.h"
#include "touche/response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::move_ball_test {
namespace {

using test::scaled;

constexpr double kTolerance = 1e-6;

Object room(double half, Index divisions = 1) {
  return Object(scenes::box(Vec3::Constant(-half), Vec3::Constant(half), divisions));
}
Object triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double xyz[] = {a.x(), a.y(), a.z(), b.x(), b.y(), b.z(), c.x(), c.y(), c.z()};
  const Index corners[] = {0, 1, 2};
  return Object(PolygonSoup(xyz, corners));
}
BallMoveOptions with(Response response, double clearance = 0) {
  BallMoveOptions options;
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

// ---- casting -----------------------------------------------------------------------------------

TEST(CastBall, MeetsFacesEdgesAndCornersWhenTheFormulasSay) {
  const Object flat = triangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0});
  const double r = 0.5;
  // The face from above: 3 − t · 6 = r.
  auto hit = cast_ball(flat, {}, {{0, 0, 3}, {0, 0, -3}}, r, kTolerance);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->t, 2.5 / 6, kTolerance);
  EXPECT_LT((hit->normal - Vec3::UnitZ()).norm(), 1e-12);
  // The edge y = −5 from outside, off its plane by 0.3: the ball's centre is then 0.4 away in y.
  hit = cast_ball(flat, {}, {{0, -9, 0.3}, {0, -1, 0.3}}, r, kTolerance);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->t, (9 - 5.4) / 8, kTolerance);
  EXPECT_LT((hit->normal - Vec3(0, -0.8, 0.6)).norm(), 1e-5);
  // The corner (0, 5, 0) likewise.
  hit = cast_ball(flat, {}, {{0.3, 9, 0}, {0.3, 1, 0}}, r, kTolerance);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->t, (9 - 5.4) / 8, kTolerance);
  // Just past and just not past the edge's side.
  EXPECT_FALSE(cast_ball(flat, {}, {{-9, -5.5 - 2 * kTolerance, 0}, {9, -5.5 - 2 * kTolerance, 0}},
                         r, kTolerance));
  EXPECT_TRUE(cast_ball(flat, {}, {{-9, -5.5, 0}, {9, -5.5, 0}}, r, kTolerance));
}

TEST(CastBall, FromWhatIsNearItMayGoAway) {
  const Object flat = triangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0});
  for (const double z : {0.5 - 1e-3, 0.5, 0.5 + 0.3 * kTolerance, 0.5 + 0.9 * kTolerance}) {
    EXPECT_FALSE(cast_ball(flat, {}, {{0, 0, z}, {0, 0, 1}}, 0.5, kTolerance)) << z;
    const auto in = cast_ball(flat, {}, {{0, 0, z}, {0, 0, 0.2}}, 0.5, kTolerance);
    ASSERT_TRUE(in) << z;
    EXPECT_LT(in->t, 2 * kTolerance) << z;
  }
  // Along it, for as long as one likes.
  EXPECT_FALSE(cast_ball(flat, {}, {{0, 0, 0.5 + 0.6 * kTolerance}, {4, 0, 0.5 + 0.6 * kTolerance}},
                         0.5, kTolerance));
  EXPECT_TRUE(cast_ball(flat, {}, {{0, 0, 0}, {0, 0, 1}}, 0, kTolerance));  // from on the face
}

// Distances at many points of the path, each by testing every triangle.
TEST(CastBall, IsThatOfEveryTriangleAndNothingIsNearerBefore) {
  base::Random random(21);
  int hits = 0, misses = 0;
  const int cases = scaled(1500);
  for (int i = 0; i < cases; ++i) {
    scenes::RandomSoup how;
    how.faces = 10 + random.below(60);
    how.face_size = random.uniform(0.05, 0.5);
    how.slivers = 0.4;
    const Object soup(scenes::random_soup(random.next(), how));
    const Pose pose = some_pose(random, 1);
    const double radius = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-4, 0));
    const double tolerance = std::pow(10, random.uniform(-9, -2));
    Segment way;
    way.start = random.in_box(3);
    way.end = random.in_box(0.7);
    const auto hit = cast_ball(soup, pose, way, radius, tolerance);
    const auto slow = brute_force::cast_ball(soup, pose, way, radius, tolerance);
    ASSERT_EQ(hit.has_value(), slow.has_value()) << i;
    const auto distance = [&](double t) {
      const Vec3 x = way.start + t * (way.end - way.start);
      return brute_force::closest_point(soup, pose, x).distance;
    };
    if (hit) {
      ASSERT_EQ(hit->t, slow->t) << i;
      ASSERT_EQ(hit->face, slow->face) << i;
    }
    if (distance(0) <= radius + tolerance) continue;
    hit ? ++hits : ++misses;
    if (hit) {
      ASSERT_LE(distance(hit->t), radius + tolerance * (1 + 1e-9)) << i;
      ASSERT_NEAR(distance(hit->t), hit->distance, 1e-12) << i;
    }
    for (int s = 0; s <= 50; ++s) {
      ASSERT_GT(distance((hit ? hit->t : 1) * s / 50), radius) << i << " " << s;
    }
  }
  EXPECT_GT(hits, cases / 5);
  EXPECT_GT(misses, cases / 5);
}

// ---- moving -------------------------------------------------------------------------------------

TEST(MoveBall, StopsSlidesAndIsReflectedAtAWall) {
  const Object wall = triangle({-50, -50, 0}, {50, -50, 0}, {0, 50, 0});
  const Ball ball = {{0, 0, 1}, 0.25};
  const Vec3 motion(2, 0, -3);
  const BallMove stopped = move_ball(ball, motion, wall, {}, with(Response::stop));
  EXPECT_EQ(stopped.status, MoveStatus::stopped);
  EXPECT_NEAR(stopped.t, 0.25, kTolerance);
  EXPECT_LT((stopped.path.back() - Vec3(0.5, 0, 0.25)).norm(), 2 * kTolerance);
  EXPECT_EQ(stopped.motion, Vec3::Zero());
  ASSERT_EQ(stopped.contacts.size(), 1U);
  EXPECT_EQ(stopped.contacts[0].face, 0U);

  const BallMove slid = move_ball(ball, motion, wall, {}, with(Response::slide));
  EXPECT_EQ(slid.status, MoveStatus::arrived);
  EXPECT_LT((slid.path.back() - Vec3(2, 0, 0.25)).norm(), 2 * kTolerance);
  EXPECT_LT((slid.motion - Vec3(2, 0, 0)).norm(), 1e-12);

  BallMoveOptions half = with(Response::reflect);
  half.restitution = 0.5;
  const BallMove back = move_ball(ball, motion, wall, {}, half);
  EXPECT_LT((back.path.back() - Vec3(2, 0, 0.25 + 0.75 * 1.5)).norm(), 4 * kTolerance);
  EXPECT_LT((back.motion - Vec3(2, 0, 1.5)).norm(), 1e-12);
  ASSERT_EQ(back.path.size(), back.contacts.size() + 2);
}

// A ball in a box goes as a point in a smaller one, whose mirror images fill space.
TEST(MoveBall, PlaysBilliardsInABox) {
  base::Random random(22);
  for (int i = 0; i < scaled(200); ++i) {
    const double radius = random.below(2) == 0 ? 0 : random.uniform(0, 0.5), half = 1 - radius;
    const Object box = room(1, 1 + random.below(3));
    const Vec3 start = random.in_box(0.9 * half);
    const Vec3 motion = random.in_box(20);
    BallMoveOptions options = with(Response::reflect);
    options.max_contacts = 1000;
    const BallMove move = move_ball({start, radius}, motion, box, {}, options);
    ASSERT_EQ(move.status, MoveStatus::arrived);
    EXPECT_NEAR(move.motion.norm(), motion.norm(), 1e-11 * motion.norm());
    double bounces = 0;
    for (int k = 0; k < 3; ++k) {
      const double unfolded = start[k] + motion[k];
      const double room_number = std::round(unfolded / (2 * half));
      const double inside = unfolded - 2 * half * room_number;
      const bool mirrored = std::fmod(std::abs(room_number), 2) == 1;
      bounces += std::abs(room_number);
      EXPECT_NEAR(move.path.back()[k], mirrored ? -inside : inside,
                  2 * kTolerance * (1 + std::abs(room_number)))
          << i;
    }
    EXPECT_NEAR(static_cast<double>(move.contacts.size()), bounces, 1.5);  // corners count once
  }
}

TEST(MoveBall, SlidesDownAGrooveIntoACorner) {
  const Object box = room(1);
  const double r = 0.1;
  const BallMove move = move_ball({Vec3::Zero(), r}, {5, 3, 2}, box, {}, with(Response::slide));
  // All that leads on is barred in the end.
  EXPECT_EQ(move.status, MoveStatus::stopped);
  EXPECT_EQ(move.contacts.size(), 3U);
  EXPECT_LT((move.path.back() - Vec3::Constant(0.9)).norm(), 4 * kTolerance);
  EXPECT_NEAR(move.contacts[0].t, 0.9 / 5, 1e-5);
  EXPECT_NEAR(move.contacts[1].t, 0.9 / 3, 1e-5);
  EXPECT_NEAR(move.contacts[2].t, 0.9 / 2, 1e-5);
  // Along the groove it arrives.
  const BallMove along = move_ball({Vec3::Zero(), r}, {5, 3, 0.5}, box, {}, with(Response::slide));
  EXPECT_EQ(along.status, MoveStatus::arrived);
  EXPECT_LT((along.path.back() - Vec3(0.9, 0.9, 0.5)).norm(), 4 * kTolerance);
}

TEST(MoveBall, AnAcuteWedgeHoldsItAtOnce) {
  for (const double angle : {0.5, 0.1, 0.01}) {  // half of the wedge, open towards +x
    const double y = 10 * std::tan(angle);
    const double xyz[] = {0, 0, -9, 0, 0, 9, 10, y, -9, 10, y, 9, 10, -y, -9, 10, -y, 9};
    const Index corners[] = {0, 1, 3, 0, 3, 2, 0, 1, 5, 0, 5, 4};
    const Object wedge((PolygonSoup(xyz, corners)));
    const double r = 0.01;
    const BallMove move =
        move_ball({{9, 0.01, 0}, r}, {-20, 0.003, 1}, wedge, {}, with(Response::slide));
    // It fits in down to r / sin(angle); after that only z goes on.
    EXPECT_EQ(move.status, MoveStatus::arrived);
    EXPECT_LE(move.contacts.size(), 4U) << angle;
    EXPECT_NEAR(move.path.back().x(), r / std::sin(angle), 3 * kTolerance / std::sin(angle));
    EXPECT_NEAR(move.path.back().y(), 0, 3 * kTolerance);
    EXPECT_NEAR(move.path.back().z(), 1, 1e-9);
  }
}

// A ball slides down all around the inside of a bowl, face by face.
TEST(MoveBall, FollowsABowlOfManyFaces) {
  const Object bowl(scenes::sphere(1, 2000));
  BallMoveOptions options = with(Response::slide);
  options.max_contacts = 1000;
  const BallMove move = move_ball({{0.7, 0, 0}, 0.2}, {0, 2, 0.1}, bowl, {}, options);
  EXPECT_GT(move.contacts.size(), 10U);
  EXPECT_NEAR(move.path.back().norm(), 0.8, 0.01);
  EXPECT_LT(move.path.back().x(), -0.4);
}

TEST(MoveBall, StartsThatTouchAreToldAndMoveNothing) {
  const Object box = room(1);
  for (const Response response : {Response::stop, Response::slide, Response::reflect})
    for (const Vec3& motion : {Vec3(1, 0, 0), Vec3(-1, 0, 0)}) {
      for (const double x : {0.9, 0.95, 1.0}) {
        const BallMove move = move_ball({{x, 0, 0}, 0.1}, motion, box, {}, with(response));
        EXPECT_EQ(move.status, MoveStatus::initially_touching);
        EXPECT_EQ(move.path.size(), 1U);
        EXPECT_EQ(move.t, 0);
      }
      // Where it stopped it can go on from, into the wall and away from it.
      const Ball there = {{0.9 - 0.6 * kTolerance, 0, 0}, 0.1};
      const BallMove on = move_ball(there, motion, box, {}, with(response));
      EXPECT_NE(on.status, MoveStatus::initially_touching);
      if (motion.x() < 0) {
        EXPECT_EQ(on.status, MoveStatus::arrived);
      }
    }
}

TEST(MoveBall, NothingIsTooThinNorTooFast) {
  const Object sheet = triangle({-1, -1, 0}, {1, -1, 0}, {0, 1, 0});
  for (const double speed : {1.0, 1e3, 1e6, 1e9}) {
    for (const Response response : {Response::stop, Response::slide, Response::reflect}) {
      const BallMove move = move_ball({{0, 0, 0.5}, 0}, {0, 0, -speed}, sheet, {}, with(response));
      EXPECT_GT(move.path.back().z(), 0) << speed;
      EXPECT_EQ(move.contacts.size(), 1U) << speed;
    }
  }
}

// ---- never through anything ---------------------------------------------------------------------

struct Hostile {
  Object object;
  Pose pose;
};

// Loose triangles, needles, duplicates, faces without area, rooms.
Hostile hostile(base::Random& random) {
  scenes::RandomSoup how;
  how.faces = 20 + random.below(60);
  how.face_size = random.uniform(0.2, 1);
  how.slivers = 0.3;
  const PolygonSoup soup = random.below(3) == 0 ? scenes::box({-1, -1, -1}, {1, 1, 1}, 3)
                                                : scenes::random_soup(random.next(), how);
  std::vector<double> xyz;
  for (const Vec3& v : soup.vertices()) xyz.insert(xyz.end(), {v.x(), v.y(), v.z()});
  std::vector<Index> corners;
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  for (int extra = 0; extra < 6; ++extra) {
    const Index face = 3 * random.below(static_cast<Index>(corners.size() / 3));
    const bool same = random.below(2) == 0;
    corners.insert(corners.end(), {corners[face], corners[same ? face + 1 : face],
                                   corners[same ? face + 2 : face]});
  }
  const Pose pose = random.below(2) == 0 ? Pose() : some_pose(random, 1);
  return {Object(PolygonSoup(xyz, corners)), pose};
}

TEST(MoveBall, NeverPassesThroughAnything) {
  base::Random random(23);
  int ends[4] = {}, many = 0;
  const int cases = scaled(1500);
  for (int i = 0; i < cases; ++i) {
    const Hostile world = hostile(random);
    const double radius = random.below(2) == 0 ? 0 : std::pow(10, random.uniform(-4, -0.5));
    BallMoveOptions options = with(static_cast<Response>(random.below(3)));
    options.clearance = random.below(2) == 0 ? 0 : random.uniform(0, 0.1);
    options.restitution = random.uniform();
    options.tolerance = std::pow(10, random.uniform(-8, -2));
    const Vec3 start = random.in_box(1.5);
    const Vec3 direction = random.direction();
    const Vec3 motion = std::pow(10, random.uniform(-1, 1.5)) * direction;
    const BallMove move = move_ball({start, radius}, motion, world.object, world.pose, options);
    ++ends[static_cast<int>(move.status)];
    many += move.contacts.size() > 1;
    if (move.status == MoveStatus::initially_touching) continue;
    for (std::size_t s = 0; s + 1 < move.path.size(); ++s) {
      const Segment piece = {move.path[s], move.path[s + 1]};
      ASSERT_FALSE(cast_segment(world.object, world.pose, piece)) << i << " " << s;
      for (int k = 0; k <= 8; ++k) {
        const Vec3 x = piece.start + k / 8.0 * (piece.end - piece.start);
        ASSERT_GT(brute_force::closest_point(world.object, world.pose, x).distance,
                  radius + options.clearance)
            << i << " " << s;
      }
    }
    // No step becomes faster.
    ASSERT_LE(move.motion.norm(), motion.norm() * (1 + 1e-9)) << i;
  }
  EXPECT_GT(ends[0], cases / 10);
  EXPECT_GT(ends[1], cases / 20);
  EXPECT_GT(ends[2], cases / 50);
  EXPECT_GT(many, cases / 40);
}

// ---- a world ------------------------------------------------------------------------------------

TEST(MoveBall, AmongBodiesItIsAsInOneObjectOfAllOfThem) {
  base::Random random(24);
  int met = 0;
  for (int i = 0; i < scaled(200); ++i) {
    World world;
    std::vector<PolygonSoup> placed;
    for (int b = 0; b < 8; ++b) {
      const Vec3 lo = random.in_box(2);
      placed.push_back(scenes::box(lo, lo + Vec3(0.5, 0.6, 0.7)));
      world.add(Object(placed.back()));
      world.add(room(0.5), Pose::from_translation(lo), {.category = 2});  // unseen
    }
    std::vector<const PolygonSoup*> all;
    for (const PolygonSoup& soup : placed) all.push_back(&soup);
    const Object one(merged(all));
    BallMoveOptions options = with(static_cast<Response>(random.below(3)));
    options.mask = 1;
    const Vec3 start = random.in_box(3);
    const Vec3 motion = 2 * (random.in_box(1) - start);
    const BallMove in_world = move_ball({start, 0.1}, motion, world, options);
    const BallMove in_one = move_ball({start, 0.1}, motion, one, {}, options);
    ASSERT_EQ(in_world.status, in_one.status) << i;
    ASSERT_EQ(in_world.path.size(), in_one.path.size()) << i;
    for (std::size_t k = 0; k < in_one.path.size(); ++k) {
      ASSERT_LT((in_world.path[k] - in_one.path[k]).norm(), 1e-9) << i;
    }
    for (const BallContact& contact : in_world.contacts) {
      ASSERT_EQ(world.options(contact.body).category, 1U);
    }
    met += !in_one.contacts.empty();
  }
  EXPECT_GT(met, 5);
  World empty;
  const BallMove free = move_ball({{1, 2, 3}, 1}, {1, 1, 1}, empty, with(Response::slide));
  EXPECT_EQ(free.status, MoveStatus::arrived);
  EXPECT_EQ(free.path.back(), Vec3(2, 3, 4));
}

TEST(MoveBall, RefusesWhatHasNoMeaning) {
  const Object box = room(1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Ball& ball, const Vec3& motion, BallMoveOptions options) {
    World world;
    world.add(box);
    EXPECT_THROW((void)move_ball(ball, motion, box, {}, options), InvalidInput);
    EXPECT_THROW((void)move_ball(ball, motion, world, options), InvalidInput);
  };
  const BallMoveOptions good = with(Response::slide);
  const Ball ball = {Vec3::Zero(), 0.1};
  const Vec3 motion(1, 0, 0);
  refused({{nan, 0, 0}, 0.1}, motion, good);
  refused({Vec3::Zero(), -1}, motion, good);
  refused({Vec3::Zero(), nan}, motion, good);
  refused(ball, {nan, 0, 0}, good);
  refused(ball, {kInfinity, 0, 0}, good);
  refused(ball, {1e95, 0, 0}, good);
  for (const double bad : {0.0, -1.0, nan, kInfinity}) {
    BallMoveOptions options = good;
    options.tolerance = bad;
    refused(ball, motion, options);
    EXPECT_THROW((void)cast_ball(box, {}, {Vec3::Zero(), motion}, 0.1, bad), InvalidInput);
  }
  BallMoveOptions options = good;
  options.clearance = -1;
  refused(ball, motion, options);
  options = good;
  options.restitution = 2;
  refused(ball, motion, options);
  options = good;
  options.max_contacts = 0;
  refused(ball, motion, options);
  EXPECT_THROW((void)cast_ball(box, {}, {Vec3::Zero(), motion}, -0.1, 1e-3), InvalidInput);
  for (int k = 0; k < 3; ++k) {
    Vec3 x(5, 6, 7);
    x[k] = nan;
    for (const Shape& shape : {Shape::sphere(1), Shape::half_space({0, 0, 1}, 0), Shape(box)}) {
      EXPECT_THROW((void)cast_ball(shape, {}, {x, motion}, 0.1, 1e-3), InvalidInput);
      EXPECT_THROW((void)cast_ball(shape, {}, {motion, x}, 0.1, 1e-3), InvalidInput);
    }
  }
}

}  // namespace
}  // namespace touche::move_ball_test
