// SPDX-License-Identifier: Apache-2.0
// Refitted objects answer as brute force and as objects built anew, however the vertices moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "deforming_scenes.h"
#include "hit_share.h"
#include "moved_vertices.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"

namespace touche {
namespace {

using scenes::Random;
using test::coordinates_of;
using test::expect_same_bits;
using test::moved;
using test::randomly_moved;
using test::rebuilt;

void expect_same_contacts(const ContactsResult& x, const ContactsResult& y) {
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    EXPECT_EQ(x.contacts[i].face_a, y.contacts[i].face_a);
    EXPECT_EQ(x.contacts[i].face_b, y.contacts[i].face_b);
  }
}

/// Compares all static queries of the refitted object with its reference implementation and with a
/// rebuilt object. Returns whether they touch.
bool expect_same_answers(const Object& a, const Object& b, const Pose& pose,
                         bool many_ties = false) {
  const Object fresh = rebuilt(a);
  const bool expected = brute_force::intersects(a, Pose(), b, pose).intersects;
  EXPECT_EQ(intersects(a, Pose(), b, pose).intersects, expected);
  EXPECT_EQ(intersects(b, pose, a, Pose()).intersects, expected);
  const ContactsResult touching = contacts(a, Pose(), b, pose);
  expect_same_contacts(touching, brute_force::contacts(a, Pose(), b, pose));
  expect_same_contacts(touching, contacts(fresh, Pose(), b, pose));
  EXPECT_EQ(intersecting_faces(a, Pose(), b, pose).pairs,
            intersecting_faces(fresh, Pose(), b, pose).pairs);
  const double apart = distance(a, Pose(), b, pose).distance.upper;
  // Not all of many equally near pairs are measured: then the last bits may differ.
  const double rounding = many_ties ? 5e-13 * (a.bounds().diagonal() + b.bounds().diagonal()) : 0;
  EXPECT_NEAR(apart, brute_force::distance(a, Pose(), b, pose).distance.upper, rounding);
  EXPECT_NEAR(apart, distance(fresh, Pose(), b, pose).distance.upper, rounding);
  EXPECT_EQ(apart == 0, expected);
  return expected;
}

struct RefitCase {
  const char* name;
  std::function<PolygonSoup(std::uint64_t seed)> make;
  double jitter;
  double spread;  // of the random poses, chosen so that about half of them touch
  double reach;   // how near motions come, chosen likewise
};

void PrintTo(const RefitCase& c, std::ostream* out) { *out << c.name; }

const RefitCase kCases[] = {
    {"few_faces",
     [](std::uint64_t s) { return scenes::random_soup(s, {.faces = 5, .face_size = 1}); }, 0.3, 1.9,
     2.7},
    {"soup", [](std::uint64_t s) { return scenes::random_soup(s, {.faces = 100}); }, 0.5, 2.6, 3.1},
    {"needles",
     [](std::uint64_t s) {
       return scenes::random_soup(s, {.faces = 100, .face_size = 1, .slivers = 1});
     },
     0.0, 3.1, 4.2},
    {"polygons",
     [](std::uint64_t s) {
       return scenes::random_soup(s, {.faces = 40, .face_size = 0.3, .max_corners = 8});
     },
     0.1, 2.3, 2.5},
    {"bumpy_sphere", [](std::uint64_t s) { return scenes::bumpy_sphere(150, s); }, 0.02, 2.3, 2.7},
    {"knot", [](std::uint64_t) { return scenes::torus_knot(2, 3, 150); }, 0.01, 2.4, 2.9},
    {"box", [](std::uint64_t) { return scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 1), 3); }, 0.1, 3.2,
     3.6},
};

Pose random_pose(base::Random& random, double spread) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(spread));
}

class MovedVertices : public testing::TestWithParam<RefitCase> {};

