// SPDX-License-Identifier: Apache-2.0
// The purpose of near_features: a body that moves slightly, and keeps the linear constraints at the
// listed pairs, does not enter the other one, up to terms of second order.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <tuple>

#include "scenes.h"
#include "test_scale.h"
#include "touche/near_faces.h"

namespace touche::near_features_hold_test {
namespace {

using test::scaled;

struct Twist {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // about the centre
};

struct Near {
  Object a, b;
  Vec3 apart;  // b is moved along this, from where it would overlap or touch, until a gap is left
  double gap, margin;
};

/// Moves against all constraints are taken back, one after the other, again and again. False when
/// that does not end.
bool keep_constraints(const std::vector<Contact>& contacts, const Vec3& centre, double size,
                      double spare, Twist& twist) {
  for (int round = 0; round < 2000; ++round) {
    bool kept = true;
    for (const Contact& c : contacts) {
      const Vec3 arm = (c.point_b - centre) / size, turning = arm.cross(c.normal);
      const double rate = c.normal.dot(twist.linear) + turning.dot(twist.angular);
      const double lacking = spare - c.distance - rate;
      if (lacking <= 1e-12 * size) continue;
      kept = false;
      const double step = lacking / (1 + turning.squaredNorm());
      twist.linear += step * c.normal;
      twist.angular += step * turning;
    }
    if (kept) return true;
  }
  return false;
}

class Holds : public testing::TestWithParam<int> {};

Near scene(int number) {
  switch (number) {
    case 0:  // plates
      return {Object(scenes::box({-2, -2, -1}, {2, 2, 0}, 3)),
              Object(scenes::box({-1, -1, 0}, {1, 1, 0.5}, 2)), Vec3::UnitZ(), 0.01, 0.03};
    case 1:  // bars
      return {Object(scenes::box({-5, -1, -1}, {5, 1, 0})),
              Object(scenes::box({-1, -5, 0}, {1, 5, 1})), Vec3::UnitZ(), 0.01, 0.03};
    case 2:  // bumps
      return {Object(scenes::bumpy_sphere(800, 1)), Object(scenes::bumpy_sphere(800, 2)),
              Vec3(1, 0.2, 0.1), 0.01, 0.03};
    case 3:  // a fine cylinder on its side
      return {Object(scenes::box({-2, -2, -1}, {2, 2, 0})), Object(scenes::cylinder(1, 1.5, 200)),
              Vec3::UnitZ(), 0.01, 0.03};
    case 4:  // a ball in a hollow
      return {Object(scenes::sphere(1.02, 3000)), Object(scenes::sphere(1, 2000)), Vec3::Zero(), 0,
              0.03};
    default: {  // threads
      const scenes::Scene s = scenes::nut_and_bolt({.segments = 24});
      return {Object(placed(s.parts[0])), Object(placed(s.parts[1])), Vec3::Zero(), 0, 0.15};
    }
  }
}

TEST_P(Holds, ThoseThatKeepTheConstraints) {
  const Near near = scene(GetParam());
  const double turn = 0.01, spare = 0.1 * near.margin;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vec3(x, y, z);
  };
  int moved = 0, would_enter = 0;
  const int count = scaled(GetParam() == 5 ? 40 : 150, GetParam() == 5 ? 10 : 40);
  for (int i = 0; i < count; ++i) {
    // Lay b near a.
    Pose pose = Pose::from_axis_angle(vector(), 0.004 * unit(random), Vec3(0, 0, 0));
    if (GetParam() == 2) pose = Pose::from_axis_angle(vector(), 3 * unit(random), Vec3(0, 0, 0));
    if (GetParam() == 3)
      pose = pose * Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 2, Vec3(0, 0, 0));
    if (near.gap > 0) {
      double in = 0, out = 5;
      for (int n = 0; n < 40; ++n) {
        const double middle = 0.5 * (in + out);
        const Pose there = Pose::from_translation(middle * near.apart.normalized()) * pose;
        const bool apart =
            distance(near.a, {}, near.b, there, {.max_distance = 1}).distance.upper >= near.gap;
        (apart ? out : in) = middle;
      }
      pose = Pose::from_translation(out * near.apart.normalized()) * pose;
    }
    if (intersects(near.a, {}, near.b, pose)) continue;
    const NearResult r =
        near_features(near.a, {}, near.b, pose, {.max_distance = near.margin, .turn = turn});

