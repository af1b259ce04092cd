// SPDX-License-Identifier: Apache-2.0
// Soups that are closed up to gaps: counting with caps against sums over all faces, slits that
// count as faces, and how thick bodies with slits overlap against the same bodies without.
#include "path/caps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "geometry/point_triangle.h"
#include "motion_kinds.h"
#include "path/interior.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/overlap.h"

namespace touche::caps_test {
namespace {

using scenes::Random;

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<Index, 3>> triangles;

  explicit Mesh(const PolygonSoup& soup)
      : vertices(soup.vertices().begin(), soup.vertices().end()),
        triangles(soup.triangles().begin(), soup.triangles().end()) {}

  PolygonSoup soup() const {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : vertices) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
    return PolygonSoup(xyz, corners);
  }
  Index pick(base::Random& random) const {
    return random.below(static_cast<Index>(triangles.size()));
  }
};

/// Cuts a triangle in two at a point within one of its edges, to which its neighbour still has one
/// edge. The point is rounded, so that a slit is left.
void cut(Mesh& mesh, Index triangle, Index corner, double share) {
  const auto [a, b, c] =
      std::array{mesh.triangles[triangle][corner], mesh.triangles[triangle][(corner + 1) % 3],
                 mesh.triangles[triangle][(corner + 2) % 3]};
  const auto middle = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.emplace_back((1 - share) * mesh.vertices[a] + share * mesh.vertices[b]);
  mesh.triangles[triangle] = {a, middle, c};
  mesh.triangles.push_back({middle, b, c});
}

/// Some edges are cut on one of their sides only.
PolygonSoup with_slits(const PolygonSoup& soup, base::Random& random, int count) {
  Mesh mesh(soup);
  for (int i = 0; i < count; ++i)
    cut(mesh, mesh.pick(random), random.below(3), random.uniform(0.1, 0.9));
  return mesh.soup();
}

/// Triangles are left out, listed twice or turned over.
PolygonSoup damaged(const PolygonSoup& soup, base::Random& random, int count) {
  Mesh mesh(soup);
  for (int i = 0; i < count; ++i) {
    const Index t = mesh.pick(random);
    const Index kind = random.below(4);
    if (kind < 2)
      mesh.triangles.erase(mesh.triangles.begin() + t);
    else if (kind == 2)
      mesh.triangles.push_back(mesh.triangles[t]);
    else
      std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  }
  return mesh.soup();
}

PolygonSoup turned(const PolygonSoup& soup, base::Random& random) {
  const Pose pose = test::random_pose(random, 2);
  Mesh mesh(soup);
  for (Vec3& v : mesh.vertices) v = pose * v;
  return mesh.soup();
}

PolygonSoup some_body(base::Random& random) {
  switch (random.below(3)) {
    case 0:
      return turned(scenes::box(-Vec3(1, 0.8, 0.6), Vec3(1, 0.8, 0.6)), random);
    case 1:
      return turned(scenes::bumpy_sphere(400, random.below(100)), random);
    default:
      return turned(scenes::torus(1, 0.4, 24, 12), random);
  }
}

paths::Caps caps_of(const PolygonSoup& soup) {
  return paths::close_up(soup, paths::oriented(soup).boundary.edges);
}

/// Returns the soup as Interior takes it: neighbours run the same way round.
PolygonSoup alike(const PolygonSoup& soup) {
  const paths::Oriented surface = paths::oriented(soup);
  const paths::Triangles triangles = surface.triangles(soup);
  Mesh mesh(soup);
  mesh.triangles.assign(triangles.begin(), triangles.end());
  return mesh.soup();
}

int count_boundary(const PolygonSoup& soup) {
  std::map<std::array<double, 6>, int> edges;
  for (const auto& t : soup.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &p = soup.vertex(t[k]), &q = soup.vertex(t[(k + 1) % 3]);
      if (p == q) continue;
      const std::array<double, 6> there = {p[0], p[1], p[2], q[0], q[1], q[2]},
                                  back = {q[0], q[1], q[2], p[0], p[1], p[2]};
      there < back ? ++edges[there] : --edges[back];
    }
  int count = 0;
  for (const auto& [edge, times] : edges) count += std::abs(times);
  return count;
}

