// SPDX-License-Identifier: Apache-2.0
// Balls that move where numbers are tiny, huge or far from the origin, among faces without area and
// duplicate faces, with tolerances below the resolution of coordinates.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/response.h"

namespace touche::move_ball_attack_test {
namespace {

/// A soup at some scale and position, with duplicate faces, and faces that are segments or points.
PolygonSoup hostile(base::Random& random, double scale, const Vec3& place) {
  scenes::RandomSoup how;
  how.faces = 4 + random.below(30);
  how.face_size = random.uniform(0.2, 1);
  how.slivers = 0.3;
  const PolygonSoup soup = random.below(2) == 0   ? scenes::box({-1, -1, -1}, {1, 1, 1}, 2)
                           : random.below(2) == 0 ? scenes::cylinder(0.5, 1, 3 + random.below(9))
                                                  : scenes::random_soup(random.next(), how);
  std::vector<double> xyz;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) xyz.push_back(scale * (v[k] + place[k]));
  std::vector<Index> corners;
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  for (int extra = 0; extra < 6; ++extra) {
    const Index f = 3 * random.below(static_cast<Index>(corners.size() / 3));
    const Index kind = random.below(3);
    corners.insert(corners.end(),
                   {corners[f], corners[kind == 2 ? f : f + 1], corners[kind == 0 ? f + 2 : f]});
  }
  return PolygonSoup(xyz, corners);
}

TEST(MoveBallAttack, NoScaleNorPlaceLetsItComeTooNear) {
  base::Random random(51);
  int arrived = 0, stopped = 0, several = 0;
  const int cases = test::scaled(800);
  for (int i = 0; i < cases; ++i) {
    const double scale = random.below(2) == 0 ? std::pow(10, random.uniform(-40, 30)) : 1;
    const Vec3 place = random.below(3) == 0 ? Vec3(1e6 * random.in_box(1)) : Vec3(Vec3::Zero());
    const Object object(hostile(random, scale, place));
    const Vec3 axis = random.direction(), shift = random.in_box(scale);
    const double far = random.below(2) == 0 ? 1 : 1e4;
    const Pose pose = random.below(3) == 0 ? Pose() : Pose::from_axis_angle(axis, i, far * shift);

    const double radius = random.below(2) == 0 ? 0 : scale * std::pow(10, random.uniform(-8, 3));
    BallMoveOptions options;
    options.tolerance = scale * std::pow(10, random.uniform(-14, -1));
    options.clearance = random.below(2) == 0 ? 0 : scale * random.uniform(0, 0.1);
    options.response = static_cast<Response>(random.below(3));
    options.restitution = random.uniform();
    options.max_contacts = 1 + static_cast<int>(random.below(200));
    const Vec3 target = pose * (scale * (place + random.in_box(0.8)));
    const Vec3 away = random.direction();
    const Vec3 start = target + (radius + options.clearance + scale * random.uniform(0, 2)) * away;
    const Vec3 aside = random.in_box(0.3 * scale);
    const Vec3 motion = std::pow(10, random.uniform(-1, 4)) * (target - start + aside);

    const BallMove move = move_ball({start, radius}, motion, object, pose, options);
    several += move.contacts.size() > 1;
    if (move.status == MoveStatus::initially_touching) continue;
    (move.status == MoveStatus::arrived ? arrived : stopped) += 1;
    for (std::size_t s = 0; s + 1 < move.path.size(); ++s) {
      const Segment piece = {move.path[s], move.path[s + 1]};
      ASSERT_FALSE(cast_segment(object, pose, piece)) << i;
      for (int k = 0; k <= 8; ++k) {
        const Vec3 x = piece.start + k / 8.0 * (piece.end - piece.start);
        ASSERT_GT(brute_force::closest_point(object, pose, x).distance, radius + options.clearance)
            << i << ", piece " << s;
      }
    }
  }
  EXPECT_GT(arrived, cases / 3);
  EXPECT_GT(stopped, cases / 20);
  EXPECT_GT(several, cases / 20);
}

// A ball pushed down in a funnel of many facets, time and again: it comes to rest, never nearer.
TEST(MoveBallAttack, PressedForAThousandStepsItStaysOutside) {
  const Object funnel(scenes::sphere(1, 500));
  BallMoveOptions options;
  options.tolerance = 1e-6;
  options.clearance = 1e-3;
  Vec3 at(0.1, 0.05, 0);
  const double radius = 0.3;
  for (int step = 0; step < test::scaled(1000); ++step) {
    const Vec3 push(0.01 * std::cos(0.1 * step), 0.01 * std::sin(0.07 * step), -0.05);
    const BallMove move = move_ball({at, radius}, push, funnel, {}, options);
    ASSERT_NE(move.status, MoveStatus::initially_touching) << step;
    at = move.path.back();
    ASSERT_GT(brute_force::closest_point(funnel, {}, at).distance, radius + options.clearance);
  }
  EXPECT_LT(at.z(), -0.6);
}

}  // namespace
}  // namespace touche::move_ball_attack_test
