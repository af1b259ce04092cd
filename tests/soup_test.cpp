// SPDX-License-Identifier: Apache-2.0
#include "touche/soup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

namespace touche {
namespace {

using Numbers = std::vector<double>;
using Indices = std::vector<Index>;

const Numbers kCube = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
const Indices kCubeQuads = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

PolygonSoup cube() { return PolygonSoup(kCube, kCubeQuads, Indices(6, 4)); }

/// One face in the plane z = 0.
PolygonSoup polygon(const std::vector<std::array<double, 2>>& points) {
  Numbers coordinates;
  Indices corners;
  for (const auto& [x, y] : points) {
    coordinates.insert(coordinates.end(), {x, y, 0});
    corners.push_back(static_cast<Index>(corners.size()));
  }
  const Indices sizes = {static_cast<Index>(points.size())};
  return PolygonSoup(coordinates, corners, sizes);
}

double signed_area(const PolygonSoup& soup, Index t) {
  const auto [i, j, k] = soup.triangle(t);
  const Vec3 u = soup.vertex(j) - soup.vertex(i), v = soup.vertex(k) - soup.vertex(i);
  return 0.5 * (u.x() * v.y() - u.y() * v.x());
}

double polygon_area(const PolygonSoup& soup) {
  double sum = 0;
  const auto face = soup.face(0);
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3 &p = soup.vertex(face[i]), &q = soup.vertex(face[(i + 1) % face.size()]);
    sum += 0.5 * (p.x() * q.y() - p.y() * q.x());
  }
  return sum;
}

/// n − 2 triangles of non-negative area that add up to the polygon's: they do not overlap.
void expect_tiling(const PolygonSoup& soup) {
  ASSERT_EQ(soup.triangle_count(), soup.corner_count() - 2);
  const double area = polygon_area(soup);
  double sum = 0;
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    EXPECT_GE(signed_area(soup, t) * area, -1e-12 * area * area) << "triangle " << t;
    sum += signed_area(soup, t);
  }
  EXPECT_NEAR(sum, area, 1e-9 * std::abs(area));
}

template <typename Make>
void expect_invalid(const Make& make, const std::string& words) {
  try {
    make();
    ADD_FAILURE() << "accepted, expected: " << words;
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
  }
}

TEST(Soup, KeepsWhatItIsGiven) {
  const PolygonSoup soup = cube();
  EXPECT_EQ(soup.vertex_count(), 8u);
  EXPECT_EQ(soup.face_count(), 6u);
  EXPECT_EQ(soup.corner_count(), 24u);
  EXPECT_EQ(soup.triangle_count(), 12u);
  EXPECT_EQ(soup.vertex(6), Vec3(1, 1, 1));
  EXPECT_EQ(soup.face_begin(6), 24u);
  EXPECT_EQ(soup.face(2).size(), 4u);
  EXPECT_EQ(soup.face(2)[3], 4u);
  EXPECT_EQ(soup.face_of_corner(11), 2u);
  EXPECT_EQ(soup.next_corner(11), 8u);
  EXPECT_EQ(soup.next_corner(8), 9u);
  EXPECT_EQ(soup.face_of_triangle(5), 2u);
  EXPECT_EQ(soup.bounds().lo, Vec3(0, 0, 0));
  EXPECT_EQ(soup.bounds().hi, Vec3(1, 1, 1));
  EXPECT_EQ(soup.face_group(0), "");
}

TEST(Soup, UnusedVerticesDoNotCountForTheBounds) {
  const PolygonSoup soup(Numbers{0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9}, Indices{0, 1, 2});
  EXPECT_EQ(soup.bounds().hi, Vec3(1, 1, 0));
}

TEST(Soup, Groups) {
  const PolygonSoup soup(kCube, kCubeQuads, Indices(6, 4), Indices{0, 0, 1, 1, 1, 0},
                         {"ends", "sides"});
  EXPECT_EQ(soup.face_group(1), "ends");
  EXPECT_EQ(soup.face_group(2), "sides");
  EXPECT_EQ(soup.group_names().size(), 2u);
}

