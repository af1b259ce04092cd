// SPDX-License-Identifier: Apache-2.0
// Queries about points, rays, boxes and balls against a test of every triangle; rays through edges
// and vertices, which must not slip between two faces.
#include "touche/point_query.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/point_triangle.h"
#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "random.h"
#include "scenes.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::point_query_test {
namespace {

using scenes::Random;
using test::random_pose;

Object some_object(base::Random& random, int round, double scale, const Vec3& offset) {
  const auto seed = static_cast<std::uint64_t>(round);
  const Index faces = round % 7 == 0 ? 4 : 20 + random.below(600);
  PolygonSoup soup = round % 3 == 0   ? scenes::bumpy_sphere(faces, seed)
                     : round % 3 == 1 ? scenes::random_soup(seed, {.faces = faces})
                                      : scenes::torus_knot(2, 3, faces);
  soup.move_vertices(test::moved(soup, [&](const Vec3& v) { return Vec3(scale * v + offset); }));
  return Object(std::move(soup));
}

void expect_same(const RayHit& a, const RayHit& b) {
  EXPECT_EQ(a.face, b.face);
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.point, b.point);
}

TEST(PointQuery, AgreesWithLookingAtEveryTriangle) {
  base::Random random(1);
  int ray_hits = 0, box_hits = 0, ball_hits = 0, near = 0, total = 0;
  for (int round = 0; round < test::scaled(120, 30) && !HasFailure(); ++round) {
    const double scale =
        std::array{1.0, 1e-6, 1e6, 1e-60, 1e60}[static_cast<std::size_t>(round % 5)];
    const Vec3 offset = round % 4 == 1 ? Vec3(1e3 * scale * random.direction()) : Vec3(0, 0, 0);
    const Object object = some_object(random, round, scale, offset);
    Pose pose;
    if (round % 2 == 1) {
      const Pose turned = random_pose(random);
      pose = Pose::from_quaternion_unchecked(turned.rotation(), scale * turned.translation());
    }
    const Vec3 middle = object.bounds().centre();
    const double size = 0.5 * object.bounds().diagonal();
    for (int i = 0; i < 30; ++i, ++total) {
      const double far = i % 5 == 0 ? std::pow(10, random.uniform(0, 9)) : 1;
      const Vec3 x = pose * Vec3(middle + far * size * random.in_box(0.9));
      const Vec3 y = pose * Vec3(middle + size * random.in_box(0.85));

      const double most = i % 3 == 0 ? kInfinity : 0.25 * size;
      const ClosestPoint closest = closest_point(object, pose, x, most);
      const ClosestPoint slow = brute_force::closest_point(object, pose, x, most);
      const double slack =
          4 * geometry::kOffsetError * (std::min(slow.distance, 4 * size * far) + 2 * size);
      if (std::abs(slow.distance - most) > slack) {
        ASSERT_EQ(closest.face == kNone, slow.face == kNone);
      }
      if (closest.face != kNone) {
        EXPECT_NEAR(closest.distance, slow.distance, slack);
        EXPECT_NEAR((closest.point - x).norm(), closest.distance,
                    slack + 1e-14 * (x.norm() + pose.translation().norm() + offset.norm()));
      }
      near += closest.face != kNone;

      const auto hit = cast_segment(object, pose, {x, y});
      const auto slow_hit = brute_force::cast_segment(object, pose, {x, y});
      ASSERT_EQ(hit.has_value(), slow_hit.has_value());
      if (hit) expect_same(*hit, *slow_hit);
      const auto all = all_segment_hits(object, pose, {x, y});
      const auto slow_all = brute_force::all_segment_hits(object, pose, {x, y});
      ASSERT_EQ(all.size(), slow_all.size());
      for (std::size_t k = 0; k < all.size(); ++k) expect_same(all[k], slow_all[k]);
      ray_hits += hit.has_value();

      Aabb box;
      box.include(y);
      box.include(Vec3(y + random.uniform(0.6, 2.0) * size * random.in_box(1)));
      const auto in_box = faces_in_box(object, pose, box);
      EXPECT_EQ(in_box, brute_force::faces_in_box(object, pose, box));
      box_hits += !in_box.empty();
      const Ball ball = {y, random.uniform(0, 0.95) * size};
      const auto in_ball = faces_in_ball(object, pose, ball);
      EXPECT_EQ(in_ball, brute_force::faces_in_ball(object, pose, ball));
      ball_hits += !in_ball.empty();
    }
  }
  test::expect_about_half(ray_hits, total);
  test::expect_about_half(box_hits, total);
  test::expect_about_half(ball_hits, total);
  test::expect_about_half(near, total);
}

