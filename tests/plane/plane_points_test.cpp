// SPDX-License-Identifier: Apache-2.0
// Rays, segments and signed distances in the plane against rational arithmetic and the reference
// implementations.
#include "touche/plane.h"
#include "touche/plane_volumes.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hit_share.h"
#include "plane_outlines.h"
#include "test_scale.h"

namespace touche::plane {
namespace {

using test::Rational;
using test::RVec;

RVec rational(const Vec2& p) { return {p.x(), p.y(), 0}; }

/// Where p–q first meets an edge, and from which side, in rational numbers.
struct ExactHit {
  Rational t;
  int side = 0;
};
std::optional<ExactHit> exact_hit(const Outline& outline, Index e, const Vec2& p, const Vec2& q) {
  const RVec a = rational(outline.vertex(outline.edge(e)[0])),
             b = rational(outline.vertex(outline.edge(e)[1])), x = rational(p), y = rational(q);
  if (test::segment_segment2(x, y, a, b) != 0) return std::nullopt;
  const Rational left_p = test::cross(b - a, x - a).z, left_q = test::cross(b - a, y - a).z;
  if (left_p != 0 || left_q != 0)
    return ExactHit{left_p / (left_p - left_q), left_p < left_q ? 1 : -1};
  if (test::point_segment2(x, a, b) == 0) return ExactHit{0, 0};
  const RVec way = y - x;
  const Rational length2 = test::norm2(way);
  return ExactHit{std::min(test::dot(a - x, way) / length2, test::dot(b - x, way) / length2), 0};
}

struct Asked {
  Object object;
  Segment segment;
};

/// Through vertices, along edges, to points and from them, far away; about half of them hit.
Asked random_question(base::Random& random) {
  const double size = std::pow(10.0, random.uniform(-6, 6));
  const Object object(test::random_outline(random, size));
  const Outline& outline = object.outline();
  const auto end = [&]() -> Vec2 {
    switch (random.below(6)) {
      case 0:
        return outline.vertex(random.below(outline.vertex_count()));
      case 1: {  // nearly on an edge
        const auto& [i, j] = outline.edge(random.below(outline.edge_count()));
        return outline.vertex(i) + random.uniform(0, 1) * (outline.vertex(j) - outline.vertex(i));
      }
      case 2:
        return {outline.vertex(0).x(), random.uniform(-2, 2) * size};
      default:
        return test::random_vec2(random, 2 * size);
    }
  };
  Segment segment{end(), end()};
  switch (random.below(8)) {
    case 0:
      segment.end = segment.start;
      break;
    case 1:  // far away
      segment.end = segment.start + 1e6 * (segment.end - segment.start);
      break;
    case 2: {  // along an edge
      const auto& [i, j] = outline.edge(random.below(outline.edge_count()));
      segment.start = 2 * outline.vertex(i) - outline.vertex(j);
      segment.end = outline.vertex(j);
      break;
    }
    case 3:
    case 4:  // beside it
      segment.start.x() = 3 * size;
      segment.end.x() = random.uniform(1.4, 4) * size;
      break;
    default:
      break;
  }
  return {object, segment};
}

void expect_same(const RayHit& x, const RayHit& y) {
  EXPECT_EQ(x.edge, y.edge);
  EXPECT_EQ(x.side, y.side);
  EXPECT_NEAR(x.t, y.t, 0x1p-43 * x.t);
  EXPECT_NEAR((x.point - y.point).norm(), 0, 1e-12 * (1 + x.point.norm()));
}

TEST(PlanePoints, SegmentsAgreeWithRationalArithmetic) {
  base::Random random(31);
  const int cases = test::scaled(400);
  int hits = 0, along = 0;
  for (int n = 0; n < cases; ++n) {
    const auto [object, segment] = random_question(random);
    const Outline& outline = object.outline();
    const std::vector<RayHit> all = all_segment_hits(object, {}, segment);
    const std::vector<RayHit> slow = brute_force::all_segment_hits(object, {}, segment);
    std::size_t expected = 0;
    Rational least = 2;
    for (Index e = 0; e < outline.edge_count(); ++e) {
      const auto truth = exact_hit(outline, e, segment.start, segment.end);
      for (const auto* found : {&all, &slow}) {
        const auto hit = std::find_if(found->begin(), found->end(),
                                      [&](const RayHit& h) { return h.edge == e; });
        ASSERT_EQ(hit != found->end(), truth.has_value()) << n << " edge " << e;
        if (!truth) continue;
        EXPECT_EQ(hit->side, truth->side) << n;
        const Rational off = abs(Rational(hit->t) - truth->t);
        EXPECT_LE(off, truth->t * Rational(0x1p-44)) << n;
        EXPECT_EQ(hit->point, segment.start + hit->t * (segment.end - segment.start));
      }
      if (!truth) continue;
      ++expected;
      least = std::min(least, truth->t);
      along += truth->side == 0;
    }
    ASSERT_EQ(all.size(), expected) << n;
    ASSERT_EQ(slow.size(), expected) << n;
    for (std::size_t i = 1; i < all.size(); ++i)
      EXPECT_LE(std::tie(all[i - 1].t, all[i - 1].edge), std::tie(all[i].t, all[i].edge));
    const auto first = cast_segment(object, {}, segment),
               twin = brute_force::cast_segment(object, {}, segment);
    ASSERT_EQ(first.has_value(), expected > 0) << n;
    ASSERT_EQ(twin.has_value(), expected > 0) << n;
    if (!first) continue;
    ++hits;
    EXPECT_LE(abs(Rational(first->t) - least), least * Rational(0x1p-44)) << n;
    EXPECT_EQ(first->edge, all[0].edge);
    EXPECT_EQ(first->t, all[0].t);
    EXPECT_EQ(twin->t, slow[0].t);
  }
  test::expect_about_half(hits, cases);
  EXPECT_GT(along, cases / 50);
}

TEST(PlanePoints, PosesMoveTheAnswer) {
  base::Random random(32);
  const int cases = test::scaled(500);
  for (int n = 0; n < cases; ++n) {
    const auto [object, segment] = random_question(random);
    const Pose pose = test::random_plane_pose(random, 3 * object.outline().diagonal());
    const std::vector<RayHit> all = all_segment_hits(object, pose, segment),
                              slow = brute_force::all_segment_hits(object, pose, segment);
    ASSERT_EQ(all.size(), slow.size()) << n;
    for (const RayHit& hit : all) {
      const auto same = std::find_if(slow.begin(), slow.end(),
                                     [&](const RayHit& h) { return h.edge == hit.edge; });
      ASSERT_NE(same, slow.end());
      expect_same(hit, *same);
    }
    // A ray along the segment meets the same edges within the segment's length, except for its
    // rounding.
    const Vec2 way = segment.end - segment.start;
    if (way.isZero(0)) continue;
    const std::vector<RayHit> further = all_ray_hits(object, pose, {segment.start, way});
    EXPECT_GE(further.size() + 2, all.size());
    if (const auto first = cast_ray(object, pose, {segment.start, way})) {
      ASSERT_FALSE(further.empty());
      EXPECT_EQ(first->edge, further[0].edge);
      EXPECT_EQ(first->t, further[0].t);
    } else {
      EXPECT_TRUE(further.empty());
    }
  }
}

TEST(PlanePoints, ClosedForms) {
  // A square of side 2 that runs counter-clockwise, and a bar to the right of it.
  const Object square(Outline(std::vector<Chain>{{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, true, ""},
                                                 {{{3, -1}, {3, 1}}, false, ""}}));
  const std::vector<RayHit> hits = all_ray_hits(square, {}, {{-5, 0.25}, {2, 0}});
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].edge, 3u);
  EXPECT_DOUBLE_EQ(hits[0].t, 2);
  EXPECT_EQ(hits[0].side, 1);  // from outside
  EXPECT_NEAR((hits[0].point - Vec2(-1, 0.25)).norm(), 0, 1e-15);
  EXPECT_EQ(hits[1].edge, 1u);
  EXPECT_EQ(hits[1].side, -1);
  EXPECT_EQ(hits[2].edge, 4u);
  EXPECT_DOUBLE_EQ(hits[2].t, 4);
  // Turned by a quarter about the origin: from above.
  const auto above = cast_ray(square, Pose(M_PI / 2), {{0.25, 9}, {0, -1}});
  ASSERT_TRUE(above);
  EXPECT_EQ(above->edge, 4u);
  EXPECT_NEAR(above->t, 6, 1e-14);
  EXPECT_EQ(cast_ray(square, {}, {{0, 5}, {0, 1}}), std::nullopt);
  EXPECT_EQ(all_segment_hits(square, {}, {{-1, -1}, {-1, -1}}).size(), 2u);
  // Nothing slips through a vertex.
  EXPECT_EQ(all_ray_hits(square, {}, {{-2, -2}, {1, 1}}).size(), 4u);
  EXPECT_THROW((void)cast_ray(square, {}, {{0, 0}, {0, 0}}), InvalidInput);
  EXPECT_THROW((void)cast_segment(square, {}, {{0, std::nan("")}, {1, 0}}), InvalidInput);
  EXPECT_THROW((void)brute_force::cast_segment(square, {}, {{0, 1e91}, {1, 0}}), InvalidInput);
}

