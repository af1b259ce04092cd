// SPDX-License-Identifier: Apache-2.0
// Pairs that are proved to stay apart by balls and by hulls, beside their distance at many times.
#include "world/straight_way.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "random.h"
#include "shape/soup_hull.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche::straight_way_test {
namespace {

using scenes::Random;
using test::scaled;

constexpr double kEnough = 0.01;

struct Body {
  Object object;
  Ball ball;
  explicit Body(PolygonSoup soup)
      : object(std::move(soup)), ball(world::ball_around(object.soup().vertices())) {}
  std::optional<world::StraightWay> way(const Motion& motion, double begin = 0) const {
    return world::StraightWay::of(motion, ball, object.soup().vertices(), begin);
  }
  std::optional<world::StraightWay> way_of_hull(const Motion& motion, double begin) const {
    return world::StraightWay::of(motion, ball, object.soup().vertices(), begin,
                                  shape::hull_of(object));
  }
};

std::vector<Body> some_bodies() {
  std::vector<Body> bodies;
  bodies.emplace_back(scenes::sphere(1, 100));
  bodies.emplace_back(scenes::box({-1, -0.2, -0.5}, {0.4, 0.2, 0.5}));
  bodies.emplace_back(scenes::box({2, 3, -0.01}, {4, 3.5, 0.01}));  // far from its origin
  bodies.emplace_back(scenes::cylinder(0.3, 1.5, 9));
  return bodies;
}

Motion some_motion(base::Random& random, const Body& body, const Vec3& centre, double speed) {
  const Pose turn = Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), Vec3::Zero());
  const Pose start = Pose::from_translation(centre - turn.rotate(body.ball.centre)) * turn;
  if (random.uniform() < 0.2) return Motion::at(start);
  return Motion::screw(start, centre + speed * random.in_box(1), random.direction(),
                       speed * random.uniform(-1, 1), speed * random.uniform(-1, 1));
}

double nearest(const Body& a, const Motion& way_a, const Body& b, const Motion& way_b,
               double begin) {
  double least = kInfinity;
  for (int i = 0; i <= 16; ++i) {
    const double t = begin + (1 - begin) * i / 16;
    least = std::min(least,
                     distance(a.object, way_a.pose(t), b.object, way_b.pose(t), {}).distance.upper);
  }
  return least;
}

// Every proof is right, and much of what is so is proved.
TEST(StraightWay, WhoIsProvedApartIsApart) {
  base::Random random(907);
  const std::vector<Body> bodies = some_bodies();
  const Index count = static_cast<Index>(bodies.size());
  int apart = 0, by_balls = 0, by_parts = 0, by_hulls = 0, from_anywhere = 0;
  const int cases = scaled(3000, 300);
  for (int i = 0; i < cases; ++i) {
    const Body &a = bodies[random.below(count)], &b = bodies[random.below(count)];
    const double speed = std::pow(10, random.uniform(-3, 0));
    const Vec3 centre = 20 * random.in_box(1);
    const double away = random.uniform(0, 1.3) * (a.ball.radius + b.ball.radius);
    const Motion way_a = some_motion(random, a, centre, speed),
                 way_b = some_motion(random, b, centre + away * random.direction(), speed);
    const double begin = random.uniform() < 0.5 ? 0 : random.uniform();
    const auto straight_a = a.way(way_a, begin), straight_b = b.way(way_b, begin);
    ASSERT_TRUE(straight_a && straight_b);
    const bool balls = world::balls_stay_apart(*straight_a, *straight_b, kEnough),
               hulls = world::hulls_stay_apart(*straight_a, *straight_b, kEnough);
    EXPECT_EQ(balls, world::balls_stay_apart(*straight_b, *straight_a, kEnough));
    EXPECT_EQ(hulls, world::hulls_stay_apart(*a.way_of_hull(way_a, begin),
                                             *b.way_of_hull(way_b, begin), kEnough))
        << i;
    const bool is_apart = nearest(a, way_a, b, way_b, begin) > kEnough;
    if (balls || hulls) {
      EXPECT_TRUE(is_apart) << i;
    }
    apart += is_apart;
    by_balls += balls;
    by_hulls += hulls;

    // The same for the rest of whole paths, and for the positions where it begins.
    const world::BallWay left_a = world::BallWay(*a.way(way_a)).rest(begin),
                         left_b = world::BallWay(*b.way(way_b)).rest(begin);
    if (world::balls_stay_apart(left_a, left_b, kEnough)) {
      EXPECT_TRUE(is_apart) << i;
      ++by_parts;
    }
    if (world::balls_stay_apart(left_a.stopped(), left_b.stopped(), kEnough)) {
      const DistanceResult then =
          distance(a.object, way_a.pose(begin), b.object, way_b.pose(begin), {});
      EXPECT_GT(then.distance.upper, kEnough) << i;
    }

    // Wherever it begins it proves nothing that is not so, and its own plane proves it again.
    Vec3 normal = random.below(4) == 0 ? Vec3(Vec3::Zero()) : random.direction();
    if (world::hulls_stay_apart(*straight_a, *straight_b, kEnough, &normal)) {
      EXPECT_TRUE(is_apart) << i;
      const Vec3 before = normal;
      EXPECT_NEAR(normal.norm(), 1, 1e-12);
      EXPECT_TRUE(world::hulls_stay_apart(*straight_a, *straight_b, kEnough, &normal)) << i;
      EXPECT_LT((normal - before).norm(), 1e-12);
      ++from_anywhere;
    }
  }
  EXPECT_GT(apart, 0.3 * cases);
  EXPECT_LT(apart, 0.8 * cases);
  EXPECT_GT(by_balls, 0.2 * apart);
  EXPECT_GT(by_parts, 0.9 * by_balls);
  EXPECT_LE(by_parts, by_balls);
  EXPECT_GT(by_hulls, 0.8 * apart);
  EXPECT_GT(from_anywhere, 0.7 * apart);
}

