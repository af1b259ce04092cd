// SPDX-License-Identifier: Apache-2.0
// Fits against other ways to the same optimum: the smallest sphere against minimisation and all
// supports, the best rectangle against a fine scan, boxes against O'Rourke's.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "bounds_sets.h"
#include "exact.h"
#include "math/nelder_mead.h"
#include "methods/bounds/exact_box.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/min_rectangle.h"
#include "methods/bounds/obb_forms.h"
#include "methods/bounds/smallest_sphere.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::Rational;
using test::RVec;
using test::Sets;

// ---- minimisation -------------------------------------------------------------------------------

TEST(NelderMead, FindsMinimaOfKnownFunctions) {
  const auto valley = [](std::span<const double> x) {
    return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2);
  };
  const math::Minimum found = math::nelder_mead(valley, {-1.2, 1}, 0.5);
  EXPECT_NEAR(found.at[0], 1, 1e-4);
  EXPECT_NEAR(found.at[1], 1, 1e-4);
  EXPECT_LE(found.evaluations, 2010);
  const auto bowl = [](std::span<const double> x) {
    double sum = 3;
    for (std::size_t i = 0; i < x.size(); ++i) sum += double(i + 1) * std::pow(x[i] - double(i), 2);
    return sum;
  };
  EXPECT_NEAR(math::nelder_mead(bowl, {5, 5, 5, 5}, 1).value, 3, 1e-8);
  EXPECT_EQ(math::nelder_mead(bowl, {0, 1, 2, 3}, 1).value, 3);  // never above the start
}

// ---- smallest sphere ----------------------------------------------------------------------------

/// Squared radius of the smallest of the spheres through up to four points that contain all.
Rational smallest_by_supports(const std::vector<Vec3>& points) {
  const std::vector<RVec> p(points.begin(), points.end());
  Rational best = -1;
  const auto judge = [&](const RVec& c, const RVec& on) {
    const Rational r2 = test::norm2(on - c);
    if (best >= 0 && r2 >= best) return;
    for (const RVec& q : p)
      if (test::norm2(q - c) > r2) return;
    best = r2;
  };
  const std::size_t n = p.size();
  const Rational half(1, 2);
  for (std::size_t i = 0; i < n; ++i) {
    judge(p[i], p[i]);
    for (std::size_t j = i + 1; j < n; ++j) {
      judge(p[i] + half * (p[j] - p[i]), p[i]);
      for (std::size_t k = j + 1; k < n; ++k) {
        const RVec a = p[j] - p[i], b = p[k] - p[i], m = test::cross(a, b);
        const Rational m2 = test::norm2(m);
        if (m2 == 0) continue;
        const RVec in_plane = test::cross(test::norm2(a) * b - test::norm2(b) * a, m);
        judge(p[i] + (half / m2) * in_plane, p[i]);
        for (std::size_t l = k + 1; l < n; ++l) {
          const RVec c = p[l] - p[i];
          const Rational det = test::dot(m, c);
          if (det == 0) continue;
          const RVec sum = test::norm2(a) * test::cross(b, c) + test::norm2(b) * test::cross(c, a) +
                           test::norm2(c) * m;
          judge(p[i] + (half / det) * sum, p[i]);
        }
      }
    }
  }
  return best;
}

TEST(SmallestSphere, IsThatOfAllSupportsExactly) {
  Sets sets(1);
  for (int i = 0, n = test::scaled(150); i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> points = i % 3 == 0   ? sets.grid(7)
                                     : i % 3 == 1 ? sets.degenerate(sets.integer(0, 2), 6)
                                                  : sets.cloud(8);
    const SmallestSphere found = smallest_sphere(points);
    EXPECT_TRUE(test::is_root_within(found.sphere.radius, smallest_by_supports(points), 1e-12))
        << "set " << i << ", radius " << found.sphere.radius;
    EXPECT_LE(found.support.size(), 4u);
  }
}

