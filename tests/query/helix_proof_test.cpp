// SPDX-License-Identifier: Apache-2.0
// Proofs for all of a motion on a helix, against where triangles are at instants of it.
#include "query/helix_proof.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bvh/object_data.h"
#include "grazing_triangles.h"
#include "leaves_left.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "nut_and_bolt.h"
#include "query/toi_run.h"
#include "query/workspace.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::helix_proof_test {
namespace {

using scenes::Random;
using test::kPi;

struct Proof {
  query::HelixProof proof;
  query::HelixProof::Status status = query::HelixProof::Status::given_up;
  QueryStats stats;

  Proof(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
        const ToiOptions& options = {}, std::uint64_t most_looks = 10'000'000) {
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
    const auto motion = query::helix_motion(a, b, slices, 0, slices.size() - 1, options.t_start);
    if (!motion) {
      ADD_FAILURE() << "no motion on a helix";
      return;
    }
    const Budget no_limit;
    base::BudgetMeter meter(no_limit);
    proof.begin(a, b, *motion, most_looks);
    status = proof.go_on(meter, stats);
  }

  bool done() const { return status == query::HelixProof::Status::done; }
};

// A region holds all points of its triangle, along any direction; also where the axis passes near
// it or through it.
TEST(HelixProof, RegionsHoldTheirTriangles) {
  base::Random random(5);
  int around = 0, tight = 0, total = 0;
  for (int round = 0; round < test::scaled(20000, 4000); ++round) {
    const double size = std::exp2(random.uniform(-6, 1)), advance = random.uniform(-1, 1);
    const Vec3 middle = random.in_box(1);
    const query::HelixTriangle c{middle + random.in_box(size), middle + random.in_box(size),
                                 middle + random.in_box(size)};
    const query::HelixRegion region = query::helix_region(c, advance);
    around += region.least_radius > 0 ? 0 : 1;
    const double angle = random.uniform(-kPi, kPi);
    const query::HelixPoint n{std::cos(angle), std::sin(angle)};
    const query::HelixRange along = region.along(n);
    query::HelixRange of_points;
    for (int i = 0; i < 20; ++i) {
      double u = random.uniform(0, 1), v = random.uniform(0, 1);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      if (i % 4 == 0) v = 0;
      const Vec3 x = c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]);
      const double radius = std::hypot(x.x(), x.y());
      double turned = std::atan2(x.y(), x.x());
      if (turned > region.angle.hi + 1e-9) turned -= 2 * kPi;
      if (turned < region.angle.lo - 1e-9) turned += 2 * kPi;
      EXPECT_LE(turned, region.angle.hi + 1e-9);
      EXPECT_GE(radius, region.least_radius - 1e-12);
      EXPECT_GE(x.z(), region.z.lo - 1e-12);
      EXPECT_LE(x.z(), region.z.hi + 1e-12);
      of_points.include(n.dot({radius, x.z() - advance * turned}));
    }
    EXPECT_GE(of_points.lo, along.lo - 1e-9) << round;
    EXPECT_LE(of_points.hi, along.hi + 1e-9) << round;
    ++total;
    tight += of_points.size() > 0.5 * along.size() ? 1 : 0;
  }
  EXPECT_GT(around, 0.02 * total);
  EXPECT_LT(around, 0.5 * total);
  EXPECT_GT(tight, 0.3 * total);
}

/// A random motion on a helix and a random instant, for bodies that come near each other then.
struct HelixCase {
  Motion motion = Motion::at(Pose());
  double when = 0;

  explicit HelixCase(base::Random& random) : when(random.uniform(0, 1)) {
    const double angle = random.uniform(-1, 1) * std::exp2(random.uniform(-4, 5));
    const double travel = random.below(4) == 0 ? 0 : random.uniform(-1, 1);
    motion = Motion::screw(test::random_pose(random, 1), random.in_box(1), random.direction(),
                           angle, travel);
  }
};

