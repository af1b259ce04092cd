// SPDX-License-Identifier: Apache-2.0
// Scenes whose bodies are convex shapes: what is read, what is refused and where, what bodies
// weigh, how they fall, and what is written of them.
#include <gtest/gtest.h>

#include <numbers>

#include "base/random.h"
#include "json_schema.h"
#include "scene_files.h"
#include "source_folder.h"
#include "test_scale.h"
#include "touche/io.h"
#include "touche/shape.h"
#include "touche/simulation.h"

namespace touche::scene_shapes_test {
namespace {

using test::Json;

/// A shape of each kind on a half space, beside steps that are a mesh.
Json shapes_scene() {
  return Json::parse(R"({
    "touche_scene": 1, "title": "Shapes", "unit": "cm", "duration": 0.1, "tolerance": 1e-2,
    "density": 1000, "friction": 0.4, "restitution": 0.2,
    "bodies": [
      {"name": "ground", "shape": {"type": "half_space", "normal": [0, 0, 2], "offset": -2}, "fixed": true},
      {"name": "step", "box": [30, 30, 4], "fixed": true, "pose": {"translation": [40, 0, 1]}},
      {"name": "ball", "shape": {"type": "sphere", "radius": 3}, "pose": {"translation": [0, 0, 3]}},
      {"name": "second ball", "shape": {"type": "sphere", "radius": 3}, "pose": {"translation": [40, 0, 7]}},
      {"name": "capsule", "shape": {"type": "capsule", "radius": 2, "length": 5}, "pose": {"translation": [10, 0, 5]}},
      {"name": "box", "shape": {"type": "box", "size": [4, 3, 2], "rounded": 0.5}, "pose": {"translation": [20, 0, 3]}},
      {"name": "cylinder", "shape": {"type": "cylinder", "radius": 2, "height": 3}, "pose": {"translation": [0, 10, 3]}},
      {"name": "cone", "shape": {"type": "cone", "radius": 2, "height": 4}, "pose": {"translation": [10, 10, 3]}},
      {"name": "egg", "shape": {"type": "ellipsoid", "half_axes": [2, 3, 4]}, "pose": {"translation": [20, 10, 5]}},
      {"name": "hull", "shape": {"type": "hull", "points": [[0,0,0],[4,0,0],[0,4,0],[0,0,4]]}, "pose": {"translation": [0, 20, 1]}},
      {"name": "stone", "shape": {"type": "hull", "file": "ball.off", "scale": 3}, "pose": {"translation": [10, 20, 5]}},
      {"name": "zonotope", "shape": {"type": "zonotope", "generators": [[1,0,0],[0,1,0],[0,0,1],[1,1,1]]}, "pose": {"translation": [20, 20, 4]}},
      {"name": "sum", "shape": {"type": "sum", "of": [{"type": "box", "size": [2, 2, 2]},
        {"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "pose": {"translation": [1, 0, 0]}}]},
       "pose": {"translation": [0, 30, 3]}},
      {"name": "rounded cone", "shape": {"type": "cone", "radius": 2, "height": 4, "rounded": 0.5},
       "mass_properties": {"mass": 0.02, "inertia": [[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]},
       "pose": {"translation": [10, 30, 4]}}]
  })");
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_simulation(text, "folder/scene.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.file(), "folder/scene.json");
    return std::string(e.what()).substr(std::string("folder/scene.json:").size());
  }
  return "";
}

struct Mistake {
  const char* shape;
  const char* message;  // after the location of the shape
};
void PrintTo(const Mistake& m, std::ostream* out) { *out << m.shape; }

class SceneShapes : public testing::TestWithParam<Mistake> {};

TEST_P(SceneShapes, MistakesNameTheirPlace) {
  Json scene = shapes_scene();
  scene["bodies"][2]["shape"] = Json::parse(GetParam().shape);
  EXPECT_EQ(refusal(scene.dump()), std::string("/bodies/2/shape") + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, SceneShapes,
    testing::Values(
        Mistake{"3", ": expected an object, found number"},
        Mistake{"{}", ": the key \"type\" is missing"},
        Mistake{R"({"type": "ball", "radius": 1})",
                "/type: \"ball\", expected one of: sphere, capsule, box, cylinder, cone, "
                "ellipsoid, hull, zonotope, sum, half_space"},
        Mistake{R"({"type": "sphere"})", ": the key \"radius\" is missing"},
        Mistake{R"({"type": "sphere", "radius": -1})", "/radius: -1, expected more than 0"},
        Mistake{R"({"type": "sphere", "radius": 0})", "/radius: 0, expected more than 0"},
        Mistake{R"({"type": "sphere", "radius": null})", "/radius: expected a number, found null"},
        Mistake{R"({"type": "sphere", "radius": "5mm"})",
                "/radius: expected a number, found string"},
        Mistake{R"({"type": "sphere", "radius": 1e300})", "/radius: 1e+300 is too large"},
        Mistake{R"({"type": "sphere", "radius": 1, "height": 2})",
                "/height: unknown key; expected one of: type, radius, rounded"},
        Mistake{R"({"type": "sphere", "radius": 1, "rounded": -1})",
                "/rounded: -1, expected 0 or more"},
        Mistake{R"({"type": "sphere", "radius": 1, "pose": {}})",
                "/pose: unknown key; expected one of: type, radius, rounded"},
        Mistake{R"({"type": "capsule", "radius": 1})", ": the key \"length\" is missing"},
        Mistake{R"({"type": "capsule", "radius": 1, "length": -2})",
                "/length: -2, expected 0 or more"},
        Mistake{R"({"type": "box", "size": [1, 2]})", "/size: 2 numbers, expected 3"},
        Mistake{R"({"type": "box", "size": [1, 0, 2]})", "/size: expected lengths greater than 0"},
        Mistake{R"({"type": "cone", "radius": 1, "height": 0})",
                "/height: 0, expected more than 0"},
        Mistake{R"({"type": "ellipsoid", "half_axes": [1, -1, 1]})",
                "/half_axes: expected lengths greater than 0"},
        Mistake{R"({"type": "hull", "points": []})", "/points: 0 entries, expected at least 1"},
        Mistake{R"({"type": "hull", "points": [[0, 0, 0], [1, 1, 1]]})",
                "/points: shape: its points lie in one plane, and enclose no volume"},
        Mistake{R"({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]})",
                "/points: shape: its points lie in one plane, and enclose no volume"},
        Mistake{R"({"type": "hull", "points": [[0, 0, 0], [1, 1]]})",
                "/points/1: 2 numbers, expected 3"},
        Mistake{R"({"type": "hull", "file": "a.stl", "points": []})",
                "/file: given together with \"points\""},
        Mistake{R"({"type": "box", "file": "a.stl"})",
                "/file: only the hull of a file is a shape; a mesh is a \"file\" in place of a "
                "\"shape\""},
        Mistake{R"({"type": "hull", "file": "a.stl", "scale": 0})",
                "/scale: 0, expected more than 0"},
        Mistake{R"({"type": "zonotope", "generators": []})",
                "/generators: 0 entries, expected at least 1"},
        Mistake{R"({"type": "sum", "of": [{"type": "sphere", "radius": 1}]})",
                "/of: 1 entry, expected at least 2"},
        Mistake{R"({"type": "sum", "of": [{"type": "sphere", "radius": 1},
                   {"type": "hull", "file": "a.stl"}]})",
                "/of/1/file: unknown key; expected one of: type, points, rounded, pose"},
        Mistake{R"({"type": "sum", "of": [{"type": "sphere", "radius": 1},
                   {"type": "half_space", "normal": [0, 0, 1]}]})",
                "/of/1: a half space is no part of a sum"},
        Mistake{R"({"type": "sum", "of": [{"type": "half_space", "normal": [0, 0, 1]},
                   {"type": "sphere", "radius": 1}]})",
                "/of/0: a half space is no part of a sum"},
        Mistake{R"({"type": "half_space", "normal": [0, 0, 0]})",
                "/normal: expected a vector longer than 0"},
        Mistake{R"({"type": "half_space", "normal": [0, 0, 1], "rounded": 1})",
                "/rounded: unknown key; expected one of: type, normal, offset"},
        Mistake{R"({"type": "half_space", "normal": [0, 0, 1]})",
                ": a half space does not move: expected \"fixed\": true beside it"}));