// ---- edges in a box or a disc -------------------------------------------------------------------

TEST(PlanePoints, EdgesInABoxAgreeWithEveryEdge) {
  base::Random random(34);
  const int cases = test::scaled(500);
  int some = 0;
  for (int n = 0; n < cases; ++n) {
    const auto [object, segment] = random_question(random);
    const Outline& outline = object.outline();
    const Pose pose =
        random.below(2) == 0 ? Pose() : test::random_plane_pose(random, outline.diagonal());
    // A corner may be a vertex, and the box a segment or a point.
    Vec2 p = pose * segment.start, q = pose * segment.end;
    if (random.below(4) == 0) q.y() = p.y();
    const Box box{p.cwiseMin(q), p.cwiseMax(q)};
    const std::vector<Index> found = edges_in_box(object, pose, box);
    EXPECT_EQ(found, brute_force::edges_in_box(object, pose, box)) << n;
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    some += !found.empty() && found.size() < outline.edge_count();
  }
  EXPECT_GT(some, cases / 20);
}

TEST(PlanePoints, EdgesInADiscAgreeWithEveryEdge) {
  base::Random random(35);
  const int cases = test::scaled(500);
  int some = 0;
  for (int n = 0; n < cases; ++n) {
    const auto [object, segment] = random_question(random);
    const Outline& outline = object.outline();
    const Pose pose = test::random_plane_pose(random, outline.diagonal());
    const Circle disc{pose * segment.start, random.uniform(0, 1) * outline.diagonal()};
    const std::vector<Index> found = edges_in_disc(object, pose, disc),
                             slow = brute_force::edges_in_disc(object, pose, disc);
    const double rounding = 1e-12 * (disc.radius + outline.diagonal() + segment.start.norm());
    // Edges whose distance is the radius may differ.
    std::vector<Index> differ;
    std::set_symmetric_difference(found.begin(), found.end(), slow.begin(), slow.end(),
                                  std::back_inserter(differ));
    for (const Index e : differ) {
      const auto& [i, j] = outline.edge(e);
      const Object edge(
          Outline(std::vector<Chain>{{{outline.vertex(i), outline.vertex(j)}, false, ""}}));
      EXPECT_NEAR(closest_point(edge, pose, disc.centre).distance, disc.radius, rounding) << n;
    }
    some += !found.empty() && found.size() < outline.edge_count();
  }
  EXPECT_GT(some, cases / 20);
}

