// SPDX-License-Identifier: Apache-2.0
// Proofs by the threads of two bodies, against where triangles are at instants of their motion.
#include "query/thread_proof.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "bvh/object_data.h"
#include "grazing_triangles.h"
#include "leaves_left.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "nut_and_bolt.h"
#include "query/sliding_screw.h"
#include "query/toi_run.h"
#include "query/workspace.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::thread_proof_test {
namespace {

using scenes::Random;
using test::kPi;
using test::NutAndBolt;

constexpr double kPitch = 2;  // of M16

// ---- proofs of a few triangles ------------------------------------------------------------------

/// A body that turns about nearly the axis of one at rest, and has nearly the same thread.
struct ThreadCase {
  query::SlidingScrew moving, still;  // each in its body's coordinates
  Motion motion = Motion::at(Pose()), rest = Motion::at(Pose());
  double when = 0;

  explicit ThreadCase(base::Random& random) : when(random.uniform(0, 1)) {
    // Where it hardly turns, what a tilt does is known best.
    const bool turns = random.below(4) != 0;
    const double off = random.below(4) == 0 ? 0
                       : turns              ? std::exp2(random.uniform(-9, -4.5))
                                            : std::exp2(random.uniform(-5, -4));
    const auto near_axis = [&](const query::SlidingScrew& of) {
      return query::SlidingScrew{of.point + off * random.in_box(1),
                                 (of.axis + off * random.in_box(1)).normalized(), of.advance};
    };
    query::SlidingScrew axis{0.1 * random.in_box(1), random.direction(),
                             random.below(4) == 0 ? 0 : random.uniform(-0.4, 0.4)};
    const Pose rest_pose = test::random_pose(random, 1), start = test::random_pose(random, 1);
    const auto seen_from = [](const Pose& pose, query::SlidingScrew screw) {
      screw.point = pose.inverse() * screw.point;
      screw.axis = pose.inverse().rotate(screw.axis);
      return screw;
    };
    still = seen_from(rest_pose, axis);
    moving = seen_from(start, near_axis(axis));
    if (random.below(2) == 0) moving.axis = -moving.axis;
    if (random.below(2) == 0) moving.advance *= random.uniform(0.92, 1.08);
    const query::SlidingScrew way = near_axis(axis);
    const double most = turns ? 0.4 : 1e-3, angle = random.uniform(-most, most),
                 travel = angle * axis.advance + (turns ? off : 1e-3 * off) * random.uniform(-1, 1);
    rest = Motion::at(rest_pose);
    motion = Motion::screw(start, way.point, way.axis, angle, travel);
    if (random.below(3) == 0) record(random);
  }

 private:
  // Leads through intermediate poses, with the body's origin elsewhere.
  void record(base::Random& random) {
    const Pose aside = Pose::from_translation(random.in_box(4));
    std::vector<Pose> poses;
    const int steps = 2 + static_cast<int>(random.below(6));
    for (int i = 0; i <= steps; ++i)
      poses.push_back(motion.pose(static_cast<double>(i) / steps) * aside);
    motion = Motion::through(poses);
    moving.point = aside.inverse() * moving.point;
    moving.axis = aside.inverse().rotate(moving.axis);
  }
};

// A triangle and a small one far along an axis, so that the first is not in the middle of the body.
Object with_another(const Vec3 (&x)[3], const Vec3& far) {
  std::vector<double> coordinates;
  for (const Vec3& corner : x)
    coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
  for (const Vec3& aside : {Vec3(0, 0, 0), Vec3(1e-3, 0, 0), Vec3(0, 1e-3, 0)}) {
    const Vec3 corner = far + aside;
    coordinates.insert(coordinates.end(), corner.data(), corner.data() + 3);
  }
  return Object(PolygonSoup(coordinates, std::vector<Index>{0, 1, 2, 3, 4, 5}));
}

struct Proof {
  query::ThreadProof proof;
  std::optional<query::ThreadMotion> motion;

