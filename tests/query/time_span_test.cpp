// SPDX-License-Identifier: Apache-2.0
// Searches that continue across pieces of a motion: their velocity bounds must hold, and the
// sampling of a recorded path must not matter.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mesh_builder.h"
#include "motion_kinds.h"
#include "query/time_slices.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"

namespace touche::time_span_test {
namespace {

using scenes::Random;

// A body that turns about a point which is not its origin, as a recorder writes it down.
Motion recorded(base::Random& random, int steps, Interpolation how) {
  const Pose start = test::random_pose(random), off = Pose::from_translation(random.in_box(1));
  const Vec3 axis = random.direction(), other_axis = random.direction(), travel = random.in_box(1),
             bend = random.in_box(0.3);
  const bool turns = random.below(4) != 0;
  const bool sways = turns && random.below(2) == 0;
  const double angle = turns ? random.uniform(-2, 2) : 0;
  const double noise = random.below(2) == 0 ? 0 : 1e-5;
  std::vector<Pose> poses;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Vec3 at = t * travel + std::sin(2 * t) * bend + noise * random.direction() / steps;
    const Pose sway = Pose::from_axis_angle(other_axis, sways ? 0.1 * std::sin(3 * t) : 0, at);
    poses.push_back(start * sway * Pose::from_axis_angle(axis, t * angle, Vec3::Zero()) * off);
  }
  return Motion::through(poses, {}, how);
}

// Compares a point of the body now and later with the velocity bounds in between.
TEST(TimeSpan, VelocitiesHold) {
  base::Random random(7 + test::first_seed());
  const Object body(scenes::box({-0.5, -0.4, -0.3}, {0.5, 0.6, 0.3}));
  int joined = 0, tight = 0;
  const int cases = test::scaled(2000, 20);
  for (int n = 0; n < cases; ++n) {
    SCOPED_TRACE(test::case_of_seed(n));
    const Interpolation how = random.below(2) ? Interpolation::slerp : Interpolation::nlerp;
    const int steps = static_cast<int>(std::pow(10, random.uniform(1, 3)));
    const Motion a = recorded(random, steps, how);
    const Motion b = random.below(4) ? recorded(random, steps + 1, how) : Motion::at(Pose());
    // A large tolerance allows for a large bulge.
    const double tolerance = std::pow(10.0, random.uniform(-9, -2));
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(body, a, body, b, {.tolerance = tolerance}, memory);
    const std::size_t first = random.below(static_cast<Index>(slices.size()));
    query::TimeSpan span = slices.span(first);
    if (random.below(2) == 0)
      span = slices.part(span, span.begin, span.begin + 0.4 * (span.end - span.begin));
    joined += span.is_slice() ? 0 : 1;
    if (span.is_slice()) continue;
    const double now = random.uniform(span.begin, span.end);
    const query::Snapshot s = slices.snapshot(span, now);
    // In a's coordinates now, at rest.
    const Pose to_a = a.pose(now).inverse();
    for (int k = 0; k < 20; ++k) {
      const double then = random.uniform(now, span.end), dt = then - now;
      const auto check = [&](const Motion& motion, const math::VelocityBound& bound) {
        const Vec3 point = random.in_box(0.5);
        const Vec3 from = to_a * (motion.pose(now) * point),
                   to = to_a * (motion.pose(then) * point);
        const double off = (to - from - dt * bound.velocity(from)).norm();
        const double allowed =
            dt * bound.undirected(from) + 0.5 * dt * dt * bound.acceleration(from);
        EXPECT_LE(off, allowed + s.error);
        tight += off > 0.3 * (allowed + s.error) ? 1 : 0;
      };
      check(a, s.velocity_a);
      check(b, s.velocity_b);
    }
  }
  EXPECT_GT(joined, cases / 3);
  EXPECT_GT(tight, cases);
}

// Cost and answer of a search depend on the path, not on how finely it was recorded.
TEST(TimeSpan, SamplingDoesNotMatter) {
  // Links of a chain: each turns in the other without touching it.
  const Object ring(scenes::torus(1, 0.45, 60, 30));
  const Pose linked = Pose::from_axis_angle(Vec3::UnitX(), 0.5 * std::numbers::pi, {1, 0, 0});
  const auto path = [&](int steps, bool off_axis) {
    const Pose off = Pose::from_translation(off_axis ? Vec3(3, -2, 1) : Vec3(Vec3::Zero()));
    std::vector<Pose> poses;
    for (int i = 0; i <= steps; ++i) {
      const double angle = 1.5 * i / steps;
      poses.push_back(linked * Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero()) * off);
    }
    return Motion::through(poses);
  };
  scenes::MeshBuilder mesh;
  mesh.add(ring.soup(), Pose::from_translation({-3, 2, -1}));
  const Object far(mesh.soup());
  const Motion still = Motion::at(Pose());
  const ToiOptions options{.tolerance = 1e-4};
  const ToiResult coarse = time_of_impact(ring, path(4, false), ring, still, options);
  EXPECT_EQ(coarse.status, ToiStatus::free);
  for (const bool off_axis : {false, true}) {
    const Object& moving = off_axis ? far : ring;
    const ToiResult fine = time_of_impact(moving, path(4000, off_axis), ring, still, options);
    EXPECT_EQ(fine.status, ToiStatus::free);
    EXPECT_LT(fine.stats.node_pairs, 2 * coarse.stats.node_pairs) << off_axis;
    const ToiResult other = time_of_impact(ring, still, moving, path(4000, off_axis), options);
    EXPECT_LT(other.stats.node_pairs, 2 * coarse.stats.node_pairs) << off_axis;
    // The other one is recorded at other times: nearly the same, or in between.
    for (const double later : {1e-16, 0.5 / 4000}) {
      std::vector<double> times{0};
      for (int i = 1; i < 4000; ++i) times.push_back(i / 4000.0 + later);
      times.push_back(1);
      const std::vector<Pose> rest(times.size());
      const Motion stays = Motion::through(rest, times);
      const ToiResult both = time_of_impact(moving, path(4000, off_axis), ring, stays, options);
      EXPECT_LT(both.stats.node_pairs, 2 * coarse.stats.node_pairs) << off_axis << ' ' << later;
    }
  }
}

