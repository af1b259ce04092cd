// SPDX-License-Identifier: Apache-2.0
// The bracket of a time of impact against the independent oracle, to the last bit of t: a
// separation is kept until `time.lower`, and what separates is never deeper than the tolerance.
#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>

#include "hit_share.h"
#include "random_rides.h"
#include "test_scale.h"

namespace touche::test::toi_bracket_test {
namespace {

struct Case : Scenario {
  double separation = 0;
};

ToiResult ask(const Case& c, double from = 0, bool may_separate = false) {
  return time_of_impact(Object(c.a), c.ride_a.motion, Object(c.b), c.ride_b.motion,
                        {.tolerance = c.tolerance,
                         .clearance = c.separation,
                         .t_start = from,
                         .may_separate = may_separate,
                         .budget = {.max_work = 300000}});
}

std::string text(double x) {
  std::ostringstream out;
  out << std::setprecision(17) << x;
  return out.str();
}

// Their signed distance is more than `least` in (begin, end), also between the
// last two numbers before the end.
void expect_apart(const Case& c, double begin, double end, Real least) {
  std::vector<Real> times;
  for (int i = 1; i < 10; ++i) times.push_back(begin + (end - begin) * i / 10);
  for (int k = 4; k < 60; k += 5) times.push_back(end - (end - begin) * std::exp2(Real(-k)));
  for (int k = 44; k < 62; k += 2) times.push_back(end - std::exp2(Real(-k)));
  for (const Real t : times) {
    if (!(t > begin && t < end)) continue;
    const Real d = soup_signed_distance(c.a, c.ride_a, c.b, c.ride_b, t);
    if (d > least) continue;
    ADD_FAILURE() << "by " << static_cast<double>(least - d) << " nearer than "
                  << static_cast<double>(least) << " at " << text(static_cast<double>(t)) << ", "
                  << static_cast<double>(end - t) << " before " << text(end) << "; reach "
                  << reach(c.a, c.ride_a, c.b, c.ride_b);
    return;
  }
}

// The same motion in a short time: positions then change fast with t, up to the resolution of t.
Ride hasty(const Ride& ride, double begin, double end) {
  const Ride rides[] = {still(ride.motion.pose(0)), ride, still(ride.motion.pose(1))};
  const double times[] = {0, begin, end, 1};
  return chain(rides, times);
}

Case random_case(const Family& family, std::uint64_t seed) {
  Case c{make(family, seed)};
  Random random(seed + 1000000);
  const double scale = std::max(c.a.bounds().diagonal(), c.b.bounds().diagonal());
  c.separation = random.below(4) ? scale * log_uniform(random, 1e-9, 0.1) : 0;
  c.tolerance = random.below(2) ? scale * log_uniform(random, 1e-12, 1e-3) : 1e-300;
  if (random.below(2)) {
    const double begin = random.uniform(0.1, 0.9);
    const double end = begin + log_uniform(random, 1e-11, 0.05);
    c.ride_a = hasty(c.ride_a, begin, end);
    c.ride_b = hasty(c.ride_b, begin, end);
  }
  return c;
}

class Brackets : public testing::TestWithParam<Family> {};

TEST_P(Brackets, KeepTheSeparation) {
  const int cases = scaled(100, 20);
  int hits = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(std::string(GetParam().name) + " seed " + std::to_string(i));
    const Case c = random_case(GetParam(), static_cast<std::uint64_t>(i));
    const ToiResult r = ask(c);
    expect_apart(c, 0, r.time.lower, c.separation);
    if (r.status == ToiStatus::free) continue;
    ++hits;
    if (!r.contact) continue;
    const Real d = soup_distance(c.a, c.ride_a, c.b, c.ride_b, r.time.upper);
    EXPECT_LE(static_cast<double>(d), c.separation + 1.125 * r.tolerance);  // eight errors, and one
  }
  RecordProperty("hits", hits);
  expect_about_half(hits, cases);
}

// From the first contact on, or back to where it came from.
TEST_P(Brackets, WhatSeparatesIsNeverDeep) {
  const int cases = scaled(100, 20);
  int contacts = 0, separated = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(std::string(GetParam().name) + " seed " + std::to_string(i));
    Case c = random_case(GetParam(), static_cast<std::uint64_t>(i));
    const ToiResult hit = ask(c);
    if (hit.status != ToiStatus::contact || hit.time.upper > 0.99) continue;
    ++contacts;
    const bool back = i % 3 != 0;
    if (back) {
      c.ride_a = reversed(c.ride_a);
      c.ride_b = reversed(c.ride_b);
    }
    c.tolerance = hit.tolerance * (i % 2 ? 1.1 : 2);
    const double from = back ? 1 - hit.time.upper : hit.time.upper;
    const ToiResult r = ask(c, from, true);
    separated += r.separated_at > 0;
    expect_apart(c, from, std::min(r.separated_at, r.time.lower), Real{c.separation} - r.tolerance);
    expect_apart(c, std::max(from, r.separated_at), r.time.lower, c.separation);
  }
  RecordProperty("contacts", contacts);
  RecordProperty("separated", separated);
  expect_about_half(separated, contacts);
}