  Proof(const ThreadCase& c, const Object& moving, const Object& still, bool moving_first,
        const ToiOptions& options) {
    const query::ObjectThread of_moving(moving, c.moving), of_still(still, c.still);
    const Object &a = moving_first ? moving : still, &b = moving_first ? still : moving;
    const Motion &motion_a = moving_first ? c.motion : c.rest,
                 &motion_b = moving_first ? c.rest : c.motion;
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
    const query::TimeSpan all{0, 1, 1, 0, slices.size() - 1};
    motion = query::thread_motion(a, moving_first ? of_moving : of_still, b,
                                  moving_first ? of_still : of_moving, slices, all, 0, 1);
    if (!motion) return;
    const Budget no_limit;
    base::BudgetMeter meter(no_limit);
    QueryStats stats;
    proof.begin(*motion, 10'000'000);
    EXPECT_EQ(proof.go_on(meter, stats), query::ThreadProof::Status::done);
  }
};

// Two triangles that barely come within the clearance at some instant are never reported as apart.
// A proof that is only slightly too bold fails here.
TEST(ThreadProof, NeverMissesWhatComesNear) {
  base::Random random(1);
  int left = 0, beyond = 0, rounds = 0, all = 0;
  for (int round = 0; round < test::scaled(40000, 8000); ++round) {
    const ThreadCase c(random);
    const double size = std::exp2(random.uniform(-7, 0)),
                 clearance = size * std::exp2(random.uniform(-20, -4));
    const bool near = random.below(2) == 0, moving_first = random.below(2) == 0;
    const double gap = near ? 0.9999 * clearance : clearance + size * random.uniform(0, 0.5);
    const test::GrazingTriangles pair(c.motion, c.when, size, gap, random);
    Vec3 still_corners[3];
    for (int i = 0; i < 3; ++i) still_corners[i] = c.rest.pose(0).inverse() * pair.still[i];
    const Vec3 far = c.moving.point + random.uniform(-8, 8) * c.moving.axis;
    const Object moving = random.below(2) == 0 ? test::triangle_object(pair.moving)
                                               : with_another(pair.moving, far),
                 still = test::triangle_object(still_corners);
    const Proof proof(c, moving, still, moving_first,
                      {.tolerance = 1e-9 * size, .clearance = clearance});
    ++all;
    if (!proof.motion) continue;
    ++rounds;
    if (near) {
      EXPECT_EQ(proof.proof.left().size(), 1U) << round;
    }
    beyond += near ? 0 : 1;
    left += near || proof.proof.left().empty() ? 0 : 1;
  }
  EXPECT_GT(rounds, 0.4 * all);
  EXPECT_GT(left, 0.1 * beyond);
  EXPECT_LT(left, 0.95 * beyond);
}

// All triangles except the ones of the remaining leaves stay apart at any instant.
TEST(ThreadProof, AllButWhatIsLeftStayApart) {
  base::Random random(2);
  test::CountedPairs pairs;
  for (int round = 0; round < test::scaled(400, 60); ++round) {
    ThreadCase c(random);
    const Object a = test::random_object(random), b = test::random_object(random);
    const double clearance = random.below(2) == 0 ? 0 : std::exp2(random.uniform(-12, -3));
    const bool moving_first = random.below(2) == 0;
    const Proof proof(c, a, b, moving_first, {.tolerance = 1e-9, .clearance = clearance});
    if (!proof.motion) continue;
    std::vector<query::NodePair> left;
    for (const query::NodePair& leaves : proof.proof.left())
      left.push_back(moving_first ? leaves : query::NodePair{leaves.b, leaves.a});
    SCOPED_TRACE(round);
    test::expect_others_apart(a, c.motion, b, c.rest, left, clearance, c.when, random, pairs);
  }
  EXPECT_GT(pairs.left, 0);
  EXPECT_LT(pairs.left, 0.95 * pairs.all);
}

// ---- threads of objects -------------------------------------------------------------------------

TEST(SlidingScrew, IsTheAxisOfAThread) {
  base::Random random(3);
  for (const Index segments : {24, 60}) {
    const NutAndBolt made({.segments = segments});
    for (const Object* object : {&made.bolt, &made.nut}) {
      const auto screw = query::sliding_screw(object->soup());
      ASSERT_TRUE(screw);
      EXPECT_LT(screw->axis.cross(Vec3::UnitZ()).norm(), 0.005);
      EXPECT_LT(std::hypot(screw->point.x(), screw->point.y()), 0.05);
      EXPECT_NEAR(screw->advance, kPitch / (2 * kPi), 0.05 * kPitch / (2 * kPi));
    }
  }
}

TEST(SlidingScrew, OtherSurfacesHaveNone) {
  base::Random random(4);
  for (int round = 0; round < 5; ++round) {
    std::vector<double> coordinates;
    std::vector<Index> corners;
    for (Index i = 0; i < 600; ++i) {
      const Vec3 x = random.in_box(1);
      coordinates.insert(coordinates.end(), x.data(), x.data() + 3);
      corners.push_back(i);
    }
    EXPECT_FALSE(query::sliding_screw(PolygonSoup(coordinates, corners)));
  }
}

// ---- in a search --------------------------------------------------------------------------------

// Queries `often`, like the steps of a world, or once.
ToiResult ask(const NutAndBolt& thread, const Motion& motion, bool often, int* stopped = nullptr) {
  Workspace workspace;
  query::WorkspaceUse memory(&workspace);
  if (often) memory->queue.set_often_asked();
  const Motion rest = Motion::at(Pose());
  query::ToiRun run(thread.bolt, rest, thread.nut, motion, {.tolerance = thread.tolerance},
                    memory->queue, memory->slices);
  base::Random random(5);
  for (;;) {
    const Budget budget{.max_work =
                            stopped != nullptr ? 1 + random.below(500) : Budget::kUnlimited};
    base::BudgetMeter meter(budget);
    const ToiResult& r = run.go_on(meter);
    if (r.status != ToiStatus::undecided) return r;
    if (stopped != nullptr) ++*stopped;
  }
}

// A nut that is tilted and shifted as far as its play allows.
Motion by_hand(const NutAndBolt& thread, double off, double advance, base::Random& random) {
  const Vec3 middle = thread.nut.bounds().centre();
  const double turn = random.uniform(0, 6);
  const Pose start =
      Pose::from_translation(middle + off * random.in_box(0.03)) *
      Pose::from_axis_angle(random.direction(), off * 0.003, Vec3::Zero()) *
      Pose::from_translation(-middle) *
      Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), turn, turn * kPitch / (2 * kPi)).pose(1);
  const double angle = random.below(2) == 0 ? 0.1 : -0.1;
  return Motion::screw(start, off * random.in_box(0.03),
                       (Vec3::UnitZ() + off * random.in_box(0.003)).normalized(), angle,
                       advance * angle * kPitch / (2 * kPi));
}