// Nobody checks that the motions of a chain fit together. Where they do not, the body is where they
// say, and what lies there is found.
TEST(TimeSpan, JumpsAreNotSkipped) {
  const Object box(scenes::box({0, 0, 0}, {1, 1, 1}));
  const Motion still = Motion::at(Pose());
  for (const double height : {1e-1, 1e-3, 1e-5, 1e-7}) {
    // Glides over the other, higher than it; then as high as it.
    const auto glide = [](double x, double z) {
      return Motion::interpolated(Pose::from_translation({x, 0, z}),
                                  Pose::from_translation({x + 0.1, 0, z}));
    };
    const Motion motions[] = {glide(0.1, 1 + height), glide(0.2, 1 + height), glide(0.3, 1)};
    const Motion chain = Motion::chain(motions);
    for (const bool swapped : {false, true}) {
      const ToiOptions options{.tolerance = 1e-3 * height};
      const ToiResult r = swapped ? time_of_impact(box, still, box, chain, options)
                                  : time_of_impact(box, chain, box, still, options);
      EXPECT_EQ(r.status, ToiStatus::contact) << height;
      EXPECT_NEAR(r.time.upper, 2 / 3.0, 1e-12) << height;
    }
  }
}

// A rod whose rotation is corrected slightly, and later something that moves far along it: by then
// its velocity in the rod's new frame differs far more from the velocity in the old one.
TEST(TimeSpan, JumpsOfRotationCountForTheWholeWay) {
  base::Random random(11 + test::first_seed());
  int touched = 0;
  for (int n = 0; n < test::scaled(100, 20); ++n) {
    SCOPED_TRACE(test::case_of_seed(n));
    // A long rod of many slabs glides past a bar across it, which stands still in two pieces.
    const double tolerance = std::pow(10, random.uniform(-3, -1.3));
    const Object rod(scenes::box({0, -0.5, -0.5}, {1000, 0.5, 0.5}, 4));
    const Object bar(scenes::box({-1, -1, -1}, {1, 1, 1}));
    const Vec3 axis = random.direction();
    const Motion fixed[] = {Motion::at(Pose()),
                            Motion::at(Pose::from_axis_angle(axis, 0.03 * tolerance, {0, 0, 0}))};
    const double times[] = {0, 0.01, 1};
    const Motion still = Motion::chain(fixed, times);
    // Comes down onto the bar while it glides along.
    const Vec3 from(-1100, random.uniform(-1, 1), 1.6 + random.uniform(0, 0.3)),
        way(800, random.uniform(-0.2, 0.2), -random.uniform(0, 0.3));
    const Motion glide =
        Motion::interpolated(Pose::from_translation(from), Pose::from_translation(from + way));
    for (const bool swapped : {false, true}) {
      const ToiOptions options{.tolerance = tolerance};
      using Search = ToiResult (*)(const Object&, const Motion&, const Object&, const Motion&,
                                   const ToiOptions&);
      const auto ask = [&](Search search) {
        return swapped ? search(rod, glide, bar, still, options)
                       : search(bar, still, rod, glide, options);
      };
      const ToiResult r = ask(time_of_impact), twin = ask(brute_force::time_of_impact);
      touched += twin.status == ToiStatus::contact ? 1 : 0;
      // Exactly in contact somewhere in the proof?
      for (int i = 0; i <= 200; ++i) {
        const double t = r.time.lower * i / 200 * (1 - 1e-9);
        EXPECT_FALSE(intersects(bar, still.pose(t), rod, glide.pose(t))) << t;
      }
    }
  }
  EXPECT_GT(touched, 10);
}

