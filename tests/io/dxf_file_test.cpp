// SPDX-License-Identifier: Apache-2.0
// DXF: what becomes of each entity, how near chords are to curves, and what is refused, with the
// line it stands on.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "outline_text.h"

namespace touche::dxf_file_test {
namespace {

using namespace test;

TEST(Dxf, ReadsEntities) {
  const Outline line = dxf("0\nLINE\n8\nwalls\n10\n1\n20\n2\n11\n3\n21\n+4.5e0\n");
  expect_points(line, {{1, 2}, {3, 4.5}});
  EXPECT_EQ(line.name(0), "walls");
  expect_points(dxf("  0\r\nPOINT\r\n 10\r\n 1.0 \r\n 20\r\n2\r\n999\r\nremark\r\n"), {{1, 2}});
  const Outline light =
      dxf("0\nLWPOLYLINE\n90\n3\n70\n1\n10\n0\n20\n0\n10\n4\n20\n0\n10\n4\n20\n3\n");
  expect_points(light, {{0, 0}, {4, 0}, {4, 3}});
  EXPECT_TRUE(light.closed(0));
  const Outline old = dxf(
      "0\nPOLYLINE\n66\n1\n70\n0\n0\nVERTEX\n10\n0\n20\n0\n0\nVERTEX\n10\n1\n20\n1\n0\nSEQEND\n");
  expect_points(old, {{0, 0}, {1, 1}});
  EXPECT_FALSE(old.closed(0));
  expect_points(dxf("0\nSOLID\n10\n0\n20\n0\n11\n1\n21\n0\n12\n0\n22\n1\n13\n1\n23\n1\n"),
                {{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  EXPECT_EQ(dxf("0\nTEXT\n1\nhello\n0\nLINE\n10\n0\n20\n0\n11\n1\n21\n0\n").chain_count(), 1);
}

void expect_on_circle(const Outline& outline, const Vec2& centre, double r, double chord_error) {
  for (Index e = 0; e < outline.edge_count(); ++e) {
    const Vec2 p = outline.vertex(outline.edge(e)[0]) - centre,
               q = outline.vertex(outline.edge(e)[1]) - centre;
    EXPECT_NEAR(p.norm(), r, 1e-12);
    EXPECT_NEAR(q.norm(), r, 1e-12);
    EXPECT_GE((0.5 * (p + q)).norm(), r - chord_error * (1 + 1e-9));
  }
}

// The circle of a side that hardly bends is immense. It says nothing of how large the drawing is,
// which the default of the chord error is a share of.
TEST(Dxf, TheDefaultErrorIsOfWhatIsDrawn) {
  for (const char* bulge : {"0", "1e-3", "1e-9", "-1e-15", "1e-200", "1e-307"}) {
    OutlineReport report;
    const Outline plate = io::read_outline(
        fmt::format("0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n90\n4\n70\n1\n10\n0\n20\n0\n42\n{}"
                    "\n10\n10\n20\n0\n10\n10\n20\n10\n10\n0\n20\n10\n"
                    "0\nCIRCLE\n10\n5\n20\n5\n40\n3\n0\nENDSEC\n0\nEOF\n",
                    bulge),
        ".dxf", "d.dxf", {}, &report);
    EXPECT_GT(report.chord_error, 0) << bulge;
    EXPECT_LE(report.chord_error, 1.5e-3) << bulge;
    EXPECT_NEAR(std::abs(plate.signed_area(1)), 9 * std::numbers::pi, 0.03) << bulge;
  }
}

TEST(Dxf, BendsArcsAndBulges) {
  const Outline quarter = dxf("0\nARC\n10\n1\n20\n2\n40\n5\n50\n0\n51\n90\n", "", 1e-3);
  expect_on_circle(quarter, {1, 2}, 5, 1e-3);
  EXPECT_EQ(quarter.vertex(0), Vec2(6, 2));
  EXPECT_EQ(quarter.vertex(quarter.vertex_count() - 1), Vec2(1, 7));
  // Across 0°, and against z: x the other way.
  const Outline across = dxf("0\nARC\n10\n0\n20\n0\n40\n1\n50\n315\n51\n45\n", "", 1e-3);
  EXPECT_NEAR(across.hi().x(), 1, 1e-3);
  EXPECT_GT(across.lo().x(), 0.7);
  const Outline mirrored = dxf("0\nARC\n10\n0\n20\n0\n40\n1\n50\n315\n51\n45\n230\n-1\n", "", 1e-3);
  EXPECT_NEAR(mirrored.lo().x(), -1, 1e-3);
  EXPECT_LT(mirrored.hi().x(), -0.7);
  const Outline circle = dxf("0\nCIRCLE\n10\n0\n20\n0\n40\n2\n", "", 1e-4);
  EXPECT_TRUE(circle.closed(0));
  EXPECT_NEAR(circle.signed_area(0), 4 * std::numbers::pi, 1e-2);
  // A bulge of 1 is a half circle, to the right of a side that goes up when it turns left.
  const Outline slot =
      dxf("0\nLWPOLYLINE\n70\n1\n10\n0\n20\n0\n10\n4\n20\n0\n42\n1\n10\n4\n20\n2\n10\n0\n20\n2\n42"
          "\n1\n",
          "", 1e-5);
  EXPECT_NEAR(slot.hi().x(), 5, 1e-4);
  EXPECT_NEAR(slot.lo().x(), -1, 1e-4);
  EXPECT_NEAR(slot.signed_area(0), 8 + std::numbers::pi, 1e-3);
  const Outline flat = dxf("0\nLWPOLYLINE\n10\n0\n20\n0\n42\n-0.1\n10\n2\n20\n0\n", "", 1e-6);
  EXPECT_NEAR(flat.hi().y(), 0.1, 1e-6);  // half the side, times the bulge, is its height
  const Outline ellipse = dxf(
      "0\nELLIPSE\n10\n1\n20\n1\n11\n0\n21\n4\n40\n0.5\n41\n0\n42\n6.283185307179586\n", "", 1e-5);
  EXPECT_NEAR(ellipse.signed_area(0), 8 * std::numbers::pi, 1e-3);
  EXPECT_NEAR(ellipse.hi().y(), 5, 1e-4);
}

TEST(Dxf, FollowsSplines) {
  const std::string knots = "40\n0\n40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n40\n1\n";
  const Outline bezier = dxf("0\nSPLINE\n71\n3\n72\n8\n73\n4\n" + knots +
                                 "10\n0\n20\n0\n10\n0\n20\n1\n10\n1\n20\n1\n10\n1\n20\n0\n",
                             "", 1e-5);
  EXPECT_EQ(bezier.vertex(0), Vec2(0, 0));
  EXPECT_EQ(bezier.vertex(bezier.vertex_count() - 1), Vec2(1, 0));
  EXPECT_NEAR(bezier.hi().y(), 0.75, 1e-4);
  // Uniform knots and control points on a parabola x = s, y = s² − 1/3 draw y = x².
  std::string uniform;
  for (int k = 0; k < 10; ++k) uniform += "40\n" + std::to_string(k) + "\n";
  for (int k = 0; k < 6; ++k)
    uniform += "10\n" + std::to_string(k - 2) + "\n20\n" +
               std::to_string((k - 2) * (k - 2) - 1 / 3.0) + "\n";
  const Outline parabola = dxf("0\nSPLINE\n71\n3\n" + uniform, "", 1e-5);
  EXPECT_GT(parabola.edge_count(), 10);
  for (const Vec2& p : parabola.vertices()) EXPECT_NEAR(p.y(), p.x() * p.x(), 1e-5);
  EXPECT_NE(refusal([&] { return dxf("0\nSPLINE\n71\n5\n"); }).find("degree 5"), std::string::npos);
}

// Weights of a quarter circle; the quadratic curve with the middle one 1 / √2 is one.
TEST(Dxf, FollowsRationalSplines) {
  const std::string corner = "10\n5\n20\n0\n10\n5\n20\n5\n10\n0\n20\n5\n";
  const std::string knots = "40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n";
  const auto quarter = [&](double scale, double error) {
    std::string weights;
    for (const double w : {1.0, std::sqrt(0.5), 1.0})
      weights += fmt::format("41\n{:.17g}\n", scale * w);
    return dxf("0\nSPLINE\n71\n2\n" + knots + weights + corner, "", error);
  };
  for (const double error : {1.0, 1e-2, 1e-5})
    for (const double scale : {1.0, 1e-200, 1e200}) {
      const Outline arc = quarter(scale, error);
      expect_on_circle(arc, {0, 0}, 5, error);
      EXPECT_EQ(arc.vertex(0), Vec2(5, 0));
      EXPECT_EQ(arc.vertex(arc.vertex_count() - 1), Vec2(0, 5));
      EXPECT_LE(arc.edge_count(), 3 + 8 / std::sqrt(error));
    }
  // The whole circle in nine controls, as programs write it: of degree 2, and raised to degree 3
  // the first half of it.
  std::string circle = "0\nSPLINE\n70\n1\n71\n2\n40\n0\n";
  for (const int k : {0, 0, 1, 1, 2, 2, 3, 3, 4, 4}) circle += fmt::format("40\n{}\n", k);
  circle += "40\n4\n";
  const double x[] = {1, 1, 0, -1, -1, -1, 0, 1, 1}, y[] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
  for (int k = 0; k < 9; ++k)
    circle +=
        fmt::format("41\n{:.17g}\n10\n{}\n20\n{}\n", k % 2 == 0 ? 1 : std::sqrt(0.5), x[k], y[k]);
  const Outline round = dxf(circle, "", 1e-4);
  EXPECT_TRUE(round.closed(0));
  expect_on_circle(round, {0, 0}, 1, 1e-4);
  EXPECT_NEAR(round.signed_area(0), std::numbers::pi, 1e-3);
  const Outline half =
      dxf("0\nSPLINE\n71\n3\n40\n0\n40\n0\n40\n0\n40\n0\n40\n1\n40\n1\n40\n1\n40\n1\n"
          "41\n1\n41\n.3333333333333333\n41\n.3333333333333333\n41\n1\n"
          "10\n1\n20\n0\n10\n1\n20\n2\n10\n-1\n20\n2\n10\n-1\n20\n0\n",
          "", 1e-4);
  expect_on_circle(half, {0, 0}, 1, 1e-4);
  // A straight line stays one, whatever its weights are.
  EXPECT_EQ(dxf("0\nSPLINE\n71\n1\n40\n0\n40\n0\n40\n1\n40\n1\n41\n1\n41\n7\n10\n0\n20\n0\n10\n"
                "3\n20\n1\n")
                .edge_count(),
            1);
  const auto refused = [&](const std::string& weights) {
    return refusal([&] { return dxf("0\nSPLINE\n71\n2\n" + knots + weights + corner); });
  };
  EXPECT_NE(refused("41\n1\n41\n0\n41\n1\n").find("not above 0"), std::string::npos);
  EXPECT_NE(refused("41\n1\n41\n-1\n41\n1\n").find("not above 0"), std::string::npos);
  EXPECT_NE(refused("41\n1\n41\n2\n").find("2 weights, expected 3"), std::string::npos);
  EXPECT_NE(refused("41\n1e-300\n41\n1e300\n41\n1e-300\n").find("d.dxf"), std::string::npos);
}

/// The outline of a spline through points, and whether it goes through them.
Outline through(const std::vector<Vec2>& points, const std::string& groups) {
  std::string entity = "0\nSPLINE\n71\n3\n" + groups;
  for (const Vec2& p : points) entity += fmt::format("11\n{}\n21\n{}\n31\n0\n", p.x(), p.y());
  Outline outline = dxf(entity, "", 1e-6);
  for (const Vec2& p : points) {
    const bool found = std::any_of(outline.vertices().begin(), outline.vertices().end(),
                                   [&](const Vec2& v) { return (v - p).norm() < 1e-12; });
    EXPECT_TRUE(found) << p.transpose();
  }
  EXPECT_EQ(outline.remarks().front(),
            "1 spline given by points that they run through is drawn as cubic curves of continuous "
            "curvature");
  return outline;
}

TEST(Dxf, FollowsSplinesThroughPoints) {
  // Two points, or points on a line: straight.
  const Outline straight = through({{0, 0}, {1, 1}, {5, 5}}, "");
  for (const Vec2& v : straight.vertices()) EXPECT_NEAR(v.x(), v.y(), 1e-12);
  // With parameters as x and a parabola's tangents at both ends the curve is that parabola: chords
  // over the x are all 1 long if y is scaled down.
  constexpr double kFlat = 1e-6;
  std::vector<Vec2> parabola;
  for (int k = 0; k <= 4; ++k) parabola.emplace_back(k, kFlat * k * k);
  const Outline clamped =
      through(parabola, fmt::format("12\n1\n22\n0\n13\n1\n23\n{}\n", 8 * kFlat));
  for (const Vec2& v : clamped.vertices()) EXPECT_NEAR(v.y(), kFlat * v.x() * v.x(), 1e-3 * kFlat);
  // Without tangents the natural spline, from the moments by hand: through 0, 1, 0 over 0, 1, 2 it
  // is 1.5 x − 0.5 x³ up to the middle.
  const Outline natural = through({{0, 0}, {1, kFlat}, {2, 0}}, "");
  for (const Vec2& v : natural.vertices()) {
    const double x = std::min(v.x(), 2 - v.x());
    EXPECT_NEAR(v.y(), kFlat * (1.5 * x - 0.5 * x * x * x), 1e-3 * kFlat);
  }
  // A tangent at one end turns the curve there.
  EXPECT_LT(through({{0, 0}, {1, 0}, {2, 0}}, "12\n0\n22\n-3\n").lo().y(), -0.1);
  // Around: the same from any of its points, and near a circle.
  std::vector<Vec2> round = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const Outline circle = through(round, "70\n1\n");
  EXPECT_TRUE(circle.closed(0));
  for (const Vec2& v : circle.vertices()) EXPECT_NEAR(v.norm(), 1, 0.06);
  std::rotate(round.begin(), round.begin() + 1, round.end());
  EXPECT_NEAR(through(round, "70\n1\n").signed_area(0), circle.signed_area(0), 1e-9);
  round.push_back(round.front());
  EXPECT_NEAR(through(round, "70\n11\n").signed_area(0), circle.signed_area(0), 1e-9);
  EXPECT_NE(refusal([] { return dxf("0\nSPLINE\n11\n0\n21\n0\n"); }).find("too few points"),
            std::string::npos);
}

TEST(Dxf, IsSeenFromAbove) {
  const std::string line = "0\nLINE\n10\n0\n20\n0\n11\n2\n21\n0\n";
  EXPECT_EQ(dxf(line + "30\n0\n31\n0\n").remarks().size(), 1u);  // it is open
  const Outline sloped = dxf(line +
                             "30\n0\n31\n-5\n0\nPOLYLINE\n30\n1\n0\nVERTEX\n10\n5\n20\n5\n"
                             "30\n2\n0\nVERTEX\n10\n6\n20\n5\n30\n1\n0\nSEQEND\n");
  expect_points(sloped, {{0, 0}, {2, 0}, {5, 5}, {6, 5}});
  EXPECT_EQ(sloped.remarks().front(),
            "2 entities leave z = 0, by up to 5, and are read as seen from above");
  // All at one height, too, but not for the rounding of a few digits.
  EXPECT_EQ(dxf("0\nCIRCLE\n10\n0\n20\n0\n30\n3\n40\n1\n").remarks().front(),
            "1 entity leaves z = 0, by up to 3, and is read as seen from above");
  EXPECT_TRUE(dxf("0\nCIRCLE\n10\n0\n20\n0\n30\n1e-9\n40\n1\n").remarks().empty());
  EXPECT_EQ(dxf("0\nLWPOLYLINE\n38\n7\n70\n1\n10\n0\n20\n0\n10\n4\n20\n0\n10\n4\n20\n3\n")
                .remarks()
                .size(),
            1u);
}

TEST(Dxf, SectionsThatAreThereTwiceCountBoth) {
  const auto section = [](const char* name, const std::string& content) {
    return fmt::format("0\nSECTION\n2\n{}\n{}0\nENDSEC\n", name, content);
  };
  const auto block = [](const char* name, int x) {
    return fmt::format("0\nBLOCK\n2\n{}\n0\nPOINT\n10\n{}\n20\n0\n0\nENDBLK\n", name, x);
  };
  const auto insert = [](const char* name) {
    return fmt::format("0\nINSERT\n2\n{}\n10\n0\n20\n0\n", name);
  };
  const std::string line = "0\nLINE\n10\n0\n20\n0\n11\n2\n21\n0\n",
                    point = "0\nPOINT\n10\n7\n20\n7\n";
  const Outline both = dxf(point, section("ENTITIES", line) + section("OBJECTS", ""));
  EXPECT_EQ(both.chain_count(), 2);
  EXPECT_EQ(both.length(), 2);
  EXPECT_EQ(both.hi(), Vec2(7, 7));
  const std::string blocks = section("BLOCKS", block("a", 1)) + section("BLOCKS", block("b", 3));
  const Outline placed = dxf(insert("a") + insert("b"), blocks);
  EXPECT_EQ(placed.lo(), Vec2(1, 0));
  EXPECT_EQ(placed.hi(), Vec2(3, 0));
  // If two blocks have one name, an insertion of it is ambiguous.
  const std::string same = section("BLOCKS", block("a", 1)) + section("BLOCKS", block("a", 3));
  EXPECT_EQ(dxf(point, same).chain_count(), 1);
  EXPECT_EQ(refusal([&] { return dxf(insert("a"), same); }),
            "d.dxf:42: 'INSERT': there are several blocks 'a'");
}

TEST(Dxf, PlacesBlocksAndKnowsUnits) {
  const std::string block =
      "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nunit\n10\n1\n20\n0\n0\nLINE\n10\n1\n20\n0\n11\n2\n21\n0"
      "\n"
      "0\nENDBLK\n0\nENDSEC\n";
  expect_points(dxf("0\nINSERT\n2\nunit\n10\n5\n20\n5\n41\n2\n42\n2\n50\n90\n", block),
                {{5, 5}, {5, 7}});
  const Outline grid =
      dxf("0\nINSERT\n2\nunit\n10\n0\n20\n0\n70\n3\n71\n2\n44\n10\n45\n20\n", block);
  EXPECT_EQ(grid.chain_count(), 6);
  EXPECT_EQ(grid.hi(), Vec2(21, 20));
  EXPECT_NE(refusal([&] {
              return dxf("0\nINSERT\n2\nother\n10\n0\n20\n0\n", block);
            }).find("there is no block"),
            std::string::npos);
  const std::string within =
      "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nb\n0\nINSERT\n2\nb\n10\n0\n20\n0\n"
      "0\nENDBLK\n0\nENDSEC\n";
  EXPECT_NE(
      refusal([&] { return dxf("0\nINSERT\n2\nb\n10\n0\n20\n0\n", within); }).find("too deep"),
      std::string::npos);
  const auto header = [](const char* unit) {
    return std::string("0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n9\n$INSUNITS\n70\n") + unit +
           "\n0\nENDSEC\n";
  };
  const std::string line = "0\nLINE\n10\n0\n20\n0\n11\n2\n21\n0\n";
  EXPECT_EQ(dxf(line, header("1")).length(), 50.8);
  EXPECT_EQ(dxf(line, header("4")).length(), 2);
  EXPECT_EQ(dxf(line, header("6")).length(), 2000);
  EXPECT_EQ(dxf(line, header("0")).length(), 2);
}

TEST(Dxf, RefusesWhatItCannotRead) {
  const auto expect = [](const std::string& entities, const std::string& part) {
    const std::string reason = refusal([&] { return dxf(entities); });
    EXPECT_NE(reason.find(part), std::string::npos) << reason;
    EXPECT_TRUE(reason.starts_with("d.dxf:")) << reason;
  };
  expect("0\nLINE\n10\nx\n20\n0\n11\n0\n21\n0\n", "d.dxf:8: expected a number");
  expect("0\nLINE\n10\n0\n20\n0\n", "a point (group 11) is missing");
  expect("0\nCIRCLE\n10\n0\n20\n0\n40\n1\n210\n1\n230\n0\n", "not parallel");
  expect("0\nCIRCLE\n10\n0\n20\n0\n40\n-1\n", "radius");
  expect("0\n3DSOLID\n", "not read");
  expect("0\nPOLYLINE\n70\n64\n0\nSEQEND\n", "mesh of space");
  expect("0\nLWPOLYLINE\n70\n1\n", "needs points");
  expect("0\nLINE\n10\n1e999\n20\n0\n11\n0\n21\n0\n", "expected a number");
  expect("0\nLINE\n10\nnan\n20\n0\n11\n0\n21\n0\n", "expected a number");
  expect("zero\n", "expected the code");
  expect("", "no outlines");
  expect("0\nINSERT\n2\nb\n10\n0\n20\n0\n", "there is no block");
  const auto whole = [](const std::string& text) {
    return refusal([&] { return io::read_outline(text, ".dxf", "d.dxf"); });
  };
  EXPECT_NE(whole("AC1032").find("DWG"), std::string::npos);
  EXPECT_NE(whole("0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n").find("no section"),
            std::string::npos);
  EXPECT_NE(whole("0\nSECTION\n2").find("ends within a group"), std::string::npos);
  const std::string line = "0\nLINE\n10\n0\n20\n0\n11\n1\n21\n0\n";
  // A file that was not transferred to its end must not be taken for a smaller one.
  for (const char* end : {"", "0\nLINE\n10\n5\n20\n0\n11\n6\n21\n0\n", "0\nENDSEC\n"})
    EXPECT_NE(whole("0\nSECTION\n2\nENTITIES\n" + line + end).find("cut off"), std::string::npos)
        << end;
}

}  // namespace
}  // namespace touche::dxf_file_test
