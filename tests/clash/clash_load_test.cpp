// SPDX-License-Identifier: Apache-2.0
// Parts from files, folders and studies, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include "clash_scenes.h"
#include "io/gltf_files.h"
#include "touche/io.h"

namespace touche::clash_load_test {
namespace {

using test::load_one;
using test::StudyFolder;

AssemblyMesh box_mesh(const std::string& name) {
  const PolygonSoup box = scenes::box({0, 0, 0}, {1, 2, 3}, 1);
  AssemblyMesh mesh;
  mesh.name = name;
  for (const Vec3& v : box.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < box.face_count(); ++f) {
    const auto face = box.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  return mesh;
}

AssemblyNode node(const std::string& name, Index parent, std::vector<Index> meshes,
                  const Vec3& at = Vec3::Zero(), const Mat3& linear = Mat3::Identity()) {
  AssemblyNode made;
  made.name = made.step = name;
  made.parent = parent;
  made.meshes = std::move(meshes);
  made.translation = at;
  made.linear = linear;
  return made;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// Every corner of every part is where the assembly has it, and parts are as solid as they were.
void expect_as_placed(const ClashParts& parts, const Assembly& read) {
  for (const ClashPart& part : parts.parts) {
    const PolygonSoup placed = read.soup(read.find(part.name));
    const PolygonSoup& own = parts.objects[part.object].soup();
    ASSERT_EQ(own.vertex_count(), placed.vertex_count()) << part.name;
    for (Index v = 0; v < own.vertex_count(); ++v)
      EXPECT_LT((part.pose * own.vertex(v) - placed.vertex(v)).norm(), 1e-6) << part.name;
    EXPECT_GT(examine(own).volume, 0) << part.name;
  }
}

TEST(ClashLoad, NodesThatAreAlikeShareAnObject) {
  const StudyFolder folder("clash-nodes");
  Assembly assembly;
  assembly.meshes = {box_mesh("box"), box_mesh("other")};
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  assembly.nodes = {node("group", kNone, {}, {1, 0, 0}),
                    node("plain", 0, {0}, {5, 0, 0}),
                    node("turned", 0, {0}, {10, 0, 0}, turn),
                    node("large", 0, {0}, {20, 0, 0}, 2 * turn),
                    node("mirrored", 0, {0}, {30, 0, 0}, Vec3(-1, 1, 1).asDiagonal()),
                    node("large too", 0, {0}, {40, 0, 0}, 2 * (1 + 1e-8) * Mat3::Identity()),
                    node("both", 0, {0, 1}, {50, 0, 0})};
  const auto file = folder.path() / "a.glb";
  save_assembly(assembly, file);
  const ClashParts parts = load_one(file);
  ASSERT_EQ(parts.parts.size(), 6u);
  EXPECT_EQ(parts.objects.size(), 4u);
  EXPECT_EQ(parts.unit, "m");
  EXPECT_TRUE(parts.remarks.empty()) << parts.remarks[0];
  EXPECT_EQ(parts.parts[0].name, "group/plain");
  EXPECT_EQ(parts.parts[0].group, "group");
  EXPECT_EQ(parts.parts[2].object, parts.parts[4].object);
  expect_as_placed(parts, load_assembly(file));
}

TEST(ClashLoad, UnevenScalesAndShearsAreApplied) {
  const StudyFolder folder("clash-transforms");
  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Mat3 uneven = Vec3(1, 2, 0.5).asDiagonal();
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 0.3;
  Mat3 slight = Mat3::Identity();
  slight(0, 1) = 2e-5;
  assembly.nodes = {node("uneven", kNone, {0}, {0, 0, 0}, uneven),
                    node("turned", kNone, {0}, {10, 0, 0}, turn * uneven),
                    node("mirrored", kNone, {0}, {20, 0, 0}, -turn * uneven),
                    node("sheared", kNone, {0}, {30, 0, 0}, turn * shear),
                    node("sheared mirror", kNone, {0}, {40, 0, 0}, -shear),
                    node("turned before", kNone, {0}, {50, 0, 0}, uneven * turn)};
  const auto file = folder.path() / "a.glb";
  save_assembly(assembly, file);
  const ClashParts parts = load_one(file);
  ASSERT_EQ(parts.parts.size(), 6u);
  EXPECT_EQ(parts.parts[0].object, parts.parts[1].object);  // shared
  EXPECT_EQ(parts.objects.size(), 5u);
  EXPECT_TRUE(parts.left_out.empty());
  EXPECT_TRUE(parts.remarks.empty()) << parts.remarks[0];
  expect_as_placed(parts, load_assembly(file));
  // A rotation to the digits of the file is taken as one, which is said.
  assembly.nodes = {node("slight", kNone, {0}, {0, 0, 0}, slight)};
  save_assembly(assembly, file);
  EXPECT_EQ(load_one(file).remarks.size(), 1u);
}

TEST(ClashLoad, NodesThatCannotBePlacedAreNamed) {
  const StudyFolder folder("clash-left-out");
  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  assembly.nodes = {node("good", kNone, {0}), node("next", kNone, {0}, {5, 0, 0}),
                    node("group", kNone, {}), node("hidden", 2, {0}, {0, 0, 0}, Mat3::Zero()),
                    node("flat", 2, {0}, {0, 0, 0}, Vec3(1, 0, 1).asDiagonal())};
  const auto file = folder.path() / "a.glb";
  save_assembly(assembly, file);
  ClashParts parts = load_one(file);
  EXPECT_EQ(parts.parts.size(), 2u);
  ASSERT_EQ(parts.left_out.size(), 2u);
  EXPECT_EQ(parts.left_out[0].name, "group/hidden");
  EXPECT_EQ(parts.left_out[0].reason, "scaled by 0");
  EXPECT_EQ(parts.left_out[1].name, "group/flat");
  EXPECT_NE(parts.left_out[1].reason.find("singular"), std::string::npos);
  ASSERT_EQ(parts.remarks.size(), 2u);
  EXPECT_EQ(parts.remarks[0], "group/hidden is left out: scaled by 0");

  const ClashResult result = find_clashes(std::move(parts));
  EXPECT_EQ(clash_sentence(result),
            "No clash, proved: of 2 parts no two overlap; 2 nodes of the files were left out: "
            "group/hidden (scaled by 0), group/flat (its transform is singular: it makes the part "
            "flat, or a line).");
  const test::Json json = test::Json::parse(clash_json(result));
  EXPECT_EQ(json["left_out"].size(), 2u);
  EXPECT_EQ(json["left_out"][0]["name"], "group/hidden");
  EXPECT_EQ(json["left_out"][0]["reason"], "scaled by 0");

  // If nothing is left, it is an error.
  assembly.nodes = {node("group", kNone, {}), node("bad", 0, {0}, {0, 0, 0}, Mat3::Zero())};
  save_assembly(assembly, file);
  EXPECT_EQ(error_of([&] { (void)load_one(file); }),
            file.string() + ":node \"group/bad\": scaled by 0");
}

TEST(ClashLoad, ZIsUpInAllFiles) {
  const StudyFolder folder("clash-up");
  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  assembly.nodes = {node("box", kNone, {0}, {0, 0, 7})};
  save_assembly(assembly, folder.path() / "a.glb");
  const std::vector<std::filesystem::path> files = {folder.path() / "a.glb",
                                                    folder.path() / "cube.off"};
  const ClashParts parts = load_clash_parts(files, {.unit = "mm"});
  EXPECT_LT((parts.parts[0].pose * Vec3(0, 0, 1) - Vec3(0, 0, 8)).norm(), 1e-12);
  ASSERT_EQ(parts.turned.size(), 1u);
  EXPECT_EQ(parts.turned[0].file, files[0].generic_string());
  EXPECT_EQ(parts.turned[0].up, UpAxis::y);
  const test::Json json = test::Json::parse(clash_json(find_clashes(parts)));
  EXPECT_EQ(json["assembly"]["turned"][0]["up"], "y");
  EXPECT_FALSE(json["assembly"].contains("up"));
  // As they are.
  const ClashParts as_in_file = load_clash_parts(files, {.unit = "mm", .up = UpAxis::z});
  EXPECT_TRUE(as_in_file.turned.empty());
  EXPECT_LT((as_in_file.parts[0].pose * Vec3(0, 0, 1) - Vec3(0, 8, 0)).norm(), 1e-12);
  const ClashParts both = load_clash_parts(files, {.unit = "mm", .up = UpAxis::x});
  EXPECT_EQ(both.turned.size(), 2u);
}

TEST(ClashLoad, UnusualSizesDoubtTheUnit) {
  const StudyFolder folder("clash-sizes");
  folder.write("large.off", test::box_off(0, 0, 0, 200, 200, 200));
  folder.write("small.off", test::box_off(300, 0, 0, 301, 1, 1));
  const std::vector<std::filesystem::path> files = {folder.path() / "large.off",
                                                    folder.path() / "small.off"};
  const ClashParts apart = load_clash_parts(files);
  ASSERT_EQ(apart.remarks.size(), 1u);
  EXPECT_EQ(apart.remarks[0],
            "large.off is 346 mm in size, and small.off is 1.732 mm: the files do not say their "
            "units, and all are taken in mm (--unit)");
  EXPECT_TRUE(load_clash_parts(files, {.unit = "mm"}).remarks.empty());
  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  assembly.nodes = {node("a", kNone, {0}), node("b", kNone, {0}, {500, 0, 0})};
  const auto file = folder.path() / "a.glb";
  save_assembly(assembly, file);
  const ClashParts large = load_one(file);
  ASSERT_EQ(large.remarks.size(), 1u);
  EXPECT_NE(large.remarks[0].find("if that is too large, give the unit of the files by --unit"),
            std::string::npos)
      << large.remarks[0];
  EXPECT_TRUE(load_one(file, {.unit = "mm"}).remarks.empty());
  for (AssemblyNode& node : assembly.nodes) {
    node.linear *= 1e-5;
    node.translation *= 1e-6;
  }
  save_assembly(assembly, file);
  ASSERT_EQ(load_one(file).remarks.size(), 1u);
  EXPECT_NE(load_one(file).remarks[0].find("if that is too small"), std::string::npos);
}

TEST(ClashLoad, NothingIsLeftOutInSilence) {
  const StudyFolder folder("clash-remarks");
  Assembly assembly;
  assembly.meshes = {box_mesh("")};
  assembly.nodes = {node("bolt", kNone, {0}), node("bolt", kNone, {0}, {9, 0, 0}),
                    node("", kNone, {0}, {18, 0, 0})};
  const auto file = folder.path() / "a.glb";
  save_assembly(assembly, file);
  const ClashParts parts = load_one(file);
  EXPECT_EQ(parts.parts[1].name, "bolt#2");
  ASSERT_EQ(parts.remarks.size(), 2u);
  EXPECT_NE(parts.remarks[0].find("1 node has no name (\"unnamed\")"), std::string::npos);
  EXPECT_NE(parts.remarks[1].find("names of siblings") + parts.remarks[1].find("name of a sibling"),
            2 * std::string::npos);

  // A part without faces.
  folder.write("empty.dae", "");
  folder.write("points.gltf", R"({"asset": {"version": "2.0"}, "nodes": [
    {"name": "dots", "mesh": 0}], "meshes": [{"primitives": [{"mode": 0, "attributes": {}}]}]})");
  const std::string none = error_of([&] { (void)load_one(folder.path() / "points.gltf"); });
  EXPECT_NE(none.find("points.gltf: there is no part that has faces"), std::string::npos) << none;
  EXPECT_NE(error_of([&] { (void)load_one(folder.path() / "empty.dae"); }).find("empty.dae"),
            std::string::npos);
}

TEST(ClashLoad, FilesThatAreBadSayWhere) {
  const StudyFolder folder("clash-bad");
  const auto error_of_gltf = [&](const std::string& text) {
    folder.write("a.gltf", text);
    return error_of([&] { (void)load_one(folder.path() / "a.gltf"); });
  };
  // A cycle, and a buffer that is not there.
  EXPECT_NE(error_of_gltf(R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [
    {"name": "a", "children": [1]}, {"name": "b", "children": [0]}]})")
                .find("a.gltf:/nodes/0: the node has two parents, or is below itself"),
            std::string::npos);
  EXPECT_NE(error_of_gltf(R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"uri": "gone.bin", "byteLength": 36}]})")
                .find("gone.bin"),
            std::string::npos);
  EXPECT_NE(error_of([&] { (void)load_one(folder.path() / "none.glb"); }).find("none.glb"),
            std::string::npos);
  EXPECT_THROW((void)load_clash_parts({}), InvalidInput);
}

