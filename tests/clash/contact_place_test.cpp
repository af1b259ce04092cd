// SPDX-License-Identifier: Apache-2.0
// What pictures mark: the outline of an overlap, and the regions that are near, with known lengths
// and areas. Faces may be slivers across a whole part; of these only the region of contact counts.
#include "clash/contact_place.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shapes.h"

namespace touche::clash {
namespace {

double length_of(const ContactPlace& place) {
  double length = 0;
  for (const auto& [p, q] : place.lines) length += (q - p).norm();
  return length;
}

double area_of(const ContactPlace& place) {
  double area = 0;
  for (const auto& [p, q, r] : place.regions) area += 0.5 * (q - p).cross(r - p).norm();
  return area;
}

Pose at(double x, double y, double z) { return Pose::from_translation({x, y, z}); }

Object box(const Vec3& lo, const Vec3& hi) { return Object(scenes::box(lo, hi)); }

/// The top of a plate 200 wide, z = 0, as a mesher leaves a plane with a round hole far from the
/// middle: slivers from the points of the hole to the corners.
Object fan_plate() {
  constexpr int kAround = 64;
  std::vector<double> coordinates = {-100, -100, 0, 100, -100, 0, 100, 100, 0, -100, 100, 0};
  std::vector<Index> corners;
  for (int i = 0; i < kAround; ++i) {
    const double angle = 2 * std::numbers::pi * i / kAround;
    for (const double x : {90 + 3 * std::cos(angle), 90 + 3 * std::sin(angle), 0.0})
      coordinates.push_back(x);
  }
  const auto add = [&](int a, int b, int c) {
    for (const int v : {a, b, c}) corners.push_back(static_cast<Index>(v));
  };
  // Each eighth to half of the circle belongs to the corner that it faces.
  const auto facing = [](int i) { return i < 16 ? 2 : i < 32 ? 3 : i < 48 ? 0 : 1; };
  for (int i = 0; i < kAround; ++i) {
    const int next = (i + 1) % kAround;
    add(4 + i, facing(i), 4 + next);
    if (facing(next) != facing(i)) add(4 + next, facing(i), facing(next));
  }
  return Object(PolygonSoup(coordinates, corners));
}

TEST(ContactPlace, AnOverlapIsMarkedByItsOutline) {
  const Object cube = box({0, 0, 0}, {1, 1, 1});
  const Pose turned = Pose::from_axis_angle({1, 2, 3}, 0.7, {5, -3, 2});
  for (const Pose& pose : {Pose(), turned}) {
    const Pose moved = pose * at(0.5, 0.6, 0.7);
    const ContactPlace place = where_they_meet({cube, pose}, {cube, moved});
    // The overlap has sides of 0.5, 0.4 and 0.3; six of its edges are where faces cross.
    EXPECT_NEAR(length_of(place), 2 * (0.5 + 0.4 + 0.3), 1e-9);
    EXPECT_TRUE(place.regions.empty());
    for (const auto& [p, q] : place.lines)
      for (const Vec3& x : {p, q})
        for (const Pose& of : {pose, moved}) {
          const Vec3 local = of.inverse() * x;
          EXPECT_GT(local.minCoeff(), -1e-9);
          EXPECT_LT(local.maxCoeff(), 1 + 1e-9);
        }
  }
}

TEST(ContactPlace, TheOutlineIsThatOfTheOverlapWhateverTheTriangles) {
  const Object plate = fan_plate(), peg(scenes::cylinder(2, 6, 32));
  // Through slivers that are a hundred times longer than the peg is wide.
  for (const auto& [x, y] : {std::pair(20.0, 30.0), {-50.0, 10.0}, {84.0, 90.0}}) {
    const ContactPlace place = where_they_meet({plate, Pose()}, {peg, at(x, y, -3)});
    EXPECT_NEAR(length_of(place), 64 * 2 * std::sin(std::numbers::pi / 32), 1e-6);
    EXPECT_LT((place.box.lo - Vec3(x - 2, y - 2, 0)).norm(), 1e-2);
    EXPECT_LT((place.box.hi - Vec3(x + 2, y + 2, 0)).norm(), 1e-2);
  }
}

TEST(ContactPlace, CoplanarFacesAreMarkedWhereTheyOverlap) {
  const Object a = box({0, 0, 0}, {4, 4, 1}), b = box({3, 3, -1}, {6, 6, 0});
  for (const bool swapped : {false, true}) {
    const PlacedObject first{swapped ? b : a, Pose()}, second{swapped ? a : b, Pose()};
    const ContactPlace place = where_they_meet(first, second);
    EXPECT_NEAR(area_of(place), 1, 1e-5);
    EXPECT_NEAR(place.box.lo.x(), 3, 1e-5);
    EXPECT_NEAR(place.box.hi.x(), 4, 1e-5);
  }
}

TEST(ContactPlace, PartsThatTouchAreMarkedWhereBothAre) {
  const Object plate = fan_plate(), block = box({0, 0, 0}, {10, 10, 5});
  // On the plate, up to what a file's precision makes of it.
  for (const double height : {0.0, 1e-6, -1e-6})
    for (const bool swapped : {false, true}) {
      const Pose pose = at(-37, 12, height);
      const PlacedObject a{plate, Pose()}, b{block, pose};
      const ContactPlace place =
          swapped ? where_they_are_near(b, a, 1e-4, 0.05) : where_they_are_near(a, b, 1e-4, 0.05);
      EXPECT_NEAR(area_of(place), 2 * 100, 0.1) << height;  // of either surface
      EXPECT_LT((place.box.lo - Vec3(-37, 12, 0)).norm(), 1e-3);
      EXPECT_LT((place.box.hi - Vec3(-27, 22, 0)).norm(), 1e-3);
    }
}

TEST(ContactPlace, NearPartsAreMarkedWithinTheClearance) {
  const double radius = 10, gap = 0.5, reach = 2;
  const Object plate = fan_plate(), ball(scenes::sphere(radius, 5000));
  const ContactPlace place =
      where_they_are_near({plate, Pose()}, {ball, at(-20, 5, radius + gap)}, reach, 0.1);
  // A disc of the plate and a cap of the ball.
  const double across =
      std::sqrt((radius + reach) * (radius + reach) - (radius + gap) * (radius + gap));
  const double disc = std::numbers::pi * across * across;
  const double cap = 2 * std::numbers::pi * radius * (reach - gap);
  EXPECT_NEAR(area_of(place), disc + cap, 0.05 * (disc + cap));
  EXPECT_NEAR(place.box.lo.x(), -20 - across, 0.3);
  EXPECT_NEAR(place.box.hi.x(), -20 + across, 0.3);
  EXPECT_NEAR(place.box.hi.z(), reach, 0.3);
}

// A line of contact has no area, and is marked all the same.
TEST(ContactPlace, NarrowContactsAreLines) {
  const Object plate = fan_plate(), rod(scenes::cylinder(2, 30, 8));
  const Pose lying = Pose::from_axis_angle({0, 1, 0}, std::numbers::pi / 2, {-15, 0, 2});
  const ContactPlace place = where_they_are_near({plate, Pose()}, {rod, lying}, 1e-5, 0.05);
  EXPECT_FALSE(place.lines.empty());
  EXPECT_NEAR(place.box.hi.x() - place.box.lo.x(), 30, 1e-3);
  EXPECT_LT(place.box.hi.y() - place.box.lo.y(), 0.1);
}

TEST(ContactPlace, NothingNearIsNothingMarked) {
  const Object cube = box({0, 0, 0}, {1, 1, 1});
  for (const double detail : {0.001, 1.0}) {
    const ContactPlace place = where_they_are_near({cube, Pose()}, {cube, at(3, 0, 0)}, 1, detail);
    EXPECT_TRUE(place.lines.empty() && place.regions.empty() && place.box.empty());
  }
}

}  // namespace
}  // namespace touche::clash
