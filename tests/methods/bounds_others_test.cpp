// SPDX-License-Identifier: Apache-2.0
// The bounding volumes of others.h: pairs against closed forms and faces, other forms, files. Fits
// are in bounds_others_fit_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bounds_sets.h"
#include "exact_volumes.h"
#include "geometry/triangle_pair.h"
#include "hit_share.h"
#include "methods/bounds/any_volume.h"
#include "methods/bounds/convex_pair.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/skin.h"
#include "methods/bounds/swept_forms.h"
#include "methods/bounds/vertex_plane.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::holds;
using test::Sets;

constexpr double kHalfTurn = std::numbers::pi;

// ---- pairs of round volumes --------------------------------------------------------------------

/// Returns the gap that two coaxial or parallel cylinders leave between them.
double parallel_distance(const Cylinder& a, const Cylinder& b) {
  const Vec3 d = b.centre - a.centre;
  const double along = std::abs(a.axis.dot(d)), across = (d - a.axis.dot(d) * a.axis).norm();
  return std::hypot(std::max(0.0, along - a.half - b.half),
                    std::max(0.0, across - a.radius - b.radius));
}

TEST(CylinderPair, MatchesTheClosedFormOfParallelOnes) {
  Sets sets(1);
  const int n = test::scaled(2000);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Vec3 axis = sets.direction();
    const auto random = [&](const Vec3& centre) {
      return Cylinder{centre, axis, i % 7 == 0 ? 0 : sets.real(0, 0.6),
                      i % 5 == 0 ? 0 : sets.real(0, 0.6)};
    };
    const double scale = std::vector{1e-6, 1.0, 1e6}[static_cast<std::size_t>(i % 3)];
    Cylinder a = random(sets.point()), b = random(a.centre + sets.real(0, 1.1) * sets.direction());
    if (i % 11 == 0) b.centre = a.centre + sets.real(0, 1.5) * axis;  // coaxial
    for (Cylinder* c : {&a, &b}) c->centre *= scale, c->half *= scale, c->radius *= scale;
    const double distance = parallel_distance(a, b), bound = lower_bound(a, b, Pose());
    hits += distance == 0;
    EXPECT_LE(bound, distance * (1 + 1e-14)) << i;
    EXPECT_GE(bound, distance * (1 - 1e-7) - 1e-12 * scale) << i;
    EXPECT_EQ(overlap(a, b, Pose()), bound == 0) << i;
  }
  test::expect_about_half(hits, n);
}

TEST(CylinderPair, TouchingCounts) {
  const Cylinder can = {Vec3::Zero(), Vec3::UnitZ(), 1, 1};
  for (const Vec3& way : {Vec3(2, 0, 0), Vec3(0, 0, 2), Vec3(1.2, 1.6, 0), Vec3(1.2, 1.6, 2)}) {
    EXPECT_TRUE(overlap(can, can, Pose::from_translation(way)));
    EXPECT_FALSE(overlap(can, can, Pose::from_translation(way * (1 + 1e-12))));
  }
  // Rim on rim of crossed ones, and side on side.
  const Pose crossed = Pose::from_axis_angle(Vec3::UnitX(), kHalfTurn / 2, Vec3(2, 0, 0));
  EXPECT_TRUE(overlap(can, can, crossed));
  EXPECT_NEAR(lower_bound(can, can, Pose::from_translation(Vec3(1, 0, 0)) * crossed), 1, 1e-12);
}

/// A point and a cone, in the half plane through the axis and the point.
double point_cone_distance(const Cone& c, const Vec3& p) {
  const Vec3 w = p - c.centre;
  const double s = c.axis.dot(w), r = (w - s * c.axis).norm();
  const Triangle halves[2] = {
      {Vec3(-c.half, 0, 0), Vec3(c.half, 0, 0), Vec3(c.half, c.radius[1], 0)},
      {Vec3(-c.half, 0, 0), Vec3(c.half, c.radius[1], 0), Vec3(-c.half, c.radius[0], 0)}};
  const Vec3 q(s, r, 0);
  double least = kInfinity;
  for (const Triangle& t : halves)
    least = std::min(least, geometry::closest_points({q, q, q}, t).distance);
  return least;
}