TEST(SceneShapes, LargeAndDeepOnesAreRefused) {
  Json scene = shapes_scene();
  const auto with = [&](const Json& shape) {
    scene["bodies"][2]["shape"] = shape;
    return refusal(scene.dump());
  };
  const Json ball = {{"type", "sphere"}, {"radius", 1}};
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += R"({"type": "sum", "of": [)";
  const std::string whole = scene.dump(), own = scene["bodies"][2]["shape"].dump();
  const std::string nested = std::string(whole).replace(whole.find(own), own.size(), deep);
  EXPECT_NE(refusal(nested), "");
  Json sums = ball;
  for (int i = 0; i < 50; ++i) sums = {{"type", "sum"}, {"of", {sums, ball}}};
  EXPECT_NE(with(sums).find("more than 8 shapes are added up"), std::string::npos) << with(sums);
  Json wide = {{"type", "sum"}, {"of", Json::array()}};
  for (int i = 0; i < 9; ++i) wide["of"].push_back(ball);
  EXPECT_EQ(with(wide), "/bodies/2/shape/of/8: more than 8 shapes are added up");
  Json zonotope = {{"type", "zonotope"}, {"generators", Json::array()}};
  for (int i = 0; i < 70; ++i) zonotope["generators"].push_back({i, i * i, 1});
  EXPECT_EQ(with(zonotope).rfind("/bodies/2/shape: ", 0), 0u) << with(zonotope);
}

