// SPDX-License-Identifier: Apache-2.0
// Queries of outlines at poses against rational arithmetic and the reference implementations.
#include <gtest/gtest.h>

#include <cmath>

#include "hit_share.h"
#include "plane_outlines.h"
#include "test_scale.h"
#include "touche/reference.h"

namespace touche::plane {
namespace {

using test::Rational;

struct Case {
  Object a, b;
  Pose pose_a, pose_b;
  double size;
};

/// About half of them touch. Some touch by construction: b gets a vertex of a.
Case random_case(base::Random& random) {
  const double size = std::pow(10.0, random.uniform(-6, 6));
  const double ratio = random.below(4) == 0 ? 1e-3 : 1;
  Object a(test::random_outline(random, size)), b(test::random_outline(random, size * ratio));
  const double reach = ratio < 1 ? 1.0 : 1.6;
  const Pose where = test::random_plane_pose(random, random.below(8) == 0 ? 1e5 * size : 0);
  Pose apart = test::random_plane_pose(random, reach * size);
  if (random.below(4) == 0) {  // a vertex on a vertex, as exactly as it goes
    const Vec2 target = a.outline().vertex(random.below(a.outline().vertex_count()));
    const Vec2 moved = b.outline().vertex(random.below(b.outline().vertex_count()));
    apart = Pose(0, target - moved);
  }
  return {a, b, where, where * apart, size};
}

void expect_same(const Contact& x, const Contact& y) {
  EXPECT_EQ(x.edge_a, y.edge_a);
  EXPECT_EQ(x.edge_b, y.edge_b);
  EXPECT_EQ(x.feature_a, y.feature_a);
  EXPECT_EQ(x.feature_b, y.feature_b);
  EXPECT_EQ(x.point_a, y.point_a);
  EXPECT_EQ(x.point_b, y.point_b);
  EXPECT_EQ(x.normal, y.normal);
}

TEST(PlaneQuery, AgreesWithRationalArithmetic) {
  base::Random random(1);
  const int cases = test::scaled(200);
  int touching = 0;
  for (int n = 0; n < cases; ++n) {
    const Case c = random_case(random);
    const Rational truth = test::exact_distance2(c.a.outline(), c.pose_a, c.b.outline(), c.pose_b);
    touching += truth == 0;
    const IntersectsResult met = intersects(c.a, c.pose_a, c.b, c.pose_b);
    ASSERT_TRUE(met.complete);
    ASSERT_EQ(met.intersects, truth == 0) << n;
    ASSERT_EQ(brute_force::intersects(c.a, c.pose_a, c.b, c.pose_b).intersects, truth == 0) << n;

    const ContactsResult all = contacts(c.a, c.pose_a, c.b, c.pose_b);
    const ContactsResult slow = brute_force::contacts(c.a, c.pose_a, c.b, c.pose_b);
    ASSERT_TRUE(all.complete && slow.complete);
    ASSERT_EQ(all.contacts.size(), slow.contacts.size()) << n;
    for (std::size_t i = 0; i < all.contacts.size(); ++i)
      expect_same(all.contacts[i], slow.contacts[i]);
    EXPECT_EQ(all.contacts.empty(), truth != 0);

    const DistanceResult apart = distance(c.a, c.pose_a, c.b, c.pose_b);
    const DistanceResult measured = brute_force::distance(c.a, c.pose_a, c.b, c.pose_b);
    ASSERT_TRUE(apart.complete && measured.complete && apart.closest && measured.closest);
    const double slack = 1e-12 * 10 * c.size;
    for (const DistanceResult* d : {&apart, &measured}) {
      EXPECT_TRUE(test::is_root_within(d->distance.upper, truth, slack)) << n;
      EXPECT_LE(Rational(d->distance.lower) * d->distance.lower, truth) << n;
      EXPECT_GE(d->distance.lower, d->distance.upper - slack) << n;
      EXPECT_EQ(d->distance.upper == 0, truth == 0) << n;
    }
  }
  test::expect_about_half(touching, cases);
}

TEST(PlaneQuery, ContactsAreWhereTheySay) {
  base::Random random(2);
  for (int n = 0; n < test::scaled(500); ++n) {
    const Case c = random_case(random);
    const double slack = 1e-12 * (c.size + c.pose_a.translation().norm());
    for (const Contact& contact : contacts(c.a, c.pose_a, c.b, c.pose_b).contacts) {
      EXPECT_EQ(contact.distance, 0);
      EXPECT_NEAR(contact.normal.norm(), 1, 1e-12);
      EXPECT_EQ(contact.point_a, contact.point_b);
      const auto on_edge = [&](const Object& o, const Pose& pose, Index e, const Vec2& p) {
        const Vec2 x = pose * o.outline().vertex(o.outline().edge(e)[0]),
                   y = pose * o.outline().vertex(o.outline().edge(e)[1]);
        const double length2 = (y - x).squaredNorm();
        const double t = length2 > 0 ? std::clamp((p - x).dot(y - x) / length2, 0.0, 1.0) : 0;
        EXPECT_LE((x + t * (y - x) - p).norm(), slack) << n;
      };
      on_edge(c.a, c.pose_a, contact.edge_a, contact.point_a);
      on_edge(c.b, c.pose_b, contact.edge_b, contact.point_b);
      // Shifted along the normal, by as much as the edges overlap along it, b is free of a.
      const auto reach = [&](const Object& o, const Pose& pose, Index e, double sign) {
        double most = -kInfinity;
        for (const Index v : o.outline().edge(e))
          most = std::max(most, sign * contact.normal.dot(pose * o.outline().vertex(v)));
        return most;
      };
      const double overlap =
          reach(c.a, c.pose_a, contact.edge_a, 1) + reach(c.b, c.pose_b, contact.edge_b, -1);
      EXPECT_GE(overlap, -slack);
    }
    const DistanceResult apart = distance(c.a, c.pose_a, c.b, c.pose_b);
    const Contact& closest = *apart.closest;
    EXPECT_NEAR((closest.point_a - closest.point_b).norm(), closest.distance, slack) << n;
    if (closest.distance > 1e-3 * c.size) {
      const Vec2 along = (closest.point_b - closest.point_a).normalized();
      EXPECT_NEAR((along - closest.normal).norm(), 0, 1e-6 + slack / closest.distance);
    }
    // More generally: a query at the closest point of b finds the same distance.
    const ClosestPoint point = closest_point(c.a, c.pose_a, closest.point_b);
    EXPECT_NEAR(point.distance, closest.distance, 10 * slack) << n;
    if (const double nearer = 0.5 * closest.distance - slack; nearer >= 0) {
      EXPECT_EQ(closest_point(c.a, c.pose_a, closest.point_b, nearer).edge, kNone);
    }
  }
}

TEST(PlaneQuery, NormalOfTouchingEdgesLeadsApart) {
  const Object ground(Outline(std::vector<Chain>{{{{-2, 0}, {2, 0}}, false, ""}}));
  const Object wedge(Outline(std::vector<Chain>{{{{0, 0}, {1, 1}, {-1, 1}}, true, ""}}));
  const ContactsResult down = contacts(ground, {}, wedge, {});
  ASSERT_EQ(down.contacts.size(), 2);  // the two edges that share the wedge's tip
  for (const Contact& c : down.contacts) {
    EXPECT_EQ(c.normal, Vec2(0, 1));
    EXPECT_EQ(c.point_a, Vec2(0, 0));
    EXPECT_EQ(c.feature_a, (Feature{FeatureKind::edge, 0}));
    EXPECT_EQ(c.feature_b, (Feature{FeatureKind::vertex, 0}));
  }
  const Contact up = contacts(wedge, {}, ground, {}).contacts.front();
  EXPECT_EQ(up.normal, Vec2(0, -1));
}

TEST(PlaneQuery, DoesNotDependOnOrderPlaceScaleOrFineness) {
  base::Random random(3);
  for (int n = 0; n < test::scaled(300); ++n) {
    const Case c = random_case(random);
    const bool met = intersects(c.a, c.pose_a, c.b, c.pose_b).intersects;
    const double upper = distance(c.a, c.pose_a, c.b, c.pose_b).distance.upper;
    // Scaled by a power of two: the very same bits.
    const auto scaled = [](const Object& o, double by) {
      std::vector<Chain> chains;
      const Outline& outline = o.outline();
      for (Index k = 0; k < outline.chain_count(); ++k) {
        Chain chain{{}, outline.closed(k), ""};
        for (Index v = outline.first_vertex(k); v < outline.first_vertex(k + 1); ++v)
          chain.points.push_back(by * outline.vertex(v));
        chains.push_back(chain);
      }
      return Object(Outline(chains));
    };
    const auto moved_scaled = [](const Pose& pose, double by) {
      return Pose::from_space(touche::Pose::from_quaternion_unchecked(
          pose.in_space().rotation(), by * pose.in_space().translation()));
    };
    const double by = std::ldexp(1, static_cast<int>(random.below(40)) - 20);
    EXPECT_EQ(intersects(scaled(c.a, by), moved_scaled(c.pose_a, by), scaled(c.b, by),
                         moved_scaled(c.pose_b, by))
                  .intersects,
              met);
    // Exchanged: the frame is another, so answers may differ where they nearly touch.
    const DistanceResult exchanged = distance(c.b, c.pose_b, c.a, c.pose_a);
    EXPECT_NEAR(exchanged.distance.upper, upper, 1e-10 * c.size);
    // Edges cut at their middle, where that is exact enough.
    std::vector<Chain> finer;
    const Outline& outline = c.a.outline();
    for (Index k = 0; k < outline.chain_count(); ++k) {
      Chain chain{{}, outline.closed(k), ""};
      for (Index e = outline.first_edge(k); e < outline.first_edge(k + 1); ++e) {
        const Vec2 p = outline.vertex(outline.edge(e)[0]), q = outline.vertex(outline.edge(e)[1]);
        chain.points.push_back(p);
        chain.points.push_back(0.5 * (p + q));
        if (!chain.closed) chain.points.push_back(q);
      }
      finer.push_back(chain);
    }
    EXPECT_NEAR(distance(Object(Outline(finer)), c.pose_a, c.b, c.pose_b).distance.upper, upper,
                1e-10 * c.size);
  }
}

TEST(PlaneQuery, KeepsToItsOptionsAndBudget) {
  base::Random random(4);
  for (int n = 0; n < test::scaled(200); ++n) {
    const Case c = random_case(random);
    const double truth = distance(c.a, c.pose_a, c.b, c.pose_b).distance.upper;
    const DistanceResult near =
        distance(c.a, c.pose_a, c.b, c.pose_b, {.max_distance = 0.9 * truth});
    // Below rounding the nearest of several pairs is any.
    const bool is_rounding = truth > 0 && truth < 1e-14 * c.size;
    EXPECT_TRUE(is_rounding || near.closest.has_value() == (truth == 0));
    EXPECT_LE(near.distance.lower, truth * (1 + 1e-12));
    const DistanceResult rough = distance(c.a, c.pose_a, c.b, c.pose_b, {.relative_error = 0.5});
    EXPECT_LE(rough.distance.lower, truth * (1 + 1e-12));
    EXPECT_GE(rough.distance.upper, truth * (1 - 1e-12));
    EXPECT_LE(rough.distance.upper, 1.5 * truth + 1e-12 * c.size);
    for (const bool slow : {false, true}) {
      const Budget none{.max_work = 0};
      const DistanceResult stopped =
          slow ? brute_force::distance(c.a, c.pose_a, c.b, c.pose_b, {.budget = none})
               : distance(c.a, c.pose_a, c.b, c.pose_b, {.budget = none});
      EXPECT_LE(stopped.distance.lower, truth * (1 + 1e-12));
      EXPECT_GE(stopped.distance.upper, truth * (1 - 1e-12));
      const IntersectsResult met = slow
                                       ? brute_force::intersects(c.a, c.pose_a, c.b, c.pose_b, none)
                                       : intersects(c.a, c.pose_a, c.b, c.pose_b, none);
      if (met.complete) {
        EXPECT_EQ(met.intersects, truth == 0);
      }
    }
    const ContactsResult all = contacts(c.a, c.pose_a, c.b, c.pose_b);
    const ContactsResult one = contacts(c.a, c.pose_a, c.b, c.pose_b, {.max_contacts = 1});
    EXPECT_EQ(one.contacts.size(), std::min<std::size_t>(1, all.contacts.size()));
    EXPECT_EQ(one.complete, all.contacts.size() <= 1);
  }
}

TEST(PlaneOutline, CountsAndRefuses) {
  const Outline outline(std::vector<Chain>{{{{0, 0}, {1, 0}, {1, 1}}, true, "border"},
                                           {{{5, 5}}, false, "dot"},
                                           {{{0, 0}, {3, 4}}, false, ""}});
  EXPECT_EQ(outline.vertex_count(), 6);
  EXPECT_EQ(outline.edge_count(), 5);
  EXPECT_EQ(outline.chain_count(), 3);
  EXPECT_EQ(outline.edge(2), (std::array<Index, 2>{2, 0}));
  EXPECT_EQ(outline.edge(3), (std::array<Index, 2>{3, 3}));
  EXPECT_EQ(outline.chain_of_edge(2), 0);
  EXPECT_EQ(outline.chain_of_edge(3), 1);
  EXPECT_EQ(outline.chain_of_edge(4), 2);
  EXPECT_EQ(outline.name(1), "dot");
  EXPECT_EQ(outline.signed_area(0), 0.5);
  EXPECT_EQ(outline.signed_area(2), 0);
  EXPECT_NEAR(outline.length(), 2 + std::sqrt(2) + 5, 1e-14);
  EXPECT_EQ(outline.lo(), Vec2(0, 0));
  EXPECT_EQ(outline.hi(), Vec2(5, 5));

  EXPECT_THROW((void)Outline(std::vector<Chain>{}), InvalidInput);
  EXPECT_THROW((void)Outline(std::vector<Chain>{{}}), InvalidInput);
  EXPECT_THROW((void)Object(Outline()), InvalidInput);
  for (const double bad : {std::nan(""), kInfinity, 2e90}) {
    try {
      (void)Outline(std::vector<Chain>{{{{0, 0}}, false, ""}, {{{0, 0}, {1, bad}}, false, ""}});
      ADD_FAILURE();
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find("chain 1, point 1"), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(Outline(std::vector<Chain>{{{{1e-91, 1}}, false, ""}}).vertex(0), Vec2(0, 1));
}

// ---- regions
// -------------------------------------------------------------------------------------

/// By rational arithmetic: where the ray to the right is crossed.
Place exact_place(const Outline& outline, const Vec2& x, FillRule rule) {
  int winding = 0;
  for (Index e = 0; e < outline.edge_count(); ++e) {
    const Vec2 p = outline.vertex(outline.edge(e)[0]), q = outline.vertex(outline.edge(e)[1]);
    const test::RVec rp(p.x(), p.y(), 0), rq(q.x(), q.y(), 0), rx(x.x(), x.y(), 0);
    if (test::point_segment2(rx, rp, rq) == 0) return Place::border;
    if ((p.y() > x.y()) == (q.y() > x.y())) continue;
    const Rational at = rp.x + (rx.y - rp.y) / (rq.y - rp.y) * (rq.x - rp.x);
    if (at > rx.x) winding += q.y() > p.y() ? 1 : -1;
  }
  const bool inside = rule == FillRule::nonzero ? winding != 0 : winding % 2 != 0;
  return inside ? Place::inside : Place::outside;
}

Outline closed_outline(base::Random& random) {
  std::vector<Chain> chains;
  for (Index c = 1 + random.below(3); c > 0; --c) {
    Chain chain = random.below(2) == 0 ? test::star_polygon(random, 3 + random.below(60), 1)
                                       : Chain{test::random_points(random, 1), true, ""};
    if (random.below(2) == 0) std::reverse(chain.points.begin(), chain.points.end());
    chains.push_back(chain);
  }
  return Outline(chains);
}

TEST(PlaneRegion, PlacesPointsExactly) {
  base::Random random(5);
  const int cases = test::scaled(150);
  int inside = 0, total = 0, border = 0;
  for (int n = 0; n < cases; ++n) {
    const FillRule rule = n % 2 == 0 ? FillRule::even_odd : FillRule::nonzero;
    const Region region(Object(closed_outline(random)), rule);
    const Outline& outline = region.object().outline();
    for (int k = 0; k < 30; ++k) {
      Vec2 x = test::random_vec2(random, 0.8);
      if (k < 8) {  // at the height of a vertex, on it, on an edge
        const Vec2 v = outline.vertex(random.below(outline.vertex_count()));
        x = k < 4 ? Vec2(x.x(), v.y()) : k < 6 ? v : Vec2(0.5 * (v + outline.vertex(0)));
      }
      const Place truth = exact_place(outline, x, rule);
      ASSERT_EQ(region.place(x), truth) << n;
      ASSERT_EQ(brute_force::place(region, x), truth) << n;
      border += truth == Place::border;
      if (k >= 8) inside += truth == Place::inside, ++total;
    }
  }
  EXPECT_GT(border, cases);
  test::expect_about_half(inside, total);
}

TEST(PlaneRegion, WindsAndHasHoles) {
  const auto square = [](double half, bool left) {
    Chain chain{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}, true, ""};
    if (!left) std::reverse(chain.points.begin(), chain.points.end());
    return chain;
  };
  const Region ring(Object(Outline(std::vector<Chain>{square(2, true), square(1, false)})));
  EXPECT_EQ(ring.place({0, 0}), Place::outside);
  EXPECT_EQ(ring.place({1.5, 0}), Place::inside);
  EXPECT_EQ(ring.place({1, 0.3}), Place::border);
  const Region twice(Object(Outline(std::vector<Chain>{square(2, true), square(1, true)})),
                     FillRule::nonzero);
  EXPECT_EQ(twice.winding_number({0, 0}), 2);
  EXPECT_EQ(twice.winding_number({1.5, 0}), 1);
  EXPECT_EQ(twice.place({0, 0}), Place::inside);
  EXPECT_THROW(Region(Object(Outline(std::vector<Chain>{{{{0, 0}, {1, 1}}, false, ""}}))),
               InvalidInput);
  EXPECT_THROW((void)ring.place({0, std::nan("")}), InvalidInput);

  const Region small(Object(Outline(std::vector<Chain>{square(0.5, true)}))),
      middle(Object(Outline(std::vector<Chain>{square(1.5, true)}))),
      bar(Object(Outline(std::vector<Chain>{square(0.25, true)})));
  EXPECT_EQ(containment(small, {}, middle, {}), Containment::a_in_b);
  EXPECT_EQ(containment(middle, {}, small, {}), Containment::b_in_a);
  EXPECT_EQ(containment(small, {}, ring, {}), Containment::none);   // in its hole
  EXPECT_EQ(containment(middle, {}, ring, {}), Containment::none);  // covers the hole
  EXPECT_EQ(containment(bar, Pose(0.3, {1.5, 0}), ring, {}), Containment::a_in_b);
  EXPECT_EQ(containment(ring, {}, bar, Pose(0.3, {1.5, 0})), Containment::b_in_a);
  EXPECT_EQ(containment(small, {}, middle, Pose(0, {1.2, 0})), Containment::none);
  EXPECT_EQ(containment(small, {}, middle, {}, {.max_work = 0}), Containment::undecided);
}

TEST(PlaneRegion, ContainmentAgreesWithPlacesOfPoints) {
  base::Random random(6);
  const int cases = test::scaled(400);
  int held = 0;
  for (int n = 0; n < cases; ++n) {
    const Region a(Object(Outline(std::vector<Chain>{test::star_polygon(random, 12, 1)})));
    const Region b(Object(Outline(std::vector<Chain>{test::star_polygon(random, 9, 0.25)})));
    const Pose pose_a = test::random_plane_pose(random, 3),
               pose_b = pose_a * test::random_plane_pose(random, 0.55);
    const Containment answer = containment(a, pose_a, b, pose_b);
    held += answer == Containment::b_in_a;
    EXPECT_EQ(containment(b, pose_b, a, pose_a) == Containment::a_in_b,
              answer == Containment::b_in_a);
    EXPECT_NE(answer, Containment::a_in_b);
    const bool met = intersects(a.object(), pose_a, b.object(), pose_b).intersects;
    bool all = true;
    for (const Vec2& v : b.object().outline().vertices())
      all = all && a.place(pose_a.inverse() * (pose_b * v)) == Place::inside;
    EXPECT_EQ(answer == Containment::b_in_a, all && !met) << n;
  }
  test::expect_about_half(held, cases);
}

}  // namespace
}  // namespace touche::plane
