// SPDX-License-Identifier: Apache-2.0
// Few contacts for many: checked by an oracle, non-negative least squares by coordinate
// descent, which is slow and obvious.
#include "touche/manifold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "counted_new.h"
#include "response/cone_distance.h"
#include "scenes.h"
#include "test_scale.h"
#include "touche/near_faces.h"

namespace touche {
namespace {

using test::scaled;

// ---- the oracle --------------------------------------------------------------------------------

struct Nearest {
  double distance = 0;     // of w from a point of the cone
  bool converged = false;  // to the nearest one
};

Nearest oracle(std::span<const response::Vector7> generators, const response::Vector7& w) {
  std::vector<double> weight(generators.size(), 0);
  response::Vector7 outside = w;
  for (int round = 0; round < 5000; ++round) {
    double most = 0;  // what a generator still goes with what is left of w
    for (std::size_t g = 0; g < generators.size(); ++g) {
      const double along = generators[g].dot(outside);
      const double better = std::max(0.0, weight[g] + along / generators[g].squaredNorm());
      most = std::max(most, weight[g] > 0 ? std::abs(along) : along);
      outside -= (better - weight[g]) * generators[g];
      weight[g] = better;
    }
    if (most < 1e-10) return {outside.norm(), true};
  }
  return {outside.norm(), false};
}

std::vector<response::Vector7> wrenches(std::span<const Contact> contacts, const Manifold& m,
                                        double reach) {
  std::vector<response::Vector7> all;
  for (const Contact& c : contacts) {
    response::Vector7 w;
    w << c.normal, (c.point_b - m.centre()).cross(c.normal) / m.size(), c.distance / reach;
    all.push_back(w);
  }
  return all;
}

/// All contacts are within `error` of the cone of the kept ones. The oracle may converge too slowly
/// to decide; that must be rare.
void expect_within(std::span<const Contact> contacts, const Manifold& m, double reach,
                   double error) {
  std::vector<response::Vector7> kept = wrenches(m.contacts(), m, reach);
  kept.push_back(response::Vector7::Unit(6));
  std::size_t proved = 0;
  for (const response::Vector7& w : wrenches(contacts, m, reach)) {
    const Nearest nearest = oracle(kept, w);
    if (nearest.converged) {
      EXPECT_LE(nearest.distance, error + 1e-6);
    }
    proved += nearest.distance <= error + 1e-6;
  }
  EXPECT_GE(static_cast<double>(proved), 0.8 * static_cast<double>(contacts.size()));
}

TEST(ConeDistance, IsThatOfTheOracle) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  int inside = 0, outside = 0, converged = 0;
  for (int i = 0; i < scaled(300); ++i) {
    const auto vector = [&] {
      response::Vector7 x;
      for (double& n : x) n = normal(random);
      return response::Vector7(x.normalized());
    };
    // Some cones are narrow, some wide, some in few dimensions, some have a generator twice.
    std::vector<response::Vector7> generators;
    const response::Vector7 axis = vector();
    const double width = i % 3 == 0 ? 0.3 : 1.5;
    for (int g = 0; g < 1 + i % 12; ++g) {
      response::Vector7 x = axis + width * vector();
      if (i % 4 == 0) x.tail<3>().setZero();
      generators.push_back(x.normalized());
      if (g % 5 == 4) generators.push_back(generators.back());
    }
    const response::Vector7 w = (axis + 0.6 * vector()).normalized();
    const Nearest truth = oracle(generators, w);
    const double found = response::distance_to_cone(generators, w);
    EXPECT_LE(found, truth.distance + 1e-9);
    if (truth.converged) {
      EXPECT_GE(found, truth.distance - 1e-6);
    }
    converged += truth.converged;
    (found < 1e-9 ? inside : outside) += 1;
  }
  EXPECT_GT(converged, scaled(300) / 2);
  EXPECT_GT(inside, 0);
  EXPECT_GT(outside, 10);
}

// ---- scenes ------------------------------------------------------------------------------------

std::vector<Contact> near_contacts(const Object& a, const Object& b, const Pose& pose_b,
                                   double margin) {
  return near_features(a, {}, b, pose_b, {.max_distance = margin}).contacts;
}

TEST(Manifold, OfPlatesAreTheFourCorners) {
  const Object ground(scenes::box({-4, -4, -1}, {4, 4, 0}, 8));
  const Object plate(scenes::box({-1.1, -1.1, 0}, {1.1, 1.1, 1}, 8));
  for (const double height : {0.0, 0.01}) {
    const auto all = near_contacts(ground, plate, Pose::from_translation({0, 0, height}), 0.05);
    EXPECT_EQ(all.size(), 32u);
    Manifold m;
    m.update(all);
    ASSERT_EQ(m.contacts().size(), 4u);
    for (const Contact& c : m.contacts())
      EXPECT_NEAR(std::abs(c.point_b.x()) + std::abs(c.point_b.y()), 2.2, 1e-12);
  }
}

TEST(Manifold, OfAnEdgeOnAPlateAreItsEnds) {
  const Object ground(scenes::box({-4, -4, -1}, {4, 4, 0}));
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}, 8));
  const Pose standing =
      Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 4, {0, 0, std::numbers::sqrt2 + 0.001});
  const auto all = near_contacts(ground, box, standing, 0.05);
  EXPECT_EQ(all.size(), 9u);
  Manifold m;
  m.update(all);
  ASSERT_EQ(m.contacts().size(), 2u);
  EXPECT_NEAR(m.contacts()[0].point_b.x() * m.contacts()[1].point_b.x(), -1, 1e-12);
}

