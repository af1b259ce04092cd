// SPDX-License-Identifier: Apache-2.0
// Simulations: what is told of scenes whose outcome is known, and what is written of it.
#include <gtest/gtest.h>

#include <atomic>

#include "csv.h"
#include "json_schema.h"
#include "scene_files.h"
#include "source_folder.h"
#include "touche/simulation.h"

namespace touche {
namespace {

using test::falling_scene;
using test::Json;

class Simulations : public testing::Test {
 protected:
  Simulations() { folder_.write("ball.off", test::kOctahedronOff); }

  struct Done {
    Simulation scene;
    SimulationParts parts;
    SimulationResult result;
    SimulationView view() const { return {scene, parts, result}; }
  };
  Done run(const Json& json, const SimulationOptions& options = {}) const {
    folder_.write("scene.json", json.dump());
    Simulation scene = load_simulation(folder_.path() / "scene.json");
    SimulationParts parts = load_parts(scene);
    SimulationResult result = simulate(scene, parts, options);
    return {std::move(scene), std::move(parts), std::move(result)};
  }
  const test::StudyFolder folder_{"simulation"};
};

TEST_F(Simulations, NothingPenetratesAndItIsProved) {
  const Done done = run(falling_scene());
  EXPECT_EQ(done.result.verdict, SimulationVerdict::free) << verdict_sentence(done.view());
  EXPECT_EQ(done.result.steps.size(), 31u);
  EXPECT_GT(done.result.proved, 0u);
  EXPECT_GT(done.result.impacts.size(), 0u);
  EXPECT_TRUE(done.result.unproved.empty());
  EXPECT_EQ(done.result.poses[0].size(), 1u);
  EXPECT_EQ(done.result.poses[1].size(), 31u);
  EXPECT_EQ(verdict_sentence(done.view())
                .rfind("Nothing penetrated, proved: 2 bodies moved for 0.5 s "
                       "in 30 steps, ",
                       0),
            0u)
      << verdict_sentence(done.view());
}

// What the report says of energy, of bodies that lie on each other and of time that is given up.
TEST_F(Simulations, TheReportTellsWhyEnergyIsLostAndWhatContactsAre) {
  Json json = falling_scene();
  json["forces"] = Json::array();
  Done done = run(json);
  const auto has = [&](const std::string& text) {
    return result_html(done.view()).find(text) != std::string::npos;
  };
  const std::string models = "Impacts, friction and contacts of bodies that lie on each other take",
                    step = "this is an error of the time step, 0.01667 s";
  EXPECT_GT(done.result.impacts.size(), 0u);
  EXPECT_TRUE(has(models));
  EXPECT_FALSE(has(step));
  // Energies are told in the unit of their plot.
  EXPECT_TRUE(has("the total went from "));
  EXPECT_FALSE(has("J to 0.0000"));
  EXPECT_TRUE(has("0 s</b><span>of motion given up"));
  EXPECT_TRUE(has("2</b><span>bodies move, 1 stands still"));
  // The box lies on the plate, with a gap.
  const std::string gap =
      "are to keep a gap of one to two tolerances, 1 mm to 2 mm, which was not measured";
  EXPECT_TRUE(has(gap));
  EXPECT_NE(verdict_sentence(done.view()).find(gap), std::string::npos);
  // What stood still was proved to be apart, where all is.
  ASSERT_EQ(done.result.verdict, SimulationVerdict::free);
  done.result.stuck = {{0, 1}};
  EXPECT_NE(verdict_sentence(done.view())
                .find("began a step nearer than the tolerance, though apart, and stood still"),
            std::string::npos);
  done.result.stuck.clear();
  EXPECT_EQ(verdict_sentence(done.view()).find("so far from the origin"), std::string::npos);
  done.result.unresolved = {{0, 1}};
  EXPECT_NE(verdict_sentence(done.view()).find("1 pair of bodies is so far from the origin"),
            std::string::npos);
  done.result.unresolved.clear();
  // As in a scene without friction in which no impact is told.
  done.result.impacts.clear();
  EXPECT_TRUE(has(models));
  for (SimulationBody& body : done.scene.bodies) body.friction = 0;
  EXPECT_FALSE(has(models));
  EXPECT_TRUE(has(step));
  // A gain that is worth a word is called an error, one that is not is told by its size.
  const std::string gain = "and nothing gave it: an error of steps",
                    small = "It never rose by more than ";
  EXPECT_FALSE(has(gain));
  double most = 0;
  for (const SimulationStep& one : done.result.steps) most = std::max(most, one.kinetic);
  done.result.steps.back().kinetic += 0.005 * most;
  EXPECT_FALSE(has(gain));
  EXPECT_TRUE(has(small));
  done.result.steps.back().kinetic += 0.5 * most;
  EXPECT_TRUE(has(gain));
  EXPECT_FALSE(has(small));
  // The other way round in a free fall: no word of either.
  json["bodies"].erase(0);
  done = run(json);
  EXPECT_FALSE(has(models));
  EXPECT_FALSE(has(step));
  EXPECT_FALSE(has("keep a gap"));
  EXPECT_EQ(verdict_sentence(done.view()).find("keep a gap"), std::string::npos);
}

TEST_F(Simulations, FreeFallIsAsInTheBook) {
  Json json = falling_scene();
  json["bodies"].erase(0);  // no plate
  json["bodies"][1]["pose"]["translation"] = {5000, 0, 0};
  json["forces"] = Json::array();
  json["unit"] = "mm";
  const Done done = run(json);
  EXPECT_EQ(done.result.verdict, SimulationVerdict::free);
  // From 1 mm at 1 mm/s down: z = 1 − t − g t² / 2, in mm.
  const double t = 0.5, g = 9806.65;
  EXPECT_NEAR(done.result.poses[0].back().translation().z(), 1 - t - g * t * t / 2, 1e-6);
  const SimulationStep &first = done.result.steps.front(), &last = done.result.steps.back();
  EXPECT_NEAR(first.kinetic + first.potential, last.kinetic + last.potential, 1e-12 * last.kinetic);
  // Momentum is in SI units.
  const double mass = done.parts.mass[0].mass + done.parts.mass[1].mass;
  EXPECT_NEAR(last.momentum.z() - first.momentum.z(), -mass * 9.80665 * t, 1e-9 * mass);
}

TEST_F(Simulations, ForcesAreInNewtonsForAsLongAsTheyAct) {
  Json json = falling_scene();
  json["gravity"] = {0, 0, 0};
  json["bodies"].erase(0);
  json["bodies"].erase(0);
  json["forces"] = {{{"body", "box"}, {"force", {6, 0, 0}}, {"start", 0.1}, {"end", 0.205}},
                    {{"body", "box"}, {"torque", {0, 0, 2}}}};
  for (const char* unit : {"m", "mm", "in"}) {
    json["unit"] = unit;
    const Done done = run(json);
    const SimulationStep& last = done.result.steps.back();
    EXPECT_NEAR(last.momentum.x(), 6 * 0.105, 1e-12) << unit;
    const double at = done.result.poses[0].back().translation().x() * metres_per_unit(unit);
    EXPECT_GT(at, 0);
    // About the origin it has the torque's share, and that of the momentum beside it.
    const Vec3 own = Vec3(done.result.poses[0].back().translation() * metres_per_unit(unit))
                         .cross(last.momentum);
    EXPECT_NEAR(last.angular_momentum.z() - own.z(), 2 * 0.5, 1e-9) << unit;
  }
}

TEST_F(Simulations, WhatBeginsInEachOtherIsToldAndLeftThere) {
  Json json = falling_scene();
  json["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  const Done done = run(json);
  EXPECT_EQ(done.result.verdict, SimulationVerdict::contact);
  ASSERT_EQ(done.result.stuck.size(), 1u);
  EXPECT_EQ(done.result.stuck[0], (std::pair<std::size_t, std::size_t>(0, 1)));
  EXPECT_NE(verdict_sentence(done.view()).find("the plate and the ball"), std::string::npos)
      << verdict_sentence(done.view());
}

TEST_F(Simulations, TheSameBytesOnAnyNumberOfThreads) {
  const Done one = run(falling_scene(), {.threads = 1}), two = run(falling_scene(), {.threads = 2});
  EXPECT_EQ(result_json(one.view()), result_json(two.view()));
  EXPECT_EQ(result_csv(one.view()), result_csv(two.view()));
  EXPECT_EQ(impacts_csv(one.view()), impacts_csv(two.view()));
  EXPECT_EQ(result_html(one.view()), result_html(two.view()));
}

TEST_F(Simulations, ResultsObeyTheirSchema) {
  const Json schema = test::read_json(std::filesystem::path(test::kSourceFolder) /
                                      "docs/simulation-result.schema.json");
  Json stuck = falling_scene();
  stuck["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  for (const Json& json : {falling_scene(), stuck}) {
    const Done done = run(json);
    const Json result = Json::parse(result_json(done.view()));
    EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
    EXPECT_EQ(result["steps"].size(), 31u);
    EXPECT_EQ(test::read_csv(result_csv(done.view())).size(), 32u);
    EXPECT_EQ(test::read_csv(impacts_csv(done.view())).size(), 1 + done.result.impacts.size());
    const std::string page = result_html(done.view(), {"a day", "a remark"});
    EXPECT_NE(page.find("</html>"), std::string::npos);
    EXPECT_NE(page.find("a remark"), std::string::npos);
  }
}

TEST_F(Simulations, TheAnimationShowsWhatWasRecorded) {
  const Done done = run(falling_scene());
  const Animation film = animation(done.view());
  ASSERT_EQ(film.bodies.size(), 3u);
  EXPECT_EQ(film.meshes.size(), 3u);
  EXPECT_TRUE(film.bodies[0].times.empty());
  EXPECT_EQ(film.bodies[1].times.size(), 31u);
  EXPECT_EQ(film.bodies[1].times.back(), 0.5);
  EXPECT_EQ(film.bodies[2].poses.back().translation(), done.result.poses[2].back().translation());
  save_animation(film, folder_.path() / "animation.glb");
  EXPECT_EQ(load_assembly(folder_.path() / "animation.glb").nodes.size(), 4u);
}

TEST_F(Simulations, StopsBetweenSteps) {
  std::atomic<bool> stop = true;
  const Done done = run(falling_scene(), {.budget = {.stop = &stop}});
  EXPECT_EQ(done.result.verdict, SimulationVerdict::interrupted);
  EXPECT_EQ(done.result.steps.size(), 1u);
  EXPECT_EQ(verdict_sentence(done.view()),
            "Interrupted: 0 of 30 steps were taken, and nothing penetrated in them, proved.");
  EXPECT_NE(result_html(done.view()).find("</html>"), std::string::npos);
  Progress progress;
  (void)run(falling_scene(), {.budget = {.progress = &progress}});
  EXPECT_EQ(progress.done, 30u);
  EXPECT_EQ(progress.total, 30u);
}

}  // namespace
}  // namespace touche
