// SPDX-License-Identifier: Apache-2.0
// Lines and arcs of a DXF that were drawn separately: which become one chain, and which stay open.
// A comparison of every pair of ends confirms the ends that meet.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "io/drawing.h"
#include "io/join_paths.h"
#include "plane_sets.h"
#include "test_scale.h"

namespace touche::outline_join_test {
namespace {

using io::Path;
using io::Stroke;
using plane::Outline;
using plane::Vec2;

struct Read {
  Outline outline;
  OutlineReport report;
};

Read dxf(const std::string& entities, const OutlineOptions& options = {}) {
  Read read;
  read.outline = io::read_outline("0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n",
                                  ".dxf", "d.dxf", options, &read.report);
  return read;
}

std::string line(const Vec2& p, const Vec2& q, const char* layer = "cut") {
  return fmt::format("0\nLINE\n8\n{}\n10\n{:.17g}\n20\n{:.17g}\n11\n{:.17g}\n21\n{:.17g}\n", layer,
                     p.x(), p.y(), q.x(), q.y());
}

TEST(OutlineJoin, LinesAndArcsBecomeAPlate) {
  // A plate of 40 × 20 with a rounded corner and a slot, drawn in no order and either way round.
  const std::string rounded = line({40, 0}, {0, 0}) + line({40, 0}, {40, 15}) +
                              line({0, 20}, {0, 0}) + line({0, 20}, {35, 20}) +
                              "0\nARC\n8\ncut\n10\n35\n20\n15\n40\n5\n50\n0\n51\n90\n";
  const std::string slot = "0\nARC\n8\ncut\n10\n10\n20\n10\n40\n2\n50\n90\n51\n270\n" +
                           line({10, 8}, {20, 8}) + line({20, 12}, {10, 12}) +
                           "0\nARC\n8\ncut\n10\n20\n20\n10\n40\n2\n50\n270\n51\n90\n";
  const Read plate = dxf(rounded + slot, {.chord_error = 1e-4});
  ASSERT_EQ(plate.outline.chain_count(), 2u);
  EXPECT_TRUE(plate.outline.closed(0) && plate.outline.closed(1));
  EXPECT_EQ(plate.outline.name(0), "cut");
  const double corner = 25 * (1 - std::numbers::pi / 4);
  EXPECT_NEAR(std::abs(plate.outline.signed_area(0)), 800 - corner, 1e-2);
  EXPECT_NEAR(std::abs(plate.outline.signed_area(1)), 40 + 4 * std::numbers::pi, 1e-2);
  EXPECT_EQ(plate.report.joined, 9u);
  EXPECT_LE(plate.report.widest_gap, 1e-12);
  EXPECT_TRUE(plate.report.open.empty());
  // The rule of regions takes the slot out.
  const plane::Region region{plane::Object(plate.outline)};
  EXPECT_EQ(region.place({15, 10}), plane::Place::outside);
  EXPECT_EQ(region.place({30, 10}), plane::Place::inside);
}

TEST(OutlineJoin, OnlyWithinALayerAndTheGap) {
  const std::string apart = line({0, 0}, {10, 0}) + line({10, 0.05}, {10, 10}) +
                            line({10, 10}, {0, 0}) + line({0, 0}, {0, 5}, "bend");
  // The gap is 1/100,000 of the diagonal, unless it is said.
  const Read open = dxf(apart);
  ASSERT_EQ(open.outline.chain_count(), 2u);
  EXPECT_FALSE(open.outline.closed(0));
  ASSERT_EQ(open.report.open.size(), 2u);
  EXPECT_NE(open.report.open[0].find("on cut: from (10, 0.05) to (10, 0)"), std::string::npos)
      << open.report.open[0];
  EXPECT_NE(open.report.open[1].find("on bend"), std::string::npos);
  const Read bridged = dxf(apart, {.join_gap = 0.1});
  ASSERT_EQ(bridged.outline.chain_count(), 2u);
  EXPECT_TRUE(bridged.outline.closed(0));
  EXPECT_FALSE(bridged.outline.closed(1));
  EXPECT_NEAR(bridged.report.widest_gap, 0.05, 1e-12);
  // No point has moved: the gap is an edge.
  EXPECT_EQ(bridged.outline.first_edge(1) - bridged.outline.first_edge(0), 4u);
  for (const Vec2& p : {Vec2(10, 0), Vec2(10, 0.05)})
    EXPECT_EQ(std::count(bridged.outline.vertices().begin(), bridged.outline.vertices().end(), p),
              1);
  // After scaling.
  EXPECT_FALSE(dxf(apart, {.scale = 10, .join_gap = 0.1}).outline.closed(0));
  EXPECT_TRUE(dxf(apart, {.scale = 10, .join_gap = 1}).outline.closed(0));
  EXPECT_THROW((void)load_outline("a.dxf", {.join_gap = -1}), InvalidInput);
}

TEST(OutlineJoin, WhereThreeEndsMeetNothingIsJoined) {
  const Read three = dxf(line({0, 0}, {1, 0}) + line({1, 0}, {2, 0}) + line({1, 0}, {1, 1}) +
                         line({2, 0}, {3, 0}));
  EXPECT_EQ(three.outline.chain_count(), 3u);  // only at (2, 0)
  EXPECT_EQ(three.report.joined, 2u);
  EXPECT_EQ(three.report.open.size(), 3u);
  // A polyline that comes back to its start is closed; a line of no length is not.
  const Read back =
      dxf("0\nLWPOLYLINE\n8\na\n10\n0\n20\n0\n10\n1\n20\n0\n10\n1\n20\n1\n10\n0\n20\n0\n" +
          line({5, 5}, {5, 5}));
  EXPECT_TRUE(back.outline.closed(0));
  EXPECT_EQ(back.outline.signed_area(0), 0.5);
  EXPECT_FALSE(back.outline.closed(1));
  // SVG says which lines belong together, and is left as it is.
  EXPECT_EQ(io::read_outline("<svg><path d='M0 0H1'/><path d='M1 0V1'/></svg>", ".svg", "d.svg")
                .chain_count(),
            2u);
}

TEST(OutlineJoin, TurnsCurvesRound) {
  // A curve of each kind from (0, 0) to (1, 0), and one back to there: reversed, and joined.
  const auto curve = [](Stroke::Kind kind) {
    Path path;
    if (kind == Stroke::Kind::cubic) path.cubic_to({0, 1}, {2, 1}, {1, 0});
    if (kind == Stroke::Kind::rational) path.rational_to({0, 1}, {2, 1}, {1, 0}, {1, 3, 0.5, 2});
    if (kind == Stroke::Kind::arc)
      path = io::arc_path({0.5, 0}, {0.5, 0}, {0, 0.5}, std::numbers::pi, 0);
    return path;
  };
  const auto flat = [](std::vector<Path> paths) {
    const std::string file = "d";
    io::Drawing drawing(1000, file);
    for (Path& path : paths) drawing.add(std::move(path), {}, "");
    return drawing.flattened({.chord_error = 1e-4});
  };
  for (const auto kind : {Stroke::Kind::cubic, Stroke::Kind::rational, Stroke::Kind::arc}) {
    Path into;
    into.start = {-1, 0};
    into.line_to({1, 0});
    std::vector<Path> both = {into, curve(kind)};
    both[1].start = {1e-9, 0};  // now the line's end meets the curve's end only
    const Outline alone = flat({both[1]});
    ASSERT_EQ(io::join_paths(both, 1e-6).joined, 2u);
    ASSERT_EQ(both.size(), 1u);
    const Outline joined = flat(both);
    ASSERT_EQ(joined.vertex_count(), alone.vertex_count() + 1);
    for (Index v = 0; v < alone.vertex_count(); ++v)
      EXPECT_NEAR((joined.vertex(joined.vertex_count() - 1 - v) - alone.vertex(v)).norm(), 0, 1e-12)
          << v;
  }
}

// ---- reference implementation
// ---------------------------------------------------------------------

/// Which of the ends (2 k and 2 k + 1 of path k) meet, by testing every pair.
std::vector<std::size_t> partners(const std::vector<Path>& paths, double gap) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> partner(2 * paths.size(), kNone);
  const auto at = [&](std::size_t e) {
    return e % 2 == 0 ? paths[e / 2].start : paths[e / 2].end();
  };
  for (const double within : {0.0, gap}) {
    const std::vector<std::size_t> before = partner;
    const auto only = [&](std::size_t e) {
      std::size_t found = kNone;
      for (std::size_t f = 0; f < partner.size(); ++f) {
        if (f == e || before[f] != kNone || paths[f / 2].name != paths[e / 2].name ||
            at(f) == at(f ^ 1) || (at(f) - at(e)).norm() > within)
          continue;
        if (found != kNone) return kNone;
        found = f;
      }
      return found;
    };
    for (std::size_t e = 0; e < partner.size(); ++e) {
      if (before[e] != kNone || at(e) == at(e ^ 1)) continue;
      const std::size_t f = only(e);
      if (f != kNone && only(f) == e) partner[e] = f;
    }
  }
  return partner;
}

struct Counts {
  std::size_t chains = 0, closed = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts count_chains(const std::vector<std::size_t>& partner) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  Counts counts;
  std::vector<bool> seen(partner.size() / 2);
  for (const bool loops : {false, true})
    for (std::size_t e = 0; e < partner.size(); ++e) {
      if (seen[e / 2] || (!loops && partner[e] != kNone)) continue;
      for (std::size_t at = e; at != kNone && !seen[at / 2]; at = partner[at ^ 1])
        seen[at / 2] = true;
      ++counts.chains;
      counts.closed += loops;
    }
  return counts;
}

TEST(OutlineJoin, AgreesWithLookingAtEveryPair) {
  base::Random random(18);
  const int cases = test::scaled(600);
  int joined = 0, closed = 0, total = 0;
  for (int n = 0; n < cases; ++n) {
    // Ends on a small lattice, some of them a little off, of lines on one layer or two.
    const double size = std::pow(10.0, random.uniform(-9, 9)), gap = 0.02 * size;
    const Index most = 3 + random.below(6), count = 2 + random.below(24);
    const auto end = [&] {
      Vec2 p(random.below(most), random.below(most));
      if (random.below(3) == 0) p += Vec2(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02));
      return Vec2(size * (p - Vec2(1, 1)));
    };
    std::vector<Path> paths;
    for (Index k = 0; k < count; ++k) {
      Path path;
      path.name = random.below(4) == 0 ? "b" : "a";
      path.start = end();
      path.line_to(end());
      // The same line once more, either way round, would be left out: see below.
      const bool known = std::any_of(paths.begin(), paths.end(), [&](const Path& other) {
        return other.name == path.name &&
               ((other.start == path.start && other.end() == path.end()) ||
                (other.start == path.end() && other.end() == path.start));
      });
      if (!known) paths.push_back(std::move(path));
    }
    const Counts expected = count_chains(partners(paths, gap));
    std::vector<Path> result = paths;
    const io::Joining joining = io::join_paths(result, gap);
    Counts found{result.size(), 0};
    double length = 0, before = 0;
    for (const Path& path : result) {
      found.closed += path.closed;
      Vec2 at = path.start;
      for (const Stroke& s : path.strokes) length += (s.end - at).norm(), at = s.end;
    }
    for (const Path& path : paths) before += (path.end() - path.start).norm();
    EXPECT_EQ(found, expected) << n;
    EXPECT_LE(joining.widest_gap, gap);
    // Nothing is lost; what is added bridges gaps.
    EXPECT_GE(length, before * (1 - 1e-12));
    EXPECT_LE(length, before + static_cast<double>(count) * gap);
    joined += expected.chains < paths.size();
    closed += expected.closed > 0;
    ++total;
  }
  EXPECT_GT(closed, total / 20);
  EXPECT_GT(joined, total / 2);
}

