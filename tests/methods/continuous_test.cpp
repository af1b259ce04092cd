// SPDX-License-Identifier: Apache-2.0
// The thesis' continuous tests: right where they are exact, near the certified answer where they
// are fine enough, and wrong where they are known to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "hit_share.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/methods/continuous.h"
#include "tree_cases.h"

namespace touche {
namespace {

using test::TreeCases;

constexpr RootMethod kRoots[] = {RootMethod::linear, RootMethod::regula_falsi,
                                 RootMethod::quadratic, RootMethod::sampling,
                                 RootMethod::sampling_regula_falsi};
constexpr InsideTest kInsides[] = {InsideTest::exact, InsideTest::approximate};

VolumeTree tree(const PolygonSoup& soup, const std::string& volume = "obb") {
  return VolumeTree(soup, {.volume = volume, .threads = 1});
}

/// a stands still, b moves.
ContinuousResult test_of(const PolygonSoup& a, const PolygonSoup& b, const Motion& motion,
                         const ContinuousOptions& options, const std::string& volume = "obb") {
  return ContinuousTest(tree(a, volume), tree(b, volume), options)(Motion::at(Pose()), motion);
}

Motion shifted(const Vec3& by) { return Motion::interpolated(Pose(), Pose::from_translation(by)); }

PolygonSoup triangle(const Vec3& p, const Vec3& q, const Vec3& r) {
  std::vector<double> coordinates;
  for (const Vec3& v : {p, q, r}) coordinates.insert(coordinates.end(), v.begin(), v.end());
  return PolygonSoup(coordinates, std::vector<Index>{0, 1, 2});
}

const PolygonSoup kFloor = triangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0});

// Distances are linear in time: every method is exact (thesis §5.3.2), whatever the sweep.
TEST(Continuous, TranslationsAreExact) {
  const PolygonSoup pin = triangle({0, 0, 1}, {0.3, 0, 3}, {0, 0.3, 3});
  const PolygonSoup rod = triangle({-1, 0.1, 2}, {1, 0.1, 2}, {0, 0.1, 5});
  const PolygonSoup ridge = triangle({0, -3, 0}, {0, 3, 0}, {0, 0, -3});
  for (const RootMethod roots : kRoots)
    for (const InsideTest inside : kInsides)
      for (const Sweep sweep : {Sweep::start_end, Sweep::start_end_enclosing, Sweep::motion_length,
                                Sweep::motion_length_enclosing})
        for (const std::string volume : {"sphere", "aabb", "obb", "mixed"}) {
          const ContinuousOptions how{.sweep = sweep, .roots = roots, .inside = inside};
          const auto falls = test_of(kFloor, pin, shifted({0, 0, -1.6}), how, volume);
          EXPECT_TRUE(falls.contact);
          EXPECT_NEAR(falls.t, 1 / 1.6, 1e-9);
          EXPECT_EQ(falls.feature_a.kind, FeatureKind::face);
          EXPECT_EQ(falls.feature_b, (Feature{FeatureKind::vertex, 0}));
          const auto crosses = test_of(ridge, rod, shifted({0, 0, -2.5}), how, volume);
          EXPECT_TRUE(crosses.contact);
          EXPECT_NEAR(crosses.t, 2 / 2.5, 1e-9);
          EXPECT_EQ(crosses.feature_a.kind, FeatureKind::edge);
          EXPECT_EQ(crosses.feature_b.kind, FeatureKind::edge);
          EXPECT_FALSE(test_of(kFloor, pin, shifted({0, 0, -0.9}), how, volume).contact);
          EXPECT_FALSE(test_of(kFloor, pin, shifted({9, 0, 0}), how, volume).contact);
          // Touching at the very start and the very end counts.
          EXPECT_NEAR(test_of(kFloor, pin, shifted({0, 0, -1}), how, volume).t, 1, 1e-12);
          EXPECT_NEAR(test_of(pin, kFloor, shifted({0, 0, 1}), how, volume).t, 1, 1e-12);
          const PolygonSoup on = triangle({0, 0, 0}, {0.3, 0, 3}, {0, 0.3, 3});
          EXPECT_EQ(test_of(kFloor, on, shifted({0, 0, 1}), how, volume).t, 0);
        }
}