TEST_P(MovedVertices, ChangeNoAnswer) {
  const RefitCase& c = GetParam();
  base::Random random(21);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(60, 8); ++round) {
    SCOPED_TRACE(round);
    Object a(c.make(static_cast<std::uint64_t>(2 * round)), "a");
    const Object b(c.make(static_cast<std::uint64_t>(2 * round + 1)), "b");
    a.refit(randomly_moved(a.soup(), random, c.jitter));
    a.refit(randomly_moved(a.soup(), random, c.jitter));
    a.validate();
    hits += expect_same_answers(a, b, random_pose(random, c.spread));
    ++total;
  }
  RecordProperty("hits", hits);
  test::expect_about_half(hits, total);
}

// Each bracket's promise is checked pair by pair: free before, no farther than the tolerance after.
TEST_P(MovedVertices, KeepTheTimeOfImpactProved) {
  const RefitCase& c = GetParam();
  constexpr double kTolerance = 1e-6;
  base::Random random(22);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(60, 8); ++round) {
    SCOPED_TRACE(round);
    Object a(c.make(static_cast<std::uint64_t>(2 * round)), "a");
    const Object b(c.make(static_cast<std::uint64_t>(2 * round + 1)), "b");
    a.refit(randomly_moved(a.soup(), random, c.jitter));
    const Pose start = Pose::from_translation(6 * random.direction()) * random_pose(random, 0.0);
    const Pose end =
        Pose::from_translation(c.reach * random.direction()) * random_pose(random, 0.0);
    const Motion still = Motion::at(Pose()), motion = Motion::interpolated(start, end);
    const ToiResult r = time_of_impact(a, still, b, motion, {.tolerance = kTolerance});
    const ToiResult fresh = time_of_impact(rebuilt(a), still, b, motion, {.tolerance = kTolerance});
    EXPECT_EQ(r.status, fresh.status);
    if (round % 30 == 0) {  // it takes seconds
      const ToiResult slow =
          brute_force::time_of_impact(a, still, b, motion, {.tolerance = kTolerance});
      EXPECT_EQ(r.status, slow.status);
      EXPECT_NEAR(r.time.lower, slow.time.lower, 1e-3);
    }
    if (r.status == ToiStatus::contact) {
      EXPECT_LE(brute_force::distance(a, Pose(), b, motion.pose(r.time.upper)).distance.upper,
                r.tolerance * (1 + 1e-6));
      EXPECT_LE(r.time.lower, r.time.upper);
      EXPECT_NEAR(r.time.lower, fresh.time.lower, 1e-3);
      ++hits;
    }
    ++total;
    for (const double share : {0.0, 0.5, 0.9, 0.999}) {
      const double t = share * std::min(1.0, r.time.lower);
      EXPECT_FALSE(brute_force::intersects(a, Pose(), b, motion.pose(t)).intersects) << t;
    }
  }
  RecordProperty("hits", hits);
  test::expect_about_half(hits, total);
}

