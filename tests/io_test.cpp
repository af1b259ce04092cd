// SPDX-License-Identifier: Apache-2.0
#include "touche/io.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>

#include "io/readers.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

// A folder of its own per test, removed at the end.
class Io : public testing::Test {
 protected:
  Io() { fs::create_directories(folder_); }
  ~Io() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  PolygonSoup soup(const std::string& name, const std::string& bytes) const {
    return load_soup(write(name, bytes));
  }
  // The error without the path in front: ":line: reason".
  std::string error_of(const fs::path& path, const LoadOptions& options = {}) const {
    try {
      load_soup(path, options);
    } catch (const LoadError& error) {
      const std::string what = error.what();
      EXPECT_EQ(error.file(), path.string());
      EXPECT_TRUE(what.starts_with(path.string())) << what;
      return what.substr(path.string().size());
    }
    return "loaded";
  }
  std::string error(const std::string& name, const std::string& bytes) const {
    return error_of(write(name, bytes));
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("touche_io_test_" + std::to_string(::getpid()));
};

template <class T>
std::string raw(T value, bool big = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big) std::reverse(bytes.begin(), bytes.end());
  return {bytes.data(), bytes.size()};
}

std::vector<Index> face(const PolygonSoup& soup, Index f) {
  return {soup.face(f).begin(), soup.face(f).end()};
}

using Faces = std::vector<Index>;

const std::string kTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

// ---- OBJ ---------------------------------------------------------------------------------------

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

// ---- STL ---------------------------------------------------------------------------------------

std::string facet(const std::string& last) {
  return "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex " + last +
         "\nendloop\nendfacet\n";
}

std::string binary_stl(std::string header, std::vector<std::array<float, 9>> facets) {
  header.resize(80, ' ');
  std::string bytes = header + raw(static_cast<std::uint32_t>(facets.size()));
  for (const auto& f : facets) {
    bytes += raw(std::numeric_limits<float>::quiet_NaN()) + raw(0.f) + raw(1.f);
    for (const float x : f) bytes += raw(x);
    bytes += "ab";
  }
  return bytes;
}

TEST_F(Io, StlTextMergesVerticesWithinASolidAndNamesThem) {
  const PolygonSoup s =
      soup("a.STL", "solid one two\n" + facet("0 1 0") + facet("-0 -1 0.25") +
                        "endsolid one two\n" + "SOLID\n" + facet("0 1 0") + "EndSolid\n\n");
  EXPECT_EQ(s.vertex_count(), 7u);
  ASSERT_EQ(s.face_count(), 3u);
  EXPECT_EQ(face(s, 1), (Faces{0, 1, 3}));
  EXPECT_EQ(face(s, 2), (Faces{4, 5, 6}));
  EXPECT_EQ(s.vertex(3), Vec3(0, -1, 0.25));
  EXPECT_EQ(s.face_group(0), "one two");
  EXPECT_EQ(s.face_group(2), "");
}

TEST_F(Io, StlBinaryIsToldByItsSizeAndKeepsZeroAreaFaces) {
  const PolygonSoup s =
      soup("a.stl", binary_stl("solid but binary", {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                                    {-0.f, 0, 0, 0, 0, 0, 1, 0, 0},
                                                    {0, 1, 0, 1, 0, 0, 0.1f, 0, 5}}));
  EXPECT_EQ(s.vertex_count(), 4u);
  ASSERT_EQ(s.face_count(), 3u);
  EXPECT_EQ(face(s, 1), (Faces{0, 0, 1}));
  EXPECT_EQ(face(s, 2), (Faces{2, 1, 3}));
  EXPECT_EQ(s.vertex(3).x(), static_cast<double>(0.1f));
  EXPECT_EQ(s.twin(1), 6u);  // 1 → 2 of the first face, 2 → 1 of the last
}

TEST_F(Io, StlErrorsNameTheLineOrByte) {
  EXPECT_EQ(error("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
            ":5: expected 'vertex', found 'endloop'");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 1e400") + "endsolid"),
            ":6: the coordinate inf is not finite");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 0")),
            ":9: the file ends inside the solid of line 1; 'endsolid' is missing");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 0") + "endsolid\nrest"),
            ":10: expected 'solid', found 'rest'");
  EXPECT_EQ(error("a.stl", "solid\nendsolid\n").substr(0, 25), ": no faces (0 vertices); ");
  EXPECT_EQ(error("a.stl", "garbage"),
            ":byte 0: neither 'solid' nor the 84 bytes of a binary STL header");
  const std::string good = binary_stl("solid", {{0, 0, 0, 1, 0, 0, 0, 1, 0}});
  EXPECT_EQ(error("a.stl", good.substr(0, 100)).substr(0, 65),
            ":byte 80: binary STL of 1 facets should have 134 bytes, but has 1");
  EXPECT_EQ(error("a.stl", binary_stl("", {})).substr(0, 12), ": no faces (");
  EXPECT_EQ(error("a.stl", binary_stl("", {{0, 0, 0, 1, 0, 0, 0, std::nanf(""), 0}})),
            ":byte 120: facet 0: the coordinate nan is not finite");
  std::string absurd = good;
  absurd.replace(80, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(error("a.stl", absurd).substr(0, 42), ":byte 80: binary STL of 4294967295 facets ");
}

