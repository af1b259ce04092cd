// SPDX-License-Identifier: Apache-2.0
// Bugs that were found once, each with the smallest case that shows it.
#include <gtest/gtest.h>

#include "touche/reference.h"
#include "touche/touche.h"

namespace touche::regression_test {
namespace {

Object triangles(const std::vector<Vec3>& corners) {
  std::vector<double> coordinates;
  std::vector<Index> numbers;
  for (const Vec3& c : corners) {
    coordinates.insert(coordinates.end(), c.data(), c.data() + 3);
    numbers.push_back(static_cast<Index>(numbers.size()));
  }
  return Object(PolygonSoup(coordinates, numbers));
}

const Object& speck() {  // as small beside the unit as the hierarchy can treat
  static const Object object = triangles({{0, 0, 0}, {2e-11, 0, 0}, {0, 2e-11, 0}});
  return object;
}

// Sixteen triangles side by side; the one that reaches farthest along x is in the middle.
Object comb() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 16; ++i) {
    const double x = i == 8 ? 1 : 0.05 * i, y = 0.06 * i;
    for (const Vec3& c : {Vec3(x, y, 0), Vec3(x - 0.05, y + 0.05, 0), Vec3(x - 0.05, y, 0.05)})
      corners.push_back(c);
  }
  return triangles(corners);
}

// Squared distances that overflow in the small object's units were clipped after they had been
// scaled to the large one's, and pruned the nearest pair.
TEST(Regression, DistanceOfASpeckFromAFarComb) {
  const Object a = comb();
  const Pose far = Pose::from_translation(Vec3(1e9, 0, 0));
  const DistanceResult slow = brute_force::distance(a, Pose(), speck(), far);
  const DistanceResult fast = distance(a, Pose(), speck(), far);
  EXPECT_EQ(fast.distance.upper, slow.distance.upper);
  EXPECT_LE(fast.distance.lower, slow.distance.upper);
  EXPECT_NEAR(distance(speck(), far, a, Pose()).distance.upper, slow.distance.upper, 1e-3);
}

// A centre far along its own axis: the distances from the axis, and with them the bounds of the
// acceleration, were lost in rounding.
TEST(Regression, TurningFarAlongTheAxis) {
  const Vec3 far(0, 0, 1e9);
  const Object wall = triangles(
      {Vec3(0.77, 0.26, 0.14) + far, Vec3(0.99, 0.11, -0.1) + far, Vec3(0.75, 0, 0.1) + far});
  const Object blade = triangles({Vec3(0.87, -0.22, 0.02) + far, Vec3(0.87, -0.26, 0.07) + far,
                                  Vec3(0.88, -0.31, -0.03) + far});
  const Motion turn = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 0.48, 0);
  const auto hit = time_of_impact(wall, Motion::at(Pose()), blade, turn, {.tolerance = 1e-6});
  ASSERT_EQ(hit.status, ToiStatus::contact);
  EXPECT_LE(hit.time.lower, 0.938612);  // where they meet without the offset
}

}  // namespace
}  // namespace touche::regression_test
