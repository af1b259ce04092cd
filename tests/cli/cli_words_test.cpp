// SPDX-License-Identifier: Apache-2.0
// What commands say beside their answer: doubts about the input, lengths in the unit that was
// typed, and what to give instead of a wrong file.
#include <gtest/gtest.h>

#include <array>

#include "cli_run.h"
#include "touche/io.h"

namespace touche::cli_words_test {
namespace {

using test::box_study;
using test::has;
using test::Outcome;
using test::StudyFolder;
using test::touche_cli;
using Json = nlohmann::json;

// A cube of `size` at x, in a file whose format has metres.
void write_cube(const StudyFolder& folder, const std::string& name, double x, double size) {
  folder.write("cube-of-glb.off", test::box_off(x, 0, 0, x + size, size, size));
  const PolygonSoup soup = load_soup(folder.path() / "cube-of-glb.off");
  Assembly assembly;
  AssemblyMesh mesh;
  for (const Vec3& v : soup.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  assembly.meshes = {mesh};
  AssemblyNode node;
  node.name = node.step = name;
  node.parent = kNone;
  node.meshes = {0};
  assembly.nodes = {node};
  save_assembly(assembly, folder.path() / (name + ".glb"));
}

// ---- units
// ---------------------------------------------------------------------------------------

TEST(CliWords, PartsOfVeryDifferentSizeDoubtTheUnit) {
  const StudyFolder folder("words-sizes");
  folder.write("small.off", test::box_off(9, 0, 0, 9.04, 0.04, 0.04));  // 25 times
  folder.write("less.off", test::box_off(9, 0, 0, 9.06, 0.06, 0.06));   // 17 times
  Json study = box_study();
  study["parts"][1]["file"] = "small.off";
  folder.write("study.json", study.dump());
  folder.write("scene.json", R"({"touche_scene": 1, "unit": "mm", "duration": 0.02,
    "tolerance": 0.001, "gravity": [0, 0, 0], "bodies": [
      {"name": "large", "file": "cube.off", "density": 1000},
      {"name": "small", "file": "small.off", "density": 1000}]})");
  for (const char* command :
       {"collide cube.off small.off", "collide cube.off small.off --separation",
        "path cube.off small.off --to 1,0,0", "toi cube.off small.off --to 1,0,0",
        "distance cube.off small.off", "clash cube.off small.off", "study study.json",
        "simulate scene.json"}) {
    const Outcome outcome = touche_cli(folder, command);
    EXPECT_TRUE(has(outcome.err, "is 1.732") && has(outcome.err, "is 0.0693") &&
                has(outcome.err, "--unit"))
        << command << ": " << outcome.err;
    std::string other = command;
    for (std::size_t at; (at = other.find("small")) != std::string::npos;)
      other.replace(at, 5, "less");
    if (!has(other, ".json")) {
      EXPECT_EQ(touche_cli(folder, other).err, "") << other;
    }
  }
  // A unit that is given is not doubted.
  for (const char* command :
       {"collide cube.off small.off --unit-a mm --unit-b mm", "clash cube.off small.off --unit mm",
        "toi cube.off small.off --to 1,0,0 --scale-b 2"})
    EXPECT_EQ(touche_cli(folder, command).err, "") << command;
  for (Json& part : study["parts"]) part["unit"] = "mm";
  folder.write("study.json", study.dump());
  EXPECT_EQ(touche_cli(folder, "study study.json").err, "");
}

TEST(CliWords, AssembliesOfUnusualSizeDoubtTheUnit) {
  const StudyFolder folder("words-size");
  write_cube(folder, "a", 0, 150);
  write_cube(folder, "b", 200, 150);
  Json study = box_study();
  for (Json& part : study["parts"]) part["scale"] = 1;
  study["parts"][0] = {{"name", "mover"}, {"file", "large.off"}};
  folder.write("large.off", test::box_off(0, 0, 0, 1e5, 1, 1));
  folder.write("study.json", study.dump());
  for (const char* command : {"clash a.glb b.glb", "collide a.glb b.glb", "study study.json",
                              "path a.glb b.glb --to 1,0,0"})
    EXPECT_TRUE(has(touche_cli(folder, command).err, "if that is too large, give the unit"))
        << command << touche_cli(folder, command).err;
  write_cube(folder, "c", 0, 1e-4);
  write_cube(folder, "d", 2e-4, 1e-4);
  for (const char* command : {"clash c.glb d.glb", "collide c.glb d.glb"})
    EXPECT_TRUE(has(touche_cli(folder, command).err, "if that is too small, give the unit"))
        << command;
}

TEST(CliWords, FilesInDifferentUnitsAreNotMixedInSilence) {
  const StudyFolder folder("words-mixed");
  write_cube(folder, "a", 0, 1);
  Json study = box_study();
  study["parts"][0]["file"] = "a.glb";
  folder.write("study.json", study.dump());
  EXPECT_TRUE(has(touche_cli(folder, "study study.json").err,
                  "mover: a.glb is in m, and its coordinates are taken in mm"));
  // --unit converts a to the unit of b.
  const Outcome far = touche_cli(folder, "distance a.glb wall.off --unit-b mm --pose-a=-2000,0,0");
  EXPECT_TRUE(has(far.out, "distance: 1003.5")) << far.out << far.err;
  EXPECT_TRUE(has(touche_cli(folder, "distance a.glb wall.off --unit-a m").err,
                  "--unit-a: the unit of b is not known; give --unit-b, too"));
  EXPECT_EQ(touche_cli(folder, "distance a.glb wall.off --unit-a m --scale-a 2").exit_code, 2);
}

TEST(CliWords, FiguresComeBackInTheUnitThatWasTyped) {
  const StudyFolder folder("words-typed");
  write_cube(folder, "a", 0, 1);
  write_cube(folder, "b", 1.001, 1);
  const Outcome clash = touche_cli(folder, "clash a.glb b.glb --clearance 2mm");
  EXPECT_TRUE(has(clash.out, "1 pair is nearer than 2 mm (least 1 mm)")) << clash.out;
  const Outcome inches = touche_cli(folder, "clash a.glb b.glb --clearance 1in");
  EXPECT_TRUE(has(inches.out, "nearer than 1 in (least 0.0394 in)")) << inches.out;
  const Outcome number = touche_cli(folder, "clash a.glb b.glb --clearance 0.002");
  EXPECT_TRUE(has(number.out, "nearer than 0.002 m (least 0.001 m)")) << number.out;
  const Outcome near = touche_cli(folder, "path a.glb b.glb --to 0,0.5,0 --clearance 2mm");
  EXPECT_TRUE(has(near.out, "less than 2 mm apart")) << near.out << near.err;
  EXPECT_TRUE(has(near.out, "a travelled 500 mm")) << near.out;
  const Outcome toi = touche_cli(folder, "toi a.glb b.glb --to 0.1,0,0 --clearance 0.5mm");
  EXPECT_TRUE(has(toi.out, "first as near as 0.5 mm at t in")) << toi.out;
  EXPECT_TRUE(has(toi.out, "at (1000") && has(toi.out, ") mm")) << toi.out;
  const Outcome far = touche_cli(folder, "distance a.glb b.glb --max-distance 5cm");
  EXPECT_TRUE(has(far.out, "distance: 0.1") && has(far.out, " cm (proved")) << far.out;
  // Programs get the unit of the files.
  const Json json = Json::parse(touche_cli(folder, "clash a.glb b.glb --clearance 2mm --json").out);
  EXPECT_EQ(json["assembly"]["unit"], "m");
  EXPECT_EQ(json["options"]["clearance"], 0.002);
}

TEST(CliWords, ASentenceHasOneUnit) {
  const StudyFolder folder("words-one-unit");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {1.5025, 0, 0}}};
  folder.write("study.json", study.dump());
  const Outcome outcome = touche_cli(folder, "study study.json");
  EXPECT_TRUE(has(outcome.out, "clearance found is 0.0025 mm")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "µm")) << outcome.out;
}