// A body that lifts off slowly while it slides is seen to separate, however its path was recorded.
TEST(TimeSpan, SeparatesAsPieceByPiece) {
  const Object below(scenes::box({-1, -1, -1}, {1, 1, 0})),
      above(scenes::box({-0.5, -0.5, 0}, {0.5, 0.5, 1}));
  for (const double lift : {0.1, 0.01, 0.003})
    for (const double curve : {0.0, 0.01, 0.1}) {
      std::vector<Pose> poses;
      for (int i = 0; i <= 20; ++i) {
        const double t = i / 20.0;
        poses.push_back(Pose::from_translation({t, curve * t * t, lift * t}));
      }
      const Motion motion = Motion::through(poses), still = Motion::at(Pose());
      const ToiOptions options{.tolerance = 1e-5, .may_separate = true};
      const ToiResult r = time_of_impact(below, still, above, motion, options),
                      twin = brute_force::time_of_impact(below, still, above, motion, options);
      EXPECT_EQ(twin.status, ToiStatus::free) << lift << ' ' << curve;
      EXPECT_EQ(r.status, ToiStatus::free) << lift << ' ' << curve;
      EXPECT_EQ(r.separated_at, twin.separated_at) << lift << ' ' << curve;
    }
}

// A body that is shifted in many steps along a line is handled as if it moved in a single one.
TEST(TimeSpan, ALineInManySteps) {
  const Object ball(scenes::sphere(0.5, 2000));
  const Vec3 from(-3, 0.2, 0.1), to(3, -0.1, 0.3);
  std::vector<Pose> poses;
  for (int i = 0; i <= 1000; ++i)
    poses.push_back(Pose::from_translation(from + 1e-3 * i * (to - from)));
  const Motion still = Motion::at(Pose());
  const ToiOptions options{.tolerance = 1e-6};
  const ToiResult once =
      time_of_impact(ball, Motion::interpolated(poses.front(), poses.back()), ball, still, options);
  const ToiResult steps = time_of_impact(ball, Motion::through(poses), ball, still, options);
  EXPECT_EQ(steps.status, ToiStatus::contact);
  EXPECT_NEAR(steps.time.upper, once.time.upper, 1e-5);
  EXPECT_EQ(steps.stats.time_splits, 1u);
  EXPECT_LE(steps.stats.node_pairs, once.stats.node_pairs + 5);
}

// Turning beyond measure is no reason to use up the memory, however many pieces a motion has.
TEST(TimeSpan, SlicesOfFastTurnsAreBoundedForAllPiecesTogether) {
  const Object body(scenes::box({-0.5, -0.4, -0.3}, {0.5, 0.6, 0.3}));
  const std::vector<Motion> turns(4, Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 1e9, 0));
  const Motion fast = Motion::chain(turns), still = Motion::at(Pose());
  std::vector<query::TimeSlice> memory;
  const query::TimeSlices slices(body, fast, body, still, {.tolerance = 1e-3}, memory);
  EXPECT_LE(slices.size(), 1'000'010u);
  EXPECT_GE(slices.size(), 900'000u);
  EXPECT_EQ(memory.front().begin, 0);
  EXPECT_EQ(memory.back().end, 1);
  double end = 0;
  for (const query::TimeSlice& slice : memory) {
    ASSERT_EQ(slice.begin, end);
    end = slice.end;
  }
}

}  // namespace
}  // namespace touche::time_span_test