TEST(PlanePoints, EdgesNearbyInClosedForm) {
  const Object square(Outline(std::vector<Chain>{{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, true, ""},
                                                 {{{3, -1}, {3, 1}}, false, ""}}));
  const auto both = [&](const Pose& pose, const Box& box) {
    const std::vector<Index> edges = edges_in_box(square, pose, box);
    EXPECT_EQ(edges, brute_force::edges_in_box(square, pose, box));
    return edges;
  };
  using Edges = std::vector<Index>;
  EXPECT_EQ(both({}, {{-0.5, -0.5}, {0.5, 0.5}}), Edges());  // inside, without an edge
  EXPECT_EQ(both({}, {{-2, -2}, {4, 2}}), (Edges{0, 1, 2, 3, 4}));
  EXPECT_EQ(both({}, {{1, 1}, {3, 2}}), (Edges{1, 2, 4}));  // touches a corner and an end
  EXPECT_EQ(both({}, {{0, -3}, {0, 3}}), (Edges{0, 2}));    // across two edges, no width
  EXPECT_EQ(both({}, {{-1, 0}, {-1, 0}}), (Edges{3}));      // a point
  EXPECT_EQ(both({}, {{2, 0}, {-2, 0}}), Edges());          // empty
  EXPECT_EQ(both(Pose(0, {5, 0}), {{7.5, 0}, {9, 0.5}}), (Edges{4}));
  EXPECT_EQ(edges_in_disc(square, {}, {{0, 0}, 0.75}), Edges());
  EXPECT_EQ(edges_in_disc(square, {}, {{0, 0}, 1.001}), (Edges{0, 1, 2, 3}));
  EXPECT_EQ(edges_in_disc(square, {}, {{2, 0}, 1.001}), (Edges{1, 4}));
  EXPECT_EQ(edges_in_disc(square, {}, {{2, 0}, -1}), Edges());
  EXPECT_EQ(edges_in_disc(square, Pose(0, {5, 0}), {{8.25, 0}, 0.5}), (Edges{4}));
  for (const auto& edges : {edges_in_box, brute_force::edges_in_box}) {
    EXPECT_THROW((void)edges(square, {}, {{0, 0}, {1e91, 0}}), InvalidInput);
  }
  for (const auto& edges : {edges_in_disc, brute_force::edges_in_disc}) {
    EXPECT_THROW((void)edges(square, {}, {{0, 0}, std::nan("")}), InvalidInput);
    EXPECT_THROW((void)edges(square, {}, {{std::nan(""), 0}, 1}), InvalidInput);
  }
}

