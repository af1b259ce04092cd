// SPDX-License-Identifier: Apache-2.0
// Near features of soups with duplicate faces, faces without area, and bodies that touch, are
// coplanar or inside each other, at any scale: every contact has a normal and lies at the reported
// position.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/near_faces.h"
#include "touche/reference.h"

namespace touche::near_attack_test {
namespace {

PolygonSoup hostile(base::Random& random, double scale) {
  scenes::RandomSoup how;
  how.faces = 4 + random.below(30);
  how.face_size = random.uniform(0.2, 1);
  how.slivers = 0.3;
  const PolygonSoup soup = random.below(2) == 0   ? scenes::box({-1, -1, -1}, {1, 1, 1}, 1)
                           : random.below(2) == 0 ? scenes::cylinder(0.5, 1, 3 + random.below(9))
                                                  : scenes::random_soup(random.next(), how);
  std::vector<double> xyz;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) xyz.push_back(scale * v[k]);
  std::vector<Index> corners;
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  for (int extra = 0; extra < 6; ++extra) {
    const Index f = 3 * random.below(static_cast<Index>(corners.size() / 3));
    const Index kind = random.below(3);
    corners.insert(corners.end(), {corners[f], corners[kind == 2 ? f : f + 1],
                                   corners[kind == 0 ? f + 2 : f + (kind == 1 ? 1 : 0)]});
  }
  return PolygonSoup(xyz, corners);
}

TEST(NearAttack, EveryContactHasANormalAndIsThatOfBruteForce) {
  base::Random random(81);
  std::size_t listed = 0, touching = 0;
  const int cases = test::scaled(250);
  for (int i = 0; i < cases; ++i) {
    const double scale = random.below(3) == 0 ? std::pow(10, random.uniform(-30, 30)) : 1;
    const Object a(hostile(random, scale)), b(hostile(random, scale));
    const Vec3 axis = random.direction(), anywhere = random.in_box(2);
    const double angle = random.below(2) == 0 ? 0 : random.uniform(0, 3);
    const Vec3 places[] = {{0, 0, 2}, {1, 0.5, 2.0001}, {0, 0, 0}, {0.3, 0, 1}, anywhere};
    const Pose pose = Pose::from_axis_angle(axis, angle, scale * places[random.below(5)]);
    NearOptions options;
    options.max_distance = random.below(4) == 0 ? 0 : scale * random.uniform(0, 1);
    options.turn = random.below(3) == 0 ? 0 : random.uniform(0, 0.5);
    for (const bool features : {false, true}) {
      const NearResult fast =
          features ? near_features(a, {}, b, pose, options) : near_faces(a, {}, b, pose, options);
      const NearResult slow = features ? brute_force::near_features(a, {}, b, pose, options)
                                       : brute_force::near_faces(a, {}, b, pose, options);
      ASSERT_TRUE(fast.complete);
      ASSERT_EQ(fast.contacts.size(), slow.contacts.size()) << i << " " << features;
      listed += fast.contacts.size();
      for (const Contact& contact : fast.contacts) {
        ASSERT_NEAR(contact.normal.norm(), 1, 1e-9) << i << " " << features;
        ASSERT_GE(contact.distance, 0);
        ASSERT_LE(contact.distance, options.max_distance * (1 + 1e-9) + 1e-12 * scale);
        ASSERT_NEAR((contact.point_b - contact.point_a).norm(), contact.distance, 1e-9 * scale);
        touching += contact.distance == 0;
      }
    }
  }
  EXPECT_GT(listed, static_cast<std::size_t>(cases));
  EXPECT_GT(touching, static_cast<std::size_t>(cases / 10));
}

void expect_those_of_brute_force(const Object& a, const Object& b, const Pose& pose,
                                 const NearOptions& options, std::size_t& listed) {
  for (const bool features : {false, true}) {
    const NearResult fast =
        features ? near_features(a, {}, b, pose, options) : near_faces(a, {}, b, pose, options);
    const NearResult slow = features ? brute_force::near_features(a, {}, b, pose, options)
                                     : brute_force::near_faces(a, {}, b, pose, options);
    ASSERT_EQ(fast.contacts.size(), slow.contacts.size()) << "features: " << features;
    for (std::size_t i = 0; i < fast.contacts.size(); ++i) {
      ASSERT_EQ(fast.contacts[i].feature_a, slow.contacts[i].feature_a);
      ASSERT_EQ(fast.contacts[i].feature_b, slow.contacts[i].feature_b);
      ASSERT_EQ(fast.contacts[i].distance, slow.contacts[i].distance);
    }
    listed += fast.contacts.size();
  }
}

// The face of b has no area: rounding gives its plane any direction.
TEST(NearAttack, FacesWithoutAreaAreFoundAtTheirEnds) {
  const double of_a[] = {1, 0, 0, 2, 1, 2, 0, 2, 1, 0, 1, 1, 1, 0, 1, 1, 2, 1};
  const double of_b[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
  const Index corners[] = {0, 1, 2, 3, 4, 5};
  const Object a(PolygonSoup(of_a, corners)), b(PolygonSoup(of_b, std::span(corners).first(3)));
  std::size_t listed = 0;
  expect_those_of_brute_force(a, b, {}, {.max_distance = 0}, listed);
  expect_those_of_brute_force(b, a, {}, {.max_distance = 0}, listed);
  EXPECT_GT(listed, 2U);
}

/// A few triangles with corners on a grid of three points along each axis; many have no area or are
/// slivers.
Object slivers(base::Random& random) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  const auto grid_point = [&] { return Vec3(random.below(3), random.below(3), random.below(3)); };
  const Index count = 1 + random.below(3);
  for (Index t = 0; t < count; ++t) {
    Vec3 p[3] = {grid_point(), grid_point(), grid_point()};
    const double share = random.below(2) == 0 ? 0.5 : random.uniform(0, 1);
    const Vec3 off = std::pow(10, random.uniform(-9, -2)) * random.direction();
    switch (random.below(5)) {
      case 0:
        p[2] = p[0];
        break;
      case 1:
        p[2] = p[0] + share * (p[1] - p[0]);
        break;
      case 2:
        p[2] = p[0] + share * (p[1] - p[0]) + off;
        break;
      case 3:
        p[2] = p[0] + off;
        break;
      default:
        break;
    }
    for (const Vec3& x : p) {
      corners.push_back(static_cast<Index>(corners.size()));
      xyz.insert(xyz.end(), x.begin(), x.end());
    }
  }
  return Object(PolygonSoup(xyz, corners));
}

TEST(NearAttack, SliversAndFacesWithoutAreaAreThoseOfBruteForce) {
  base::Random random(82 + test::first_seed());
  std::size_t listed = 0;
  const int cases = test::scaled(3000);
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(test::case_of_seed(i));
    const Object a = slivers(random), b = slivers(random);
    const Pose pose =
        random.below(2) == 0
            ? Pose()
            : Pose::from_axis_angle(random.direction(), random.uniform(0, 3), random.in_box(1));
    NearOptions options;
    options.max_distance = random.below(2) == 0 ? 0 : std::pow(10, random.uniform(-6, 0));
    options.turn = random.below(3) == 0 ? 0 : random.uniform(0, 0.5);
    expect_those_of_brute_force(a, b, pose, options, listed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(listed, static_cast<std::size_t>(cases / 2));
}

}  // namespace
}  // namespace touche::near_attack_test