// Never a crash, nothing but a LoadError.
TEST(SceneShapes, SurviveMutations) {
  const std::string good = shapes_scene().dump();
  base::Random random(7);
  const std::string pieces[] = {"{",     "}",    "[", "]",    ",",      "-1",
                                "1e400", "1e89", "0", "null", "\"sum\""};
  const int count = test::scaled(3000, 500);
  int accepted = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = good;
    const auto size = static_cast<Index>(text.size());
    const std::size_t at = random.below(size), from = random.below(size);
    const Index kind = random.below(4);
    if (kind == 0) text[at] = "0123456789"[random.below(10)];
    if (kind == 1) text.erase(at, 1 + random.below(8));
    if (kind == 2) text.insert(at, pieces[random.below(static_cast<Index>(std::size(pieces)))]);
    if (kind == 3) text.insert(at, text.substr(from, random.below(30)));
    try {
      (void)parse_simulation(text, "scene.json");
      ++accepted;
    } catch (const LoadError&) {
    }
  }
  EXPECT_GT(accepted, count / 20);
  EXPECT_LT(accepted, count / 2);
}

TEST(SceneShapes, AShapeIsGivenOnce) {
  Json scene = shapes_scene();
  scene["bodies"][2]["box"] = {1, 1, 1};
  EXPECT_EQ(refusal(scene.dump()), "/bodies/2: expected either \"file\", \"box\" or \"shape\"");
  scene = shapes_scene();
  scene["bodies"][2]["scale"] = 2;
  EXPECT_EQ(refusal(scene.dump()), "/bodies/2/scale: given together with \"shape\"");
}

TEST(SceneShapes, ObeyTheSchema) {
  const Json schema =
      test::read_json(std::filesystem::path(test::kSourceFolder) / "docs/scene.schema.json");
  EXPECT_EQ(test::schema_violation(schema, schema, shapes_scene(), ""), "");
  for (const char* bad : {R"({"type": "sphere"})", R"({"type": "sphere", "radius": -1})",
                          R"({"type": "cone", "radius": 1, "height": 1, "length": 1})"}) {
    Json scene = shapes_scene();
    scene["bodies"][2]["shape"] = Json::parse(bad);
    EXPECT_NE(test::schema_violation(schema, schema, scene, ""), "") << bad;
    EXPECT_NE(refusal(scene.dump()), "") << bad;
  }
}

