// SPDX-License-Identifier: Apache-2.0
// Brackets of the directed Hausdorff distance against dense sampling of the surface; their accuracy
// and work.
#include "methods/tree/hausdorff.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>
#include <numbers>

#include "all_faces.h"
#include "bounds_sets.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::tree {
namespace {

using bounds::AabbMinMax;
using bounds::Obb;
using bounds::Sphere;
using test::AllFaces;
using test::kCorrections;
using test::Sets;

// ---- dense sampling ----------------------------------------------------------------------------

struct Sampled {
  double largest = 0;
  double reach = 0;  ///< every point of the surface is as near as this to a sample
};

Sampled sampled(const Sphere& s, const NearestPoint& faces, int rows) {
  Sampled out;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < 2 * rows; ++k) {
      const double theta = (i + 0.5) * std::numbers::pi / rows, phi = k * std::numbers::pi / rows;
      const Vec3 x = s.centre + s.radius * Vec3(std::sin(theta) * std::cos(phi),
                                                std::sin(theta) * std::sin(phi), std::cos(theta));
      out.largest = std::max(out.largest, faces.nearest(x).distance);
    }
  out.reach = s.radius * std::numbers::pi / rows * std::sqrt(0.5);
  return out;
}

Sampled sampled(const Obb& b, const NearestPoint& faces, int rows) {
  Sampled out;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i <= rows; ++i)
      for (int k = 0; k <= rows; ++k)
        for (const double side : {-1.0, 1.0}) {
          Vec3 h;
          h[axis] = side * b.half[axis];
          h[(axis + 1) % 3] = (2.0 * i / rows - 1) * b.half[(axis + 1) % 3];
          h[(axis + 2) % 3] = (2.0 * k / rows - 1) * b.half[(axis + 2) % 3];
          out.largest = std::max(out.largest, faces.nearest(b.centre + b.axes * h).distance);
        }
  out.reach = b.half.norm() / rows;
  return out;
}
Sampled sampled(const AabbMinMax& b, const NearestPoint& faces, int rows) {
  return sampled(to_obb(b), faces, rows);
}

TEST(Hausdorff, ContainsWhatDenseSamplingFinds) {
  Sets sets(3);
  double widest = 0;
  const int n = test::scaled(36, 9);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    std::vector<Triangle> faces;
    const int count = sets.integer(1, 12);
    for (int k = 0; k < count; ++k) {
      const Vec3 at = sets.point();
      faces.push_back({at, at + 0.5 * sets.point(), at + 0.5 * sets.point()});
      if (i % 6 == 0) faces.back()[2] = at;
    }
    const double scale = std::vector{1e-6, 1.0, 1e6}[static_cast<std::size_t>(i / 3 % 3)];
    const Vec3 offset = i % 4 == 1 ? Vec3(1e6 * sets.point()) : Vec3(Vec3::Zero());
    std::vector<Vec3> points;
    for (Triangle& t : faces)
      for (Vec3& p : t) points.push_back(p = scale * p + offset);
    const AllFaces all(faces);
    const auto check = [&](const auto& volume) {
      const Sampled truth = sampled(volume, all, 60);  // 7,200 and 22,000 samples
      const double rounding = 1e-13 * (scale + offset.norm());
      for (const Correction correction : kCorrections)
        for (const double relative : {0.3, 0.02}) {
          const HausdorffBracket b =
              hausdorff(volume, FaceTree(faces), {.relative = relative, .correction = correction});
          EXPECT_GE(b.upper, truth.largest - rounding) << i;
          EXPECT_LE(b.lower, truth.largest + truth.reach) << i;
          EXPECT_TRUE(b.reached) << i << ", samples " << b.samples;
          if (offset.norm() < 1) {
            EXPECT_LE(b.upper - b.lower, relative * b.upper + 1e-11 * scale) << i;
          }
          widest = std::max(widest, truth.largest / b.upper);
        }
    };
    i % 3 == 0   ? check(Sphere::fit(points))
    : i % 3 == 1 ? check(AabbMinMax::fit(points))
                 : check(Obb::fit(points));
  }
  EXPECT_GT(widest, 0.98);  // the bracket is not merely large
}

// ---- accuracy and work -------------------------------------------------------------------------

