// SPDX-License-Identifier: Apache-2.0
// OFF, as text and binary: what is read, and what is refused at which line or byte.
#include "io_files.h"

namespace touche::io_off_test {
namespace {

using test::face;
using test::Faces;
using test::Io;
using test::raw;

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

TEST_F(Io, OffSkipsPointsAndSegmentsWithARemark) {
  const auto expect_right = [](const PolygonSoup& s) {
    ASSERT_EQ(s.face_count(), 1u);
    EXPECT_EQ(face(s, 0), (Faces{0, 1, 2}));
    ASSERT_EQ(s.remarks().size(), 1u);
    EXPECT_EQ(s.remarks()[0],
              "2 faces of fewer than 3 corners: not read, as points and segments are no surface");
  };
  expect_right(soup("a.off", "OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1 255\n3 0 1 2\n1 2\n"));
  for (const bool big : {false, true}) {
    std::string bytes = "OFF BINARY\n" + raw(3, big) + raw(3, big) + raw(0, big);
    for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.5f}) bytes += raw(x, big);
    for (const int k : {2, 0, 1, 3, 0, 1, 2, 1, 2}) bytes += raw(k, big);
    expect_right(soup("a.off", bytes));
  }
}

TEST_F(Io, OffErrorsNameTheLine) {
  const std::string three = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n";
  EXPECT_EQ(error("a.off", three + "3 0 1 3\n"),
            ":6: vertex number 3 is out of range; the file has 3 vertices, from 0");
  EXPECT_EQ(error("a.off", three + "0\n"), ":6: a face needs 3 corners, this one has 0");
  EXPECT_EQ(error("a.off", three + "2 0 3\n").substr(0, 19), ":6: vertex number 3");
  EXPECT_EQ(error("a.off", three + "2 0 1\n").substr(0, 12), ": no faces (");
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

}  // namespace
}  // namespace touche::io_off_test
