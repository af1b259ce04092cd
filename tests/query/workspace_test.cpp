// SPDX-License-Identifier: Apache-2.0
// Queries allocate nothing once their workspace, or what their thread keeps, is large enough.
#include "touche/budget.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <thread>

#include "counted_new.h"
#include "query/workspace.h"
#include "shapes.h"
#include "touche/touche.h"

namespace touche {
namespace {

template <class Ask>
std::size_t allocations_of(const Ask& ask) {
  const std::size_t before = test::allocations;
  ask();
  return test::allocations - before;
}

class WorkspaceTest : public testing::Test {
 protected:
  const Object a_{scenes::bumpy_sphere(2000, 1)}, b_{scenes::bumpy_sphere(2000, 2)};
  const Pose poses_[3] = {Pose::from_translation({1.2, 0.1, 0.2}),
                          Pose::from_translation({2.3, 0.1, 0.4}),
                          Pose::from_axis_angle({1, 2, 3}, 1, {3.5, 0, 0.2})};
  const Motion still_ = Motion::at({}), turning_ = Motion::interpolated(poses_[2], poses_[0]),
               passing_ = Motion::interpolated(poses_[2], Pose::from_translation({0, 4, 1}));
  Workspace workspace_;
};

TEST_F(WorkspaceTest, IntersectsAllocatesNothing) {
  for (const Pose& pose : poses_)
    EXPECT_EQ(allocations_of([&] { (void)intersects(a_, {}, b_, pose); }), 0u);
}

// Long searches keep pairs that wait, here of a ball in a hollow that is hardly larger.
TEST_F(WorkspaceTest, LongSearchesForIntersectionsAllocateOnlyToMakeItLarger) {
  const Object ball(scenes::sphere(1, 2000)), hollow(scenes::sphere(1.01, 2000));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 1, {0, 0, 0});
  const auto ask = [&](Workspace* workspace) {
    EXPECT_FALSE(intersects(ball, {}, hollow, pose, {}, workspace).intersects);
  };
  ask(nullptr);
  EXPECT_EQ(allocations_of([&] { ask(nullptr); }), 0u);
  ask(&workspace_);
  EXPECT_EQ(allocations_of([&] { ask(&workspace_); }), 0u);
  const DistanceOptions how{.workspace = &workspace_};
  (void)distance(ball, {}, hollow, pose, how);
  EXPECT_EQ(allocations_of([&] { (void)distance(ball, {}, hollow, pose, how); }), 0u);
}

// Beside the answers themselves.
TEST_F(WorkspaceTest, PairsAndContactsAllocateOnlyTheirAnswer) {
  const auto faces = [&](const Pose& pose, Workspace* workspace) {
    return intersecting_faces(a_, {}, b_, pose, {}, workspace).pairs;
  };
  const auto points = [&](const Pose& pose, Workspace* workspace) {
    return contacts(a_, {}, b_, pose, {.workspace = workspace}).contacts;
  };
  for (const Pose& pose : poses_) {
    EXPECT_EQ(faces(pose, &workspace_), faces(pose, nullptr));
    EXPECT_EQ(points(pose, &workspace_).size(), points(pose, nullptr).size());
  }
  for (const Pose& pose : poses_) {
    const std::size_t answers = faces(pose, nullptr).empty() ? 0 : 1;
    for (Workspace* workspace : {&workspace_, static_cast<Workspace*>(nullptr)}) {
      EXPECT_EQ(allocations_of([&] { (void)faces(pose, workspace); }), answers);
      EXPECT_EQ(allocations_of([&] { (void)points(pose, workspace); }), answers);
    }
  }
  EXPECT_FALSE(faces(poses_[0], nullptr).empty());
}

// However they are made.
TEST_F(WorkspaceTest, MotionsOfOnePieceAllocateNothing) {
  const auto use = [&](const Motion& motion) {
    const Motion copy = motion, part = copy.part(0.25, 0.5), back = part.reversed();
    Motion seen = Motion::relative(still_, back);
    seen = Motion::relative(still_, seen);
    EXPECT_TRUE(seen.pose(0.3).translation().allFinite());
  };
  EXPECT_EQ(allocations_of([&] {
              use(Motion::at(poses_[0]));
              use(Motion::interpolated(poses_[0], poses_[2]));
              use(Motion::interpolated(poses_[0], poses_[2], Interpolation::nlerp));
              use(Motion::screw(poses_[1], {1, 2, 3}, {0, 1, 0}, 7, 3));
            }),
            0u);
}

TEST_F(WorkspaceTest, DistanceAllocatesOnlyToMakeItLarger) {
  const DistanceOptions how{.workspace = &workspace_};
  for (const Pose& pose : poses_) {
    const DistanceResult r = distance(a_, {}, b_, pose, how);
    EXPECT_EQ(r.distance, distance(a_, {}, b_, pose).distance);
  }
  for (const Pose& pose : poses_)
    EXPECT_EQ(allocations_of([&] { (void)distance(a_, {}, b_, pose, how); }), 0u);
  for (const Pose& pose : poses_)
    EXPECT_EQ(allocations_of([&] { (void)distance(a_, {}, b_, pose); }), 0u);
}

TEST_F(WorkspaceTest, TimeOfImpactAllocatesOnlyToMakeItLarger) {
  const ToiOptions how{.tolerance = 1e-6, .workspace = &workspace_};
  for (const Motion& motion : {turning_, passing_}) {
    const ToiResult r = time_of_impact(a_, still_, b_, motion, how);
    const ToiResult alone = time_of_impact(a_, still_, b_, motion, {.tolerance = 1e-6});
    EXPECT_EQ(r.status, alone.status);
    EXPECT_EQ(r.time, alone.time);
    EXPECT_EQ(r.stats.node_pairs, alone.stats.node_pairs);
  }
  for (const Motion& motion : {turning_, passing_})
    EXPECT_EQ(allocations_of([&] { (void)time_of_impact(a_, still_, b_, motion, how); }), 0u);
  const ToiOptions without = {.tolerance = 1e-6};
  for (const Motion& motion : {turning_, passing_})
    EXPECT_EQ(allocations_of([&] { (void)time_of_impact(a_, still_, b_, motion, without); }), 0u);
}

TEST_F(WorkspaceTest, NearPairsAllocateNothingForAnotherResult) {
  NearResult result;
  const NearOptions how{.max_distance = 0.5};
  for (int round = 0; round < 2; ++round) {
    near_faces(a_, {}, b_, poses_[1], how, result);
    near_features(a_, {}, b_, poses_[1], how, result);
  }
  EXPECT_EQ(allocations_of([&] {
              near_faces(a_, {}, b_, poses_[1], how, result);
              near_features(a_, {}, b_, poses_[1], how, result);
            }),
            0u);
}

TEST(Budget, AllocatesNothingUnlessItCanBeCancelled) {
  EXPECT_EQ(allocations_of([] {
              const Budget budget;
              const Budget copy = budget;
              const ToiOptions options{.tolerance = 1, .budget = copy};
              EXPECT_FALSE(options.budget.expired());
            }),
            0u);
  EXPECT_EQ(allocations_of([] { EXPECT_FALSE(Cancel().requested()); }), 1u);
  const Cancel cancel;
  EXPECT_EQ(allocations_of([&] {
              const Budget budget{.max_work = 100'000, .cancel = cancel};
              EXPECT_FALSE(budget.expired());
            }),
            0u);
}

// ---- without a workspace ------------------------------------------------------------------------

// Queries in a motion, several levels deep, have memory of their own: all answers are as alone.
TEST_F(WorkspaceTest, QueriesMayBeNested) {
  const ToiOptions how{.tolerance = 1e-3};
  const auto place = [&](double t) { return turning_.pose(t); };
  const auto ask = [&](const auto& within) {
    const Motion motion = Motion::function(
        [&](double t) {
          within(t);
          return place(t);
        },
        8, 2);
    return time_of_impact(a_, still_, b_, motion, how);
  };
  const auto nothing = [](double) {};
  const ToiResult alone = ask(nothing);
  ASSERT_EQ(alone.status, ToiStatus::contact);
  const double apart = distance(a_, {}, b_, poses_[1]).distance.upper;
  int asked = 0;
  const auto same = [&](const ToiResult& r) {
    EXPECT_EQ(r.status, alone.status);
    EXPECT_EQ(r.time, alone.time);
    EXPECT_EQ(r.stats.node_pairs, alone.stats.node_pairs);
  };
  const auto distances = [&](double) {
    EXPECT_EQ(distance(a_, {}, b_, poses_[1]).distance.upper, apart);
    ++asked;
  };
  same(ask(distances));
  EXPECT_GT(asked, 0);
  int deeper_asked = 0;
  const auto deeper = [&](double) {
    if (deeper_asked++ % 1000 == 0) same(ask(distances));
  };
  same(ask(deeper));
  EXPECT_LE(query::kept_bytes(), query::kMostKeptBytes);
}

// What one query needs beyond the limit is not kept.
TEST_F(WorkspaceTest, AThreadKeepsLittle) {
  const Object fine(scenes::sphere(1, 40000));
  const auto pairs = intersecting_faces(fine, {}, fine, {}).pairs.size();
  EXPECT_GT(pairs * sizeof(query::PackedPair), query::kMostKeptBytes / 2);
  EXPECT_LE(query::kept_bytes(), query::kMostKeptBytes);
  EXPECT_EQ(intersecting_faces(fine, {}, fine, {}).pairs.size(), pairs);
}

// Its variables are destroyed in the opposite order of their construction: this one after the
// memory for queries.
TEST_F(WorkspaceTest, AThreadMayAskWhileItEnds) {
  const auto ask = [this] { return distance(a_, {}, b_, poses_[1]).distance.upper; };
  struct AsksLast {
    std::function<void()> ask;
    ~AsksLast() {
      if (ask) ask();
    }
  };
  double first = 0, last = 0;
  std::thread([&] {
    thread_local AsksLast at_end;
    at_end.ask = [&] { last = ask(); };
    first = ask();
  }).join();
  EXPECT_GT(first, 0);
  EXPECT_EQ(last, first);
}

TEST_F(WorkspaceTest, CanBeMoved) {
  Workspace other = std::move(workspace_);
  workspace_ = Workspace();
  for (Workspace* w : {&other, &workspace_})
    EXPECT_EQ(distance(a_, {}, b_, poses_[1], {.workspace = w}).distance,
              distance(a_, {}, b_, poses_[1]).distance);
}

}  // namespace
}  // namespace touche
