// SPDX-License-Identifier: Apache-2.0
// One pair of shapes at many poses, against single questions and exact distances.
#include "touche/shape.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "exact_hulls.h"
#include "hit_share.h"
#include "progress_record.h"
#include "requested_cancel.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

std::vector<Pose> poses_within(base::Random& random, std::size_t count, double spread) {
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) poses.push_back(random_pose(random, spread));
  return poses;
}

double width(const Bracket& b) { return b.upper - b.lower; }

/// Compares all three answers at all poses with single queries. The brackets of both contain the
/// same number, so they must overlap. Returns the number of poses at which the shapes meet.
int expect_as_single(const Shape& a, const Pose& pose_a, const Shape& b,
                     std::span<const Pose> poses, double size) {
  const auto meet = intersects_at(a, pose_a, b, poses);
  const auto far = distances_at(a, pose_a, b, poses);
  const auto deep = depths_at(a, pose_a, b, poses);
  EXPECT_TRUE(meet.complete && far.complete && deep.complete);
  EXPECT_EQ(meet.answers.size(), poses.size());
  EXPECT_EQ(far.answers.size(), poses.size());
  EXPECT_EQ(deep.answers.size(), poses.size());
  int hits = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(testing::Message()
                 << "pose " << i << ' ' << name(a.kind()) << ' ' << name(b.kind()));
    const IntersectsResult one = intersects(a, pose_a, b, poses[i]);
    EXPECT_EQ(meet.answers[i].complete, one.complete);
    EXPECT_EQ(meet.answers[i].intersects, one.intersects);
    hits += one.intersects;

    const DistanceResult &d = far.answers[i], e = distance(a, pose_a, b, poses[i]);
    EXPECT_LE(d.distance.lower, e.distance.upper);
    EXPECT_GE(d.distance.upper, e.distance.lower);
    EXPECT_LE(width(d.distance), 1.5 * width(e.distance) + 1e-14 * size)
        << d.distance.lower << " to " << d.distance.upper;
    EXPECT_EQ(d.complete, e.complete);
    EXPECT_EQ(d.distance.upper == 0, e.distance.upper == 0);
    if (!d.closest || !e.closest) {
      ADD_FAILURE() << "no closest points";
      continue;
    }
    const Contact& c = *d.closest;
    EXPECT_NEAR((c.point_b - c.point_a).norm(), d.distance.upper, 1e-12 * size);
    EXPECT_EQ(c.distance, d.distance.upper);
    if (d.distance.lower > 1e-6 * size) {
      // Each in its shape, and nothing of either beyond the planes through them.
      EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), d.distance.upper, 1e-10 * size);
      EXPECT_LE(c.normal.dot(pose_a * a.support(pose_a.inverse().rotate(c.normal)) - c.point_a),
                1e-10 * size);
      EXPECT_GE(
          c.normal.dot(poses[i] * b.support(poses[i].inverse().rotate(-c.normal)) - c.point_b),
          -1e-10 * size);
    }

    const DepthResult &p = deep.answers[i], q = depth(a, pose_a, b, poses[i]);
    EXPECT_LE(p.depth.lower, q.depth.upper);
    EXPECT_GE(p.depth.upper, q.depth.lower);
    EXPECT_LE(width(p.depth), 1.5 * width(q.depth) + 1e-14 * size);
    EXPECT_EQ(p.complete, q.complete);
    EXPECT_NEAR(p.direction.norm(), 1, 1e-12);
  }
  return hits;
}

TEST(ShapeBatch, AsSingleQuestions) {
  base::Random random(1881);
  int hits = 0, all = 0;
  const int pairs = scaled(150, 40);
  for (int i = 0; i < pairs; ++i) {
    const auto some = [&](int kind) {
      const int corners = 1 + static_cast<int>(random.below(64));
      switch (kind % 3) {
        case 0:
          return Shape::hull(on_sphere(random, corners, 0.8));
        case 1:
          return Shape::hull(some_points(random, static_cast<int>(random.below(7))));
        default:
          return some_shape(random, static_cast<int>(random.below(11)));
      }
    };
    const Shape a = some(i), b = some(i / 3);
    const Pose pose_a = random_pose(random, 1);
    std::vector<Pose> poses = poses_within(random, std::array{1, 7, 8, 9, 40}[i % 5], 0.8);
    for (Pose& p : poses) p = pose_a * p;
    hits += expect_as_single(a, pose_a, b, poses, 4);
    all += static_cast<int>(poses.size());
  }
  expect_about_half(hits, all);
}

TEST(ShapeBatch, AThousandPoses) {
  base::Random random(1882);
  const Shape a = Shape::hull(on_sphere(random, 40, 0.8)), b = Shape::hull(on_sphere(random, 64));
  const std::vector<Pose> poses = poses_within(random, 1000, 1.8);
  expect_about_half(expect_as_single(a, {}, b, poses, 4), 1000);
}

