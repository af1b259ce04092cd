// SPDX-License-Identifier: Apache-2.0
// Sheets: closed, with the volume that follows from their area, and with walls where the outline
// is.
#include "touche/plane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "plane/vec2.h"
#include "plane_sets.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche::plane {
namespace {

Chain ring_at(const Vec2& centre, double radius, int corners, bool clockwise = false,
              double dent = 1) {
  Chain chain{{}, true, {}};
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * M_PI * (clockwise ? -k : k) / corners + 0.1;
    const double r = k % 2 == 1 ? dent * radius : radius;
    chain.points.push_back(centre + r * Vec2(std::cos(angle), std::sin(angle)));
  }
  return chain;
}

/// The area by the even-odd rule of chains that do not cross.
double area_of(const Outline& outline, std::span<const int> depths) {
  double area = 0;
  for (Index c = 0; c < outline.chain_count(); ++c)
    area += (depths[c] % 2 == 0 ? 1 : -1) * std::abs(outline.signed_area(c));
  return area;
}

void expect_sheet(const std::vector<Chain>& chains, const std::vector<int>& depths) {
  const Outline outline(chains);
  const PolygonSoup sheet = sheet_of(outline, 0.5);
  const Health health = examine(sheet);
  EXPECT_TRUE(health.closed);
  EXPECT_TRUE(health.oriented);
  const double area = area_of(outline, depths);
  EXPECT_NEAR(health.volume, 0.5 * area, 1e-12 * outline.diagonal() * outline.diagonal());
  // No triangle of tops and bottoms is turned over: with the area that makes them cover it once.
  double top = 0;
  for (Index t = 0; t < sheet.triangle_count(); ++t) {
    const auto& [i, j, k] = sheet.triangle(t);
    const Vec3 &p = sheet.vertex(i), &q = sheet.vertex(j), &r = sheet.vertex(k);
    if (p.z() != q.z() || q.z() != r.z()) continue;
    const int turn = orientation(p.head<2>(), q.head<2>(), r.head<2>());
    EXPECT_TRUE(p.z() == 0 ? turn <= 0 : turn >= 0);
    if (p.z() > 0) top += 0.5 * (q - p).cross(r - p).z();
  }
  EXPECT_NEAR(top, area, 1e-12 * outline.diagonal() * outline.diagonal());
}

TEST(PlaneSheet, HasHolesIslandsAndHolesInThem) {
  const Chain plate{{{0, 0}, {0, 10}, {10, 10}, {10, 0}}, true, {}};  // clockwise: order is free
  expect_sheet({plate}, {0});
  const Chain hole{{{2, 2}, {8, 2}, {8, 8}, {2, 8}}, true, {}};
  expect_sheet({plate, hole}, {0, 1});
  expect_sheet({hole, plate}, {1, 0});
  const Chain island{{{3, 3}, {7, 3}, {7, 7}, {3, 7}}, true, {}};
  const Chain pin{{{4, 4}, {4, 5}, {5, 5}, {5, 4}}, true, {}}, far = ring_at({20, 5}, 4, 30);
  expect_sheet({pin, island, far, hole, plate}, {3, 2, 0, 1, 0});
}

TEST(PlaneSheet, HasManyHolesInAnyOrder) {
  base::Random random(1);
  for (int i = 0, n = test::scaled(30, 6); i < n && !HasFailure(); ++i) {
    std::vector<Chain> chains = {ring_at({0, 0}, 20, 40, i % 2 == 0, i % 3 == 0 ? 0.8 : 1)};
    std::vector<int> depths = {0};
    // On a grid, where many are level with each other, or about it.
    const double off = i % 2 == 0 ? 0 : 0.4;
    for (int x = -3; x <= 3; ++x)
      for (int y = -3; y <= 3; ++y) {
        if (random.below(4) == 0) continue;
        chains.push_back(ring_at(3 * Vec2(x, y) + test::random_vec2(random, off), 1,
                                 4 + static_cast<int>(random.below(9)), random.below(2) == 0, 0.7));
        depths.push_back(1);
      }
    for (std::size_t k = chains.size(); k > 1; --k) {
      const std::size_t other = random.below(static_cast<Index>(k));
      std::swap(chains[k - 1], chains[other]);
      std::swap(depths[k - 1], depths[other]);
    }
    expect_sheet(chains, depths);
  }
}