TEST(SmallestSphere, MatchesMinimisation) {
  Sets sets(2);
  for (int i = 0, n = test::scaled(100); i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.cloud(sets.integer(5, 200));
    const Sphere welzl = Sphere::fit(points);
    const auto radius = [&](std::span<const double> c) {
      return sphere_about(Vec3(c[0], c[1], c[2]), points).radius;
    };
    std::vector<double> centre = {0, 0, 0};
    double least = kInfinity;
    for (const double step : {0.3, 0.1, 0.03, 0.01, 0.003}) {
      const math::Minimum found = math::nelder_mead(radius, centre, step);
      centre = found.at;
      least = found.value;
    }
    EXPECT_LE(welzl.radius, least * (1 + 1e-13)) << "set " << i;
    EXPECT_NEAR(welzl.radius, least, 1e-4 * least) << "set " << i;
  }
}

TEST(SmallestSphere, StartsFromAKnownSupport) {
  Sets sets(3);
  int rounds_known = 0, rounds_new = 0;
  for (int i = 0, n = test::scaled(200); i < n && !HasFailure(); ++i) {
    std::vector<Vec3> points = sets.cloud(300);
    const SmallestSphere before = smallest_sphere(points);
    EXPECT_EQ(smallest_sphere(points, before.support).rounds, 1);
    for (int k = 0; k < 5; ++k) points.push_back(1.1 * sets.point());
    const SmallestSphere known = smallest_sphere(points, before.support);
    const SmallestSphere fresh = smallest_sphere(points);
    EXPECT_NEAR(known.sphere.radius, fresh.sphere.radius, 1e-12);
    rounds_known += known.rounds;
    rounds_new += fresh.rounds;
  }
  EXPECT_LT(rounds_known, 0.8 * rounds_new);
  const std::vector<Vec3> one = {Vec3(1, 2, 3)};
  EXPECT_THROW(smallest_sphere(one, std::vector<Index>{1}), InvalidInput);
}

// ---- rectangles ---------------------------------------------------------------------------------

TEST(MinRectangle, IsNoWorseThanAnyDirection) {
  Sets sets(4);
  for (int i = 0, n = test::scaled(300); i < n && !HasFailure(); ++i) {
    std::vector<Vec2> points;
    for (const Vec3& p : i % 3 == 0 ? sets.grid(9) : sets.cloud(sets.integer(3, 40)))
      points.push_back(p.head<2>());
    const double height = sets.real(0, 2);
    for (const Criterion criterion :
         {Criterion::volume, Criterion::diameter, Criterion::surface_area}) {
      const auto cost = [&](const Vec2& u) {
        double lo[2] = {kInfinity, kInfinity}, hi[2] = {-kInfinity, -kInfinity};
        for (const Vec2& p : points) {
          const double y[2] = {u.dot(p), u.x() * p.y() - u.y() * p.x()};
          for (int k = 0; k < 2; ++k) lo[k] = std::min(lo[k], y[k]), hi[k] = std::max(hi[k], y[k]);
        }
        const AabbMinMax box = {Vec3(lo[0], lo[1], 0), Vec3(hi[0], hi[1], height)};
        return criterion == Criterion::volume ? (hi[0] - lo[0]) * (hi[1] - lo[1])
                                              : measure(box, criterion);
      };
      const Vec2 found = min_rectangle_direction(points, height, criterion);
      EXPECT_NEAR(found.norm(), 1, 1e-14);
      double scanned = kInfinity;
      for (int k = 0; k < 2000; ++k) {
        const double angle = k * std::numbers::pi / 4000;
        scanned = std::min(scanned, cost({std::cos(angle), std::sin(angle)}));
      }
      EXPECT_LE(cost(found), scanned + 1e-12) << "set " << i;
      EXPECT_GE(cost(found), scanned * 0.99 - 1e-12) << "set " << i;
    }
  }
}

// ---- boxes --------------------------------------------------------------------------------------

