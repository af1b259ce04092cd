// SPDX-License-Identifier: Apache-2.0
// Joining vertices at open edges: noise of closed meshes goes, and nothing else changes. The
// conditions are tested on hostile soups, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/soup.h"

namespace touche::weld_test {
namespace {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<Index, 3>> triangles;

  PolygonSoup soup() const {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : vertices) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
    return PolygonSoup(xyz, corners);
  }
  void add(const PolygonSoup& soup) {
    const auto first = static_cast<Index>(vertices.size());
    vertices.insert(vertices.end(), soup.vertices().begin(), soup.vertices().end());
    for (const auto& t : soup.triangles())
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
};

/// Each corner is a vertex of its own, with noise.
Mesh noisy(const PolygonSoup& soup, double noise, base::Random& random) {
  Mesh mesh;
  for (const auto& t : soup.triangles()) {
    const auto first = static_cast<Index>(mesh.vertices.size());
    for (const Index v : t) {
      // Half of the corners keep their position, so that some shells stay connected.
      const Vec3 off = random.below(2) == 0 ? Vec3(Vec3::Zero()) : random.in_box(noise);
      mesh.vertices.emplace_back(soup.vertex(v) + off);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

PolygonSoup some_body(base::Random& random) {
  switch (random.below(3)) {
    case 0:
      return scenes::box(Vec3(-1, -0.8, -0.6), Vec3(1, 0.8, 0.6), 1 + random.below(3));
    case 1:
      return scenes::bumpy_sphere(400, random.below(100));
    default:
      return scenes::torus(1, 0.4, 24, 12);
  }
}

PolygonSoup moved(const PolygonSoup& soup, double scale, const Vec3& shift) {
  std::vector<double> xyz;
  for (const Vec3& v : soup.vertices()) {
    const Vec3 x = scale * v + shift;
    xyz.insert(xyz.end(), x.begin(), x.end());
  }
  PolygonSoup result = soup;
  result.move_vertices(xyz);
  return result;
}

double most_moved(const PolygonSoup& before, const PolygonSoup& after) {
  double most = 0;
  for (Index v = 0; v < before.vertex_count(); ++v)
    most = std::max(most, (before.vertex(v) - after.vertex(v)).cwiseAbs().maxCoeff());
  return most;
}

/// For each edge between positions, how many faces use it.
std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> edges_of(
    const PolygonSoup& soup) {
  std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> edges;
  for (Index c = 0; c < soup.corner_count(); ++c) {
    const Vec3 &p = soup.vertex(soup.corner_vertex(c)),
               &q = soup.vertex(soup.corner_vertex(soup.next_corner(c)));
    if (p == q) continue;
    std::array<double, 3> a = {p.x() + 0.0, p.y() + 0.0, p.z() + 0.0},
                          b = {q.x() + 0.0, q.y() + 0.0, q.z() + 0.0};
    ++edges[std::minmax(a, b)];
  }
  return edges;
}

std::size_t open_edges_of(const PolygonSoup& soup) {
  const auto edges = edges_of(soup);
  return static_cast<std::size_t>(
      std::ranges::count_if(edges, [](const auto& edge) { return edge.second % 2 != 0; }));
}

/// What holds for any soup and length.
void expect_sound(const PolygonSoup& before, const PolygonSoup& after, const WeldResult& result,
                  double length) {
  EXPECT_LE(most_moved(before, after), length);
  EXPECT_LE(result.farthest, length);
  EXPECT_EQ(result.open_edges_before, open_edges_of(before));
  EXPECT_EQ(result.open_edges, open_edges_of(after));
  EXPECT_LE(result.open_edges, result.open_edges_before);
  Index joined = 0;
  for (Index v = 0; v < before.vertex_count(); ++v) joined += before.vertex(v) != after.vertex(v);
  EXPECT_EQ(result.joined, joined);
  EXPECT_EQ(after.face_count(), before.face_count());
  // No face loses a corner.
  for (Index f = 0; f < before.face_count(); ++f) {
    const auto corners = before.face(f);
    for (const Index v : corners)
      for (const Index w : corners) {
        EXPECT_EQ(before.vertex(v) == before.vertex(w), after.vertex(v) == after.vertex(w));
      }
  }
  // No edge of one or two faces gets a third one.
  std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> most_before;
  const auto uses = edges_of(before);
  for (Index c = 0; c < before.corner_count(); ++c) {
    const auto key = [&](const PolygonSoup& soup) {
      const Vec3 &p = soup.vertex(soup.corner_vertex(c)),
                 &q = soup.vertex(soup.corner_vertex(soup.next_corner(c)));
      std::array<double, 3> a = {p.x() + 0.0, p.y() + 0.0, p.z() + 0.0},
                            b = {q.x() + 0.0, q.y() + 0.0, q.z() + 0.0};
      return std::pair<std::array<double, 3>, std::array<double, 3>>(std::minmax(a, b));
    };
    const auto own = uses.find(key(before));
    if (own == uses.end()) continue;
    int& most = most_before[key(after)];
    most = std::max(most, own->second);
  }
  for (const auto& [edge, count] : edges_of(after)) {
    EXPECT_TRUE(count <= 2 || most_before.at(edge) > 2) << count;
  }
}

TEST(Weld, NoiseOfClosedMeshesIsClosed) {
  base::Random random(1);
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    const double scale = std::pow(10, random.uniform(-6, 6)), noise = 1e-7 * scale;
    const PolygonSoup body =
        moved(some_body(random), scale, random.below(2) * 3 * scale * random.in_box(1));
    Mesh mesh = noisy(body, noise, random);
    const PolygonSoup before = mesh.soup();
    PolygonSoup after = before;
    const WeldResult result = weld(after, 2 * noise);
    EXPECT_GT(result.open_edges_before, 0u);
    EXPECT_EQ(result.open_edges, 0u) << round;
    EXPECT_EQ(result.closed_shells, 1u);
    const Health health = examine(after);
    EXPECT_TRUE(health.closed && health.oriented);
    EXPECT_NEAR(health.volume, examine(body).volume, 1e-5 * scale * scale * scale);
    expect_sound(before, after, result, 2 * noise);
  }
}

TEST(Weld, DoesNotDependOnTheOrderOfTheInput) {
  base::Random random(2);
  for (int round = 0; round < test::scaled(40, 12) && !HasFailure(); ++round) {
    const double noise = std::pow(10, random.uniform(-9, -1.5));
    const Mesh mesh = noisy(some_body(random), noise, random);
    std::vector<Index> order(mesh.vertices.size()), number(order.size());
    std::iota(order.begin(), order.end(), Index{0});
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[random.below(static_cast<Index>(i + 1))]);
    Mesh other;
    for (std::size_t i = 0; i < order.size(); ++i) {
      other.vertices.push_back(mesh.vertices[order[i]]);
      number[order[i]] = static_cast<Index>(i);
    }
    for (const auto& t : mesh.triangles) {
      const Index k = random.below(3);
      other.triangles.push_back({number[t[k]], number[t[(k + 1) % 3]], number[t[(k + 2) % 3]]});
    }
    for (std::size_t i = other.triangles.size(); i-- > 1;)
      std::swap(other.triangles[i], other.triangles[random.below(static_cast<Index>(i + 1))]);
    PolygonSoup a = mesh.soup(), b = other.soup();
    const WeldResult of_a = weld(a, 2 * noise), of_b = weld(b, 2 * noise);
    EXPECT_EQ(of_a.joined, of_b.joined);
    for (Index v = 0; v < a.vertex_count(); ++v) EXPECT_EQ(a.vertex(v), b.vertex(number[v]));
  }
}

// Boxes without noise have no open edges, however near they are; with noise each closes by itself.
TEST(Weld, PartsThatNearlyTouchStayApart) {
  base::Random random(3);
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    const double gap = 1e-6;
    Mesh clean;
    clean.add(scenes::box({0, 0, 0}, {1, 1, 1}, 2));
    clean.add(scenes::box({1 + gap, 0, 0}, {2, 1, 1}, 2));
    PolygonSoup soup = clean.soup();
    EXPECT_EQ(weld(soup, 10 * gap).joined, 0u);
    EXPECT_EQ(most_moved(clean.soup(), soup), 0);
    PolygonSoup apart = noisy(clean.soup(), gap / 8, random).soup();
    const WeldResult result = weld(apart, 3 * gap);
    EXPECT_EQ(result.open_edges, 0u);
    EXPECT_EQ(result.closed_shells, 2u);
    EXPECT_EQ(examine(apart).components, 2u);
  }
}

// Its two sides are nearer to each other than the length.
TEST(Weld, ThinPlatesKeepTheirSides) {
  base::Random random(4);
  const double thickness = 1e-5;
  const PolygonSoup plate = scenes::box({0, 0, 0}, {1, 1, thickness});
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    const PolygonSoup before = noisy(plate, 1e-8, random).soup();
    PolygonSoup after = before;
    const WeldResult result = weld(after, 4 * thickness);
    expect_sound(before, after, result, 4 * thickness);
    EXPECT_EQ(result.open_edges, 0u);
    EXPECT_NEAR(examine(after).volume, thickness, 1e-6);
    EXPECT_EQ(examine(after).zero_area_faces, 0u);
  }
}

