// SPDX-License-Identifier: Apache-2.0
// The pairs of triangles that are as near as the nearest, of small objects: against all pairs.
#include "query/few_ties.h"

#include <gtest/gtest.h>

#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"

namespace touche::few_ties_test {
namespace {

using scenes::Random;

struct Nearest {
  query::TriangleIds pair{};
  geometry::ClosestPoints closest;
};

double measured(const Object& a, const Object& b, const query::RelativePose& pose,
                query::TriangleIds pair) {
  return geometry::closest_points_apart(query::triangle_of(a.soup(), pair.a),
                                        query::triangle_of(b.soup(), pair.b, pose))
      .distance;
}

template <class Visit>
void for_pairs(const Object& a, const Object& b, const Visit& visit) {
  for (Index i = 0; i < a.soup().triangle_count(); ++i)
    for (Index j = 0; j < b.soup().triangle_count(); ++j) visit(query::TriangleIds{i, j});
}

// Each corner of each triangle is a vertex of its own.
PolygonSoup taken_apart(const PolygonSoup& soup) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const auto& t : soup.triangles())
    for (const Index v : t) {
      corners.push_back(static_cast<Index>(corners.size()));
      coordinates.insert(coordinates.end(), soup.vertex(v).begin(), soup.vertex(v).end());
    }
  return {coordinates, corners};
}

PolygonSoup soup_of(const std::vector<Vec3>& points, const std::vector<Index>& corners) {
  std::vector<double> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.begin(), p.end());
  return {coordinates, corners};
}

PolygonSoup turned(const PolygonSoup& soup, const Pose& by) {
  std::vector<Vec3> points;
  for (const Vec3& p : soup.vertices()) points.push_back(by * p);
  std::vector<Index> corners;
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  return soup_of(points, corners);
}

std::vector<Object> small_objects() {
  const PolygonSoup box = scenes::box({-1, -0.8, -0.6}, {1, 0.8, 0.6});
  const std::vector<Vec3> corners{{0, 0, 0}, {1.5, 0.2, 0}, {0.3, 1.4, 0.1}, {0.4, 0.3, 1.2}};
  const PolygonSoup tetrahedron = soup_of(corners, {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3});
  // A second triangle lies on one of its faces, and one has a corner in the middle of an edge.
  std::vector<Vec3> more = corners;
  more.insert(more.end(), {{0.2, 0.1, 0.01}, {0.75, 0.1, 0}, {0.5, 0.2, 0.4}});
  more[4] = (corners[0] + corners[1] + corners[2]) / 3;
  more[5] = (corners[0] + corners[1]) / 2;
  const PolygonSoup with_more =
      soup_of(more, {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 2, 4, 5, 6, 4});
  std::vector<Object> objects;
  for (const PolygonSoup& soup : {box, taken_apart(box), tetrahedron, with_more})
    objects.emplace_back(soup, "", BuildOptions{.threads = 1});
  return objects;
}

bool is_special(int round) { return round % 8 == 0; }

Pose some_pose(base::Random& random, int round) {
  const Vec3 place = random.uniform(1.5, 4) * random.direction();
  if (is_special(round)) return Pose::from_translation(place);
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), place);
}

struct Seen {
  int apart = 0, parted = 0, known = 0, faces = 0, edges = 0, corners = 0;
};

