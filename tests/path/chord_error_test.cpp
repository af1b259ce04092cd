// SPDX-License-Identifier: Apache-2.0
// How far the faces of a mesh are from the curved surface they stand for, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh_builder.h"
#include "motion_kinds.h"
#include "shapes.h"
#include "touche/path.h"

namespace touche::chord_error_test {
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
  // The facets of a ball: the chord error equals the depth of the deepest facet up to a factor.
  const PolygonSoup ball = scenes::sphere(2, 2000);
  double deepest = 0;
  for (const auto& t : ball.triangles()) {
    const Vec3 middle = (ball.vertex(t[0]) + ball.vertex(t[1]) + ball.vertex(t[2])) / 3;
    deepest = std::max(deepest, 2 - middle.norm());
  }
  EXPECT_GT(chord_error(ball), 0.8 * deepest);
  EXPECT_LT(chord_error(ball), 2 * deepest);
}

// A block with one long edge rounded by `strips` chords, as quadrangles or triangles.
PolygonSoup rounded_block(double wall, double radius, Index strips, bool triangles) {
  std::vector<scenes::Vec2> outline = {{0, wall}, {0, 0}, {wall, 0}};
  for (Index i = 0; i <= strips; ++i) {
    const double angle = 0.5 * kPi * i / strips;
    outline.emplace_back(wall - radius + radius * std::cos(angle),
                         wall - radius + radius * std::sin(angle));
  }
  scenes::MeshBuilder mesh;
  const auto n = static_cast<Index>(outline.size());
  const auto ring = [&](double z) {
    return mesh.ring(n, [&](Index i) { return Vec3(outline[i].x(), outline[i].y(), z); });
  };
  const scenes::Ring below = ring(0), above = ring(wall);
  mesh.cap_below(below);
  mesh.cap(above);
  if (triangles) {
    mesh.strip(below, above);
  } else {
    for (Index i = 0; i < n; ++i)
      mesh.face({below[i], below[(i + 1) % n], above[(i + 1) % n], above[i]});
  }
  return mesh.soup();
}

// Walls beside a fillet are flat; the strips of the fillet are off as chords are.
TEST(ChordError, WallsBesideAFilletAreNotOffByTheirOwnWidth) {
  constexpr double kWall = 100, kRadius = 2;
  for (const bool triangles : {false, true})
    for (const Index strips : {4u, 8u, 32u}) {
      const PolygonSoup block = rounded_block(kWall, kRadius, strips, triangles);
      const double truth = kRadius * (1 - std::cos(kPi / (4 * strips)));
      const std::vector<double> found = chord_errors(block);
      double walls = 0, fillet = 0;
      for (Index f = 0; f < block.face_count(); ++f) {
        bool in_fillet = true;
        for (const Index v : block.face(f))
          in_fillet = in_fillet && block.vertex(v).head<2>().minCoeff() > kWall - 1.01 * kRadius;
        double& most = in_fillet ? fillet : walls;
        most = std::max(most, found[f]);
      }
      EXPECT_LE(walls, 1.02 * truth) << strips;
      EXPECT_NEAR(fillet, truth, 0.03 * truth) << strips;
    }
}

// A cylinder with a short lead-in of 15 degrees, which is meant, at both ends.
TEST(ChordError, ALongCylinderIsNotOffByItsLengthBesideALeadIn) {
  const double slope = std::tan(kPi / 12);
  const scenes::Vec2 profile[] = {{0, 0},  {5 - slope, 0},  {5, 1},
                                  {5, 59}, {5 - slope, 60}, {0, 60}};
  scenes::MeshBuilder mesh;
  mesh.lathe(profile, 64);
  const double truth = 5 * (1 - std::cos(kPi / 64));
  EXPECT_GT(chord_error(mesh.soup()), 0.98 * truth);
  EXPECT_LT(chord_error(mesh.soup()), truth + 2 * kPi / 12 / 8 * 1.01 * 1.04);  // as the lead-in
}

}  // namespace
}  // namespace touche::chord_error_test
