// SPDX-License-Identifier: Apache-2.0
// OBJ: what is read, and what is refused at which line.
#include "io/readers.h"
#include "io_files.h"

namespace touche::io_obj_test {
namespace {

using test::face;
using test::Faces;
using test::Io;
using test::kTriangle;

TEST_F(Io, ObjReadsEverySyntaxOfVerticesAndFaces) {
  const PolygonSoup s = soup("a.obj",
                             "# comment\r\n"
                             "v 0.1 +2e0 -3\r\n"
                             "v 1 0 0 nan nan nan\n"
                             "v 1 \\\n  1 0 # comment\n"
                             "v 0 1 0 1\n"
                             "vn nan inf 0\n"
                             "f 5 1/1 2//1 3/1/1 # the first corner comes later\n"
                             "\tf -4 -3 \\\n -2\n"
                             "p 1\nl 1 2\n"
                             "v 7 8 9");
  ASSERT_EQ(s.vertex_count(), 5u);
  EXPECT_EQ(s.vertex(0), Vec3(0.1, 2, -3));
  EXPECT_EQ(s.vertex(2), Vec3(1, 1, 0));
  EXPECT_EQ(s.vertex(4), Vec3(7, 8, 9));
  ASSERT_EQ(s.face_count(), 2u);
  EXPECT_EQ(face(s, 0), (Faces{4, 0, 1, 2}));
  EXPECT_EQ(face(s, 1), (Faces{0, 1, 2}));
}

TEST_F(Io, ObjSkipsPointsAndLinesWithARemark) {
  const PolygonSoup s =
      soup("a.obj", kTriangle + "v 1 1 0\nv 0.5 1.5 0\np 1 2\nf 1 2 4 5 3\nl 1 2 3\nl 2 3\n");
  ASSERT_EQ(s.face_count(), 1u);
  EXPECT_EQ(face(s, 0), (Faces{0, 1, 3, 4, 2}));
  ASSERT_EQ(s.remarks().size(), 2u);
  EXPECT_EQ(s.remarks()[0],
            "1 point statement, the first in line 6: not read, as points are no surface");
  EXPECT_EQ(s.remarks()[1],
            "2 line statements, the first in line 8: not read, as lines are no surface");
  EXPECT_EQ(error("a.obj", kTriangle + "p 1\nl 1 2\n"),
            ": no faces (3 vertices); points and lines are not surfaces");
}

TEST_F(Io, ObjNamesFacesByGroupThenObjectThenMaterial) {
  const PolygonSoup s = soup("a.obj", kTriangle +
                                          "f 1 2 3\nusemtl red\nf 1 2 3\no part one\nf 1 2 3\n"
                                          "g lid\nf 1 2 3\nusemtl blue\nf 1 2 3\ng\nf 1 2 3\n"
                                          "g lid\nf 1 2 3\no other\nf 1 2 3\n");
  const std::vector<std::string> expected = {"",    "red",      "part one", "lid",
                                             "lid", "part one", "lid",      "other"};
  ASSERT_EQ(s.face_count(), expected.size());
  for (Index f = 0; f < s.face_count(); ++f) EXPECT_EQ(s.face_group(f), expected[f]) << f;
  EXPECT_TRUE(soup("b.obj", kTriangle + "f 1 2 3").group_names().empty());
}

TEST_F(Io, ObjErrorsNameTheLine) {
  EXPECT_EQ(error("a.obj", "\xFF\xFEv"), ": this is text in UTF-16; expected UTF-8");
  EXPECT_EQ(error("a.obj", "v 0 0\n"), ":1: a number is missing");
  EXPECT_EQ(error("a.obj", "v 0 0 zero\n"), ":1: expected a number, found 'zero'");
  EXPECT_EQ(error("a.obj", "v 0 0 0\nv 0 nan 0\n"), ":2: the coordinate nan is not finite");
  EXPECT_EQ(error("a.obj", "v 0 0 -inf\n"), ":1: the coordinate -inf is not finite");
  EXPECT_EQ(error("a.obj", "v 0 0 1e308\n"), ":1: the coordinate 1e+308 is beyond ±1e+90");
  EXPECT_EQ(error("a.obj", "v 0 0 1e999\n"), ":1: the coordinate inf is not finite");
  EXPECT_EQ(error("a.obj", kTriangle + "f 1 2 4\nf 1 2 3\n"),
            ":4: vertex 4 does not exist; the file has 3");
  EXPECT_EQ(error("a.obj", kTriangle + "f 1 2 9223372036854775807\n"),
            ":4: vertex 9223372036854775807 does not exist; the file has 3");
  EXPECT_EQ(error("a.obj", kTriangle + "f 1 2 9223372036854775808\n"),
            ":4: expected a vertex number, found '9223372036854775808'");
  EXPECT_EQ(error("a.obj", kTriangle + "f 1 2 -4\n"),
            ":4: vertex -4 does not exist; 3 come before this line");
  EXPECT_EQ(error("a.obj", kTriangle + "f 0 1 2\n"), ":4: vertex numbers start at 1, found '0'");
  EXPECT_EQ(error("a.obj", kTriangle + "f 1 2.5 3\n"), ":4: expected a vertex number, found '2.5'");
  EXPECT_EQ(error("a.obj", kTriangle + "\\\n\nf 1 2\n"),
            ":6: a face needs 3 corners, this one has 2");
  EXPECT_EQ(error("a.obj", kTriangle),
            ": no faces (3 vertices); points and lines are not surfaces");
  EXPECT_EQ(error("a.obj", std::string("\x7f\x45\0\x01", 4)),
            ":1: unknown statement '\\x7fE\\x00\\x01'");
  EXPECT_EQ(error("a.obj", kTriangle + "surf 0 1 0 1 1 2 3\n").substr(0, 24),
            ":4: the statement 'surf'");
}

TEST_F(Io, TinyNumbersBecomeZeroOrSubnormal) {
  const io::MeshData mesh = io::read_obj("v 1e-320 1e-999 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "a");
  EXPECT_EQ(mesh.coordinates[0], 1e-320);
  EXPECT_EQ(mesh.coordinates[1], 0);
}

}  // namespace
}  // namespace touche::io_obj_test
