// SPDX-License-Identifier: Apache-2.0
// Bodies with holes. The inside of an Interior is where the winding number is one half or more, and
// ends away from faces, too: brackets against dense samples of sums over all faces. Paths do not
// say what is inside of them.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/equal_positions.h"
#include "geometry/point_triangle.h"
#include "hit_share.h"
#include "motion_kinds.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/path.h"

namespace touche::open_bodies_test {
namespace {

using scenes::Random;
using test::random_pose;

/// A soup without some of its triangles.
PolygonSoup without(const PolygonSoup& soup, base::Random& random, Index count) {
  std::vector<double> xyz;
  std::vector<std::array<Index, 3>> triangles(soup.triangles().begin(), soup.triangles().end());
  for (; count > 0 && triangles.size() > 1; --count)
    triangles.erase(triangles.begin() + random.below(static_cast<Index>(triangles.size())));
  std::vector<Index> corners;
  for (const Vec3& v : soup.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (const auto& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
  return PolygonSoup(xyz, corners);
}

PolygonSoup open_box(base::Random& random, double half_size) {
  const Vec3 half = half_size * Vec3(random.uniform(0.7, 1), random.uniform(0.7, 1), 1);
  return without(scenes::box(-half, half), random, 1 + random.below(3));
}

double distance_to_faces(const PolygonSoup& soup, const Vec3& x) {
  double least = kInfinity;
  for (Index t = 0; t < soup.triangle_count(); ++t)
    least = std::min(least, geometry::nearest_offset(x, query::triangle_of(soup, t)).norm());
  return least;
}

bool holds(const Interior& body, const Vec3& x) {
  return base::data_of(body).in_bounds(x) && std::abs(body.winding_number(x)) >= 0.5;
}

/// How large a ball around x fits into the body by the definition; its radius.
double room(const Interior& body, const Vec3& x) {
  return holds(body, x) ? distance_to_faces(body.object().soup(), x) : 0;
}

TEST(OpenBodies, WindingNumbersStayWithinTheirBounds) {
  base::Random random(1);
  double tightest = kInfinity;
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    const PolygonSoup soup = round % 3 == 0   ? scenes::random_soup(7, {.faces = 200})
                             : round % 3 == 1 ? without(scenes::bumpy_sphere(800, 2), random, 100)
                                              : open_box(random, 1);
    const Interior body{Object(soup)};
    const double size = body.object().bounds().diagonal();
    for (int i = 0; i < 20; ++i) {
      const Vec3 x = body.object().bounds().centre() + size * random.in_box(i % 2 == 0 ? 0.5 : 2);
      const double radius = i % 3 == 0 ? 0 : size * std::pow(10, random.uniform(-4, -0.5));
      for (const double group_error : {0.1, 4e-3, 6e-5}) {
        const auto bound = base::data_of(body).winding(x, radius, group_error);
        for (int k = 0; k < 10; ++k) {
          const Vec3 y = x + random.uniform() * radius * random.direction();
          const double off = std::abs(body.winding_number(y) - bound.value);
          EXPECT_LE(off, bound.error) << radius;
          if (bound.error > 1e-8) tightest = std::min(tightest, bound.error / off);
        }
        if (base::data_of(body).all_outside(x, radius)) {
          EXPECT_FALSE(holds(body, x + radius * random.direction()));
        }
      }
    }
  }
  std::printf("errors reach one %.1fth of their bound\n", tightest);
}

TEST(OpenBodies, ThicknessHoldsForItsDefinition) {
  base::Random random(2);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(24, 6) && !HasFailure(); ++round) {
    const Interior a(
        Object(round % 3 == 0 ? scenes::box({-1, -1, -1}, {1, 1, 1}) : open_box(random, 1)));
    const Interior b(Object(
        round % 4 == 0
            ? without(scenes::bumpy_sphere(200, static_cast<std::uint64_t>(round)), random, 60)
            : open_box(random, 0.9)));
    const Pose pose_a = random_pose(random, 1);
    const Pose pose_b = pose_a *
                        Pose::from_translation(random.uniform(0, 2.6) * random.direction()) *
                        random_pose(random, 0);
    const Thickness r =
        overlap_thickness(a, pose_a, b, pose_b, {.relative_error = 0.1, .absolute_error = 0.05});
    const query::RelativePose to_a(pose_a, Pose()), to_b(pose_b, Pose());
    const auto ball = [&](const Vec3& x) { return std::min(room(a, to_a * x), room(b, to_b * x)); };
    EXPECT_LE(r.diameter.lower, r.diameter.upper);
    if (r.diameter.lower > 0) {
      EXPECT_NEAR(2 * ball(r.centre), r.diameter.lower, 1e-9);
    }
    for (int i = 0; i < 2000; ++i) {
      const Vec3 x = pose_a * random.in_box(1);
      EXPECT_LE(2 * ball(x), r.diameter.upper * (1 + 1e-9)) << "round " << round;
    }
    if (r.work < 100'000) {
      EXPECT_LE(r.diameter.upper, std::max(1.11 * r.diameter.lower, r.diameter.lower + 0.051));
    }
    hits += r.diameter.lower > 0;
    ++total;
  }
  EXPECT_GE(hits, 0.3 * total);
  EXPECT_LE(hits, 0.9 * total);
}

// What lies within the hull of an open box is not said to be inside it, nor to be outside. Here the
// hull is the box, because no vertex is missing.
TEST(OpenBodies, APathDoesNotSayWhatIsInsideThem) {
  base::Random random(3);
  int within = 0, open = 0, apart = 0;
  for (int round = 0; round < test::scaled(150, 30) && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const Object outer(open_box(random, 1));
    const Object inner(round % 2 == 0 ? open_box(random, 0.25)
                                      : scenes::box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
    const auto place = [&] {
      return Pose::from_translation(random.in_box(round % 3 == 0 ? 2.0 : 0.8)) *
             random_pose(random, 0);
    };
    const Motion rests = Motion::at(Pose()), moves = Motion::interpolated(place(), place());
    const PathOptions options{
        .tolerance = 1e-6, .step = 1.0 / 16, .profile = false, .thickness_points = 0};
    const PathResult r = round % 4 < 2 ? path(outer, rests, inner, moves, options)
                                       : path(inner, moves, outer, rests, options);
    if (!r.contacts.empty()) continue;
    ++apart;
    bool found = false;
    for (int i = 0; i <= 200 && !found; ++i) {
      const Pose pose = moves.pose(i / 200.0);
      found = std::ranges::all_of(inner.soup().vertices(), [&](const Vec3& v) {
        const Vec3 x = pose * v;
        return (x.array() > outer.bounds().lo.array()).all() &&
               (x.array() < outer.bounds().hi.array()).all();
      });
    }
    within += found;
    open += r.verdict == PathVerdict::open;
    if (found) {
      EXPECT_EQ(r.verdict, PathVerdict::open);
      EXPECT_EQ(r.before, Containment::open);
    } else {
      EXPECT_TRUE(r.verdict == PathVerdict::free || r.verdict == PathVerdict::open);
    }
  }
  EXPECT_LE(open - within, 0.05 * apart);
  test::expect_about_half(within, apart);
}

TEST(OpenBodies, PartsHangTogetherByPosition) {
  // A box whose triangles have vertices of their own, and another one beside it.
  std::vector<double> xyz;
  for (const Vec3& away : {Vec3(0, 0, 0), Vec3(5, 0, 0)}) {
    const PolygonSoup box = scenes::box(away, away + Vec3(1, 1, 1));
    for (const auto& t : box.triangles())
      for (const Index v : t) xyz.insert(xyz.end(), box.vertex(v).begin(), box.vertex(v).end());
  }
  std::vector<Index> corners(xyz.size() / 3);
  for (Index i = 0; i < corners.size(); ++i) corners[i] = i;
  const PolygonSoup soup(xyz, corners);
  const auto parts = paths::parts_of(soup, geometry::merge_equal_positions(soup.vertices()));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].size(), 36u);
  EXPECT_EQ(parts[1][0], 36u);
}

}  // namespace
}  // namespace touche::open_bodies_test