// It does not matter which of two bodies is said to move.
TEST(Continuous, TheOtherOneMoves) {
  TreeCases cases(31);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(100, 10); ++round) {
    const PolygonSoup a = cases.cloud(20), b = cases.cloud(20);
    const Pose start = cases.near(2);
    const Motion motion = Motion::interpolated(start, cases.near(2));
    const Motion still = Motion::at(Pose());
    for (const RootMethod roots : kRoots) {
      const ContinuousOptions how{.roots = roots};
      const ContinuousResult r = ContinuousTest(tree(a), tree(b), how)(still, motion);
      const ContinuousResult s = ContinuousTest(tree(b), tree(a), how)(motion, still);
      EXPECT_EQ(r.contact, s.contact);
      EXPECT_EQ(r.t, s.t);
      EXPECT_EQ(r.face_a, s.face_b);
      EXPECT_EQ(r.face_b, s.face_a);
      hits += r.contact;
      ++total;
    }
  }
  test::expect_about_half(hits, total);
}

struct Agreement {
  int both = 0, neither = 0, missed = 0, invented = 0;
  std::vector<double> differences;  // of times, least first

  double worst() const { return differences.back(); }
  double median() const { return differences[differences.size() / 2]; }
  double share_within(double most) const {
    const auto end = std::upper_bound(differences.begin(), differences.end(), most);
    return static_cast<double>(end - differences.begin()) / both;
  }
};

Agreement agreement(const ContinuousOptions& options, double turn, int rounds, int triangles) {
  TreeCases cases(32);
  Agreement agreement;
  for (int round = 0; round < rounds; ++round) {
    const PolygonSoup a = cases.cloud(triangles), b = cases.cloud(triangles);
    const Pose start = cases.near(1.8);
    const Vec3 end = cases.near(1.8).translation();
    const Motion motion =
        Motion::interpolated(start, Pose::from_translation(end) *
                                        Pose::from_axis_angle(cases.point(), turn, Vec3::Zero()) *
                                        Pose::from_translation(-start.translation()) * start);
    const Motion still = Motion::at(Pose());
    const ToiResult truth =
        time_of_impact(Object(a), still, Object(b), motion, {.tolerance = 1e-9});
    if (truth.status == ToiStatus::initially_touching) continue;
    const ContinuousResult r = ContinuousTest(tree(a), tree(b), options)(still, motion);
    const bool contact = truth.status == ToiStatus::contact;
    (contact     ? r.contact ? agreement.both : agreement.missed
     : r.contact ? agreement.invented
                 : agreement.neither)++;
    if (contact && r.contact) agreement.differences.push_back(std::abs(r.t - truth.time.upper));
  }
  std::sort(agreement.differences.begin(), agreement.differences.end());
  return agreement;
}

// Sampled finely and iterated, they find what there is, and when.
TEST(Continuous, FineSamplingAgreesWithTheCertifiedAnswer) {
  for (const Sweep sweep : {Sweep::start_end_enclosing, Sweep::motion_length_enclosing}) {
    const Agreement found =
        agreement({.sweep = sweep, .roots = RootMethod::sampling_regula_falsi, .step = 0.01}, 1.5,
                  test::scaled(100, 20), 10);
    EXPECT_EQ(found.missed, 0);
    EXPECT_EQ(found.invented, 0);
    ASSERT_GT(found.both, 0);
    EXPECT_LT(found.worst(), 1e-7);
    test::expect_about_half(found.both, found.both + found.neither);
  }
}

