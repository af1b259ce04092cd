// SPDX-License-Identifier: Apache-2.0
// What the thickness of overlaps takes: within the limits that are given, and once where nothing
// moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "path/lazy_interior.h"
#include "path/soup_bodies.h"
#include "path_judge.h"
#include "shapes.h"
#include "touche/path.h"

namespace touche::path_limit_test {
namespace {

using test::box;
using test::shifted;

const Motion kStill = test::still();

/// Counts what is queried at single times.
class CountedOverlaps final : public paths::Overlaps {
 public:
  explicit CountedOverlaps(const paths::Overlaps& overlaps) : overlaps_(overlaps) {}

  bool closed() const override { return overlaps_.closed(); }
  Thickness thickness(const Pose& pose_a, const Pose& pose_b,
                      const ThicknessOptions& options) const override {
    const Thickness found = overlaps_.thickness(pose_a, pose_b, options);
    ++thicknesses;
    points += found.work;
    for (std::uint64_t seen = most;
         seen < found.work && !most.compare_exchange_weak(seen, found.work);) {
    }
    return found;
  }
  bool apart_after_shift(const Pose& pose_a, const Pose& pose_b, double length,
                         const Budget& budget) const override {
    ++shifts;
    return overlaps_.apart_after_shift(pose_a, pose_b, length, budget);
  }
  bool come_apart(const Pose& pose_a, const Pose& pose_b, double length,
                  const Budget& budget) const override {
    return overlaps_.come_apart(pose_a, pose_b, length, budget);
  }
  double chord_error(const Pose& pose_a, const Pose& pose_b, const PathOptions& options,
                     const Budget& budget) const override {
    return overlaps_.chord_error(pose_a, pose_b, options, budget);
  }
  std::unique_ptr<paths::TouchProof> touch_proof(const Motion& motion_a, const Motion& motion_b,
                                                 double t_start, double t_end, double tolerance,
                                                 const Budget& budget) const override {
    return overlaps_.touch_proof(motion_a, motion_b, t_start, t_end, tolerance, budget);
  }

  mutable std::atomic<std::uint64_t> points = 0, most = 0, thicknesses = 0, shifts = 0;

 private:
  const paths::Overlaps& overlaps_;
};

class CountedBodies final : public paths::Bodies {
 public:
  CountedBodies(const Object& a, const Object& b)
      : inside_a_(a), inside_b_(b), bodies_(inside_a_, inside_b_), counted_(bodies_.overlaps()) {}

  const paths::ApartQueries& apart() const override { return bodies_.apart(); }
  Containment containment(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                          const Budget& budget) override {
    return bodies_.containment(motion_a, motion_b, begin, end, budget);
  }
  Containment containment_in_open(const Motion& motion_a, const Motion& motion_b, double begin,
                                  double end, double slack, const Budget& budget) override {
    return bodies_.containment_in_open(motion_a, motion_b, begin, end, slack, budget);
  }
  bool may_reach_in(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                    double apart) override {
    return bodies_.may_reach_in(motion_a, motion_b, begin, end, apart);
  }
  const CountedOverlaps& overlaps() override { return counted_; }

 private:
  paths::LazyInterior inside_a_, inside_b_;
  paths::SoupBodies bodies_;
  CountedOverlaps counted_;
};

const Object kBall(scenes::bumpy_sphere(200, 1)), kOther(scenes::bumpy_sphere(200, 2));

// `max_work` limits the points of each thickness, as `thickness_points` does.
TEST(PathLimit, OfThePointsOfAThickness) {
  const Motion through = shifted({-3, 0, 0}, {3, 0.1, 0});
  const auto run = [&](std::uint64_t points, std::uint64_t max_work) {
    CountedBodies bodies(kBall, kOther);
    const PathResult r = paths::follow_path(bodies, through, kStill,
                                            {.tolerance = 1e-6,
                                             .step = 1.0 / 32,
                                             .relative_error = 1e-6,
                                             .profile = false,
                                             .thickness_points = points,
                                             .budget = {.max_work = max_work}});
    EXPECT_EQ(r.verdict, PathVerdict::clash);
    EXPECT_GT(r.contacts.at(0).deepest.diameter.upper, 0);
    return bodies.overlaps().most.load();
  };
  const std::uint64_t slack = 2;  // a box is halved as a whole
  EXPECT_GT(run(3000, Budget::kUnlimited), 200u);
  EXPECT_LE(run(100, Budget::kUnlimited), 100 + slack);
  EXPECT_LE(run(3000, 100), 100 + slack);
  EXPECT_LE(run(8, Budget::kUnlimited), 8 + slack);
}

// Bodies that overlap at rest are measured once; and one that then leaves, once for the rest.
TEST(PathLimit, BodiesAtRestAreMeasuredOnce) {
  const Pose there = Pose::from_translation({1.4, 0, 0}), far = Pose::from_translation({9, 0, 0});
  const Pose rests[] = {there, there, there}, leaves[] = {there, there, far};
  const double times[] = {0, 0.9, 1};
  CountedBodies bodies(kBall, kOther), leaving(kBall, kOther);
  const PathOptions how{.tolerance = 1e-6};
  const PathResult at_rest = paths::follow_path(bodies, Motion::through(rests), kStill, how);
  EXPECT_EQ(at_rest.verdict, PathVerdict::clash);
  ASSERT_EQ(at_rest.contacts.size(), 1u);
  EXPECT_EQ(at_rest.contacts[0].end.lower, 1);
  EXPECT_GT(at_rest.contacts[0].deepest.diameter.lower, 0.1);
  EXPECT_LE(bodies.overlaps().thicknesses, 2u);
  EXPECT_EQ(bodies.overlaps().shifts, 1u);
  const std::uint64_t once =
      distance(kBall, there, kOther, Pose()).stats.work() +
      time_of_impact(kBall, Motion::at(there), kOther, kStill, {.tolerance = 1e-6}).stats.work();
  EXPECT_LT(at_rest.stats.work(), 8 * once);

  const PathResult left = paths::follow_path(leaving, Motion::through(leaves, times), kStill, how);
  EXPECT_EQ(left.verdict, PathVerdict::clash);
  ASSERT_EQ(left.contacts.size(), 1u);
  EXPECT_GT(left.contacts[0].end.lower, 0.9);
  EXPECT_LT(left.contacts[0].end.upper, 1);
  EXPECT_GT(left.contacts[0].deepest.diameter.lower,
            0.99 * at_rest.contacts[0].deepest.diameter.lower);
  EXPECT_LE(leaving.overlaps().shifts, 2u + 16u / 10u);
}

// A block that stands on a table for the whole path is proved to do no more than touch by the
// queries of one time.
TEST(PathLimit, ABlockThatStandsIsProvedOnce) {
  const Object block = box({0, -1, 0}, {2, 1, 2}), table = box({-9, -9, -1}, {9, 9, 0});
  CountedBodies bodies(block, table);
  const PathResult r = paths::follow_path(bodies, kStill, kStill, {.tolerance = 1e-5});
  EXPECT_EQ(r.verdict, PathVerdict::touching);
  EXPECT_EQ(bodies.overlaps().shifts, 1u);
  EXPECT_EQ(bodies.overlaps().thicknesses, 0u);
  const std::uint64_t once = distance(block, {}, table, {}).stats.work();
  EXPECT_LT(r.stats.work(), 20 * (once + 1));
}

}  // namespace
}  // namespace touche::path_limit_test
