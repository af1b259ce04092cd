// SPDX-License-Identifier: Apache-2.0
// Brackets of the directed Hausdorff distance against closed forms and rational geometry.
#include <gtest/gtest.h>

#include "all_faces.h"
#include "bounds_sets.h"
#include "exact.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::tree {
namespace {

using bounds::AabbMinMax;
using bounds::Mixed;
using bounds::Obb;
using bounds::Sphere;
using test::kCorrections;
using test::Rational;
using test::RVec;
using test::Sets;

Triangle triangle(const Vec3& a, const Vec3& b, const Vec3& c) { return {a, b, c}; }

/// `value` may be off by `error`.
template <typename V>
void expect_value(const V& volume, const std::vector<Triangle>& faces, double value, double error,
                  double relative = 1e-3) {
  for (const Correction correction : kCorrections) {
    // The first term shrinks with the regions only, whatever the faces are.
    const double asked = correction == Correction::region_radius ? 0.02 : relative;
    const HausdorffBracket b =
        hausdorff(volume, FaceTree(faces), {.relative = asked, .correction = correction});
    EXPECT_LE(b.lower, value + error) << static_cast<int>(correction);
    EXPECT_GE(b.upper, value - error) << static_cast<int>(correction);
    EXPECT_TRUE(b.reached) << static_cast<int>(correction) << ": " << b.samples;
    EXPECT_LE(b.upper - b.lower, asked * b.upper + 1e-11 * volume.diameter() + 10 * error);
  }
}

TEST(Hausdorff, OfSpheresAroundPointsSegmentsAndPlates) {
  Sets sets(1);
  for (const double scale : {1e-6, 1.0, 1e6})
    for (int i = 0; i < test::scaled(4, 2); ++i) {
      const double r = scale * sets.real(0.5, 2);
      const Vec3 c = i % 2 == 0 ? Vec3(Vec3::Zero()) : Vec3(scale * sets.point());
      const Vec3 n = sets.direction(), u = n.cross(sets.direction()).normalized(), v = n.cross(u);
      const double error = 1e-14 * scale;
      // A point: from the opposite side. Three times, as the centre is seen from all directions.
      const Vec3 p = c + sets.real(0, 1) * r * n;
      expect_value(Sphere{c, r}, {triangle(p, p, p)}, (p - c).norm() + r, error);
      expect_value(Sphere{c, r}, {triangle(c, c, c)}, r, error);
      // A diameter, and a triangle on three points of the equator: from the poles.
      expect_value(Sphere{c, r}, {triangle(c - r * u, c + r * u, c)}, r, error);
      expect_value(Sphere{c, r},
                   {triangle(c + r * u, c - r / 2 * u + std::sqrt(0.75) * r * v,
                             c - r / 2 * u - std::sqrt(0.75) * r * v)},
                   r, error);
    }
}

TEST(Hausdorff, OfBoxesAroundOneFaceIsThatOfACornerExactly) {
  // The distance from a convex face is convex, so the farthest point of a box is a corner.
  Sets sets(2);
  for (int i = 0, n = test::scaled(150, 50); i < n && !HasFailure(); ++i) {
    Triangle t = {sets.point(), sets.point(), sets.point()};
    if (i % 5 == 0) t[2] = t[1];
    if (i % 5 == 1) t[1] = t[2] = t[0];
    if (i % 5 == 2) t[0].z() = t[1].z() = t[2].z() = 0;
    const double scale = std::vector{1e-6, 1.0, 1e6}[static_cast<std::size_t>(i % 3)];
    const Vec3 offset = i % 4 == 0 ? Vec3(1e6 * sets.point()) : Vec3(Vec3::Zero());
    for (Vec3& p : t) p = scale * p + offset;
    const auto check = [&](const auto& volume, const std::vector<RVec>& corners) {
      Rational square = 0;
      for (const RVec& c : corners)
        square = std::max(square, test::point_triangle2(c, test::rational(t)));
      for (const Correction correction : kCorrections) {
        const std::vector<Triangle> faces = {t};
        const HausdorffBracket b =
            hausdorff(volume, FaceTree(faces),
                      {.relative = 0.05, .correction = correction, .max_samples = 20'000});
        EXPECT_LE(Rational(b.lower) * Rational(b.lower), square) << i;
        EXPECT_GE(Rational(b.upper) * Rational(b.upper), square) << i;
        // A thin box needs many regions as small as it is high, unless they see the face.
        if (correction == Correction::nearest_face || correction == Correction::smallest) {
          EXPECT_TRUE(b.reached) << i;
        }
        if (b.reached && offset.norm() < 1) {
          EXPECT_LE(b.upper - b.lower, 0.05 * b.upper + 1e-11 * (volume.diameter() + t[0].norm()))
              << i;
        }
      }
    };
    const AabbMinMax aabb = AabbMinMax::fit(t);
    std::vector<RVec> corners;
    for (int k = 0; k < 8; ++k)
      corners.emplace_back(Vec3((k & 1 ? aabb.hi : aabb.lo).x(), (k & 2 ? aabb.hi : aabb.lo).y(),
                                (k & 4 ? aabb.hi : aabb.lo).z()));
    check(aabb, corners);
    check(Mixed{aabb}, corners);
    const Obb obb = i % 2 == 0 ? Obb::fit(t) : sets.box();
    corners.clear();
    for (int k = 0; k < 8; ++k) {
      RVec corner(obb.centre);
      for (int a = 0; a < 3; ++a)
        corner = corner + Rational(k >> a & 1 ? obb.half[a] : -obb.half[a]) * RVec(obb.axes.col(a));
      corners.push_back(corner);
    }
    check(obb, corners);
  }
}

TEST(Hausdorff, EndsWhereItIsZero) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    // No relative accuracy is reached at 0. Points in themselves are known to rounding at once;
    const Vec3 p = scale * Vec3(1, 2, 3);
    const std::vector<Triangle> point = {{p, p, p}};
    for (const Mixed& volume : {Mixed{Sphere{p, 0}}, Mixed{AabbMinMax{p, p}},
                                Mixed{Obb{p, Mat3::Identity(), Vec3::Zero()}}}) {
      const HausdorffBracket b = hausdorff(volume, FaceTree(point), {});
      EXPECT_EQ(b.lower, 0);
      EXPECT_TRUE(b.reached);
      EXPECT_LE(b.upper, 1e-13 * scale);
    }
    // a box around its own faces takes an absolute accuracy, or the budget.
    const PolygonSoup cube = scenes::box(scale * Vec3(-1, -1, -1), scale * Vec3(1, 2, 1));
    std::vector<Triangle> faces;
    for (const auto& [a, b, c] : cube.triangles())
      faces.push_back({cube.vertex(a), cube.vertex(b), cube.vertex(c)});
    const AabbMinMax box = {scale * Vec3(-1, -1, -1), scale * Vec3(1, 2, 1)};
    const HausdorffBracket same = hausdorff(box, FaceTree(faces), {.absolute = 1e-2 * scale});
    EXPECT_EQ(same.lower, 0);
    EXPECT_TRUE(same.reached);
    EXPECT_LE(same.upper, 1e-2 * scale);
    const HausdorffBracket cut = hausdorff(box, FaceTree(faces), {.max_samples = 5000});
    EXPECT_EQ(cut.lower, 0);
    EXPECT_FALSE(cut.reached);
    EXPECT_LE(cut.upper, 0.1 * scale);
  }
}

TEST(Hausdorff, OfALidIsFoundByTheFaceBelow) {
  // Everywhere the same small height: points below bound it only for regions as small as that, a
  // face below for all that lie over it.
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const std::vector<Triangle> plate = {
        triangle(Vec3(0, 0, 0), scale * Vec3(3, 0, 0), scale * Vec3(3, 1, 0)),
        triangle(Vec3(0, 0, 0), scale * Vec3(3, 1, 0), scale * Vec3(0, 1, 0))};
    const AabbMinMax lid = {Vec3(0, 0, 0), scale * Vec3(3, 1, 0.01)};
    const double height = 0.01 * scale;
    const HausdorffBracket by_face = hausdorff(lid, FaceTree(plate));
    EXPECT_TRUE(by_face.reached);
    EXPECT_LE(by_face.lower, height);
    EXPECT_GE(by_face.upper, height);
    EXPECT_LE(by_face.upper, 1.02 * height);
    const HausdorffBracket by_point = hausdorff(
        lid, FaceTree(plate), {.correction = Correction::nearest_point, .max_samples = 60'000});
    EXPECT_GT(by_point.samples, 10 * by_face.samples);
  }
}

}  // namespace
}  // namespace touche::tree