// For small turns even the coarsest comes close.
TEST(Continuous, SmallTurnsAreNearlyLinear) {
  for (const RootMethod roots : kRoots) {
    const Agreement found = agreement({.roots = roots}, 0.01, test::scaled(200, 60), 30);
    EXPECT_LE(found.missed + found.invented, 2) << static_cast<int>(roots);
    ASSERT_GT(found.both, 0);
    if (roots == RootMethod::regula_falsi || roots == RootMethod::sampling_regula_falsi) {
      EXPECT_LT(found.worst(), 1e-7) << static_cast<int>(roots);
    } else {
      // A distance departs from its chord by at most an eighth of its second derivative, twice the
      // turn times the speed: by 0.0025 of the path. If interpolation leaves a feature by a hair, a
      // later contact is taken for the first.
      EXPECT_LT(found.median(), 0.0025) << static_cast<int>(roots);
      EXPECT_GT(found.share_within(0.01), 0.85) << static_cast<int>(roots);
    }
  }
}

// A blade that turns through a wall and out again: it starts and ends on the same side, so linear
// interpolation sees no change of sign. One more distance helps, and so do samples.
TEST(Continuous, LinearMissesWhatComesAndGoes) {
  const PolygonSoup blade = triangle({0, 0, 0}, {2, 0, 0}, {2, 0.05, 0.05});
  const PolygonSoup wall = triangle({1.8, -2, -3}, {1.8, -2, 3}, {1.8, 5, 0});
  const Motion motion = Motion::interpolated(Pose::from_axis_angle(Vec3::UnitZ(), -1, Vec3::Zero()),
                                             Pose::from_axis_angle(Vec3::UnitZ(), 1, Vec3::Zero()));
  const auto found = [&](RootMethod roots) {
    return test_of(wall, blade, motion,
                   {.sweep = Sweep::motion_length_enclosing, .roots = roots, .step = 0.1})
        .contact;
  };
  EXPECT_FALSE(found(RootMethod::linear));
  EXPECT_FALSE(found(RootMethod::regula_falsi));
  EXPECT_TRUE(found(RootMethod::quadratic));
  EXPECT_TRUE(found(RootMethod::sampling));
  EXPECT_TRUE(found(RootMethod::sampling_regula_falsi));
  EXPECT_EQ(
      time_of_impact(Object(wall), Motion::at(Pose()), Object(blade), motion, {.tolerance = 1e-9})
          .status,
      ToiStatus::contact);
}

// Rotating bodies leave the volume around start and end (errors of the papers, 3): the triangles
// are never tested.
TEST(Continuous, StartAndEndMissWhatBulges) {
  const PolygonSoup tip = triangle({2, 0, 0}, {2.1, 0, 0}, {2.1, 0, 0.1});
  const PolygonSoup post = triangle({-0.02, 1.5, -1}, {-0.02, 2.5, -1}, {0, 2, 3});
  const Motion half_turn = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 3.1, 0);
  const auto run = [&](Sweep sweep) {
    return test_of(post, tip, half_turn,
                   {.sweep = sweep, .roots = RootMethod::sampling_regula_falsi, .step = 0.01});
  };
  EXPECT_FALSE(run(Sweep::start_end).contact);
  EXPECT_TRUE(run(Sweep::start_end_enclosing).contact);
  EXPECT_TRUE(run(Sweep::motion_length_enclosing).contact);
}

// Edges that are parallel at the start, at the end, or always.
TEST(Continuous, ParallelEdges) {
  const PolygonSoup bar = triangle({-1, 0, 0}, {1, 0, 0}, {0, 0, -1});
  const PolygonSoup above = triangle({-1, 0, 1}, {1, 0, 1}, {0, 0, 2});
  for (const RootMethod roots : kRoots)
    for (const InsideTest inside : kInsides) {
      const ContinuousOptions how{
          .sweep = Sweep::motion_length_enclosing, .roots = roots, .inside = inside, .step = 0.1};
      // Always, and all in one plane: distances are 0 throughout, and determine no time.
      const auto slide = test_of(bar, above, shifted({0.3, 0, -1.5}), how);
      if (slide.contact) {
        EXPECT_GE(slide.t, 1 / 1.5 - 1e-9);
      }
      // At the start only: turned while it comes down.
      const Motion turned =
          Motion::interpolated(Pose(), Pose::from_axis_angle(Vec3::UnitZ(), 0.5, {0, 0, -1.5}));
      const auto from = test_of(bar, above, turned, how);
      EXPECT_TRUE(from.contact) << static_cast<int>(roots) << static_cast<int>(inside);
      EXPECT_NEAR(from.t, 1 / 1.5, 1e-6);
      // At the end only.
      const Motion back = Motion::interpolated(Pose::from_axis_angle(Vec3::UnitZ(), 0.5, {0, 0, 0}),
                                               Pose::from_translation({0, 0, -1.5}));
      const auto to = test_of(bar, above, back, how);
      EXPECT_TRUE(to.contact) << static_cast<int>(roots) << static_cast<int>(inside);
      EXPECT_NEAR(to.t, 1 / 1.5, 1e-6);
    }
}