// Triangles, some of no area and some twice, that lie on themselves and are moved away, often in a
// short time and from within a separation.
TEST(Coincident, TrianglesSeparateOrNot) {
  const int cases = scaled(600, 60);
  int separated = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(i);
    Random random(static_cast<std::uint64_t>(i));
    const double scale = log_uniform(random, 1e-3, 1e3);
    const MakeCorners makers[] = {flat, sticks, needles, degenerate};
    std::vector<Vec3> corners = makers[random.below(4)](random);
    corners.resize(3 * std::min<std::size_t>(corners.size() / 3, 2));
    if (random.below(2)) corners.insert(corners.end(), corners.begin(), corners.begin() + 3);
    Case c;
    c.a = soup_of(corners, scale);
    c.b = soup_of({corners.begin(), corners.begin() + 3}, scale);
    const Stage stage{random, scale, Vec3::Zero()};
    const Kind kinds[] = {Kind::slerp, Kind::nlerp,     Kind::glide,
                          Kind::chain, Kind::tiny_turn, Kind::screw};
    c.ride_b = stage.ride(kinds[random.below(6)], Vec3::Zero(), random.in_box(3));
    c.ride_a = still(c.ride_b.motion.pose(0));
    c.tolerance = scale * log_uniform(random, 1e-9, 1e-3);
    if (random.below(2)) c.separation = scale * log_uniform(random, 1e-9, 0.1);
    if (random.below(2)) {
      const Ride rides[] = {c.ride_b, still(c.ride_b.motion.pose(1))};
      const double times[] = {0, log_uniform(random, 1e-11, 0.5), 1};
      c.ride_b = chain(rides, times);
    }
    const ToiResult r = ask(c, 0, true);
    separated += r.separated_at > 0;
    const Real apart = c.separation;
    expect_apart(c, 0, std::min(r.separated_at, r.time.lower), apart - r.tolerance);
    expect_apart(c, r.separated_at, r.time.lower, apart);
  }
  RecordProperty("separated", separated);
  expect_about_half(separated, cases);
}

INSTANTIATE_TEST_SUITE_P(
    Toi, Brackets,
    testing::Values(
        Family{"slerp", triangles, triangles, Kind::slerp, Kind::slerp, 2.6, 1.4},
        Family{"nlerp", triangles, triangles, Kind::nlerp, Kind::nlerp, 2.6, 1.4},
        Family{"screws", needles, needles, Kind::screw, Kind::screw, 2.1, 0.3},
        Family{"chain", box, needles, Kind::chain, Kind::chain, 2.6, 1.6},
        Family{"through", triangles, needles, Kind::through, Kind::through, 2.6, 1.6},
        Family{"recorded", triangles, needles, Kind::slerp, Kind::recorded, 2.6, 1.4},
        Family{"degenerate", triangles, degenerate, Kind::slerp, Kind::nlerp, 2.6, 0.9},
        Family{"sticks", sticks, sticks, Kind::screw, Kind::chain, 2.6, 1.5},
        Family{"boxes", box, lattice, Kind::axis_parallel, Kind::axis_parallel, 2.6, 2.2},
        Family{"flat", flat, flat, Kind::planar, Kind::planar, 4, 3.5},
        Family{"lattice", lattice, lattice, Kind::on_lattice, Kind::on_lattice, 2.6, 1.6}),
    [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace touche::test::toi_bracket_test
