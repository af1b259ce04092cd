// SPDX-License-Identifier: Apache-2.0
// Convex shapes in files, named where meshes are.
#include <gtest/gtest.h>

#include <cmath>

#include "cli_run.h"

namespace touche::cli_shapes_test {
namespace {

using test::has;
using test::Json;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;

/// A ball of radius 1, a die, the ground, and a post 0.0005 beside the ball, which the polyhedron
/// around the ball meets; beside the meshes of box_study().
struct Shapes : StudyFolder {
  explicit Shapes(const char* name) : StudyFolder(name) {
    write("ball.json", R"({"touche_shape": 1, "shape": {"type": "sphere", "radius": 1}})");
    write("die.json", R"({"touche_shape": 1, "shape": {"type": "box", "size": [2, 2, 2]}})");
    write("ground.json",
          R"({"touche_shape": 1, "shape": {"type": "half_space", "normal": [0, 0, 1]}})");
    write("hull.json", R"({"touche_shape": 1, "shape": {"type": "hull", "file": "cube.off"}})");
    write("post.json", R"({"touche_shape": 1, "shape": {"type": "hull", "points": [
      [1.0005,-1,-1], [2,-1,-1], [1.0005,1,-1], [2,1,-1],
      [1.0005,-1,1], [2,-1,1], [1.0005,1,1], [2,1,1]]}})");
    write("wrong.json", R"({"touche_shape": 1, "shape": {"type": "sphere", "radius": -1}})");
    write("other.json", "{}");
  }
};

TEST(CliShapes, DistanceAndToiAreThoseOfTheShapes) {
  const Shapes folder("cli-shapes");
  const auto distance = [&](const std::string& arguments) {
    return Json::parse(touche_cli(folder, "distance --json " + arguments).out)["distance"]
        .get<double>();
  };
  EXPECT_NEAR(distance("ball.json ball.json --pose-a \"3,4,0\""), 3, 1e-12);
  EXPECT_NEAR(distance("ball.json ground.json --pose-a \"0,0,5\""), 4, 1e-12);
  EXPECT_NEAR(distance("ball.json wall.off"), 2.5, 1e-12);  // a mesh whose face is at x = 3.5
  EXPECT_NEAR(distance("wall.off hull.json"), 2.5, 1e-12);  // the cube from 0 to 1
  const Outcome text = touche_cli(folder, "distance ball.json wall.off");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(has(text.out, "a: sphere at (1, ")) << text.out;
  EXPECT_TRUE(has(text.out, "b: face ")) << text.out;

  const Outcome hit = touche_cli(folder, "toi ball.json wall.off --to \"5,0,0\" --json");
  EXPECT_EQ(hit.exit_code, 1);
  const Json toi = Json::parse(hit.out);
  EXPECT_LE(toi["free_until"], 0.5);
  EXPECT_NEAR(toi["touched_at"].get<double>(), 0.5, 1e-5);
  EXPECT_TRUE(toi["contact"]["face_a"].is_null());
  EXPECT_TRUE(toi["contact"]["face_b"].is_number());
}

TEST(CliShapes, CollideTellsHowDeep) {
  const Shapes folder("cli-shapes-collide");
  EXPECT_EQ(touche_cli(folder, "collide ball.json die.json --pose-a \"2.1,0,0\"").exit_code, 0);
  const Outcome deep = touche_cli(folder, "collide ball.json die.json --pose-a \"1.5,0,0\"");
  EXPECT_EQ(deep.exit_code, 1);
  EXPECT_TRUE(has(deep.out, "depth 0.5: b moved by 0.5 along (-1, ")) << deep.out;
  // Solid: the cube's surface is inside of the ball.
  folder.write("large.json", R"({"touche_shape": 1, "shape": {"type": "sphere", "radius": 9}})");
  EXPECT_EQ(touche_cli(folder, "collide large.json cube.off").exit_code, 1);
  EXPECT_EQ(touche_cli(folder, "collide ball.json cube.off --method median").exit_code, 2);
}

