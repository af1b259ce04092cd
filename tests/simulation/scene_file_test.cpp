// SPDX-License-Identifier: Apache-2.0
// Scene files: what the parser makes of them, what it refuses and where, and what bodies weigh.
#include <gtest/gtest.h>

#include "json_schema.h"
#include "scene_files.h"
#include "source_folder.h"
#include "test_scale.h"
#include "touche/simulation.h"

namespace touche::scene_file_test {
namespace {

using test::falling_scene;
using test::Json;

/// The message of the LoadError that parsing gives; empty when it gives none.
std::string refusal(const std::string& text) {
  try {
    (void)parse_simulation(text, "folder/scene.json");
  } catch (const LoadError& e) {
    EXPECT_EQ(e.file(), "folder/scene.json");
    return e.what();
  }
  return "";
}

struct Mistake {
  const char* pointer;  // what to change in a good scene
  const char* value;    // the new value; empty: remove it
  const char* message;
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.pointer << " = " << m.value; }

void expect_path_named(Json scene, const Mistake& mistake) {
  ASSERT_EQ(refusal(scene.dump()), "");
  const Json::json_pointer where(mistake.pointer);
  if (*mistake.value != '\0')
    scene[where] = Json::parse(mistake.value);
  else
    scene[where.parent_pointer()].erase(where.back());
  EXPECT_EQ(refusal(scene.dump()), std::string("folder/scene.json:") + mistake.message);
}

class SceneFile : public testing::TestWithParam<Mistake> {};

TEST_P(SceneFile, NamesThePath) { expect_path_named(falling_scene(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Mistakes, SceneFile,
    testing::Values(
        Mistake{"/touche_scene", "", "/: the key \"touche_scene\" is missing"},
        Mistake{"/touche_scene", "2", "/touche_scene: format version 2, expected 1"},
        Mistake{"/unit", "\"mile\"",
                "/unit: unknown unit \"mile\"; expected one of: m, cm, mm, um, in, ft"},
        Mistake{"/gravity", "[0, 0]", "/gravity: 2 numbers, expected 3"},
        Mistake{"/duration", "", "/: the key \"duration\" is missing"},
        Mistake{"/duration", "0", "/duration: 0, expected more than 0"},
        Mistake{"/duration", "1e9",
                "/duration: 1.8e+11 poses of all bodies, more than 4e+07: expected fewer time "
                "steps"},
        Mistake{"/time_step", "-1", "/time_step: -1, expected more than 0"},
        Mistake{"/tolerance", "", "/: the key \"tolerance\" is missing"},
        Mistake{"/tolerance", "0", "/tolerance: 0, expected more than 0"},
        Mistake{"/density", "0", "/density: 0, expected more than 0"},
        Mistake{"/density", "",
                "/bodies/1: expected one of: density, mass, mass_properties, fixed; or a density "
                "of all"},
        Mistake{"/friction", "-0.1", "/friction: -0.1, expected 0 or more"},
        Mistake{"/restitution", "1.5", "/restitution: 1.5, expected 0 to 1"},
        Mistake{"/bodies", "[]", "/bodies: 0 entries, expected at least 1"},
        Mistake{"/bodies/1/name", "\"plate\"", "/bodies/1/name: the name \"plate\" is there twice"},
        Mistake{"/bodies/1/file", "", "/bodies/1: expected either \"file\", \"box\" or \"shape\""},
        Mistake{"/bodies/1/box", "[1, 1, 1]",
                "/bodies/1: expected either \"file\", \"box\" or \"shape\""},
        Mistake{"/bodies/0/box", "[1, 0, 1]", "/bodies/0/box: expected lengths greater than 0"},
        Mistake{"/bodies/0/scale", "2", "/bodies/0/scale: given together with \"box\""},
        Mistake{"/bodies/1/scale", "0", "/bodies/1/scale: 0, expected more than 0"},
        Mistake{"/bodies/0/mass", "1", "/bodies/0/mass: the body is fixed"},
        Mistake{"/bodies/0/velocity", "[0, 0, 0]", "/bodies/0/velocity: the body is fixed"},
        Mistake{"/bodies/2/mass", "-3", "/bodies/2/mass: -3, expected more than 0"},
        Mistake{"/bodies/2/density", "1", "/bodies/2/mass: given together with /bodies/2/density"},
        Mistake{"/bodies/1/restitution", "-1", "/bodies/1/restitution: -1, expected 0 to 1"},
        Mistake{
            "/bodies/1/colour", "1",
            "/bodies/1/colour: unknown key; expected one of: name, file, box, shape, scale, unit, "
            "up, weld, stretch, pose, fixed, density, mass, mass_properties, friction, "
            "restitution, "
            "velocity, "
            "angular_velocity"},
        Mistake{"/bodies/1/pose/quaternion", "[2, 0, 0, 0]",
                "/bodies/1/pose/quaternion: length 2, expected 1"},
        Mistake{"/bodies/1/velocity", "[0, 0, 1e300]", "/bodies/1/velocity/2: 1e+300 is too large"},
        Mistake{"/bodies/1/mass_properties", "{\"mass\": 1}",
                "/bodies/1/mass_properties: the key \"inertia\" is missing"},
        Mistake{"/bodies/1/mass_properties", "{\"mass\": 1, \"inertia\": [[1, 0, 0], [0, 1, 0]]}",
                "/bodies/1/mass_properties/inertia: 2 entries, expected at least 3"},
        Mistake{"/forces/0/body", "\"nobody\"",
                "/forces/0/body: there is no body named \"nobody\""},
        Mistake{"/forces/0/body", "\"plate\"", "/forces/0/body: the body is fixed"},
        Mistake{"/forces/0", "{\"body\": \"box\"}",
                "/forces/0: expected \"force\", \"torque\" or both"},
        Mistake{"/forces/0/end", "0.1", "/forces/0/end: expected later than its start"},
        Mistake{"/forces/0/start", "-1", "/forces/0/start: -1, expected 0 or more"}));

class SceneFileJoints : public testing::TestWithParam<Mistake> {};

/// A hinge at which the ball hangs, and a rod that is fixed to it.
Json joined_scene() {
  Json scene = falling_scene();
  scene["joints"] = {{{"type", "hinge"},
                      {"body", "ball"},
                      {"point", {0, 0, 4}},
                      {"axis", {0, 2, 0}},
                      {"limits", {-1, 0.5}},
                      {"motor", {{"speed", 2}, {"strength", 7}}}},
                     {{"type", "fixed"}, {"body", "box"}, {"to", "ball"}, {"point", {1, 0, 2}}}};
  return scene;
}

TEST_P(SceneFileJoints, NamesThePath) { expect_path_named(joined_scene(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Mistakes, SceneFileJoints,
    testing::Values(
        Mistake{"/joints", "{}", "/joints: expected an array, found object"},
        Mistake{"/joints/0", "3", "/joints/0: expected an object, found number"},
        Mistake{"/joints/0/type", "", "/joints/0: the key \"type\" is missing"},
        Mistake{"/joints/0/type", "\"rope\"",
                "/joints/0/type: \"rope\", expected one of: fixed, ball, hinge, slider"},
        Mistake{"/joints/0/type", "\"ball\"", "/joints/0/axis: only hinges and sliders have one"},
        Mistake{"/joints/1/limits", "[0, 1]", "/joints/1/limits: only hinges and sliders have one"},
        Mistake{"/joints/1/motor", "{\"speed\": 1, \"strength\": 1}",
                "/joints/1/motor: only hinges and sliders have one"},
        Mistake{"/joints/1/type", "\"slider\"", "/joints/1: the key \"axis\" is missing"},
        Mistake{"/joints/0/body", "", "/joints/0: the key \"body\" is missing"},
        Mistake{"/joints/0/body", "\"nobody\"",
                "/joints/0/body: there is no body named \"nobody\""},
        Mistake{"/joints/0/body", "\"plate\"", "/joints/0: a joint without a body that moves"},
        Mistake{"/joints/1/to", "\"nobody\"", "/joints/1/to: there is no body named \"nobody\""},
        Mistake{"/joints/1/to", "\"box\"", "/joints/1/to: the joint of a body to itself"},
        Mistake{"/joints/1", "{\"type\": \"ball\", \"body\": \"plate\", \"point\": [0, 0, 0]}",
                "/joints/1: a joint without a body that moves"},
        Mistake{"/joints/0/point", "", "/joints/0: the key \"point\" is missing"},
        Mistake{"/joints/0/point", "[1, 2]", "/joints/0/point: 2 numbers, expected 3"},
        Mistake{"/joints/0/point", "[1, 2, null]",
                "/joints/0/point/2: expected a number, found null"},
        Mistake{"/joints/0/axis", "[0, 0, 0]", "/joints/0/axis: expected a vector longer than 0"},
        Mistake{"/joints/0/axis", "", "/joints/0: the key \"axis\" is missing"},
        Mistake{"/joints/0/limits", "[0]", "/joints/0/limits: 1 entry, expected at least 2"},
        Mistake{"/joints/0/limits", "[-1, 0, 1]",
                "/joints/0/limits: expected the least and the most"},
        Mistake{"/joints/0/limits", "[0.1, 1]",
                "/joints/0/limits: expected limits with 0 in between"},
        Mistake{"/joints/0/limits", "[-1, -0.1]",
                "/joints/0/limits: expected limits with 0 in between"},
        Mistake{"/joints/0/motor/strength", "", "/joints/0/motor: the key \"strength\" is missing"},
        Mistake{"/joints/0/motor/strength", "-1",
                "/joints/0/motor/strength: -1, expected 0 or more"},
        Mistake{"/joints/0/motor/speed", "1e300", "/joints/0/motor/speed: 1e+300 is too large"},
        Mistake{"/joints/0/motor/power", "1",
                "/joints/0/motor/power: unknown key; expected one of: speed, strength"},
        Mistake{"/joints/0/contacts", "1",
                "/joints/0/contacts: expected true or false, found number"},
        Mistake{"/joints/0/stiffness", "1",
                "/joints/0/stiffness: unknown key; expected one of: type, body, to, point, axis, "
                "limits, motor, contacts"}));

TEST(SceneFileJoints, AreReadAsTheyStand) {
  const Simulation scene = parse_simulation(joined_scene().dump(), "folder/scene.json");
  ASSERT_EQ(scene.joints.size(), 2u);
  const SimulationJoint &hinge = scene.joints[0], &fixed = scene.joints[1];
  EXPECT_EQ(hinge.type, JointType::hinge);
  EXPECT_EQ(hinge.body, 1u);
  EXPECT_FALSE(hinge.to);
  EXPECT_EQ(hinge.point, Vec3(0, 0, 4));
  EXPECT_EQ(hinge.axis, Vec3(0, 2, 0));
  EXPECT_EQ(hinge.least, -1);
  EXPECT_EQ(hinge.most, 0.5);
  EXPECT_EQ(hinge.motor_speed, 2);
  EXPECT_EQ(hinge.motor_strength, 7);
  EXPECT_FALSE(hinge.contacts);
  EXPECT_EQ(fixed.type, JointType::fixed);
  EXPECT_EQ(fixed.body, 2u);
  EXPECT_EQ(fixed.to, 1u);
}

TEST(SceneFile, NamesLineAndColumnOfBadSyntax) {
  EXPECT_EQ(refusal("{\"touche_scene\": 1,\n \"unit\" \"mm\"}")
                .rfind("folder/scene.json:line 2, column ", 0),
            0u);
  EXPECT_EQ(refusal("{\"unit\": \"mm\", \"unit\": \"m\"}"),
            "folder/scene.json: the key \"unit\" is there twice");
  for (const std::string& text : {std::string(), std::string(100000, '['), std::string("[1]"),
                                  std::string("{\"touche_scene\": 1e999}")})
    EXPECT_NE(refusal(text), "") << text.substr(0, 20);
}

TEST(SceneFile, ReadsWhatIsThere) {
  Json json = falling_scene();
  json["bodies"].push_back(json["bodies"][1]);
  json["bodies"][3]["name"] = "second ball";
  json["bodies"][3]["density"] = 500;
  const Simulation scene = parse_simulation(json.dump(), "folder/scene.json");
  EXPECT_EQ(scene.title, "Two fall on a plate");
  EXPECT_EQ(scene.gravity, Vec3(0, 0, -9.80665));
  EXPECT_EQ(step_count(scene), 30u);
  ASSERT_EQ(scene.bodies.size(), 4u);
  ASSERT_EQ(scene.meshes.size(), 3u) << "bodies of the same shape share it";
  EXPECT_EQ(scene.bodies[1].mesh, scene.bodies[3].mesh);
  EXPECT_EQ(scene.meshes[1].file, std::filesystem::path("folder/ball.off"));
  EXPECT_EQ(scene.meshes[1].scale, 0.5);
  EXPECT_TRUE(scene.bodies[0].fixed);
  EXPECT_EQ(scene.bodies[1].velocity, Vec3(0, 0, -1));
  EXPECT_EQ(scene.bodies[1].restitution, 0.5);
  EXPECT_EQ(scene.bodies[1].friction, 0.3);
  EXPECT_EQ(std::get<SimulationBody::Mass>(scene.bodies[2].mass).value, 3);
  EXPECT_EQ(std::get<SimulationBody::Density>(scene.bodies[3].mass).value, 500);
  ASSERT_EQ(scene.forces.size(), 1u);
  EXPECT_EQ(scene.forces[0].body, 2u);
  EXPECT_EQ(scene.forces[0].end, 0.4);
}

TEST(SceneFile, TheLastStepMayBeShorter) {
  Simulation scene;
  for (const auto& [duration, step, count] :
       {std::tuple{1., 1. / 60, 60u}, {1., 0.4, 3u}, {0.01, 0.1, 1u}, {0.3, 0.1, 3u}}) {
    scene.duration = duration;
    scene.time_step = step;
    EXPECT_EQ(step_count(scene), count) << duration << " in steps of " << step;
  }
}

TEST(SceneFile, ObeysItsSchema) {
  const Json schema =
      test::read_json(std::filesystem::path(test::kSourceFolder) / "docs/scene.schema.json");
  const Json scene = falling_scene();
  EXPECT_EQ(test::schema_violation(schema, schema, scene, ""), "");
  Json wrong = scene;
  wrong["bodies"][0]["colour"] = 1;
  EXPECT_NE(test::schema_violation(schema, schema, wrong, ""), "");
}

// ---- what bodies are made of -------------------------------------------------------------------

class Parts : public testing::Test {
 protected:
  Parts() {
    folder_.write("ball.off", test::kOctahedronOff);
    folder_.write("sheet.off", "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  }
  SimulationParts parts(const Json& json) const {
    folder_.write("scene.json", json.dump());
    return load_parts(load_simulation(folder_.path() / "scene.json"));
  }
  std::string error(const Json& json) const {
    try {
      (void)parts(json);
    } catch (const LoadError& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "";
  }
  const test::StudyFolder folder_{"scene"};
};

TEST_F(Parts, AreWeighed) {
  const SimulationParts made = parts(falling_scene());
  ASSERT_EQ(made.meshes.size(), 3u);
  ASSERT_EQ(made.mass.size(), 3u);
  EXPECT_EQ(made.mass[0], MassProperties{});
  EXPECT_NEAR(made.mass[1].mass, 1000 * 4. / 3 / 8, 1e-9);  // of an octahedron of radius 1/2
  EXPECT_NEAR(made.mass[2].mass, 3, 1e-12);
  EXPECT_LT((made.mass[2].inertia - 0.5 * Mat3::Identity()).norm(), 1e-12);
  EXPECT_EQ(made.meshes[0].bounds().lo, Vec3(-5, -5, -0.5));
}

TEST_F(Parts, DensityIsPerCubicMetre) {
  Json json = falling_scene();
  json["unit"] = "mm";
  json["bodies"][1]["scale"] = 500;
  EXPECT_NEAR(parts(json).mass[1].mass, 1000 * 4. / 3 / 8, 1e-9);
}

TEST_F(Parts, AFileHasItsUnitAndItsAxisUp) {
  Json json = falling_scene();
  json["unit"] = "mm";
  json["bodies"][1].erase("scale");
  json["bodies"][1]["unit"] = "m";
  json["bodies"][1]["up"] = "y";
  EXPECT_NEAR(parts(json).mass[1].mass, 1000 * 4. / 3, 1e-6);
  const auto mesh = [&] {
    const Simulation scene = parse_simulation(json.dump(), folder_.path() / "scene.json");
    return scene.meshes[scene.bodies[1].mesh];
  };
  EXPECT_EQ(mesh().scale, 1000);
  EXPECT_EQ(mesh().up, UpAxis::y);
  json["bodies"][1]["unit"] = "in";
  EXPECT_EQ(mesh().scale, 25.4);
  json["bodies"][1]["up"] = "up";
  EXPECT_EQ(refusal(json.dump()),
            "folder/scene.json:/bodies/1/up: \"up\", expected one of: x, y, z");
}

TEST_F(Parts, WhatIsNotClosedNeedsAMass) {
  Json json = falling_scene();
  json["bodies"][1]["file"] = "sheet.off";
  EXPECT_EQ(error(json).rfind("scene.json:/bodies/1: its mass: ", 0), 0u) << error(json);
  json["bodies"][1]["fixed"] = true;
  json["bodies"][1].erase("velocity");
  json["bodies"][1].erase("angular_velocity");
  EXPECT_EQ(error(json), "");
  json = falling_scene();
  json["bodies"][1]["file"] = "sheet.off";
  json["bodies"][1]["mass_properties"] = {
      {"mass", 2}, {"centre", {0.3, 0.3, 0}}, {"inertia", {{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}}};
  EXPECT_EQ(parts(json).mass[1].centre, Vec3(0.3, 0.3, 0));
}

TEST_F(Parts, ErrorsNameTheFile) {
  Json json = falling_scene();
  json["bodies"][1]["file"] = "none.off";
  EXPECT_EQ(error(json).rfind("scene.json:/bodies/1/file: ", 0), 0u);
  EXPECT_TRUE(error(json).ends_with("none.off: the file does not exist")) << error(json);
  json["bodies"][1]["file"] = "/dev/null";
  EXPECT_EQ(error(json), "scene.json:/bodies/1/file: /dev/null: this is a device, not a file");
  folder_.write("bad.off", "OFF\n1");
  json["bodies"][1]["file"] = "bad.off";
  EXPECT_EQ(error(json).rfind("bad.off:", 0), 0u) << error(json);
  EXPECT_THROW((void)load_simulation(folder_.path() / "none.json"), LoadError);
  EXPECT_THROW((void)load_simulation(folder_.path()), LoadError);
}

// ---- mutations: never a crash, nothing but a LoadError ------------------------------------------

TEST(SceneFile, SurvivesMutations) {
  const std::string good = falling_scene().dump();
  std::uint64_t state = 42;
  const auto random = [&](std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>((state >> 33) % n);
  };
  const std::string pieces[] = {"{",  "}",     "[", "]",       ",",    ":",    "\"",   "null",
                                "-1", "1e400", "0", "\\u0000", "true", "\xc3", "mass", "box"};
  const int count = test::scaled(10000, 2000);
  int accepted = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    std::string text = good;
    for (std::size_t n = 1 + random(3); n > 0; --n) {
      const std::size_t at = random(text.size());
      const std::size_t kind = random(4), length = random(30), from = random(text.size());
      if (kind == 0) text[at] = static_cast<char>(length * 8);
      if (kind == 1) text.erase(at, 1 + length / 4);
      if (kind == 2) text.insert(at, pieces[length % std::size(pieces)]);
      if (kind == 3) text.insert(at, text.substr(from, length));
    }
    try {
      const Simulation scene = parse_simulation(text, "scene.json");
      EXPECT_GT(scene.duration, 0);
      EXPECT_GE(step_count(scene), 1u);
      ++accepted;
    } catch (const LoadError&) {
      ++refused;
    }
  }
  EXPECT_GT(accepted, count / 100);
  EXPECT_GT(refused, count / 2);
}

// A mirrored body is another mesh, as heavy as the one it mirrors.
TEST(SceneFile, ABodyIsMirrored) {
  const test::StudyFolder folder("mirrored-body");
  folder.write("wedge.obj",
               "v 1 0 0\nv 3 0 0\nv 1 1 0\nv 1 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  Json json = falling_scene();
  json["bodies"][1]["file"] = "wedge.obj";
  for (const Json& stretch : {Json({-1, 1, 1}), Json({1, 1, 3})}) {
    json["bodies"].push_back(json["bodies"][1]);
    json["bodies"].back()["name"] = "stretched " + std::to_string(json["bodies"].size());
    json["bodies"].back()["stretch"] = stretch;
    json["bodies"].back()["pose"]["translation"] = {0, 0, 5 * json["bodies"].size()};
  }
  const Simulation scene = parse_simulation(json.dump(), folder.path() / "scene.json");
  ASSERT_EQ(scene.bodies.size(), 5u);
  EXPECT_EQ(scene.meshes.size(), 5u);
  EXPECT_EQ(scene.meshes[scene.bodies[3].mesh].stretch, Vec3(-1, 1, 1));
  const SimulationParts parts = load_parts(scene);
  EXPECT_NEAR(parts.mass[3].mass, parts.mass[1].mass, 1e-9 * parts.mass[1].mass);
  EXPECT_NEAR(parts.mass[4].mass, 3 * parts.mass[1].mass, 1e-9 * parts.mass[1].mass);
  EXPECT_LT((parts.mass[3].centre - parts.mass[1].centre.cwiseProduct(Vec3(-1, 1, 1))).norm(),
            1e-12);
  const auto refused = [&](const char* body, const Json& stretch) {
    Json other = json;
    other["bodies"][body == std::string("box") ? 2 : 1]["stretch"] = stretch;
    EXPECT_THROW((void)parse_simulation(other.dump(), folder.path() / "scene.json"), LoadError);
  };
  refused("box", {1, 1, 2});
  refused("mesh", {1, 0, 2});
}

}  // namespace
}  // namespace touche::scene_file_test