TEST(ThreadProof, AHandsMotionTakesFewPairs) {
  const NutAndBolt thread({.segments = 36});
  base::Random random(6);
  for (int round = 0; round < 6; ++round) {
    const Motion motion = by_hand(thread, 1, random.uniform(0.95, 1.05), random);
    const ToiResult once = ask(thread, motion, false), often = ask(thread, motion, true);
    EXPECT_EQ(once.status, ToiStatus::free);
    EXPECT_EQ(often.status, ToiStatus::free);
    EXPECT_LT(5 * often.stats.node_pairs, once.stats.node_pairs);
    int stopped = 0;
    const ToiResult in_bits = ask(thread, motion, true, &stopped);
    EXPECT_GT(stopped, 5);
    EXPECT_EQ(in_bits.status, often.status);
    EXPECT_EQ(in_bits.stats.node_pairs, often.stats.node_pairs);
    EXPECT_EQ(in_bits.stats.volume_tests, often.stats.volume_tests);
  }
}

// The effect of a tilt in second order, and on angles, is known by more than its size: a nut that
// is tilted as far as its play allows, and tilts on while it turns, leaves few pairs.
TEST(ThreadProof, ATiltLeavesFewPairs) {
  const NutAndBolt thread({.segments = 60});
  base::Random random(8);
  int free = 0;
  for (int round = 0; round < 12; ++round) {
    const Motion motion = by_hand(thread, 2, random.uniform(0.98, 1.02), random);
    const ToiResult r = ask(thread, motion, true);
    if (r.status != ToiStatus::free) continue;
    ++free;
    EXPECT_LT(r.stats.node_pairs, 1500) << round;
  }
  EXPECT_GT(free, 4);
}

// A nut that is drawn along its axis gets stuck at the same time.
TEST(ThreadProof, GetsStuckAtTheSameTime) {
  const NutAndBolt thread({.segments = 36});
  base::Random random(7);
  int stuck = 0;
  for (int round = 0; round < 12; ++round) {
    const Motion motion = by_hand(thread, 1, random.uniform(-8, 8), random);
    const ToiResult once = ask(thread, motion, false), often = ask(thread, motion, true);
    EXPECT_EQ(once.status, often.status);
    if (once.status != ToiStatus::contact) continue;
    ++stuck;
    EXPECT_LE(often.time.lower, once.time.upper);
    EXPECT_LE(once.time.lower, often.time.upper);
  }
  EXPECT_GT(stuck, 3);
}

// Recorded turns take hardly more than the first pairs of each part; the frame lies off the axis.
TEST(ThreadProof, RecordedTurnsTakeFewPairs) {
  const NutAndBolt thread({.segments = 36});
  const auto triangles = thread.bolt.soup().triangle_count() + thread.nut.soup().triangle_count();
  const Pose aside = Pose::from_translation({30, 0, 0});
  const Object nut(scenes::placed({"nut", thread.nut.soup(), aside.inverse()}));
  for (const int steps : {72, 720}) {
    const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 4 * kPi, 2 * kPitch);
    std::vector<Pose> poses;
    for (int i = 0; i <= steps; ++i)
      poses.push_back(turns.pose(static_cast<double>(i) / steps) * (steps > 100 ? aside : Pose()));
    const Motion motion = Motion::through(poses);
    const ToiResult r =
        time_of_impact(thread.bolt, Motion::at(Pose()), steps > 100 ? nut : thread.nut, motion,
                       {.tolerance = thread.tolerance});
    EXPECT_EQ(r.status, ToiStatus::free);
    EXPECT_LT(r.stats.node_pairs, 3 * triangles) << steps;
  }
}

}  // namespace
}  // namespace touche::thread_proof_test
