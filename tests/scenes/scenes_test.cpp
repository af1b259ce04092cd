// SPDX-License-Identifier: Apache-2.0
// The scenes' meshes and files. scenes_truth_test.cpp tests the statements of scenes.
#include "scenes.h"

#include <gtest/gtest.h>

#include <cstring>

#include "random.h"
#include "temporary_folder.h"
#include "touche/io.h"
#include "touche/study.h"

namespace touche::scenes {
namespace {

void expect_solid(const PolygonSoup& soup, const std::string& what) {
  SCOPED_TRACE(what);
  const Health health = examine(soup);
  EXPECT_TRUE(health.closed);
  EXPECT_TRUE(health.oriented);
  EXPECT_GT(health.volume, 0) << "it faces inwards";
  EXPECT_EQ(health.zero_area_faces, 0u);
  EXPECT_EQ(health.duplicate_faces, 0u);
  EXPECT_EQ(health.duplicate_vertices, 0u);
  EXPECT_EQ(health.unused_vertices, 0u);
  EXPECT_EQ(health.non_planar_faces, 0u);
  EXPECT_EQ(health.concave_faces, 0u);
}

void expect_solid(const Scene& scene) {
  for (const ScenePart& part : scene.parts) expect_solid(part.soup, scene.title + ", " + part.name);
}

bool same(const PolygonSoup& a, const PolygonSoup& b) {
  return a.vertex_count() == b.vertex_count() && a.corner_count() == b.corner_count() &&
         std::memcmp(a.vertices().data(), b.vertices().data(), a.vertices().size_bytes()) == 0;
}

TEST(Shapes, AreSolid) {
  expect_solid(box({-1, -2, -3}, {1, 2, 3}), "box");
  expect_solid(box({-1, -2, -3}, {1, 2, 3}, 5), "divided box");
  expect_solid(cylinder(2, 3, 17), "cylinder");
  expect_solid(sphere(2, 1000), "sphere");
  expect_solid(bumpy_sphere(2000, 7), "bumpy sphere");
  expect_solid(torus(2, 0.5, 40, 20), "torus");
  expect_solid(torus_knot(2, 3, 7200), "torus knot");
  expect_solid(torus_knot(3, -5, 20000), "left-handed torus knot");
}

TEST(Shapes, HaveTheStatedSize) {
  EXPECT_EQ(sphere(1, 20000).face_count(), 20000u);
  EXPECT_EQ(bumpy_sphere(20000, 1).face_count(), 20000u);
  EXPECT_EQ(torus_knot(2, 3, 7200).face_count(), 7200u);
  EXPECT_NEAR(examine(sphere(1, 200000)).volume, 4.18879, 1e-3);
  EXPECT_NEAR(examine(torus(3, 1, 400, 200)).volume, 59.2176, 0.02);
  const PolygonSoup bumpy = bumpy_sphere(2000, 3, 0.25);  // outlives the span of its vertices
  for (const Vec3& p : bumpy.vertices()) EXPECT_NEAR(p.norm(), 1, 0.25);
}

TEST(Shapes, AreTheSameEachTime) {
  EXPECT_TRUE(same(bumpy_sphere(2000, 5), bumpy_sphere(2000, 5)));
  EXPECT_FALSE(same(bumpy_sphere(2000, 5), bumpy_sphere(2000, 6)));
  EXPECT_TRUE(same(random_soup(5), random_soup(5)));
  EXPECT_FALSE(same(random_soup(5), random_soup(6)));
  EXPECT_EQ(Random(1).next(), 0x910a2dec89025cc1u);  // SplitMix64's published sequence
}

TEST(Shapes, RandomSoupsAreConvexPolygonsOfAllSizes) {
  const PolygonSoup soup = random_soup(11, {.faces = 500, .max_corners = 7, .slivers = 0.2});
  const Health health = examine(soup);
  EXPECT_EQ(health.concave_faces, 0u);
  EXPECT_EQ(soup.face_count(), 500u);
  std::size_t seen[8] = {};
  for (Index f = 0; f < soup.face_count(); ++f) ++seen[soup.face(f).size()];
  for (std::size_t corners = 3; corners <= 7; ++corners) EXPECT_GT(seen[corners], 50u);
}

TEST(Scenes, PartsAreSolid) {
  for (const ToriPose pose : {ToriPose::touching, ToriPose::overlapping, ToriPose::interlocked})
    expect_solid(tori(pose));
  for (const BulletMotion motion : {BulletMotion::translation, BulletMotion::rotation})
    expect_solid(bullet_and_paper({.motion = motion}));
  for (const bool round : {true, false}) expect_solid(peg_in_hole({.round = round}));
}

TEST(Scenes, NutsAndBoltsOfAllSizesAreSolid) {
  for (const char* size : {"M4", "M5", "M6", "M8", "M10", "M12", "M16", "M20"})
    for (const Index segments : {24u, 96u}) {
      const Scene scene = nut_and_bolt({.size = size, .segments = segments});
      expect_solid(scene);
      const double diameter = std::stod(size + 1);
      const Aabb nut = scene.parts[1].soup.bounds();
      EXPECT_LT(nut.hi.z() - nut.lo.z(), diameter);  // a nut is a little lower than it is wide
      EXPECT_GT(nut.hi.y() - nut.lo.y(), 1.49 * diameter);
      EXPECT_LT(nut.hi.y() - nut.lo.y(), 1.76 * diameter);
    }
  EXPECT_THROW(nut_and_bolt({.size = "M7"}), InvalidInput);
  EXPECT_THROW(nut_and_bolt({.clearance = 0}), InvalidInput);
  EXPECT_THROW(nut_and_bolt({.size = "M4", .clearance = 1}), InvalidInput);
}

TEST(Scenes, HeadlampIsSolidAtAnyComplexity) {
  for (const Index triangles : {20000u, 60000u, 200000u}) {
    const Scene scene = headlamp({.triangles = triangles});
    expect_solid(scene);
    double sum = 0;
    for (const ScenePart& part : scene.parts) sum += part.soup.triangle_count();
    EXPECT_NEAR(sum, triangles, 0.1 * triangles);
  }
  EXPECT_THROW(headlamp({.triangles = 1000}), InvalidInput);
}

TEST(Scenes, AreReadBackFromTheirStudyFiles) {
  const test::TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  for (const Scene& scene : {nut_and_bolt({.size = "M4", .segments = 24}),
                             nut_and_bolt({.segments = 24, .poses_per_turn = 0}),
                             peg_in_hole({.tilt = 0.01}), headlamp({.triangles = 20000})}) {
    SCOPED_TRACE(scene.title);
    write_study(scene, folder);
    const Study study = load_study(folder / "study.json");
    EXPECT_EQ(study.title, scene.title);
    EXPECT_EQ(study.tolerance, scene.tolerance);
    EXPECT_EQ(study.clearance, scene.clearance_threshold);
    ASSERT_EQ(study.parts.size(), scene.parts.size());
    for (std::size_t i = 0; i < study.parts.size(); ++i)
      EXPECT_TRUE(same(load_soup(study.parts[i].file), scene.parts[i].soup));
    ASSERT_EQ(study.groups.size(), scene.groups.size());
    for (std::size_t i = 0; i < study.groups.size(); ++i) {
      EXPECT_EQ(study.groups[i].parts, scene.groups[i].parts);
      const Motion ours = motion_of(scene.groups[i]);
      for (const double s : {0.0, 0.1, 0.3, 0.55, 0.9, 1.0}) {
        const Pose step = relative(ours.pose(s), study.groups[i].motion.pose(s));
        EXPECT_LT(step.translation().norm(), 1e-9);
        EXPECT_LT(step.axis_angle().angle, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace touche::scenes
