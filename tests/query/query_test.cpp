// SPDX-License-Identifier: Apache-2.0
// Every fast query against its brute-force reference implementation, on soups of many sizes, shapes
// and positions.
#include <gtest/gtest.h>

#include <functional>

#include "bvh/bvh.h"
#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/simd.h"
#include "touche/touche.h"

namespace touche::query_test {
namespace {

using scenes::Random;

Pose random_pose(base::Random& random, double spread) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(spread));
}

PolygonSoup transformed(const PolygonSoup& soup, double scale, const Vec3& offset) {
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) coordinates.push_back(v[k] * scale + offset[k]);
  for (Index f = 0; f < soup.face_count(); ++f) {
    sizes.push_back(static_cast<Index>(soup.face(f).size()));
    for (const Index v : soup.face(f)) corners.push_back(v);
  }
  return PolygonSoup(coordinates, corners, sizes);
}

struct Case {
  const char* name;
  std::function<PolygonSoup(std::uint64_t seed)> make;
  double spread;  // of the random poses, chosen so that about half of them touch
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"sparse_soup", [](std::uint64_t s) { return scenes::random_soup(s, {.faces = 60}); }, 1.85},
    {"needles",
     [](std::uint64_t s) {
       return scenes::random_soup(s, {.faces = 250, .face_size = 1, .slivers = 1});
     },
     0.9},
    {"polygons",
     [](std::uint64_t s) {
       return scenes::random_soup(s, {.faces = 40, .face_size = 0.3, .max_corners = 8});
     },
     2.3},
    {"few_faces",
     [](std::uint64_t s) { return scenes::random_soup(s, {.faces = 3, .face_size = 1}); }, 1.25},
    {"bumpy_sphere", [](std::uint64_t s) { return scenes::bumpy_sphere(400, s); }, 2.0},
    {"knot", [](std::uint64_t) { return scenes::torus_knot(2, 3, 600); }, 2.2},
    {"box", [](std::uint64_t) { return scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 1)); }, 3.1},
};

// Both sorted; `x` from contacts and from intersecting_faces.
void expect_same_faces(const ContactsResult& x, const FacePairsResult& pairs,
                       const ContactsResult& y) {
  std::vector<FacePair> expected;
  for (const Contact& c : y.contacts) expected.push_back({c.face_a, c.face_b});
  EXPECT_EQ(pairs.pairs, expected);
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    EXPECT_EQ(x.contacts[i].face_a, y.contacts[i].face_a);
    EXPECT_EQ(x.contacts[i].face_b, y.contacts[i].face_b);
  }
}

// Faces that coincide up to rounding: the test of the boxes around both must leave them to the
// exact tests.
TEST(Query, BoxesThatJustTouch) {
  const Object box(scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1)));
  base::Random random(21);
  int hits = 0;
  for (int round = 0; round < 200; ++round) {
    const Pose both = random_pose(random, round % 2 == 0 ? 1 : 1e6);
    Vec3 shift = random.in_box(0.9);
    shift[random.below(3)] = random.below(2) == 0 ? 1 : -1;
    const Pose pose = both * Pose::from_translation(shift);
    const bool expected = brute_force::intersects(box, both, box, pose).intersects;
    hits += expected;
    EXPECT_EQ(intersects(box, both, box, pose).intersects, expected) << round;
    EXPECT_EQ(intersecting_faces(box, both, box, pose).pairs.empty(), !expected) << round;
    const DistanceResult d = distance(box, both, box, pose);
    EXPECT_EQ(d.distance.upper == 0, expected) << round;
  }
  test::expect_about_half(hits, 200);
}

class RandomSoups : public testing::TestWithParam<Case> {};

