// SPDX-License-Identifier: Apache-2.0
// Overlap tests against exact judges: linear programming over the faces of polytopes, distances of
// spheres, all as real numbers for the volumes as stored and the pose that is meant.
#include <gtest/gtest.h>

#include <cstdio>

#include "bounds_sets.h"
#include "exact_volumes.h"
#include "hit_share.h"
#include "linear_program.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::Rational;
using test::RHalfSpace;
using test::RVec;
using test::Sets;

/// x' = R x + t without rounding: R of a quaternion of any length.
struct RPose {
  std::array<RVec, 3> rows;
  RVec shift;

  explicit RPose(const Pose& pose)
      : rows{RVec(Vec3::Zero()), RVec(Vec3::Zero()), RVec(Vec3::Zero())},
        shift(pose.translation()) {
    const Rational w = pose.rotation().w(), x = pose.rotation().x(), y = pose.rotation().y(),
                   z = pose.rotation().z();
    const Rational s = 2 / (w * w + x * x + y * y + z * z);
    rows = {RVec(1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
            RVec(s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
            RVec(s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y))};
  }
  RVec turned(const RVec& v) const {
    return {test::dot(rows[0], v), test::dot(rows[1], v), test::dot(rows[2], v)};
  }
  RVec operator*(const RVec& v) const { return turned(v) + shift; }
  /// A row of the inverse matrix, which is the transpose.
  RVec inverse_row(int k) const {
    const auto entry = [k](const RVec& row) { return k == 0 ? row.x : k == 1 ? row.y : row.z; };
    return {entry(rows[0]), entry(rows[1]), entry(rows[2])};
  }
};

// ---- polytopes ---------------------------------------------------------------------------------

void add_slab(std::vector<RHalfSpace>& spaces, const RVec& n, const Rational& lo,
              const Rational& hi) {
  spaces.push_back({n, hi});
  spaces.push_back({Rational(-1) * n, -lo});
}

std::vector<RHalfSpace> half_spaces(const Obb& box) {
  // Rows of the inverse of the axes, which are not exactly orthonormal.
  const RVec x(box.axes.col(0)), y(box.axes.col(1)), z(box.axes.col(2));
  const Rational det = test::dot(x, test::cross(y, z));
  std::vector<RHalfSpace> spaces;
  int i = 0;
  for (const RVec& minor : {test::cross(y, z), test::cross(z, x), test::cross(x, y)}) {
    const RVec n = (1 / det) * minor;
    const Rational middle = test::dot(n, RVec(box.centre)), half = box.half[i++];
    add_slab(spaces, n, middle - half, middle + half);
  }
  return spaces;
}
std::vector<RHalfSpace> half_spaces(const AabbMinMax& box) {
  std::vector<RHalfSpace> spaces;
  for (int i = 0; i < 3; ++i) add_slab(spaces, RVec(Vec3::Unit(i)), box.lo[i], box.hi[i]);
  return spaces;
}
template <int K>
std::vector<RHalfSpace> half_spaces(const Kdop<K>& dop) {
  std::vector<RHalfSpace> spaces;
  const auto directions = kdop_directions(K);
  for (std::size_t i = 0; i < dop.lo.size(); ++i)
    add_slab(spaces, RVec(directions[i]), dop.lo[i], dop.hi[i]);
  return spaces;
}

std::vector<RHalfSpace> half_spaces(const SlabPolytope& polytope) {
  std::vector<RHalfSpace> spaces;
  for (const Slab& s : polytope.slabs()) add_slab(spaces, RVec(s.normal), s.lo, s.hi);
  return spaces;
}
std::vector<RHalfSpace> half_spaces(const Slabs& slabs) { return half_spaces(slabs.body); }
std::vector<RHalfSpace> half_spaces(const Dop12& dop) { return half_spaces(dop.body); }
/// Products of all pairs of generators; zero vectors are skipped.
std::vector<RHalfSpace> half_spaces(const Zonotope& z) {
  const std::vector<RVec> generators = test::exact_generators(z);
  std::vector<RHalfSpace> spaces;
  for (std::size_t i = 0; i < generators.size(); ++i)
    for (std::size_t j = i + 1; j < generators.size(); ++j) {
      const RVec n = test::cross(generators[i], generators[j]);
      if (test::norm2(n) == 0) continue;
      // Rounded, so that numbers stay short, and then right for that normal.
      const double length = std::sqrt(static_cast<double>(test::norm2(n)));
      const RVec unit(
          Vec3(static_cast<double>(n.x), static_cast<double>(n.y), static_cast<double>(n.z)) /
          length);
      Rational reach = 0;
      for (const RVec& g : generators) reach += abs(test::dot(unit, g));
      const Rational middle = test::dot(unit, RVec(z.box.centre));
      add_slab(spaces, unit, middle - reach, middle + reach);
    }
  return spaces;
}

template <typename V>
Rational least_violation(const V& a, const V& b, const Pose& pose) {
  std::vector<RHalfSpace> spaces = half_spaces(a);
  const RPose exact(pose);
  for (const RHalfSpace& s : half_spaces(b)) {
    const RVec n = exact.turned(s.normal);  // n · (R⁻¹ (x − t)) <= offset
    spaces.push_back({n, s.offset + test::dot(n, exact.shift)});
  }
  return test::LeastViolation(spaces).value();
}

struct Counts {
  int all = 0, shared = 0, apart = 0, false_positives = 0;
};

/// `decides`: the test sees every gap that is larger than rounding.
template <typename V>
void judge(const V& a, const V& b, const Pose& pose, bool decides, Counts& counts) {
  const Rational violation = least_violation(a, b, pose);
  const bool met = overlap(a, b, pose);
  ++counts.all;
  EXPECT_EQ(met, lower_bound(a, b, pose) == 0);
  if (violation <= 0) {
    ++counts.shared;
    EXPECT_TRUE(met) << "violation " << static_cast<double>(violation);
  } else if (violation > Rational(1e-11)) {
    ++counts.apart;
    counts.false_positives += met;
    if (decides) {
      EXPECT_FALSE(met) << "violation " << static_cast<double>(violation);
    }
  }
}

TEST(LinearProgram, KnowsHowFarCubesAreApart) {
  const AabbMinMax cube = {Vec3(-1, -1, -1), Vec3(1, 1, 1)};
  const auto at = [&](double x) {
    return static_cast<double>(
        least_violation(cube, cube, Pose::from_translation(Vec3(x, 0.5, 0))));
  };
  EXPECT_EQ(at(3), 0.5);  // the point between violates both by as much
  EXPECT_EQ(at(2), 0);
  EXPECT_EQ(at(1.5), -0.25);
}

template <typename V, typename Random>
void judge_random(int cases, double reach, bool decides, const char* name, const Random& random) {
  Sets sets(1);
  Counts counts;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    const V a = random(sets), b = random(sets);
    const Pose pose = sets.pose(sets.real(0, reach) * sets.direction());
    judge(a, b, pose, decides, counts);
  }
  test::expect_about_half(counts.shared, counts.all);
  std::printf("%s: %d share a point, of %d apart %d are called overlapping (%.1f %%)\n", name,
              counts.shared, counts.apart, counts.false_positives,
              100.0 * counts.false_positives / std::max(1, counts.apart));
}