// Two triangles that barely come within the clearance at some instant are never reported as apart.
// A proof that is only slightly too bold fails here.
TEST(HelixProof, NeverMissesWhatComesNear) {
  base::Random random(1);
  int left = 0, beyond = 0;
  for (int round = 0; round < test::scaled(20000, 4000); ++round) {
    const HelixCase c(random);
    const double size = std::exp2(random.uniform(-7, 0)),
                 clearance = size * std::exp2(random.uniform(-20, -4));
    const bool near = random.below(2) == 0;
    const test::GrazingTriangles pair(c.motion, c.when, size, (near ? 0.9999 : 1.5) * clearance,
                                      random);
    const Object moving = test::triangle_object(pair.moving),
                 still = test::triangle_object(pair.still);
    const Motion rest = Motion::at(Pose());
    const bool moving_first = random.below(2) == 0;
    const Proof proof(moving_first ? moving : still, moving_first ? c.motion : rest,
                      moving_first ? still : moving, moving_first ? rest : c.motion,
                      {.tolerance = 1e-9 * size, .clearance = clearance});
    ASSERT_TRUE(proof.done());
    if (near) {
      EXPECT_EQ(proof.proof.left().size(), 1u) << round;
    }
    beyond += near ? 0 : 1;
    left += near || proof.proof.left().empty() ? 0 : 1;
  }
  // Many of the others come nearer at other instants.
  RecordProperty("left", left);
  EXPECT_GT(left, 0.1 * beyond);
  EXPECT_LT(left, 0.95 * beyond);
}

// All triangles except the ones of the remaining leaves stay apart at any instant.
TEST(HelixProof, AllButWhatIsLeftStayApart) {
  base::Random random(2);
  test::CountedPairs pairs;
  int free = 0, rounds = 0;
  for (int round = 0; round < test::scaled(400, 60); ++round) {
    const HelixCase c(random);
    const Object a = test::random_object(random), b = test::random_object(random);
    const double clearance = random.below(2) == 0 ? 0 : std::exp2(random.uniform(-12, -3));
    const auto triangle = [&](const Object& object) {
      return query::triangle_of(object.soup(),
                                random.below(static_cast<Index>(object.soup().triangle_count())));
    };
    // One of b's triangles lies beside one of a's at an instant.
    const Vec3 to =
        c.motion.pose(c.when) * triangle(a)[0] + 0.2 * random.in_box(1) - triangle(b)[0];
    const Motion rest = Motion::at(Pose::from_translation(to));
    const Proof proof(a, c.motion, b, rest, {.tolerance = 1e-9, .clearance = clearance});
    if (!proof.done()) continue;
    ++rounds;
    free += proof.proof.left().empty() ? 1 : 0;
    SCOPED_TRACE(round);
    test::expect_others_apart(a, c.motion, b, rest, proof.proof.left(), clearance, c.when, random,
                              pairs);
  }
  EXPECT_GT(pairs.left, 0.05 * pairs.all);
  EXPECT_LT(pairs.left, 0.95 * pairs.all);
  EXPECT_LT(free, 0.9 * rounds);
}

/// A prism of many sides around the z axis, or the sides alone, that look inwards.
Object round_body(double radius, int sides, bool hollow) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  const auto add = [&](double x, double y, double z) {
    for (const double k : {x, y, z}) coordinates.push_back(k);
  };
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    for (const double z : {-0.5, 0.5}) add(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  add(0, 0, -0.5);
  add(0, 0, 0.5);
  const auto vertex = [&](int side, int top) {
    return static_cast<Index>(2 * (side % sides) + top);
  };
  for (int i = 0; i < sides; ++i) {
    const Index p = vertex(i, 0), q = vertex(i + 1, 0), r = vertex(i + 1, 1), s = vertex(i, 1);
    for (const Index corner : {p, q, r, p, r, s}) corners.push_back(corner);
    if (hollow) continue;
    for (const Index corner : {q, p, vertex(sides, 0), s, r, vertex(sides, 1)})
      corners.push_back(corner);
  }
  return Object(PolygonSoup(coordinates, corners));
}

