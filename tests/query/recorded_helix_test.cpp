// SPDX-License-Identifier: Apache-2.0
// Recorded motions that go nearly on a helix: how far off it they are, and what is proved of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "grazing_triangles.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "nut_and_bolt.h"
#include "query/helix_proof.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::recorded_helix_test {
namespace {

using scenes::Random;
using test::kPi;

// Poses of a motion at random times, each off by at most `noise` in place and angle. Some of them
// go forth and back, and stay where they are at either end.
Motion recorded(const Motion& motion, int steps, double noise, base::Random& random) {
  std::vector<double> times{0, 1};
  for (int i = 1; i < steps; ++i) times.push_back((i + random.uniform(-0.3, 0.3)) / steps);
  std::sort(times.begin(), times.end());
  const bool wanders = random.below(3) == 0;
  std::vector<Pose> poses;
  double way = 0;
  for (const double t : times) {
    way = wanders ? std::clamp(way + random.uniform(-1, 2) / steps, 0.0, 1.0) : t;
    poses.push_back(
        Pose::from_axis_angle(random.direction(), noise * random.uniform(-1, 1), Vec3::Zero()) *
        Pose::from_translation(noise * random.in_box(0.5)) * motion.pose(way));
  }
  return Motion::through(poses, times);
}

/// A motion through poses beside a helix, with the frame of the body somewhere.
struct RecordedCase {
  Motion motion = Motion::at(Pose()), rest = Motion::at(Pose());
  double noise;

  explicit RecordedCase(base::Random& random) : noise(std::exp2(random.uniform(-40, -10))) {
    const double angle = random.uniform(-1, 1) * std::exp2(random.uniform(-3, 4));
    const double travel = random.below(4) == 0 ? 0 : random.uniform(-1, 1);
    const Pose at_rest = test::random_pose(random, 1);
    const bool on_axis = random.below(2) == 0;
    const Vec3 axis = random.direction(), point = on_axis ? Vec3(Vec3::Zero()) : random.in_box(0.3);
    const Motion screw = Motion::screw(
        Pose::from_axis_angle(random.direction(), random.uniform(-kPi, kPi), Vec3::Zero()), point,
        axis, angle, travel);
    motion = recorded(screw,
                      3 + static_cast<int>(random.below(30 + 20 * (on_axis ? 0 : 1))) +
                          static_cast<int>(std::abs(angle) / 0.5),
                      noise, random);
    rest = Motion::at(at_rest);
  }
};

std::optional<query::HelixMotion> helix_of(const Object& moving, const Motion& motion,
                                           const Object& still, const Motion& rest,
                                           bool moving_first, const ToiOptions& options) {
  const Object &a = moving_first ? moving : still, &b = moving_first ? still : moving;
  const Motion &motion_a = moving_first ? motion : rest, &motion_b = moving_first ? rest : motion;
  std::vector<query::TimeSlice> memory;
  const query::TimeSlices slices(a, motion_a, b, motion_b, options, memory);
  return query::helix_motion(a, b, slices, 0, slices.size() - 1, options.t_start);
}

// The least distance by which all corners of a box are off some turn of the helix.
double off_helix(const query::HelixMotion& helix, const Pose& relative, const Aabb& box) {
  std::vector<std::pair<Vec3, Vec3>> corners;  // before any turn, and where they are
  for (int i = 0; i < 8; ++i) {
    const Vec3 x((i & 1 ? box.hi : box.lo).x(), (i & 2 ? box.hi : box.lo).y(),
                 (i & 4 ? box.hi : box.lo).z());
    corners.emplace_back(helix.moving(x), helix.still(relative * x));
  }
  const auto off = [&](double turn) {
    const double c = std::cos(turn), s = std::sin(turn);
    double most = 0;
    for (const auto& [from, at] : corners)
      most = std::max(most, (Vec3(c * from.x() - s * from.y(), s * from.x() + c * from.y(),
                                  from.z() + helix.advance * turn) -
                             at)
                                .norm());
    return most;
  };
  const Mat3 turned = helix.still.rotation * relative.matrix() * helix.moving.rotation.transpose();
  const double angle = std::atan2(turned(1, 0) - turned(0, 1), turned(0, 0) + turned(1, 1));
  double least = kInfinity;
  const double first = std::floor((helix.turn_begin - angle) / (2 * kPi));
  for (double k = first; angle + 2 * kPi * k < helix.turn_end + 2 * kPi; ++k) {
    const auto in_motion = [&](double turn) {
      return std::clamp(turn, helix.turn_begin, helix.turn_end);
    };
    double lo = in_motion(angle + 2 * kPi * k - 0.01), hi = in_motion(angle + 2 * kPi * k + 0.01);
    for (int i = 0; i < 60; ++i) {
      const double third = (hi - lo) / 3;
      if (off(lo + third) < off(hi - third))
        hi -= third;
      else
        lo += third;
    }
    least = std::min(least, off(0.5 * (lo + hi)));
  }
  return least;
}

// No point is farther off the helix than the reported bound, and some are nearly as far.
TEST(RecordedHelix, BoundsHowFarPointsAreOff) {
  base::Random random(1);
  int all = 0, found = 0, near = 0;
  for (int round = 0; round < test::scaled(600, 100); ++round) {
    const RecordedCase c(random);
    const Object moving = test::random_object(random), still = test::random_object(random);
    const auto helix = helix_of(moving, c.motion, still, c.rest, random.below(2) == 0,
                                {.tolerance = std::exp2(random.uniform(-20, -2))});
    ++all;
    if (!helix) continue;
    ++found;
    double most = 0;
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0;
      most = std::max(
          most, off_helix(*helix, c.rest.pose(t).inverse() * c.motion.pose(t), moving.bounds()));
    }
    EXPECT_LE(most, helix->off + 1e-12) << round;
    EXPECT_LE(helix->off, helix->error);
    near += most > 0.25 * helix->off ? 1 : 0;
  }
  RecordProperty("found", found);
  RecordProperty("near", near);
  EXPECT_GT(found, 0.3 * all);
  EXPECT_LT(found, 0.95 * all);
  EXPECT_GT(near, 0.5 * found);
}