// Where edges turn past each other the direction across both changes its sign, but they do not
// change sides. Apart they stay apart; coming nearer they meet.
TEST(Continuous, EdgesThatTurnPastEachOther) {
  const PolygonSoup bar = triangle({-1, 0, 0}, {1, 0, 0}, {0, 0, -1});
  const PolygonSoup above = triangle({-1, 0, 0}, {1, 0, 0}, {0, 0, 1});
  const auto turning = [](double from, double to) {
    return Motion::interpolated(Pose::from_axis_angle(Vec3::UnitZ(), -0.25, {0, 0, from}),
                                Pose::from_axis_angle(Vec3::UnitZ(), 0.25, {0, 0, to}));
  };
  for (const RootMethod roots : kRoots)
    for (const InsideTest inside : kInsides) {
      const ContinuousOptions how{
          .sweep = Sweep::motion_length_enclosing, .roots = roots, .inside = inside, .step = 0.1};
      const auto name = [&] {
        return std::to_string(static_cast<int>(roots)) + ' ' +
               std::to_string(static_cast<int>(inside));
      };
      // Positions interpolated over such a turn invent contacts of the other edges.
      for (const double height : {1e-3, 0.1, 1.0}) {
        if (inside == InsideTest::approximate) continue;
        EXPECT_FALSE(test_of(bar, above, turning(height, height), how).contact) << name();
        EXPECT_FALSE(test_of(bar, above, turning(height, 2 * height), how).contact) << name();
      }
      const auto met = test_of(bar, above, turning(1, -0.5), how);
      EXPECT_TRUE(met.contact) << name();
      EXPECT_NEAR(met.t, 1 / 1.5, 1e-6) << name();
    }
}

// A door's lower edge swings through a post: here the direction across both edges reverses though
// they are never parallel, and they do change sides.
TEST(Continuous, EdgesThatTurnThroughEachOther) {
  const PolygonSoup post = triangle({0, 0, -1}, {0, 0, 1}, {-0.5, 0, 0.5});
  const PolygonSoup door = triangle({0, 0, 0}, {2, 0, 0}, {0, 0, -0.1});
  const auto open = [](double angle) {
    return Pose::from_axis_angle(Vec3::UnitZ(), angle, {1, 0, 0});
  };
  const Motion swing =
      Motion::interpolated(open(std::numbers::pi - 1.5), open(std::numbers::pi + 1.5));
  for (const RootMethod roots : kRoots) {
    const ContinuousOptions how{
        .sweep = Sweep::motion_length_enclosing, .roots = roots, .step = 0.15};
    const auto found = test_of(post, door, swing, how);
    EXPECT_TRUE(found.contact) << static_cast<int>(roots);
    EXPECT_NEAR(found.t, 0.5, 1e-3) << static_cast<int>(roots);
  }
}