// ---- doubts
// --------------------------------------------------------------------------------------

TEST(CliWords, AToleranceAboveTheClearanceIsDoubted) {
  const StudyFolder folder("words-tolerance");
  Json study = box_study();
  study["tolerance"] = 0.5;
  study["clearance_threshold"] = 0.1;
  folder.write("study.json", study.dump());
  for (const char* command : {"study study.json", "clash study.json",
                              "clash cube.off wall.off --clearance 0.1mm --tolerance 0.5mm"})
    EXPECT_TRUE(has(touche_cli(folder, command).err,
                    "the tolerance of 0.5 mm is larger than the clearance of 0.1 mm"))
        << command << touche_cli(folder, command).err;
  for (const char* command : {"path", "toi"})
    EXPECT_TRUE(
        has(touche_cli(folder, std::string(command) +
                                   " cube.off wall.off --to 1,0,0 --tolerance 0.5 --clearance 0.1")
                .err,
            "the tolerance of 0.5 is larger than the clearance of 0.1"))
        << command;
}

TEST(CliWords, TimesThatDecreaseAreDoubted) {
  const StudyFolder folder("words-times");
  Json study = box_study();
  for (int i = 0; i < 3; ++i) study["groups"][0]["motion"]["poses"][i]["t"] = 2 - i;
  folder.write("study.json", study.dump());
  EXPECT_TRUE(has(touche_cli(folder, "study study.json").err,
                  "study.json:/groups/0/motion/poses: the times decrease, from 2 to 0"))
      << touche_cli(folder, "study study.json").err;
  folder.write("motion.csv", "t,x,y,z,qw,qx,qy,qz\n1,0,0,0,1,0,0,0\n0.5,2,0,0,1,0,0,0\n");
  study["groups"][0]["motion"] = {{"csv", "motion.csv"}};
  folder.write("study.json", study.dump());
  EXPECT_TRUE(has(touche_cli(folder, "study study.json").err,
                  "motion.csv: the times decrease, from 1 to 0.5"));
}