TEST(Caps, CloseTheBoundary) {
  base::Random random(1);
  int open = 0;
  for (int round = 0; round < test::scaled(200, 40); ++round) {
    const PolygonSoup body = some_body(random);
    const int count = 1 + static_cast<int>(random.below(6));
    const PolygonSoup soup = alike(random.below(2) == 0 ? damaged(body, random, count)
                                                        : with_slits(body, random, count));
    const paths::Caps caps = caps_of(soup);
    const int boundary = count_boundary(soup);
    EXPECT_EQ(caps.closed, boundary == 0);
    ASSERT_TRUE(caps.complete);
    open += boundary > 0;
    // With the caps there is no boundary.
    std::vector<double> xyz;
    std::vector<Index> corners;
    const auto add = [&](const Triangle& t) {
      for (const Vec3& x : t) {
        corners.push_back(static_cast<Index>(corners.size()));
        xyz.insert(xyz.end(), x.begin(), x.end());
      }
    };
    for (Index t = 0; t < soup.triangle_count(); ++t) add(query::triangle_of(soup, t));
    for (const paths::Cap& cap : caps.caps) add(cap.triangle);
    EXPECT_EQ(count_boundary(PolygonSoup(xyz, corners)), 0);
    for (const paths::Cap& cap : caps.caps)
      for (const Vec3& x : cap.triangle) EXPECT_LE((x - cap.centre).norm(), cap.radius);
  }
  EXPECT_GT(open, test::scaled(100, 20));
}

// Closes a box whose edges are all cut on one side, a sphere with a hole, and loose triangles.
TEST(Caps, SlitsAreThinAndHolesAreNot) {
  base::Random random(2);
  for (int round = 0; round < test::scaled(400, 60); ++round) {
    const PolygonSoup slits = with_slits(some_body(random), random, 12);
    const paths::Caps thin = caps_of(slits);
    EXPECT_TRUE(thin.complete && thin.all_thin);
    EXPECT_LT(thin.gap, 1e-4 * slits.bounds().diagonal());
    const Interior body{Object(slits)};
    EXPECT_TRUE(base::data_of(body).ends_near_faces());

    Mesh holed(slits);
    holed.triangles.erase(holed.triangles.begin() + holed.pick(random));
    const paths::Caps wide = caps_of(holed.soup());
    EXPECT_TRUE(wide.complete && !wide.all_thin && !wide.closed);
  }
  const paths::Caps loose = caps_of(scenes::random_soup(3, {.faces = 500}));
  EXPECT_FALSE(loose.complete);
  EXPECT_TRUE(loose.caps.empty());
}

// Edges of four faces are closed as well: as many run one way as the other.
TEST(Caps, BoxesThatShareAnEdgeAreClosed) {
  Mesh both(scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1)));
  const Mesh other(scenes::box(Vec3(1, 1, 0), Vec3(2, 2, 1)));
  const auto first = static_cast<Index>(both.vertices.size());
  both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles)
    both.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  const Interior body{Object(both.soup())};
  EXPECT_TRUE(body.closed());
  EXPECT_TRUE(body.contains(Vec3(0.5, 0.5, 0.5)) && body.contains(Vec3(1.5, 1.5, 0.5)));
  EXPECT_FALSE(body.contains(Vec3(0.5, 1.5, 0.5)));
}

TEST(Caps, CountsAgreeWithSumsOverAllFaces) {
  base::Random random(3);
  int inside = 0, total = 0;
  for (int round = 0; round < test::scaled(150, 30); ++round) {
    const PolygonSoup body = some_body(random);
    const PolygonSoup soup = round % 3 == 0   ? with_slits(body, random, 8)
                             : round % 3 == 1 ? damaged(body, random, 4)
                                              : damaged(with_slits(body, random, 4), random, 12);
    const Interior interior{Object(soup)};
    const Aabb& box = interior.object().bounds();
    for (int i = 0; i < 40; ++i) {
      const Vec3 x =
          box.centre() + 0.5 * (box.hi - box.lo).cwiseProduct(random.in_box(i % 4 == 0 ? 1 : 0.7));
      const double sum = std::abs(interior.winding_number(x));
      if (std::abs(sum - 0.5) < 1e-8) continue;
      EXPECT_EQ(interior.contains(x), sum > 0.5) << sum << " round " << round;
      inside += sum > 0.5;
      ++total;
    }
  }
  EXPECT_GT(inside, 3 * total / 10);
  EXPECT_LT(inside, 7 * total / 10);
}