TEST(Soup, RejectsBadInputNamingThePlace) {
  const double nan = std::nan("");
  const Indices one = {0, 1, 2};
  const Numbers flat = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  expect_invalid(
      [&] {
        PolygonSoup(Numbers{0, 0, 0, 1, nan, 0, 0, 1, 0}, one);
      },
      "vertex 1: coordinate y is not finite");
  expect_invalid(
      [&] {
        PolygonSoup(Numbers{0, 0, 0, 1, 0, 0, 0, 1, -kInfinity}, one);
      },
      "vertex 2: coordinate z is not finite");
  expect_invalid(
      [&] {
        PolygonSoup(Numbers{1e308, 0, 0, 1, 0, 0, 0, 1, 0}, one);
      },
      "vertex 0: coordinate x is larger than 1e90");
  expect_invalid([&] { PolygonSoup(Numbers{0, 0, 0, 1}, one); }, "three per vertex");
  expect_invalid([&] { PolygonSoup(flat, Indices{}); }, "no faces");
  expect_invalid(
      [&] {
        PolygonSoup(flat, Indices{0, 1, 2, 0, 1, 3});
      },
      "face 1: vertex number 3, but there are 3 vertices");
  expect_invalid([&] { PolygonSoup(flat, Indices{0, 1, 2, 0}); }, "three per face");
  expect_invalid(
      [&] {
        PolygonSoup(flat, Indices{0, 1, 2, 0, 1}, Indices{3, 2});
      },
      "face 1: fewer than three corners");
  expect_invalid([&] { PolygonSoup(flat, one, Indices{4}); }, "face 0: ends after");
  expect_invalid([&] { PolygonSoup(flat, one, Indices{3, kNone}); }, "face 1: ends after");
  expect_invalid(
      [&] {
        PolygonSoup(flat, Indices{0, 1, 2, 0, 1, 2}, Indices{3});
      },
      "add up to 3 of 6");
  expect_invalid([&] { PolygonSoup(flat, one, {}, Indices{0, 0}, {"g"}); }, "face groups");
  expect_invalid([&] { PolygonSoup(flat, one, {}, Indices{1}, {"g"}); }, "face 0: group number 1");
}

TEST(Soup, TwinsOfAClosedSurface) {
  const PolygonSoup soup = cube();
  for (Index c = 0; c < soup.corner_count(); ++c) {
    const Index twin = soup.twin(c);
    ASSERT_NE(twin, kNone);
    EXPECT_EQ(soup.twin(twin), c);
    EXPECT_EQ(soup.corner_vertex(c), soup.corner_vertex(soup.next_corner(twin)));
    EXPECT_EQ(soup.corner_vertex(soup.next_corner(c)), soup.corner_vertex(twin));
  }
}

TEST(Soup, NoTwinWithoutExactlyOneOppositeEdge) {
  const Numbers points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
  // Edge 0–1 three times; border edges; a face that names a vertex twice.
  const PolygonSoup three(points, Indices{0, 1, 2, 1, 0, 3, 1, 0, 4});
  for (Index c = 0; c < 9; ++c) EXPECT_EQ(three.twin(c), kNone) << c;
  const PolygonSoup same_direction(points, Indices{0, 1, 2, 0, 1, 3});
  for (Index c = 0; c < 6; ++c) EXPECT_EQ(same_direction.twin(c), kNone) << c;
  const PolygonSoup pair(points, Indices{0, 1, 2, 1, 0, 3});
  EXPECT_EQ(pair.twin(0), 3u);
  EXPECT_EQ(pair.twin(3), 0u);
  EXPECT_EQ(pair.twin(1), kNone);
  const PolygonSoup repeated(points, Indices{0, 0, 1});
  EXPECT_EQ(repeated.twin(0), kNone);
  EXPECT_EQ(repeated.twin(1), 2u);
}