class ShapeParts : public testing::Test {
 protected:
  ShapeParts() { folder_.write("ball.off", test::kOctahedronOff); }
  Simulation load(const Json& json) const {
    folder_.write("scene.json", json.dump());
    return load_simulation(folder_.path() / "scene.json");
  }
  std::string error(const Json& json) const {
    try {
      (void)load_parts(load(json));
    } catch (const LoadError& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "";
  }
  const test::StudyFolder folder_{"scene_shapes"};
};

TEST_F(ShapeParts, AreWhatTheirNamesSay) {
  const Simulation scene = load(shapes_scene());
  const SimulationParts parts = load_parts(scene);
  ASSERT_EQ(parts.shapes.size(), scene.meshes.size());
  EXPECT_EQ(scene.meshes.size(), scene.bodies.size() - 1) << "the two balls share one";
  EXPECT_EQ(scene.bodies[2].mesh, scene.bodies[3].mesh);
  const ShapeKind kinds[] = {ShapeKind::half_space, ShapeKind::soup,    ShapeKind::sphere,
                             ShapeKind::sphere,     ShapeKind::capsule, ShapeKind::box,
                             ShapeKind::cylinder,   ShapeKind::cone,    ShapeKind::ellipsoid,
                             ShapeKind::hull,       ShapeKind::hull,    ShapeKind::zonotope,
                             ShapeKind::sum,        ShapeKind::cone};
  for (std::size_t b = 0; b < std::size(kinds); ++b)
    EXPECT_EQ(body_shape(scene, parts, b).kind(), kinds[b]) << b;
  EXPECT_EQ(body_shape(scene, parts, 13).radius(), 0.5);
  EXPECT_EQ(body_shape(scene, parts, 5).bounds().hi.x(),
            Shape::box({2, 1.5, 1}).rounded(0.5).bounds().hi.x());
  // kg: 1 g of each cubic centimetre.
  EXPECT_NEAR(parts.mass[2].mass, 1e-3 * 4. / 3 * std::numbers::pi * 27, 1e-12);
  EXPECT_NEAR(parts.mass[7].centre.z(), -1, 1e-12);
  EXPECT_NEAR(parts.mass[9].mass, 1e-3 * 64. / 6, 1e-12);
  EXPECT_NEAR(parts.mass[10].mass, 1e-3 * 4. / 3 * 27, 1e-12);
  // The mesh that shows a shape is inside it, and near.
  for (std::size_t b = 2; b < scene.bodies.size(); ++b) {
    const Aabb own = body_shape(scene, parts, b).bounds(),
               mesh = parts.meshes[scene.bodies[b].mesh].bounds();
    EXPECT_LT((own.lo - mesh.lo).norm() + (own.hi - mesh.hi).norm(), 0.02 * own.diagonal()) << b;
  }
  // A slab under the other bodies, whose upper side is the plane.
  const Aabb slab = parts.meshes[scene.bodies[0].mesh].bounds();
  EXPECT_NEAR(slab.hi.z(), -1, 1e-12);
  EXPECT_LT(slab.lo.z(), -1.5);
  EXPECT_LT(slab.lo.x(), -30);
  EXPECT_GT(slab.hi.x(), 60);
}

TEST_F(ShapeParts, WithoutAVolumeOrAClosedFormNeedAMass) {
  Json json = shapes_scene();
  json["bodies"][13].erase("mass_properties");
  EXPECT_EQ(error(json),
            "scene.json:/bodies/13: its mass: mass properties: of a rounded cone there is no "
            "closed form here: give its mass, centre and inertia; \"mass_properties\" gives what "
            "the shape does not define");
  json = shapes_scene();
  json["bodies"][2]["shape"]["radius"] = 9e89;
  EXPECT_EQ(error(json).rfind("scene.json:/bodies/2", 0), 0u) << error(json);
  json = shapes_scene();
  folder_.write("flat.off", "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  json["bodies"][10]["shape"]["file"] = "flat.off";
  EXPECT_EQ(error(json),
            "scene.json:/bodies/10/shape/file: shape: its points lie in one plane, and enclose no "
            "volume");
  json["bodies"][10]["shape"]["file"] = "none.off";
  EXPECT_EQ(error(json).rfind("scene.json:/bodies/10/shape/file: ", 0), 0u) << error(json);
}

TEST_F(ShapeParts, FallOnAHalfSpaceAndAMeshAndItIsProved) {
  Json json = shapes_scene();
  json["duration"] = 0.5;
  const Simulation scene = load(json);
  const SimulationParts parts = load_parts(scene);
  const SimulationResult result = simulate(scene, parts);
  EXPECT_EQ(result.verdict, SimulationVerdict::free) << verdict_sentence(result);
  EXPECT_GT(result.impacts.size(), 5u);
  EXPECT_GT(result.proved, 100u);
  // The ball that falls on the plane lies on it in the end, the other one on the step.
  EXPECT_NEAR(result.poses[2].back().translation().z(), -1 + 3, 0.05);
  EXPECT_NEAR(result.poses[3].back().translation().z(), 3 + 3, 0.05);
  for (const auto& pose : result.poses) EXPECT_GT(pose.back().translation().z(), -1.5);

  const Json written = Json::parse(result_json(result));
  const Json schema = test::read_json(std::filesystem::path(test::kSourceFolder) /
                                      "docs/simulation-result.schema.json");
  EXPECT_EQ(test::schema_violation(schema, schema, written, ""), "");
  EXPECT_EQ(written["bodies"][0]["shape"], "half_space");
  EXPECT_EQ(written["bodies"][2]["shape"], "sphere");
  EXPECT_EQ(written["bodies"][2]["triangles"], 0);
  EXPECT_FALSE(written["bodies"][1].contains("shape"));
  const std::string page = result_html(result);
  EXPECT_NE(page.find("13</b><span>bodies are convex shapes"), std::string::npos);
  EXPECT_NE(page.find("show polyhedra inside of them"), std::string::npos);
  EXPECT_NE(page.find("Half spaces have no end"), std::string::npos);
  const Animation made = animation(result);
  EXPECT_EQ(made.meshes.size(), scene.meshes.size());
  save_animation(made, folder_.path() / "animation.glb");
  EXPECT_GT(std::filesystem::file_size(folder_.path() / "animation.glb"), 10000u);
}

// The scene that the documents point to.
TEST_F(ShapeParts, TheExampleIsProved) {
  const std::filesystem::path file =
      std::filesystem::path(test::kSourceFolder) / "examples/shapes_on_stairs.json";
  const Json schema =
      test::read_json(std::filesystem::path(test::kSourceFolder) / "docs/scene.schema.json");
  EXPECT_EQ(test::schema_violation(schema, schema, test::read_json(file), ""), "");
  Simulation scene = load_simulation(file);
  scene.duration = 1;
  const SimulationParts parts = load_parts(scene);
  const SimulationResult result = simulate(scene, parts);
  EXPECT_EQ(result.verdict, SimulationVerdict::free);
  EXPECT_GT(result.impacts.size(), 20u);
  // Bodies that began on the stairs are farther down.
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].fixed) continue;
    EXPECT_LT(result.poses[b].back().translation().z(), scene.bodies[b].pose.translation().z());
  }
}