TEST(OutlineJoin, FindsCutPolygonsAgain) {
  base::Random random(19);
  for (int n = 0; n < test::scaled(100); ++n) {
    std::vector<std::string> lines;
    std::vector<double> areas;
    for (int c = 0; c < 5; ++c) {
      const Index corners = 3 + random.below(30);
      std::vector<Vec2> points;
      for (Index k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners, r = random.uniform(0.4, 1);
        points.emplace_back(3.0 * c + r * std::cos(angle), r * std::sin(angle));
      }
      double twice = 0;
      for (Index k = 0; k < corners; ++k) {
        const Vec2 &p = points[k], &q = points[(k + 1) % corners];
        twice += p.x() * q.y() - p.y() * q.x();
        // Written with six decimals, as many programs do.
        const auto rounded = [](const Vec2& x) { return Vec2((x * 1e6).array().round() * 1e-6); };
        lines.push_back(random.below(2) == 0 ? line(rounded(p), q) : line(q, rounded(p)));
      }
      areas.push_back(0.5 * twice);
    }
    for (std::size_t i = lines.size(); i > 1; --i)
      std::swap(lines[i - 1], lines[random.below(static_cast<Index>(i))]);
    std::string all;
    for (const std::string& text : lines) all += text;
    const Read read = dxf(all);
    ASSERT_EQ(read.outline.chain_count(), 5u);
    EXPECT_TRUE(read.report.open.empty());
    std::vector<double> found;
    for (Index c = 0; c < 5; ++c) {
      EXPECT_TRUE(read.outline.closed(c));
      found.push_back(std::abs(read.outline.signed_area(c)));
    }
    std::sort(found.begin(), found.end()), std::sort(areas.begin(), areas.end());
    for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(found[c], areas[c], 1e-4);
  }
}