INSTANTIATE_TEST_SUITE_P(Refit, MovedVertices, testing::ValuesIn(kCases),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(Refit, ExtremeDeformations) {
  const auto to = [](double x, double y, double z) { return Vec3(x, y, z); };
  const std::pair<const char*, std::function<Vec3(const Vec3&)>> all[] = {
      {"plane", [&](const Vec3& v) { return to(v.x(), v.y(), 0); }},
      {"tilted plane", [&](const Vec3& v) { return to(v.x(), v.y(), v.x() / 3 + v.y() / 7); }},
      {"line", [&](const Vec3& v) { return to(v.x(), 0, 0); }},
      {"point", [&](const Vec3&) { return to(0.25, -0.5, 0.125); }},
      {"large", [](const Vec3& v) { return Vec3(1e6 * v); }},
      {"tiny", [](const Vec3& v) { return Vec3(1e-6 * v); }},
      {"largest", [](const Vec3& v) { return Vec3(5e89 * v); }},
      {"smallest", [](const Vec3& v) { return Vec3(1e-88 * v); }},
      {"far away", [&](const Vec3& v) { return Vec3(v + to(1e6, -2e6, 3e6)); }},
      {"stretched", [&](const Vec3& v) { return to(1e6 * v.x(), v.y(), 1e-6 * v.z()); }},
      {"burst", [](const Vec3& v) { return Vec3(v * std::pow(1e6, v.x())); }},
      {"inside out", [](const Vec3& v) { return Vec3(-v); }},
  };
  const std::pair<const char*, PolygonSoup> shapes[] = {
      {"sphere", scenes::bumpy_sphere(80, 4)},
      {"soup", scenes::random_soup(5, {.faces = 40, .max_corners = 6, .slivers = 0.3})}};
  for (const auto& [shape, soup] : shapes) {
    const Object before(soup, shape);
    for (const auto& [name, move] : all) {
      SCOPED_TRACE(std::string(shape) + ", " + name);
      const Object after = before.refitted(moved(soup, move));
      after.validate();
      EXPECT_TRUE(std::isfinite(after.area_ratio()));
      const double size = std::max(after.bounds().diagonal(), 1e-60);
      // A copy of itself, at the same pose and shifted slightly, and another shape of its size.
      EXPECT_TRUE(expect_same_answers(after, after, Pose(), true));
      expect_same_answers(after, after, Pose::from_translation(0.4 * size * Vec3(1, 0.1, 0.02)),
                          true);
      const Object other = Object(scenes::bumpy_sphere(80, 6))
                               .refitted(moved(scenes::bumpy_sphere(80, 6), [&](const Vec3& v) {
                                 return Vec3(after.bounds().centre() + 0.3 * size * v);
                               }));
      expect_same_answers(after, other, Pose(), true);
      // Nothing is lost by refitting back and forth.
      expect_same_bits(after.refitted(coordinates_of(soup)), before);
    }
  }
}

TEST(Refit, SomeFacesCollapse) {
  base::Random random(23);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(60, 8); ++round) {
    Object a(scenes::bumpy_sphere(200, 1));
    const Object b(scenes::bumpy_sphere(200, 2));
    // A third of the vertices coincide at two positions.
    a.refit(moved(a.soup(), [&](const Vec3& v) {
      const Index to = random.below(6);
      return to == 0 ? Vec3(1.2, 0, 0) : to == 1 ? Vec3(-1, -1, 0.5) : v;
    }));
    EXPECT_GT(examine(a.soup()).zero_area_faces, 0u);
    a.validate();
    hits += expect_same_answers(a, b, random_pose(random, 2.0));
    ++total;
  }
  test::expect_about_half(hits, total);
}

void expect_scene(const scenes::DeformingScene& scene, int steps) {
  SCOPED_TRACE(scene.title);
  Object part(scene.rest);
  const Object obstacle(scene.obstacle);
  EXPECT_EQ(scene.vertices(0), coordinates_of(scene.rest));
  EXPECT_EQ(scene.vertices(0.3), scene.vertices(0.3));
  int hits = 0;
  for (int i = 0; i <= steps; ++i) {
    part.refit(scene.vertices(static_cast<double>(i) / steps));
    part.validate();
    EXPECT_EQ(examine(part.soup()).zero_area_faces, 0u);
    EXPECT_FALSE(part.needs_rebuild()) << i << ": " << part.area_ratio();
    hits += expect_same_answers(part, obstacle, Pose());
  }
  EXPECT_FALSE(intersects(Object(scene.rest), Pose(), obstacle, Pose()));
  EXPECT_GT(hits, 0);
  EXPECT_LT(hits, steps);
}

TEST(DeformingScenes, ClothAndBallTouchAndPart) {
  expect_scene(scenes::cloth_and_ball(400), 16);
  EXPECT_NEAR(scenes::cloth_and_ball(20000).rest.triangle_count(), 20000, 1000);
}

TEST(DeformingScenes, HoseAndHousingTouchAndPart) {
  expect_scene(scenes::hose_and_housing(200), 4);
  const Health hose = examine(scenes::hose_and_housing(5000).rest);
  EXPECT_TRUE(hose.closed);
  EXPECT_TRUE(hose.oriented);
  EXPECT_GT(hose.volume, 0);
  EXPECT_NEAR(scenes::hose_and_housing(20000).rest.triangle_count(), 20000, 1000);
}

}  // namespace
}  // namespace touche