// A ball that rolls down a slope without slipping has 5/7 of the acceleration of one that slides; a
// polyhedron of it would not roll evenly.
TEST_F(ShapeParts, ABallRollsDownASlope) {
  const double angle = 0.2, g = 9.80665;
  const Json json = Json::parse(R"({
    "touche_scene": 1, "unit": "m", "duration": 1, "tolerance": 1e-5, "density": 1000, "friction": 1,
    "bodies": [
      {"name": "slope", "shape": {"type": "half_space", "normal": [0.19866933079506122, 0, 0.9800665778412416]}, "fixed": true},
      {"name": "ball", "shape": {"type": "sphere", "radius": 0.1},
       "pose": {"translation": [0.019868906742, 0, 0.0980164584499]}}]})");
  const Simulation scene = load(json);
  const SimulationResult result = simulate(scene, load_parts(scene));
  EXPECT_EQ(result.verdict, SimulationVerdict::free);
  const Vec3 way = result.poses[1].back().translation() - result.poses[1].front().translation();
  const double expected = 0.5 * 5. / 7 * g * std::sin(angle);
  EXPECT_NEAR(way.norm(), expected, 0.02 * expected);
  // It turned as far as it rolled.
  const Mat3 turn = result.poses[1].back().matrix();
  const double turned = std::fmod(way.norm() / 0.1, 2 * std::numbers::pi);
  EXPECT_NEAR(turn(0, 0), std::cos(turned), 0.1);
}

}  // namespace
}  // namespace touche::scene_shapes_test