// §5.4: tests only the pairs that intersect at the end.
TEST(Continuous, MixedFollowsBackWhatIntersectsAtTheEnd) {
  TreeCases cases(33);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(200, 20); ++round) {
    const PolygonSoup a = cases.cloud(30), b = cases.cloud(30);
    const Pose start = cases.near(3), end = cases.near(0.7);
    const Motion motion = Motion::interpolated(start, end), still = Motion::at(Pose());
    const ContinuousOptions how{.method = ContinuousMethod::mixed,
                                .roots = RootMethod::sampling_regula_falsi,
                                .step = 0.02};
    const ContinuousResult r = ContinuousTest(tree(a), tree(b), how)(still, motion);
    EXPECT_EQ(r.contact, intersects(tree(a), Pose(), tree(b), end).intersects);
    if (r.contact) {
      const ToiResult truth =
          time_of_impact(Object(a), still, Object(b), motion, {.tolerance = 1e-9});
      EXPECT_GE(r.t, truth.time.lower - 1e-7);
      EXPECT_LE(r.t, 1);
    }
    hits += r.contact;
    ++total;
  }
  test::expect_about_half(hits, total);
}

TEST(Continuous, SampledStopsAtTheFirstPoseThatIntersects) {
  TreeCases cases(34);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(200, 20); ++round) {
    const PolygonSoup a = cases.cloud(30), b = cases.cloud(30);
    const Pose start = cases.near(2);
    const Motion motion = Motion::interpolated(start, cases.near(1.2));
    const ContinuousResult r =
        test_of(a, b, motion, {.method = ContinuousMethod::sampled, .step = 0.3});
    double first = kInfinity;
    for (const double t : {1.0, 0.9, 0.6, 0.3, 0.0})
      if (intersects(tree(a), Pose(), tree(b), motion.pose(t)).intersects) first = t;
    EXPECT_EQ(r.contact, first <= 1);
    if (r.contact) {
      EXPECT_NEAR(r.t, first, 1e-15);
    }
    hits += r.contact;
    ++total;
  }
  test::expect_about_half(hits, total);
}

// Data kept from one motion do not show in the next.
TEST(Continuous, RepeatsItself) {
  TreeCases cases(35);
  const PolygonSoup a = cases.cloud(50), b = cases.cloud(50);
  ContinuousTest test(tree(a), tree(b));
  for (int round = 0; round < test::scaled(50, 10); ++round) {
    const Pose start = cases.near(2);
    const Motion motion = Motion::interpolated(start, cases.near(1));
    const ContinuousResult again = test(Motion::at(Pose()), motion);
    const ContinuousResult fresh = test_of(a, b, motion, {});
    EXPECT_EQ(again.t, fresh.t);
    EXPECT_EQ(again.face_a, fresh.face_a);
    EXPECT_EQ(again.stats.volume_tests, fresh.stats.volume_tests);
    EXPECT_EQ(again.stats.primitive_tests, fresh.stats.primitive_tests);
  }
}

TEST(Continuous, SaysWhenItsBudgetEnds) {
  TreeCases cases(36);
  const PolygonSoup a = cases.cloud(50), b = cases.cloud(50);
  const Motion motion = Motion::interpolated(cases.near(2), cases.near(1));
  const Cancel cancel = test::requested();
  for (const ContinuousMethod method :
       {ContinuousMethod::swept, ContinuousMethod::mixed, ContinuousMethod::sampled}) {
    EXPECT_TRUE(test_of(a, b, motion, {.method = method}).complete);
    EXPECT_FALSE(test_of(a, b, motion, {.method = method, .budget = {.cancel = cancel}}).complete);
    const bool swept = method == ContinuousMethod::swept;
    EXPECT_EQ(test_of(a, b, motion, {.method = method, .max_tests = 1}).complete, !swept);
  }
}

TEST(Continuous, BadInputIsRefused) {
  const PolygonSoup soup = scenes::bumpy_sphere(50, 1);
  EXPECT_THROW(ContinuousTest(tree(soup, "dop14"), tree(soup, "dop14")), InvalidInput);
  EXPECT_THROW(ContinuousTest(tree(soup, "obb"), tree(soup, "aabb")), InvalidInput);
  for (const double step : {0.0, -1.0, 1.1, std::nan("")})
    EXPECT_THROW(ContinuousTest(tree(soup), tree(soup), {.step = step}), InvalidInput);
}

}  // namespace
}  // namespace touche
