// SPDX-License-Identifier: Apache-2.0
// The BSP tree against rays, areas and a test of each triangle: random, closed, coplanar, thin,
// huge and tiny soups.
#include "touche/spatial.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "geometry/box_triangle.h"
#include "geometry/point_triangle.h"
#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::bsp_tree_test {
namespace {

using scenes::Random;

enum class Kind {
  crossing,
  small,
  closed,
  room,
  coplanar,
  stacked,
  equal,
  thin,
  points,
  huge,
  tiny,
  far_away,
  count
};

Triangle some_triangle(base::Random& random, double size) {
  const Vec3 at = random.in_box(1);
  const Vec3 a = random.in_box(size), b = random.in_box(size), c = random.in_box(size);
  return {at + a, at + b, at + c};
}

PolygonSoup soup_of(const std::vector<Triangle>& triangles) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Triangle& t : triangles)
    for (const Vec3& corner : t) {
      coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
      corners.push_back(static_cast<Index>(corners.size()));
    }
  return PolygonSoup(coordinates, corners);
}

PolygonSoup some_soup(base::Random& random, Kind kind) {
  if (kind == Kind::closed) return scenes::sphere(1, 60 + 20 * random.below(20));
  if (kind == Kind::room) return scenes::box(-Vec3::Ones(), Vec3::Ones(), 1 + random.below(6));
  std::vector<Triangle> triangles;
  const Index count = 1 + random.below(kind == Kind::small || kind == Kind::stacked ? 200 : 40);
  for (Index i = 0; i < count; ++i) {
    Triangle t = some_triangle(random, kind == Kind::small ? 0.2 : 1);
    const double fold = random.uniform();
    for (Vec3& corner : t) {
      if (kind == Kind::coplanar) corner[1] = 0.5;
      if (kind == Kind::stacked) corner[2] = 0.25 * (i % 5);  // planes that meet in others' middles
      if (kind == Kind::huge) corner *= 1e85;
      if (kind == Kind::tiny) corner *= 1e-80;
      if (kind == Kind::far_away) corner += Vec3(1e6, -3e6, 2e6);
      if (kind == Kind::points) corner = t[0];
    }
    if (kind == Kind::stacked && i % 10 == 9)
      for (Vec3& corner : t) corner = Vec3(corner[2], corner[0], corner[1]);
    if (kind == Kind::equal && i > 0) t = triangles[0];
    if (kind == Kind::thin && i % 2 == 0)
      t[2] = t[0] + fold * (t[1] - t[0]) + std::pow(10, -4.0 * (i % 5)) * 0.01 * (t[2] - t[0]);
    triangles.push_back(t);
  }
  return soup_of(triangles);
}

Triangle triangle_of(const PolygonSoup& soup, Index t) {
  const std::array<Index, 3>& v = soup.triangle(t);
  return {soup.vertex(v[0]), soup.vertex(v[1]), soup.vertex(v[2])};
}

double size_of(const PolygonSoup& soup) { return std::max(soup.bounds().diagonal(), 1e-85); }

// Returns the normal of a triangle, as long as the triangle is large, compared with the soup.
Vec3 normal_of(const PolygonSoup& soup, Index triangle) {
  const Triangle t = triangle_of(soup, triangle);
  return ((t[1] - t[0]) / size_of(soup)).cross((t[2] - t[0]) / size_of(soup));
}