TEST(CliShapes, CollideTellsWhere) {
  const Shapes folder("cli-shapes-where");
  // A mesh whose face is at x = 3.5, and a ball that reaches 0.1 through it.
  const Outcome text = touche_cli(folder, "collide ball.json wall.off --pose-a \"2.6,0,0\"");
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_TRUE(has(text.out, "point 1:\n  a: sphere at (3.6, 0, 0)\n  b: face ")) << text.out;
  EXPECT_TRUE(has(text.out, "at (3.5, 0, 0)\n  normal from a to b: (1, 0, 0)\n  separation -0.1"))
      << text.out;
  EXPECT_FALSE(has(text.out, "depth")) << text.out;
  // A block 0.25 m into the cube's upper face: the cube has the face's corners, whatever its
  // triangles are.
  folder.write("slab.json", R"({"touche_shape": 1, "shape": {"type": "box", "size": [4, 4, 1]}})");
  const auto ask = [&](const std::string& arguments) {
    return Json::parse(touche_cli(folder, "collide " + arguments + " --json").out);
  };
  const Json slab = ask("cube.off slab.json --pose-b \"0.5,0.5,1.25\"");
  EXPECT_TRUE(slab["complete"]);
  EXPECT_FALSE(slab.contains("depth"));
  int on_top = 0;
  for (const Json& c : slab["contacts"]) {
    EXPECT_TRUE(c["face_a"].is_number());
    EXPECT_TRUE(c["face_b"].is_null());
    on_top += std::abs(c["separation"].get<double>() + 0.25) < 1e-9 &&
              c["normal"] == Json({0.0, 0.0, 1.0}) && c["point_a"][2] == 1.0;
  }
  EXPECT_EQ(on_top, 4) << slab;
  const Json one = ask("cube.off slab.json --pose-b \"0.5,0.5,1.25\" --max-contacts 1");
  EXPECT_FALSE(one["complete"]);
  EXPECT_EQ(one["contacts"].size(), 1u);
  // Two shapes, a shape and the ground, and what is apart.
  const Json dice = ask("die.json die.json --pose-b \"1,1,1.5\"");
  EXPECT_EQ(dice["contacts"].size(), 4u) << dice;
  for (const Json& c : dice["contacts"]) EXPECT_NEAR(c["separation"].get<double>(), -0.5, 1e-12);
  const Json ground = ask("ground.json die.json --pose-b \"0,0,0.75\"");
  EXPECT_EQ(ground["contacts"].size(), 4u) << ground;
  EXPECT_FALSE(has(ground.dump(), "-0.0")) << ground;
  const Json apart = ask("ball.json wall.off");
  EXPECT_FALSE(apart["intersects"]);
  EXPECT_EQ(apart["contacts"], Json::array());
}

TEST(CliShapes, CollideTellsTheWayOut) {
  const Shapes folder("cli-shapes-separation");
  // Two meshes: the cube from 0 to 1, its copy 0.75 m farther.
  const Outcome deep =
      touche_cli(folder, "collide cube.off cube.off --pose-b 0.75,0,0 --separation");
  EXPECT_EQ(deep.exit_code, 1) << deep.err;
  EXPECT_TRUE(has(deep.out, "contact: they touch or are in each other")) << deep.out;
  EXPECT_TRUE(has(deep.out, "along (1, ")) << deep.out;
  const Outcome json =
      touche_cli(folder, "collide cube.off cube.off --pose-b 0.75,0,0 --separation --json");
  const Json found = Json::parse(json.out);
  EXPECT_EQ(found["status"], "overlapping");
  EXPECT_NEAR(found["distance"]["lower"].get<double>(), -0.25, 1e-4);
  EXPECT_NEAR(found["shift"][0].get<double>(), 0.25, 1e-4);
  EXPECT_TRUE(found["complete"]);
  // Surfaces that do not meet: one is inside, or they are apart.
  const Outcome inside = touche_cli(folder, "collide die.json cube.off --separation --json");
  EXPECT_EQ(inside.exit_code, 1) << inside.out;
  EXPECT_NEAR(Json::parse(inside.out)["distance"]["lower"].get<double>(), -1, 1e-3);
  const Outcome apart = touche_cli(folder, "collide cube.off wall.off --separation");
  EXPECT_EQ(apart.exit_code, 0) << apart.err;
  EXPECT_TRUE(has(apart.out, "free: 2.5 apart")) << apart.out;
  const Outcome grounds = touche_cli(folder, "collide ground.json ground.json --separation");
  EXPECT_EQ(grounds.exit_code, 2);
  EXPECT_TRUE(has(grounds.err, "half space")) << grounds.err;
  for (const char* wrong :
       {"cube.off wall.off --tolerance 1e-3", "cube.off wall.off --separation --tolerance 0",
        "cube.off wall.off --separation --method median",
        "cube.off wall.off --separation --max-contacts 1"})
    EXPECT_EQ(touche_cli(folder, std::string("collide ") + wrong).exit_code, 2) << wrong;
}