TEST(ShapeBatch, NoPoses) {
  const Shape box = Shape::box({1, 1, 1});
  EXPECT_TRUE(intersects_at(box, {}, box, {}).complete);
  EXPECT_TRUE(distances_at(box, {}, box, {}).answers.empty());
  EXPECT_TRUE(depths_at(box, {}, box, {}).answers.empty());
}

TEST(ShapeBatch, PolytopesAgreeWithAllPairsOfTriangles) {
  base::Random random(1883);
  int hits = 0, all = 0;
  for (int i = 0; i < scaled(10, 8); ++i) {
    const std::vector<Vec3> pa = some_points(random, i % 7),
                            pb = some_points(random, static_cast<int>(random.below(7)));
    const Shape a = Shape::hull(pa), b = Shape::hull(pb);
    std::vector<Pose> poses;
    for (int k = 0; k < 9; ++k)
      poses.push_back(k % 2 == 0 ? Pose::from_translation((random.in_box(0.7)).array().round())
                                 : random_pose(random, 0.2));
    const auto meet = intersects_at(a, {}, b, poses);
    const auto far = distances_at(a, {}, b, poses);
    for (std::size_t k = 0; k < poses.size(); ++k) {
      const Rational distance2 =
          hull_distance2(rational(pa), rational(seen_from({}, poses[k], pb)));
      EXPECT_TRUE(meet.answers[k].complete);
      EXPECT_EQ(meet.answers[k].intersects, distance2 == 0);
      const Bracket& d = far.answers[k].distance;
      EXPECT_TRUE(holds(d, distance2)) << d.lower << ' ' << d.upper;
      hits += distance2 == 0, ++all;
    }
  }
  expect_about_half(hits, all);
}

TEST(ShapeBatch, TouchingAndParallel) {
  const Shape box = Shape::box({1, 2, 3});
  const double just = std::nextafter(2.0, 3.0);
  std::vector<Pose> poses;
  for (const Vec3& at : {Vec3(2, 0, 0), Vec3(2, 4, 0), Vec3(2, 4, 6), Vec3(0, 4, 1),
                         Vec3(just, 0, 0), Vec3(just, 4, 0), Vec3(just, -4, 6), Vec3(0, 0, 0),
                         Vec3(1, 1, 1), Vec3(3, 0, 0), Vec3(3, 5, 0), Vec3(3, 5, 7)})
    poses.push_back(Pose::from_translation(at));
  expect_as_single(box, {}, box, poses, 8);
  const auto meet = intersects_at(box, {}, box, poses);
  for (std::size_t i = 0; i < poses.size(); ++i)
    EXPECT_EQ(meet.answers[i].intersects, i < 4 || i == 7 || i == 8) << i;
}

TEST(ShapeBatch, FarThinAndOfAnySize) {
  base::Random random(1884);
  for (const double size : {1e-80, 1e-22, 1e-6, 1.0, 1e6, 1e22, 1e80}) {
    for (const int kind : {0, 6, 7}) {
      std::vector<Vec3> pa = some_points(random, kind), pb = some_points(random, 0);
      for (Vec3& p : pa) p *= size;
      for (Vec3& p : pb) p *= size;
      std::vector<Pose> poses;
      for (int k = 0; k < 9; ++k)
        poses.push_back(random_pose(random, (k % 2 == 0 ? 1e6 : 0.7) * size));
      SCOPED_TRACE(testing::Message() << "size " << size << " kind " << kind);
      expect_as_single(Shape::hull(pa), {}, Shape::hull(pb), poses, 2e6 * size);
    }
  }
}

TEST(ShapeBatch, PosesFarAway) {
  base::Random random(1885);
  const Shape a = Shape::hull(on_sphere(random, 20)), b = Shape::box({0.5, 1, 1});
  std::vector<Pose> poses = poses_within(random, 20, 2);
  poses[11] = Pose::from_translation({0, 1e120, 0});
  poses[19] = Pose::from_translation({1e200, 0, 0});
  const auto same = [&](auto together, auto alone) {
    // Either both throw, or all answers to other poses are as they were.
    bool throws = false;
    for (const Pose& p : poses) {
      try {
        (void)alone(p);
      } catch (const std::exception&) {
        throws = true;
      }
    }
    if (throws) {
      EXPECT_ANY_THROW((void)together(poses));
    } else {
      EXPECT_EQ(together(poses).answers.size(), poses.size());
    }
  };
  same([&](const auto& p) { return intersects_at(a, {}, b, p); },
       [&](const Pose& p) { return intersects(a, {}, b, p); });
  same([&](const auto& p) { return distances_at(a, {}, b, p); },
       [&](const Pose& p) { return distance(a, {}, b, p); });
  same([&](const auto& p) { return depths_at(a, {}, b, p); },
       [&](const Pose& p) { return depth(a, {}, b, p); });
  // Results do not depend on the other poses.
  const auto with = distances_at(a, {}, b, std::span(poses).subspan(4, 7));
  for (const std::size_t i : {0, 1, 2, 6})
    EXPECT_EQ(with.answers[i].distance.lower,
              distances_at(a, {}, b, std::span(poses).subspan(4 + i, 1)).answers[0].distance.lower);
}

