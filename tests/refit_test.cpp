// SPDX-License-Identifier: Apache-2.0
// Refitted objects answer as brute force and as objects built anew, however the vertices moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "bvh/bvh.h"
#include "deforming_scenes.h"
#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/touche.h"

namespace touche {
namespace {

using scenes::Random;
using Coordinates = std::vector<double>;

Coordinates coordinates_of(const PolygonSoup& soup) {
  Coordinates all;
  for (const Vec3& v : soup.vertices()) all.insert(all.end(), v.begin(), v.end());
  return all;
}

Coordinates moved(const PolygonSoup& soup, const std::function<Vec3(const Vec3&)>& move) {
  Coordinates all;
  for (const Vec3& v : soup.vertices()) {
    const Vec3 p = move(v);
    all.insert(all.end(), p.begin(), p.end());
  }
  return all;
}

Object rebuilt(const Object& object) { return Object(object.soup(), object.name()); }

/// A smooth wave through the whole shape, and each vertex a little elsewhere.
Coordinates randomly_moved(const PolygonSoup& soup, Random& random, double jitter) {
  const Vec3 wave = 3 * random.direction(), by = 0.5 * random.direction();
  const double phase = random.uniform(-3, 3);
  return moved(soup, [&](const Vec3& v) {
    return Vec3(v + std::sin(wave.dot(v) + phase) * by + random.in_box(jitter));
  });
}

/// Bit by bit: frames, boxes, corners, and who is whose child.
void expect_same_bits(const Object& x, const Object& y) {
  const Bvh &a = x.bvh(), &b = y.bvh();
  ASSERT_EQ(a.node_count(), b.node_count());
  ASSERT_EQ(a.leaf_count(), b.leaf_count());
  EXPECT_EQ(a.centre(), b.centre());
  EXPECT_EQ(a.scale(), b.scale());
  for (NodeRef n = 0; n < static_cast<NodeRef>(a.node_count()); ++n) {
    const BvhNode &p = a.node(n), &q = b.node(n);
    EXPECT_EQ(std::memcmp(&p.bounds, &q.bounds, sizeof(Bounds)), 0);
    EXPECT_EQ(std::memcmp(&p.children, &q.children, sizeof(Boxes8)), 0);
    EXPECT_TRUE(std::equal(p.child, p.child + p.count, q.child, q.child + q.count));
  }
  for (NodeRef n = 0; n < static_cast<NodeRef>(a.leaf_count()); ++n) {
    const BvhLeaf &p = a.leaf(~n), &q = b.leaf(~n);
    EXPECT_EQ(std::memcmp(&p.bounds, &q.bounds, sizeof(Bounds)), 0);
    EXPECT_EQ(std::memcmp(&p.corner, &q.corner, sizeof p.corner), 0);
    EXPECT_TRUE(std::equal(p.triangle, p.triangle + p.count, q.triangle, q.triangle + q.count));
  }
}

void expect_same_contacts(const ContactsResult& x, const ContactsResult& y) {
  ASSERT_EQ(x.contacts.size(), y.contacts.size());
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    EXPECT_EQ(x.contacts[i].face_a, y.contacts[i].face_a);
    EXPECT_EQ(x.contacts[i].face_b, y.contacts[i].face_b);
  }
}

/// Asks all static questions about the refitted object, its slow twin and one built anew. Whether
/// they touch.
bool expect_same_answers(const Object& a, const Object& b, const Pose& pose) {
  const Object fresh = rebuilt(a);
  const bool expected = brute_force::intersects(a, Pose(), b, pose).intersects;
  EXPECT_EQ(intersects(a, Pose(), b, pose).intersects, expected);
  EXPECT_EQ(intersects(b, pose, a, Pose()).intersects, expected);
  const ContactsResult touching = contacts(a, Pose(), b, pose);
  expect_same_contacts(touching, brute_force::contacts(a, Pose(), b, pose));
  expect_same_contacts(touching, contacts(fresh, Pose(), b, pose));
  EXPECT_EQ(intersecting_faces(a, Pose(), b, pose).pairs,
            intersecting_faces(fresh, Pose(), b, pose).pairs);
  const double apart = distance(a, Pose(), b, pose).distance;
  EXPECT_EQ(apart, brute_force::distance(a, Pose(), b, pose).distance);
  EXPECT_EQ(apart, distance(fresh, Pose(), b, pose).distance);
  EXPECT_EQ(apart == 0, expected);
  return expected;
}

struct Case {
  const char* name;
  std::function<PolygonSoup(std::uint64_t seed)> make;
  double jitter;
  double spread;  // of the random poses, chosen so that about half of them touch
  double reach;   // how near motions come, chosen likewise
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
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
    {"bumpy_sphere", [](std::uint64_t s) { return scenes::bumpy_sphere(300, s); }, 0.02, 2.3, 2.7},
    {"knot", [](std::uint64_t) { return scenes::torus_knot(2, 3, 300); }, 0.01, 2.4, 2.9},
    {"box", [](std::uint64_t) { return scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 1), 3); }, 0.1, 3.2,
     3.6},
};