TEST(Soup, TwinsMatchAMapOnRandomSoups) {
  std::mt19937 engine(1);
  for (int round = 0; round < 50; ++round) {
    Indices corners(3 * 60);
    for (Index& v : corners) v = static_cast<Index>(engine() % 20);
    Numbers points(60);
    for (double& x : points) x = static_cast<double>(engine() % 100);
    const PolygonSoup soup(points, corners);
    std::map<std::pair<Index, Index>, Indices> runs;
    const auto ends = [&](Index c) {
      return std::pair(soup.corner_vertex(c), soup.corner_vertex(soup.next_corner(c)));
    };
    for (Index c = 0; c < soup.corner_count(); ++c) runs[ends(c)].push_back(c);
    for (Index c = 0; c < soup.corner_count(); ++c) {
      const auto [u, v] = ends(c);
      const Indices &same = runs[{u, v}], &opposite = runs[{v, u}];
      const bool twin = u != v && same.size() == 1 && opposite.size() == 1;
      ASSERT_EQ(soup.twin(c), twin ? opposite[0] : kNone);
    }
  }
}

TEST(Soup, FeaturesNameTheInput) {
  const PolygonSoup soup = cube();
  std::map<FeatureKind, int> count;
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(soup.input_feature(t, FeatureKind::vertex, k),
                (Feature{FeatureKind::vertex, soup.triangle(t)[k]}));
      const Feature edge = soup.input_feature(t, FeatureKind::edge, k);
      ++count[edge.kind];
      if (edge.kind == FeatureKind::face) {
        EXPECT_EQ(edge.index, t / 2);
        continue;
      }
      EXPECT_EQ(soup.corner_vertex(edge.index), soup.triangle(t)[k]);
      EXPECT_EQ(soup.corner_vertex(soup.next_corner(edge.index)), soup.triangle(t)[(k + 1) % 3]);
    }
  }
  EXPECT_EQ(count[FeatureKind::edge], 24);
  EXPECT_EQ(count[FeatureKind::face], 12);  // the diagonal of each square, from both sides
  const PolygonSoup triangles(kCube, Indices{0, 1, 2, 4, 5, 6});
  EXPECT_EQ(triangles.input_feature(1, FeatureKind::edge, 2), (Feature{FeatureKind::edge, 5}));
  EXPECT_EQ(triangles.input_feature(1, FeatureKind::face, 0), (Feature{FeatureKind::face, 1}));
}

TEST(Soup, TrianglesOnlyTakeLessMemory) {
  const Indices corners = {0, 1, 2, 4, 5, 6};
  const PolygonSoup soup(kCube, corners, Indices{3, 3});
  EXPECT_EQ(soup.memory_bytes(), 8 * 24u + 6 * 4u + 6 * 4u + 2 * 12u);
  EXPECT_EQ(soup.face_count(), 2u);
  EXPECT_EQ(soup.face_of_corner(4), 1u);
  EXPECT_EQ(soup.next_corner(5), 3u);
}

TEST(Triangulate, ConvexFacesAreFans) {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 12; ++i)
    points.push_back({std::cos(i * std::numbers::pi / 6), std::sin(i * std::numbers::pi / 6)});
  const PolygonSoup soup = polygon(points);
  expect_tiling(soup);
  for (Index t = 0; t < soup.triangle_count(); ++t) EXPECT_EQ(soup.triangle(t)[0], 0u);
}

TEST(Triangulate, ConcaveFaces) {
  // An L, its mirror image, an arrow whose fan would leave it, a comb.
  expect_tiling(polygon({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}));
  expect_tiling(polygon({{0, 0}, {0, 2}, {1, 2}, {1, 1}, {2, 1}, {2, 0}}));
  expect_tiling(polygon({{1, 0}, {0, 2}, {1, 1}, {2, 2}}));
  std::vector<std::array<double, 2>> comb = {{20, -1}, {20, 3}};
  for (int i = 19; i > 0; --i) comb.push_back({double(i), i % 2 == 0 ? 3.0 : 0.0});
  comb.push_back({0, 3});
  comb.push_back({0, -1});
  expect_tiling(polygon(comb));
}