TEST(ClashLoad, FoldersAndListsOfFiles) {
  const StudyFolder folder("clash-folder");  // has cube.off and wall.off
  std::filesystem::create_directories(folder.path() / "inner");
  folder.write("inner/far.off", test::box_off(9, 9, 9, 10, 10, 10));
  folder.write("notes.txt", "nothing");
  const ClashParts parts = load_one(folder.path());
  ASSERT_EQ(parts.parts.size(), 3u);
  EXPECT_EQ(parts.parts[1].name, "inner/far.off");
  EXPECT_EQ(parts.parts[1].group, "inner");
  EXPECT_EQ(parts.unit, "mm");
  ASSERT_EQ(parts.remarks.size(), 1u);
  EXPECT_NE(parts.remarks[0].find("notes.txt: not read"), std::string::npos);

  const std::vector<std::filesystem::path> files = {folder.path() / "wall.off",
                                                    folder.path() / "inner/far.off"};
  EXPECT_EQ(load_clash_parts(files).parts[1].name, "far.off");
  const std::vector<std::filesystem::path> twice = {folder.path() / "wall.off",
                                                    folder.path() / "wall.off"};
  EXPECT_NE(
      error_of([&] { (void)load_clash_parts(twice); }).find("two parts are named \"wall.off\""),
      std::string::npos);

  // Of files with nodes, lengths are in metres; the name of the file distinguishes equal names.
  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  assembly.nodes = {node("group", kNone, {}), node("box", 0, {0}), node("other", kNone, {0})};
  save_assembly(assembly, folder.path() / "x.glb");
  save_assembly(assembly, folder.path() / "y.glb");
  const std::vector<std::filesystem::path> mixed = {folder.path() / "x.glb",
                                                    folder.path() / "wall.off"};
  EXPECT_NE(
      error_of([&] { (void)load_clash_parts(mixed); }).find("wall.off: its lengths are in mm"),
      std::string::npos);
  EXPECT_EQ(load_clash_parts(mixed, {.unit = "in"}).unit, "in");
  EXPECT_THROW((void)load_clash_parts(mixed, {.unit = "ell"}), InvalidInput);
  const std::vector<std::filesystem::path> two = {folder.path() / "x.glb", folder.path() / "y.glb"};
  EXPECT_EQ(load_clash_parts(two).parts[2].name, "y.glb/group/box");
  const std::string part = (folder.path() / "x.glb").string() + "#group";
  EXPECT_EQ(load_one(part).parts.size(), 1u);
}

