// SPDX-License-Identifier: Apache-2.0
// Surfaces that slide in themselves: which faces do, with which normals, and what motions leave.
#include "dynamics/sliding_pair.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "scenes.h"
#include "shapes.h"

namespace touche::sliding_pair_test {
namespace {

constexpr double kPitch = 2, kAdvance = kPitch / (2 * std::numbers::pi);

// An M16 nut on its bolt; the axis is that of z, and the nut's lower face is at z = 0 in its own
// coordinates.
struct NutOnBolt {
  scenes::Scene scene = scenes::nut_and_bolt({.size = "M16", .poses_per_turn = 0});
  Object bolt{scene.parts[0].soup}, nut{scene.parts[1].soup};
  std::unique_ptr<const dynamics::SlidingSurface> of_bolt = dynamics::SlidingSurface::of(bolt),
                                                  of_nut = dynamics::SlidingSurface::of(nut);

  std::optional<dynamics::SlidingPair> pair(const Pose& pose_nut) const {
    return dynamics::SlidingPair::of({&bolt.soup(), of_bolt.get(), of_bolt->screw()},
                                     {&nut.soup(), of_nut.get(), placed(of_nut->screw(), pose_nut)},
                                     nut.bounds().diagonal());
  }
  dynamics::Screw screw() const { return of_bolt->screw(); }
};

dynamics::Shift slide(const dynamics::Screw& screw, double angle) {
  const Mat3 turn = Eigen::AngleAxisd(angle, screw.axis).toRotationMatrix();
  return {turn, screw.point - turn * screw.point + screw.advance * angle * screw.axis};
}
dynamics::Shift after(const dynamics::Shift& second, const dynamics::Shift& first) {
  return {second.turn * first.turn, second(first.shift)};
}
double largest_move(const dynamics::Shift& motion) {
  double most = 0;
  for (const Vec3& p : {Vec3(8, 0, 20), Vec3(-8, 3, 25), Vec3(0, -8, 30)})
    most = std::max(most, (motion(p) - p).norm());
  return most;
}

TEST(SlidingSurface, TellsTheAdvanceOfNutAndBolt) {
  const NutOnBolt both;
  ASSERT_TRUE(both.of_bolt && both.of_nut);
  EXPECT_NEAR(both.of_bolt->screw().advance, kAdvance, 5e-3 * kAdvance);
  EXPECT_NEAR(both.of_nut->screw().advance, kAdvance, 5e-3 * kAdvance);
}

TEST(SlidingSurface, FlanksSlideAndEndsAndConesDoNot) {
  const NutOnBolt both;
  const PolygonSoup& soup = both.nut.soup();
  int flanks = 0, others = 0;
  for (Index face = 0; face < soup.face_count(); ++face) {
    double least = kInfinity, most = 0, low = kInfinity, high = -kInfinity;
    for (const Index v : soup.face(face)) {
      const Vec3& p = soup.vertex(v);
      const double radius = std::hypot(p.x(), p.y());
      least = std::min(least, radius);
      most = std::max(most, radius);
      low = std::min(low, p.z());
      high = std::max(high, p.z());
    }
    const bool slides = both.of_nut->slides(soup, {FeatureKind::face, face});
    if (most < 8.3 && low > 1.5 && high < soup.bounds().hi.z() - 1.5) {
      EXPECT_TRUE(slides) << face;  // of the thread, away from both countersinks
      ++flanks;
    } else if (least > 8.3) {
      EXPECT_FALSE(slides) << face;  // of the ends, the chamfers and the hexagon
      ++others;
    }
  }
  EXPECT_GT(flanks, 1000);
  EXPECT_GT(others, 100);
}

TEST(SlidingSurface, ABoxDoesNotSlide) {
  EXPECT_EQ(dynamics::SlidingSurface::of(Object(scenes::box({0, 0, 0}, {1, 2, 3}))), nullptr);
}

TEST(SlidingPair, NeedsAxesThatHardlyDiffer) {
  const NutOnBolt both;
  const Vec3 place = both.scene.parts[1].pose.translation();
  EXPECT_TRUE(both.pair(Pose::from_translation(place)));
  EXPECT_FALSE(both.pair(Pose::from_translation(place + Vec3(20, 0, 0))));
  EXPECT_FALSE(both.pair(Pose::from_axis_angle(Vec3::UnitX(), 0.3, place)));
}

TEST(SlidingPair, NormalsAreAcrossTheSlideAndNearThoseOfFacets) {
  const NutOnBolt both;
  const dynamics::SlidingPair pair = *both.pair(both.scene.parts[1].pose);
  const PolygonSoup& soup = both.bolt.soup();
  int seen = 0;
  for (Index face = 0; face < soup.face_count(); ++face) {
    const Feature feature{FeatureKind::face, face}, vertex{FeatureKind::vertex, 0};
    if (pair.side(feature, vertex) != dynamics::SlidingPair::Side::a) continue;
    const std::span<const Index> corners = soup.face(face);
    const Vec3 &p = soup.vertex(corners[0]), &q = soup.vertex(corners[1]),
               &r = soup.vertex(corners[2]);
    const Vec3 normal = (q - p).cross(r - p).normalized(), point = (p + q + r) / 3;
    const Vec3 smooth = pair.smooth(dynamics::SlidingPair::Side::a, point, normal);
    EXPECT_NEAR(smooth.dot(both.screw().velocity(point).normalized()), 0, 1e-12);
    // Half of a facet is three degrees.
    EXPECT_GT(smooth.dot(normal), std::cos(0.06)) << face;
    ++seen;
  }
  EXPECT_GT(seen, 2000);
}

TEST(SlidingPair, ASlideLeavesNothing) {
  const NutOnBolt both;
  const dynamics::SlidingPair pair = *both.pair(both.scene.parts[1].pose);
  for (const double angle : {-0.7, 0.01, 2.0, 5.0, 9.0}) {
    const Vec3 turn = (angle + 0.3) * both.screw().axis;  // about
    const dynamics::Shift rest =
        pair.beside(dynamics::SlidingPair::Side::a, slide(both.screw(), angle), turn);
    EXPECT_LT(largest_move(rest), 1e-9) << angle;
  }
  // A turn alone leaves the advance.
  const dynamics::Shift turned =
      pair.beside(dynamics::SlidingPair::Side::a,
                  slide({both.screw().point, both.screw().axis, 0}, 0.5), 0.5 * both.screw().axis);
  EXPECT_NEAR(largest_move(turned), 0.5 * both.screw().advance, 1e-9);
}

TEST(SlidingPair, WhatIsBesideASlideIsLeft) {
  const NutOnBolt both;
  const dynamics::SlidingPair pair = *both.pair(both.scene.parts[1].pose);
  const Vec3 axis = both.screw().axis;
  // No part of this turn is about the axis.
  const dynamics::Shift small{Eigen::AngleAxisd(0.01, axis.unitOrthogonal()).toRotationMatrix(),
                              {0.02, -0.03, 0.01}};
  const dynamics::Shift moved = slide(both.screw(), 0.6);
  // b moves by `small` after it has slid along a's surface, and before.
  const dynamics::Shift late =
      pair.beside(dynamics::SlidingPair::Side::a, after(moved, small), 0.6 * axis);
  for (const Vec3& p : {Vec3(8, 0, 20), Vec3(-8, 3, 25)})
    EXPECT_LT((late(p) - small(p)).norm(), 1e-9);
}

}  // namespace
}  // namespace touche::sliding_pair_test