// A quaternion in the order x, y, z, w is a half turn where it should be none.
TEST(CliWords, AHalfTurnOfAQuaternionInTheWrongOrderIsDoubted) {
  const StudyFolder folder("words-order");
  const auto remark = [&](const Json& study) {
    folder.write("study.json", study.dump());
    return touche_cli(folder, "study study.json").err;
  };
  Json study = box_study();
  study["parts"][1]["pose"] = {{"quaternion", {0, 0, 0, 1}}};
  EXPECT_TRUE(has(remark(study),
                  "study.json:/parts/1/pose/quaternion: turns by 180° about (0, 0, 1): quaternions "
                  "are written w, x, y, z, and in the order x, y, z, w this one would turn by 0°"))
      << remark(study);
  study = box_study();
  study["groups"][0]["motion"]["poses"][2]["quaternion"] = {0, 0, 0.0099998, 0.99995};
  EXPECT_TRUE(has(remark(study), "study.json:/groups/0/motion/poses/2/quaternion: turns by 180°"))
      << remark(study);
  folder.write("motion.csv", "x,y,z,qw,qx,qy,qz\n0,0,0,0,0,0,1\n2,0,0,0,0,0.1,0.99498743710662\n");
  study["groups"][0]["motion"] = {{"csv", "motion.csv"}};
  EXPECT_TRUE(has(remark(study), "motion.csv:2: turns by 180°")) << remark(study);

  // Half turns that are reached step by step, or about another axis, are meant.
  study["groups"][0]["motion"] = {{"screw", {{"axis", {0, 0, 1}}, {"turns", 3}, {"pitch", 1}}}};
  EXPECT_EQ(remark(study), "");
  study = box_study();
  study["groups"][0]["motion"]["poses"][1]["quaternion"] = {0.7071068, 0, 0, 0.7071068};
  study["groups"][0]["motion"]["poses"][2]["quaternion"] = {0, 0, 0, 1};
  EXPECT_EQ(remark(study), "");
  study = box_study();
  study["parts"][1]["pose"] = {{"quaternion", {0, 1, 0, 0}}};
  EXPECT_EQ(remark(study), "");

  EXPECT_TRUE(has(touche_cli(folder, "collide cube.off wall.off --pose-b 0,0,0,0,0,0,1").err,
                  "--pose-b: turns by 180°"));
  EXPECT_TRUE(has(touche_cli(folder, "toi cube.off wall.off --to 1,0,0,0,0,0,1").err,
                  "--to: turns by 180°"));
  folder.write("scene.json", R"({"touche_scene": 1, "unit": "mm", "duration": 0.02,
    "tolerance": 0.001, "bodies": [{"name": "cube", "file": "cube.off", "density": 1000,
    "pose": {"quaternion": [0, 0, 0, 1]}}]})");
  const Outcome scene = touche_cli(folder, "simulate scene.json");
  EXPECT_TRUE(has(scene.err, "scene.json:/bodies/0/pose/quaternion: turns by 180°")) << scene.err;
}

// ---- verdicts
// ------------------------------------------------------------------------------------