TEST(PlaneSheet, WallsAreTheOutline) {
  const std::vector<Chain> chains = {
      ring_at({0, 0}, 2, 7, false, 0.5),
      Chain{{{0, 0}, {0, 0}, {0.2, 0}, {0.1, 0.1}, {0, 0}}, true, {}}};
  const Object object((Outline(chains)));
  const touche::Object body(sheet_of(object.outline(), 3));
  // A wall for each edge; the edges of no length have none.
  EXPECT_EQ(body.soup().face_count(), 7u + 3u + 2u);
  const Object other(Outline(std::vector<Chain>{ring_at({0, 0}, 1, 9)}));
  const touche::Object other_body(sheet_of(other.outline(), 3));
  base::Random random(2);
  int touching = 0;
  for (int i = 0; i < 200; ++i) {
    const Pose pose = test::random_plane_pose(random, 6);
    const double in_plane = distance(object, Pose(), other, pose).distance.upper;
    const double in_space =
        touche::distance(body, touche::Pose(), other_body, pose.in_space()).distance.upper;
    // One inside the other touches it in space, where tops lie in one plane.
    if (in_plane > 0 && in_space > 0) {
      EXPECT_NEAR(in_space, in_plane, 1e-12);
    }
    EXPECT_TRUE(in_plane > 0 || in_space == 0);
    touching += in_plane == 0;
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(touching, 180);
}

// ---- chains that touch, overlap and cross

/// The even-odd area, by strips between all corners and crossings, in each of which edges do not
/// cross.
double even_odd_area(const std::vector<Chain>& chains) {
  std::vector<std::array<Vec2, 2>> edges;
  for (const Chain& chain : chains)
    for (std::size_t i = 0; i < chain.points.size(); ++i)
      edges.push_back({chain.points[i], chain.points[(i + 1) % chain.points.size()]});
  std::vector<double> xs;
  for (const auto& [p, q] : edges) {
    xs.push_back(p.x());
    for (const auto& [r, s] : edges) {
      const double turn = cross(q - p, s - r);
      if (turn == 0) continue;
      const double t = cross(r - p, s - r) / turn;
      if (t > 0 && t < 1) xs.push_back(p.x() + t * (q - p).x());
    }
  }
  std::sort(xs.begin(), xs.end());
  double area = 0;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    const double x = 0.5 * (xs[i - 1] + xs[i]);
    std::vector<double> ys;
    for (const auto& [p, q] : edges)
      if ((p.x() < x) != (q.x() < x))
        ys.push_back(p.y() + (x - p.x()) / (q.x() - p.x()) * (q.y() - p.y()));
    std::sort(ys.begin(), ys.end());
    for (std::size_t k = 1; k < ys.size(); k += 2)
      area += (xs[i] - xs[i - 1]) * (ys[k] - ys[k - 1]);
  }
  return area;
}

void expect_even_odd_sheet(const std::vector<Chain>& chains) {
  const double area = even_odd_area(chains);
  std::optional<PolygonSoup> sheet;
  try {
    sheet = sheet_of(Outline(chains), 0.5);
  } catch (const InvalidInput& e) {
    EXPECT_LT(area, 1e-9) << e.what();
    return;
  }
  // Closed by the numbers of its vertices. By their positions, a wall edge at which the material
  // touches itself has four faces.
  for (Index c = 0; c < sheet->corner_count(); ++c) EXPECT_NE(sheet->opposite(c), kNone);
  const Health health = examine(*sheet);
  EXPECT_EQ(health.boundary_edges, 0u);
  EXPECT_TRUE(health.oriented);
  EXPECT_NEAR(health.volume, 0.5 * area, 1e-9);
  double top = 0;
  for (Index t = 0; t < sheet->triangle_count(); ++t) {
    const auto& [i, j, k] = sheet->triangle(t);
    const Vec3 &p = sheet->vertex(i), &q = sheet->vertex(j), &r = sheet->vertex(k);
    if (p.z() != q.z() || q.z() != r.z()) continue;
    // Not turned over, except by what counts as rounding in a convex face.
    const double twice_area = (q - p).cross(r - p).z();
    EXPECT_GE(p.z() == 0 ? -twice_area : twice_area, -1e-9);
    if (p.z() > 0) top += 0.5 * (q - p).cross(r - p).z();
  }
  EXPECT_NEAR(top, area, 1e-9);
}

Chain rectangle(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, true, {}};
}