// Two triangles that come within the clearance at an instant of the recorded motion are never
// reported as apart, although the helix itself may lead one past the other.
TEST(RecordedHelix, NeverMissesWhatComesNear) {
  base::Random random(2);
  int found = 0, all = 0, left = 0, beyond = 0, off = 0;
  for (int round = 0; round < test::scaled(20000, 4000); ++round) {
    const RecordedCase c(random);
    const double size = std::exp2(random.uniform(-5, 0)),
                 clearance = size * std::exp2(random.uniform(-16, -4)), when = random.uniform(0, 1);
    const bool near = random.below(2) == 0, moving_first = random.below(2) == 0;
    const test::GrazingTriangles pair(c.motion, when, size, (near ? 0.9999 : 2) * clearance,
                                      random);
    Vec3 still_corners[3];
    for (int i = 0; i < 3; ++i) still_corners[i] = c.rest.pose(0).inverse() * pair.still[i];
    const Object moving = test::triangle_object(pair.moving),
                 still = test::triangle_object(still_corners);
    const auto helix = helix_of(moving, c.motion, still, c.rest, moving_first,
                                {.tolerance = clearance, .clearance = clearance});
    ++all;
    if (!helix) continue;
    ++found;
    off += helix->off > 1e-3 * clearance ? 1 : 0;
    query::HelixProof proof;
    const Budget no_limit;
    base::BudgetMeter meter(no_limit);
    QueryStats stats;
    proof.begin(moving_first ? moving : still, moving_first ? still : moving, *helix, 10'000'000);
    ASSERT_EQ(proof.go_on(meter, stats), query::HelixProof::Status::done);
    if (near) {
      EXPECT_EQ(proof.left().size(), 1U) << round;
    }
    beyond += near ? 0 : 1;
    left += near || proof.left().empty() ? 0 : 1;
  }
  RecordProperty("found", found);
  RecordProperty("off", off);
  RecordProperty("left", left);
  EXPECT_GT(found, 0.2 * all);
  EXPECT_GT(off, 0.2 * found);
  EXPECT_GT(left, 0.1 * beyond);
  EXPECT_LT(left, 0.95 * beyond);
}

// ---- in a search --------------------------------------------------------------------------------

struct NutAndBolt : test::NutAndBolt {
  using test::NutAndBolt::NutAndBolt;

  std::size_t triangles() const {
    return bolt.soup().triangle_count() + nut.soup().triangle_count();
  }
  ToiResult search(const Motion& motion) const {
    return time_of_impact(bolt, Motion::at(Pose()), nut, motion, {.tolerance = tolerance});
  }
  /// The same where nothing is on a helix, for both glide along.
  ToiResult search_gliding(const std::vector<Pose>& poses) const {
    const Vec3 way(7, -3, 5);
    std::vector<Pose> gliding;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(poses.size() - 1);
      gliding.push_back(Pose::from_translation(t * way) * poses[i]);
    }
    return time_of_impact(bolt, Motion::interpolated(Pose(), Pose::from_translation(way)), nut,
                          Motion::through(gliding), {.tolerance = tolerance});
  }
  /// Whether they are certainly apart all the time, judged by distances alone: the nut is farther
  /// away at the middle of an interval than it moves from there.
  bool are_apart(const Motion& motion, double from, double to) const {
    const double middle = 0.5 * (from + to);
    const double apart = distance(bolt, Pose(), nut, motion.pose(middle)).distance.lower;
    if (!(apart > 0)) return false;
    const Aabb& box = nut.bounds();
    const Ball ball{box.centre(), 0.5 * box.diagonal()};
    if (motion.displacement_bound(ball, middle, from, to) < apart) return true;
    return are_apart(motion, from, middle) && are_apart(motion, middle, to);
  }
};