TEST(CliShapes, CollideSaysWhereTheWayOutIsNotFoundAsAsked) {
  const Shapes folder("cli-shapes-incomplete");
  const std::string ask = "collide cube.off cube.off --pose-b 0.75,0,0 --separation";
  EXPECT_FALSE(has(touche_cli(folder, ask).out, "not complete"));
  const Outcome fine = touche_cli(folder, ask + " --tolerance 1e-300");
  EXPECT_EQ(fine.exit_code, 1);
  EXPECT_TRUE(has(fine.out,
                  "not complete: lengths are proved, but not found to two tolerances "
                  "(1e-300 each)"))
      << fine.out;
  EXPECT_EQ(Json::parse(touche_cli(folder, ask + " --tolerance 1e-300 --json").out)["complete"],
            false);
}

// Two half spaces have no time of impact, whatever the tolerance is.
TEST(CliShapes, ToiOfTwoHalfSpacesIsRefusedAsSuch) {
  const Shapes folder("cli-shapes-half-spaces");
  for (const char* tolerance : {"", " --tolerance 1e-3"}) {
    const Outcome refused =
        touche_cli(folder, std::string("toi ground.json ground.json --to 0,0,5") + tolerance);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(has(refused.err, "half space")) << refused.err;
    EXPECT_FALSE(has(refused.err, "tolerance")) << refused.err;
  }
}

TEST(CliShapes, ZeroHasNoSign) {
  const Shapes folder("cli-shapes-zero");
  for (const char* question :
       {"collide ground.json ball.json", "collide ball.json ground.json",
        "collide ground.json ball.json --separation", "collide ball.json ground.json --separation",
        "collide cube.off cube.off --pose-b 0.75,0,0 --separation",
        "distance ground.json ball.json --pose-b 0,0,3",
        "toi ball.json ground.json --from 0,0,3 --to 0,0,0", "toi cube.off wall.off --to 4,0,0",
        "collide cube.off cube.off --pose-b 0.75,0,0"})
    for (const char* form : {"", " --json"}) {
      const std::string out = touche_cli(folder, std::string(question) + form).out;
      EXPECT_TRUE(has(out, "0")) << question;
      for (const char* zero : {"-0,", "-0)", "-0.0,", "-0.0\n"})
        EXPECT_FALSE(has(out, zero)) << question << form << "\n" << out;
    }
}

