// SPDX-License-Identifier: Apache-2.0
#include "touche/soup.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "flat_polygon.h"

namespace touche {
namespace {

using test::polygon;
using Numbers = std::vector<double>;
using Indices = std::vector<Index>;

const Numbers kCube = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
const Indices kCubeQuads = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

PolygonSoup cube() { return PolygonSoup(kCube, kCubeQuads, Indices(6, 4)); }

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
    const Index twin = soup.opposite(c);
    ASSERT_NE(twin, kNone);
    EXPECT_EQ(soup.opposite(twin), c);
    EXPECT_EQ(soup.corner_vertex(c), soup.corner_vertex(soup.next_corner(twin)));
    EXPECT_EQ(soup.corner_vertex(soup.next_corner(c)), soup.corner_vertex(twin));
  }
}

TEST(Soup, NoTwinWithoutExactlyOneOppositeEdge) {
  const Numbers points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
  // Edge 0–1 three times; border edges; a face that names a vertex twice.
  const PolygonSoup three(points, Indices{0, 1, 2, 1, 0, 3, 1, 0, 4});
  for (Index c = 0; c < 9; ++c) EXPECT_EQ(three.opposite(c), kNone) << c;
  const PolygonSoup same_direction(points, Indices{0, 1, 2, 0, 1, 3});
  for (Index c = 0; c < 6; ++c) EXPECT_EQ(same_direction.opposite(c), kNone) << c;
  const PolygonSoup pair(points, Indices{0, 1, 2, 1, 0, 3});
  EXPECT_EQ(pair.opposite(0), 3u);
  EXPECT_EQ(pair.opposite(3), 0u);
  EXPECT_EQ(pair.opposite(1), kNone);
  const PolygonSoup repeated(points, Indices{0, 0, 1});
  EXPECT_EQ(repeated.opposite(0), kNone);
  EXPECT_EQ(repeated.opposite(1), 2u);
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
      ASSERT_EQ(soup.opposite(c), twin ? opposite[0] : kNone);
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

TEST(Health, DuplicatesAreOrientedAsTheFirstFaceOrOppositeToIt) {
  const Numbers points = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0};
  const Health h = examine(PolygonSoup(
      points, Indices{0, 1, 2, 3, 1, 2, 3, 4, 3, 2, 1, 0, 0, 2, 1, 3, 2, 1, 4, 3}, Indices(5, 4)));
  EXPECT_EQ(h.duplicate_faces, 4u);
  EXPECT_EQ(h.opposite_faces, 2u);  // the fourth face crosses itself and is neither
  EXPECT_EQ(examine(cube()).opposite_faces, 0u);
}

TEST(Health, BoundariesAreConnectedSetsOfEdges) {
  EXPECT_EQ(examine(cube()).boundaries, 0u);
  Indices tube = kCubeQuads;
  tube.erase(tube.begin(), tube.begin() + 8);  // without its two ends
  const Health h = examine(PolygonSoup(kCube, tube, Indices(4, 4)));
  EXPECT_EQ(h.boundary_edges, 8u);
  EXPECT_EQ(h.boundaries, 2u);
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
  EXPECT_THROW((void)merged({}), InvalidInput);
  EXPECT_THROW((void)merged(soups, std::span(names).first(2)), InvalidInput);
}

}  // namespace
}  // namespace touche
