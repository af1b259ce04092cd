// SPDX-License-Identifier: Apache-2.0
// COLLADA files made here: which faces they hold and where, and what is refused with which words.
#include "collada_files.h"

#include <cmath>
#include <random>

#include "io_files.h"
#include "touche/query.h"

namespace touche::collada_test {
namespace {

using FaceList = std::vector<std::vector<Index>>;
using test::collada;
using test::face;
using test::faces;
using test::geometry;
using test::kPlaced;
using test::node;

class Collada : public test::Io {
 protected:
  static constexpr const char* kPoints = "0 0 0  1 0 0  1 1 0  0 1 0  0.5 2 0";

  // Vertices 0 to 4 with these faces, placed once.
  std::string with(const std::string& list) const {
    return collada(geometry("g", kPoints, 5, list), node("n", kPlaced));
  }
  FaceList faces_of(const std::string& list) const {
    const PolygonSoup soup = this->soup("a.dae", with(list));
    FaceList all;
    for (Index f = 0; f < soup.face_count(); ++f) all.push_back(face(soup, f));
    return all;
  }
  std::string error_with(const std::string& list) const { return error("a.dae", with(list)); }
  // Where the point (1, 2, 3) gets to by a node of these transforms.
  static constexpr const char* kZUp = "<up_axis>Z_UP</up_axis>";
  Vec3 moved(const std::string& transforms, const std::string& asset = kZUp) const {
    return soup("a.dae", collada(geometry("g", "1 2 3  0 0 0  0 1 0", 3,
                                          faces("triangles", "<p>0 1 2</p>", "count='1'")),
                                 node("n", transforms + kPlaced), asset))
        .vertex(0);
  }
};

TEST_F(Collada, ReadsAllKindsOfFaces) {
  EXPECT_EQ(faces_of(faces("triangles", "<p>0 1 2 2 3 0</p>", "count='2'")),
            (FaceList{{0, 1, 2}, {2, 3, 0}}));
  EXPECT_EQ(faces_of(faces("polylist", "<vcount>4 3</vcount><p>0 1 2 3 3 2 4</p>", "count='2'")),
            (FaceList{{0, 1, 2, 3}, {3, 2, 4}}));
  EXPECT_EQ(faces_of(faces("polygons", "<p>0 1 2 3</p><p>3 2 4</p>", "count='2'")),
            (FaceList{{0, 1, 2, 3}, {3, 2, 4}}));
  EXPECT_EQ(faces_of(faces("tristrips", "<p>0 1 3 2 4</p><p>2 1 0</p>", "count='2'")),
            (FaceList{{0, 1, 3}, {1, 2, 3}, {3, 2, 4}, {2, 1, 0}}));
  EXPECT_EQ(faces_of(faces("trifans", "<p>0 1 2 3</p>", "count='1'")),
            (FaceList{{0, 1, 2}, {0, 2, 3}}));
  // Indices of normals and texture coordinates stand between; lines are no surface.
  EXPECT_EQ(faces_of("<lines count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
                     "<p>0 1</p></lines><triangles count='1'>"
                     "<input semantic='NORMAL' source='#x' offset='0'/>"
                     "<input semantic='VERTEX' source='#v' offset='1'/>"
                     "<input semantic='TEXCOORD' source='#x' offset='2'/>"
                     "<p>9 0 9 9 1 9 9 <!-- here --> 2 9</p></triangles>"),
            (FaceList{{0, 1, 2}}));
}

TEST_F(Collada, RefusesFacesThatCannotBe) {
  EXPECT_EQ(error_with(faces("triangles", "<p>0 1\n 5</p>", "count='1'")),
            ":4: vertex 5 does not exist; there are 5");
  EXPECT_EQ(error_with(faces("triangles", "<p>0 1 x</p>", "count='1'")),
            ":3: expected a whole number, found 'x'");
  EXPECT_EQ(error_with(faces("triangles", "<p>0 1</p>", "count='1'")),
            ":3: the corners of triangles are no multiple of 3");
  EXPECT_EQ(error_with(faces("triangles", "<p>0 1 2</p>", "count='2'")),
            ":3: <triangles> announces 2, there are 1");
  EXPECT_EQ(error_with(faces("polylist", "<vcount>2</vcount><p>0 1</p>", "count='1'")),
            ":3: a face needs 3 corners, this one has 2");
  EXPECT_EQ(error_with(faces("polylist", "<vcount>4</vcount><p>0 1 2</p>", "count='1'")),
            ":3: a polygon of 4 corners, 3 are left");
  EXPECT_EQ(error_with(faces("polygons", "<ph><p>0 1 2</p><h>3 4 1</h></ph>", "count='1'")),
            ":3: polygons with holes are not read");
  EXPECT_EQ(error("a.dae", collada(geometry("g", "0 0 0 1", 2, ""), node("n", kPlaced))),
            ": no faces (0 vertices); points and lines are not surfaces");
  const std::string triangle = faces("triangles", "<p>0 1 1</p>", "count='1'");
  EXPECT_EQ(error("a.dae", collada(geometry("g", "0 0 0 1", 2, triangle), node("n", kPlaced))),
            ":3: an array of 4 numbers announces 6");
  EXPECT_EQ(
      error("a.dae", collada(geometry("g", "0 0 nan 1 1 1", 2, triangle), node("n", kPlaced))),
      ":3: the coordinate nan is not finite");
}

TEST_F(Collada, AppliesTransformsInTheirOrder) {
  EXPECT_EQ(moved("<translate>10 20 30</translate>"), Vec3(11, 22, 33));
  EXPECT_EQ(moved("<scale>2 3 4</scale><translate>1 1 1</translate>"), Vec3(4, 9, 16));
  EXPECT_EQ(moved("<translate>1 1 1</translate><scale>2 3 4</scale>"), Vec3(3, 7, 13));
  EXPECT_EQ(moved("<rotate>0 0 2 90</rotate>"), Vec3(-2, 1, 3));
  EXPECT_EQ(moved("<rotate>1 0 0 -90</rotate>"), Vec3(1, 3, -2));
  EXPECT_LT(
      (moved("<rotate>0 0 1 30</rotate>") - Vec3(std::sqrt(0.75) - 1, 0.5 + 2 * std::sqrt(0.75), 3))
          .norm(),
      1e-15);
  EXPECT_EQ(moved("<matrix>0 1 0 5  1 0 0 6  0 0 -1 7  0 0 0 1</matrix>"), Vec3(7, 7, 4));
  // At (0, 0, 5), seeing along +x with z up: x of the node is −y, its y is z, its z is −x.
  EXPECT_EQ(moved("<lookat>0 0 5  9 0 5  0 0 1</lookat>"), Vec3(-3, -1, 7));
  EXPECT_EQ(error("a.dae", collada(geometry("g", kPoints, 5, ""),
                                   node("n", "<skew>45 0 1 0 1 0 0</skew>" + kPlaced))),
            ":6: <skew> is not read");
  EXPECT_EQ(error("a.dae", collada("", node("n", "<rotate>0 0 1</rotate>"))),
            ":6: <rotate> of 3 numbers, expected 4");
}

TEST_F(Collada, IsInMetresWithZUp) {
  EXPECT_EQ(moved("", "<unit meter='0.5'/><up_axis>Z_UP</up_axis>"), Vec3(0.5, 1, 1.5));
  EXPECT_EQ(moved("", "<unit meter='0.5'/><up_axis>X_UP</up_axis>"), Vec3(-1, -1.5, 0.5));
  EXPECT_EQ(moved("", "<unit meter='0.5'/><up_axis>Y_UP</up_axis>"), Vec3(0.5, -1.5, 1));
  EXPECT_EQ(moved("", "<unit meter='0.5'/>"), Vec3(0.5, -1.5, 1));
  const FileFrame frame = load_assembly(folder_ / "a.dae", {.scale = 10}).frame;
  EXPECT_EQ(frame.up, UpAxis::y);
  EXPECT_EQ(frame.unit, 5);
  EXPECT_EQ(file_frame(folder_ / "a.dae", {.scale = 10}).unit, 5);
  EXPECT_EQ(frame.in_file({5, -15, 10}), Vec3(1, 2, 3));
  EXPECT_EQ(load_soup(folder_ / "a.dae", {.up = UpAxis::z}).vertex(0), Vec3(0.5, 1, 1.5));
  EXPECT_EQ(error("a.dae", collada("", "", "<unit meter='-1'/>")),
            ":2: a unit must be more than 0");
}

TEST_F(Collada, NodesPlaceGeometryAndEachOther) {
  const std::string triangle = geometry("g", kPoints, 5, faces("triangles", "<p>0 1 2</p>"));
  const std::string scene =
      node("a", kPlaced + node("b", "<translate>0 0 1</translate><instance_node url='#l'/>")) +
      "<instance_node url='#l'/>";
  const PolygonSoup soup = this->soup(
      "a.dae", collada(triangle, scene, kZUp,
                       "<node id='l' name='c'><translate>0 0 2</translate>" + kPlaced + "</node>"));
  ASSERT_EQ(soup.face_count(), 3u);
  const auto height = [&](Index f) { return soup.vertex(soup.face(f)[0]).z(); };
  EXPECT_EQ(height(0), 0);
  EXPECT_EQ(height(1), 3);
  EXPECT_EQ(height(2), 2);
  EXPECT_EQ(soup.face_group(0), "a");
  EXPECT_EQ(soup.face_group(1), "c");
  EXPECT_EQ(error("a.dae", collada(triangle, node("n", "<instance_geometry url='#h'/>"))),
            ":6: there is no <geometry> '#h'");
  EXPECT_EQ(error("a.dae", collada(triangle, node("n", "<instance_node url='b.dae#h'/>"))),
            ":6: 'b.dae#h' is in another file, which is not read");
  EXPECT_EQ(error("a.dae", collada(triangle + triangle, node("n", kPlaced))),
            ":6: there are several <geometry> '#g'");
  EXPECT_EQ(error("a.dae", collada(triangle, node("n", "<instance_controller url='#c'/>"))),
            ":6: skinned and morphed meshes are not read; save the file without them");
  EXPECT_EQ(error("a.dae", "<svg/>"), ": not a COLLADA file");
  EXPECT_EQ(error("a.dae", "<COLLADA>\n<asset>"), ":2: Start-end tags mismatch");
}

// Random coordinates with 17 digits are preserved bit for bit, in metres and in requested
// millimetres; so a distance is the same as from OBJ.
TEST_F(Collada, KeepsDoublePrecision) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto make = [&](const std::string& name, double x) {
    std::vector<double> coordinates;
    for (int i = 0; i < 90; ++i) coordinates.push_back(0.1 * number(random) + (i % 3 == 0 ? x : 0));
    std::vector<Index> corners(30);
    for (Index i = 0; i < 30; ++i) corners[i] = i;
    const PolygonSoup soup(coordinates, corners);
    save(soup, folder_ / (name + ".obj"));
    std::string numbers, list;
    for (const double c : coordinates) {
      char text[40];
      std::snprintf(text, sizeof text, "%.17g ", c);
      numbers += text;
    }
    for (const Index c : corners) list += std::to_string(c) + " ";
    const std::string shape =
        geometry("g", numbers, 30, faces("triangles", "<p>" + list + "</p>", "count='10'"));
    write(name + ".dae",
          collada(shape, node("n", kPlaced), std::string("<unit meter='1'/>") + kZUp));
    write(name + "_mm.dae",
          collada(shape, node("n", kPlaced), std::string("<unit meter='0.001'/>") + kZUp));
    return soup;
  };
  const PolygonSoup a = make("a", 0), b = make("b", 0.5);
  const PolygonSoup metres = load_soup(folder_ / "a.dae");
  const PolygonSoup millimetres = load_soup(folder_ / "a_mm.dae", {.scale = 1000});
  for (Index v = 0; v < a.vertex_count(); ++v) {
    EXPECT_EQ(metres.vertex(v), a.vertex(v));
    EXPECT_EQ(millimetres.vertex(v), a.vertex(v));
  }
  const auto clearance = [&](const char* ending) {
    const Object first = load(folder_ / (std::string("a") + ending), {});
    const Object second = load(folder_ / (std::string("b") + ending), {});
    return distance(first, {}, second, {}).distance.upper;
  };
  EXPECT_GT(clearance(".obj"), 0);
  EXPECT_EQ(clearance(".dae"), clearance(".obj"));
}

}  // namespace
}  // namespace touche::collada_test