// ---- PLY ---------------------------------------------------------------------------------------

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
            ":14: the file ends before all announced elements are read");
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

// ---- OFF ---------------------------------------------------------------------------------------

TEST_F(Io, OffReadsVariantsWithCommentsAndColours) {
  const std::string body = "0 0 0\n1 0 0\n1 1 0\n\n0 1 0.5 # comment\n3 0 1 2 255 0 0\n4 0 1 2 3\n";
  for (const std::string head :
       {"OFF\n4 2 0\n", "OFF 4 2\n", " # first\nOFF\n#\n4 2 5 # more\n", "OFF4 2 0\n"}) {
    const PolygonSoup s = soup("a.off", head + body);
    ASSERT_EQ(s.vertex_count(), 4u);
    EXPECT_EQ(s.vertex(3), Vec3(0, 1, 0.5));
    EXPECT_EQ(face(s, 0), (Faces{0, 1, 2}));
    EXPECT_EQ(face(s, 1), (Faces{0, 1, 2, 3}));
  }
  const PolygonSoup s =
      soup("b.off", "CNOFF\n3 1 0\n0 0 0 0 0 1 9 9 9\n1 0 0 0 0 nan 9 9 9\n0 1 0 0 0 1\n3 2 1 0\n");
  EXPECT_EQ(s.vertex(1), Vec3(1, 0, 0));
  EXPECT_EQ(face(s, 0), (Faces{2, 1, 0}));
}

TEST_F(Io, OffBinaryOfBothByteOrders) {
  for (const bool big : {false, true}) {
    std::string bytes = "OFF BINARY\n" + raw(3, big) + raw(1, big) + raw(0, big);
    for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.5f}) bytes += raw(x, big);
    for (const int k : {3, 0, 1, 2}) bytes += raw(k, big);
    const PolygonSoup s = soup("a.off", bytes);
    EXPECT_EQ(s.vertex(2), Vec3(0, 1, 0.5));
    EXPECT_EQ(face(s, 0), (Faces{0, 1, 2}));
    EXPECT_EQ(face(soup("a.off", bytes + raw(1, big) + raw(7, big)), 0), (Faces{0, 1, 2}));
    bytes.pop_back();
    EXPECT_EQ(error("a.off", bytes),
              ":byte 11: truncated or damaged: no layout of binary OFF fits the file");
  }
}

TEST_F(Io, OffErrorsNameTheLine) {
  const std::string three = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(error("a.off", three + "3 0 1 3\n"),
            ":6: vertex number 3 is out of range; the file has 3 vertices, from 0");
  EXPECT_EQ(error("a.off", three + "2 0 1\n"), ":6: a face needs 3 corners, this one has 2");
  EXPECT_EQ(error("a.off", three + "3 0 1\n"), ":6: a whole number is missing");
  EXPECT_EQ(error("a.off", three + "3 0 1 2\n3 0 1 2\n"),
            ":7: more data than the header announces: '3'");
  EXPECT_EQ(error("a.off", three),
            ":6: the file ends before all announced vertices and faces are read");
  EXPECT_EQ(error("a.off", "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n"), ":4: a number is missing");
  EXPECT_EQ(error("a.off", "v 1 2 3\n"), ":1: not an OFF file: expected 'OFF', found 'v'");
  EXPECT_EQ(error("a.off", "4OFF\n3 1 0\n"), ":1: OFF of other than three dimensions is not read");
  EXPECT_EQ(error("a.off", "OFF\n-3 1 0\n"), ":2: a negative number of vertices");
}

// ---- all ---------------------------------------------------------------------------------------

TEST_F(Io, RefusesWhatIsNoReadableFile) {
  EXPECT_EQ(error_of(folder_ / "missing.obj"), ": the file does not exist");
  fs::create_directories(folder_ / "folder.stl");
  EXPECT_EQ(error_of(folder_ / "folder.stl"), ": this is a directory");
  EXPECT_EQ(error_of("/dev/null/x.obj").substr(0, 2), ": ");
  EXPECT_EQ(error("a.step", "x").substr(0, 25), ": unknown ending '.step';");
  EXPECT_EQ(error("a", "x").substr(0, 20), ": unknown ending '';");
  for (const char* name :
       {"a.obj", "a.stl", "a.ply", "a.off", "a.glb", "a.gltf", "a.3mf", "a.dae"}) {
    EXPECT_EQ(error(name, ""), ": the file is empty") << name;
    EXPECT_NE(error(name, "\x01\x02garbage\xFF"), "loaded") << name;
  }
  // The content must be what the ending says.
  EXPECT_NE(error("a.glb", kTriangle + "f 1 2 3\n"), "loaded");
  EXPECT_NE(error("a.dae", "solid a\n" + facet("0 1 0") + "endsolid a\n"), "loaded");
  EXPECT_NE(error("a.ply", kTriangle + "f 1 2 3\n"), "loaded");
}

