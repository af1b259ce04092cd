// SPDX-License-Identifier: Apache-2.0
// Borders that a drawing has twice: they enclose the same as a single border, and a remark reports
// it.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/drawing.h"
#include "io/drawn_twice.h"
#include "plane_sets.h"
#include "test_scale.h"
#include "touche/overlap.h"
#include "touche/reference.h"

namespace touche::outline_twice_test {
namespace {

using plane::Chain;
using plane::Outline;
using plane::Vec2;

Outline dxf(const std::string& entities, const OutlineOptions& options = {}) {
  return io::read_outline("0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n", ".dxf",
                          "d.dxf", options);
}

std::string circle(double x, double y, double r, const char* layer = "cut") {
  return fmt::format("0\nCIRCLE\n8\n{}\n10\n{}\n20\n{}\n40\n{}\n", layer, x, y, r);
}

std::string arc(double x, double y, double r, double from, double to, const char* layer = "cut") {
  return fmt::format("0\nARC\n8\n{}\n10\n{}\n20\n{}\n40\n{}\n50\n{}\n51\n{}\n", layer, x, y, r,
                     from, to);
}

std::string polyline(const std::vector<Vec2>& points, const char* layer = "cut") {
  std::string text = fmt::format("0\nLWPOLYLINE\n8\n{}\n70\n1\n", layer);
  for (const Vec2& p : points) text += fmt::format("10\n{:.17g}\n20\n{:.17g}\n", p.x(), p.y());
  return text;
}

int again(const Outline& outline) {
  int count = 0;
  for (Index c = 0; c < outline.chain_count(); ++c) count += outline.again(c);
  return count;
}

/// Both by the outline itself, and by the object of space that stands on it.
bool inside(const Outline& outline, const Vec2& x) {
  const plane::Object object(outline);
  const bool of_region = plane::Region(object).place(x) == plane::Place::inside;
  EXPECT_EQ(Interior(object.in_space()).contains({x.x(), x.y(), 0}), of_region);
  EXPECT_EQ(plane::brute_force::place(plane::Region(object), x) == plane::Place::inside, of_region);
  return of_region;
}

// In a large drawing chords may be off by more than small things are wide.
TEST(OutlineTwice, WhatLiesSideBySideIsNotDrawnTwice) {
  const auto bar = [](double x, double y, double width, double height) {
    return polyline({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}});
  };
  const std::string frame = bar(-1e5, -1e5, 2e5, 10);
  const Outline bars = dxf(frame + bar(7000, 7000, 1, 30) + bar(7001.2, 7000, 1, 30));
  EXPECT_EQ(again(bars), 0);
  EXPECT_TRUE(inside(bars, {7000.5, 7010}) && inside(bars, {7001.7, 7010}));
  const Outline profile = dxf(frame + bar(0, 0, 100, 50) + bar(1, 1, 98, 48));
  EXPECT_EQ(again(profile), 0);
  EXPECT_TRUE(inside(profile, {0.5, 25}) && !inside(profile, {50, 25}));
  const Outline pipe = dxf(circle(0, 0, 50) + circle(0, 0, 49), {.chord_error = 1.4});
  EXPECT_EQ(again(pipe), 0);
  EXPECT_FALSE(inside(pipe, {0, 0}));
  const Outline holes = dxf(circle(0, 0, 1) + circle(2.5, 0, 1), {.chord_error = 3});
  EXPECT_EQ(again(holes), 0);
  EXPECT_TRUE(inside(holes, {0, 0}) && inside(holes, {2.5, 0}));
}

// Both count then, with a remark; a chain that is repeated point for point is marked as drawn
// again.
TEST(OutlineTwice, WhatIsAsThinAsChordsAreWrongIsNotTold) {
  const auto lens = [](double x) {
    return arc(x, 0, 100, 75, 105) + arc(x, 200 * std::cos(std::numbers::pi / 12), 100, 255, 285);
  };
  const Outline beside = dxf(lens(0) + lens(0.5), {.chord_error = 3});
  EXPECT_EQ(again(beside), 0);
  ASSERT_EQ(beside.remarks().size(), 1u);
  EXPECT_NE(beside.remarks()[0].find("both count"), std::string::npos) << beside.remarks()[0];
  const Outline fine = dxf(lens(0) + lens(0.5), {.chord_error = 1e-3});
  EXPECT_EQ(again(fine), 0);
  EXPECT_TRUE(fine.remarks().empty());
}

TEST(OutlineTwice, ACircleBesideItsArcs) {
  const std::string whole = circle(10, 5, 4);
  for (const double from : {0.0, 17.0, 90.0}) {
    const std::string arcs = arc(10, 5, 4, from, from + 130) + arc(10, 5, 4, from + 130, from);
    for (const double error : {0.0, 0.3, 1e-3})
      for (const std::string& drawing : {whole + arcs, arcs + whole}) {
        const Outline outline = dxf(drawing, {.chord_error = error});
        ASSERT_EQ(outline.chain_count(), 2u);
        EXPECT_EQ(again(outline), 1) << from << " " << error;
        ASSERT_EQ(outline.remarks().size(), 1u);
        EXPECT_NE(outline.remarks()[0].find("chain 1 of cut is drawn over chain 0 of cut"),
                  std::string::npos)
            << outline.remarks()[0];
        EXPECT_TRUE(inside(outline, {10, 5}));
        EXPECT_TRUE(inside(outline, {12.5, 6}));
        EXPECT_FALSE(inside(outline, {14.5, 5}));
      }
  }
}

TEST(OutlineTwice, ABorderOnTwoLayers) {
  const std::vector<Vec2> square = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  const std::vector<std::vector<Vec2>> others = {
      square,
      {{10, 10}, {0, 10}, {0, 0}, {10, 0}},                              // another start
      {{0, 10}, {10, 10}, {10, 0}, {0, 0}},                              // the other way round
      {{0, 0}, {3, 0}, {10, 0}, {10, 10}, {7, 10}, {2, 10}, {0, 10}},    // more points
      {{0, 0}, {0, 0}, {10, 0}, {10, 10}, {10, 10}, {10, 10}, {0, 10}},  // points repeat
      {{5, 0}, {10, 0}, {10, 1e-6}, {10, 10}, {0, 10}, {0, 0}},          // off by rounding
      {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}, {10, 0}, {10, 10}, {0, 10}}};  // twice round
  for (const auto& other : others)
    for (const std::string& drawing :
         {polyline(square) + polyline(other, "mark"), polyline(other) + polyline(square, "mark")}) {
      const Outline outline = dxf(drawing);
      EXPECT_EQ(again(outline), 1);
      EXPECT_FALSE(outline.remarks().empty());
      EXPECT_TRUE(inside(outline, {5, 5}));
      EXPECT_FALSE(inside(outline, {15, 5}));
    }
  // Three times is once, too; a hole that is there twice is a hole.
  const std::vector<Vec2> hole = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
  const Outline plate = dxf(polyline(square) + polyline(hole) + polyline(square, "a") +
                            polyline(hole, "a") + polyline(square, "b"));
  EXPECT_EQ(again(plate), 3);
  EXPECT_TRUE(inside(plate, {8, 8}));
  EXPECT_FALSE(inside(plate, {3, 3}));
}