TEST(CliWords, AFreeVerdictSaysHowFarEachPartWent) {
  const StudyFolder folder("words-travel");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {0, 9, 0}}};
  study["parts"].push_back(
      {{"name", "knob"}, {"file", "cube.off"}, {"pose", {{"translation", {0, 0, 9}}}}});
  study["groups"].push_back(
      {{"name", "turning"},
       {"parts", {"knob"}},
       {"motion", {{"screw", {{"point", {0.5, 0.5, 0}}, {"axis", {0, 0, 1}}, {"turns", 3}}}}}});
  folder.write("study.json", study.dump());
  const Outcome outcome = touche_cli(folder, "study study.json --out report");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(has(outcome.out, " The mover travelled 4 mm; the knob turned by 3 turns.\n"))
      << outcome.out;
  const Json result = test::read_json(folder.path() / "report" / "result.json");
  EXPECT_NEAR(result["groups"][0]["travel"]["length"], 4, 1e-9);
  EXPECT_NEAR(result["groups"][1]["travel"]["angle_deg"], 1080, 1e-6);
  const Outcome toi = touche_cli(folder, "toi cube.off wall.off --screw 0,0,0,0,0,1,180,0");
  EXPECT_TRUE(has(toi.out, "a travelled 2.221 and turned by 180°")) << toi.out;
  const Outcome path = touche_cli(folder, "path cube.off wall.off --to 0,0,40");
  EXPECT_TRUE(has(path.out, "a travelled 40\n")) << path.out;
}

TEST(CliWords, TouchingAtTheStartSaysWhatAllowsIt) {
  const StudyFolder folder("words-start");
  Json study = box_study();
  study["parts"][1]["pose"] = {{"translation", {-2.5, 0, 0}}};
  folder.write("study.json", study.dump());
  const Outcome outcome = touche_cli(folder, "study study.json");
  EXPECT_TRUE(has(outcome.out, "at the very start")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"may_separate\": true")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"allowed_contacts\"")) << outcome.out;
  study["may_separate"] = true;
  folder.write("study.json", study.dump());
  const Outcome still = touche_cli(folder, "study study.json");
  EXPECT_TRUE(has(still.out, "\"allowed_contacts\"")) << still.out;
  EXPECT_FALSE(has(still.out, "\"may_separate\": true")) << still.out;
  EXPECT_TRUE(has(touche_cli(folder, "toi cube.off cube.off --to 1,0,0").out, "--may-separate"));
}

TEST(CliWords, ImpactsAreNoContacts) {
  const StudyFolder folder("words-impacts");
  folder.write("scene.json", R"({"touche_scene": 1, "unit": "mm", "duration": 0.3,
    "tolerance": 0.01, "bodies": [
      {"name": "floor", "box": [50, 50, 1], "fixed": true},
      {"name": "die", "box": [2, 2, 2], "density": 1000, "restitution": 0.5,
       "pose": {"translation": [0, 0, 40]}}]})");
  const Outcome outcome = touche_cli(folder, "simulate scene.json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_FALSE(has(outcome.out, "impacts: 0")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "no two touched at any time: the ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out,
                  " happened across a gap, when bodies were nearer than the tolerance "
                  "of 0.01 mm"))
      << outcome.out;
}

// ---- wrong files
// ---------------------------------------------------------------------------------

TEST(CliWords, WrongFilesAreNamedWithWhatToGiveInstead) {
  const StudyFolder folder("words-files");
  touche_cli(folder, "clash cube.off wall.off --out then");
  folder.write("part.step", "ISO-10303-21;");
  folder.write("plan.dwg", "AC1032");
  Json study = box_study();
  study["parts"][0]["file"] = "part.step";
  folder.write("study.json", study.dump());
  const std::string clash = "clash cube.off wall.off --compare ";
  for (const auto& [arguments, part] : std::vector<std::pair<std::string, std::string>>{
           {clash + "then/pairs.csv", "this is a table: a comparison is with the result.json"},
           {clash + "then/pairs.csv", "such as then/result.json"},
           {clash + "then/report.html", "this is a page: a comparison is with the result.json"},
           {clash + "then", "this is a directory: a comparison is with the result.json"},
           {clash + "cube.off", "this is a mesh: a comparison is with the result.json"},
           {clash + "part.step", "this is a STEP file: a comparison is with the result.json"},
           {clash + "study.json", "no result of touche clash"},
           {"clash cube.off part.step", "part.step: not read, it is a STEP file: export its parts"},
           {"collide part.step cube.off", "export its parts as STL, 3MF or glTF"},
           {"info part.step", "export its parts as STL, 3MF or glTF"},
           {"study study.json", "export its parts as STL, 3MF or glTF"},
           {"study part.step", "a study is a JSON file"},
           {"simulate part.step", "a scene is a JSON file"},
           {"collide plan.dwg plan.dwg", "save it as DXF"}}) {
    const Outcome outcome = touche_cli(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, part)) << arguments << ": " << outcome.err;
  }
  // In a folder they are left out, each kind with one remark.
  std::filesystem::create_directories(folder.path() / "parts");
  for (const char* name : {"a.off", "b.off"})
    folder.write(std::string("parts/") + name, test::box_off(0, 0, 0, 1, 1, 1));
  for (const char* name : {"x.step", "y.STP"}) folder.write(std::string("parts/") + name, "");
  EXPECT_EQ(touche_cli(folder, "clash parts").err,
            "touche: parts/x.step: not read, it is a STEP file: export its parts as STL, 3MF or "
            "glTF; nor is 1 other file\n");
}