Pose random_pose(Random& random, double spread) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(spread));
}

class MovedVertices : public testing::TestWithParam<Case> {};

TEST_P(MovedVertices, ChangeNoAnswer) {
  const Case& c = GetParam();
  Random random(21);
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

// What a bracket promises is checked pair by pair: free before, no farther than the tolerance
// after.
TEST_P(MovedVertices, KeepTheTimeOfImpactProved) {
  const Case& c = GetParam();
  constexpr double kTolerance = 1e-6;
  Random random(22);
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
      EXPECT_NEAR(r.free_until, slow.free_until, 1e-3);
    }
    if (r.status == ToiStatus::contact) {
      EXPECT_LE(brute_force::distance(a, Pose(), b, motion.pose(r.touched_at)).distance,
                r.tolerance * (1 + 1e-6));
      EXPECT_LE(r.free_until, r.touched_at);
      EXPECT_NEAR(r.free_until, fresh.free_until, 1e-3);
      ++hits;
    }
    ++total;
    for (const double share : {0.0, 0.5, 0.9, 0.999}) {
      const double t = share * std::min(1.0, r.free_until);
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
      {"sphere", scenes::bumpy_sphere(300, 4)},
      {"soup", scenes::random_soup(5, {.faces = 60, .max_corners = 6, .slivers = 0.3})}};
  for (const auto& [shape, soup] : shapes) {
    const Object before(soup, shape);
    for (const auto& [name, move] : all) {
      SCOPED_TRACE(std::string(shape) + ", " + name);
      const Object after = before.refitted(moved(soup, move));
      after.validate();
      EXPECT_TRUE(std::isfinite(after.looseness()));
      const double size = std::max(after.bounds().diagonal(), 1e-60);
      // A copy of itself, at the same place and a little beside it, and another shape of its size.
      EXPECT_TRUE(expect_same_answers(after, after, Pose()));
      expect_same_answers(after, after, Pose::from_translation(0.4 * size * Vec3(1, 0.1, 0.02)));
      const Object other = Object(scenes::bumpy_sphere(100, 6))
                               .refitted(moved(scenes::bumpy_sphere(100, 6), [&](const Vec3& v) {
                                 return Vec3(after.bounds().centre() + 0.3 * size * v);
                               }));
      expect_same_answers(after, other, Pose());
      // Nothing is lost on the way.
      expect_same_bits(after.refitted(coordinates_of(soup)), before);
    }
  }
}

TEST(Refit, SomeFacesCollapse) {
  Random random(23);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(60, 8); ++round) {
    Object a(scenes::bumpy_sphere(400, 1));
    const Object b(scenes::bumpy_sphere(400, 2));
    // A third of the vertices falls on two places.
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

TEST(Refit, ThreadsAndHistoryDoNotMatter) {
  const PolygonSoup soup = scenes::bumpy_sphere(60000, 3);
  Random random(24);
  const Coordinates wild = randomly_moved(soup, random, 1), end = randomly_moved(soup, random, 0.1);
  const Object before(soup);
  const Object one = before.refitted(end, {.threads = 1});
  for (const int threads : {2, 0}) {
    Object other = before.refitted(wild, {.threads = threads});
    other.refit(end, {.threads = threads});
    expect_same_bits(one, other);
    EXPECT_EQ(one.looseness(), other.looseness());
  }
  expect_same_bits(before.refitted(coordinates_of(soup)), before);
}

TEST(Refit, CopiesKeepTheirVertices) {
  const PolygonSoup soup = scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1), 4);
  const Coordinates away = moved(soup, [](const Vec3& v) { return Vec3(v + Vec3(5, 0, 0)); });
  Object object(soup, "box");
  const Object copy = object, other = object.refitted(away);
  EXPECT_EQ(object.bounds().hi.x(), 1);
  EXPECT_EQ(other.bounds().hi.x(), 6);
  EXPECT_EQ(other.name(), "box");
  object.refit(away);
  EXPECT_EQ(object.bounds().lo.x(), 5);
  EXPECT_EQ(copy.bounds().lo.x(), 0);
  copy.validate();
  expect_same_bits(object, other);
  // Alone again, it is changed where it is.
  const PolygonSoup* const place = &object.soup();
  object.refit(coordinates_of(soup));
  EXPECT_EQ(&object.soup(), place);
  EXPECT_EQ(object.bounds().lo.x(), 0);
  // Its own vertices are as good as any.
  object.refit({object.soup().vertices().front().data(), 3 * object.soup().vertices().size()});
  expect_same_bits(object, copy);
}

