// SPDX-License-Identifier: Apache-2.0
#include "touche/response.h"

#include <gtest/gtest.h>

#include <limits>

namespace touche::response_test {
namespace {

const Vec3 kUp = Vec3::UnitZ();

TEST(Response, SlidesAlongASurface) {
  EXPECT_EQ(slide({1, 2, -3}, kUp), Vec3(1, 2, 0));
  EXPECT_EQ(slide({1, 2, 3}, kUp), Vec3(1, 2, 3));
}

TEST(Response, IsReflected) {
  EXPECT_EQ(reflect({1, 2, -4}, kUp, 1), Vec3(1, 2, 4));
  EXPECT_EQ(reflect({1, 2, -4}, kUp, 0.5), Vec3(1, 2, 2));
  EXPECT_EQ(reflect({1, 2, -4}, kUp, 0), slide({1, 2, -4}, kUp));
  EXPECT_EQ(reflect({1, 2, 4}, kUp, 1), Vec3(1, 2, 4));
  for (const double bad : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW((void)reflect({1, 2, -4}, kUp, bad), InvalidInput);
}

}  // namespace
}  // namespace touche::response_test