// A pin with all its end faces turns and slides in a bore; the facets of the bore cut into their
// circle by 1 - cos(pi / 48), two thousandths. Gaps below that are left.
TEST(HelixProof, APinTurnsInItsBore) {
  const double facet = 1 - std::cos(kPi / 48);
  const Motion rest = Motion::at(Pose());
  for (const double travel : {0.0, 0.3, -0.1})
    for (const bool pin_turns : {true, false})
      for (const double play : {0.9, 1.1}) {
        const Object pin = round_body(1 - play * facet, 48, false), bore = round_body(1, 48, true);
        const Motion turn = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), -50, travel);
        const Proof proof(pin, pin_turns ? turn : rest, bore, pin_turns ? rest : turn,
                          {.tolerance = 1e-9});
        ASSERT_TRUE(proof.done());
        EXPECT_EQ(proof.proof.left().empty(), play > 1) << travel << ' ' << pin_turns;
      }
}

// Roundings of a hundred thousand slices that turn equally far add up nowhere.
TEST(HelixProof, ManyTurnsAreOnOneHelix) {
  const Object pin = round_body(0.9, 48, false), bore = round_body(1, 48, true);
  const Motion turns = Motion::screw(Pose::from_translation(Vec3(4, 0, 0)), Vec3::Zero(),
                                     Vec3::UnitZ(), 2 * kPi * 40'000, 1),
               rest = Motion::at(Pose());
  std::vector<query::TimeSlice> memory;
  const query::TimeSlices slices(pin, turns, bore, rest, {.tolerance = 1e-7}, memory);
  ASSERT_GT(slices.size(), 100'000u);
  EXPECT_EQ(query::slices_in_pieces(slices, 0), slices.size());
  EXPECT_EQ(query::slices_on_helix(pin, bore, slices, 0, 0), slices.size());
  const auto motion = query::helix_motion(pin, bore, slices, 0, slices.size() - 1, 0);
  ASSERT_TRUE(motion);
  EXPECT_LT(motion->off, 1e-9);
  EXPECT_NEAR(motion->turn_end, 2 * kPi * 40'000, 1e-9);
}

// Motions that are none on a helix with one body at rest.
TEST(HelixProof, OtherMotionsAreRefused) {
  base::Random random(3);
  const Object a = test::random_object(random), b = test::random_object(random);
  const Pose p = test::random_pose(random), q = test::random_pose(random);
  const Motion rest = Motion::at(p);
  const auto applies = [&](const Motion& motion_a, const Motion& motion_b) {
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(a, motion_a, b, motion_b, {.tolerance = 1e-6}, memory);
    return query::slices_on_helix(a, b, slices, 0, 0) > 0;
  };
  const Motion screw = Motion::screw(p, Vec3::Zero(), Vec3::UnitZ(), 3, 1);
  EXPECT_TRUE(applies(screw, rest));
  EXPECT_TRUE(applies(rest, screw));
  EXPECT_FALSE(applies(screw, screw));
  EXPECT_FALSE(applies(rest, rest));
  EXPECT_FALSE(applies(Motion::interpolated(p, q), rest));  // the axis moves across itself
  EXPECT_FALSE(applies(Motion::interpolated(p, q, Interpolation::nlerp), rest));
  EXPECT_FALSE(applies(Motion::interpolated(p, Pose::from_translation(Vec3::UnitX()) * p), rest));
  EXPECT_FALSE(applies(Motion::function([&](double) { return p; }, 1, 1), rest));
  const Vec3 axis = random.direction();
  EXPECT_TRUE(
      applies(Motion::interpolated(
                  p, Pose::from_translation(axis) * p *
                         Pose::from_axis_angle(p.rotation().conjugate() * axis, 1, Vec3::Zero())),
              rest));
}

// ---- in a search --------------------------------------------------------------------------------

struct Thread : test::NutAndBolt {
  using test::NutAndBolt::NutAndBolt;

  static Motion turned(double turns, double advance) {
    return Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 2 * kPi * turns, advance * turns);
  }
  ToiResult search(const Motion& motion) const {
    return time_of_impact(bolt, Motion::at(Pose()), nut, motion, {.tolerance = tolerance});
  }
};

// All of a turn is proved at once, after the first part of it took long.
TEST(HelixProof, ATurnOfANutTakesLittleMoreThanItsFirstPart) {
  const Thread thread({.segments = 36});
  const auto triangles = thread.bolt.soup().triangle_count() + thread.nut.soup().triangle_count();
  for (const double turns : {1.0, -2.0}) {
    const ToiResult r = thread.search(Thread::turned(turns, Thread::kPitch));
    EXPECT_EQ(r.status, ToiStatus::free);
    EXPECT_EQ(r.time.lower, 1);
    EXPECT_LT(r.stats.node_pairs, 3 * triangles) << turns;
  }
}

// A nut that advances by too much is no thin strip in the profile of its motion. That is known
// long before all looks are spent, and one that fits is proved with a share of them.
TEST(HelixProof, WhatWouldTakeTooLongIsGivenUpEarly) {
  const Thread thread({.segments = 24});
  const Motion rest = Motion::at(Pose());
  const std::uint64_t most =
      20 * (thread.bolt.soup().triangle_count() + thread.nut.soup().triangle_count());
  const auto proof = [&](double advance) {
    return Proof(thread.bolt, rest, thread.nut, Thread::turned(1, advance * Thread::kPitch),
                 {.tolerance = thread.tolerance}, most);
  };
  const Proof fits = proof(1), does_not_fit = proof(1.1);
  EXPECT_TRUE(fits.done());
  EXPECT_EQ(does_not_fit.status, query::HelixProof::Status::given_up);
  EXPECT_LT(does_not_fit.proof.left().size(), 1000u);  // which are not too many
  EXPECT_LT(does_not_fit.stats.volume_tests, most / 5);
}

// A nut that advances by too much or too little gets stuck at the same time as when all parts of
// its motion are searched separately; these parts are too short to be proved at once.
TEST(HelixProof, ANutGetsStuckWhereItDoesInParts) {
  const Thread thread({.segments = 24});
  for (const double advance : {1.1, 0.9}) {
    const Motion whole = Thread::turned(2, advance * Thread::kPitch);
    std::vector<Motion> parts;
    for (int i = 0; i < 40; ++i) parts.push_back(whole.part(i / 40.0, (i + 1) / 40.0));
    const ToiResult r = thread.search(whole), in_parts = thread.search(Motion::chain(parts));
    EXPECT_EQ(r.status, ToiStatus::contact);
    EXPECT_EQ(in_parts.status, ToiStatus::contact);
    EXPECT_NEAR(r.time.upper, in_parts.time.upper, 1e-3) << advance;
  }
}

// Stopped again and again, a proof finds the same.
TEST(HelixProof, GoesOnWhereItStopped) {
  const Thread thread({.segments = 24});
  base::Random random(4);
  const Motion rest = Motion::at(Pose()), motion = Thread::turned(2, Thread::kPitch);
  const ToiResult whole = thread.search(motion);
  for (int round = 0; round < 3; ++round) {
    Workspace workspace;
    query::WorkspaceUse memory(&workspace);
    query::ToiRun run(thread.bolt, rest, thread.nut, motion, {.tolerance = thread.tolerance},
                      memory->queue, memory->slices);
    int stopped = -1;
    const ToiResult* r = nullptr;
    do {
      const Budget budget{.max_work = 1 + random.below(2000)};
      base::BudgetMeter meter(budget);
      r = &run.go_on(meter);
      ++stopped;
    } while (r->status == ToiStatus::undecided);
    EXPECT_GT(stopped, 10);
    EXPECT_EQ(r->status, whole.status);
    EXPECT_EQ(r->time, whole.time);
    EXPECT_EQ(r->stats.node_pairs, whole.stats.node_pairs);
    EXPECT_EQ(r->stats.volume_tests, whole.stats.volume_tests);
  }
}

}  // namespace
}  // namespace touche::helix_proof_test