TEST_P(RandomSoups, AgreeWithBruteForce) {
  const Case& c = GetParam();
  int hits = 0, total = 0;
  base::Random random(11);
  for (int round = 0; round < test::scaled(60, 5); ++round) {
    const auto seed = static_cast<std::uint64_t>(round);
    const Object a(c.make(2 * seed), "a"), b(c.make(2 * seed + 1), "b");
    a.validate();
    const Pose pose_a = random_pose(random, 5);
    const Pose pose_b = pose_a * random_pose(random, c.spread);
    const bool expected = brute_force::intersects(a, pose_a, b, pose_b).intersects;
    ++total;
    hits += expected;
    EXPECT_EQ(intersects(a, pose_a, b, pose_b).intersects, expected) << round;
    expect_same_faces(contacts(a, pose_a, b, pose_b), intersecting_faces(a, pose_a, b, pose_b),
                      brute_force::contacts(a, pose_a, b, pose_b));
    const DistanceResult d = distance(a, pose_a, b, pose_b);
    const DistanceResult slow = brute_force::distance(a, pose_a, b, pose_b);
    EXPECT_EQ(d.distance.upper, slow.distance.upper) << round;
    EXPECT_EQ(d.distance.upper == 0, expected);
    ASSERT_TRUE(d.closest);
    EXPECT_NEAR((d.closest->point_b - d.closest->point_a).norm(), d.distance.upper, 1e-13);
    EXPECT_NEAR(d.closest->normal.norm(), 1, 1e-12);
  }
  test::expect_about_half(hits, total);
}

INSTANTIATE_TEST_SUITE_P(Query, RandomSoups, testing::ValuesIn(kCases),
                         [](const auto& made) { return std::string(made.param.name); });

TEST(Query, AnyScaleAndOffset) {
  base::Random random(12);
  int hits = 0, total = 0;
  for (const double scale : {1e-12, 1e-6, 1.0, 1e6, 1e30})
    for (const double offset : {0.0, 1.0, 1e6})
      for (int round = 0; round < test::scaled(8, 1); ++round) {
        const auto seed = static_cast<std::uint64_t>(round);
        const Vec3 away = offset * scale * random.direction();
        const Object a(transformed(scenes::bumpy_sphere(200, seed), scale, away));
        const Object b(transformed(scenes::bumpy_sphere(300, seed + 50), scale, -away));
        a.validate();
        // Bring b's far-away coordinates near a's.
        const Pose turn =
            Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), Vec3::Zero());
        const Pose pose_b = Pose::from_translation(away + scale * random.in_box(1.75)) * turn *
                            Pose::from_translation(away);
        const bool expected = brute_force::intersects(a, Pose(), b, pose_b).intersects;
        ++total;
        hits += expected;
        EXPECT_EQ(intersects(a, Pose(), b, pose_b).intersects, expected);
        expect_same_faces(contacts(a, Pose(), b, pose_b), intersecting_faces(a, Pose(), b, pose_b),
                          brute_force::contacts(a, Pose(), b, pose_b));
        EXPECT_EQ(distance(a, Pose(), b, pose_b).distance.upper,
                  brute_force::distance(a, Pose(), b, pose_b).distance.upper);
      }
  test::expect_about_half(hits, total);
}

TEST(Query, ObjectsOfVeryDifferentSize) {
  base::Random random(13);
  for (const double ratio : {1e-3, 1e-9, 1e-13, 1e-20})
    for (int round = 0; round < test::scaled(10, 2); ++round) {
      const Object a(scenes::bumpy_sphere(500, 1));
      const Object b(transformed(scenes::bumpy_sphere(100, 2), ratio, Vec3::Zero()));
      // On a vertex of a, or next to it by the small object's size.
      const Vec3 spot = a.soup().vertex(random.below(a.soup().vertex_count()));
      const Pose pose = Pose::from_translation(spot + (round % 2) * 3 * ratio * random.direction());
      EXPECT_EQ(intersects(a, Pose(), b, pose).intersects,
                brute_force::intersects(a, Pose(), b, pose).intersects);
      EXPECT_EQ(intersects(b, pose, a, Pose()).intersects,
                brute_force::intersects(b, pose, a, Pose()).intersects);
      EXPECT_EQ(distance(a, Pose(), b, pose).distance.upper,
                brute_force::distance(a, Pose(), b, pose).distance.upper);
      // Single precision spans a ratio of 2^40.
      const std::uint64_t brute_force = ratio < 1e-12 ? 1 : 0;
      EXPECT_EQ(distance(a, Pose(), b, pose).stats.brute_force, brute_force);
      EXPECT_EQ(contacts(a, Pose(), b, pose).stats.brute_force, brute_force);
      if (round % 2 == 0) {
        EXPECT_EQ(intersects(a, Pose(), b, pose).stats.brute_force, brute_force);
      }
    }
}

