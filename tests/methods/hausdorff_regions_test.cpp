// SPDX-License-Identifier: Apache-2.0
// Regions of the surface of a sphere, from which the Hausdorff distance is bounded.
#include <gtest/gtest.h>

#include "bounds_sets.h"
#include "geometry/point_triangle.h"
#include "methods/tree/surface_region.h"
#include "test_scale.h"

namespace touche::tree {
namespace {

using bounds::Sphere;
using test::Sets;

TEST(SphericalTriangle, RegionsCoverTheSphereAndFacesOutwards) {
  const auto regions = surface_regions(Sphere{Vec3::Zero(), 2});
  for (const SphericalTriangle& r : regions) {
    EXPECT_GT(r.corner[0].dot(r.corner[1].cross(r.corner[2])), 0.1);
    for (int k = 0; k < 3; ++k)  // all sides belong to the icosahedron
      EXPECT_NEAR(r.corner[k].dot(r.corner[(k + 1) % 3]), 1 / std::sqrt(5.0), 1e-15);
  }
  Sets sets(4);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = sets.direction();
    int seen = 0;
    for (const SphericalTriangle& r : regions)
      seen += r.corner[0].cross(r.corner[1]).dot(x) >= 0 &&
              r.corner[1].cross(r.corner[2]).dot(x) >= 0 &&
              r.corner[2].cross(r.corner[0]).dot(x) >= 0;
    EXPECT_EQ(seen, 1);
  }
}

TEST(SphericalTriangle, FarthestPointsMatchSampling) {
  Sets sets(5);
  int inside = 0, on_side = 0, at_corner = 0;
  const int rounds = test::scaled(400, 100);
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    const auto regions = surface_regions(Sphere{Vec3::Zero(), 1.5});
    SphericalTriangle r = regions[static_cast<std::size_t>(sets.integer(0, 19))];
    for (int k = sets.integer(0, 12); k > 0; --k)
      r = r.split()[static_cast<std::size_t>(sets.integer(0, 1))];
    const Vec3 p = i % 10 == 0 ? Vec3(Vec3::Zero())
                   : i % 3 == 0  // opposite to it, or nearly
                       ? Vec3(-sets.real(0.1, 1.4) * (r.sample() / 1.5 + 0.3 * sets.point()))
                       : Vec3(sets.real(0, 1.5) * sets.direction());
    const Triangle t = {p, p + 0.3 * sets.point(), p + 0.3 * sets.point()};
    double far_point = 0, far_face = 0, corners = 0, sides = 0, from_middle = 0;
    constexpr int kRows = 40;
    for (int a = 0; a <= kRows; ++a)
      for (int b = 0; a + b <= kRows; ++b) {
        const Vec3 x =
            1.5 * (a * r.corner[0] + b * r.corner[1] + (kRows - a - b) * r.corner[2]).normalized();
        const double d = (p - x).norm();
        far_point = std::max(far_point, d);
        far_face = std::max(far_face, geometry::nearest_offset(x, t).norm());
        from_middle = std::max(from_middle, (x - r.sample()).norm());
        const int zeros = (a == 0) + (b == 0) + (a + b == kRows);
        if (zeros == 2) corners = std::max(corners, d);
        if (zeros >= 1) sides = std::max(sides, d);
      }
    const double size = (r.corner[0] - r.corner[1]).norm() + (r.corner[1] - r.corner[2]).norm();
    const double found = r.farthest_from(p);
    EXPECT_GE(found, far_point - 1e-14);
    EXPECT_LE(found, far_point + 1.5 * size / kRows);
    EXPECT_GE(r.farthest_from(t), far_face - 1e-14);
    EXPECT_LE(r.farthest_from(t), far_face + 0.6 * size * size);
    EXPECT_GE(r.radius(), from_middle - 1e-14);
    EXPECT_LE(r.radius(), from_middle + 1e-12);
    far_point > sides ? ++inside : sides > corners ? ++on_side : ++at_corner;
  }
  EXPECT_GT(inside, rounds / 40);
  EXPECT_GT(on_side, 10);
  EXPECT_GT(at_corner, 10);
}

}  // namespace
}  // namespace touche::tree
