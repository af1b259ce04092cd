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

// A mark in pure green over grey parts.
int greenness(const Rgb& pixel) { return pixel[1] - pixel[0]; }
constexpr Rgb kGrey = {150, 150, 150}, kGreen = {0, 255, 0};

TEST(Render, MarksAreOverTheirSurfaceAndFaintBehindOthers) {
  const PolygonSoup low = square(8, 0), high = square(3, 3);
  const std::vector<RenderPart> parts = {{&low, Pose(), kGrey}, {&high, Pose(), kGrey}};
  const Image plain = render(from_above(), parts);
  // A line on the lower square that passes below the higher one.
  Marks marks{.lines = {{Vec3(-6, 0, 0), Vec3(6, 0, 0)}}, .colour = kGreen};
  const Image line = render(from_above(), parts, marks);
  const int seen = greenness(line.at(10, 20)), hidden = greenness(line.at(20, 20));
  EXPECT_GT(seen, 200);
  EXPECT_GT(hidden, 60);
  EXPECT_LT(hidden, seen - 60);
  for (const auto& [x, y] : {std::pair(10, 24), {20, 16}, {5, 20}, {35, 20}})
    EXPECT_EQ(line.at(x, y), plain.at(x, y)) << x << " " << y;

  // Regions that overlap are as strong as one; their border is stronger.
  const std::array<Vec3, 3> triangle = {Vec3(-7, -7, 0), Vec3(7, -7, 0), Vec3(-7, 7, 0)};
  marks = {.regions = {triangle}, .colour = kGreen};
  const Image region = render(from_above(), parts, marks);
  EXPECT_GT(greenness(region.at(10, 30)), 60);
  EXPECT_GT(greenness(region.at(6, 20)), greenness(region.at(10, 30)));
  EXPECT_EQ(region.at(30, 10), plain.at(30, 10));
  marks.regions.push_back(triangle);
  EXPECT_EQ(render(from_above(), parts, marks).pixels, region.pixels);
  EXPECT_EQ(render(from_above(), parts, {}).pixels, plain.pixels);
}

TEST(Render, MarksInAPartThatShinesThroughAreNotFaint) {
  const PolygonSoup low = square(4, 0), high = square(8, 3);
  const Marks marks{.lines = {{Vec3(-3, 0, 0), Vec3(3, 0, 0)}}, .colour = kGreen};
  for (const bool through : {false, true}) {
    const Image image =
        render(from_above(), {{&low, Pose(), kGrey, 0, through}, {&high, Pose(), kGrey}}, marks);
    EXPECT_EQ(greenness(image.at(20, 20)) > 200, through);
  }
}

TEST(Render, MarksThatAreCutAwayAreFaint) {
  const PolygonSoup low = square(8, -5);
  Camera camera = from_above();
  camera.cut = 0.5;
  const auto mark = [&](double z) {
    return greenness(render(camera, {{&low, Pose(), kGrey}},
                            {.lines = {{Vec3(-3, 0, z), Vec3(3, 0, z)}}, .colour = kGreen})
                         .at(20, 20));
  };
  EXPECT_GT(mark(0), 200);
  EXPECT_GT(mark(4), 60);
  EXPECT_LT(mark(4), 200);
}

TEST(Render, APointIsASpot) {
  const PolygonSoup low = square(8, 0);
  const Image image = render(from_above(), {{&low, Pose(), kGrey}},
                             {.lines = {{Vec3(0.1, 0.1, 0), Vec3(0.1, 0.1, 0)}}, .colour = kGreen});
  EXPECT_GT(greenness(image.at(20, 19)), 100);
  EXPECT_LT(greenness(image.at(26, 20)), 10);
}

// A renderer keeps memory, but nothing of an earlier picture.
TEST(Render, PicturesDoNotDependOnEarlierOnes) {
  const PolygonSoup low = square(4, 0), high = square(8, 1);
  const std::vector<RenderPart> through = {{&low, Pose(), kGrey, 0, true}, {&high, Pose(), kGrey}};
  Camera small = from_above();
  small.width = 24;
  Renderer renderer;
  (void)renderer.render(from_above(), through,
                        {.lines = {{Vec3(-3, 0, 0), Vec3(3, 0, 0)}}, .colour = kGreen});
  const std::vector<RenderPart> plain = {{&low, Pose(), kGrey}};
  EXPECT_EQ(renderer.render(small, plain).pixels, render(small, plain).pixels);
}

// Squares of two triangles leave no gap along their diagonal, wherever it is seen.
TEST(Render, NoPixelsAreLeftOutBetweenTriangles) {
  const PolygonSoup plate = square(100, 0);
  Camera camera = from_above();
  for (int i = 0; i < 40; ++i) {
    camera.axes = camera_axes(Vec3(0.1 * i, 0.37, -2));
    camera.target = Vec3(0.61 * i, 0.61 * i, 0);  // on the diagonal
    const Image image = render(camera, {{&plate, Pose(), kGrey}});
    for (const Rgb& pixel : image.pixels) ASSERT_LT(pixel[0], 250) << i;
  }
}

}  // namespace
}  // namespace touche::report