TEST(Hausdorff, StopsAtEitherAccuracyAndAtTheBudget) {
  const Object object(scenes::bumpy_sphere(2000, 1));
  const ObjectFaces faces(object);
  std::vector<Vec3> points(object.soup().vertices().begin(), object.soup().vertices().end());
  const Obb box = Obb::fit(points);
  const HausdorffBracket best = hausdorff(box, faces, {.relative = 1e-4});
  EXPECT_TRUE(best.reached);
  std::size_t before = 0;
  for (const double relative : {0.3, 0.1, 0.01, 0.001}) {
    const HausdorffBracket b = hausdorff(box, faces, {.relative = relative});
    EXPECT_TRUE(b.reached);
    EXPECT_LE(b.upper - b.lower, relative * b.upper);
    EXPECT_LE(b.lower, best.upper);
    EXPECT_GE(b.upper, best.lower);
    EXPECT_GE(b.samples, before);
    before = b.samples;
    const HausdorffBracket same =
        hausdorff(box, faces, {.absolute = relative * b.lower, .relative = 0});
    EXPECT_TRUE(same.reached);
    EXPECT_LE(same.upper - same.lower, relative * b.lower);
  }
  for (const std::size_t budget : {std::size_t{1}, std::size_t{30}, std::size_t{100}}) {
    const HausdorffBracket b = hausdorff(box, faces, {.relative = 0, .max_samples = budget});
    EXPECT_FALSE(b.reached);
    EXPECT_LE(b.samples, budget + 6);
    EXPECT_LE(b.lower, best.upper);
    EXPECT_GE(b.upper, best.lower);
  }
  EXPECT_THROW(hausdorff(box, faces, {.absolute = -1}), InvalidInput);
  EXPECT_THROW(hausdorff(box, faces, {.relative = std::nan("")}), InvalidInput);
}

TEST(Hausdorff, IsAQualityOfSetsOfFaces) {
  const PolygonSoup soup = scenes::bumpy_sphere(500, 2);
  const Faces faces(soup);
  std::vector<Index> set;
  for (Index i = 0; i < soup.triangle_count(); i += 7) set.push_back(i);
  std::vector<Triangle> triangles;
  std::vector<Vec3> points;
  faces.gather(set, points);
  for (const Index i : set) triangles.push_back(faces.corners(i));
  const Sphere sphere = Sphere::fit(points);
  const HausdorffBracket fine = hausdorff(sphere, FaceTree(triangles), {.relative = 0.001});
  const double quality = hausdorff_quality(sphere, faces, set);
  EXPECT_GE(quality, fine.lower);
  EXPECT_LE(quality, fine.upper / 0.9);
}

TEST(Hausdorff, TellsWhatItsTermsAndHierarchiesSave) {
  const Object object(scenes::bumpy_sphere(static_cast<Index>(test::scaled(20'000, 2'000)), 1));
  const ObjectFaces by_object(object);
  std::vector<Triangle> triangles;
  for (Index i = 0; i < by_object.size(); ++i) triangles.push_back(by_object.face(i));
  std::vector<Vec3> points(object.soup().vertices().begin(), object.soup().vertices().end());
  const auto timed = [](const auto& volume, const NearestPoint& faces, Correction correction,
                        double relative, double& ms) {
    const std::clock_t start = std::clock();  // others may use the machine at the same time
    const HausdorffBracket b =
        hausdorff(volume, faces, {.relative = relative, .correction = correction});
    ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return b;
  };
  const auto tell = [&](const char* name, const auto& volume) {
    double ms = 0, ms_all = 0, ms_tree = 0;
    std::size_t samples[4] = {};
    for (const Correction correction : kCorrections)
      samples[static_cast<int>(correction)] =
          timed(volume, by_object, correction, 0.03, ms).samples;
    std::printf("%s at 3 %%: samples by radius %zu, point %zu, face %zu, smallest %zu\n", name,
                samples[0], samples[1], samples[2], samples[3]);
    EXPECT_LE(samples[3], samples[0]);
    EXPECT_LE(samples[3], samples[1]);
    const HausdorffBracket fast = timed(volume, by_object, Correction::smallest, 0.1, ms);
    const HausdorffBracket light =
        timed(volume, FaceTree(triangles), Correction::smallest, 0.1, ms_tree);
    const HausdorffBracket slow =
        timed(volume, AllFaces(triangles), Correction::smallest, 0.1, ms_all);
    EXPECT_NEAR(fast.upper, slow.upper, 0.1 * slow.upper);
    EXPECT_NEAR(light.upper, slow.upper, 0.1 * slow.upper);
    std::printf(
        "%s at 10 %%, %zu samples: all faces %.1f ms, object's hierarchy %.2f ms, light tree %.2f "
        "ms once built\n",
        name, slow.samples, ms_all, ms, ms_tree);
    EXPECT_LT(5 * ms, ms_all);
  };
  tell("sphere", Sphere::fit(points));
  tell("box", Obb::fit(points));
}

}  // namespace
}  // namespace touche::tree