TEST(ExactBox, KnowsTheTetrahedronAndTheBox) {
  // The regular tetrahedron's best box is the cube that has its edges as diagonals.
  const std::vector<Vec3> tetrahedron = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  Sets sets(5);
  const Pose turn = sets.pose(sets.point());
  std::vector<Vec3> points;
  for (const Vec3& p : tetrahedron) points.push_back(turn * p);
  const ExactBox cube = exact_box(points);
  EXPECT_NEAR(cube.box.volume(), 8, 1e-6);
  EXPECT_EQ(cube.hull_edges, 6);
  points.clear();
  for (int k = 0; k < 8; ++k)
    points.push_back(turn * Vec3(k & 1 ? 1 : -1, k & 2 ? 2 : -2, k & 4 ? 0.5 : -0.5));
  EXPECT_NEAR(exact_box(points).box.volume(), 8, 1e-6);
  EXPECT_THROW(exact_box(std::vector<Vec3>(5, Vec3(1, 2, 3))), InvalidInput);
}

TEST(FitObb, ComparesWithTheExactBox) {
  Sets sets(6);
  const int n = test::scaled(24, 6);
  double all = 0, largest = 0, smallest = 0, best = 0, minimised = 0, hull = 0;
  for (int i = 0; i < n; ++i) {
    const std::vector<Vec3> points = sets.cloud(sets.integer(6, 14));
    const double exact = exact_box(points).box.volume();
    const Mat3 axes = principal_axes(points);
    const double of_all = fit_obb_principal(points, axes, KeepAxes::all).volume();
    const double of_largest = fit_obb_principal(points, axes, KeepAxes::largest).volume();
    const double of_smallest = fit_obb_principal(points, axes, KeepAxes::smallest).volume();
    const double of_best = fit_obb(points).volume();
    const double of_minimised = fit_obb_minimised(points).volume();
    const double of_hull =
        fit_obb_principal(points, principal_axes_of_hull(points), KeepAxes::all).volume();
    for (const double v : {of_all, of_largest, of_smallest, of_best, of_minimised, of_hull})
      EXPECT_GE(v, exact * (1 - 1e-6));
    EXPECT_LE(of_largest, of_all * (1 + 1e-12));
    EXPECT_LE(of_smallest, of_all * (1 + 1e-12));
    EXPECT_LE(of_minimised, of_best * (1 + 1e-12));
    all += of_all / exact / n;
    largest += of_largest / exact / n;
    smallest += of_smallest / exact / n;
    best += of_best / exact / n;
    minimised += of_minimised / exact / n;
    hull += of_hull / exact / n;
  }
  std::printf(
      "volume over the least: principal axes %.3f, principal axes of the hull's surface %.3f, "
      "largest kept %.3f, smallest kept %.3f, best of these %.3f, minimised %.3f\n",
      all, hull, largest, smallest, best, minimised);
  EXPECT_LT(hull, 1.6);
  EXPECT_LT(minimised, 1.03);
  EXPECT_LT(best, 1.5);
}

TEST(FitObb, FindsATurnedBox) {
  Sets sets(7);
  for (int i = 0; i < test::scaled(50, 10); ++i) {
    const Mat3 turn = sets.rotation().toRotationMatrix();
    const Vec3 half(0.3, 1.1, 2.5);
    std::vector<Vec3> points;
    for (int k = 0; k < 8; ++k)
      points.emplace_back(turn * Vec3(k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                                      k & 4 ? half[2] : -half[2]));
    EXPECT_NEAR(Obb::fit(points).volume(), 8 * half.prod(), 1e-9);
    for (const Criterion c : {Criterion::volume, Criterion::diameter, Criterion::surface_area})
      EXPECT_NEAR(measure(fit_obb_minimised(points, c), c) / measure(obb_in_frame(points, turn), c),
                  c == Criterion::diameter ? 0.99 : 1.0, c == Criterion::diameter ? 0.02 : 1e-6);
  }
}