TEST(OutlineJoin, WhatIsDrawnTwiceCountsOnce) {
  // A triangle of which every side is there twice, some the other way round.
  const std::string sides = line({0, 0}, {4, 0}) + line({4, 0}, {0, 3}) + line({0, 3}, {0, 0});
  const std::string again = line({0, 0}, {4, 0}) + line({0, 3}, {4, 0}) + line({0, 0}, {0, 3});
  const Read triangle = dxf(sides + again);
  ASSERT_EQ(triangle.outline.chain_count(), 1u);
  EXPECT_TRUE(triangle.outline.closed(0));
  EXPECT_EQ(std::abs(triangle.outline.signed_area(0)), 6);
  EXPECT_EQ(triangle.report.repeated, 3u);
  ASSERT_EQ(triangle.report.remarks.size(), 1u);
  EXPECT_NE(triangle.report.remarks[0].find("3 lines or arcs are drawn a second time"),
            std::string::npos)
      << triangle.report.remarks[0];
  EXPECT_EQ(triangle.outline.remarks(), triangle.report.remarks);
  // Arcs, too; on another layer they stay.
  const std::string arc = "0\nARC\n8\ncut\n10\n0\n20\n0\n40\n5\n50\n0\n51\n90\n";
  const std::string other = "0\nARC\n8\nbend\n10\n0\n20\n0\n40\n5\n50\n0\n51\n90\n";
  EXPECT_EQ(dxf(arc + arc + other).outline.chain_count(), 2u);
  EXPECT_EQ(dxf(arc + arc + arc).report.repeated, 2u);
  // Another arc between the same ends is another arc.
  const std::string rest = "0\nARC\n8\ncut\n10\n0\n20\n0\n40\n5\n50\n90\n51\n360\n";
  EXPECT_EQ(dxf(arc + rest).report.repeated, 0u);
}

