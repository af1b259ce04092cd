// SPDX-License-Identifier: Apache-2.0
// One pair of bodies at many poses, a pose in each lane: the same bits on all instruction sets and
// beside any neighbours, and what lanes claim is what single searches prove.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "convex/pose_lanes.h"
#include "hit_share.h"
#include "shape/shape_data.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

std::vector<Pose> some_poses(base::Random& random, std::size_t count, double spread) {
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) poses.push_back(random_pose(random, spread));
  return poses;
}

std::vector<convex::AtPose> searched(const convex::PoseLaneKernels& kernels,
                                     const convex::PosesQuestion& question,
                                     std::span<const Pose> poses) {
  convex::TransformColumns placements;
  kernels.place({}, poses, placements);
  std::vector<convex::AtPose> found(poses.size());
  kernels.search(question, placements, found);
  return found;
}

void expect_same(const convex::AtPose& a, const convex::AtPose& b) {
  ASSERT_EQ(a.ending, b.ending);
  EXPECT_EQ(a.size, b.size);
  EXPECT_EQ(a.supports, b.supports);
  if (a.ending == convex::PoseEnding::open || a.supports == 0) return;
  EXPECT_EQ(a.lower, b.lower);
  EXPECT_EQ(a.direction.vec(), b.direction.vec());
  EXPECT_TRUE(std::equal(a.vertex.begin(), a.vertex.begin() + a.size, b.vertex.begin()));
  EXPECT_TRUE(std::equal(a.share.begin(), a.share.begin() + a.size, b.share.begin()));
}

constexpr std::array kGoals = {convex::Goal::decide, convex::Goal::distance, convex::Goal::cores};

convex::PosesQuestion question_of(const Shape& a, const Shape& b, convex::Goal goal) {
  const bool exact = a.radius() + b.radius() == 0;
  convex::PosesQuestion q{
      shape::body_of(a), shape::body_of(b), exact, {}, goal != convex::Goal::distance};
  q.options.goal = goal;
  return q;
}

Shape some_body(base::Random& random, int kind) {
  const std::vector<Vec3> points =
      kind % 12 < 7 ? some_points(random, kind % 12)
                    : on_sphere(random, 1 + static_cast<int>(random.below(64)), 0.7);
  const Shape hull = Shape::hull(points);
  return kind % 12 == 11 ? hull.rounded(0.2) : hull;
}

TEST(PoseLanes, PlaceAsRigidTransformsDo) {
  base::Random random(1871);
  const Pose pose_a = random_pose(random, 3);
  for (const std::size_t count : {1, 3, 8, 9, 128}) {
    const std::vector<Pose> poses = some_poses(random, count, 2);
    for (const auto& kernels : convex::pose_lane_kernels_of_targets()) {
      convex::TransformColumns columns;
      kernels.place(pose_a, poses, columns);
      for (std::size_t i = 0; i < count; ++i) {
        const convex::RigidTransform expected(pose_a, poses[i]);
        for (std::size_t k = 0; k < 9; ++k)
          EXPECT_EQ(columns.at[k][i], expected.rotation.data()[k]);
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_EQ(columns.at[9 + k][i], expected.translation[static_cast<Index>(k)]);
      }
    }
  }
}

TEST(PoseLanes, SameOnAllInstructionSetsAndBesideAnyNeighbours) {
  base::Random random(1872);
  const auto targets = convex::pose_lane_kernels_of_targets();
  ASSERT_GE(targets.size(), 1u);
  for (int i = 0; i < scaled(120, 36); ++i) {
    const Shape a = some_body(random, i), b = some_body(random, static_cast<int>(random.below(12)));
    const std::vector<Pose> poses = some_poses(random, 1 + random.below(128), 1);
    const convex::PosesQuestion q = question_of(a, b, kGoals[static_cast<std::size_t>(i % 3)]);
    const auto first = searched(targets.front(), q, poses);
    for (const auto& kernels : targets) {
      const auto found = searched(kernels, q, poses);
      for (std::size_t k = 0; k < poses.size(); ++k) expect_same(found[k], first[k]);
    }
    for (std::size_t k = 0; k < poses.size(); k += 5)
      expect_same(searched(targets.front(), q, std::span(poses).subspan(k, 1))[0], first[k]);
  }
}

// The single search proves what a lane claims; and few poses are left open.
TEST(PoseLanes, ClaimWhatSingleSearchesProve) {
  base::Random random(1873);
  int hits = 0, open = 0, all = 0;
  for (int i = 0; i < scaled(300, 60); ++i) {
    const bool degenerate = i % 2 == 1;
    const Shape a = some_body(random, degenerate ? i : 7),
                b = some_body(random, degenerate ? static_cast<int>(random.below(12)) : 7);
    const std::vector<Pose> poses = some_poses(random, 40, degenerate ? 0.8 : 1.2);
    const convex::Goal goal = kGoals[static_cast<std::size_t>(i / 2 % 3)];
    const convex::PosesQuestion q = question_of(a, b, goal);
    const auto found = searched(convex::pose_lane_kernels(), q, poses);
    convex::TransformColumns columns;
    convex::pose_lane_kernels().place({}, poses, columns);
    for (std::size_t k = 0; k < poses.size(); ++k) {
      const convex::RigidTransform place({}, poses[k]);
      const convex::Pair pair{
          q.a, q.b, place,
          q.exact ? convex::corners_error(q.b, place) : convex::placed_error(q.b, place)};
      const convex::Separation s = convex::separation(pair, q.options);
      const convex::AtPose& f = found[k];
      const double balls = q.a.radius + q.b.radius;
      if (!degenerate && goal != convex::Goal::cores)
        ++all, open += f.ending == convex::PoseEnding::open;
      if (f.supports > 0) {
        EXPECT_LE(convex::proved_lower(q, f), s.upper + 1e-13);
      }
      switch (f.ending) {
        case convex::PoseEnding::open:
          break;
        case convex::PoseEnding::far_apart:
          EXPECT_EQ(goal, convex::Goal::decide);
          EXPECT_GT(convex::proved_lower(q, f), 0);
          EXPECT_GT(s.lower, 0);
          break;
        case convex::PoseEnding::meeting:
          EXPECT_LE(s.lower + (goal == convex::Goal::cores ? balls : 0), 0);
          ++hits;
          break;
        case convex::PoseEnding::nearest:
        case convex::PoseEnding::around: {
          const auto told = convex::separation_at(q, columns, k, f);
          EXPECT_TRUE(told || f.ending == convex::PoseEnding::around);
          if (!told) break;
          EXPECT_LE(told->lower, s.upper);
          EXPECT_GE(told->upper, s.lower);
          if (s.upper > 0 && goal != convex::Goal::decide) {
            EXPECT_TRUE(told->converged || !s.converged);
            EXPECT_LE(told->upper - told->lower, 1.1 * (s.upper - s.lower) + 1e-14);
            const Vec3 between = told->core_b - told->core_a;
            EXPECT_NEAR(between.norm() - balls, told->upper, 1e-12);
          }
          hits += f.ending == convex::PoseEnding::around;
          break;
        }
      }
    }
  }
  EXPECT_LE(open, all / 50);
  EXPECT_GE(hits, scaled(300, 60) * 40 * 3 / 10);
  EXPECT_LE(hits, scaled(300, 60) * 40 * 7 / 10);
}

}  // namespace
}  // namespace touche