TEST(FitObb, MinimisesWhatIsAskedForAndStartsFromAnEarlierBox) {
  Sets sets(8);
  for (int i = 0, n = test::scaled(20, 5); i < n && !HasFailure(); ++i) {
    std::vector<Vec3> points = sets.cloud(30);
    for (const Criterion c : {Criterion::volume, Criterion::diameter, Criterion::surface_area}) {
      const Obb box = fit_obb_minimised(points, c);
      EXPECT_LE(measure(box, c), measure(fit_obb(points, c), c));
      for (int k = 0; k < 200; ++k)  // no other frame is much better
        EXPECT_LE(measure(box, c),
                  1.05 * measure(obb_in_frame(points, sets.rotation().toRotationMatrix()), c));
    }
    const Obb before = fit_obb_minimised(points);
    points.push_back(1.2 * sets.point());
    const Mat3 start = before.axes;
    const Obb after = fit_obb_minimised(points, Criterion::volume, std::span(&start, 1));
    EXPECT_LE(after.volume(), obb_in_frame(points, start).volume());
    EXPECT_LE(after.volume(), 1.35 * fit_obb_minimised(points).volume());
  }
}

TEST(PrincipalAxes, OfASurfaceDoNotDependOnHowItIsCut) {
  Sets sets(9);
  for (int i = 0; i < 100; ++i) {
    std::vector<Triangle> coarse, fine;
    for (int k = 0; k < 6; ++k) {
      const Triangle t = {sets.point(), 2 * sets.point(), 4 * sets.point()};
      coarse.push_back(t);
      const Vec3 middle = (t[0] + t[1] + t[2]) / 3;
      // One half is cut finely, which pulls the corners' covariance but not the surface's.
      for (int e = 0; e < 3; ++e) {
        const Triangle part = {t[e], t[(e + 1) % 3], middle};
        if (k >= 3) continue;
        fine.push_back(part);
      }
      if (k >= 3) fine.push_back(t);
    }
    const Mat3 a = principal_axes(coarse), b = principal_axes(fine);
    EXPECT_NEAR((a.transpose() * b).cwiseAbs().diagonal().minCoeff(), 1, 1e-7);
  }
  // A flat plate with area along x, and a second moment known in closed form: widest first.
  const Triangle plate[] = {{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(4, 1, 0)},
                            {Vec3(0, 0, 0), Vec3(4, 1, 0), Vec3(0, 1, 0)}};
  const Mat3 axes = principal_axes(plate);
  EXPECT_NEAR(std::abs(axes(0, 0)), 1, 1e-12);
  EXPECT_NEAR(std::abs(axes(1, 1)), 1, 1e-12);
}

TEST(PrincipalAxes, OfFacesWithoutAreaAreThoseOfTheirCorners) {
  const Vec3 along = Vec3(1, 2, 2) / 3;
  const std::vector<Triangle> needles = {{Vec3::Zero(), along, 3 * along},
                                         {-along, -along, 2 * along}};
  const Mat3 axes = principal_axes(needles);
  EXPECT_NEAR(std::abs(axes.col(0).dot(along)), 1, 1e-12);
  EXPECT_NEAR(std::abs(axes.determinant()), 1, 1e-14);
  EXPECT_THROW(principal_axes(std::vector<Triangle>()), InvalidInput);
}

