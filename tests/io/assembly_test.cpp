// SPDX-License-Identifier: Apache-2.0
// Parts of an assembly: their paths, their poses, and the error messages for wrong paths.
#include "gltf_files.h"

namespace touche::assembly_test {
namespace {

using test::GltfFile;
using test::nodes;

class AssemblyTest : public test::Io {
 protected:
  // A triangle with many instances, each 1 further along x than the previous one.
  std::filesystem::path engine() const {
    GltfFile file;
    const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string move = "\"translation\":[1,0,0]";
    const std::string part = "\"mesh\":0," + move;
    return write(
        "engine.gltf",
        file.text("\"meshes\":[{\"name\":\"shape\",\"primitives\":[{\"attributes\":{\"POSITION\":" +
                  position + "}}]}]," +
                  nodes({"\"name\":\"Crankcase\",\"children\":[1,2,3,4]," + move,
                         "\"name\":\"Piston 1\"," + part, "\"name\":\"Bolt\"," + part,
                         "\"name\":\"Bolt\",\"children\":[5]," + part,
                         "\"name\":\"in/out #1 50%\\n\"," + part, "\"name\":\"Bolt#2\"," + part,
                         part, move})));
  }
  static std::vector<std::string> paths(const Assembly& assembly) {
    std::vector<std::string> all;
    for (Index n = 0; n < assembly.nodes.size(); ++n) all.push_back(assembly.path(n));
    return all;
  }
  static std::string find_error(const Assembly& assembly, const std::string& path) {
    try {
      static_cast<void>(assembly.find(path));
      return "found";
    } catch (const LoadError& error) {
      return std::string(error.what()).substr(assembly.file.size());
    }
  }
};

TEST_F(AssemblyTest, EveryNodeHasAPathOfItsOwn) {
  const Assembly assembly = load_assembly(engine());
  EXPECT_EQ(paths(assembly),
            (std::vector<std::string>{"Crankcase", "Crankcase/Piston 1", "Crankcase/Bolt",
                                      "Crankcase/Bolt#2", "Crankcase/Bolt#2/Bolt%232",
                                      "Crankcase/in%2Fout %231 50%25%0A"}));
  for (Index n = 0; n < assembly.nodes.size(); ++n) EXPECT_EQ(assembly.find(assembly.path(n)), n);
  EXPECT_EQ(assembly.nodes[4].name, "Bolt#2");
  EXPECT_EQ(assembly.nodes[3].end, 5u);
  EXPECT_EQ(assembly.nodes[0].end, 6u);
}

TEST_F(AssemblyTest, NodesWithoutANameTakeThatOfTheirMesh) {
  GltfFile file;
  const std::string position = file.positions({0, 0, 0, 1, 0, 0, 0, 1, 0});
  const auto path = write(
      "a.gltf",
      file.text(
          "\"meshes\":[{\"name\":\"shape\",\"primitives\":[{\"attributes\":{\"POSITION\":" +
          position + "}}]}]," +
          nodes({"\"mesh\":0", "\"mesh\":0", "\"children\":[]", "\"children\":[]"}, "0,2,1,3")));
  EXPECT_EQ(paths(load_assembly(path)),
            (std::vector<std::string>{"shape", "unnamed", "shape#2", "unnamed#2"}));
}

TEST_F(AssemblyTest, PartsStandWhereTheFilePlacesThem) {
  const auto path = engine();
  const Assembly assembly = load_assembly(path, {.scale = 10});
  EXPECT_EQ(assembly.meshes.size(), 1u);  // shared
  const PolygonSoup bolts = assembly.soup(assembly.find("Crankcase/Bolt#2"));
  ASSERT_EQ(bolts.face_count(), 2u);
  EXPECT_EQ(bolts.vertex(0), Vec3(20, 0, 0));
  EXPECT_EQ(bolts.vertex(3), Vec3(30, 0, 0));
  EXPECT_EQ(bolts.face_group(1), "Bolt#2");
  EXPECT_EQ(assembly.soup().face_count(), 5u);
  EXPECT_EQ(load_soup(path, {.scale = 10}).vertices().size(), 15u);
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#Crankcase/Bolt"), {.scale = 10}).vertex(0),
            Vec3(20, 0, 0));
}

TEST_F(AssemblyTest, AWrongPathIsToldWhatThereIs) {
  const Assembly assembly = load_assembly(engine());
  EXPECT_EQ(find_error(assembly, "Crankcase/Piston1"),
            ": there is no node 'Crankcase/Piston1'; similar are: Crankcase/Piston 1");
  EXPECT_EQ(find_error(assembly, "piston 1"),
            ": there is no node 'piston 1'; similar are: Crankcase/Piston 1");
  EXPECT_EQ(find_error(assembly, "Crankcase/Valve train"),
            ": there is no node 'Crankcase/Valve train'; there are: Crankcase/Piston 1, "
            "Crankcase/Bolt, Crankcase/Bolt#2, Crankcase/in%2Fout %231 50%25%0A");
  EXPECT_EQ(find_error(assembly, "Crankcase/Piston 1/Valve train"),
            ": there is no node 'Crankcase/Piston 1/Valve train'; there are: no nodes below it");
  EXPECT_EQ(find_error(assembly, ""), ": there is no node ''; there are: Crankcase");
}

TEST_F(AssemblyTest, OtherMeshFilesAreFaceLists) {
  EXPECT_TRUE(is_assembly("a.b/ENGINE.GLB"));
  EXPECT_FALSE(is_assembly("a.glb/x.obj"));
  EXPECT_TRUE(is_face_list("a.glb/x.OBJ"));
  EXPECT_FALSE(is_face_list("ENGINE.GLB"));
  EXPECT_THROW(static_cast<void>(load_assembly(write("a.txt", "solid"))), LoadError);
  EXPECT_THROW(static_cast<void>(load_assembly(write("a.svg", "<svg/>"))), LoadError);
}

TEST(PartName, EndsTheFileBehindAnAssemblysEnding) {
  const auto expect = [](const char* text, const char* file, const char* node) {
    EXPECT_EQ(parse_part_name(text).file, file) << text;
    EXPECT_EQ(parse_part_name(text).node, node) << text;
  };
  expect("engine.glb#Crankcase/Piston 1", "engine.glb", "Crankcase/Piston 1");
  expect("a#1/engine.GLTF#b#2", "a#1/engine.GLTF", "b#2");
  expect("no#1.obj", "no#1.obj", "");
  expect("no#1.obj#crank", "no#1.obj", "crank");
  expect("part.Stl#shell 2", "part.Stl", "shell 2");
  expect("a.ply#", "a.ply", "");
  expect("a.svg#hole", "a.svg", "hole");
  expect("a.3mf", "a.3mf", "");
  expect("a.dae#", "a.dae", "");
}

}  // namespace
}  // namespace touche::assembly_test