TEST_F(Io, ColladaIsCheckedBeforeAssimpSeesIt) {
  EXPECT_EQ(error("a.dae", "<COLLADA>\n<p>0 1 2\n x</p></COLLADA>"),
            ":2: a list of indices holds 'x'");
  EXPECT_EQ(error("a.dae", "<s>\n<float_array count='3'>1 2</float_array></s>"),
            ":2: an array of 2 numbers announces 3");
  EXPECT_EQ(error("a.dae",
                  "<source>\n<float_array count='3'>1 2 3</float_array>\n"
                  "<accessor count='2' stride='3'/></source>"),
            ":3: an accessor reads beyond the 3 numbers of its array");
}

TEST_F(Io, ScaleMultipliesCoordinates) {
  const fs::path path = write("a.obj", kTriangle + "f 1 2 3\n");
  EXPECT_EQ(load_soup(path, {.scale = 0.001}).vertex(1), Vec3(0.001, 0, 0));
  EXPECT_NE(error_of(path, {.scale = 1e100}), "loaded");
  for (const double scale : {0., -1., kInfinity, std::nan("")}) {
    EXPECT_THROW(load_soup(path, {.scale = scale}), InvalidInput);
  }
}

// Random polygons with coordinates of all exponents.
PolygonSoup random_soup(std::mt19937_64& random) {
  std::uniform_real_distribution<double> digits(-1, 1), exponent(-89, 80);
  std::vector<double> coordinates;
  for (int i = 0; i < 300; ++i)
    coordinates.push_back(digits(random) * std::pow(10, exponent(random)));
  std::vector<Index> corners, sizes, groups;
  for (int f = 0; f < 50; ++f) {
    sizes.push_back(static_cast<Index>(3 + random() % (f == 0 ? 1 : 4)));
    groups.push_back(static_cast<Index>(random() % 3));
    for (Index k = 0; k < sizes.back(); ++k) corners.push_back(static_cast<Index>(random() % 100));
  }
  return {coordinates, corners, sizes, groups, {"", "two words", "b"}};
}

TEST_F(Io, SavedSoupsComeBackBitForBit) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 10; ++round) {
    const PolygonSoup before = random_soup(random);
    for (const char* name : {"a.obj", "a.off", "a.ply"}) {
      save(before, folder_ / name);
      const PolygonSoup after = load_soup(folder_ / name);
      ASSERT_EQ(after.vertex_count(), before.vertex_count()) << name;
      ASSERT_EQ(after.face_count(), before.face_count()) << name;
      for (Index v = 0; v < before.vertex_count(); ++v) {
        EXPECT_EQ(after.vertex(v), before.vertex(v)) << name;
      }
      for (Index f = 0; f < before.face_count(); ++f) {
        EXPECT_EQ(face(after, f), face(before, f)) << name;
        if (std::string(name) == "a.obj") {
          EXPECT_EQ(after.face_group(f), before.face_group(f));
        }
      }
    }
  }
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

TEST_F(Io, SavedStlHasTheTrianglesInSinglePrecision) {
  const PolygonSoup square = soup("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0.1\nv 0 1 0.1\nf 1 2 3 4\n");
  save(square, folder_ / "b.stl");
  const PolygonSoup s = load_soup(folder_ / "b.stl");
  EXPECT_EQ(s.face_count(), 2u);
  EXPECT_EQ(s.vertex_count(), 4u);
  EXPECT_EQ(s.bounds().hi.z(), static_cast<double>(0.1f));
  const PolygonSoup huge = soup("a.obj", "v 0 0 0\nv 1e39 0 0\nv 1 1 1\nf 1 2 3\n");
  EXPECT_THROW(save(huge, folder_ / "c.stl"), LoadError);
  EXPECT_THROW(save(square, folder_ / "c.step"), LoadError);
  EXPECT_THROW(save(square, folder_ / "no" / "folder.obj"), LoadError);
}

// A hundred thousand different vertices in one solid: merging must not look at all pairs.
TEST_F(Io, MergingStaysFast) {
  std::vector<std::array<float, 9>> facets;
  for (int i = 0; i < 100000; ++i) {
    const auto x = static_cast<float>(i);
    facets.push_back({x, 0, 0, x + 1, 0, 0, x, 1, 0});
  }
  const fs::path path = write("a.stl", binary_stl("", facets));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(load_soup(path).vertex_count(), 200001u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace touche