// ---- names
// ---------------------------------------------------------------------------------------

// The names in "... NAME and NAME, which overlap by ...".
std::array<std::string, 2> names_in(const std::string& sentence, const std::string& before) {
  const std::size_t begin = sentence.find(before) + before.size();
  const std::size_t middle = sentence.find(" and ", begin), end = sentence.find(", which", middle);
  return {sentence.substr(begin, middle - begin), sentence.substr(middle + 5, end - middle - 5)};
}

std::string accepting(const std::array<std::string, 2>& names) {
  return Json{{"touche_clash_rules", 1},
              {"accept", {{{"a", names[0]}, {"b", names[1]}, {"reason", "x"}}}}}
      .dump();
}

// Rules take the names that are printed, and these do not depend on other files.
TEST(CliWords, RulesTakeTheNamesThatArePrinted) {
  const StudyFolder folder("words-names");
  for (const char* name : {"parts", "parts/inner", "other"})
    std::filesystem::create_directories(folder.path() / name);
  folder.write("parts/a.off", test::box_off(0, 0, 0, 1, 1, 1));
  folder.write("parts/inner/b*[1].off", test::box_off(0.5, 0, 0, 1.5, 1, 1));
  folder.write("other/c.off", test::box_off(7, 0, 0, 8, 1, 1));
  folder.write("other/d.off", test::box_off(9, 0, 0, 10, 1, 1));
  const auto check = [&](const std::string& files, const std::string& more) {
    const std::string command = "clash " + files;
    const Outcome alone = touche_cli(folder, command);
    EXPECT_EQ(alone.exit_code, 1) << alone.out << alone.err;
    const auto names = names_in(alone.out, "clashes: ");
    folder.write("rules.json", accepting(names));
    for (const std::string& with : {command, command + " " + more, "clash " + more + " " + files}) {
      EXPECT_TRUE(has(touche_cli(folder, with).out, names[0] + " and " + names[1]) ||
                  has(touche_cli(folder, with).out, names[1] + " and " + names[0]))
          << with << touche_cli(folder, with).out;
      const Outcome accepted = touche_cli(folder, with + " --rules rules.json");
      EXPECT_EQ(accepted.exit_code, 0) << with << accepted.out << accepted.err;
    }
  };
  check("parts/a.off 'parts/inner/b*[1].off'", "other/c.off");
  check("parts", "other");
  check("parts/a.off 'parts/inner/b*[1].off'", "other");
  // Names of nodes, also where all of them begin with the same steps.
  touche_cli(folder, "scene engine-bay --parts 120 --triangles 80000 --out bay");
  const std::string bay = "clash bay/engine_bay.glb --unit mm";
  const auto worst = names_in(touche_cli(folder, bay).out, "worst are ");
  folder.write("rules.json", accepting(worst));
  for (const std::string& with :
       {bay, bay + " other/c.off", std::string("clash other bay/engine_bay.glb --unit mm")}) {
    EXPECT_TRUE(has(touche_cli(folder, with).out, worst[0] + " and " + worst[1])) << with;
    const Outcome accepted = touche_cli(folder, with + " --rules rules.json");
    EXPECT_TRUE(has(accepted.out, "1 is accepted by a rule")) << with << accepted.out;
    EXPECT_EQ(accepted.err, "") << with;
  }
}

}  // namespace
}  // namespace touche::cli_words_test