TEST(Manifold, OfAPegHoldsItAllAround) {
  const Object peg(scenes::cylinder(0.99, 2, 48));
  std::vector<PolygonSoup> walls;
  for (int i = 0; i < 24; ++i) {  // a ring of blocks
    const double angle = i * std::numbers::pi / 12;
    const PolygonSoup block = scenes::box({1, -0.14, 0}, {1.3, 0.14, 1});
    std::vector<double> at;
    const Pose turned = Pose::from_axis_angle({0, 0, 1}, angle, Vec3(0, 0, 0));
    for (const Vec3& v : block.vertices()) {
      const Vec3 x = turned * v;
      at.insert(at.end(), x.begin(), x.end());
    }
    walls.push_back(block);
    walls.back().move_vertices(at);
  }
  std::vector<const PolygonSoup*> all_walls;
  for (const PolygonSoup& wall : walls) all_walls.push_back(&wall);
  const Object hole(merged(all_walls));
  const auto all = near_contacts(hole, peg, Pose::from_translation({0, 0, -0.5}), 0.05);
  ASSERT_GT(all.size(), 40u);
  for (const double error : {0.02, 0.1, 0.3}) {
    Manifold m;
    m.update(all, {.error = error, .reach = 0.05});
    expect_within(all, m, 0.05, error);
    EXPECT_LE(m.contacts().size(), error < 0.05 ? all.size() : 40);
    for (int i = 0; i < 12; ++i) {  // each way out is barred
      const double angle = i * std::numbers::pi / 6;
      const Vec3 way(std::cos(angle), std::sin(angle), 0);
      double most = 0;
      for (const Contact& c : m.contacts()) most = std::max(most, -c.normal.dot(way));
      EXPECT_GT(most, 0.7);
    }
  }
}

TEST(Manifold, OfThreadsIsSmall) {
  const scenes::Scene s = scenes::nut_and_bolt({.segments = 24});
  const Object bolt(placed(s.parts[0])), nut(placed(s.parts[1]));
  const auto all = near_contacts(bolt, nut, Pose::from_translation({0.03, 0, 0}), 0.15);
  ASSERT_GT(all.size(), 500u);
  Manifold m;
  m.update(all, {.error = 0.1, .reach = 0.15});
  std::vector<Contact> some;
  for (std::size_t i = 0; i < all.size(); i += 16) some.push_back(all[i]);
  expect_within(some, m, 0.15, 0.1);
  EXPECT_LT(m.contacts().size(), 60u);
}

// A known fault of others: here nothing changes while it moves by less than a micrometre.
TEST(Manifold, OfARestingCylinderStaysTheSame) {
  const Object ground(scenes::box({-50, -50, -10}, {50, 50, 0}, 4));
  const Object cylinder(scenes::cylinder(5, 20, 60));  // millimetres
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const double low = 5 * std::cos(std::numbers::pi / 60);
  const Pose upright = Pose::from_translation({1.3, 0.7, 0.002}),
             lying = Pose::from_translation({1.3, 0.7, low + 0.002}) *
                     Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 2, Vec3(0, 0, 0)) *
                     Pose::from_axis_angle({0, 0, 1}, std::numbers::pi / 60, {0, 0, -10});
  for (const Pose& at : {upright, lying}) {
    Manifold m;
    std::vector<Contact> first;
    for (int i = 0; i < scaled(200); ++i) {
      const double dx = unit(random), dy = unit(random), dz = unit(random);
      const double rx = unit(random), ry = unit(random), rz = unit(random);
      // No point moves by more than a micrometre: it is at most 21 mm from the middle.
      const Pose moved = Pose::from_translation({5e-4 * dx, 5e-4 * dy, 5e-4 * dz}) * at *
                         Pose::from_axis_angle({1, 0, 0}, 1e-5 * rx, Vec3(0, 0, 0)) *
                         Pose::from_axis_angle({0, 1, 0}, 1e-5 * ry, Vec3(0, 0, 0)) *
                         Pose::from_axis_angle({0, 0, 1}, 1e-5 * rz, Vec3(0, 0, 0));
      m.update(near_contacts(ground, cylinder, moved, 0.05), {.reach = 0.05});
      if (first.empty()) first = m.contacts();
      ASSERT_EQ(m.contacts().size(), first.size());
      for (std::size_t n = 0; n < first.size(); ++n) {
        EXPECT_EQ(m.contacts()[n].feature_a, first[n].feature_a);
        EXPECT_EQ(m.contacts()[n].feature_b, first[n].feature_b);
        EXPECT_LT((m.contacts()[n].point_b - first[n].point_b).norm(), 0.004);
      }
    }
    EXPECT_GE(first.size(), 3u);
    EXPECT_LE(first.size(), 20u);
  }
}