TEST(ConePair, MatchesTheClosedFormForAPoint) {
  Sets sets(2);
  const int n = test::scaled(3000);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Cone c = {sets.point(),
                    sets.direction(),
                    sets.real(0.05, 1),
                    {i % 3 == 0 ? 0 : sets.real(0, 1), i % 5 == 0 ? 0 : sets.real(0, 1)}};
    const Vec3 p = c.centre + 0.6 * sets.point();
    const double distance = point_cone_distance(c, p);
    const double bound = proved_gap(convex_set(c), single_point(p), PoseMatrix(), Seek::distance);
    hits += distance == 0;
    EXPECT_LE(bound, distance + 1e-15) << i;
    EXPECT_GE(bound, distance - 1e-8) << i;
    if (distance > 1e-12) {
      EXPECT_FALSE(c.contains(p)) << i;
    }
    if (distance == 0) {
      EXPECT_TRUE(c.contains(p)) << i;
    }
  }
  EXPECT_GT(hits, 0.15 * n);
  EXPECT_LT(hits, 0.7 * n);
}

/// The least distance of the skins, which lie inside of round volumes.
double skin_distance(const Skin& a, const Skin& b, const Pose& place) {
  double least = kInfinity;
  const auto triangles = [](const Skin& skin, const Pose& pose) {
    std::vector<Triangle> out;
    for (const auto& face : skin.faces)
      for (std::size_t i = 2; i < face.size(); ++i)
        out.push_back({pose * skin.vertices[face[0]], pose * skin.vertices[face[i - 1]],
                       pose * skin.vertices[face[i]]});
    return out;
  };
  const std::vector<Triangle> of_a = triangles(a, Pose()), of_b = triangles(b, place);
  for (const Triangle& s : of_a)
    for (const Triangle& t : of_b) {
      // Most are far away.
      const double between = (s[0] - t[0]).norm() - (s[0] - s[1]).norm() - (s[0] - s[2]).norm() -
                             (t[0] - t[1]).norm() - (t[0] - t[2]).norm();
      if (between < least) least = std::min(least, geometry::closest_points(s, t).distance);
    }
  return least;
}

// The skin's corners lie in the volume, so it is never nearer than the bound says; and it follows
// the volume to a thousandth, so never much farther.
TEST(EveryOther, IsAsFarAwayAsItsSkin) {
  Sets sets(3);
  for (const VolumeKind& kind : volume_kinds().subspan(10)) {
    // Not sharp, on its own directions only; and not convex.
    if (kind.name == "dop10" || kind.name == "shell") continue;
    int apart = 0;
    for (int i = 0, n = test::scaled(10, 3); i < n && !HasFailure(); ++i) {
      const AnyVolume a = kind.fit(sets.cloud(8)), b = kind.fit(sets.cloud(8));
      const Pose place = sets.pose(sets.real(1.2, 2.6) * sets.direction());
      const double distance = skin_distance(a.skin(), b.skin(), place);
      const double bound = lower_bound(a, b, place);
      EXPECT_LE(bound, distance + 1e-12) << kind.name << ' ' << i;
      if (bound == 0) continue;
      ++apart;
      EXPECT_GE(bound, distance - 3e-3 * (a.diameter() + b.diameter())) << kind.name << ' ' << i;
    }
    EXPECT_GT(apart, 0) << kind.name;
  }
}

TEST(HullPair, MatchesTheFaces) {
  Sets sets(4);
  const int n = test::scaled(600);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    // Also planar sets, segments and points, and faces that are parallel.
    const std::vector<Vec3> at_a = i % 6 == 0   ? sets.degenerate(i / 6 % 3, 6)
                                   : i % 6 == 1 ? sets.grid(12)
                                                : sets.cloud(12);
    const std::vector<Vec3> at_b = i % 6 == 1 ? sets.grid(12) : sets.cloud(12);
    const Hull a = Hull::fit(at_a), b = Hull::fit(at_b);
    const Vec3 shift = sets.real(0.3, 2) * sets.direction();
    const Pose place =
        i % 6 == 1 ? Pose::from_translation(Vec3(sets.integer(1, 3), sets.integer(-1, 1), 0))
                   : sets.pose(shift);
    double distance = kInfinity;
    const auto faces = [](const Hull& h, const Pose& pose) {
      std::vector<Triangle> out;
      for (const auto& [x, y, z] : h.faces)
        out.push_back({pose * h.corners[x], pose * h.corners[y], pose * h.corners[z]});
      if (out.empty()) {
        const auto corner = [&](std::size_t k) {
          return pose * h.corners[std::min(k, h.corners.size() - 1)];
        };
        out.push_back({corner(0), corner(1), corner(2)});
      }
      return out;
    };
    for (const Triangle& s : faces(a, Pose()))
      for (const Triangle& t : faces(b, place))
        distance = std::min(distance, geometry::closest_points(s, t).distance);
    // One inside of the other: no face touches.
    if (distance > 0 &&
        (a.contains(place * b.corners[0]) || b.contains(place.inverse() * a.corners[0])))
      distance = 0;
    const double bound = lower_bound(a, b, place);
    hits += distance == 0;
    const double margins = a.margin + b.margin;
    EXPECT_LE(bound, distance) << i;
    if (distance > 2 * margins + 1e-12) {
      EXPECT_GE(bound, distance - margins - 1e-9) << i;
    }
    EXPECT_EQ(overlap(a, b, place), bound == 0) << i;
  }
  test::expect_about_half(hits, n);
}