TEST(BoxOracle, RandomPairs) {
  const auto box = [](Sets& sets) {
    Obb b = sets.box();
    b.centre *= 0.1;
    return b;
  };
  judge_random<Obb>(test::scaled(1500), 1.1, true, "boxes", box);
  const auto aabb = [&](Sets& sets) { return AabbMinMax::fit(sets.cloud(6)); };
  judge_random<AabbMinMax>(test::scaled(600), 2.2, true, "boxes along the axes", aabb);
}

TEST(KdopOracle, RandomPairs) {
  const auto run = [&]<int K>(std::integral_constant<int, K>, const char* name) {
    judge_random<Kdop<K>>(test::scaled(150, 60), 2.1, false, name,
                          [](Sets& sets) { return Kdop<K>::fit(sets.cloud(8)); });
  };
  run(std::integral_constant<int, 6>(), "6-DOPs");
  run(std::integral_constant<int, 10>(), "10-DOPs");
  run(std::integral_constant<int, 14>(), "14-DOPs");
  run(std::integral_constant<int, 18>(), "18-DOPs");
  run(std::integral_constant<int, 26>(), "26-DOPs");
}

TEST(SlabOracle, RandomPairs) {
  const auto cloud = [](Sets& sets) { return sets.cloud(8); };
  judge_random<Slabs>(test::scaled(150, 60), 1.7, true, "slabs",
                      [&](Sets& sets) { return Slabs::fit(cloud(sets)); });
  judge_random<Dop12>(test::scaled(150, 60), 2.1, true, "dodecahedra",
                      [&](Sets& sets) { return Dop12::fit(cloud(sets)); });
}
TEST(ZonotopeOracle, RandomPairs) {
  judge_random<Zonotope>(test::scaled(60, 40), 1.7, true, "zonotopes",
                         [](Sets& sets) { return Zonotope::fit(sets.cloud(8)); });
}

