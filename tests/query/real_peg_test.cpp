// SPDX-License-Identifier: Apache-2.0
// Round and rectangular pegs pushed into holes (NVIDIA Factory meshes). The dimensions come from
// the set's yaml files; the holes go through, from z = 0 to 8.9916 mm.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shared_data.h"
#include "touche/io.h"
#include "touche/query.h"

namespace touche::test::real_peg_test {
namespace {

constexpr double kTolerance = 1e-9;  // metres
constexpr double kTop = 0.008992;    // as the meshes have it, rounded to a micrometre
constexpr double kAbove = 0.02, kBelow = -0.02;

struct Fit {
  const char *peg, *hole;
  double half_x, half_y;            // of the peg
  double hole_half_x, hole_half_y;  // round: the radius, twice
  double reach = 0;                 // of the peg from its axis; the long edges are broken
};
// Half diameters, or half width and half depth.
constexpr Fit kRound[] = {
    {"round_peg_8mm_loose", "round_hole_8mm_subdiv_3x", 0.003993, 0.003993, 0.00405, 0.00405},
    {"round_peg_8mm_tight", "round_hole_8mm_subdiv_3x", 0.0039975, 0.0039975, 0.00405, 0.00405},
    {"round_peg_16mm_loose", "round_hole_16mm_subdiv_3x", 0.0079915, 0.0079915, 0.00825, 0.00825},
    {"round_peg_16mm_tight", "round_hole_16mm_subdiv_3x", 0.007997, 0.007997, 0.00825, 0.00825}};
constexpr Fit kRectangular[] = {
    {"rectangular_peg_8mm_loose_subdiv_3x", "rectangular_hole_8mm_subdiv_3x", 0.003982, 0.003455,
     0.0040722, 0.003567, 0.005019},
    {"rectangular_peg_8mm_tight_subdiv_3x", "rectangular_hole_8mm_subdiv_3x", 0.004, 0.0035,
     0.0040722, 0.003567, 0.005154}};

Object part(const std::string& name) {
  return load(shared_data() / "peg_hole" / ("factory_" + name + ".obj"));
}

Pose at(double x, double y, double z, double turned = 0) {
  return Pose::from_axis_angle(Vec3::UnitZ(), turned, Vec3(x, y, z));
}

ToiResult push(const Object& peg, const Object& hole, const Pose& from, const Pose& to) {
  return time_of_impact(peg, Motion::interpolated(from, to), hole, Motion::at(Pose()),
                        {.tolerance = kTolerance});
}

// At which height of its tip the peg touches.
double tip(const ToiResult& r) { return kAbove + r.time.upper * (kBelow - kAbove); }

class RoundPegs : public testing::TestWithParam<Fit> {};

TEST_P(RoundPegs, FitWithTheirClearance) {
  TOUCHE_NEED_SHARED_DATA();
  const Fit& fit = GetParam();
  const Object peg = part(fit.peg), hole = part(fit.hole);
  const double clearance = fit.hole_half_x - fit.half_x;
  // Facets: the hole's 288 sides come closer than its radius by R (1 − cos(π / 288)), and the
  // coordinates are rounded to a micrometre.
  const double facets = fit.hole_half_x * (1 - std::cos(std::numbers::pi / 288)) + 2e-6;
  EXPECT_EQ(push(peg, hole, at(0, 0, kAbove), at(0, 0, kBelow)).status, ToiStatus::free);
  for (const double direction : {0.0, 0.7}) {
    const auto beside = [&](double e, double z, double turned = 0) {
      return at(e * std::cos(direction), e * std::sin(direction), z, turned);
    };
    const double fits = clearance - facets;
    EXPECT_EQ(push(peg, hole, beside(fits, kAbove), beside(fits, kBelow)).status, ToiStatus::free);
    // Rotating during the descent changes nothing for a round one.
    if (direction > 0) {
      EXPECT_EQ(push(peg, hole, beside(fits, kAbove), beside(fits, kBelow, 0.2)).status,
                ToiStatus::free);
    }
    // The bevel at the tip meets the rim: from 3.5 mm at the tip of an 8 mm peg, 0.5 mm high.
    const double beyond = clearance + facets;
    const ToiResult hit = push(peg, hole, beside(beyond, kAbove), beside(beyond, kBelow));
    ASSERT_EQ(hit.status, ToiStatus::contact);
    EXPECT_NEAR(tip(hit), kTop - 0.0005, 20e-6);
    // Off by more than the bevel: its flat end meets the flat top.
    const double far = clearance + 0.0006;
    const ToiResult flat = push(peg, hole, beside(far, kAbove), beside(far, kBelow));
    ASSERT_EQ(flat.status, ToiStatus::contact);
    EXPECT_NEAR(tip(flat), kTop, 2e-6);
  }
  // Sideways, inside the hole: it touches when the clearance is used up.
  const ToiResult side = push(peg, hole, at(0, 0, -0.02), at(1e-3, 0, -0.02));
  ASSERT_EQ(side.status, ToiStatus::contact);
  EXPECT_NEAR(side.time.upper * 1e-3, clearance, facets);
  EXPECT_NEAR(distance(peg, at(0, 0, -0.02), hole, Pose()).distance.upper, clearance, facets);
}

INSTANTIATE_TEST_SUITE_P(RealPeg, RoundPegs, testing::ValuesIn(kRound),
                         [](const auto& fit) { return std::string(fit.param.peg); });

TEST(RealPeg, RectangularPegs) {
  TOUCHE_NEED_SHARED_DATA();
  for (const Fit& fit : kRectangular) {
    SCOPED_TRACE(fit.peg);
    const Object peg = part(fit.peg), hole = part(fit.hole);
    const double clear_x = fit.hole_half_x - fit.half_x, clear_y = fit.hole_half_y - fit.half_y;
    EXPECT_EQ(push(peg, hole, at(0, 0, kAbove), at(0, 0, kBelow)).status, ToiStatus::free);
    const double rounding = 1.5e-6;  // both meshes are rounded to a micrometre
    for (const double side : {-1.0, 1.0}) {
      const double in_x = side * (clear_x - rounding), in_y = side * (clear_y - rounding);
      EXPECT_EQ(push(peg, hole, at(in_x, in_y, kAbove), at(in_x, in_y, kBelow)).status,
                ToiStatus::free);
      for (const bool along_x : {true, false}) {
        const double x = along_x ? side * (clear_x + rounding) : 0;
        const double y = along_x ? 0 : side * (clear_y + rounding);
        const ToiResult hit = push(peg, hole, at(x, y, kAbove), at(x, y, kBelow));
        ASSERT_EQ(hit.status, ToiStatus::contact);
        EXPECT_NEAR(tip(hit), kTop, 2e-9);
      }
    }
    // Turned in the hole it jams where the first corner of its outline meets a side: a corner at
    // `reach` from the axis whose distance from a side of the peg's own was zero.
    const ToiResult jam = push(peg, hole, at(0, 0, -0.02, 0), at(0, 0, -0.02, 0.1));
    ASSERT_EQ(jam.status, ToiStatus::contact);
    const auto jams_at = [&](double half, double hole_half) {
      return std::acos(half / fit.reach) - std::acos(hole_half / fit.reach);
    };
    const double expected =
        std::min(jams_at(fit.half_x, fit.hole_half_x), jams_at(fit.half_y, fit.hole_half_y));
    EXPECT_NEAR(jam.time.upper * 0.1, expected, 4e-4);
    // Turned by a quarter it does not fit: the wide side lies across.
    const double quarter = std::numbers::pi / 2;
    EXPECT_EQ(push(peg, hole, at(0, 0, kAbove, quarter), at(0, 0, kBelow, quarter)).status,
              ToiStatus::contact);
  }
}

TEST(RealPeg, TheWrongSizeHitsTheTop) {
  TOUCHE_NEED_SHARED_DATA();
  const std::pair<const char*, const char*> misfits[] = {
      {"round_peg_16mm_tight", "round_hole_8mm_subdiv_3x"},
      {"rectangular_peg_16mm_loose_subdiv_3x", "rectangular_hole_8mm_subdiv_3x"},
      {"rectangular_peg_8mm_tight_subdiv_3x", "round_hole_8mm_subdiv_3x"}};
  for (const auto& [peg, hole] : misfits) {
    const ToiResult r = push(part(peg), part(hole), at(0, 0, kAbove), at(0, 0, kBelow));
    EXPECT_EQ(r.status, ToiStatus::contact) << peg;
    EXPECT_NEAR(tip(r), kTop, 2e-9) << peg;
  }
  // And a small one falls through.
  EXPECT_EQ(push(part("round_peg_8mm_tight"), part("round_hole_16mm_subdiv_3x"), at(0, 0, kAbove),
                 at(0, 0, kBelow))
                .status,
            ToiStatus::free);
}

}  // namespace
}  // namespace touche::test::real_peg_test