TEST(OutlineTwice, WhatIsOnlyAlikeStays) {
  const std::vector<Vec2> square = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
  const std::vector<Vec2> bow = {{0, 0}, {10, 10}, {10, 0}, {0, 10}};
  const std::vector<Vec2> notched = {{0, 0},   {4, 0},  {4, 0.05}, {4.1, 0.05},
                                     {4.1, 0}, {10, 0}, {10, 10},  {0, 10}};
  const std::vector<Vec2> shifted = {{0.1, 0}, {10.1, 0}, {10.1, 10}, {0.1, 10}};
  for (const auto& other : {bow, notched, shifted}) {
    EXPECT_EQ(again(dxf(polyline(square) + polyline(other))), 0);
    EXPECT_EQ(again(dxf(polyline(other) + polyline(square))), 0);
  }
  EXPECT_EQ(again(dxf(circle(0, 0, 10) + circle(0, 0, 9.9))), 0);
  EXPECT_EQ(again(dxf(circle(0, 0, 10) + circle(0.1, 0, 10))), 0);
  // A chain that goes along a border and back encloses nothing, and takes nothing away.
  const std::vector<Vec2> there_and_back = {{0, 0}, {10, 0}, {10, 10}, {0, 10},
                                            {0, 0}, {0, 10}, {10, 10}, {10, 0}};
  for (const std::string& drawing :
       {polyline(there_and_back) + polyline(square), polyline(square) + polyline(there_and_back)}) {
    EXPECT_EQ(again(dxf(drawing)), 0);
    EXPECT_TRUE(inside(dxf(drawing), {5, 5}));
  }
  // A wheel that passes its hub again and again is no wheel drawn twice.
  const Outline wheel = dxf(polyline({{0, 0}, {4, -1}, {4, 1}, {0, 0}, {-4, 1}, {-4, -1}}));
  EXPECT_TRUE(wheel.remarks().empty());
  EXPECT_TRUE(inside(wheel, {3, 0}) && inside(wheel, {-3, 0}));
}