// Beside the edges of slits the solid angle of a cap is lost in rounding.
TEST(Caps, CountsBesideSlits) {
  base::Random random(4);
  int beside = 0;
  for (int round = 0; round < test::scaled(1000, 200); ++round) {
    const Interior interior{Object(damaged(with_slits(some_body(random), random, 4), random, 6))};
    const std::vector<paths::Cap>& caps = base::data_of(interior).caps.caps;
    for (int i = 0; i < 60 && !caps.empty(); ++i) {
      const Triangle& cap = caps[random.below(static_cast<Index>(caps.size()))].triangle;
      const Index k = random.below(3);
      const double share = random.uniform();
      const Vec3 x = (1 - share) * cap[k] + share * cap[(k + 1) % 3] +
                     std::exp2(random.uniform(-40, -15)) * random.direction();
      const double sum = std::abs(interior.winding_number(x));
      if (std::abs(sum - 0.5) < 1e-4) continue;
      ++beside;
      EXPECT_EQ(interior.contains(x), sum > 0.5) << sum << " round " << round;
    }
  }
  EXPECT_GT(beside, test::scaled(10000, 2000));
}

// A point that is proved to be outside is so, where no face hides it.
TEST(Caps, OutsideUpToFaces) {
  base::Random random(4);
  int proved = 0, total = 0, looked_at = 0;
  for (int round = 0; round < test::scaled(300, 60); ++round) {
    const PolygonSoup body = some_body(random);
    const PolygonSoup soup = round % 2 == 0 ? with_slits(body, random, 8)
                                            : damaged(with_slits(body, random, 3), random, 3);
    const Interior interior{Object(soup)};
    const Interior::Data& data = base::data_of(interior);
    const double size = soup.bounds().diagonal();
    for (int i = 0; i < 10; ++i) {
      const Vec3 x = soup.bounds().centre() + 0.4 * size * random.in_box(1);
      const double radius = size * std::pow(10, random.uniform(-4, -0.7));
      ++total;
      if (!data.outside_up_to_faces(x, radius)) continue;
      ++proved;
      for (int k = 0; k < 10; ++k) {
        const Vec3 y = x + radius * std::sqrt(random.uniform()) * random.direction();
        if (std::abs(interior.winding_number(y)) < 0.5 + 1e-9) continue;
        // It is inside: then it lies behind a face or a slit, or at one.
        ++looked_at;
        double to_y = kInfinity, to_x = kInfinity;
        for (Index t = 0; t < soup.triangle_count(); ++t) {
          to_x = std::min(to_x, geometry::nearest_offset(x, query::triangle_of(soup, t)).norm());
          to_y = std::min(to_y, geometry::nearest_offset(y, query::triangle_of(soup, t)).norm());
        }
        EXPECT_LE(to_y, std::max(data.caps.gap, radius - to_x + 2 * data.caps.gap) + 1e-12 * size);
      }
    }
  }
  EXPECT_GT(proved, total / 5);
  EXPECT_GT(looked_at, test::scaled(100, 5));
}

// Slits change nothing, except by their width.
TEST(Caps, OverlapsOfBodiesWithSlits) {
  base::Random random(5);
  int overlaps = 0;
  const int total = test::scaled(20, 5);
  for (int round = 0; round < total; ++round) {
    const PolygonSoup a = some_body(random), b = some_body(random);
    const Interior whole_a{Object(a)}, whole_b{Object(b)};
    const Interior cut_a{Object(with_slits(a, random, 10))},
        cut_b{Object(with_slits(b, random, 5))};
    EXPECT_FALSE(cut_a.closed());
    const Pose pose_a = Pose::from_translation(-a.bounds().centre()),
               pose_b = Pose::from_translation(random.in_box(0.8) - b.bounds().centre());
    const ThicknessOptions options = {.relative_error = 0.02, .absolute_error = 2e-3};
    const Thickness expected = overlap_thickness(whole_a, pose_a, whole_b, pose_b, options);
    const Thickness found = overlap_thickness(cut_a, pose_a, cut_b, pose_b, options);
    ASSERT_TRUE(expected.complete && found.complete);
    EXPECT_LE(found.diameter.lower, expected.diameter.upper + 1e-4);
    EXPECT_GE(found.diameter.upper, expected.diameter.lower - 1e-4);
    EXPECT_LE(found.diameter.upper - found.diameter.lower,
              std::max(4e-3, 0.03 * found.diameter.upper));
    overlaps += expected.diameter.lower > 0;
  }
  EXPECT_GT(overlaps, total / 3);
}

}  // namespace
}  // namespace touche::caps_test
