// SPDX-License-Identifier: Apache-2.0
// Near features of soups with duplicate faces, faces without area, and bodies that touch, are
// coplanar or inside each other, at any scale: every contact has a normal and lies at the reported
// position.
#include <gtest/gtest.h>

#include <cmath>
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

}  // namespace
}  // namespace touche::near_attack_test
