// SPDX-License-Identifier: Apache-2.0
// Objects that stand on outlines, given to functions of space: together with a mesh, or if they
// leave their plane, they are rejected; otherwise the results equal the results in the plane.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "touche/overlap.h"
#include "touche/path.h"
#include "touche/plane.h"

namespace touche::flat_pair_test {
namespace {

plane::Object square(double half) {
  return plane::Object(plane::Outline(std::vector{
      plane::Chain{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}, true, ""}}));
}

Object box(double half) {
  std::vector<double> coordinates;
  for (int i = 0; i < 8; ++i)
    for (const int bit : {1, 2, 4}) coordinates.push_back((i & bit) != 0 ? half : -half);
  const std::vector<Index> corners = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                      2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  return Object(PolygonSoup(coordinates, corners, std::vector<Index>(6, 4)));
}

std::string refused(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const InvalidInput& e) {
    return e.what();
  }
  return "it was answered";
}

bool has(const std::string& text, const char* piece) {
  return text.find(piece) != std::string::npos;
}

TEST(FlatPair, OutlinesBesideMeshesAreRefused) {
  const Object flat = square(1).in_space(), solid = box(3);
  const Motion still = Motion::at({}),
               moving = Motion::interpolated({}, Pose::from_translation({5, 0, 0}));
  for (const bool swapped : {false, true}) {
    const Object &a = swapped ? solid : flat, &b = swapped ? flat : solid;
    const std::string of_path =
        refused([&] { (void)path(a, moving, b, still, {.tolerance = 1e-3}); });
    EXPECT_TRUE(has(of_path, "path:") && has(of_path, "two of one kind")) << of_path;
    const Interior in_a(a), in_b(b);
    EXPECT_TRUE(has(refused([&] { (void)overlap_thickness(in_a, {}, in_b, {}); }),
                    "overlap thickness: one object is a drawing"));
    EXPECT_TRUE(has(refused([&] { (void)containment(in_a, {}, in_b, {}); }),
                    "containment: one object is a drawing"));
  }
  EXPECT_EQ(containment(Interior(box(1)), {}, Interior(solid), {}), Containment::a_in_b);
  EXPECT_EQ(containment(Interior(flat), {}, Interior(square(3).in_space()), {}),
            Containment::a_in_b);
}

TEST(FlatPair, OutlinesStayInTheirPlane) {
  const Object a = square(1).in_space(), b = square(2).in_space();
  const Interior in_a(a), in_b(b);
  const Pose raised = Pose::from_translation({0, 0, 1e-9}),
             tilted = Pose::from_axis_angle({1, 0, 0}, 1e-6, {0, 0, 0}),
             turned = Pose::from_axis_angle({0, 0, 1}, 2, {0.1, 0, 0});
  for (const Pose& pose : {raised, tilted}) {
    EXPECT_TRUE(has(refused([&] { (void)overlap_thickness(in_a, pose, in_b, {}); }), "z = 0"));
    EXPECT_TRUE(has(refused([&] { (void)containment(in_a, {}, in_b, pose); }), "z = 0"));
    for (const Motion& motion : {Motion::at(pose), Motion::interpolated({}, pose),
                                 Motion::through(std::vector{Pose(), pose, Pose()})}) {
      EXPECT_TRUE(
          has(refused([&] { (void)path(a, motion, b, Motion::at({}), {.tolerance = 1e-3}); }),
              "z = 0"));
      EXPECT_TRUE(
          has(refused([&] { (void)path(a, Motion::at({}), b, motion, {.tolerance = 1e-3}); }),
              "z = 0"));
    }
  }
  // Half a turn about x ends in the plane, and so does a function of space, of which nobody knows.
  const Motion tumbling =
      Motion::interpolated({}, Pose::from_axis_angle({1, 0, 0}, M_PI, {0, 0, 0}));
  EXPECT_TRUE(has(refused([&] { (void)path(a, tumbling, b, Motion::at({}), {.tolerance = 1e-3}); }),
                  "z = 0"));
  const Motion unknown = Motion::function([](double) { return Pose(); }, 0, 0);
  EXPECT_TRUE(has(refused([&] { (void)path(a, unknown, b, Motion::at({}), {.tolerance = 1e-3}); }),
                  "z = 0"));
  EXPECT_EQ(containment(in_a, turned, in_b, {}), Containment::a_in_b);
}

TEST(FlatPair, MotionsOfThePlaneAreTaken) {
  const plane::Object a = square(1), b = square(1);
  const plane::Motion still = plane::Motion::at(plane::Pose(0.3, {9, 0}));
  const plane::Pose poses[] = {plane::Pose(), plane::Pose(2, {3, 1}), plane::Pose(-1, {20, 0})};
  const plane::Motion function = plane::Motion::function(
      [](double t) {
        return plane::Pose(t, {20 * t, 0});
      },
      25, 1);
  for (const plane::Motion& motion :
       {plane::Motion::interpolated(poses[0], poses[2]),
        plane::Motion::turning(poses[0], 9, {0.3, 0.4}, {20, 0}), plane::Motion::through(poses),
        function, function.reversed(), function.part(0.1, 0.9), function.reversed().part(0, 0.9),
        plane::Motion::chain(std::vector{function, function.reversed()})}) {
    EXPECT_EQ(plane::path(a, motion, b, still, {.tolerance = 1e-3}).verdict, PathVerdict::clash);
    EXPECT_EQ(plane::path(b, still, a, motion.reversed(), {.tolerance = 1e-3}).verdict,
              PathVerdict::clash);
  }
}

}  // namespace
}  // namespace touche::flat_pair_test