TEST(PlanePoints, SignedDistances) {
  base::Random random(33);
  const int cases = test::scaled(120);
  int inside = 0, total = 0, border = 0;
  for (int n = 0; n < cases; ++n) {
    const double size = std::pow(10.0, random.uniform(-6, 6));
    std::vector<Chain> chains = {test::star_polygon(random, 3 + random.below(40), size)};
    if (random.below(2) == 0) chains.push_back(test::star_polygon(random, 5, 0.3 * size));
    const Region region(Object(Outline(chains)),
                        random.below(2) == 0 ? FillRule::even_odd : FillRule::nonzero);
    const Outline& outline = region.object().outline();
    for (int k = 0; k < 20; ++k) {
      Vec2 x = test::random_vec2(random, 0.85 * size);
      if (k == 0) x = outline.vertex(random.below(outline.vertex_count()));
      Rational least2 = -1;
      for (Index e = 0; e < outline.edge_count(); ++e) {
        const Rational d2 =
            test::point_segment2(rational(x), rational(outline.vertex(outline.edge(e)[0])),
                                 rational(outline.vertex(outline.edge(e)[1])));
        if (least2 < 0 || d2 < least2) least2 = d2;
      }
      const Place place = region.place(x);
      for (const double d : {region.signed_distance(x), brute_force::signed_distance(region, x)}) {
        EXPECT_TRUE(test::is_root_within(std::abs(d), least2, 0x1p-44 * 4 * size)) << n;
        EXPECT_EQ(d == 0, place == Place::border);
        EXPECT_EQ(d < 0, place == Place::inside);
      }
      border += place == Place::border;
      if (k > 0) inside += place == Place::inside, ++total;
    }
  }
  EXPECT_GE(border, cases);
  test::expect_about_half(inside, total);
  const Region disc(
      Object(Outline(std::vector<Chain>{{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, true, ""}})));
  EXPECT_EQ(disc.signed_distance({0, 0}), -1);
  EXPECT_EQ(disc.signed_distance({4, 5}), 5);
  EXPECT_EQ(disc.signed_distance({0.5, -1}), 0);
  EXPECT_EQ(disc.signed_distance({0, 1 - 0x1p-50}), -0x1p-50);
  EXPECT_THROW((void)disc.signed_distance({0, kInfinity}), InvalidInput);
}

}  // namespace
}  // namespace touche::plane