TEST(PlaneSheet, ReadsChainsThatMeetByTheEvenOddRule) {
  const Chain square = rectangle(0, 0, 4, 4);
  expect_even_odd_sheet({square, rectangle(4, 4, 6, 6)});                 // at a corner
  expect_even_odd_sheet({square, rectangle(4, 1, 6, 3)});                 // along part of a side
  expect_even_odd_sheet({square, rectangle(4, 0, 8, 4)});                 // along a whole one
  expect_even_odd_sheet({square, rectangle(0, 1, 2, 3)});                 // a notch
  expect_even_odd_sheet({square, rectangle(3, 3, 6, 6)});                 // across
  expect_even_odd_sheet({square, rectangle(0, 0, 4, 4)});                 // nothing is left
  expect_even_odd_sheet({square, rectangle(-1, 1, 5, 3)});                // two parts
  expect_even_odd_sheet({{{{0, 0}, {4, 4}, {4, 0}, {0, 4}}, true, {}}});  // crosses itself
  expect_even_odd_sheet({{{{0, 0}, {4, 0}, {2, 0}, {2, 3}}, true, {}}});  // goes back
  expect_even_odd_sheet({square, {{{2, 0}, {3, 2}, {1, 2}}, true, {}}});  // a hole at a side
  expect_even_odd_sheet({square, {{{2, 0}, {4, 2}, {2, 4}, {0, 2}}, true, {}}});  // at all sides
  expect_even_odd_sheet({square, {{{1, 1}, {3, 3}, {1, 1}}, true, {}}});          // a mark
  // Holes that touch each other, also around material, and at their right ends.
  expect_even_odd_sheet({square, rectangle(1, 1, 2, 2), rectangle(2, 2, 3, 3)});
  expect_even_odd_sheet(
      {rectangle(0, 0, 9, 9), rectangle(1, 1, 2, 4), rectangle(2, 4, 4, 5), rectangle(4, 1, 5, 4)});
  expect_even_odd_sheet({rectangle(0, 0, 9, 9),
                         {{{2, 1}, {5, 3}, {2, 2}}, true, {}},
                         {{{2, 4}, {5, 3}, {2, 5}}, true, {}}});
  expect_even_odd_sheet({rectangle(0, 0, 9, 9),
                         {{{2, 1}, {5, 3}, {2, 2}}, true, {}},
                         {{{2, 4}, {5, 3}, {2, 5}}, true, {}},
                         rectangle(1, 2.5, 2, 3.5)});
  // A star drawn in one go.
  Chain star{{}, true, {}};
  for (int k = 0; k < 5; ++k)
    star.points.push_back(3 * Vec2(std::cos(4 * M_PI * k / 5), std::sin(4 * M_PI * k / 5)));
  expect_even_odd_sheet({star});
  expect_even_odd_sheet({rectangle(-5, -5, 5, 5), star, rectangle(-1, -1, 1, 1)});
}

TEST(PlaneSheet, ReadsAnyChainsByTheEvenOddRule) {
  base::Random random(7);
  for (int i = 0, n = test::scaled(400, 60); i < n && !HasFailure(); ++i) {
    // Corners of a small grid meet often; others cross only.
    const bool on_grid = i % 2 == 0;
    std::vector<Chain> chains(1 + random.below(5));
    for (Chain& chain : chains) {
      chain.closed = true;
      for (Index k = 3 + random.below(6); k > 0; --k)
        chain.points.push_back(on_grid ? Vec2(random.below(6), random.below(6))
                                       : Vec2(test::random_vec2(random, 3)));
    }
    expect_even_odd_sheet(chains);
  }
}

TEST(PlaneSheet, RefusesWhatEnclosesNothing) {
  const Chain square{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, true, {}};
  const auto why = [](const std::vector<Chain>& chains, double thickness = 1) {
    try {
      (void)sheet_of(Outline(chains), thickness);
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(why({square}), "");
  EXPECT_NE(why({square}, 0), "");
  EXPECT_NE(why({square}, std::nan("")), "");
  EXPECT_EQ(why({square, {{{3, 3}, {4, 4}, {5, 3}}, false, {}}}),
            "sheet: chain 1 is open, and encloses nothing");
  EXPECT_EQ(why({{{{3, 3}, {4, 4}, {3, 3}}, true, {}}}), "sheet: the chains enclose nothing");
  EXPECT_EQ(why({square, square}), "sheet: the chains enclose nothing");
  // A chain that is drawn again counts once.
  EXPECT_EQ(why({square, {square.points, true, {}, true}}), "");
}

TEST(PlaneSheet, IsNotThinnerThanRounding) {
  Chain chain;
  chain.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  chain.closed = true;
  const Outline square(std::vector<Chain>{chain});
  EXPECT_NO_THROW((void)sheet_of(square, 1e-11));
  for (const double thickness : {1e-320, 1e-13, 0.0, -1.0})
    EXPECT_THROW((void)sheet_of(square, thickness), InvalidInput) << thickness;
}

}  // namespace
}  // namespace touche::plane
