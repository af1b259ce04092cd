// SPDX-License-Identifier: Apache-2.0
// A picture shows the nearest surface, sections, and parts that shine through.
#include "report/render.h"

#include <gtest/gtest.h>

#include <array>

namespace touche::report {
namespace {

/// The square [-size, size]² at height z.
PolygonSoup square(double size, double z) {
  const std::array<double, 12> at = {-size, -size, z, size,  -size, z,
                                     size,  size,  z, -size, size,  z};
  const std::array<Index, 4> corners = {0, 1, 2, 3};
  const std::array<Index, 1> sizes = {4};
  return PolygonSoup(at, corners, sizes);
}

/// Looks down, from 10 to the left to 10 to the right.
Camera from_above() {
  Camera camera;
  camera.axes = camera_axes({0, 0, -1});
  camera.width = camera.height = 40;
  camera.scale = 2;
  return camera;
}

int redness(const Rgb& pixel) { return pixel[0] - pixel[2]; }

TEST(Render, ShowsTheNearestSurface) {
  const PolygonSoup red = square(2, 0), blue = square(5, 1);
  const Image image =
      render(from_above(), {{&red, Pose(), {250, 20, 20}}, {&blue, Pose(), {20, 20, 250}}});
  EXPECT_LT(redness(image.at(20, 20)), -100);
  EXPECT_LT(redness(image.at(12, 20)), -100);
  EXPECT_EQ(image.at(2, 2), (Rgb{255, 255, 255}));
}

TEST(Render, CutsAwayWhatIsNearerThanTheCut) {
  const PolygonSoup red = square(2, 0), blue = square(5, 1);
  Camera camera = from_above();
  camera.cut = 0.5;
  const Image image =
      render(camera, {{&red, Pose(), {250, 20, 20}}, {&blue, Pose(), {20, 20, 250}}});
  EXPECT_GT(redness(image.at(20, 20)), 100);
  EXPECT_EQ(image.at(12, 20), (Rgb{255, 255, 255}));
}

TEST(Render, PartsShineThroughWhatHidesThem) {
  const PolygonSoup red = square(2, 0), blue = square(5, 1);
  const RenderPart behind{&red, Pose(), {250, 20, 20}, 0, true};
  const RenderPart front{&blue, Pose(), {20, 20, 250}};
  const Image image = render(from_above(), {behind, front});
  EXPECT_GT(redness(image.at(20, 20)), 20);  // mixed, more of what is behind
  EXPECT_LT(redness(image.at(20, 20)), 150);
  EXPECT_LT(redness(image.at(12, 20)), -100);  // beside it as ever
  // In front of everything it is as it is.
  const PolygonSoup raised = square(2, 2);
  const Image above = render(from_above(), {{&raised, Pose(), {250, 20, 20}, 0, true}, front});
  const Image plain = render(from_above(), {{&raised, Pose(), {250, 20, 20}}, front});
  EXPECT_EQ(above.pixels, plain.pixels);
}

}  // namespace
}  // namespace touche::report
