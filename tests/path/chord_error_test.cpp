// SPDX-License-Identifier: Apache-2.0
// How far the faces of a mesh are from the curved surface they stand for, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion_kinds.h"
#include "shapes.h"
#include "touche/path.h"

namespace touche {
namespace {

using test::kPi;

// The chord error of a circle in n chords is 1 - cos(pi / n) of its radius.
TEST(ChordError, OfCylindersAndSpheres) {
  for (const Index n : {16u, 64u, 256u}) {
    const double expected = 3 * (1 - std::cos(kPi / n));
    const double found = chord_error(scenes::cylinder(3, 10, n));
    EXPECT_NEAR(found, expected, 0.02 * expected) << n;
  }
  EXPECT_EQ(chord_error(scenes::box({0, 0, 0}, {1, 2, 3})), 0);
  // A ball's facets: the deepest point of any is no farther from it than told, by a factor.
  const PolygonSoup ball = scenes::sphere(2, 2000);
  double deepest = 0;
  for (const auto& t : ball.triangles()) {
    const Vec3 middle = (ball.vertex(t[0]) + ball.vertex(t[1]) + ball.vertex(t[2])) / 3;
    deepest = std::max(deepest, 2 - middle.norm());
  }
  EXPECT_GT(chord_error(ball), 0.8 * deepest);
  EXPECT_LT(chord_error(ball), 2 * deepest);
}

}  // namespace
}  // namespace touche