TEST(CliShapes, PathIsThatOfTheShapes) {
  const Shapes folder("cli-shapes-path");
  const auto path = [&](const std::string& arguments, int exit_code) {
    const Outcome outcome = touche_cli(folder, "path --json " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
  };
  const Json beside = path("ball.json wall.off --to 0,9,0", 0);
  EXPECT_EQ(beside["verdict"], "free");
  EXPECT_NEAR(beside["least_clearance"]["found"].get<double>(), 2.5, 1e-6);
  EXPECT_FALSE(beside.contains("remarks"));
  // Through the wall, whose other face is at x = 3.6.
  const Json through = path("ball.json wall.off --to 9,0,0", 1);
  EXPECT_EQ(through["verdict"], "clash");
  ASSERT_EQ(through["contacts"].size(), 1u);
  const Json& contact = through["contacts"][0];
  EXPECT_NEAR(contact["touched_at"].get<double>(), 2.5 / 9, 1e-5);
  EXPECT_NEAR(contact["free_from"].get<double>(), 4.6 / 9, 1e-5);
  EXPECT_TRUE(contact["first"]["face_a"].is_null());
  EXPECT_TRUE(contact["first"]["face_b"].is_number());
  EXPECT_FALSE(contact["first"].contains("feature_b"));
  const Json down = path("ball.json ground.json --from 0,0,3 --to 0,0,0.5", 1);
  EXPECT_EQ(down["verdict"], "clash");
  EXPECT_NEAR(down["contacts"][0]["touched_at"].get<double>(), 0.8, 1e-5);
  EXPECT_NEAR(down["contacts"][0]["deepest"]["lower"].get<double>(), 0.5, 0.06);
  EXPECT_EQ(path("ground.json ball.json --to 0,0,-1 --pose-b 0,0,2", 0)["verdict"], "free");
  // The polyhedron around the ball is not apart from the post.
  const Json passes = path("ball.json post.json --from 0,-0.3,0 --to 0,0.3,0", 0);
  EXPECT_EQ(passes["verdict"], "free");
  EXPECT_NEAR(passes["least_clearance"]["found"].get<double>(), 5e-4, 1e-6);
  const Outcome text = touche_cli(folder, "path ball.json wall.off --to 9,0,0");
  EXPECT_TRUE(has(text.out, "    a: sphere at (")) << text.out;
  EXPECT_TRUE(has(text.out, "    b: face ")) << text.out;
}

TEST(CliShapes, PathBesideAnOpenMeshTellsTheError) {
  const Shapes folder("cli-shapes-open");
  folder.write("square.off", "OFF\n4 1 0\n3.5 -2 -2\n3.5 3 -2\n3.5 3 3\n3.5 -2 3\n4 0 1 2 3\n");
  const char* remark =
      "ball.json: beside this mesh the round shape is tested as a polyhedron around it, which "
      "is larger by up to 0.001";
  for (const char* files : {"ball.json square.off", "square.off ball.json"}) {
    const Outcome free = touche_cli(folder, std::string("path ") + files + " --to 0,9,0");
    EXPECT_EQ(free.exit_code, 0) << free.err;
    EXPECT_TRUE(has(free.err, remark)) << free.err;
    EXPECT_TRUE(has(free.out, "free, proved")) << free.out;
  }
  const Outcome through = touche_cli(folder, "path ball.json square.off --to 9,0,0 --json");
  EXPECT_EQ(through.exit_code, 1) << through.err;
  EXPECT_TRUE(has(Json::parse(through.out)["remarks"][0].get<std::string>(), remark));
  // Exact: a polytope, and the ground.
  for (const char* question :
       {"die.json square.off --to 0,9,0", "square.off ground.json --to 9,0,0 --pose-b 0,0,-3"}) {
    const Outcome exact = touche_cli(folder, std::string("path ") + question);
    EXPECT_EQ(exact.exit_code, 0) << question << exact.out;
    EXPECT_EQ(exact.err, "") << question;
  }
}

TEST(CliShapes, ClashAndInfoTellTheError) {
  const Shapes folder("cli-shapes-clash");
  const Outcome clash = touche_cli(folder, "clash ball.json cube.off wall.off --json");
  EXPECT_EQ(clash.exit_code, 1);  // the cube's corner is in the ball
  const Json result = Json::parse(clash.out);
  EXPECT_EQ(result["counts"]["clash"], 1);
  EXPECT_TRUE(has(result["remarks"].dump(), "larger by up to 0.001 mm")) << result["remarks"];
  EXPECT_EQ(touche_cli(folder, "clash die.json wall.off").exit_code, 0);
  // The ball itself is apart from the post: that is no clash.
  const Outcome touch = touche_cli(folder, "clash ball.json post.json --touching 1e-6 --json");
  EXPECT_EQ(touch.exit_code, 0) << touch.out;
  EXPECT_EQ(Json::parse(touch.out)["counts"]["touching"], 1);
  const Outcome info = touche_cli(folder, "info ball.json ground.json");
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_TRUE(has(info.out, "sphere, solid and convex")) << info.out;
  EXPECT_TRUE(has(info.out, "4.18879")) << info.out;
  EXPECT_TRUE(has(info.out, "it has no end")) << info.out;
}

TEST(CliShapes, StudiesAndSimulationsNameThem) {
  const Shapes folder("cli-shapes-named");
  Json study = test::box_study();
  study["parts"][0]["file"] = "ball.json";
  folder.write("study.json", study.dump());
  const Outcome answer = touche_cli(folder, "study study.json");
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_TRUE(has(answer.out, "At the first contact they may still be up to 0.001 mm apart"))
      << answer.out;
  folder.write("scene.json", R"({"touche_scene": 1, "unit": "m", "duration": 0.05,
    "tolerance": 1e-3, "density": 1000, "bodies": [
    {"name": "ball", "file": "ball.json", "pose": {"translation": [0, 0, 3]}},
    {"name": "ground", "file": "ground.json", "fixed": true}]})");
  EXPECT_EQ(touche_cli(folder, "simulate scene.json").exit_code, 0);
}

TEST(CliShapes, NamesWhatIsWrong) {
  const Shapes folder("cli-shapes-wrong");
  const auto refused = [&](const std::string& arguments, const char* why) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, why)) << outcome.err;
  };
  refused("distance wrong.json ball.json", "wrong.json:/shape/radius: -1, expected more than 0");
  refused("distance other.json ball.json", "other.json:/: expected a shape");
  refused("distance none.json ball.json", "none.json");
  refused("distance ball.json ball.json --scale-a 2", "--scale-a: a shape is not scaled");
  refused("distance ground.json ground.json", "half space");
  refused("path ground.json ground.json --to \"0,0,1\"", "half space");
  refused("path ball.json wall.off --to \"0,0,1\" --scale-a 2", "--scale-a: a shape is not scaled");
  refused("clash ground.json ball.json", "ground.json:/shape: a half space has no end");
  refused("clash other.json ball.json", "a study is checked by itself");
  refused("toi ball.json ball.json --to \"1,0,0\" --chord-error 1",
          "--chord-error is for drawings");
}

}  // namespace
}  // namespace touche::cli_shapes_test
