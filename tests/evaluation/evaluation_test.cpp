// SPDX-License-Identifier: Apache-2.0
#include "touche/methods/evaluation.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "progress_record.h"
#include "requested_cancel.h"
#include "shapes.h"

namespace touche {
namespace {

// A bumpy sphere passes another and touches it; a third is far away.
Study passing() {
  Study study;
  study.title = "Passing \"spheres\"";
  for (const char* name : {"mover", "obstacle", "far"}) {
    study.parts.emplace_back();
    study.parts.back().name = name;
  }
  std::vector<double> times;
  for (int k = 0; k <= 20; ++k) times.push_back(k / 20.0);
  const Motion past = Motion::interpolated(Pose::from_translation({-4, 1.2, 0}),
                                           Pose::from_axis_angle({0, 0, 1}, 1, {4, 1.2, 0}));
  study.groups.push_back({"pass", {0}, past, times});
  study.times = times;
  return study;
}

std::vector<Object> spheres() {
  const PolygonSoup sphere = scenes::bumpy_sphere(300, 1);
  std::vector<double> far;
  for (const Vec3& v : sphere.vertices()) far.insert(far.end(), {v.x(), v.y(), v.z() + 100});
  return {Object(sphere), Object(scenes::bumpy_sphere(400, 2)), Object(sphere).refitted(far)};
}

RemovalStudy passing_removals(std::size_t max_poses = 100) {
  return removals_of(passing(), spheres(), max_poses);
}

TEST(Removals, HoldThePairsWhoseBoxesMeet) {
  const RemovalStudy study = passing_removals();
  ASSERT_EQ(study.removals.size(), 1u);
  const Removal& removal = study.removals[0];
  EXPECT_EQ(removal.name, "pass");
  ASSERT_EQ(removal.poses.size(), 21u);
  EXPECT_TRUE(removal.poses.front().empty());
  EXPECT_TRUE(removal.poses.back().empty());
  ASSERT_EQ(removal.poses[10].size(), 1u);
  EXPECT_EQ(removal.poses[10][0].a, 0u);
  EXPECT_EQ(removal.poses[10][0].b, 1u);
  EXPECT_NEAR(removal.poses[10][0].pose_a.translation().x(), 0, 1e-12);
}

TEST(Removals, LeaveOutPosesAtWhichNothingMovesAndTooManyOfThem) {
  Study study = passing();
  std::vector<Pose> poses(11);
  poses[10] = Pose::from_translation({1, 0, 0});
  study.groups[0].motion = Motion::through(poses, {});
  study.groups[0].times = {};
  study.times.clear();
  for (int k = 0; k <= 10; ++k) study.times.push_back(k / 10.0);
  ASSERT_EQ(removals_of(study, spheres(), 100).removals.size(), 1u);
  EXPECT_EQ(removals_of(study, spheres(), 100).removals[0].poses.size(), 1u);
  EXPECT_EQ(passing_removals(5).removals[0].poses.size(), 5u);
}

CostMatrix costs() {
  return {.cost = {{"obb obb", 100}, {"sphere sphere", 10}, {"aabb aabb", 90}}, .triangles = 200};
}

EvaluationOptions small() {
  EvaluationOptions options;
  options.degrees = {2, 5};
  options.improvements = {0.75};
  options.poses = 7;
  options.threads = 2;
  return options;
}

DeformingCase stretching() {
  const PolygonSoup rest = scenes::bumpy_sphere(300, 1);
  std::vector<double> stretched;
  for (const Vec3& v : rest.vertices())
    stretched.insert(stretched.end(), {1.5 * v.x(), v.y(), v.z()});
  return {"stretched sphere", rest, scenes::bumpy_sphere(300, 2), {stretched}};
}

// The figures committed to a page come from one run; so do these tests.
const Evaluation& evaluation() {
  static const Evaluation result = evaluate({passing_removals()}, {stretching()}, costs(), small());
  return result;
}

TEST(Evaluation, TriesEveryMethodWithEverySetting) {
  std::vector<SplitMethod> methods;
  for (const Trial& t : evaluation().settings)
    if (std::find(methods.begin(), methods.end(), t.tree.method) == methods.end())
      methods.push_back(t.tree.method);
  EXPECT_EQ(methods.size(), 9u);  // all but branch and bound
  for (const SplitMethod method : methods)
    for (const char* volume : {"obb", "mixed"}) {
      const auto count = [&](auto&& what) {
        return std::count_if(evaluation().settings.begin(), evaluation().settings.end(),
                             [&](const Trial& t) {
                               return t.tree.method == method && t.tree.volume == volume && what(t);
                             });
      };
      EXPECT_EQ(count([](const Trial& t) { return t.tree.improvement == 0; }), 2);
      EXPECT_EQ(count([](const Trial& t) { return t.tree.improvement == 0.75; }), 1);
    }
  EXPECT_EQ(evaluation().volumes.size(), volume_names().size());
  EXPECT_EQ(evaluation().traversals.size(), 32u);
  EXPECT_EQ(evaluation().methods.size(), 9u);
  EXPECT_EQ(evaluation().own.size(), 1u);
  EXPECT_EQ(evaluation().deforming.size(), 2u);
}

TEST(Evaluation, FindsTheSameContactsWithAll) {
  const RemovalStudy study = passing_removals();
  std::size_t hits = 0;
  for (const auto& pose : study.removals[0].poses)
    for (const Removal::Pair& p : pose)
      hits +=
          brute_force::intersects(study.parts[p.a], p.pose_a, study.parts[p.b], p.pose_b).intersects
              ? 1u
              : 0u;
  ASSERT_GT(hits, 2u);
  ASSERT_LT(hits, 19u);
  EXPECT_EQ(evaluation().own[0].runs[0].hits, hits);
  for (const auto* trials : {&evaluation().methods, &evaluation().traversals})
    for (const Trial& t : *trials) {
      EXPECT_EQ(t.runs[0].hits, hits);
      EXPECT_EQ(t.runs[0].seconds.size(), 21u);
      EXPECT_GT(t.mean_seconds(), 0);
      EXPECT_GE(t.worst_seconds(), t.mean_seconds());
    }
}

TEST(Evaluation, CountsCosts) {
  for (const Trial& t : evaluation().volumes) {
    if (t.tree.volume != "obb" && t.tree.volume != "sphere") continue;
    const TrialRun& run = t.runs[0];
    double sum = 0;
    for (const double cost : run.cost) sum += cost;
    const double test = t.tree.volume == "obb" ? 100 : 10;
    EXPECT_NEAR(sum,
                1e-3 * (test * static_cast<double>(run.stats.volume_tests) +
                        200 * static_cast<double>(run.stats.primitive_tests)),
                1e-9 * sum);
    EXPECT_GT(run.stats.front, 0u);
    EXPECT_EQ(run.cost.size(), 7u);
    EXPECT_NEAR(t.mean_cost(), sum / 7, 1e-9 * sum);
  }
}

TEST(Evaluation, MeasuresDeformingTrees) {
  for (const DeformingTrial& t : evaluation().deforming)
    for (const double s : {t.build_seconds, t.refit_seconds, t.rigid_seconds, t.refitted_seconds,
                           t.rebuilt_seconds, t.bytes_per_triangle})
      EXPECT_GT(s, 0) << t.volume;
}

TEST(Evaluation, ChoosesEachMethodsBestSetting) {
  for (const Trial& method : evaluation().methods)
    for (const Trial& t : evaluation().settings)
      if (t.tree.method == method.tree.method && t.tree.volume == method.tree.volume &&
          t.tree.degree == method.tree.degree && t.tree.improvement == method.tree.improvement)
        for (const Trial& other : evaluation().settings) {
          if (other.tree.method == t.tree.method) {
            EXPECT_LE(t.mean_cost(), other.mean_cost());
          }
        }
}

TEST(Evaluation, IsWrittenAsCsv) {
  std::istringstream csv(evaluation_csv(evaluation()));
  std::string line;
  std::size_t lines = 0;
  std::ptrdiff_t commas = 0;
  while (std::getline(csv, line)) {
    const auto n = std::count(line.begin(), line.end(), ',');
    if (lines++ == 0) commas = n;
    EXPECT_EQ(n, commas) << line;
  }
  const Evaluation& e = evaluation();
  EXPECT_EQ(lines, 1 + e.settings.size() + e.volumes.size() + e.methods.size() +
                       e.traversals.size() + e.own.size());
}

TEST(Evaluation, IsWrittenAsAPage) {
  const std::string page = evaluation_html(evaluation(), "a remark <here>");
  for (const char* text :
       {"<!DOCTYPE html>", "Summary", "modified Gottschalk", "Traversals", "stretched sphere",
        "a remark &lt;here&gt;", "Passing &quot;spheres&quot;"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);  // needs nothing but itself
}

TEST(Evaluation, CanBeStopped) {
  const Cancel cancel = test::requested();
  test::ProgressRecord progress;
  EvaluationOptions options = small();
  options.budget = {.cancel = cancel, .progress = progress.function()};
  EXPECT_FALSE(evaluate({passing_removals()}, {}, costs(), options).complete);
  EXPECT_EQ(progress.done, 1u);
  EXPECT_GT(progress.total, 50u);
}

TEST(Evaluation, NeedsAStudyInWhichPartsMeet) {
  EXPECT_THROW((void)evaluate({}, {}, costs(), small()), InvalidInput);
}

}  // namespace
}  // namespace touche