TEST(OutlineJoin, SubpathsOfSvgThatComeBackAreClosed) {
  const auto svg = [](const std::string& d, OutlineReport* report = nullptr) {
    return io::read_outline("<svg><path d='" + d + "'/></svg>", ".svg", "d.svg", {}, report);
  };
  EXPECT_TRUE(svg("M0 0H10V10H0V0").closed(0));
  OutlineReport report;
  report.joined = 99, report.open = {"from another file"};
  EXPECT_TRUE(svg("M0 0H10V10H0V0.00001", &report).closed(0));
  EXPECT_EQ(report.joined, 1u);
  EXPECT_TRUE(report.open.empty());
  EXPECT_NEAR(report.widest_gap, 1e-5, 1e-12);
  EXPECT_FALSE(svg("M0 0H10V10H0V1").closed(0));
  EXPECT_FALSE(svg("M0 0H10", &report).closed(0));
  ASSERT_EQ(report.open.size(), 1u);
  ASSERT_EQ(report.remarks.size(), 1u);
  EXPECT_NE(report.remarks[0].find("1 of 1 chains is open: what lies within it is unknown"),
            std::string::npos);
}

TEST(OutlineJoin, GapsThatArePastRoundingAreTold) {
  const auto plate = [](double gap) {
    return dxf(line({0, 0}, {100, 0}) + line({100, 0}, {100, 100 - gap}) + line({100, 100}, {0, 0}),
               {.join_gap = 1});
  };
  EXPECT_TRUE(plate(1e-5).report.remarks.empty());
  ASSERT_EQ(plate(0.5).report.remarks.size(), 1u);
  EXPECT_NE(plate(0.5).report.remarks[0].find("gaps of up to 0.5"), std::string::npos);
}

