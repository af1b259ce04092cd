// SPDX-License-Identifier: Apache-2.0
// The comparison of continuous tests: what it counts is what there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "scenes.h"
#include "touche/methods/continuous_evaluation.h"
#include "touche/methods/volume_tree.h"

namespace touche::continuous_evaluation_test {
namespace {

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

const ContinuousTrial& trial(const ContinuousEvaluation& e, const std::string& study,
                             const std::string& name) {
  const auto found = std::find_if(e.trials.begin(), e.trials.end(), [&](const auto& t) {
    return t.study == study && t.name == name;
  });
  if (found == e.trials.end()) throw Error("no trial of " + name);
  return *found;
}

/// The wall passed between two poses that are free, and a ball that comes to rest before it.
std::vector<ContinuousStudy> walls() {
  const scenes::Scene scene = scenes::bullet_and_paper();
  std::vector<Object> parts;
  for (const auto& part : scene.parts) parts.emplace_back(placed(part), part.name);
  ContinuousStudy through{"through", parts, {}};
  through.steps.push_back({{0, 1, motion_of(scene, 0), motion_of(scene, 1)}});
  const PolygonSoup ball = scenes::bumpy_sphere(32, 1);
  ContinuousStudy balls{"balls", {Object(ball), Object(ball)}, {}};
  for (const double x : {5.0, 3.0, 1.5, -5.0})
    balls.steps.push_back(
        {{0, 1, Motion::at(Pose()),
          Motion::interpolated(Pose::from_translation({6, 0, 0}),
                               Pose::from_axis_angle(Vec3::UnitX(), 0.2, {x, 0, 0}))}});
  return {through, balls};
}

TEST(ContinuousEvaluation, CountsWhatThereIs) {
  const ContinuousEvaluation e = evaluate_continuous(walls());
  ASSERT_EQ(e.scenes.size(), 2u);
  EXPECT_EQ(e.scenes[0].contacts, 1u);
  EXPECT_EQ(e.scenes[0].free_poses_contacts, 1u);
  EXPECT_EQ(e.scenes[1].pairs, 4u);
  EXPECT_EQ(e.scenes[1].contacts, 2u);
  EXPECT_EQ(e.scenes[1].free_poses_contacts, 1u);
  for (const ContinuousTrial& t : e.trials) {
    const auto& scene = e.scenes[t.study == "balls" ? 1 : 0];
    EXPECT_EQ(t.found + t.missed, scene.contacts) << t.name;
    EXPECT_EQ(t.found + t.missed + t.false_alarms + t.free, scene.pairs) << t.name;
    EXPECT_EQ(t.seconds.size(), scene.steps) << t.name;
    EXPECT_GT(t.mean_seconds(), 0) << t.name;
    EXPECT_GE(t.worst_seconds(), t.mean_seconds()) << t.name;
  }
  // A static test at the end cannot see this contact.
  EXPECT_EQ(trial(e, "through", "certified").found, 1u);
  EXPECT_EQ(trial(e, "through", "static, at the end").missed, 1u);
  EXPECT_EQ(trial(e, "through", "mixed, regula falsi").missed, 1u);
  // Translations are exact.
  EXPECT_EQ(trial(e, "through", "linear").found, 1u);
  EXPECT_LT(trial(e, "through", "linear").worst_error, 1e-4);

  const std::string csv = continuous_csv(e), page = continuous_html(e, "a remark");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
            static_cast<std::ptrdiff_t>(e.trials.size() + 1));
  for (const char* piece : {"<h3>balls</h3>", "sampling, regula falsi", "a remark", "<svg",
                            "Contacts between two free poses."})
    EXPECT_TRUE(has(page, piece)) << piece;
}

TEST(ContinuousEvaluation, GivesUpWhenAsked) {
  const ContinuousEvaluation e = evaluate_continuous(walls(), {.max_tests = 5});
  EXPECT_GT(trial(e, "balls", "regula falsi, enclosing").given_up, 0u);
  EXPECT_EQ(trial(e, "balls", "certified").given_up, 0u);
}

TEST(ContinuousEvaluation, AreaRatiosTellWhatBounds) {
  const ContinuousEvaluation e = evaluate_continuous({});
  ASSERT_EQ(e.swept_volumes.size(), 12u);
  for (const auto& l : e.swept_volumes) {
    EXPECT_GT(l.area_ratio, 0.9) << l.volume << ", " << l.sweep;
    if (has(l.sweep, "enclosing")) {
      EXPECT_EQ(l.outside, 0) << l.volume << ", " << l.sweep;
    }
  }
  ASSERT_EQ(e.path_volumes.size(), volume_names().size());
  std::map<std::string, double> around;
  for (const auto& v : e.path_volumes) {
    EXPECT_GT(v.area_ratio, 1 - 1e-6) << v.volume;  // no convex set around points has less
    around[v.volume] = v.area_ratio;
  }
  EXPECT_NEAR(around["hull"], 1, 1e-6);
  // Long paths of thin boxes: a sphere is loosest, and the more directions the tighter.
  for (const auto& [name, ratio] : around) EXPECT_LE(ratio, around["sphere"]) << name;
  EXPECT_LT(around["obb"], around["aabb"]);
  EXPECT_LT(around["dop14"], around["dop6"]);
  EXPECT_LT(around["dop26"], around["dop14"]);
  EXPECT_TRUE(has(continuous_html(e, ""), "<td>zonotope</td>"));
}

}  // namespace
}  // namespace touche::continuous_evaluation_test