    // Push it somewhere.
    const Vec3 centre = pose * near.b.bounds().centre();
    const double size = 0.5 * near.b.bounds().diagonal();
    Twist twist;
    twist.linear = 0.9 * near.margin * vector();
    twist.angular = std::min(turn * size, 0.9 * near.margin) * vector();  // a length at `size`
    const auto placed_by = [&](const Twist& t) {
      const Vec3 angular = t.angular / size;
      return Pose::from_translation(centre + t.linear) *
             Pose::from_axis_angle(angular.norm() > 0 ? angular : Vec3(1, 0, 0), angular.norm(),
                                   Vec3(0, 0, 0)) *
             Pose::from_translation(-centre) * pose;
    };
    would_enter += intersects(near.a, {}, near.b, placed_by(twist)).intersects;
    if (!keep_constraints(r.contacts, centre, size, spare, twist)) continue;
    // No farther than promised; less of it keeps the constraints, too.
    const double far = std::max((twist.linear.norm() + twist.angular.norm()) / near.margin,
                                twist.angular.norm() / (turn * size));
    twist.linear /= std::max(far, 1.0);
    twist.angular /= std::max(far, 1.0);
    ++moved;
    EXPECT_FALSE(intersects(near.a, {}, near.b, placed_by(twist)).intersects) << "case " << i;
  }
  EXPECT_GT(moved, count / 2);
  EXPECT_GT(would_enter, count / 20);
}
INSTANTIATE_TEST_SUITE_P(Scenes, Holds, testing::Range(0, 6));

// The one thing that is not promised: a tip in a corner, nearer to the one side wherever it is.
// Sides that meet at a right angle or less are both listed, unless the tip lies on one.
TEST(NearFeatures, InAWideCornerOnlyTheNearerSideIsListed) {
  for (const auto& [lean, x, sides] :
       {std::tuple{0.09, -0.02, 1}, {0.0, 0.0, 1}, {0.0, 0.02, 2}, {-0.09, 0.06, 2}}) {
    SCOPED_TRACE(std::to_string(lean) + " " + std::to_string(x));
    const double top = -5 * std::tan(lean);
    const Object corner(PolygonSoup(
        std::vector<double>{0, -9, 0, 9, -9, 0, 9, 9, 0, 0, 9, 0, top, -9, 5, top, 9, 5},
        std::vector<Index>{0, 1, 2, 3, 0, 3, 5, 4}, std::vector<Index>{4, 4}));
    const Object spike(PolygonSoup(std::vector<double>{x, 0, 0.5, 2, -1, 3, 2, 1, 3, 3, 0, 2.5},
                                   std::vector<Index>{0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2},
                                   std::vector<Index>(4, 3)));
    const NearResult near = near_features(corner, {}, spike, {}, {.max_distance = 1});
    EXPECT_EQ(near.contacts.size(), static_cast<std::size_t>(sides));
    // Down along the wall: this keeps the constraint of the wall, and none other is known.
    const Vec3 down = 0.8 * Vec3(std::sin(lean), 0, -std::cos(lean));
    bool keeps = true;
    for (const Contact& c : near.contacts)
      keeps = keeps && c.normal.dot(down) >= -c.distance - 1e-12;
    EXPECT_EQ(keeps, sides == 1);
    EXPECT_TRUE(intersects(corner, {}, spike, Pose::from_translation(down)).intersects);
  }
}

}  // namespace
}  // namespace touche::near_features_hold_test