// Gaps a little larger and a little smaller than the required one, between faces, edges and corners
// of boxes whose distance is known.
TEST(StraightWay, HullsTellGapsByAThousandthOfABody) {
  const Body box(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  for (const Vec3& to : {Vec3(1, 0, 0), Vec3(0, 1, 1), Vec3(1, 1, 1), Vec3(0, -1, 0)})
    for (const double gap : {0.9, 1.1}) {
      const Vec3 beyond = to + gap * kEnough * to.normalized();
      const Motion still = Motion::at({}),
                   passing = Motion::interpolated(Pose::from_translation(beyond + 0.3 * to),
                                                  Pose::from_translation(beyond));
      EXPECT_EQ(world::hulls_stay_apart(*box.way(still), *box.way(passing), kEnough), gap > 1)
          << to;
      EXPECT_EQ(world::hulls_stay_apart(*box.way(passing), *box.way(still), kEnough), gap > 1)
          << to;
    }
}

TEST(StraightWay, WhoGoesThroughAnotherIsNotProvedApart) {
  const Body box(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}));
  const Motion still = Motion::at({}),
               through = Motion::interpolated(Pose::from_translation({-9, 0.3, 0.1}),
                                              Pose::from_translation({9, -0.2, 0}));
  EXPECT_FALSE(world::balls_stay_apart(*box.way(still), *box.way(through), kEnough));
  EXPECT_FALSE(world::hulls_stay_apart(*box.way(still), *box.way(through), kEnough));
  // From there on it only goes away.
  EXPECT_TRUE(world::balls_stay_apart(*box.way(still), *box.way(through, 0.7), kEnough));
}

// A bar whose ends go around a block: both ends of its motion are free, the middle is not.
TEST(StraightWay, ATurnIsNoStraightLine) {
  const Body bar(scenes::box({-2, -0.05, -0.05}, {2, 0.05, 0.05})),
      block(scenes::box({-0.2, 1.5, -0.2}, {0.2, 1.7, 0.2}));
  const Motion turn = Motion::screw({}, Vec3::Zero(), Vec3::UnitZ(), std::numbers::pi, 0);
  EXPECT_FALSE(world::hulls_stay_apart(*bar.way(turn), *block.way(Motion::at({})), kEnough));
  EXPECT_FALSE(world::balls_stay_apart(*bar.way(turn), *block.way(Motion::at({})), kEnough));
}

TEST(StraightWay, MotionsOfSeveralPiecesHaveNone) {
  const Body box(scenes::box({0, 0, 0}, {1, 1, 1}));
  const Pose poses[] = {Pose(), Pose::from_translation({0, 0, 5}),
                        Pose::from_translation({1, 0, 0})};
  EXPECT_FALSE(box.way(Motion::through(poses)));
  EXPECT_FALSE(box.way(Motion::function([](double) { return Pose(); }, 1, 1)));
}

}  // namespace
}  // namespace touche::straight_way_test
