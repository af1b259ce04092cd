// SPDX-License-Identifier: Apache-2.0
// Objects and shells of one file as the nodes of an assembly.
#include "io/part_reader.h"
#include "io/readers.h"
#include "io_files.h"

namespace touche::split_test {
namespace {

using test::facet;
using Names = std::vector<std::string>;

// A tetrahedron of an OBJ file, shifted along x; `first` is the number of its first vertex.
std::string tetrahedron(int x, int first) {
  const auto at = [&](int dx, int y, int z) {
    return "v " + std::to_string(x + dx) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  };
  const auto face = [&](int i, int j, int k) {
    return "f " + std::to_string(first + i) + " " + std::to_string(first + j) + " " +
           std::to_string(first + k) + "\n";
  };
  return at(0, 0, 0) + at(1, 0, 0) + at(0, 1, 0) + at(0, 0, 1) + face(0, 2, 1) + face(0, 1, 3) +
         face(0, 3, 2) + face(1, 2, 3);
}

class SplitTest : public test::Io {
 protected:
  static Names names(const Assembly& assembly) {
    Names all;
    for (Index n = 0; n < assembly.nodes.size(); ++n) all.push_back(assembly.path(n));
    return all;
  }
  Names objects(const std::string& name, const std::string& bytes) const {
    return names(load_assembly(write(name, bytes)));
  }
  // The soup of a part, or the error.
  std::string part_error(const std::string& name) const {
    try {
      static_cast<void>(load_soup(parse_part_name((folder_ / name).string())));
      return "loaded";
    } catch (const LoadError& error) {
      return std::string(error.what())
          .substr((folder_ / name.substr(0, name.find('#'))).string().size());
    }
  }
};

TEST_F(SplitTest, ObjectsOfObjAreWhatONames) {
  const std::string file = "o crank\ng teeth\n" + tetrahedron(0, 1) + "o rod\n" +
                           tetrahedron(10, 5) + "l 1 2\n" + "o crank\nf 1 2 3\no empty\n";
  const Assembly assembly = load_assembly(write("multi.obj", file), {.scale = 2});
  EXPECT_EQ(names(assembly), (Names{"crank", "rod"}));
  EXPECT_EQ(assembly.soup(0).face_count(), 5u);
  EXPECT_EQ(assembly.soup(0).vertex_count(), 4u);
  const PolygonSoup rod = assembly.soup(assembly.find("rod"));
  EXPECT_EQ(rod.face_count(), 4u);
  EXPECT_EQ(rod.vertex_count(), 4u);  // only its own
  EXPECT_EQ(rod.bounds().lo, Vec3(20, 0, 0));
  EXPECT_TRUE(examine(rod).closed);
  EXPECT_EQ(rod.face_group(0), "rod");
  EXPECT_EQ(rod.remarks().size(), 1u);
  EXPECT_EQ(assembly.remarks.size(), 1u);

  const std::string path = (folder_ / "multi.obj").string();
  EXPECT_EQ(load_soup(parse_part_name(path + "#rod")).bounds().hi, Vec3(11, 1, 1));
  EXPECT_EQ(load_soup(parse_part_name(path)).face_count(), 9u);
  EXPECT_EQ(part_error("multi.obj#rood"), ": there is no node 'rood'; similar are: rod");
  EXPECT_EQ(part_error("multi.obj#shell 3"),
            ": there is no node 'shell 3'; similar are: shell 1, shell 2");
}

TEST_F(SplitTest, ObjectsOfObjAreGroupsWhereNothingIsCalledO) {
  EXPECT_EQ(objects("a.obj", tetrahedron(0, 1) + "g a/b#1\n" + tetrahedron(3, 5) + "g lid\n" +
                                 tetrahedron(6, 9) + "g a/b#1\nf 1 2 3\n"),
            (Names{"a%2Fb%231", "lid", "unnamed"}));
  EXPECT_EQ(objects("a.obj", tetrahedron(0, 1) + "g lid\n" + tetrahedron(3, 5) + "g\nf 1 2 3\n"),
            (Names{"lid", "unnamed"}));
  EXPECT_EQ(objects("a.obj", "usemtl red\n" + tetrahedron(0, 1)), Names{"unnamed"});
  EXPECT_EQ(part_error("a.obj#unnamed"), "loaded");
}

TEST_F(SplitTest, ObjectsOfStlAreItsSolids) {
  const auto solid = [](const std::string& name) {
    return "solid " + name + "\n" + facet("0 1 0") + facet("0 1 1") + "endsolid\n";
  };
  EXPECT_EQ(objects("a.stl", solid("cube") + solid("") + solid("cube") + solid("")),
            (Names{"cube", "unnamed", "cube#2", "unnamed#2"}));
  EXPECT_EQ(objects("a.ply",
                    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                    "float y\nproperty float z\nelement face 1\nproperty list uchar int "
                    "vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
            Names{"unnamed"});
}

// Objects do not matter; the same position joins, whatever its vertex is called.
TEST_F(SplitTest, ShellsAreJoinedBySharedPositions) {
  const std::string file = tetrahedron(10, 1) + "o a\n" + tetrahedron(0, 5) + "o b\nv 0 0 0\n" +
                           "v -1 0 0\nv 0 -1 0\nf 9 10 11\nf 1 2 3\n";
  const auto path = write("a.obj", file);
  const Assembly shells = load_assembly(path, {.split = Split::shells});
  EXPECT_EQ(names(shells), (Names{"shell 1", "shell 2"}));
  EXPECT_EQ(shells.soup(0).face_count(), 5u);
  EXPECT_EQ(shells.soup(0).bounds().lo, Vec3(10, 0, 0));
  EXPECT_EQ(shells.soup(1).face_count(), 5u);
  EXPECT_EQ(examine(load_soup(path)).components, 2u);
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#shell 2")).bounds().lo, Vec3(-1, -1, 0));
}

TEST_F(SplitTest, AnObjectMayBeCalledAsAShell) {
  const auto path = write("a.obj", "o shell 2\n" + tetrahedron(0, 1) + "o b\n" + tetrahedron(5, 5));
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#shell 2")).bounds().lo, Vec3(0, 0, 0));
  EXPECT_EQ(load_soup(parse_part_name(path.string() + "#shell 1")).bounds().lo, Vec3(0, 0, 0));
}

TEST_F(SplitTest, APartDoesNotDependOnThePartsThatAreReadBefore) {
  const auto path = write("a.obj", "o a\n" + tetrahedron(0, 1) + "o shell 1\n" + tetrahedron(5, 5) +
                                       "o c\n" + tetrahedron(9, 9));
  const PartName object{path, "shell 1"}, shell{path, "shell 3"};
  io::PartReader object_first, shell_first;
  EXPECT_EQ(object_first.read(object).bounds().lo, Vec3(5, 0, 0));
  EXPECT_EQ(object_first.read(shell).bounds().lo, Vec3(9, 0, 0));
  EXPECT_EQ(shell_first.read(shell).bounds().lo, Vec3(9, 0, 0));
  EXPECT_EQ(shell_first.read(object).bounds().lo, Vec3(5, 0, 0));
  EXPECT_EQ(shell_first.read(object, {.scale = 2}).bounds().lo, Vec3(10, 0, 0));
}

TEST_F(SplitTest, EveryFaceIsInOnePart) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "g part " + std::to_string(i % 7) + "\n" + tetrahedron(3 * (i % 20), 4 * i + 1);
  const auto path = write("a.obj", text);
  for (const auto& [how, parts] : {std::pair(Split::objects, 7u), std::pair(Split::shells, 20u)}) {
    const Assembly assembly = load_assembly(path, {.split = how});
    EXPECT_EQ(assembly.nodes.size(), parts);
    Index faces = 0;
    for (Index n = 0; n < assembly.nodes.size(); ++n) faces += assembly.soup(n).face_count();
    EXPECT_EQ(faces, 160u);
    EXPECT_EQ(assembly.soup().bounds().hi, load_soup(path).bounds().hi);
  }
}

TEST(Split, NamesAreParsed) {
  EXPECT_EQ(parse_split("objects"), Split::objects);
  EXPECT_EQ(parse_split("shells"), Split::shells);
  EXPECT_THROW(static_cast<void>(parse_split("halves")), InvalidInput);
}

}  // namespace
}  // namespace touche::split_test
