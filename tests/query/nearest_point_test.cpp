// SPDX-License-Identifier: Apache-2.0
// The nearest point of a set of faces: of one face against rational geometry, of many by either
// hierarchy against a test of every face.
#include "query/nearest_point.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>

#include "all_faces.h"
#include "bounds_sets.h"
#include "exact.h"
#include "geometry/point_triangle.h"
#include "scenes.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree::nearest_point_test {
namespace {

using test::nearest_of_all;
using test::Sets;
using test::soup_of;

TEST(NearestOffset, MatchesRationalsForTrianglesOfAnyShape) {
  Sets sets(1);
  double worst = 0;
  for (int i = 0, n = test::scaled(20'000); i < n && !HasFailure(); ++i) {
    Triangle t = {sets.point(), sets.point(), sets.point()};
    const double little = std::pow(10, sets.real(-17, 0));
    const Vec3 along = t[1] - t[0];
    switch (i % 6) {
      case 0:
        t[2] = t[0] + sets.real(-0.5, 1.5) * along + little * sets.point();
        break;  // sliver
      case 1:
        t[2] = t[1] + little * sets.point();
        break;  // needle
      case 2:
        t[2] = t[0] + 0.5 * along;
        break;  // segment
      case 3:
        t = {t[0], t[0], t[0] + little * sets.point()};
        break;
      default:
        break;
    }
    // In the plane and out of it, near and far, and over the border.
    Vec3 p = t[0] + sets.real(-0.2, 1) * (t[1] - t[0]) + sets.real(-0.2, 1) * (t[2] - t[0]);
    p += std::pow(10, sets.real(-17, 2)) * sets.direction();
    const double scale = std::vector{1e-80, 1e-6, 1.0, 1e6, 1e80}[static_cast<std::size_t>(i % 5)];
    const Vec3 offset = i % 7 == 0 ? Vec3(1e6 * scale * sets.point()) : Vec3(Vec3::Zero());
    double edge = 0;
    for (Vec3& corner : t) corner = scale * corner + offset;
    p = scale * p + offset;
    for (int k = 0; k < 3; ++k) edge = std::max(edge, (t[k] - t[(k + 1) % 3]).norm());
    const Vec3 found = geometry::nearest_offset(p, t);
    const test::Rational exact2 = test::point_triangle2(p, test::rational(t));
    const double size = found.norm() + edge;
    EXPECT_TRUE(test::is_root_within(found.norm(), exact2, geometry::kOffsetError * size))
        << i << ": " << found.norm() << ", edge " << edge;
    // Find out how much of the bound was needed, which is printed below.
    for (double share = 1; share > worst; share /= 2)
      if (!test::is_root_within(found.norm(), exact2, share / 2 * geometry::kOffsetError * size)) {
        worst = share;
        break;
      }
  }
  std::printf("largest error of an offset: below %.4f of its bound\n", worst);
}

void compare(const NearestPoint& faces, Sets& sets, const Vec3& middle, double reach, int points) {
  for (int k = 0; k < points && !testing::Test::HasFailure(); ++k) {
    const Vec3 x = middle + std::pow(10, sets.real(-3, 0.5)) * reach * sets.point();
    const ClosestPoint slow = nearest_of_all(faces, x);
    const auto guess = static_cast<Index>(sets.integer(0, static_cast<int>(faces.size()) - 1));
    for (const Index g : {Index{0}, guess, slow.face}) {
      const ClosestPoint found = faces.nearest(x, g);
      const double slack = 2 * geometry::kOffsetError * (slow.distance + faces.longest_edge());
      EXPECT_NEAR(found.distance, slow.distance, slack);
      EXPECT_NEAR((found.point - x).norm(), found.distance, slack + 1e-15 * x.norm());
      EXPECT_LE(geometry::nearest_offset(found.point, faces.face(found.face)).norm(),
                slack + 1e-15 * x.norm());
    }
  }
}

TEST(NearestPoint, MatchesLookingAtEveryFace) {
  Sets sets(2);
  for (int i = 0, n = test::scaled(240, 60); i < n && !HasFailure(); ++i) {
    std::vector<Triangle> faces;
    const int count = i % 8 == 0 ? 1 : sets.integer(2, i % 4 == 0 ? 400 : 30);
    const double size = std::pow(10, sets.real(-2, 0));
    for (int k = 0; k < count; ++k) {
      const Vec3 at = sets.point();
      faces.push_back({at, at + size * sets.point(), at + size * sets.point()});
      if (i % 5 == 0) faces.back()[2] = faces.back()[0];  // no area
      if (i % 5 == 1) faces.back() = faces.front();       // all the same
      if (i % 5 == 2)
        for (Vec3& p : faces.back()) p.z() = 0.25;  // one plane
    }
    const double scale = std::vector{1e-6, 1.0, 1e6}[static_cast<std::size_t>(i % 3)];
    const Vec3 offset = i % 4 == 1 ? Vec3(1e6 * sets.point()) : Vec3(Vec3::Zero());
    for (Triangle& t : faces)
      for (Vec3& p : t) p = scale * p + offset;
    compare(FaceTree(faces), sets, offset, scale, 10);
    const Object object(soup_of(faces));
    compare(ObjectFaces(object), sets, offset, scale, 10);
  }
}

TEST(NearestPoint, FindsWayOutsideOfSinglePrecision) {
  const Object object(scenes::sphere(1, 500));
  const ObjectFaces faces(object);
  for (const double far : {1e3, 1e9, 1e16, 1e30, 1e45}) {
    const ClosestPoint found = faces.nearest(far * Vec3(1, 2, 2) / 3, 0);
    EXPECT_NEAR(found.distance, nearest_of_all(faces, far * Vec3(1, 2, 2) / 3).distance,
                1e-13 * far);
  }
  EXPECT_THROW(FaceTree({}), InvalidInput);
}

TEST(NearestPoint, IsFasterThanLookingAtEveryFace) {
  const Object object(scenes::bumpy_sphere(20'000, 1));
  const ObjectFaces by_object(object);
  std::vector<Triangle> triangles;
  for (Index i = 0; i < by_object.size(); ++i) triangles.push_back(by_object.face(i));
  // Processor time: others may use the machine at the same time.
  const auto now = [] { return std::clock(); };
  const auto since = [&](std::clock_t t) {
    return 1e6 * static_cast<double>(now() - t) / CLOCKS_PER_SEC;
  };
  const auto before_build = now();
  const FaceTree by_tree(triangles);
  const double build = since(before_build);
  Sets sets(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) points.push_back(1.3 * sets.direction());
  double sums[3] = {}, micros[3] = {};
  const auto run = [&](int which, std::size_t count, const auto& nearest) {
    const auto start = now();
    for (std::size_t i = 0; i < count; ++i) sums[which] += nearest(points[i]).distance;
    micros[which] = since(start) / static_cast<double>(count);
  };
  run(0, 20, [&](const Vec3& x) { return nearest_of_all(by_object, x); });
  run(1, points.size(), [&](const Vec3& x) { return by_object.nearest(x, 0); });
  run(2, points.size(), [&](const Vec3& x) { return by_tree.nearest(x, 0); });
  EXPECT_NEAR(sums[1], sums[2], 1e-9);
  std::printf(
      "nearest of 20,000 faces: all %.0f µs, object's hierarchy %.2f µs, light tree %.2f µs "
      "(built in %.1f ms)\n",
      micros[0], micros[1], micros[2], build / 1000);
  EXPECT_LT(10 * micros[1], micros[0]);
  EXPECT_LT(10 * micros[2], micros[0]);
}

}  // namespace
}  // namespace touche::tree::nearest_point_test