TEST(Triangulate, RandomStarShapedFaces) {
  std::mt19937 engine(2);
  std::uniform_real_distribution<double> radius(0.05, 1);
  for (int round = 0; round < 200; ++round) {
    const int n = 4 + round % 60;
    std::vector<std::array<double, 2>> points;
    for (int i = 0; i < n; ++i) {
      const double r = radius(engine), angle = i * 2 * std::numbers::pi / n;
      points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    if (round % 2 == 0) std::reverse(points.begin(), points.end());
    expect_tiling(polygon(points));
  }
}

TEST(Triangulate, FaceWithAHoleJoinedByABridge) {
  expect_tiling(
      polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}));
}

TEST(Triangulate, CollinearCornersAndTouchingCorners) {
  expect_tiling(polygon({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {1, 1}, {0, 1}, {0, 0.5}}));
  expect_tiling(polygon({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}));  // touches its own edge
}

TEST(Triangulate, AnyFaceGivesTwoLessTrianglesThanCorners) {
  std::mt19937 engine(3);
  for (int round = 0; round < 2'000; ++round) {
    const int n = 3 + static_cast<int>(engine() % 20), grid = 1 + static_cast<int>(engine() % 6);
    Numbers points;
    Indices corners;
    for (int i = 0; i < n; ++i) {
      for (int axis = 0; axis < 3; ++axis) points.push_back(static_cast<double>(engine() % grid));
      corners.push_back(static_cast<Index>(engine() % n));
    }
    const PolygonSoup soup(points, corners, Indices{static_cast<Index>(n)});
    ASSERT_EQ(soup.triangle_count(), static_cast<Index>(n - 2));
    std::set<Index> used;
    for (const auto& t : soup.triangles()) used.insert(t.begin(), t.end());
    ASSERT_EQ(used, std::set<Index>(corners.begin(), corners.end()));
    examine(soup);
  }
}

