// SPDX-License-Identifier: Apache-2.0
// Convex shapes against soups in motion: every face by itself, the same hulls as soups, and a
// judge.
#include <gtest/gtest.h>

#include <cmath>

#include "faces_around.h"
#include "hit_share.h"
#include "shape_motions.h"
#include "test_scale.h"
#include "touche/point_query.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

TEST(ShapeFaces, MotionsAreFreeUntilAFaceIsTouched) {
  base::Random random(1846);
  int hits = 0;
  const int cases = scaled(150);
  for (int i = 0; i < cases; ++i) {
    const Object object = i % 3 == 0 ? Object(scenes::bumpy_sphere(300, random.next()))
                                     : faces_around(random, 1 + random.below(60), 0.3);
    const int kind = static_cast<int>(random.below(12));
    const Shape shape =
        kind == 11 ? Shape::half_space(random.direction(), -1.8) : some_shape(random, kind);
    const int move_a = static_cast<int>(random.below(kShapeMotions)),
              move_b = static_cast<int>(random.below(kShapeMotions));
    const Motion motion_a = some_motion(random, move_a, Vec3(3, 0, 0) + random.in_box(0.3),
                                        Vec3(0, kind == 11 ? 0.6 : 2.2, 0) + random.in_box(0.8)),
                 motion_b = some_motion(random, move_b, random.in_box(0.2), random.in_box(0.2));
    const ToiOptions options{.tolerance = std::exp2(random.uniform(-30, -8)),
                             .clearance = random.below(4) == 0 ? 0.05 : 0};
    SCOPED_TRACE(testing::Message()
                 << "case " << i << ": shape " << kind << ", motions " << move_a << ' ' << move_b);
    const Shape soup = Shape::soup(object);
    const ToiResult r = time_of_impact(shape, motion_a, soup, motion_b, options);
    judge_impact(shape, motion_a, soup, motion_b, options, r, 30);
    EXPECT_NE(r.status, ToiStatus::undecided) << "at " << r.time.lower;
    hits += r.status == ToiStatus::contact;

    // The same, face by face: both are in contact once the distance is 0, and neither before it is
    // at most the tolerance.
    const ToiResult slow = brute_force::time_of_impact(shape, motion_a, soup, motion_b, options);
    judge_impact(shape, motion_a, soup, motion_b, options, slow, 5);
    if (r.status == slow.status && r.status == ToiStatus::contact) {
      EXPECT_NEAR(r.time.upper, slow.time.upper, 3 * std::sqrt(options.tolerance));
      if (std::abs(r.time.upper - slow.time.upper) == 0) {
        EXPECT_EQ(r.contact->face_b, slow.contact->face_b);
      }
    }
    const ToiResult turned = time_of_impact(soup, motion_b, shape, motion_a, options);
    EXPECT_EQ(turned.status, r.status);
    EXPECT_EQ(turned.time, r.time);
    if (r.contact) {
      EXPECT_EQ(turned.contact->face_a, r.contact->face_b);
      EXPECT_LE(brute_force::closest_point(object, motion_b.pose(r.time.upper), r.contact->point_b)
                    .distance,
                r.tolerance);
    }
  }
  expect_about_half(hits, cases);
}

// A box as a solid and as a soup moves the same way until it touches.
TEST(ShapeFaces, MotionsAgreeWithThoseOfSoups) {
  base::Random random(1847);
  int hits = 0;
  const int cases = scaled(60);
  for (int i = 0; i < cases; ++i) {
    const Vec3 half(0.5, 0.3, 0.4);
    const Object surface{scenes::box(-half, half)}, object = faces_around(random, 60, 0.2);
    const Motion motion_a = some_motion(random, i, Vec3(2.5, 0, 0),
                                        random.direction() * random.uniform(1.5, 4)),
                 motion_b = some_motion(random, i / kShapeMotions, Vec3(0, 0, 0), Vec3(0.1, 0, 0));
    const Shape box = Shape::box(half), soup = Shape::soup(object);
    const ToiOptions sharp{.tolerance = 1e-9}, wide{.tolerance = 1e-8, .clearance = 1e-7};
    const ToiResult solid = time_of_impact(box, motion_a, soup, motion_b, sharp),
                    hollow = time_of_impact(surface, motion_a, object, motion_b, sharp),
                    solid_wide = time_of_impact(box, motion_a, soup, motion_b, wide),
                    hollow_wide = time_of_impact(surface, motion_a, object, motion_b, wide);
    if (solid.status == ToiStatus::initially_touching) continue;
    // Within the tolerance of one is within the clearance of the other.
    if (solid.status == ToiStatus::contact) {
      EXPECT_LE(hollow_wide.time.lower, solid.time.upper);
      EXPECT_NE(hollow_wide.status, ToiStatus::free);
    }
    if (hollow.status == ToiStatus::contact) {
      EXPECT_LE(solid_wide.time.lower, hollow.time.upper);
      EXPECT_NE(solid_wide.status, ToiStatus::free);
    }
    hits += solid.status == ToiStatus::contact;
  }
  expect_about_half(hits, cases);
}

TEST(ShapeFaces, ABallOnASoupMaySeparate) {
  const Object plate{scenes::box({-2, -2, -0.1}, {2, 2, 0}, 8)};
  const Shape soup = Shape::soup(plate), ball = Shape::sphere(0.5);
  const Motion still = Motion::at({}),
               up = Motion::interpolated(Pose::from_translation({0.1, 0.2, 0.5}),
                                         Pose::from_translation({0.1, 0.2, 2})),
               down = Motion::interpolated(Pose::from_translation({0.1, 0.2, 0.5}),
                                           Pose::from_translation({0.1, 0.2, 0.1}));
  const ToiOptions options{.tolerance = 1e-6, .may_separate = true};
  const ToiResult lifted = time_of_impact(ball, up, soup, still, options);
  EXPECT_EQ(lifted.status, ToiStatus::free);
  EXPECT_GT(lifted.separated_at, 0);
  EXPECT_LT(lifted.separated_at, 1e-3);
  judge_impact(ball, up, soup, still, options, lifted);
  EXPECT_EQ(time_of_impact(ball, down, soup, still, options).status, ToiStatus::initially_touching);
  EXPECT_EQ(time_of_impact(ball, up, soup, still, {.tolerance = 1e-6}).status,
            ToiStatus::initially_touching);
}

TEST(ShapeFaces, RoundedSoupsAreThicker) {
  const Object plate{scenes::box({-2, -2, -0.1}, {2, 2, 0}, 3)};
  const Shape thick = Shape::soup(plate).rounded(0.25), ball = Shape::sphere(0.5);
  const Motion fall = Motion::interpolated(Pose::from_translation({0.3, 0.2, 3}),
                                           Pose::from_translation({0.3, 0.2, 0}));
  const ToiResult r = time_of_impact(ball, fall, thick, Motion::at({}), {.tolerance = 1e-9});
  ASSERT_EQ(r.status, ToiStatus::contact);
  EXPECT_NEAR(r.time.upper, 2.25 / 3, 1e-8);
  EXPECT_NEAR(distance(ball, fall.pose(0), thick, {}).distance.upper, 2.25, 1e-12);
  EXPECT_TRUE(intersects(ball, Pose::from_translation({0, 0, 0.74}), thick, {}).intersects);
  EXPECT_FALSE(intersects(ball, Pose::from_translation({0, 0, 0.76}), thick, {}).intersects);
}

}  // namespace
}  // namespace touche