// From inside of a closed mesh there is no way out, least of all through its vertices and edges.
TEST(PointQuery, NoRaySlipsBetweenTwoFaces) {
  base::Random random(2);
  for (const Index faces : {12u, 200u, 3000u}) {
    const Object object(scenes::sphere(1, faces));
    const PolygonSoup& soup = object.soup();
    for (int round = 0; round < test::scaled(20, 3); ++round) {
      const Vec3 origin = round == 0 ? Vec3(0, 0, 0) : random.in_box(0.2);
      for (Index t = 0; t < soup.triangle_count(); t += 1 + faces / 100) {
        const auto& [a, b, c] = soup.triangle(t);
        const Vec3 vertex = soup.vertex(a), edge = 0.5 * (soup.vertex(a) + soup.vertex(b)),
                   other = soup.vertex(b) + random.uniform() * (soup.vertex(c) - soup.vertex(b));
        for (const Vec3& through : {vertex, edge, other}) {
          EXPECT_TRUE(cast_ray(object, Pose(), {origin, through - origin}));
          const auto hit = cast_segment(object, Pose(), {origin, through + (through - origin)});
          ASSERT_TRUE(hit);
          EXPECT_NEAR(hit->t, 0.5, 1e-12);
          EXPECT_LE(hit->side, 0);
        }
        // Up to a vertex itself, exactly.
        const auto at_end = cast_segment(object, Pose(), {origin, vertex});
        ASSERT_TRUE(at_end);
        EXPECT_NEAR(at_end->t, 1, 1e-15);
      }
    }
  }
}

TEST(PointQuery, RaysOfABoxInClosedForm) {
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const auto down = cast_ray(box, Pose(), {Vec3(0.3, 0.2, 5), Vec3(0, 0, -2)});
  ASSERT_TRUE(down);
  EXPECT_EQ(down->t, 2);
  EXPECT_EQ(down->side, 1);
  EXPECT_EQ(down->point, Vec3(0.3, 0.2, 1));
  const auto hits =
      all_ray_hits(box, Pose::from_translation({10, 0, 0}), {Vec3(10.3, 0.2, 5), Vec3(0, 0, -2)});
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[1].t, 3);
  EXPECT_EQ(hits[1].side, -1);
  // Along a side of the box, in its plane: it is met where it begins.
  const auto along = cast_ray(box, Pose(), {Vec3(-4, 0.2, 1), Vec3(1, 0, 0)});
  ASSERT_TRUE(along);
  EXPECT_EQ(along->t, 3);
  EXPECT_FALSE(cast_ray(box, Pose(), {Vec3(0, 0, 5), Vec3(0, 0, 1)}));
  EXPECT_FALSE(cast_segment(box, Pose(), {Vec3(0, 0, 5), Vec3(0, 0, 1.0000001)}));
  EXPECT_TRUE(cast_segment(box, Pose(), {Vec3(0, 0, 5), Vec3(0, 0, 1)}));
  // From so far away that single precision sees a point.
  EXPECT_TRUE(cast_ray(box, Pose(), {Vec3(0.5, 0.5, 1e12), Vec3(0, 0, -1)}));
  EXPECT_TRUE(cast_segment(box, Pose(), {Vec3(0.5, 0.5, 1e80), Vec3(0.5, 0.5, -1e80)}));
  EXPECT_FALSE(cast_segment(box, Pose(), {Vec3(1.5, 0.5, 1e80), Vec3(1.5, 0.5, -1e80)}));
}

TEST(PointQuery, BadInputIsRefused) {
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const double nan = std::nan("");
  EXPECT_THROW((void)closest_point(box, Pose(), Vec3(nan, 0, 0)), InvalidInput);
  EXPECT_THROW((void)cast_ray(box, Pose(), {Vec3(0, 0, 0), Vec3(0, 0, 0)}), InvalidInput);
  EXPECT_THROW((void)cast_segment(box, Pose(), {Vec3(0, 0, 0), Vec3(1e91, 0, 0)}), InvalidInput);
  EXPECT_THROW((void)faces_in_ball(box, Pose(), {Vec3(0, 0, 0), nan}), InvalidInput);
  EXPECT_TRUE(faces_in_box(box, Pose(), Aabb()).empty());
  EXPECT_TRUE(faces_in_ball(box, Pose(), {Vec3(1, 0, 0), -1}).empty());
  EXPECT_EQ(closest_point(box, Pose(), Vec3(3, 0, 0), 1.9).face, kNone);
  EXPECT_EQ(closest_point(box, Pose(), Vec3(3, 0, 0), 2).distance, 2);
  EXPECT_EQ(closest_point(box, Pose(), Vec3(1, 0, 0), 0).distance, 0);
  EXPECT_EQ(closest_point(box, Pose(), Vec3(1 + 1e-12, 0, 0), 0).face, kNone);
}

}  // namespace
}  // namespace touche::point_query_test