std::vector<Pose> turning(double turns, double advance, int steps, double noise,
                          base::Random& random) {
  std::vector<Pose> poses;
  for (int i = 0; i <= steps; ++i) {
    const double turned = turns * i / steps;
    poses.push_back(Pose::from_axis_angle(random.direction(), 0.1 * noise * random.uniform(-1, 1),
                                          Vec3::Zero()) *
                    Pose::from_axis_angle(Vec3::UnitZ(), 2 * kPi * turned,
                                          Vec3(0, 0, advance * turned) + noise * random.in_box(1)));
  }
  return poses;
}

// The noise is a share of the play.
TEST(RecordedHelix, ARecordedTurnTakesLittleMoreThanItsFirstPart) {
  base::Random random(3);
  for (const double clearance : {0.1, 0.01})
    for (const double noise : {0.0, 1e-12, 1e-9, 1e-6}) {
      const NutAndBolt thread({.clearance = clearance, .segments = 36});
      const ToiResult r = thread.search(
          Motion::through(turning(1.1, NutAndBolt::kPitch, 40, noise * clearance, random)));
      EXPECT_EQ(r.status, ToiStatus::free);
      EXPECT_LT(r.stats.node_pairs, 3 * thread.triangles()) << clearance << ' ' << noise;
    }
}

// A nut that advances by too much or too little gets stuck where it does without a proof of it all.
//
// That is not at the same time, and one search may prove it free for longer than until the other's
// upper time. Upper times only say that the distance is within the tolerance, which flanks that
// approach slowly are for long, whereas all is proved free that does not touch: a proof along the
// helix parts what is as near as that, and ends wherever its helix does. So whatever lies
// between the times of both has to be free of contact.
TEST(RecordedHelix, ANutGetsStuckWhereItDoesAnyway) {
  const NutAndBolt thread({.segments = 24});
  base::Random random(4);
  int stuck = 0, rounds = 0, fewer = 0, beyond = 0;
  for (; rounds < test::scaled(12, 6); ++rounds) {
    const double noise = thread.tolerance * std::exp2(random.uniform(-20, 4)),
                 advance = NutAndBolt::kPitch * (1 + random.uniform(-0.09, 0.09));
    const std::vector<Pose> poses = turning(random.below(2) == 0 ? 1.2 : -1.2, advance,
                                            24 + static_cast<int>(random.below(30)), noise, random);
    const Motion motion = Motion::through(poses);
    const ToiResult r = thread.search(motion), twin = thread.search_gliding(poses);
    EXPECT_EQ(r.status, twin.status) << rounds;
    fewer += 2 * r.stats.node_pairs < twin.stats.node_pairs ? 1 : 0;
    if (r.status != ToiStatus::contact) continue;
    ++stuck;
    const double first = std::min(r.time.upper, twin.time.upper),
                 last = std::max(r.time.lower, twin.time.lower);
    EXPECT_LT(last - first, 2e-3);
    if (first < last) {
      ++beyond;
      EXPECT_TRUE(thread.are_apart(motion, first, last)) << rounds;
    }
    for (int i = 0; i <= 20; ++i) {
      const double t = r.time.lower * (1 - 0.1 * std::pow(i / 20.0, 3));
      EXPECT_FALSE(intersects(thread.bolt, Pose(), thread.nut, motion.pose(t))) << t;
    }
  }
  RecordProperty("stuck", stuck);
  RecordProperty("fewer", fewer);
  RecordProperty("beyond", beyond);
  EXPECT_GT(stuck, 0.3 * rounds);
  EXPECT_LT(stuck, 0.7 * rounds);
  EXPECT_GT(fewer, 0);
  EXPECT_GT(beyond, 0);
}

// One pose in the middle is off by more than the play, so that the nut meets the bolt just there.
TEST(RecordedHelix, OnePoseThatIsOffIsFound) {
  const NutAndBolt thread({.segments = 24});
  base::Random random(5);
  for (const int off : {19, 31}) {
    std::vector<Pose> poses = turning(1.2, NutAndBolt::kPitch, 40, 1e-9, random);
    const std::size_t at = static_cast<std::size_t>(off);
    EXPECT_EQ(thread.search(Motion::through(poses)).status, ToiStatus::free);
    poses[at] = Pose::from_translation({0.3, 0, 0}) * poses[at];
    const ToiResult r = thread.search(Motion::through(poses));
    EXPECT_EQ(r.status, ToiStatus::contact);
    EXPECT_GT(r.time.lower, (off - 1) / 40.0);
    EXPECT_LT(r.time.upper, off / 40.0);
  }
}

}  // namespace
}  // namespace touche::recorded_helix_test