// Two boxes side by side, each an object of one OBJ file.
std::string two_boxes() {
  const std::string first = test::box_off(0, 0, 0, 1, 1, 1),
                    second = test::box_off(2, 0, 0, 3, 1, 1);
  std::string text;
  int vertices = 0;
  for (const auto& [name, off] : {std::pair("crank", &first), std::pair("rod", &second)}) {
    text += std::string("o ") + name + "\n";
    std::istringstream in(off->substr(off->find('\n') + 1));
    int vertex_count = 0, face_count = 0, edges = 0;
    in >> vertex_count >> face_count >> edges;
    for (int v = 0; v < vertex_count; ++v) {
      std::string x, y, z;
      in >> x >> y >> z;
      text += "v " + x + " " + y + " " + z + "\n";
    }
    for (int f = 0; f < face_count; ++f) {
      int corners = 0, v = 0;
      text += "f";
      for (in >> corners; corners > 0 && in >> v; --corners)
        text += " " + std::to_string(vertices + v + 1);
      text += "\n";
    }
    vertices += vertex_count;
  }
  return text;
}

TEST(ClashLoad, FilesAreSplitOnRequest) {
  const StudyFolder folder("clash-split");
  folder.write("multi.obj", two_boxes() + "l 1 2\n");
  const auto file = folder.path() / "multi.obj";
  const ClashParts whole = load_one(file);
  ASSERT_EQ(whole.parts.size(), 1u);
  ASSERT_EQ(whole.remarks.size(), 1u);
  EXPECT_EQ(whole.remarks[0].find(file.string() + ": 1 line statement"), 0u) << whole.remarks[0];
  EXPECT_EQ(clash_json(find_clashes(whole)).find("\"split\""), std::string::npos);

  for (const auto& [how, names] : {std::pair(Split::objects, std::array{"crank", "rod"}),
                                   std::pair(Split::shells, std::array{"shell 1", "shell 2"})}) {
    const ClashParts parts = load_clash_parts({file}, {.split = how});
    ASSERT_EQ(parts.parts.size(), 2u);
    EXPECT_EQ(parts.parts[0].name, names[0]);
    EXPECT_EQ(parts.parts[1].name, names[1]);
    EXPECT_EQ(parts.remarks, whole.remarks);
    const ClashResult result = find_clashes(parts, {.clearance = 1.5});
    ASSERT_EQ(result.pairs.size(), 1u);
    EXPECT_EQ(result.pairs[0].distance.upper, 1);
    EXPECT_EQ(test::Json::parse(clash_json(result))["assembly"]["split"], std::string(name(how)));
  }

  // Parts by their names.
  const std::vector<std::filesystem::path> named = {file.string() + "#rod",
                                                    file.string() + "#shell 1"};
  const ClashParts two = load_clash_parts(named);
  ASSERT_EQ(two.parts.size(), 2u);
  EXPECT_EQ(two.parts[0].name, "rod");
  EXPECT_EQ(two.parts[1].name, "shell 1");
  EXPECT_EQ(two.remarks, whole.remarks);  // once, although the file is given twice
  const std::vector<std::filesystem::path> files = {file, folder.path() / "cube.off"};
  EXPECT_EQ(load_clash_parts(files, {.split = Split::objects}).parts[2].name, "cube.off/unnamed");

  Assembly assembly;
  assembly.meshes = {box_mesh("box")};
  assembly.nodes = {node("box", kNone, {0})};
  save_assembly(assembly, folder.path() / "x.glb");
  EXPECT_THROW((void)load_clash_parts({folder.path() / "x.glb"}, {.split = Split::shells}),
               InvalidInput);
  try {
    (void)load_clash_parts({file}, {.split = Split::layers});
    ADD_FAILURE() << "a mesh has no layers";
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("meshes have no layers; drawings (SVG, DXF) are split"),
              std::string::npos)
        << e.what();
  }
}

