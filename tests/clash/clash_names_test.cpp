// SPDX-License-Identifier: Apache-2.0
// Names of parts: the same beside other files, and taken by rules and notes.
#include <gtest/gtest.h>

#include "clash_scenes.h"
#include "touche/io.h"

namespace touche::clash_names_test {
namespace {

using test::StudyFolder;
namespace fs = std::filesystem;

std::vector<std::string> names_of(const std::vector<fs::path>& files,
                                  const ClashLoadOptions& options = {}) {
  std::vector<std::string> names;
  for (const ClashPart& part : load_clash_parts(files, options).parts) names.push_back(part.name);
  return names;
}

// An assembly "frame" with two cubes "left" and "right", which overlap.
void write_assembly(const fs::path& file, const std::string& left = "left",
                    const std::string& right = "right") {
  Assembly assembly;
  const PolygonSoup cube = test::cube(0, 1);
  AssemblyMesh mesh;
  for (const Vec3& v : cube.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < cube.face_count(); ++f) {
    const auto face = cube.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  assembly.meshes = {mesh};
  AssemblyNode frame;
  frame.name = frame.step = "frame";
  frame.parent = kNone;
  AssemblyNode a = frame, b = frame;
  a.name = a.step = left;
  b.name = b.step = right;
  a.parent = b.parent = 0;
  a.meshes = b.meshes = {0};
  b.translation = {0.5, 0, 0};
  assembly.nodes = {frame, a, b};
  save_assembly(assembly, file);
}

struct Files {
  Files() : folder("clash-names") {
    for (const char* name : {"v1", "v2", "all", "all/inner"}) fs::create_directories(path(name));
    write_assembly(path("x.glb"));
    write_assembly(path("y.glb"), "up", "down");
    write_assembly(path("z.glb"));
    for (const char* name : {"v1/a.off", "v2/a.off", "v2/b.off", "all/inner/b.off"})
      folder.write(name, test::box_off(9, 9, 9, 10, 10, 10));
    write_assembly(path("all/x.glb"));
    write_assembly(path("all/inner/y.glb"));
  }
  fs::path path(const char* name) const { return folder.path() / name; }
  StudyFolder folder;
};

using Names = std::vector<std::string>;

TEST(ClashNames, DoNotDependOnOtherFiles) {
  const Files files;
  const auto path = [&](const char* name) { return files.path(name); };
  EXPECT_EQ(names_of({path("x.glb")}), (Names{"frame/left", "frame/right"}));
  EXPECT_EQ(names_of({path("x.glb"), path("y.glb")}),
            (Names{"frame/left", "frame/right", "frame/up", "frame/down"}));
  EXPECT_EQ(names_of({path("v1/a.off"), path("x.glb")}, {.unit = "mm"}),
            (Names{"a.off", "frame/left", "frame/right"}));
  EXPECT_EQ(names_of({path("v1/a.off"), path("v2/b.off")}), (Names{"a.off", "b.off"}));
  // Where files have parts of one name, the names of files and folders distinguish these.
  EXPECT_EQ(names_of({path("x.glb"), path("y.glb"), path("z.glb")}),
            (Names{"x.glb/frame/left", "x.glb/frame/right", "frame/up", "frame/down",
                   "z.glb/frame/left", "z.glb/frame/right"}));
  EXPECT_EQ(names_of({path("v1/a.off"), path("v2")}), (Names{"v1/a.off", "v2/a.off", "b.off"}));
  // In a folder, nodes have the names of their files if several have nodes.
  const Names in_folder = {"inner/b.off", "inner/y.glb/frame/left", "inner/y.glb/frame/right",
                           "x.glb/frame/left", "x.glb/frame/right"};
  EXPECT_EQ(names_of({path("all")}, {.unit = "mm"}), in_folder);
  Names with_more = in_folder;
  with_more.insert(with_more.end(), {"frame/up", "frame/down"});
  EXPECT_EQ(names_of({path("all"), path("y.glb")}, {.unit = "mm"}), with_more);
  EXPECT_THROW((void)names_of({path("x.glb"), path("x.glb")}), LoadError);
}

TEST(ClashNames, GroupsOfDifferentFilesAreDifferent) {
  const Files files;
  ClashRules rules;
  rules.same_group = ClashRuling::ignore;
  const ClashResult result =
      find_clashes(load_clash_parts({files.path("x.glb"), files.path("y.glb")}), {.rules = rules});
  EXPECT_EQ(result.ignored, 2u);  // of each file one
  EXPECT_EQ(result.count(ClashPairVerdict::clash), 4u);
  rules.same_group = ClashRuling::none;
  rules.parent_and_child = ClashRuling::ignore;
  EXPECT_EQ(
      find_clashes(load_clash_parts({files.path("x.glb"), files.path("z.glb")}), {.rules = rules})
          .ignored,
      0u);
}

TEST(ClashNames, RulesAndNotesOfOneFileHoldBesideOthers) {
  const Files files;
  const auto accepted = [&](const std::vector<fs::path>& given, ClashRules rules) {
    const ClashResult result = find_clashes(load_clash_parts(given), {.rules = std::move(rules)});
    EXPECT_TRUE(result.remarks.empty()) << result.remarks[0];
    return result.accepted[static_cast<std::size_t>(ClashPairVerdict::clash)];
  };
  const std::vector<fs::path> one = {files.path("x.glb")},
                              two = {files.path("x.glb"), files.path("y.glb")},
                              alike = {files.path("x.glb"), files.path("z.glb")};
  const ClashRules rule{.accept = {{"frame/left", "frame/right", "r"}}};
  EXPECT_EQ(accepted(one, rule), 1u);
  EXPECT_EQ(accepted(two, rule), 1u);
  EXPECT_EQ(accepted(alike, rule), 4u);  // both files have parts of these names
  const ClashRules pattern{.accept = {{"frame/l*", "frame/r*", "r"}}};
  EXPECT_EQ(accepted(alike, pattern), 4u);
  // Names with the file, as they were before and as they are where they are needed.
  const ClashRules long_rule{.accept = {{"x.glb/frame/left", "x.glb/frame/right", "r"}}};
  EXPECT_EQ(accepted(two, long_rule), 1u);
  EXPECT_EQ(accepted(alike, long_rule), 1u);

  ClashRules notes;
  add_accepted(notes, {{"frame/left", "frame/right", "", true}});
  EXPECT_EQ(accepted(two, notes), 1u);
  ClashRules long_notes;
  add_accepted(long_notes, {{"x.glb/frame/left", "x.glb/frame/right", "", true}});
  EXPECT_EQ(accepted(one, long_notes), 1u);
  EXPECT_EQ(accepted(two, long_notes), 1u);
  EXPECT_EQ(accepted(alike, long_notes), 1u);
}

// A name that reads as a pattern selects its part.
TEST(ClashNames, SelectTheirPartWhateverTheirCharacters) {
  for (const char* name : {"a\\b", "x*", "[1]", "a?c", "M8\\*20", "frame/a\\b", "#2"}) {
    EXPECT_TRUE(matches(name, name)) << name;
    EXPECT_TRUE(matches(name, std::string("file.glb/") + name)) << name;
  }
  EXPECT_FALSE(matches("eft", "frame/left"));
  EXPECT_FALSE(matches("me/left", "frame/left"));
}

// Sentences, tables and pictures show whole names.
TEST(ClashNames, AreShownAsRulesTakeThem) {
  const Files files;
  const ClashResult result = find_clashes(load_clash_parts({files.path("x.glb")}));
  EXPECT_NE(clash_sentence(result).find("frame/left and frame/right"), std::string::npos)
      << clash_sentence(result);
  const std::string page = clash_html(result);
  EXPECT_NE(page.find("frame/left"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"note\">frame/</span>left"), std::string::npos);
}

}  // namespace
}  // namespace touche::clash_names_test
