// SPDX-License-Identifier: Apache-2.0
// PLY in three encodings: what is read, and what is refused at which line or byte.
#include <cmath>

#include "io_files.h"

namespace touche::io_ply_test {
namespace {

using test::face;
using test::Faces;
using test::Io;
using test::raw;

const std::string kPlyXyz = "property double x\nproperty double y\nproperty double z\n";
const std::string kPlyFace = "property list uchar int vertex_indices\n";

std::string ply(const std::string& vertices, const std::string& faces, const std::string& body) {
  return "ply\nformat ascii 1.0\nelement vertex " + vertices + "\n" + kPlyXyz + "element face " +
         faces + "\n" + kPlyFace + "end_header\n" + body;
}

TEST_F(Io, PlyReadsAnyLayoutInThreeEncodings) {
  const std::string layout =
      " 1.0\ncomment none\nelement extra 2\nproperty list ushort double d\nelement face 2\n"
      "property uchar flag\nproperty list uchar short vertex_index\nproperty float q\n"
      "element vertex 4\nproperty float nx\nproperty double z\nproperty int8 x\n"
      "property uint16 y\nproperty list uchar float more\nend_header\n";
  const auto expect_right = [](const PolygonSoup& s) {
    ASSERT_EQ(s.vertex_count(), 4u);
    EXPECT_EQ(s.vertex(0), Vec3(-1, 60000, 0.1));
    EXPECT_EQ(s.vertex(3), Vec3(-1, 60003, 0.1));
    ASSERT_EQ(s.face_count(), 2u);
    EXPECT_EQ(face(s, 0), (Faces{0, 1, 2, 3}));
    EXPECT_EQ(face(s, 1), (Faces{2, 1, 0}));
  };
  std::string text = "2 1 2\n0\n7 4 0 1 2 3 nan\n7 3 2 1 0 0\n";
  for (int i = 0; i < 4; ++i) text += "nan 0.1 -1 " + std::to_string(60000 + i) + " 1 inf\n";
  expect_right(soup("a.ply", "ply\nformat ascii" + layout + text));
  for (const bool big : {false, true}) {
    std::string body =
        raw(std::uint16_t{2}, big) + raw(1., big) + raw(2., big) + raw(std::uint16_t{0}, big);
    for (const Faces& f : {Faces{0, 1, 2, 3}, Faces{2, 1, 0}}) {
      body += raw(std::uint8_t{7}) + raw(static_cast<std::uint8_t>(f.size()));
      for (const Index v : f) body += raw(static_cast<std::int16_t>(v), big);
      body += raw(std::nanf(""), big);
    }
    for (int i = 0; i < 4; ++i) {
      body += raw(std::nanf(""), big) + raw(0.1, big) + raw(std::int8_t{-1}) +
              raw(static_cast<std::uint16_t>(60000 + i), big) + raw(std::uint8_t{1}) +
              raw(1.f, big);
    }
    const std::string format = big ? "binary_big_endian" : "binary_little_endian";
    expect_right(soup("b.ply", "ply\nformat " + format + layout + body));
    EXPECT_NE(error("b.ply", "ply\nformat " + format + layout + body + "x"), "loaded");
    for (std::size_t n = 1; n <= body.size(); n += 7) {
      const std::string cut =
          error("b.ply", "ply\nformat " + format + layout + body.substr(0, body.size() - n));
      EXPECT_NE(cut, "loaded") << n;
    }
  }
}

TEST_F(Io, PlyErrorsNameTheLineOrByte) {
  const std::string three = "0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(soup("a.ply", ply("3", "1", three + "3 0 1 2")).face_count(), 1u);
  EXPECT_EQ(error("a.ply", ply("3", "1", three + "3 0 1 3\n")),
            ":13: vertex number 3 is out of range; the file has 3 vertices, from 0");
  EXPECT_EQ(error("a.ply", ply("3", "1", three + "3 0 1 -1\n")), ":13: negative vertex number -1");
  EXPECT_EQ(error("a.ply", ply("3", "1", three + "2 0 1\n")),
            ":13: a face needs 3 corners, this one has 2");
  EXPECT_EQ(error("a.ply", ply("3", "1", three + "3 0 1\n")),
            ":13: fewer values on this line than the header announces");
  EXPECT_EQ(error("a.ply", ply("3", "1", three)),
            ":13: the file ends before all announced elements are read");
  EXPECT_EQ(error("a.ply", ply("3", "1", three + "3 0 1 2\n3 0 1 2\n")),
            ":14: more data than the header announces: '3'");
  EXPECT_EQ(error("a.ply", ply("3", "1", "0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n")),
            ":11: the coordinate inf is not finite");
  EXPECT_EQ(error("a.ply", ply("1000000000000000000", "1", three)),
            ":3: 1000000000000000000 elements 'vertex' announced, but only 18 bytes follow the "
            "header");
  EXPECT_EQ(error("a.ply", ply("3", "-1", three)), ":7: a negative number of elements");
  EXPECT_EQ(error("a.ply", "v 0 0 0\n"), ":1: not a PLY file: the first line is not 'ply'");
  EXPECT_EQ(error("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"),
            ":4: the header has no 'end_header'");
  EXPECT_EQ(error("a.ply", "ply\nformat ascii 1.0\nelement void 999999999999999999\nend_header\n")
                .substr(0, 11),
            ": no faces ");
  const std::string head =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\n" + kPlyXyz + "end_header\n";
  EXPECT_EQ(error("a.ply", head + raw(0.) + raw(1e91) + raw(0.)),
            ":byte " + std::to_string(head.size() + 8) + ": the coordinate 1e+91 is beyond ±1e+90");
}

// A strip turns every second triangle round; -1 begins another strip.
TEST_F(Io, PlyReadsTriangleStripsInThreeEncodings) {
  const std::string layout =
      " 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 2\nproperty list int int vertex_indices\nend_header\n";
  const std::vector<std::vector<int>> strips = {{0, 1, 2, 3, -1, 4, 5, 0, -1, 1, 2},
                                                {2, 3, 3, 4, 5}};
  const auto expect_right = [](const PolygonSoup& s) {
    ASSERT_EQ(s.face_count(), 4u);
    EXPECT_EQ(face(s, 0), (Faces{0, 1, 2}));
    EXPECT_EQ(face(s, 1), (Faces{2, 1, 3}));
    EXPECT_EQ(face(s, 2), (Faces{4, 5, 0}));
    EXPECT_EQ(face(s, 3), (Faces{3, 4, 5}));  // two others have a vertex twice
    EXPECT_TRUE(s.remarks().empty());
  };
  std::string text;
  for (int v = 0; v < 6; ++v) text += std::to_string(v) + " " + std::to_string(v * v) + " 0\n";
  for (const auto& strip : strips) {
    text += std::to_string(strip.size());
    for (const int v : strip) text += " " + std::to_string(v);
    text += "\n";
  }
  expect_right(soup("a.ply", "ply\nformat ascii" + layout + text));
  for (const bool big : {false, true}) {
    std::string body;
    for (int v = 0; v < 6; ++v)
      for (const int x : {v, v * v, 0}) body += raw(static_cast<float>(x), big);
    for (const auto& strip : strips) {
      body += raw(static_cast<int>(strip.size()), big);
      for (const int v : strip) body += raw(v, big);
    }
    const std::string format = big ? "binary_big_endian" : "binary_little_endian";
    expect_right(soup("b.ply", "ply\nformat " + format + layout + body));
  }
  std::string wrong = text;
  wrong.replace(wrong.rfind('5'), 1, "6");
  EXPECT_EQ(error("a.ply", "ply\nformat ascii" + layout + wrong),
            ":17: vertex number 6 is out of range; the file has 6 vertices, from 0");
  wrong.replace(wrong.rfind('6'), 1, "-2");
  EXPECT_EQ(error("a.ply", "ply\nformat ascii" + layout + wrong), ":17: negative vertex number -2");
}

TEST_F(Io, PlyLeavesOutWhatTheHeaderDoesNotAnnounceWithARemark) {
  const std::string vertices = "0 0 0 1 0 0\n1 0 0\n0 1 0\n1 1 0\n";
  const PolygonSoup s = soup("a.ply", ply("4", "2", vertices + "3 0 1 2 255 0 0\n\n3 1 3 2 0.5\n"));
  ASSERT_EQ(s.face_count(), 2u);
  EXPECT_EQ(face(s, 0), (Faces{0, 1, 2}));
  EXPECT_EQ(face(s, 1), (Faces{1, 3, 2}));
  EXPECT_EQ(s.vertex(1), Vec3(1, 0, 0));
  ASSERT_EQ(s.remarks().size(), 1u);
  EXPECT_EQ(s.remarks()[0],
            "line 10: more values than the header announces are not read, in 3 lines");
  // Without a line for each element, line ends mean nothing.
  EXPECT_EQ(soup("a.ply", ply("3", "1", "0 0 0 1 0 0 0 1 0\n3 0\n1 2")).face_count(), 1u);
}

TEST_F(Io, PlySkipsUnknownElementsWithARemark) {
  const PolygonSoup s =
      soup("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n" + kPlyXyz +
                        "property float quality\nelement face 1\n" + kPlyFace +
                        "element edge 2\nproperty int vertex1\nproperty int vertex2\nend_header\n"
                        "0 0 0 9\n1 0 0 9\n0 1 0 9\n3 0 1 2\n0 1\n1 2\n");
  EXPECT_EQ(s.face_count(), 1u);
  ASSERT_EQ(s.remarks().size(), 1u);
  EXPECT_EQ(s.remarks()[0], "line 10: 2 elements 'edge' not read");
}

TEST_F(Io, PlyKeepsFacesOfManyCorners) {
  std::vector<double> circle;
  std::vector<Index> corners;
  for (Index k = 0; k < 400; ++k) {
    circle.insert(circle.end(), {std::cos(k * 0.015), std::sin(k * 0.015), 0});
    corners.push_back(k);
  }
  save(PolygonSoup(circle, corners, std::vector<Index>{400}), folder_ / "a.ply");
  EXPECT_EQ(load_soup(folder_ / "a.ply").face(0).size(), 400u);
}

}  // namespace
}  // namespace touche::io_ply_test
