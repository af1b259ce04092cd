// SPDX-License-Identifier: Apache-2.0
// Contact candidates of two objects, found by what of them is beyond a plane, compared with all
// pairs of features.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "query/near_features_across.h"
#include "random.h"
#include "shape/soup_hull.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/simd.h"

namespace touche::near_hulls_test {
namespace {

using scenes::Random;
using test::scaled;

bool same(const Contact& x, const Contact& y) {
  return x.face_a == y.face_a && x.face_b == y.face_b && x.feature_a == y.feature_a &&
         x.feature_b == y.feature_b && x.point_a == y.point_a && x.point_b == y.point_b &&
         x.normal == y.normal && x.distance == y.distance;
}

void expect_same(const NearResult& fast, const NearResult& slow) {
  ASSERT_TRUE(fast.complete && slow.complete);
  ASSERT_EQ(fast.contacts.size(), slow.contacts.size());
  for (std::size_t i = 0; i < fast.contacts.size(); ++i)
    ASSERT_TRUE(same(fast.contacts[i], slow.contacts[i])) << "contact " << i;
}

std::vector<Object> few_vertices() {
  std::vector<Object> objects;
  objects.emplace_back(scenes::sphere(0.7, 80));
  objects.emplace_back(scenes::box({-1, -0.2, -0.5}, {0.4, 0.2, 0.5}));
  objects.emplace_back(scenes::box({2, 3, -0.01}, {4, 3.5, 0.01}, 2));  // far from its origin
  objects.emplace_back(scenes::cylinder(0.3, 1.5, 9));
  objects.emplace_back(scenes::torus(1, 0.2, 9, 5));
  objects.emplace_back(scenes::random_soup(5, {.faces = 20, .slivers = 0.2}));
  objects.emplace_back(scenes::box({-300, -300, -1}, {300, 300, 0}));
  return objects;
}

struct Beside {
  const Object &a, &b;
  Pose pose_a, pose_b;
};

// b is moved to a gap of that size, or overlaps a by it.
Beside some_beside(base::Random& random, const std::vector<Object>& objects, double gap) {
  const Index count = static_cast<Index>(objects.size());
  const Object &a = objects[random.below(count)], &b = objects[random.below(count)];
  const bool aligned = random.uniform() < 0.3;  // so that many features lie beside each other
  const auto placed = [&](const Object& object, const Vec3& centre) {
    const bool straight = aligned || random.uniform() < 0.3;
    const Pose turn = Pose::from_axis_angle(random.direction(),
                                            straight ? 0 : random.uniform(-3, 3), Vec3::Zero());
    return Pose::from_translation(centre - turn.rotate(object.bounds().centre())) * turn;
  };
  const double size = a.bounds().diagonal() + b.bounds().diagonal();
  const Vec3 centre = random.in_box(2), towards = aligned ? Vec3::UnitZ() : random.direction();
  const Pose pose_a = placed(a, centre);
  Pose pose_b = placed(b, centre + size * towards);
  for (int i = 0; i < 2; ++i) {
    const DistanceResult apart = distance(a, pose_a, b, pose_b, {});
    if (!apart.closest) break;
    pose_b = Pose::from_translation((gap - apart.distance.upper) * apart.closest->normal) * pose_b;
  }
  return {a, b, pose_a, pose_b};
}

// The direction is only there to make it fast.
TEST(NearHulls, AcrossAnyPlaneAreThoseOfAllPairs) {
  base::Random random(1);
  const std::vector<Object> objects = few_vertices();
  Workspace workspace;
  int some = 0, none = 0, answered = 0;
  const int cases = scaled(1500, 300);
  for (int i = 0; i < cases; ++i) {
    const double margin = i % 7 == 0 ? 0 : std::pow(10, random.uniform(-6, -0.5));
    const double gap = i % 5 == 0 ? -0.05 : margin * random.uniform(0, 1.6);
    const Beside p = some_beside(random, objects, gap);
    const NearOptions options{
        .max_distance = margin, .turn = random.uniform(0, 0.1), .workspace = &workspace};
    const NearResult all = brute_force::near_features(p.a, p.pose_a, p.b, p.pose_b, options);
    const Vec3 directions[] = {random.direction(),
                               all.contacts.empty()
                                   ? Vec3(random.direction())
                                   : p.pose_a.inverse().rotate(all.contacts[0].normal)};
    for (const Vec3& direction : directions)
      for (const std::string& target : simd_targets()) {
        set_simd_target(target);
        NearResult found;
        if (query::near_features_across(p.a, p.pose_a, p.b, p.pose_b, options, direction, found)) {
          ASSERT_NO_FATAL_FAILURE(expect_same(found, all)) << i;
          ++answered;
        }
        if (i % 10 != 0) break;
      }
    set_simd_target(simd_targets().front());
    some += !all.contacts.empty();
    none += all.contacts.empty();
  }
  EXPECT_GT(some, 0.3 * cases);
  EXPECT_GT(none, 0.3 * cases);
  EXPECT_GT(answered, cases);
}

TEST(NearHulls, TellThePlacesOfAllPairsOfFeatures) {
  base::Random random(2);
  const std::vector<Object> objects = few_vertices();
  Workspace workspace;
  int by_hulls = 0, some = 0, places = 0;
  const int cases = scaled(1500, 300);
  for (int i = 0; i < cases; ++i) {
    const double margin = std::pow(10, random.uniform(-6, -1));
    const Beside p = some_beside(random, objects, margin * random.uniform(0.01, 1.6));
    const NearOptions options{.max_distance = margin, .workspace = &workspace};
    const NearResult all = brute_force::near_features(p.a, p.pose_a, p.b, p.pose_b, options);
    NearResult found;
    if (shape::near_features_by_hulls(p.a, p.pose_a, p.b, p.pose_b, options, found)) {
      ASSERT_NO_FATAL_FAILURE(expect_same(found, all)) << i;
      ++by_hulls;
      some += !all.contacts.empty();
      places += static_cast<int>(all.contacts.size());
    }
    near_features(Shape(p.a), p.pose_a, Shape(p.b), p.pose_b, options, found);
    ASSERT_NO_FATAL_FAILURE(expect_same(found, all)) << i;
    if (all.contacts.size() < 2) continue;
    NearOptions few = options;
    few.max_contacts = all.contacts.size() - 1;
    near_features(Shape(p.a), p.pose_a, Shape(p.b), p.pose_b, few, found);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.contacts.size(), few.max_contacts);
  }
  EXPECT_GT(by_hulls, 0.6 * cases);
  EXPECT_GT(some, 0.3 * cases);
  EXPECT_GT(places, some);
}

TEST(NearHulls, AreNotAskedOfObjectsOfManyVertices) {
  const Object small(scenes::sphere(1, 80)), large(scenes::sphere(1, 2000));
  const Pose beside = Pose::from_translation({2.01, 0, 0});
  NearResult result;
  EXPECT_TRUE(
      shape::near_features_by_hulls(small, {}, small, beside, {.max_distance = 0.1}, result));
  EXPECT_FALSE(
      shape::near_features_by_hulls(small, {}, large, beside, {.max_distance = 0.1}, result));
  EXPECT_FALSE(query::near_features_across(large, {}, small, beside, {.max_distance = 0.1},
                                           Vec3::UnitX(), result));
}

}  // namespace
}  // namespace touche::near_hulls_test
