// SPDX-License-Identifier: Apache-2.0
// Dynamic scenes: solid bodies that begin free, are the same each time, and survive their files.
#include "dynamic_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "study_files.h"
#include "touche/simulation.h"
#include "touche/world.h"

namespace touche::scenes {
namespace {

struct Case {
  const char* name;
  DynamicScene scene;
};

std::vector<Case> cases() {
  return {{"bolt", standing_bolt({.segments = 24})},
          {"chain", chain({.links = 5})},
          {"bin", bin({.pieces = 80, .segments = 12})},
          {"gears", gears()},
          {"stack", stack()},
          {"dominoes", dominoes()},
          {"arch", arch()},
          {"wrecking ball", wrecking_ball()},
          {"pile", pile({.bodies = 200})},
          {"shot", shot({.bodies = 200}).scene}};
}

TEST(DynamicScenes, MeshesAreSolid) {
  for (const auto& [name, scene] : cases())
    for (const DynamicMesh& mesh : scene.meshes) {
      SCOPED_TRACE(std::string(name) + ", " + mesh.name);
      const Health health = examine(mesh.soup);
      EXPECT_TRUE(health.closed);
      EXPECT_TRUE(health.oriented);
      EXPECT_GT(health.volume, 0);
      EXPECT_EQ(health.zero_area_faces, 0u);
      EXPECT_EQ(health.duplicate_vertices, 0u);
      EXPECT_EQ(health.components, 1u);
    }
}

TEST(DynamicScenes, ShapesBeginFreeAndAreReadBack) {
  const test::StudyFolder folder("tumbling-shapes");
  const DynamicScene scene = tumbling_shapes({.bodies = 40, .seed = 3});
  write_scene(scene, folder.path());
  const Simulation read = load_simulation(folder.path() / "scene.json");
  ASSERT_EQ(read.bodies.size(), scene.bodies.size());
  const SimulationParts parts = load_parts(read);
  World world;
  for (std::size_t b = 0; b < read.bodies.size(); ++b) {
    EXPECT_TRUE(body_shape(read, parts, b).is_convex()) << read.bodies[b].name;
    (void)world.add(body_shape(read, parts, b), read.bodies[b].pose,
                    {.fixed = read.bodies[b].fixed});
    if (!read.bodies[b].fixed) {
      EXPECT_GT(parts.mass[b].mass, 0.001) << read.bodies[b].name;
    }
  }
  const TouchingPairs found = world.touching_pairs();
  // The steps stand on the ground and beside each other.
  for (const auto& pair : found.pairs)
    ADD_FAILURE() << world.name(pair.a) << ", " << world.name(pair.b);
}

TEST(DynamicScenes, BeginFree) {
  for (const auto& [name, scene] : cases()) {
    World world;
    std::vector<Object> objects;
    for (const DynamicMesh& mesh : scene.meshes) objects.emplace_back(mesh.soup, mesh.name);
    for (const DynamicBody& body : scene.bodies) {
      (void)world.add(objects[body.mesh], body.pose, {.fixed = body.fixed});
    }
    const TouchingPairs found = world.touching_pairs();
    EXPECT_TRUE(found.pairs.empty()) << name << ": " << found.pairs.size();
    EXPECT_TRUE(found.undecided.empty());
  }
}

TEST(DynamicScenes, SurviveTheirFiles) {
  const test::StudyFolder folder("dynamic-scenes");
  for (const auto& [name, scene] : cases()) {
    SCOPED_TRACE(name);
    write_scene(scene, folder.path() / name);
    const Simulation read = load_simulation(folder.path() / name / "scene.json");
    const SimulationParts parts = load_parts(read);
    EXPECT_EQ(read.title, scene.title);
    EXPECT_EQ(read.duration, scene.duration);
    EXPECT_EQ(read.gravity, scene.gravity);
    ASSERT_EQ(read.bodies.size(), scene.bodies.size());
    EXPECT_EQ(read.meshes.size(), scene.meshes.size());
    EXPECT_EQ(read.forces.size(), scene.forces.size());
    ASSERT_EQ(read.joints.size(), scene.hinges.size());
    for (std::size_t j = 0; j < read.joints.size(); ++j) {
      EXPECT_EQ(read.joints[j].type, JointType::hinge);
      EXPECT_EQ(read.joints[j].body, scene.hinges[j].body);
      EXPECT_EQ(read.joints[j].to, scene.hinges[j].to);
      EXPECT_EQ(read.joints[j].point, scene.hinges[j].point);
      EXPECT_EQ(read.joints[j].axis, scene.hinges[j].axis);
    }
    for (std::size_t b = 0; b < read.bodies.size(); ++b) {
      const DynamicBody& wrote = scene.bodies[b];
      EXPECT_EQ(read.bodies[b].name, wrote.name);
      EXPECT_EQ(read.bodies[b].pose.translation(), wrote.pose.translation());
      EXPECT_LT((read.bodies[b].pose.matrix() - wrote.pose.matrix()).norm(), 1e-14);
      EXPECT_EQ(read.bodies[b].velocity, wrote.velocity);
      EXPECT_EQ(read.bodies[b].angular_velocity, wrote.angular_velocity);
      EXPECT_EQ(read.bodies[b].friction, wrote.friction);
      EXPECT_EQ(read.bodies[b].fixed, wrote.fixed);
      EXPECT_EQ(parts.mass[b].mass > 0, !wrote.fixed);
      EXPECT_EQ(parts.meshes[read.bodies[b].mesh].soup().face_count(),
                scene.meshes[wrote.mesh].soup.face_count());
    }
  }
}

TEST(DynamicScenes, AreTheSameEachTime) {
  const std::vector<Case> first = cases(), second = cases();
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t b = 0; b < first[i].scene.bodies.size(); ++b)
      EXPECT_EQ(first[i].scene.bodies[b].pose.translation(),
                second[i].scene.bodies[b].pose.translation());
}

TEST(DynamicScenes, GearsHaveWholeFaces) {
  for (const int teeth : {8, 17, 30, 50}) {
    const double module = 2, height = 5, bore = 6;
    const PolygonSoup soup = gear(teeth, module, height, bore, 0.1);
    // No triangle of the ends is turned over: else one would stick out of the outline.
    double top = 0, outline = 0;
    for (const auto& t : soup.triangles()) {
      const Vec3 a = soup.vertex(t[0]), b = soup.vertex(t[1]), c = soup.vertex(t[2]);
      if (a.z() != height || b.z() != height || c.z() != height) continue;
      const double area = 0.5 * (b - a).cross(c - a).z();
      EXPECT_GT(area, 0);
      top += area;
    }
    outline = examine(soup).volume / height;
    EXPECT_NEAR(top, outline, 1e-9 * outline);
    // Module and number of teeth give the size.
    EXPECT_NEAR(soup.bounds().hi.x(), 0.5 * module * (teeth + 2), 0.05);
    EXPECT_GT(outline,
              std::numbers::pi / 4 * (std::pow(module * (teeth - 2.5), 2) - std::pow(bore, 2)));
    EXPECT_LT(outline, std::numbers::pi / 4 * std::pow(module * (teeth + 2), 2));
  }
  EXPECT_THROW((void)gear(7, 2, 5, 5, 0.1), InvalidInput);
  EXPECT_THROW((void)gear(10, 2, 5, 14, 0.1), InvalidInput);
}

TEST(DynamicScenes, BallsAreThoseOfTheBenchmark) {
  const PolygonSoup ball = ball42();
  EXPECT_EQ(ball.vertex_count(), 42u);
  EXPECT_EQ(ball.triangle_count(), 80u);
  for (const Vec3& v : ball.vertices()) EXPECT_NEAR(v.norm(), 0.5, 1e-15);
  const Shot made = shot({.bodies = 100});
  for (const DynamicBody& body : made.scene.bodies)
    if (!body.fixed)
      for (int k = 0; k < 3; ++k) {
        EXPECT_GT(body.pose.translation()[k], made.inside_lo[k] + 0.5);
        EXPECT_LT(body.pose.translation()[k], made.inside_hi[k] - 0.5);
      }
}

}  // namespace
}  // namespace touche::scenes
