// SPDX-License-Identifier: Apache-2.0
// Batches against the same queries made one by one, for several numbers of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "hit_share.h"
#include "progress_record.h"
#include "random.h"
#include "shapes.h"
#include "touche/touche.h"

namespace touche::batch_test {
namespace {

using scenes::Random;

constexpr int kThreads[] = {0, 1, 2, 3, 8};

void expect_same(const QueryStats& x, const QueryStats& y) {
  EXPECT_EQ(x.node_pairs, y.node_pairs);
  EXPECT_EQ(x.volume_tests, y.volume_tests);
  EXPECT_EQ(x.primitive_tests, y.primitive_tests);
  EXPECT_EQ(x.exact_tests, y.exact_tests);
}

void expect_same(const IntersectsResult& x, const IntersectsResult& y) {
  EXPECT_EQ(x.intersects, y.intersects);
  EXPECT_EQ(x.face_a, y.face_a);
  EXPECT_EQ(x.face_b, y.face_b);
  expect_same(x.stats, y.stats);
}

void expect_same(const FacePairsResult& x, const FacePairsResult& y) {
  EXPECT_EQ(x.pairs, y.pairs);
  expect_same(x.stats, y.stats);
}

void expect_same(const Contact& x, const Contact& y) {
  EXPECT_EQ(x.face_a, y.face_a);
  EXPECT_EQ(x.face_b, y.face_b);
  EXPECT_EQ(x.point_a, y.point_a);
  EXPECT_EQ(x.point_b, y.point_b);
  EXPECT_EQ(x.normal, y.normal);
  EXPECT_EQ(x.distance, y.distance);
}

void expect_same(const ContactsResult& x, const ContactsResult& y) {
  EXPECT_EQ(x.complete, y.complete);
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) expect_same(x.contacts[i], y.contacts[i]);
  expect_same(x.stats, y.stats);
}

void expect_same(const DistanceResult& x, const DistanceResult& y) {
  EXPECT_EQ(x.distance, y.distance);
  ASSERT_TRUE(x.closest && y.closest);
  expect_same(*x.closest, *y.closest);
  expect_same(x.stats, y.stats);
}

template <class Questions, class Ask>
void expect_as_one_by_one(const Questions& questions, const Ask& ask) {
  for (const int threads : kThreads) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const auto answers = batch(questions, ask, {.threads = threads}).answers;
    ASSERT_EQ(answers.size(), questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) expect_same(answers[i], ask(questions[i]));
  }
}

TEST(Batch, ManyPosesOfOnePair) {
  const Object a(scenes::bumpy_sphere(600, 1, 0.6)), b(scenes::bumpy_sphere(600, 2, 0.6));
  base::Random random(1);
  std::vector<Pose> poses;
  int hits = 0;
  for (int i = 0; i < 200; ++i) {
    poses.push_back(Pose::from_axis_angle(random.direction(), random.uniform(-3, 3),
                                          random.uniform(0.5, 3.2) * random.direction()));
    hits += intersects(a, {}, b, poses.back()).intersects;
  }
  test::expect_about_half(hits, 200);
  expect_as_one_by_one(poses, [&](const Pose& p) { return intersects(a, {}, b, p); });
  expect_as_one_by_one(poses, [&](const Pose& p) { return intersecting_faces(a, {}, b, p); });
  expect_as_one_by_one(poses, [&](const Pose& p) { return contacts(a, {}, b, p); });
  expect_as_one_by_one(poses, [&](const Pose& p) { return distance(a, {}, b, p); });
}