// Whichever of the nearest pairs (equal up to rounding) was found: no pair is nearer except the
// reported ones.
void expect_no_other_is_nearer(const Object& a, const Object& b, const query::RelativePose& pose,
                               Seen& seen) {
  ASSERT_TRUE(query::FewTies::suit(a, b));
  double least = kInfinity;
  bool touch = false;
  const auto triangles = [&](query::TriangleIds pair) {
    return std::pair(query::triangle_of(a.soup(), pair.a),
                     query::triangle_of(b.soup(), pair.b, pose));
  };
  for_pairs(a, b, [&](query::TriangleIds pair) {
    const auto [t_a, t_b] = triangles(pair);
    touch = touch || geometry::triangles_intersect(t_a, t_b);
    least = std::min(least, geometry::closest_points_apart(t_a, t_b).distance);
  });
  if (touch) return;
  ++seen.apart;
  for_pairs(a, b, [&](query::TriangleIds pair) {
    const auto [t_a, t_b] = triangles(pair);
    const geometry::ClosestPoints closest = geometry::closest_points_apart(t_a, t_b);
    if (closest.distance > least * (1 + 1e-13)) return;
    const query::FewTies ties(a, b, pose, pair, closest);
    seen.parted += ties.parted() ? 1 : 0;
    if (!ties.known()) return;
    ++seen.known;
    double least_tie = closest.distance;
    for (const query::TriangleIds& tie : ties.pairs()) {
      least_tie = std::min(least_tie, measured(a, b, pose, tie));
      EXPECT_NEAR(measured(a, b, pose, tie), closest.distance, 1e-12);
    }
    EXPECT_EQ(least_tie, least);
    const auto both = [&](FeatureKind kind) {
      return closest.kind_a == kind && closest.kind_b == kind;
    };
    const bool on_face = closest.kind_a == FeatureKind::face || closest.kind_b == FeatureKind::face;
    ++(on_face ? seen.faces : both(FeatureKind::edge) ? seen.edges : seen.corners);
  });
}

TEST(FewTies, NoOtherPairIsNearer) {
  const std::vector<Object> objects = small_objects();
  base::Random random(1);
  Seen seen;
  const int rounds = test::scaled(2000, 200);
  for (int round = 0; round < rounds; ++round) {
    const Object& a = objects[static_cast<std::size_t>(round) % objects.size()];
    const Object& b = objects[static_cast<std::size_t>(round / 4) % objects.size()];
    expect_no_other_is_nearer(a, b, {Pose(), some_pose(random, round)}, seen);
  }
  EXPECT_GT(seen.apart, rounds / 3);
  EXPECT_GT(seen.parted, seen.apart);  // mostly there are several ties
  EXPECT_GT(seen.known, 2 * seen.apart);
  EXPECT_GT(std::min({seen.faces, seen.edges, seen.corners}), seen.apart / 8);
}

// A corner above a diagonal, above the end of an edge, or hardly aside of these; in either order.
TEST(FewTies, NextToSpecialPlaces) {
  const PolygonSoup straight = scenes::box({-1, -0.8, -0.6}, {1, 0.8, 0.6});
  const Pose lean = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.1, 0.2, 0.3});
  const Object box(turned(straight, lean), "", {.threads = 1});
  base::Random random(4);
  Seen seen;
  const int rounds = test::scaled(1500, 150);
  for (int round = 0; round < rounds; ++round) {
    const Pose turn = Pose::from_axis_angle(random.direction(), random.uniform(0.3, 3), {0, 0, 0});
    const double along = random.uniform(-1, 1), aside = std::pow(10, random.uniform(-18, -1));
    const Vec3 diagonal(along, (round % 4 == 0 ? 0.8 : -0.8) * along, 0.6), end(1, 0.8, 0.6);
    const bool above_face = round % 2 == 0;
    const Vec3 n = above_face ? Vec3(0, 0, 1) : Vec3(0, random.uniform(0.1, 1), 1).normalized();
    const Vec3 foot = (above_face ? diagonal : end) - aside * Vec3::UnitX();
    // The corner of the turned box that is first along n comes to lie above the foot.
    Vec3 first = Vec3::Zero();
    for (const Vec3& corner : straight.vertices())
      if (n.dot(turn * corner) < n.dot(first)) first = turn * corner;
    const Pose above = Pose::from_translation(foot + random.uniform(0.1, 3) * n - first) * turn;
    const Pose pose = lean * above * lean.inverse();
    expect_no_other_is_nearer(box, box, {Pose(), pose}, seen);
    expect_no_other_is_nearer(box, box, {pose, Pose()}, seen);
  }
  EXPECT_EQ(seen.apart, 2 * rounds);
  EXPECT_GT(seen.known, seen.apart / 2);
  EXPECT_GT(std::min(seen.faces, seen.corners), rounds / 8);
}

