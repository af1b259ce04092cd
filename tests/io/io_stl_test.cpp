// SPDX-License-Identifier: Apache-2.0
// STL, as text and binary: what is read, merged, refused and saved.
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "io_files.h"
#include "sanitized.h"

namespace touche::io_stl_test {
namespace {

using test::face;
using test::Faces;
using test::facet;
using test::Io;
using test::raw;

namespace fs = std::filesystem;

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
  EXPECT_EQ(s.opposite(1), 6u);  // 1 → 2 of the first face, 2 → 1 of the last
}

TEST_F(Io, StlErrorsNameTheLineOrByte) {
  EXPECT_EQ(error("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n"),
            ":5: expected 'vertex', found 'endloop'");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 1e400") + "endsolid"),
            ":6: the coordinate inf is not finite");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 0").substr(0, 60)), ":5: a number is missing");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 0") + "endsolid\n" + facet("0 1 0")),
            ":10: expected 'solid', found 'facet'");
  EXPECT_EQ(error("a.stl", "solid a\n" + facet("0 1 0") + "end facet\n"),
            ":9: expected 'solid', found 'facet'");
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

// Faults after which all other readers find the same facets.
TEST_F(Io, StlTextWithAWrongEndIsReadWithARemark) {
  const auto expect = [&](const std::string& text, Index faces, std::vector<std::string> remarks) {
    const PolygonSoup s = soup("a.stl", text);
    EXPECT_EQ(s.face_count(), faces) << text;
    EXPECT_EQ(std::vector<std::string>(s.remarks().begin(), s.remarks().end()), remarks) << text;
  };
  const std::string solid = "solid a\n" + facet("0 1 0");
  expect(solid + "endsolid a\n", 1, {});
  expect(solid + "end solid a\n", 1,
         {"the solid of line 1 ends with 'end solid' in place of 'endsolid'"});
  expect(solid, 1, {"the solid of line 1 ends without 'endsolid'"});
  expect(solid + "END SOLID\n" + solid + "end solid\n" + solid, 3,
         {"the solid of line 19 ends without 'endsolid'",
          "2 solids end with 'end solid' in place of 'endsolid', the first in line 1"});
  expect(solid + solid + "endsolid", 2, {"the solid of line 1 ends without 'endsolid'"});
  expect(solid + "endsolid a\n\x1A", 1,
         {"line 10: '\\x1a' and what follows are not read; the last solid ends before"});
  expect(solid + "endsolid a\nmade by hand", 1,
         {"line 10: 'made' and what follows are not read; the last solid ends before"});
}

TEST_F(Io, StlBinaryWithAWrongCountOrMoreBytesIsReadWithARemark) {
  const auto remarks = [&](const std::string& bytes, Index faces) {
    const PolygonSoup s = soup("a.stl", bytes);
    EXPECT_EQ(s.face_count(), faces);
    return std::vector<std::string>(s.remarks().begin(), s.remarks().end());
  };
  const std::array<float, 9> one = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::string two = binary_stl("from a scanner", {one, {0, 0, 1, 1, 0, 1, 0, 1, 1}});
  using Texts = std::vector<std::string>;
  EXPECT_EQ(remarks(two, 2), Texts{});
  EXPECT_EQ(remarks(two + "end", 2),
            Texts{"byte 184: 3 bytes after the last of 2 facets are not read"});
  std::string uncounted = two;
  uncounted.replace(80, 4, std::string(4, '\0'));
  EXPECT_EQ(remarks(uncounted, 2),
            Texts{"byte 80: it announces 0 facets; 2 are there by the file's size"});
  EXPECT_EQ(remarks(uncounted + "end", 2),
            (Texts{"byte 80: it announces 0 facets; 2 are there by the file's size",
                   "byte 184: 3 bytes after the last of 2 facets are not read"}));
  std::string too_few = two;
  too_few.replace(80, 4, raw(std::uint32_t{1}));
  EXPECT_EQ(remarks(too_few, 1),
            Texts{"byte 134: 50 bytes after the last of 1 facets are not read; they could be 1 "
                  "more"});
  EXPECT_EQ(error("a.stl", binary_stl("", {}) + "end").substr(0, 12), ": no faces (");
  EXPECT_EQ(error("a.stl", std::string(1000, '\0')),
            ":byte 80: 0 facets announced, and only zeros follow");
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

// A hundred thousand different vertices in one solid: merging must not compare all pairs.
TEST_F(Io, MergingStaysFast) {
  std::vector<std::array<float, 9>> facets;
  for (int i = 0; i < 100000; ++i) {
    const auto x = static_cast<float>(i);
    facets.push_back({x, 0, 0, x + 1, 0, 0, x, 1, 0});
  }
  const fs::path path = write("a.stl", binary_stl("", facets));
  const std::clock_t start = std::clock();
  EXPECT_EQ(load_soup(path).vertex_count(), 200001u);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, test::seconds_allowed(20));
}

}  // namespace
}  // namespace touche::io_stl_test