TEST(ClashLoad, AStudyAtAPlaceOfItsPath) {
  const StudyFolder folder("clash-study");
  test::Json study = test::box_study();
  study["allowed_contacts"] = {{{"parts", {"mover", "wall"}}, {"reason", "a door"}}};
  folder.write("study.json", study.dump());
  const Study loaded = load_study(folder.path() / "study.json");
  EXPECT_TRUE(find_clashes(clash_parts(loaded, 0)).pairs.empty());
  const ClashResult end = find_clashes(clash_parts(loaded, 0.75));
  ASSERT_EQ(end.pairs.size(), 1u);
  EXPECT_EQ(end.pairs[0].verdict, ClashPairVerdict::clash);
  EXPECT_EQ(end.pairs[0].accepted, "a door");
  EXPECT_EQ(end.verdict, ClashVerdict::free);
  EXPECT_NEAR(end.pairs[0].thickness.diameter.lower, 0.1, 0.01);
  EXPECT_THROW((void)clash_parts(loaded, 1.5), InvalidInput);
}

TEST(ClashLoad, RuleFiles) {
  const ClashRules rules = parse_clash_rules(
      R"({"touche_clash_rules": 1, "ignore": [{"a": "bolt*", "b": "nut*", "reason": "thread"}],
          "accept": [], "same_group": "accept", "parent_and_child": "ignore"})",
      "rules.json");
  ASSERT_EQ(rules.ignore.size(), 1u);
  EXPECT_EQ(rules.ignore[0].b, "nut*");
  EXPECT_EQ(rules.same_group, ClashRuling::accept);
  EXPECT_EQ(rules.parent_and_child, ClashRuling::ignore);
  const auto error_with = [](const char* text) {
    return error_of([&] { (void)parse_clash_rules(text, "rules.json"); });
  };
  EXPECT_NE(error_with(R"({"touche_clash_rules": 1, "ignored": []})").find("ignored"),
            std::string::npos);
  EXPECT_NE(
      error_with(R"({"touche_clash_rules": 1, "same_group": "yes"})").find("/same_group: \"yes\""),
      std::string::npos);
  EXPECT_NE(error_with(R"({"touche_clash_rules": 1, "accept": [{"a": "x", "b": "y"}]})")
                .find("/accept/0"),
            std::string::npos);
  EXPECT_NE(error_with(R"({"touche_clash_rules": 2})").find("format version 2"), std::string::npos);
  EXPECT_NE(error_with("{}").find("touche_clash_rules"), std::string::npos);
}