// A pair that is not the nearest is not taken for it.
TEST(FewTies, WhatIsNearerIsNotPartedBy) {
  const std::vector<Object> objects = small_objects();
  base::Random random(2);
  int farther = 0;
  for (int round = 0; round < test::scaled(300, 30); ++round) {
    const Object& a = objects[static_cast<std::size_t>(round) % objects.size()];
    const Object& b = objects[static_cast<std::size_t>(round / 4) % objects.size()];
    const query::RelativePose pose(Pose(), some_pose(random, round));
    double least = kInfinity;
    for_pairs(a, b, [&](query::TriangleIds pair) {
      least = std::min(least, measured(a, b, pose, pair));
    });
    for_pairs(a, b, [&](query::TriangleIds pair) {
      const geometry::ClosestPoints closest = geometry::closest_points_apart(
          query::triangle_of(a.soup(), pair.a), query::triangle_of(b.soup(), pair.b, pose));
      if (closest.distance < least + 1e-10) return;
      ++farther;
      EXPECT_FALSE(query::FewTies(a, b, pose, pair, closest).parted());
    });
  }
  EXPECT_GT(farther, 1000);
}

// Faces that are parallel, and edges above edges, are left to the search: ties are many.
TEST(FewTies, SpecialPlacesAreLeft) {
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}), "", {.threads = 1});
  const Pose quarter = Pose::from_axis_angle({0, 0, 1}, 0.7, {0, 0, 3});
  for (const Pose& pose :
       {Pose::from_translation({0.2, 0.3, 3}), quarter, Pose::from_translation({2.5, 0.3, 3}),
        Pose::from_translation({0, 2, 3})}) {
    const query::RelativePose relative(Pose(), pose);
    Nearest nearest;
    for_pairs(box, box, [&](query::TriangleIds pair) {
      const geometry::ClosestPoints closest = geometry::closest_points_apart(
          query::triangle_of(box.soup(), pair.a), query::triangle_of(box.soup(), pair.b, relative));
      if (closest.distance < nearest.closest.distance) nearest = {pair, closest};
    });
    const query::FewTies ties(box, box, relative, nearest.pair, nearest.closest);
    EXPECT_TRUE(ties.parted());
    EXPECT_FALSE(ties.known());
  }
}

// The whole query: all digits, but where ties are left to the search, and few measurements.
TEST(FewTies, DistanceOfSmallObjects) {
  const std::vector<Object> objects = small_objects();
  base::Random random(3);
  int apart = 0, other_digits = 0;
  std::uint64_t tests = 0;
  for (int round = 0; round < test::scaled(3000, 300); ++round) {
    const Object& a = objects[static_cast<std::size_t>(round) % objects.size()];
    const Object& b = objects[static_cast<std::size_t>(round / 4) % objects.size()];
    const Pose at = Pose::from_axis_angle(random.direction(), 1, random.in_box(3));
    const Pose pose = some_pose(random, round);
    const DistanceResult fast = distance(a, at, b, pose);
    const DistanceResult slow = brute_force::distance(a, at, b, pose);
    // In special positions, and next to them, only some of many ties are measured.
    if (fast.distance.upper != slow.distance.upper && !is_special(round)) ++other_digits;
    ASSERT_LE(fast.distance.upper, slow.distance.upper * (1 + 1e-15)) << round;
    ASSERT_GE(fast.distance.upper, slow.distance.upper);
    EXPECT_LE(fast.distance.lower, slow.distance.upper);
    EXPECT_NEAR(fast.distance.lower, slow.distance.lower, 1e-11);
    if (slow.distance.upper == 0) continue;
    ++apart;
    tests += fast.stats.primitive_tests;
  }
  EXPECT_GT(apart, test::scaled(3000, 300) / 3);
  EXPECT_LE(other_digits, apart / 1000);
  EXPECT_LT(tests, 12u * static_cast<std::uint64_t>(apart));
}

}  // namespace
}  // namespace touche::few_ties_test