// Made by hand, without a file: the objects of space count the same sides once.
TEST(OutlineTwice, HandMadeOutlines) {
  const auto encloses = [](const Chain& a, const Chain& b, const Vec2& x) {
    const plane::Object object{Outline(std::vector{a, b})};
    return Interior(object.in_space()).contains({x.x(), x.y(), 0});
  };
  const Chain loops{{{0, 0}, {4, -1}, {4, 1}, {0, 0}, {2, 3}, {3, 3}}, true, "", false};
  // The least corner is passed twice; here the other loop comes first, and the other way round.
  const Chain other{{{0, 0}, {3, 3}, {2, 3}, {0, 0}, {4, 1}, {4, -1}}, true, "", false};
  EXPECT_TRUE(encloses(loops, other, {3, 0}));
  const Chain repeated{
      {{0, 0}, {0, 0}, {4, -1}, {4, 0}, {4, 1}, {4, 1}, {0, 0}, {2, 3}, {3, 3}}, true, "", false};
  EXPECT_TRUE(encloses(loops, repeated, {3, 0}));
  EXPECT_TRUE(encloses(repeated, other, {3, 0}));
}

TEST(OutlineTwice, RandomPolygonsAgain) {
  base::Random random(22);
  for (int n = 0; n < test::scaled(200); ++n) {
    const double size = std::pow(10.0, random.uniform(-6, 6));
    const Index corners = 3 + random.below(20);
    const double turn = random.uniform(0, 7);
    std::vector<Vec2> points;
    for (Index k = 0; k < corners; ++k) {
      const double angle = turn + 2 * std::numbers::pi * k / corners;
      points.push_back(
          size * (Vec2(3, -2) + random.uniform(0.5, 1) * Vec2(std::cos(angle), std::sin(angle))));
    }
    // Another start, perhaps the other way round, with more points on its sides.
    std::vector<Vec2> other;
    const Index first = random.below(corners);
    const bool back = random.below(2) == 0;
    for (Index k = 0; k < corners; ++k) {
      const auto at = [&](Index i) {
        return points[(back ? first + corners - i % corners : first + i) % corners];
      };
      other.push_back(at(k));
      for (Index more = random.below(3); more > 0; --more)
        other.push_back(other.back() + random.uniform(0, 1) * (at(k + 1) - other.back()));
    }
    // One corner elsewhere in half of the cases.
    const bool same = random.below(2) == 0;
    if (!same)
      other[random.below(static_cast<Index>(other.size()))] *= 1 + random.uniform(0.01, 0.1);
    const Outline outline = dxf(polyline(points) + polyline(other));
    EXPECT_EQ(again(outline), same) << n;
    if (same) {
      EXPECT_TRUE(inside(outline, size * Vec2(3, -2))) << n;
    }
  }
}

// The work is in proportion to the points, also where all chains look alike from their boxes.
TEST(OutlineTwice, HostileChainsTakeLittleTime) {
  std::vector<Chain> chains;
  for (int k = 1; k <= 20'000; ++k) {
    const double x = 10 * k / 20'001.0;
    chains.push_back({{{0, 0}, {10, 0}, {10, 10}, {x, 10}, {x, 5}, {0, 10}}, true, "", false});
  }
  const std::vector<io::ChainError> errors(chains.size(), {0, 1e-6});
  const std::vector<std::string> notes = io::mark_drawn_again(chains, errors);
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes.back().find("too many chains are alike"), std::string::npos) << notes.back();
  std::vector<Chain> same(50'000, Chain{{{0, 0}, {10, 0}, {0, 10}}, true, "", false});
  EXPECT_EQ(io::mark_drawn_again(same, std::vector<io::ChainError>(same.size(), {0, 1e-6})).back(),
            "49994 more chains are drawn again");
}

}  // namespace
}  // namespace touche::outline_twice_test