// Even in crowded files, each end tests few others.
TEST(OutlineJoin, EveryEndLooksAtFew) {
  constexpr std::size_t kLines = 20'000;
  base::Random random(21);
  const double gap = 1;
  // All ends of one scene in a few crowds, of which none is near another, in neighbouring cells.
  const auto looks = [&](const std::vector<Vec2>& crowds, double spread, std::size_t singles) {
    std::vector<Path> paths(kLines);
    for (std::size_t k = 0; k < kLines; ++k) {
      const auto place = [&] {
        return Vec2(crowds[random.below(static_cast<Index>(crowds.size()))] +
                    Vec2(random.uniform(-spread, spread), random.uniform(-spread, spread)));
      };
      paths[k].start = place();
      paths[k].line_to(place());
      if (k < singles) paths[k].line_to({1e6 + 10.0 * static_cast<double>(k), 0});
    }
    return io::join_paths(paths, gap).looks;
  };
  const double side = 0.7 * gap;
  for (const double spread : {0.0, 1e-3}) {
    EXPECT_LE(looks({{0.5 * side, 0.5 * side}}, spread, 0), 100 * kLines);
    EXPECT_LE(looks({{0.5 * side, 0.5 * side}, {2.5 * side, 0.5 * side}}, spread, 0), 100 * kLines);
    EXPECT_LE(looks({{0.1, 0.1}, {1.3, 0.1}, {0.1, 1.3}, {1.3, 1.3}, {-1.1, 0.1}}, spread, 7),
              100 * kLines);
    // So far away that cells are rounded.
    for (const double far : {1e13, 1e15, 3e16})
      EXPECT_LE(looks({{far, far}, {far + 4, far}, {far, far + 4}}, spread, 7), 200 * kLines);
  }
}

// Many ends at one point, or in one cell, take no longer than others.
TEST(OutlineJoin, HostileFilesTakeLittleTime) {
  constexpr int kLines = 100'000;
  std::vector<Path> star(kLines), crowd(kLines);
  base::Random random(20);
  for (int k = 0; k < kLines; ++k) {
    star[k].line_to({random.uniform(-1, 1), random.uniform(-1, 1)});
    crowd[k].start = {random.uniform(0, 1e-6), random.uniform(0, 1e-6)};
    crowd[k].line_to({random.uniform(0, 1e-6), random.uniform(0, 1e-6)});
  }
  for (std::vector<Path>* paths : {&star, &crowd}) {
    const double gap = paths == &star ? 1e-12 : 1e-5;
    EXPECT_EQ(io::join_paths(*paths, gap).joined, 0u);
    EXPECT_EQ(paths->size(), static_cast<std::size_t>(kLines));
  }
  for (const double coordinate : {0.0, 1e-300, 1e90})
    for (const double gap : {0.0, 1e-320, 1e-200, 1e-5, 1e80, 1e200}) {
      std::vector<Path> paths(3);
      for (Path& path : paths) {
        path.start = {coordinate, -coordinate};
        path.line_to({-coordinate, 1});
      }
      EXPECT_LE(io::join_paths(paths, gap).joined, 3u);
    }
}

}  // namespace
}  // namespace touche::outline_join_test