TEST(PrincipalAxes, OfTheHullDoNotSeeWhatIsInside) {
  // A turned block of 3 x 2 x 1, full of triangles that lie along its diagonal.
  Sets sets(11);
  for (int i = 0; i < 20; ++i) {
    const Mat3 turn = sets.rotation().toRotationMatrix();
    std::vector<Triangle> triangles;
    const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      triangles.push_back({turn * a, turn * b, turn * c});
    };
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner(k & 1 ? 3 : -3, k & 2 ? 2 : -2, k & 4 ? 1 : -1);
      for (int axis = 0; axis < 3; ++axis)  // half of each face, twice
        add(corner, corner - 2 * corner[axis] * Vec3::Unit(axis),
            corner - 2 * corner[(axis + 1) % 3] * Vec3::Unit((axis + 1) % 3));
    }
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = sets.real(-0.9, 0.9) * Vec3(3, 2, 1);
      add(p, 0.8 * p + 0.05 * sets.point(), 0.6 * p);
    }
    std::vector<Vec3> points;
    for (const Triangle& t : triangles) points.insert(points.end(), t.begin(), t.end());
    const auto error = [&](const Mat3& axes) {
      return 1 - (axes.transpose() * turn).cwiseAbs().diagonal().minCoeff();
    };
    EXPECT_LT(error(principal_axes_of_hull(points)), 1e-6);
    EXPECT_GT(error(principal_axes(points)), 1e-3);
    EXPECT_NEAR(fit_obb_principal(points, principal_axes_of_hull(points), KeepAxes::all).volume(),
                48, 0.01);
  }
  for (const Vec3& v : {Vec3(0, 0, 0), Vec3(1e6, 2e6, 3e6)}) {  // no hull, or a flat one
    const std::vector<Vec3> one(5, v), few = {v, v + Vec3(1, 0, 0), v + Vec3(0, 2, 0)};
    EXPECT_NEAR(std::abs(principal_axes_of_hull(one).determinant()), 1, 1e-14);
    EXPECT_NEAR(std::abs(principal_axes_of_hull(few)(2, 2)), 1, 1e-9);
    const std::vector<Vec3> plate = {v, v + Vec3(4, 0, 0), v + Vec3(0, 2, 0), v + Vec3(4, 2, 0),
                                     v + Vec3(1, 1, 0)};
    EXPECT_NEAR(std::abs(principal_axes_of_hull(plate)(0, 0)), 1, 1e-6);
    EXPECT_NEAR(std::abs(principal_axes_of_hull(plate)(2, 2)), 1, 1e-6);
  }
  EXPECT_THROW(principal_axes_of_hull({}), InvalidInput);
}

// ---- representations ----------------------------------------------------------------------------

TEST(Representations, NeverShrink) {
  Sets sets(10);
  for (int i = 0, n = test::scaled(500); i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const AabbMinMax box = AabbMinMax::fit(points);
    for (const AabbMinMax& back :
         {to_min_max(to_min_widths(box)), to_min_max(to_centre(box)),
          to_min_max(to_centre(to_min_widths(box))), to_min_max(to_min_widths(to_centre(box)))}) {
      EXPECT_TRUE((back.lo.array() <= box.lo.array()).all());
      EXPECT_TRUE((back.hi.array() >= box.hi.array()).all());
      EXPECT_LE((back.hi - box.hi).norm() + (back.lo - box.lo).norm(),
                1e-15 * (box.lo.norm() + box.hi.norm()) + 1e-300);
    }

    const Obb obb = Obb::fit(points);
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, p.norm());
    int form = 0;
    for (const Obb& back :
         {from_corners(to_corners(obb)), from_planes(to_planes(obb)), from_slabs(to_slabs(obb)),
          from_compact(to_compact(obb)), from_quaternion(to_quaternion(obb))}) {
      // Cramer's coordinates of the old corners, as real numbers.
      const RVec x(back.axes.col(0)), y(back.axes.col(1)), z(back.axes.col(2));
      const Rational det = test::dot(x, test::cross(y, z));
      for (int k = 0; k < 8; ++k) {
        RVec corner(obb.centre);
        for (int a = 0; a < 3; ++a)
          corner =
              corner + Rational(k >> a & 1 ? obb.half[a] : -obb.half[a]) * RVec(obb.axes.col(a));
        const RVec d = corner - RVec(back.centre);
        const Rational c[3] = {test::dot(d, test::cross(y, z)) / det,
                               test::dot(x, test::cross(d, z)) / det,
                               test::dot(x, test::cross(y, d)) / det};
        for (int a = 0; a < 3; ++a)
          EXPECT_TRUE(c[a] <= Rational(back.half[a]) && -c[a] <= Rational(back.half[a]))
              << "form " << form << ", set " << i;
      }
      EXPECT_LE(back.diameter(), obb.diameter() + 1e-12 * size + 1e-280);
      ++form;
    }
  }
}

}  // namespace
}  // namespace touche::bounds