TEST(Weld, HolesStayOpen) {
  base::Random random(5);
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    Mesh mesh = noisy(some_body(random), 1e-8, random);
    mesh.triangles.erase(mesh.triangles.begin() +
                         random.below(static_cast<Index>(mesh.triangles.size())));
    const PolygonSoup before = mesh.soup();
    PolygonSoup after = before;
    const WeldResult result = weld(after, 4e-8);
    EXPECT_EQ(result.open_edges, 3u);
    EXPECT_EQ(result.closed_shells, 0u);
    // However large the length, the hole is not zipped up.
    PolygonSoup wide = before;
    const WeldResult with_any = weld(wide, 10);
    EXPECT_EQ(with_any.open_edges, 3u);
    expect_sound(before, wide, with_any, 10);
  }
}

// Lattice points, so that positions coincide, faces are degenerate and edges have many faces.
TEST(Weld, AnySoupStaysSound) {
  base::Random random(6);
  Index joined = 0;
  for (int round = 0; round < test::scaled(2000, 300) && !HasFailure(); ++round) {
    Mesh mesh;
    const Index count = 2 + random.below(40);
    for (Index i = 0; i < count; ++i) {
      const auto lattice = [&] { return static_cast<double>(random.below(3)); };
      Vec3 x(lattice(), lattice(), lattice());
      if (random.below(2) == 0) x += random.in_box(std::pow(10, random.uniform(-9, -0.5)));
      mesh.vertices.push_back(x);
    }
    for (Index i = 0; i < count; ++i)
      mesh.triangles.push_back({random.below(count), random.below(count), random.below(count)});
    const PolygonSoup before = mesh.soup();
    PolygonSoup after = before;
    const double length = std::pow(10, random.uniform(-9, 1));
    const WeldResult result = weld(after, length);
    joined += result.joined;
    expect_sound(before, after, result, length);
  }
  EXPECT_GT(joined, 100u);
}