// A door that an animation moves by 4 along x from 1 s to 3 s, and a wall in a file without one.
TEST(ClashLoad, PartsAreWhereAnAnimationHasThem) {
  const StudyFolder folder("clash-animation");
  test::GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0}),
                    times = file.array(test::raws<float>({1, 3}), 5126, "SCALAR", 2),
                    places = file.positions({0, 0, 0, 4, 0, 0});
  folder.write("door.gltf",
               file.text("\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":" + position +
                         "}}]}]," + test::nodes({"\"mesh\":0,\"name\":\"door\""}) +
                         ",\"animations\":[{\"name\":\"open\",\"samplers\":[{\"input\":" + times +
                         ",\"output\":" + places +
                         "}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
                         "\"translation\"}}]}]"));
  Assembly wall;
  wall.meshes = {box_mesh("wall")};
  wall.nodes = {node("wall", kNone, {0}, {4, 0, 0})};
  save_assembly(wall, folder.path() / "wall.glb");
  const std::vector<std::filesystem::path> files = {folder.path() / "door.gltf",
                                                    folder.path() / "wall.glb"};
  const auto remarks_on_animations = [](const ClashParts& parts) {
    return std::count_if(parts.remarks.begin(), parts.remarks.end(), [](const std::string& remark) {
      return remark.find("its animations ('open') are not used") != std::string::npos;
    });
  };
  const ClashParts at_rest = load_clash_parts(files);
  EXPECT_FALSE(at_rest.animation);
  EXPECT_EQ(remarks_on_animations(at_rest), 1);
  EXPECT_EQ(at_rest.parts[0].pose.translation(), Vec3(0, 0, 0));
  const ClashParts open = load_clash_parts(files, {.animation = AnimationTime{"open", 2}});
  ASSERT_TRUE(open.animation);
  EXPECT_EQ(open.animation->seconds, 2);
  EXPECT_EQ(remarks_on_animations(open), 0);
  EXPECT_EQ(open.parts[0].pose.translation(), Vec3(2, 0, 0));
  EXPECT_EQ(open.parts[1].pose.translation(), at_rest.parts[1].pose.translation());
  EXPECT_EQ(error_of([&] {
              (void)load_clash_parts(files, {.animation = AnimationTime{"close", 2}});
            }),
            "no file has an animation \"close\"; touche info lists them");
}

}  // namespace
}  // namespace touche::clash_load_test
