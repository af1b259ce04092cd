// SPDX-License-Identifier: Apache-2.0
// Simulations: what is reported of scenes whose outcome is known, and what is written of it.
#include <gtest/gtest.h>

#include <cmath>

#include "csv.h"
#include "json_schema.h"
#include "progress_record.h"
#include "requested_cancel.h"
#include "scene_files.h"
#include "source_folder.h"
#include "touche/simulation.h"

namespace touche::simulation_test {
namespace {

using test::falling_scene;
using test::Json;

class Simulations : public testing::Test {
 protected:
  Simulations() { folder_.write("ball.off", test::kOctahedronOff); }

  SimulationResult run(const Json& json, const SimulationOptions& options = {}) const {
    folder_.write("scene.json", json.dump());
    Simulation scene = load_simulation(folder_.path() / "scene.json");
    SimulationParts parts = load_parts(scene);
    return simulate(std::move(scene), std::move(parts), options);
  }
  const test::StudyFolder folder_{"simulation"};
};

TEST_F(Simulations, NothingPenetratesAndItIsProved) {
  const SimulationResult done = run(falling_scene());
  EXPECT_EQ(done.verdict, SimulationVerdict::free) << verdict_sentence(done);
  EXPECT_EQ(done.steps.size(), 31u);
  EXPECT_GT(done.proved, 0u);
  EXPECT_GT(done.impacts.size(), 0u);
  EXPECT_TRUE(done.unproved.empty());
  EXPECT_EQ(done.poses[0].size(), 1u);
  EXPECT_EQ(done.poses[1].size(), 31u);
  EXPECT_EQ(verdict_sentence(done).rfind("No penetration, proved: 2 bodies moved for 0.5 s "
                                         "in 30 steps, ",
                                         0),
            0u)
      << verdict_sentence(done);
}

// Tests what the report says of energy, of bodies that lie on each other and of time that is given
// up.
TEST_F(Simulations, TheReportTellsWhyEnergyIsLostAndWhatContactsAre) {
  Json json = falling_scene();
  json["forces"] = Json::array();
  SimulationResult done = run(json);
  const auto has = [&](const std::string& text) {
    return result_html(done).find(text) != std::string::npos;
  };
  const std::string models = "Impacts, friction and contacts of bodies that lie on each other take",
                    step = "this is an error of the time step, 0.01667 s";
  EXPECT_GT(done.impacts.size(), 0u);
  EXPECT_TRUE(has(models));
  EXPECT_FALSE(has(step));
  // Energies are given in the unit of their plot.
  EXPECT_TRUE(has("the total went from "));
  EXPECT_FALSE(has("J to 0.0000"));
  EXPECT_TRUE(has("0 s</b><span>of motion given up"));
  EXPECT_TRUE(has("2</b><span>bodies move, 1 stands still"));
  // The box lies on the plate, with a gap.
  const std::string gap =
      "are to keep a gap of one to two tolerances, 0.001 m to 0.002 m, which was not measured";
  EXPECT_TRUE(has(gap));
  EXPECT_NE(verdict_sentence(done).find(gap), std::string::npos);
  // Bodies that stood still were proved to be apart, where all are.
  ASSERT_EQ(done.verdict, SimulationVerdict::free);
  done.stuck = {{0, 1}};
  EXPECT_NE(verdict_sentence(done).find(
                "began a step nearer than the tolerance, though apart, and stood still"),
            std::string::npos);
  done.stuck.clear();
  EXPECT_EQ(verdict_sentence(done).find("so far from the origin"), std::string::npos);
  done.unresolved = {{0, 1}};
  EXPECT_NE(verdict_sentence(done).find("1 pair of bodies is so far from the origin"),
            std::string::npos);
  done.unresolved.clear();
  // Models of friction and impact are not mentioned where there is neither.
  done.impacts.clear();
  EXPECT_TRUE(has(models));
  for (SimulationBody& body : done.simulation.bodies) body.friction = 0;
  EXPECT_FALSE(has(models));
  EXPECT_TRUE(has(step));
  // A significant gain is called an error, an insignificant one is given by its size.
  const std::string gain = "without a source: an error of steps",
                    small = "It never rose by more than ";
  EXPECT_FALSE(has(gain));
  double most = 0;
  for (const SimulationStep& one : done.steps) most = std::max(most, one.kinetic);
  done.steps.back().kinetic += 0.005 * most;
  EXPECT_FALSE(has(gain));
  EXPECT_TRUE(has(small));
  done.steps.back().kinetic += 0.5 * most;
  EXPECT_TRUE(has(gain));
  EXPECT_FALSE(has(small));
  // The other way round in a free fall: no word of either.
  json["bodies"].erase(0);
  done = run(json);
  EXPECT_FALSE(has(models));
  EXPECT_FALSE(has(step));
  EXPECT_FALSE(has("keep a gap"));
  EXPECT_TRUE(has("It never rose.") || has("It never rose by more than rounding."));
  EXPECT_EQ(verdict_sentence(done).find("keep a gap"), std::string::npos);
}

// A body inside of a closed mesh is in it, although it does not touch its surface.
TEST_F(Simulations, ABodyThatStartsInsideAnotherOneIsNamed) {
  Json json = falling_scene();
  json["gravity"] = {0, 0, 0};
  json["forces"] = Json::array();
  json["duration"] = 0.05;
  json["bodies"] = Json::array();
  json["bodies"].push_back({{"name", "tank"}, {"box", {10, 10, 10}}, {"fixed", true}});
  json["bodies"].push_back({{"name", "cube"}, {"box", {1, 1, 1}}, {"density", 1000}});
  SimulationResult done = run(json);
  EXPECT_EQ(done.verdict, SimulationVerdict::contact);
  ASSERT_EQ(done.contained.size(), 1u);
  EXPECT_EQ(done.contained[0].inner, 1u);
  EXPECT_FALSE(done.contained[0].is_unknown);
  EXPECT_EQ(verdict_sentence(done),
            "Not free: 1 body moved for 0.05 s in 3 steps, and the cube starts inside the tank; no "
            "two surfaces touched, proved.");
  EXPECT_EQ(Json::parse(result_json(done))["contained"][0]["outer"], "tank");
  EXPECT_EQ(run(json, {.surfaces = true}).verdict, SimulationVerdict::free);
  EXPECT_EQ(run(json, {.resolve = true}).verdict, SimulationVerdict::free);
  json["bodies"][1] = {
      {"name", "ball"}, {"shape", {{"type", "sphere"}, {"radius", 1}}}, {"density", 1000}};
  EXPECT_EQ(run(json).verdict, SimulationVerdict::contact);
  // Outside it is free; in an open one that is unknown.
  json["bodies"][1]["pose"] = {{"translation", {20, 0, 0}}};
  EXPECT_EQ(run(json).verdict, SimulationVerdict::free);
  EXPECT_TRUE(run(json).contained.empty());
  json["bodies"][1].erase("pose");
  folder_.write("tank.off",
                "OFF\n8 5 0\n-5 -5 -5\n5 -5 -5\n5 5 -5\n-5 5 -5\n-5 -5 5\n5 -5 5\n5 5 5\n-5 5 5\n"
                "4 0 3 2 1\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  json["bodies"][0] = {{"name", "tank"}, {"file", "tank.off"}, {"fixed", true}};
  done = run(json);
  EXPECT_EQ(done.verdict, SimulationVerdict::free);
  ASSERT_EQ(done.contained.size(), 1u);
  EXPECT_TRUE(done.contained[0].is_unknown);
  EXPECT_TRUE(is_about_surfaces(done));
  EXPECT_TRUE(verdict_sentence(done).starts_with("No surfaces met, proved: "));
  EXPECT_NE(verdict_sentence(done).find("Whether the ball starts inside the tank is unknown: the "
                                        "tank is open, at (0, -5, 5) m"),
            std::string::npos)
      << verdict_sentence(done);
}

TEST_F(Simulations, FreeFallIsAsInTheBook) {
  Json json = falling_scene();
  json["bodies"].erase(0);  // no plate
  json["bodies"][1]["pose"]["translation"] = {5000, 0, 0};
  json["forces"] = Json::array();
  json["unit"] = "mm";
  const SimulationResult done = run(json);
  EXPECT_EQ(done.verdict, SimulationVerdict::free);
  // From 1 mm at 1 mm/s down: z = 1 − t − g t² / 2, in mm.
  const double t = 0.5, g = 9806.65;
  EXPECT_NEAR(done.poses[0].back().translation().z(), 1 - t - g * t * t / 2, 1e-6);
  const SimulationStep &first = done.steps.front(), &last = done.steps.back();
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
  for (const char* unit : {"m", "mm", "in"}) {
    // A small box has little inertia, and a body that turns too far in a step loses time.
    const double torque = 2 * std::pow(metres_per_unit(unit), 2);
    json["unit"] = unit;
    json["forces"] = {{{"body", "box"}, {"force", {6, 0, 0}}, {"start", 0.1}, {"end", 0.205}},
                      {{"body", "box"}, {"torque", {0, 0, torque}}}};
    const SimulationResult done = run(json);
    const SimulationStep& last = done.steps.back();
    EXPECT_NEAR(last.momentum.x(), 6 * 0.105, 1e-12) << unit;
    const double at = done.poses[0].back().translation().x() * metres_per_unit(unit);
    EXPECT_GT(at, 0);
    // About the origin it has the torque's share, and that of the momentum beside it.
    const Vec3 own =
        Vec3(done.poses[0].back().translation() * metres_per_unit(unit)).cross(last.momentum);
    EXPECT_NEAR(last.angular_momentum.z() - own.z(), torque * 0.5, 1e-9 * torque + 1e-14) << unit;
  }
}

TEST_F(Simulations, WhatBeginsInEachOtherIsToldAndLeftThere) {
  Json json = falling_scene();
  json["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  const SimulationResult done = run(json);
  EXPECT_EQ(done.verdict, SimulationVerdict::contact);
  ASSERT_EQ(done.stuck.size(), 1u);
  const StuckPair& pair = done.stuck[0];
  EXPECT_EQ(std::pair(pair.body_a, pair.body_b), (std::pair<std::size_t, std::size_t>(0, 1)));
  EXPECT_EQ(pair.step, 0u);
  // The octahedron's tip, half a metre below its middle, is 0.3 m in the plate.
  ASSERT_TRUE(pair.separation);
  EXPECT_EQ(pair.separation->status, SeparationStatus::overlapping);
  EXPECT_NEAR(pair.separation->distance.lower, -0.3, 4e-3);
  EXPECT_LE(pair.separation->distance.lower, -0.3);
  EXPECT_LE((pair.separation->direction - Vec3::UnitZ()).norm(), 1e-6);
  for (const std::string& text : {verdict_sentence(done), result_html(done)}) {
    EXPECT_NE(text.find("the plate and the ball"), std::string::npos) << text;
    EXPECT_NE(text.find("he ball comes out of the plate by 0.3"), std::string::npos) << text;
    EXPECT_NE(text.find("along (0, 0, 1)"), std::string::npos) << text;
  }
}

// Two balls that are meshes, a convex ball and a plank lie in each other above a half space.
Json heap() {
  return Json::parse(R"({
    "touche_scene": 1, "unit": "m", "duration": 0.1, "tolerance": 1e-3, "density": 1000,
    "bodies": [
      {"name": "ground", "shape": {"type": "half_space", "normal": [0, 0, 1]}, "fixed": true},
      {"name": "plank", "box": [3, 1, 0.2], "pose": {"translation": [0, 0, 0.05]}},
      {"name": "first", "file": "ball.off", "scale": 0.5, "pose": {"translation": [0, 0, 0.3]}},
      {"name": "second", "file": "ball.off", "scale": 0.5, "pose": {"translation": [0.1, 0, 0.6]}},
      {"name": "third", "shape": {"type": "sphere", "radius": 0.3}, "pose": {"translation": [1, 0, 0.2]}},
      {"name": "other", "shape": {"type": "sphere", "radius": 0.3}, "pose": {"translation": [1.2, 0, 0.2]}}]
  })");
}

TEST_F(Simulations, EachPairThatIsInEachOtherIsTold) {
  const SimulationResult done = run(heap());
  EXPECT_EQ(done.verdict, SimulationVerdict::contact);
  EXPECT_GE(done.stuck.size(), 5u);
  EXPECT_TRUE(done.resolved.empty());
  for (const StuckPair& pair : done.stuck) {
    ASSERT_TRUE(pair.separation) << pair.body_a << " " << pair.body_b;
    EXPECT_EQ(pair.separation->status, SeparationStatus::overlapping);
    // The proof of the shift is repeated with the shapes, whatever found it.
    const Shape a = body_shape(done.simulation, done.parts, pair.body_a),
                b = body_shape(done.simulation, done.parts, pair.body_b);
    const Pose out = resolved_pose(*pair.separation, done.simulation.bodies[pair.body_b].pose);
    EXPECT_GT(distance(a, done.simulation.bodies[pair.body_a].pose, b, out).distance.lower, 0);
    const double d = pair.separation->distance.lower;
    if (pair.body_a == 0 && pair.body_b == 1) {
      EXPECT_NEAR(d, -0.05, 4e-3);
    }
    if (pair.body_a == 4) {
      EXPECT_NEAR(d, -0.4, 4e-3);
    }
  }
}

TEST_F(Simulations, BodiesInEachOtherAreShiftedApartIfThatIsAsked) {
  const SimulationResult done = run(heap(), {.resolve = true});
  EXPECT_EQ(done.verdict, SimulationVerdict::free) << verdict_sentence(done);
  EXPECT_TRUE(done.stuck.empty());
  ASSERT_FALSE(done.resolved.empty());
  for (const ResolvedStart& one : done.resolved) {
    EXPECT_FALSE(done.simulation.bodies[one.body].fixed);
    EXPECT_NEAR((done.poses[one.body][0].translation() -
                 done.simulation.bodies[one.body].pose.translation() - one.shift)
                    .norm(),
                0, 1e-12);
  }
  EXPECT_NE(verdict_sentence(done).find("Before the start"), std::string::npos);
  // One that is held by a joint stays.
  Json held = falling_scene();
  held["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  held["joints"] = Json::parse(R"([{"type": "ball", "body": "ball", "point": [0, 0, 3]}])");
  const SimulationResult stays = run(held, {.resolve = true});
  EXPECT_TRUE(stays.resolved.empty());
  EXPECT_EQ(stays.stuck.size(), 1u);
}

TEST_F(Simulations, TheSameBytesOnAnyNumberOfThreads) {
  const SimulationResult one = run(falling_scene(), {.threads = 1}),
                         two = run(falling_scene(), {.threads = 2});
  EXPECT_EQ(result_json(one), result_json(two));
  EXPECT_EQ(result_csv(one), result_csv(two));
  EXPECT_EQ(impacts_csv(one), impacts_csv(two));
  EXPECT_EQ(result_html(one), result_html(two));
}

TEST_F(Simulations, ResultsObeyTheirSchema) {
  const Json schema = test::read_json(std::filesystem::path(test::kSourceFolder) /
                                      "docs/simulation-result.schema.json");
  Json stuck = falling_scene();
  stuck["bodies"][1]["pose"]["translation"] = {0, 0, 0.2};
  for (const bool resolve : {false, true})
    for (const Json& json : {falling_scene(), stuck}) {
      const SimulationResult done = run(json, {.resolve = resolve});
      const Json result = Json::parse(result_json(done));
      EXPECT_EQ(test::schema_violation(schema, schema, result, ""), "");
      EXPECT_EQ(result["steps"].size(), 31u);
      EXPECT_EQ(test::read_csv(result_csv(done)).size(), 32u);
      EXPECT_EQ(test::read_csv(impacts_csv(done)).size(), 1 + done.impacts.size());
      const std::string page = result_html(done, {"a day", "a remark"});
      EXPECT_NE(page.find("</html>"), std::string::npos);
      EXPECT_NE(page.find("a remark"), std::string::npos);
    }
}

TEST_F(Simulations, TheAnimationShowsWhatWasRecorded) {
  const SimulationResult done = run(falling_scene());
  const Animation film = animation(done);
  ASSERT_EQ(film.bodies.size(), 3u);
  EXPECT_EQ(film.meshes.size(), 3u);
  EXPECT_TRUE(film.bodies[0].times.empty());
  EXPECT_EQ(film.bodies[1].times.size(), 31u);
  EXPECT_EQ(film.bodies[1].times.back(), 0.5);
  EXPECT_EQ(film.bodies[2].poses.back().translation(), done.poses[2].back().translation());
  save_animation(film, folder_.path() / "animation.glb");
  EXPECT_EQ(load_assembly(folder_.path() / "animation.glb").nodes.size(), 4u);
}

// A bar turns by three radians and a third in a step, and another by a third of one.
TEST_F(Simulations, TheAnimationTurnsAsTheBodiesDid) {
  const double dt = 1.0 / 60, rate = 200;
  const SimulationResult done =
      run({{"touche_scene", 1},
           {"unit", "mm"},
           {"duration", 0.5},
           {"tolerance", 0.01},
           {"density", 7850},
           {"gravity", {0, 0, 0}},
           {"bodies",
            {{{"name", "fast"}, {"box", {100, 10, 10}}, {"angular_velocity", {0, 0, rate}}},
             {{"name", "slow"},
              {"box", {100, 10, 10}},
              {"pose", {{"translation", {0, 0, 50}}}},
              {"angular_velocity", {0, 0, 20}}}}}});
  const Animation film = animation(done);
  EXPECT_EQ(film.bodies[0].times.size(), 61u);
  EXPECT_EQ(film.bodies[1].times.size(), 31u);
  for (const AnimatedBody& body : film.bodies) {
    const double spin = body.name == "fast" ? rate : 20;
    double turned = 0;
    for (std::size_t i = 1; i < body.poses.size(); ++i) {
      const Eigen::AngleAxisd by(body.poses[i].rotation() *
                                 body.poses[i - 1].rotation().conjugate());
      EXPECT_LE(by.angle(), 2.0);
      turned += by.angle() * by.axis().z();
      EXPECT_NEAR(turned, spin * body.times[i], 1e-9);
    }
    EXPECT_NEAR(turned, 30 * dt * spin, 1e-9);
  }
  save_animation(film, folder_.path() / "spin.glb");
}

TEST_F(Simulations, PosesInsideOfStepsMayBeMissing) {
  SimulationResult done = run(falling_scene());
  done.between = std::vector<std::vector<SimulationPose>>();
  const std::vector<SimulationPose> recorded = recorded_poses(done, 1);
  ASSERT_EQ(recorded.size(), done.steps.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    EXPECT_EQ(recorded[i].time, done.steps[i].time);
    EXPECT_EQ(recorded[i].pose.matrix(), done.poses[1][i].matrix());
  }
  EXPECT_EQ(animation(done).bodies[1].times.size(), done.steps.size());
}

TEST_F(Simulations, StopsBetweenSteps) {
  const Cancel cancel = test::requested();
  const SimulationResult done = run(falling_scene(), {.budget = {.cancel = cancel}});
  EXPECT_EQ(done.verdict, SimulationVerdict::interrupted);
  EXPECT_EQ(done.steps.size(), 1u);
  EXPECT_EQ(verdict_sentence(done),
            "Interrupted: 0 of 30 steps were taken, without penetration, proved.");
  EXPECT_NE(result_html(done).find("</html>"), std::string::npos);
  test::ProgressRecord progress;
  (void)run(falling_scene(), {.budget = {.progress = progress.function()}});
  EXPECT_EQ(progress.done, 30u);
  EXPECT_EQ(progress.total, 30u);
}

}  // namespace
}  // namespace touche::simulation_test