TEST(Weld, FacesOfManyCornersAreJoined) {
  // A box of six quadrangles, each with corners of its own; the noise is in x.
  const PolygonSoup box = scenes::box({0, 0, 0}, {1, 1, 1});
  const std::array<std::array<int, 4>, 6> sides = {
      {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}}};
  std::vector<double> xyz;
  std::vector<Index> corners, sizes(6, 4);
  for (std::size_t f = 0; f < 6; ++f)
    for (const int corner : sides[f]) {
      corners.push_back(static_cast<Index>(corners.size()));
      xyz.insert(xyz.end(), {(corner & 4 ? 1.0 : 0.0) + (f % 2 == 0 ? 1e-9 : 0.0),
                             corner & 2 ? 1.0 : 0.0, corner & 1 ? 1.0 : 0.0});
    }
  PolygonSoup soup(xyz, corners, sizes);
  EXPECT_FALSE(examine(soup).closed);
  EXPECT_EQ(weld(soup, 2e-9).open_edges, 0u);
  EXPECT_TRUE(examine(soup).closed);
  EXPECT_EQ(soup.bounds().lo.x(), 0);  // of 0 and 1e-9 the shorter number is kept
}

TEST(Weld, TellsTheLengthThatCloses) {
  base::Random random(7);
  for (int round = 0; round < test::scaled(40, 12) && !HasFailure(); ++round) {
    const double noise = std::pow(10, random.uniform(-12, -3));
    const PolygonSoup soup = noisy(some_body(random), noise, random).soup();
    const auto length = closing_length(soup, 1e-2);
    ASSERT_TRUE(length) << noise;
    EXPECT_LE(*length, 2.3 * noise);
    PolygonSoup closed = soup;
    EXPECT_EQ(weld(closed, *length).open_edges, 0u);
  }
  const PolygonSoup box = scenes::box({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(closing_length(box, 1));
  Mesh holed;
  holed.add(box);
  holed.triangles.pop_back();
  EXPECT_FALSE(closing_length(holed.soup(), 1));
}

TEST(Weld, RefusesLengthsThatAreNone) {
  PolygonSoup soup = scenes::box({0, 0, 0}, {1, 1, 1});
  for (const double length : {-1.0, kInfinity, std::nan("")}) {
    EXPECT_THROW(weld(soup, length), InvalidInput);
    EXPECT_THROW(static_cast<void>(closing_length(soup, length)), InvalidInput);
  }
  EXPECT_EQ(weld(soup, 0).joined, 0u);
}

}  // namespace
}  // namespace touche::weld_test