TEST(HullPair, FarThinAndParallel) {
  const std::vector<Vec3> needle = {Vec3(0, 0, 0), Vec3(1e6, 1e-3, 0), Vec3(1e6, 0, 1e-3),
                                    Vec3(2e6, 0, 0)};
  const Hull a = Hull::fit(needle);
  EXPECT_NEAR(lower_bound(a, a, Pose::from_translation(Vec3(0, 0, 5))), 5, 0.02);
  EXPECT_NEAR(lower_bound(a, a, Pose::from_translation(Vec3(0, 0, 1e12))), 1e12, 1);
  std::vector<Vec3> cube;
  for (int k = 0; k < 8; ++k) cube.emplace_back(k & 1, k >> 1 & 1, k >> 2 & 1);
  const Hull c = Hull::fit(cube);
  for (const double gap : {1e-6, 1e-3, 1.0, 1e6}) {
    const Pose above = Pose::from_translation(Vec3(0.25, -0.5, 1 + gap));
    EXPECT_NEAR(lower_bound(c, c, above), gap, 1e-8 + 1e-9 * gap);
    const Pose turned = above * Pose::from_axis_angle(Vec3::UnitZ(), 1e-9, Vec3::Zero());
    EXPECT_NEAR(lower_bound(c, c, turned), gap, 1e-8 + 1e-9 * gap);
  }
  EXPECT_TRUE(overlap(c, c, Pose::from_translation(Vec3(1, 1, 1))));
}

TEST(ShellPair, ReachesIntoTheHollow) {
  // Half a ball of thickness 0.1, and things in it.
  const Shell bowl = {Vec3::Zero(), Vec3::UnitZ(), 0, 0.9, 1};
  const Shell ball = {Vec3::Zero(), Vec3::UnitZ(), -2, 0, 0.25};
  EXPECT_NEAR(lower_bound(bowl, ball, Pose()), 0.65, 1e-12);
  EXPECT_NEAR(lower_bound(ball, bowl, Pose()), 0.65, 1e-12);
  EXPECT_NEAR(lower_bound(bowl, ball, Pose::from_translation(Vec3(0, 0, 0.6))), 0.05, 1e-12);
  EXPECT_TRUE(overlap(bowl, ball, Pose::from_translation(Vec3(0, 0, 0.65))));
  EXPECT_TRUE(overlap(bowl, ball, Pose::from_translation(Vec3(0.9, 0, 0.2))));
  EXPECT_NEAR(lower_bound(bowl, ball, Pose::from_translation(Vec3(0, 0, -1))), 0.75, 1e-12);
  // Two bowls, one in the other.
  const Shell small = {Vec3::Zero(), Vec3::UnitZ(), 0.5, 0.5, 0.7};
  const Pose inside = Pose::from_axis_angle(Vec3::UnitX(), 0.4, Vec3(0.05, 0, 0));
  EXPECT_NEAR(lower_bound(bowl, small, inside), 0.2, 0.051);
  EXPECT_GT(lower_bound(bowl, small, inside), 0.14);
}

// ---- forms -------------------------------------------------------------------------------------