TEST(ShapeBatch, SameForAnyNumberOfThreads) {
  base::Random random(1886);
  const Shape a = Shape::hull(on_sphere(random, 30)),
              b = Shape::hull(on_sphere(random, 12)).rounded(0.1);
  const std::vector<Pose> poses = poses_within(random, 700, 2);
  const auto one = distances_at(a, {}, b, poses, {}, {.threads = 1});
  const auto hit = intersects_at(a, {}, b, poses, {.threads = 1});
  for (const int threads : {2, 3, 0}) {
    const auto many = distances_at(a, {}, b, poses, {}, {.threads = threads});
    const auto hits = intersects_at(a, {}, b, poses, {.threads = threads});
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_EQ(many.answers[i].distance.lower, one.answers[i].distance.lower);
      EXPECT_EQ(many.answers[i].distance.upper, one.answers[i].distance.upper);
      EXPECT_EQ(many.answers[i].closest->point_b, one.answers[i].closest->point_b);
      EXPECT_EQ(hits.answers[i].intersects, hit.answers[i].intersects);
      EXPECT_EQ(hits.answers[i].stats.primitive_tests, hit.answers[i].stats.primitive_tests);
    }
  }
}

TEST(ShapeBatch, KeepsToOptions) {
  base::Random random(1887);
  const Shape a = Shape::hull(on_sphere(random, 30)), b = Shape::box({0.3, 0.4, 0.5});
  const std::vector<Pose> poses = poses_within(random, 200, 2.8);
  DistanceOptions within;
  within.max_distance = 1;
  const auto near = distances_at(a, {}, b, poses, within);
  DistanceOptions roughly;
  roughly.relative_error = 0.2;
  const auto rough = distances_at(a, {}, b, poses, roughly), fine = distances_at(a, {}, b, poses);
  std::uint64_t steps = 0, rough_steps = 0;
  int far = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Bracket& d = fine.answers[i].distance;
    EXPECT_EQ(!near.answers[i].closest.has_value(), d.lower > 1);
    EXPECT_EQ(near.answers[i].distance.upper == kInfinity, d.lower > 1);
    if (d.lower > 1) {
      EXPECT_GT(near.answers[i].distance.lower, 1);
      ++far;
    }
    const DistanceResult& r = rough.answers[i];
    EXPECT_TRUE(r.complete);
    EXPECT_LE(r.distance.lower, d.upper);
    EXPECT_GE(r.distance.upper, d.lower);
    EXPECT_LE(r.distance.upper, 1.2 * r.distance.lower + 1e-12);
    steps += fine.answers[i].stats.primitive_tests, rough_steps += r.stats.primitive_tests;
  }
  EXPECT_LT(rough_steps, steps);
  expect_about_half(far, 200);
  within.max_distance = -1;
  EXPECT_THROW((void)distances_at(a, {}, b, poses, within), InvalidInput);
  EXPECT_THROW((void)depths_at(a, {}, b, poses, {.relative_error = -1}), InvalidInput);
  const Shape ground = Shape::half_space({0, 0, 1}, 0);
  EXPECT_THROW((void)intersects_at(ground, {}, ground, poses), InvalidInput);
}

TEST(ShapeBatch, KeepsToBudgets) {
  base::Random random(1888);
  const Shape a = Shape::hull(on_sphere(random, 30));
  const std::vector<Pose> poses = poses_within(random, 500, 2);
  test::ProgressRecord progress;
  BatchOptions options;
  options.budget.progress = progress.function();
  options.max_items = 300;
  const auto some = intersects_at(a, {}, a, poses, options);
  EXPECT_FALSE(some.complete);
  EXPECT_EQ(progress.total, 500u);
  EXPECT_EQ(progress.done, 300u);
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(some.answers[i].complete, i < 300);
  const Cancel cancel = test::requested();
  options = {.budget = {.cancel = cancel}};
  const auto none = distances_at(a, {}, a, poses, {}, options);
  EXPECT_FALSE(none.complete);
  for (const DistanceResult& d : none.answers) EXPECT_FALSE(d.complete);
}

}  // namespace
}  // namespace touche