TEST(Batch, ManyPairsAtOnePose) {
  struct Placed {
    Object object;
    Pose pose;
  };
  struct Pair {
    const Placed *a, *b;
  };
  base::Random random(2);
  std::vector<Placed> all;
  all.reserve(16);
  for (int i = 0; i < 16; ++i)
    all.push_back({Object(scenes::bumpy_sphere(100u + 40u * static_cast<Index>(i), 3)),
                   Pose::from_translation(random.in_box(1.6))});
  std::vector<Pair> pairs;
  int hits = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      pairs.push_back({&all[i], &all[j]});
      hits += intersects(all[i].object, all[i].pose, all[j].object, all[j].pose).intersects;
    }
  test::expect_about_half(hits, static_cast<int>(pairs.size()));
  const auto asking = [](auto query) {
    return [query](const Pair& p) { return query(p.a->object, p.a->pose, p.b->object, p.b->pose); };
  };
  expect_as_one_by_one(pairs, asking([](auto&... x) { return intersects(x...); }));
  expect_as_one_by_one(pairs, asking([](auto&... x) { return intersecting_faces(x...); }));
  expect_as_one_by_one(pairs, asking([](auto&... x) { return distance(x...); }));
}

TEST(Batch, ThrowsWhatTheFirstThatFailsDoes) {
  std::vector<int> questions(1000);
  for (int i = 0; i < 1000; ++i) questions[static_cast<std::size_t>(i)] = i;
  const auto ask = [](int i) {
    if (i == 77 || i == 500 || i == 999) throw InvalidInput("question " + std::to_string(i));
    return i;
  };
  for (const int threads : kThreads) {
    try {
      (void)batch(questions, ask, {.threads = threads});
      FAIL() << "no exception was thrown";
    } catch (const InvalidInput& e) {
      EXPECT_STREQ(e.what(), "question 77");
    }
  }
}

TEST(Batch, AsksEachQuestionOnceAndNoneOfNone) {
  std::vector<std::atomic<int>> asked(1000);
  EXPECT_TRUE(
      for_each_in_parallel(asked.size(), [&](std::size_t i) { ++asked[i]; }, {.threads = 2}));
  for (const auto& count : asked) EXPECT_EQ(count, 1);
  const auto none = batch(std::vector<int>{}, [](int i) { return i; });
  EXPECT_TRUE(none.complete && none.answers.empty());
}

TEST(Batch, SaysWhenItsBudgetEnds) {
  const Object a(scenes::box({0, 0, 0}, {1, 1, 1}));
  const std::vector<Pose> poses(100, Pose::from_translation({3, 0, 0}));
  const auto ask = [&](const Pose& pose) { return intersects(a, {}, a, pose); };
  const auto decided = [](const auto& result) {
    return std::count_if(result.answers.begin(), result.answers.end(),
                         [](const IntersectsResult& r) { return r.complete; });
  };
  for (const int threads : kThreads) {
    for (const std::uint64_t work : {0, 1, 99, 100}) {
      test::ProgressRecord progress;
      const auto some = batch(
          poses, ask,
          {.threads = threads, .max_items = work, .budget = {.progress = progress.function()}});
      EXPECT_EQ(some.complete, work == 100);
      EXPECT_EQ(decided(some), static_cast<std::ptrdiff_t>(work));
      EXPECT_EQ(progress.done, work);
      EXPECT_EQ(progress.total, 100u);
      for (std::size_t i = 0; i < poses.size(); ++i) {
        EXPECT_EQ(some.answers[i].complete, i < work);
        EXPECT_EQ(bool(some.answers[i]), i >= work);  // queries not made are not free
      }
    }
    const auto late =
        batch(poses, ask, {.threads = threads, .budget = {.deadline = Budget::Clock::now()}});
    EXPECT_FALSE(late.complete);
    EXPECT_EQ(decided(late), 0);
    const Cancel cancel;
    const auto stopping = [&](const Pose& pose) {
      cancel.request();
      return ask(pose);
    };
    const auto stopped = batch(poses, stopping, {.threads = threads, .budget = {.cancel = cancel}});
    EXPECT_FALSE(stopped.complete);
    EXPECT_GE(decided(stopped), 1);
    EXPECT_LT(decided(stopped), 100);
  }
}

}  // namespace
}  // namespace touche::batch_test