TEST(SweptForms, NeverShrink) {
  Sets sets(14);
  for (int i = 0, n = test::scaled(300); i < n && !HasFailure(); ++i) {
    const std::vector<Vec3> points = sets.any();
    const Pss sphere = Pss::fit(points);
    const Lss capsule = Lss::fit(points);
    const Rss rectangle = Rss::fit(points);
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, p.norm());
    for (const Vec3& p : points) {
      EXPECT_TRUE(holds(to_lss(sphere), p));
      EXPECT_TRUE(holds(to_rss(sphere), p));
      EXPECT_TRUE(holds(to_rss(capsule), p));
      EXPECT_TRUE(holds(to_pss(capsule), p));
      EXPECT_TRUE(holds(to_pss(rectangle), p));
      EXPECT_TRUE(holds(to_lss(rectangle), p));
    }
    EXPECT_NEAR(to_lss(sphere).diameter(), sphere.diameter(), 1e-13 * size);
    EXPECT_NEAR(to_rss(capsule).diameter(), capsule.diameter(), 1e-13 * size);
    EXPECT_NEAR(to_pss(rectangle).diameter(), rectangle.diameter(), 1e-13 * size);
  }
}

TEST(VertexPlane, TellsWhatTheNormalsOfFacesTell) {
  Sets sets(15);
  const int n = test::scaled(4000);
  int apart = 0, only_all = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Obb a = sets.box(), b = sets.box();
    const Pose turn = sets.pose(Vec3::Zero());
    const Vec3 shift = sets.real(0, 0.9) * sets.direction() + a.centre - turn * b.centre;
    const Pose place = Pose::from_quaternion_unchecked(turn.rotation(), shift);
    const bool beyond = vertices_beyond_a_plane(a, b, place);
    EXPECT_EQ(beyond, !overlap(a, b, place, BoxAxes::faces)) << i;
    EXPECT_EQ(beyond, vertices_beyond_a_plane(b, a, place.inverse())) << i;
    if (beyond) {
      EXPECT_FALSE(overlap(a, b, place));
    }
    apart += beyond;
    only_all += !beyond && !overlap(a, b, place);
  }
  test::expect_about_half(apart, n);
  EXPECT_GT(only_all, 0);
}

// ---- as AnyVolume ------------------------------------------------------------------------------

TEST(AnyVolumes, ComeBackFromTheirNumbers) {
  Sets sets(16);
  for (const VolumeKind& kind : volume_kinds()) {
    EXPECT_EQ(find_kind(kind.name)->name, kind.name);
    for (int i = 0; i < 10; ++i) {
      const std::vector<Vec3> points = sets.any();
      const AnyVolume v = kind.fit(points), back = kind.from_numbers(v.numbers());
      EXPECT_EQ(back.kind().name, kind.name);
      EXPECT_EQ(back.numbers(), v.numbers());
      EXPECT_EQ(back.volume(), v.volume());
      EXPECT_EQ(back.diameter(), v.diameter());
      for (const Vec3& p : points) EXPECT_TRUE(back.contains(p));
    }
    EXPECT_THROW((void)kind.from_numbers(std::vector<double>(2)), InvalidInput) << kind.name;
  }
  EXPECT_EQ(find_kind("cube"), nullptr);
  EXPECT_EQ(volume_kinds().size(), 19u);
}

// The surface that is drawn is the volume's: closed, and of its size.
TEST(AnyVolumes, HaveSkinsOfTheirMeasures) {
  Sets sets(17);
  const std::vector<Vec3> points = sets.cloud(20);
  for (const VolumeKind& kind : volume_kinds()) {
    const AnyVolume v = kind.fit(points);
    const Skin skin = v.skin();
    double area = 0, volume = 0;
    for (const auto& face : skin.faces)
      for (std::size_t i = 2; i < face.size(); ++i) {
        const Vec3 &p = skin.vertices[face[0]], &q = skin.vertices[face[i - 1]],
                   &r = skin.vertices[face[i]];
        area += 0.5 * (q - p).cross(r - p).norm();
        volume += (p - points[0]).dot((q - points[0]).cross(r - points[0])) / 6;
      }
    if (kind.name == "shell" && v.as<Shell>()->cosine < -1) continue;  // its hollow is not drawn
    EXPECT_NEAR(area / v.surface_area(), 1, 0.01) << kind.name;
    EXPECT_NEAR(volume / v.volume(), 1, 0.02) << kind.name;
    Lines lines;
    outline(v, lines);
    EXPECT_GT(lines.size(), 30u) << kind.name;
    EXPECT_EQ(lines.size() % 6, 0u) << kind.name;
  }
}

}  // namespace
}  // namespace touche::bounds