TEST(Triangulate, ManyCorners) {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::array<double, 2>> star, tangle;
  for (int i = 0; i < 3'000; ++i) {
    const double r = 0.5 + uniform(engine), angle = i * 2 * std::numbers::pi / 3'000;
    star.push_back({r * std::cos(angle), r * std::sin(angle)});
    tangle.push_back({uniform(engine), uniform(engine)});
  }
  expect_tiling(polygon(star));
  EXPECT_EQ(polygon(tangle).triangle_count(), 2'998u);
}

TEST(Triangulate, PentagramIsNotAFan) {
  std::vector<std::array<double, 2>> points;
  for (int i = 0; i < 5; ++i)
    points.push_back({std::cos(0.8 * i * std::numbers::pi), std::sin(0.8 * i * std::numbers::pi)});
  const PolygonSoup soup = polygon(points);
  EXPECT_EQ(soup.triangle_count(), 3u);
  EXPECT_EQ(examine(soup).concave_faces, 1u);
}

TEST(Health, Cube) {
  const Health h = examine(cube());
  EXPECT_EQ(h.edges, 12u);
  EXPECT_EQ(h.components, 1u);
  EXPECT_TRUE(h.closed);
  EXPECT_TRUE(h.oriented);
  EXPECT_DOUBLE_EQ(h.area, 6);
  EXPECT_DOUBLE_EQ(h.volume, 1);
  EXPECT_EQ(h.zero_area_faces + h.duplicate_faces + h.duplicate_vertices + h.unused_vertices +
                h.non_planar_faces + h.concave_faces + h.boundary_edges + h.non_manifold_edges +
                h.inconsistent_edges,
            0u);
}

TEST(Health, VerticesRepeatedForEachFaceAreOneSurface) {
  Numbers points;
  Indices corners;
  for (Index v : kCubeQuads) {
    points.insert(points.end(), {kCube[3 * v], kCube[3 * v + 1], kCube[3 * v + 2]});
    corners.push_back(static_cast<Index>(corners.size()));
  }
  const Health h = examine(PolygonSoup(points, corners, Indices(6, 4)));
  EXPECT_EQ(h.duplicate_vertices, 16u);
  EXPECT_EQ(h.edges, 12u);
  EXPECT_EQ(h.components, 1u);
  EXPECT_TRUE(h.closed);
}

TEST(Health, CountsEachDefect) {
  Numbers points = kCube;
  points.insert(points.end(), {5, 5, 5, 5, 5, 6, 5, 6, 5, 7, 7, 7});
  Indices corners = kCubeQuads, sizes(6, 4);
  const auto add = [&](const Indices& face) {
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  };
  add({2, 1, 0, 3});  // the first face again, turned over and around
  add({8, 9, 10});    // a triangle on its own
  add({8, 9, 9});     // without area, on an edge of the one before
  const Health h = examine(PolygonSoup(points, corners, sizes));
  EXPECT_EQ(h.duplicate_faces, 1u);
  EXPECT_EQ(h.zero_area_faces, 1u);
  EXPECT_EQ(h.unused_vertices, 1u);
  EXPECT_EQ(h.components, 2u);
  EXPECT_EQ(h.non_manifold_edges, 5u);  // four of the doubled face, and 8–9
  EXPECT_EQ(h.boundary_edges, 2u);
  EXPECT_FALSE(h.closed);
}

TEST(Health, OrientationAndShape) {
  const Numbers points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  EXPECT_EQ(examine(PolygonSoup(points, Indices{0, 1, 2, 0, 2, 3})).inconsistent_edges, 0u);
  const Health turned = examine(PolygonSoup(points, Indices{0, 1, 2, 0, 3, 2}));
  EXPECT_EQ(turned.inconsistent_edges, 1u);
  EXPECT_FALSE(turned.oriented);
  const Numbers bent = {0, 0, 0, 1, 0, 0, 1, 1, 0.1, 0, 1, 0};
  const Indices quad = {0, 1, 2, 3};
  EXPECT_EQ(examine(PolygonSoup(bent, quad, Indices{4})).non_planar_faces, 1u);
  const Numbers rounded = {0, 0, 0, 1, 0, 0, 1, 1, 1e-8, 0, 1, 0};
  EXPECT_EQ(examine(PolygonSoup(rounded, quad, Indices{4})).non_planar_faces, 0u);
  EXPECT_EQ(examine(polygon({{1, 0}, {0, 2}, {1, 1}, {2, 2}})).concave_faces, 1u);
}

TEST(Merged, KeepsFacesInOrderAndNamesTheirSoups) {
  const PolygonSoup quad = polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const Numbers points = {0, 0, 5, 1, 0, 5, 0, 1, 5, 1, 1, 5};
  const PolygonSoup two(points, Indices{0, 1, 2, 1, 3, 2}, {}, Indices{1, 0}, {"left", "right"});
  const PolygonSoup* const soups[] = {&quad, &two, &quad};
  const PolygonSoup all = merged(soups);
  EXPECT_EQ(all.face_count(), 4u);
  EXPECT_EQ(all.vertex_count(), 12u);
  EXPECT_EQ(all.face(0).size(), 4u);
  EXPECT_EQ(all.vertex(all.face(1)[0]), two.vertex(0));
  EXPECT_EQ(all.vertex(all.face(3)[2]), quad.vertex(quad.face(0)[2]));
  EXPECT_EQ(all.face_group(0), "");
  EXPECT_EQ(all.face_group(1), "right");
  EXPECT_EQ(all.face_group(2), "left");
  EXPECT_EQ(all.face_group(3), "");
  const std::string names[] = {"a", "b", "a"};
  const PolygonSoup named = merged(soups, names);
  EXPECT_EQ(named.face_group(2), "b");
  EXPECT_EQ(named.face_group(3), "a");
  EXPECT_EQ(named.group_names().size(), 2u);
  EXPECT_THROW(merged({}), InvalidInput);
  EXPECT_THROW(merged(soups, std::span(names).first(2)), InvalidInput);
}

}  // namespace
}  // namespace touche