TEST(Refit, KeepsFacesAndTheirTriangles) {
  // Folded along a diagonal; a new object might cut it along the other one.
  const PolygonSoup flat(Coordinates{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
                         std::vector<Index>{0, 1, 2, 3}, std::vector<Index>{4});
  const Object folded = Object(flat).refitted(Coordinates{0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0});
  EXPECT_EQ(folded.soup().face_count(), 1u);
  EXPECT_TRUE(std::equal(flat.triangles().begin(), flat.triangles().end(),
                         folded.soup().triangles().begin(), folded.soup().triangles().end()));
  EXPECT_EQ(folded.bounds().hi.z(), 1);
  const PolygonSoup ball = scenes::sphere(1, 200);
  const Object large =
      Object(ball).refitted(moved(ball, [](const Vec3& v) { return Vec3(2 * v); }));
  for (Index c = 0; c < ball.corner_count(); ++c) EXPECT_EQ(large.soup().twin(c), ball.twin(c));
}

TEST(Refit, BadInputChangesNothing) {
  const PolygonSoup soup = scenes::sphere(1, 200);
  Object object(soup), before = object.refitted(coordinates_of(soup));
  const Coordinates good = moved(soup, [](const Vec3& v) { return Vec3(3 * v); });
  const auto expect_refused = [&](const Coordinates& bad, const std::string& says) {
    const auto check = [&](const std::function<void()>& work) {
      try {
        work();
        ADD_FAILURE() << "not refused: " << says;
      } catch (const InvalidInput& error) {
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
      }
    };
    check([&] { object.refit(bad); });
    check([&] { object.refitted(bad); });
    object.validate();
    expect_same_bits(object, before);
  };
  for (const double number : {std::nan(""), kInfinity, -kInfinity, 1.1e90}) {
    Coordinates bad = good;
    bad[3 * 17 + 1] = number;
    expect_refused(bad, std::string("vertex 17: coordinate y is ") +
                            (std::isfinite(number) ? "larger than 1e90" : "not finite"));
  }
  Coordinates bad = good;
  bad.pop_back();
  expect_refused(bad, std::to_string(bad.size()) + " numbers are not three for each of " +
                          std::to_string(soup.vertex_count()) + " vertices");
  expect_refused({}, "0 numbers");
  bad = good;
  bad.insert(bad.end(), {0, 0, 0});
  expect_refused(bad, std::to_string(bad.size()) + " numbers");
}

TEST(Refit, LoosenessTellsWhenToRebuild) {
  const PolygonSoup soup = scenes::bumpy_sphere(20000, 5);
  Object object(soup);
  EXPECT_EQ(object.looseness(), 1);
  const Pose turn = Pose::from_axis_angle(Vec3(1, 2, 3).normalized(), 1, Vec3(4, 5, 6));
  object.refit(moved(soup, [&](const Vec3& v) { return Vec3(1e3 * (turn * v)); }));
  EXPECT_NEAR(object.looseness(), 1, 0.02);
  EXPECT_FALSE(object.needs_rebuild());

  // All triangles change places with others: nothing of the old order is of use.
  std::vector<Index> order(soup.triangle_count());
  std::iota(order.begin(), order.end(), Index{0});
  Random random(25);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<Index>(i))]);
  Coordinates loose, shuffled;
  std::vector<Index> corners;
  for (const Index t : order)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &from = soup.vertex(soup.triangle(static_cast<Index>(corners.size() / 3))[k]),
                 &to = soup.vertex(soup.triangle(t)[k]);
      loose.insert(loose.end(), from.begin(), from.end());
      shuffled.insert(shuffled.end(), to.begin(), to.end());
      corners.push_back(static_cast<Index>(corners.size()));
    }
  const Object mixed = Object(PolygonSoup(loose, corners)).refitted(shuffled);
  EXPECT_TRUE(mixed.needs_rebuild());
  const Object anew = rebuilt(mixed);
  EXPECT_FALSE(anew.needs_rebuild());
  const Object still(soup);
  const Pose beside = Pose::from_translation(Vec3(1.7, 0.1, 0.2));
  EXPECT_GT(intersecting_faces(mixed, Pose(), still, beside).stats.node_pairs,
            2 * intersecting_faces(anew, Pose(), still, beside).stats.node_pairs);
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
    EXPECT_FALSE(part.needs_rebuild()) << i << ": " << part.looseness();
    hits += expect_same_answers(part, obstacle, Pose());
  }
  EXPECT_FALSE(intersects(Object(scene.rest), Pose(), obstacle, Pose()));
  EXPECT_GT(hits, 0);
  EXPECT_LT(hits, steps);
}

TEST(DeformingScenes, TouchAndPart) {
  expect_scene(scenes::cloth_and_ball(800), 16);
  expect_scene(scenes::hose_and_housing(200), 4);
  const Health hose = examine(scenes::hose_and_housing(5000).rest);
  EXPECT_TRUE(hose.closed);
  EXPECT_TRUE(hose.oriented);
  EXPECT_GT(hose.volume, 0);
  EXPECT_NEAR(scenes::hose_and_housing(20000).rest.triangle_count(), 20000, 1000);
  EXPECT_NEAR(scenes::cloth_and_ball(20000).rest.triangle_count(), 20000, 1000);
}

}  // namespace
}  // namespace touche