// Small integers and turns that only permute axes: touching is exact and must not be missed.
template <typename V, typename Fit>
void judge_degenerate(bool decides, const Fit& fit) {
  Sets sets(2);
  Counts counts;
  int touching = 0;
  const Eigen::Quaterniond turns[] = {
      Eigen::Quaterniond(1, 0, 0, 0), Eigen::Quaterniond(0, 1, 0, 0),
      Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5), Eigen::Quaterniond(0.5, -0.5, 0.5, -0.5)};
  for (int i = 0, n = test::scaled(240, 80); i < n && !testing::Test::HasFailure(); ++i) {
    const auto points = [&] {  // also points, segments and plates
      std::vector<Vec3> p;
      const Vec3 widths(sets.integer(0, 2), sets.integer(0, 2), sets.integer(0, 2));
      for (int k = 0; k < 4; ++k)
        p.emplace_back(Vec3(sets.integer(-1, 1), sets.integer(-1, 1), sets.integer(-1, 1))
                           .cwiseProduct(widths));
      return p;
    };
    const V a = fit(points()), b = fit(points());
    const Pose pose = Pose::from_quaternion_unchecked(
        turns[i % 4], Vec3(sets.integer(-3, 3), sets.integer(-2, 2), sets.integer(-2, 2)));
    const int before = counts.shared;
    judge(a, b, pose, decides, counts);
    touching += counts.shared > before && least_violation(a, b, pose) == 0;
  }
  EXPECT_GT(touching, 10);
  EXPECT_GT(counts.apart, 10);
}

TEST(BoxOracle, DegenerateAndTouchingPairs) {
  judge_degenerate<AabbMinMax>(true, AabbMinMax::fit);
  // Not fitted as boxes of any orientation, which adds a slack.
  judge_degenerate<Obb>(
      true, [](const std::vector<Vec3>& points) { return to_obb(AabbMinMax::fit(points)); });
}
TEST(KdopOracle, DegenerateAndTouchingPairs) {
  judge_degenerate<Kdop<6>>(false, Kdop<6>::fit);
  judge_degenerate<Kdop<10>>(false, Kdop<10>::fit);
  judge_degenerate<Kdop<14>>(false, Kdop<14>::fit);
  judge_degenerate<Kdop<18>>(false, Kdop<18>::fit);
  judge_degenerate<Kdop<26>>(false, Kdop<26>::fit);
}

TEST(SlabOracle, DegenerateAndTouchingPairs) {
  // Along the axes and between them, where sums of small integers are exact.
  judge_degenerate<SlabPolytope>(true, [](const std::vector<Vec3>& points) {
    return SlabPolytope::around(points, kdop_directions(14));
  });
}

// ---- spheres -----------------------------------------------------------------------------------

TEST(SphereOracle, SpheresAndBoxesAsRealNumbers) {
  Sets sets(3);
  int shared = 0, all = 0;
  for (int i = 0, n = test::scaled(4000); i < n && !HasFailure(); ++i) {
    const Sphere a = {0.1 * sets.point(), sets.real(0, 1)};
    Pose pose = sets.pose(sets.real(0, 2) * sets.direction());
    const RPose exact(pose);
    const auto check = [&](const Rational& distance2, const Rational& radius, bool met,
                           double bound) {
      ++all;
      if (distance2 <= radius * radius) {
        ++shared;
        EXPECT_TRUE(met) << i;
      }
      const Rational grown = radius + Rational(1e-12);
      if (distance2 > grown * grown) {
        EXPECT_FALSE(met) << i;
      }
      // A bound is no more than the distance.
      const Rational reach = radius + Rational(bound);
      EXPECT_TRUE(bound == 0 || reach * reach <= distance2) << i;
    };
    Sphere b = {0.1 * sets.point(), sets.real(0, 1)};
    if (i % 4 == 0) {  // touching up to rounding
      const double gap = (pose * b.centre - a.centre).norm() - a.radius;
      if (gap > 0) b.radius = gap;
    }
    check(test::norm2(exact * RVec(b.centre) - RVec(a.centre)),
          Rational(a.radius) + Rational(b.radius), overlap(a, b, pose), lower_bound(a, b, pose));

    const AabbMinMax box = AabbMinMax::fit(sets.cloud(5));
    // The sphere's centre seen from the box, moved to its nearest point.
    const RVec d = RVec(a.centre) - exact.shift;
    Rational distance2 = 0;
    for (int k = 0; k < 3; ++k) {
      const RVec column = exact.inverse_row(k);
      const Rational y = test::dot(column, d);
      const Rational beyond =
          std::max<Rational>({0, Rational(box.lo[k]) - y, y - Rational(box.hi[k])});
      distance2 += beyond * beyond;
    }
    check(distance2, a.radius, overlap(a, box, pose), lower_bound(a, box, pose));
  }
  test::expect_about_half(shared, all);
}

}  // namespace
}  // namespace touche::bounds