// ---- properties --------------------------------------------------------------------------------

std::vector<Contact> random_contacts(std::uint64_t seed, int count, double scale) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Contact> all;
  const auto vector = [&] {
    const double x = normal(random), y = normal(random), z = normal(random);
    return Vec3(x, y, z);
  };
  const Vec3 up = vector().normalized();
  const double spread = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.3 : 3;
  for (int i = 0; i < count; ++i) {
    Contact c;
    c.feature_a = {FeatureKind::vertex, static_cast<Index>(i * 7 % count)};
    c.feature_b = {FeatureKind::face, static_cast<Index>(i % 5)};
    c.point_b = scale * vector();
    c.normal = (up + spread * vector()).normalized();
    c.distance = seed % 2 == 0 ? 0 : scale * std::abs(vector().x()) * 0.1;
    c.point_a = c.point_b - c.distance * c.normal;
    all.push_back(c);
  }
  return all;
}

TEST(Manifold, KeepsItsWordForRandomContacts) {
  int smaller = 0, held = 0, broken = 0;
  for (int seed = 0; seed < scaled(60); ++seed) {
    const double scale = seed % 4 == 0 ? 1e-6 : seed % 4 == 1 ? 1e6 : 1;
    const auto all = random_contacts(static_cast<std::uint64_t>(seed), 5 + seed % 40, scale);
    const double error = seed % 5 == 0 ? 0.3 : 0.05, reach = 0.2 * scale;
    Manifold m;
    m.update(all, {.error = error, .reach = reach});
    expect_within(all, m, reach, error);
    smaller += m.contacts().size() < all.size();

    // Displacements that the kept contacts allow hardly break the others.
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 200; ++i) {
      const double x = unit(random), y = unit(random), z = unit(random);
      const double u = unit(random), v = unit(random), w = unit(random);
      const Vec3 linear = reach * Vec3(x, y, z) / std::sqrt(3),
                 angular = reach / m.size() * Vec3(u, v, w) / std::sqrt(3);
      const auto lacking = [&](const Contact& c) {
        return -c.distance - c.normal.dot(linear + angular.cross(c.point_b - m.centre()));
      };
      double kept = -kInfinity, any = -kInfinity;
      for (const Contact& c : m.contacts()) kept = std::max(kept, lacking(c));
      for (const Contact& c : all) any = std::max(any, lacking(c));
      (kept <= 0 ? held : broken) += 1;
      if (kept <= 0) {
        EXPECT_LE(any, std::sqrt(3) * error * reach * (1 + 1e-9));
      }
    }
  }
  EXPECT_GT(smaller, 20);
  EXPECT_GT(held, 100);
  EXPECT_GT(broken, 100);
}

TEST(Manifold, KeepsWhatItKept) {
  auto all = random_contacts(4, 40, 1);
  Manifold m;
  m.update(all);
  const std::vector<Contact> before = m.contacts();
  ASSERT_LT(before.size(), all.size());
  // In another order, a little elsewhere.
  std::reverse(all.begin(), all.end());
  for (Contact& c : all) c.point_b += Vec3(1e-3, -1e-3, 5e-4);
  m.update(all);
  ASSERT_EQ(m.contacts().size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(m.contacts()[i].feature_a, before[i].feature_a);
    EXPECT_EQ(m.contacts()[i].feature_b, before[i].feature_b);
  }
  // Without one of them the others stay.
  std::vector<Contact> fewer;
  for (const Contact& c : all)
    if (c.feature_a != before[0].feature_a) fewer.push_back(c);
  m.update(fewer);
  expect_within(fewer, m, 0.1 * m.size(), 0.05);
  m.clear();
  EXPECT_TRUE(m.contacts().empty());
}

TEST(Manifold, KeepsFewAsTheyAre) {
  for (int count = 0; count <= 4; ++count) {
    Manifold m;
    const auto all = count == 0 ? std::vector<Contact>() : random_contacts(9, count, 1);
    m.update(all);
    EXPECT_EQ(m.contacts().size(), all.size());
  }
  // Many at one point are one contact.
  std::vector<Contact> same(9);
  Manifold m;
  m.update(same);
  EXPECT_EQ(m.contacts().size(), 1u);
  EXPECT_EQ(m.size(), 1);
}

TEST(Manifold, RejectsWhatMeansNothing) {
  Manifold m;
  for (const double error : {0.0, 1.0, -1.0, std::nan("")})
    EXPECT_THROW(m.update({}, {.error = error}), InvalidInput);
  for (const double reach : {-1.0, std::nan("")})
    EXPECT_THROW(m.update({}, {.reach = reach}), InvalidInput);
}

TEST(Manifold, AllocatesNothingInSteadyState) {
  const auto all = random_contacts(7, 60, 1);
  Manifold m;
  m.update(all);
  m.clear();
  m.update(all);
  const std::size_t before = test::allocations;
  m.update(all);
  EXPECT_EQ(test::allocations - before, 0u);
}

}  // namespace
}  // namespace touche