TEST(Query, TouchingCounts) {
  const Object a(scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1))),
      b(scenes::box(Vec3(1, 0, 0), Vec3(2, 1, 1)));
  EXPECT_TRUE(intersects(a, Pose(), b, Pose()));
  EXPECT_EQ(distance(a, Pose(), b, Pose()).distance.upper, 0);
  const Pose gap = Pose::from_translation(Vec3(1e-15, 0, 0));
  EXPECT_FALSE(intersects(a, Pose(), b, gap));
  EXPECT_GT(distance(a, Pose(), b, gap).distance.upper, 0);
  // Corner on corner.
  EXPECT_TRUE(intersects(a, Pose(), b, Pose::from_translation(Vec3(0, 1, 1))));
  // A closed surface inside another does not touch it.
  const Object inner(scenes::box(Vec3(0.25, 0.25, 0.25), Vec3(0.75, 0.75, 0.75)));
  EXPECT_FALSE(intersects(a, Pose(), inner, Pose()));
  EXPECT_EQ(distance(a, Pose(), inner, Pose()).distance.upper, 0.25);
}

TEST(Query, ContactsStopAtTheMaximum) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Pose pose = Pose::from_translation(Vec3(1, 0.2, 0.1));
  const ContactsResult all = contacts(a, Pose(), b, pose);
  ASSERT_GT(all.contacts.size(), 20u);
  EXPECT_TRUE(all.complete);
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{1}, std::size_t{7}, all.contacts.size() - 1}) {
    const ContactsResult some = contacts(a, Pose(), b, pose, {.max_contacts = n});
    EXPECT_EQ(some.contacts.size(), n);
    EXPECT_FALSE(some.complete);
  }
  EXPECT_TRUE(contacts(a, Pose(), b, pose, {.max_contacts = all.contacts.size()}).complete);
}

TEST(Query, SwappingAndMovingBothChangesNothing) {
  base::Random random(15);
  for (int round = 0; round < 40; ++round) {
    const Object a(scenes::bumpy_sphere(500, 3)), b(scenes::torus_knot(2, 3, 500));
    const Pose pose = random_pose(random, 2), both = random_pose(random, 10);
    const DistanceResult d = distance(a, Pose(), b, pose);
    EXPECT_NEAR(distance(b, pose, a, Pose()).distance.upper, d.distance.upper, 1e-13);
    EXPECT_NEAR(distance(a, both, b, both * pose).distance.upper, d.distance.upper, 1e-13);
    EXPECT_EQ(contacts(a, Pose(), b, pose).contacts.size(),
              contacts(b, pose, a, Pose()).contacts.size());
  }
}

// The same bits for every instruction set, and for any number of threads that build.
TEST(Query, SimdTargetsAndThreadsGiveTheSameBits) {
  const std::vector<std::string> targets = simd_targets();
  EXPECT_GE(targets.size(), 1u);
  std::vector<double> first;
  for (const std::string& target : targets)
    for (const int threads : {1, 2, 0}) {
      set_simd_target(target);
      const Object a(scenes::bumpy_sphere(20000, 3), "a", {.threads = threads});
      const Object b(scenes::torus_knot(2, 3, 5000), "b", {.threads = threads});
      std::vector<double> values;
      base::Random random(16);
      for (int round = 0; round < 20; ++round) {
        const Pose pose = random_pose(random, 1.7), end = random_pose(random, 1.7);
        const IntersectsResult i = intersects(a, Pose(), b, pose);
        const ContactsResult c = contacts(a, Pose(), b, pose);
        const DistanceResult d = distance(a, Pose(), b, pose);
        const ToiResult t = time_of_impact(a, Motion::at(Pose()), b,
                                           Motion::interpolated(pose, end), {.tolerance = 1e-6});
        for (const QueryStats& s : {i.stats, c.stats, d.stats, t.stats})
          for (const std::uint64_t n :
               {s.node_pairs, s.volume_tests, s.primitive_tests, s.exact_tests})
            values.push_back(static_cast<double>(n));
        values.insert(values.end(), {static_cast<double>(i.face_a), static_cast<double>(i.face_b),
                                     d.distance.upper, t.time.lower, t.time.upper});
        for (const Contact& contact : c.contacts)
          values.insert(values.end(), {static_cast<double>(contact.face_a), contact.point_a.x(),
                                       contact.normal.z()});
      }
      if (first.empty()) first = values;
      EXPECT_EQ(values, first) << target << " with " << threads << " threads";
    }
  set_simd_target(targets.front());
  EXPECT_THROW(set_simd_target("abacus"), InvalidInput);
}

}  // namespace
}  // namespace touche::query_test