// Calls `judge(soup, tree, random)`.
template <class Judge>
void on_all_kinds(int rounds, Judge&& judge) {
  base::Random random(1);
  for (int round = 0; round < test::scaled(rounds, 24); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    const PolygonSoup soup = some_soup(random, kind);
    const BspTree tree(soup, {.max_candidates = 1 + random.below(20)});
    SCOPED_TRACE(round);
    tree.validate();
    judge(soup, tree, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

Vec3 some_point(const PolygonSoup& soup, base::Random& random) {
  const Vec3 share = random.in_box(0.6);
  return soup.bounds().centre() + size_of(soup) * share;
}

Vec3 some_point_on_a_face(const PolygonSoup& soup, base::Random& random) {
  const Triangle t = triangle_of(soup, random.below(soup.triangle_count()));
  const double a = random.uniform(0, 0.5), b = random.uniform(0, 0.5);
  return t[0] + a * (t[1] - t[0]) + b * (t[2] - t[0]);
}

// Where a ray passes through the inside of a convex polygon, in lengths of the direction, seen
// along the normal.
std::optional<double> passes(const Vec3& eye, const Vec3& direction, std::span<const Vec3> polygon,
                             const Vec3& normal) {
  const double slope = normal.dot(direction);
  if (slope == 0) return std::nullopt;
  const double t = normal.dot(polygon[0] - eye) / slope;
  if (t <= 0) return std::nullopt;
  const Vec3 at = eye + t * direction;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 edge = polygon[(i + 1) % polygon.size()] - polygon[i];
    if (normal.dot(edge.cross(at - polygon[i])) <= 0) return std::nullopt;
  }
  return t;
}

// Along each ray from the eye pieces come in the order of their distance, the farthest first, and
// no triangle is missing.
TEST(BspTree, PaintsWhatIsNearerLater) {
  constexpr int kRounds = 240;
  int several = 0, rays = 0, cut = 0;
  on_all_kinds(kRounds, [&](const PolygonSoup& soup, const BspTree& tree, base::Random& random) {
    cut += static_cast<int>(tree.pieces().size() > soup.triangle_count());
    // The slope of what counts is more than 1e-6, in a normal no longer than 1.
    const double slack = 4e6 * tree.tolerance();
    for (int view = 0; view < 4; ++view) {
      // Also from a corner, where planes meet.
      const Vec3 eye = view == 3 ? soup.vertex(0) : some_point(soup, random);
      const std::vector<Index> order = tree.back_to_front(eye);
      std::vector<Index> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (Index i = 0; i < tree.pieces().size(); ++i) ASSERT_EQ(sorted.at(i), i);
      std::vector<Index> reverse = tree.front_to_back(eye);
      std::reverse(reverse.begin(), reverse.end());
      ASSERT_EQ(order, reverse);

      for (int ray = 0; ray < 10; ++ray) {
        // Not exactly at it, so that no ray lies in a plane that several faces share.
        const Vec3 aside = random.in_box(1e-3);
        const Vec3 target = some_point_on_a_face(soup, random) + size_of(soup) * aside;
        if ((target - eye).norm() < 1e-3 * size_of(soup)) continue;
        const Vec3 direction = (target - eye).normalized();
        std::multiset<Index> expected, met;
        double farthest_after = -kInfinity;
        int hits = 0;
        // A triangle that is thin, seen edge-on or at the eye may be anywhere as far as rounding
        // goes.
        const auto hit = [&](std::span<const Vec3> polygon,
                             Index triangle) -> std::optional<double> {
          const Vec3 normal = normal_of(soup, triangle);
          if (std::abs(normal.dot(direction)) < 1e-6) return std::nullopt;
          const auto t = passes(eye, direction, polygon, normal);
          return t && *t > slack ? t : std::nullopt;
        };
        for (Index t = 0; t < soup.triangle_count(); ++t) {
          const auto at = hit(triangle_of(soup, t), t);
          if (at) expected.insert(t);
        }
        for (auto i = order.rbegin(); i != order.rend(); ++i) {  // the nearest first
          const BspTree::Piece& piece = tree.pieces()[*i];
          const auto t = hit(tree.corners(piece), piece.triangle);
          if (!t) continue;
          met.insert(piece.triangle);
          ASSERT_EQ(piece.face, soup.face_of_triangle(piece.triangle));
          ASSERT_GE(*t, farthest_after - slack);
          farthest_after = std::max(farthest_after, *t);
          ++hits;
        }
        ASSERT_EQ(met, expected);
        several += static_cast<int>(hits > 1);
        ++rays;
      }
    }
  });
  EXPECT_GT(several, rays / 5);
  EXPECT_GT(cut, test::scaled(kRounds, 24) / 6);
}

// In squares of the size.
double area(std::span<const Vec3> polygon, double size) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += ((polygon[i - 1] - polygon[0]) / size).cross((polygon[i] - polygon[0]) / size);
  return 0.5 * sum.norm();
}

TEST(BspTree, PiecesCoverTheirTriangles) {
  on_all_kinds(120, [&](const PolygonSoup& soup, const BspTree& tree, base::Random&) {
    std::vector<double> areas(soup.triangle_count());
    for (const BspTree::Piece& piece : tree.pieces()) {
      areas[piece.triangle] += area(tree.corners(piece), size_of(soup));
      // They lie in the triangle.
      for (const Vec3& corner : tree.corners(piece))
        ASSERT_LE(geometry::nearest_offset(corner, triangle_of(soup, piece.triangle)).norm(),
                  tree.tolerance());
    }
    for (Index t = 0; t < soup.triangle_count(); ++t)
      ASSERT_NEAR(areas[t], area(triangle_of(soup, t), size_of(soup)),
                  8 * tree.tolerance() / size_of(soup));
  });
}

// Points of one leaf see each other; points that do not see each other are in different leaves.
TEST(BspTree, NoFaceIsInsideALeaf) {
  int same = 0, hidden = 0, asked = 0;
  on_all_kinds(240, [&](const PolygonSoup& soup, const BspTree& tree, base::Random& random) {
    for (int i = 0; i < 20; ++i) {
      const Vec3 from = some_point(soup, random);
      const Vec3 step = random.in_box(0.05);
      const Vec3 target = some_point_on_a_face(soup, random);
      const Vec3 direction = i % 2 == 0 ? Vec3(size_of(soup) * step) : Vec3(1.5 * (target - from));
      bool blocked = false;
      for (Index t = 0; t < soup.triangle_count(); ++t) {
        const Vec3 normal = normal_of(soup, t);
        if (normal.norm() < 1e-6) continue;
        const auto at = passes(from, direction, triangle_of(soup, t), normal);
        blocked |= at && *at < 1;
      }
      const Index leaf = tree.leaf_at(from), other = tree.leaf_at(from + direction);
      ASSERT_TRUE(tree.nodes()[leaf].is_leaf());
      ASSERT_FALSE(blocked && leaf == other);
      same += static_cast<int>(leaf == other);
      hidden += static_cast<int>(blocked);
      ++asked;
    }
  });
  EXPECT_GT(same, asked / 10);
  EXPECT_GT(hidden, asked / 20);
}

TEST(BspTree, FindsFacesInABox) {
  int hits = 0, asked = 0;
  on_all_kinds(240, [&](const PolygonSoup& soup, const BspTree& tree, base::Random& random) {
    for (int i = 0; i < 10; ++i) {
      Aabb box;
      box.include(i % 3 == 0 ? soup.vertex(random.below(soup.vertex_count()))
                             : some_point(soup, random));
      const Vec3 step = random.in_box(0.2);
      if (i % 2 == 0) box.include(box.lo + size_of(soup) * step);
      std::vector<Index> expected;
      for (Index t = 0; t < soup.triangle_count(); ++t)
        if (geometry::box_meets_triangle(box, triangle_of(soup, t)))
          expected.push_back(soup.face_of_triangle(t));
      expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
      ASSERT_EQ(tree.faces_in_box(box), expected);
      hits += static_cast<int>(!expected.empty());
      ++asked;
    }
  });
  test::expect_about_half(hits, asked);
}

TEST(BspTree, FindsTheNearestFaces) {
  int far = 0, asked = 0;
  on_all_kinds(240, [&](const PolygonSoup& soup, const BspTree& tree, base::Random& random) {
    for (int i = 0; i < 5; ++i) {
      Vec3 point = some_point(soup, random);
      if (i == 3) point = soup.vertex(random.below(soup.vertex_count()));
      if (i == 4) point += 1e4 * (point - soup.bounds().centre());
      if (point.cwiseAbs().maxCoeff() > 1e90) continue;
      const Index count = random.below(9);
      std::vector<NearFace> expected;
      for (Index t = 0; t < soup.triangle_count(); ++t) {
        const double distance = geometry::nearest_offset(point, triangle_of(soup, t)).norm();
        const Index face = soup.face_of_triangle(t);
        if (!expected.empty() && expected.back().face == face)
          expected.back().distance = std::min(expected.back().distance, distance);
        else
          expected.push_back({face, distance});
      }
      std::stable_sort(expected.begin(), expected.end(), [](const NearFace& a, const NearFace& b) {
        return a.distance < b.distance;
      });
      expected.resize(std::min<std::size_t>(count, expected.size()));
      ASSERT_EQ(tree.nearest_faces(point, count), expected);
      if (expected.empty()) continue;
      far += static_cast<int>(expected[0].distance > 0.1 * size_of(soup));
      ++asked;
    }
  });
  EXPECT_GT(far, asked / 10);
  EXPECT_LT(far, asked - asked / 10);
}

// A face that is no triangle keeps its number.
TEST(BspTree, PiecesNameTheirFaces) {
  const double coordinates[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 1, -1, 1, 1, 1, 3, 1, 0};
  const Index corners[] = {0, 1, 2, 3, 4, 5, 6}, sizes[] = {4, 3};
  const BspTree tree(PolygonSoup(coordinates, corners, sizes));
  std::set<Index> faces;
  for (const BspTree::Piece& piece : tree.pieces()) faces.insert(piece.face);
  EXPECT_EQ(faces, (std::set<Index>{0, 1}));
  EXPECT_GT(tree.pieces().size(), 3u);
  EXPECT_EQ(tree.faces_in_box({Vec3(0.1, 0.1, -1), Vec3(0.2, 0.2, 1)}), std::vector<Index>{0});
  EXPECT_EQ(tree.nearest_faces({1, 1, 0.9}, 1)[0].face, 1u);
}

// A closed convex surface has no face whose plane divides it: planes perpendicular to an axis keep
// the tree low, and cut few pieces.
TEST(BspTree, StaysLowOnAConvexSurface) {
  const PolygonSoup soup = scenes::sphere(1, 4000);
  const BspTree tree(soup);
  std::vector<int> depths(tree.nodes().size());
  for (std::size_t i = 1; i < tree.nodes().size(); ++i)
    depths[i] = depths[tree.nodes()[i].parent] + 1;
  EXPECT_LT(*std::max_element(depths.begin(), depths.end()), 80);
  EXPECT_LT(tree.pieces().size(), 2 * soup.triangle_count());
  EXPECT_GT(tree.pieces().size(), soup.triangle_count());
}

TEST(BspTree, RefusesWhatItCannotAnswer) {
  base::Random random(2);
  const PolygonSoup soup = some_soup(random, Kind::crossing);
  EXPECT_THROW(BspTree(soup, {.max_candidates = 0}), InvalidInput);
  EXPECT_THROW(BspTree(soup, {.max_pieces = soup.triangle_count()}), InvalidInput);
  const BspTree tree(soup);
  const double nan = std::nan("");
  EXPECT_THROW(static_cast<void>(tree.leaf_at(Vec3(nan, 0, 0))), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree.back_to_front(Vec3(0, 1e91, 0))), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree.front_to_back(Vec3(0, 0, kInfinity))), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree.faces_in_box({})), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree.nearest_faces(Vec3(nan, 0, 0), 1)), InvalidInput);
}

TEST(BspTree, NothingAtAll) {
  const BspTree tree;
  tree.validate();
  EXPECT_EQ(tree.leaf_at(Vec3::Zero()), kNone);
  EXPECT_TRUE(tree.back_to_front(Vec3::Zero()).empty());
  EXPECT_TRUE(tree.faces_in_box({Vec3::Zero(), Vec3::Ones()}).empty());
  EXPECT_TRUE(tree.nearest_faces(Vec3::Zero(), 2).empty());
}

}  // namespace
}  // namespace touche::bsp_tree_test
