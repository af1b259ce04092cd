// SPDX-License-Identifier: Apache-2.0
// Pairs of faces and of features within a margin: closed forms, and comparison with the reference
// implementations.
#include "touche/near_faces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "counted_new.h"
#include "query/is_near.h"
#include "scenes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/simd.h"

namespace touche {
namespace {

using test::scaled;

bool same(const Contact& x, const Contact& y) {
  return x.face_a == y.face_a && x.face_b == y.face_b && x.feature_a == y.feature_a &&
         x.feature_b == y.feature_b && x.point_a == y.point_a && x.point_b == y.point_b &&
         x.normal == y.normal && x.distance == y.distance;
}

void expect_same(const NearResult& fast, const NearResult& slow) {
  ASSERT_TRUE(fast.complete && slow.complete);
  ASSERT_EQ(fast.contacts.size(), slow.contacts.size());
  for (std::size_t i = 0; i < fast.contacts.size(); ++i)
    ASSERT_TRUE(same(fast.contacts[i], slow.contacts[i])) << "contact " << i;
}

PolygonSoup rectangle(double x, double y) {
  const double c[] = {-x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0};
  const Index corners[] = {0, 1, 2, 0, 2, 3};
  return PolygonSoup(c, corners);
}

// ---- closed forms --------------------------------------------------------------------------

class BoxOnGround : public testing::TestWithParam<double> {};

TEST_P(BoxOnGround, HasItsFourLowerCorners) {
  const double height = GetParam();
  const Object ground(rectangle(10, 10)), box(scenes::box({-1, -1, 0}, {1, 1, 1}));
  // Beside the ground's diagonal, and with two corners above it.
  for (const double x : {3.0, 0.0}) {
    const NearResult r = near_features(ground, {}, box, Pose::from_translation({x, 0, height}),
                                       {.max_distance = 0.1});
    ASSERT_EQ(r.contacts.size(), 4u) << "at " << x;
    for (const Contact& c : r.contacts) {
      EXPECT_EQ(c.feature_b.kind, FeatureKind::vertex);
      EXPECT_EQ(c.normal, Vec3(0, 0, 1));
      EXPECT_NEAR(c.distance, height, 1e-15);
      EXPECT_EQ(c.distance == 0, height == 0);
      EXPECT_NEAR(std::abs(c.point_b.x() - x), 1, 1e-15);
      EXPECT_NEAR(std::abs(c.point_b.y()), 1, 1e-15);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Heights, BoxOnGround, testing::Values(0.0, 1e-12, 1e-3, 0.1));

TEST(NearFeatures, FineGroundAndFineBoxHaveNoMoreThanTheirEdgesNeed) {
  const Object ground(scenes::box({-4, -4, -1}, {4, 4, 0}, 8));
  const Object box(scenes::box({-1.1, -1.1, 0}, {1.1, 1.1, 1}, 5));
  const NearResult r =
      near_features(ground, {}, box, Pose::from_translation({0, 0, 0.01}), {.max_distance = 0.1});
  // All vertices along the four lower edges; none inside of the flat bottom.
  EXPECT_EQ(r.contacts.size(), 20u);
  for (const Contact& c : r.contacts) EXPECT_EQ(c.normal, Vec3(0, 0, 1));
}

TEST(NearFeatures, CrossedBarsHaveTheCrossingsOfTheirEdges) {
  const Object bar(scenes::box({-5, -1, -1}, {5, 1, 0}));
  const Object across(scenes::box({-1, -5, 0}, {1, 5, 1}));
  for (const double height : {0.0, 0.05}) {
    const NearResult r = near_features(bar, {}, across, Pose::from_translation({0, 0, height}),
                                       {.max_distance = 0.1});
    ASSERT_EQ(r.contacts.size(), 4u);
    for (const Contact& c : r.contacts) {
      EXPECT_EQ(c.feature_a.kind, FeatureKind::edge);
      EXPECT_EQ(c.feature_b.kind, FeatureKind::edge);
      EXPECT_EQ(c.normal, Vec3(0, 0, 1));
      EXPECT_EQ(c.distance, height);
      EXPECT_EQ(c.point_a.cwiseAbs().head<2>(), Vec3(1, 1, 0).head<2>());
    }
  }
}

// Corners on corners, edges on edges.
TEST(NearFeatures, EqualBoxesOnEachOtherTouchAtTheirCorners) {
  const Object box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  for (const double gap : {0.0, 0.01}) {
    const NearResult r =
        near_features(box, {}, box, Pose::from_translation({0, 0, 2 + gap}), {.max_distance = 0.1});
    ASSERT_EQ(r.contacts.size(), 4u) << gap;
    for (const Contact& c : r.contacts) {
      EXPECT_EQ(c.feature_a.kind, FeatureKind::vertex);
      EXPECT_EQ(c.feature_b.kind, FeatureKind::vertex);
      EXPECT_NEAR((c.normal - Vec3::UnitZ()).norm(), 0, 1e-12);
    }
  }
}

TEST(NearFeatures, PegInAHoleHasContactsAllAround) {
  const Object peg(scenes::box({-1, -1, -2}, {1, 1, 2}));
  std::vector<PolygonSoup> walls;
  for (const Vec3& side : {Vec3(2.1, 0, 0), Vec3(-2.1, 0, 0), Vec3(0, 2.1, 0), Vec3(0, -2.1, 0)}) {
    const Vec3 half = side.x() != 0 ? Vec3(1, 1.1, 1) : Vec3(3.1, 1, 1);
    walls.push_back(scenes::box(side - half, side + half));
  }
  std::vector<const PolygonSoup*> all;
  for (const PolygonSoup& wall : walls) all.push_back(&wall);
  const Object hole(merged(all));
  const NearResult r = near_features(hole, {}, peg, {}, {.max_distance = 0.11});
  Index towards[4] = {0, 0, 0, 0};
  for (const Contact& c : r.contacts) {
    EXPECT_NEAR(c.distance, 0.1, 1e-12);
    for (int k = 0; k < 2; ++k) {
      if (std::abs(c.normal[k]) > 0.999) ++towards[2 * k + (c.normal[k] > 0)];
    }
  }
  for (const Index count : towards) EXPECT_GE(count, 4u);
}

TEST(NearFeatures, PiercingEdgesAreNamed) {
  const Object ground(rectangle(10, 10)), box(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const NearResult r =
      near_features(ground, {}, box, Pose::from_translation({3, 0, 0.5}), {.max_distance = 0.1});
  ASSERT_EQ(r.contacts.size(), 4u);
  for (const Contact& c : r.contacts) {
    EXPECT_EQ(c.distance, 0);
    EXPECT_EQ(c.feature_a.kind, FeatureKind::face);
    EXPECT_EQ(c.feature_b.kind, FeatureKind::edge);
    EXPECT_EQ(c.normal, Vec3(0, 0, 1));
  }
}

// Each triangle with corners of its own, some triangles twice, some turned over, and a hole.
TEST(NearFeatures, DoNotDependOnHowASurfaceIsWritten) {
  const PolygonSoup plain = scenes::box({-1, -1, 0}, {1, 1, 1}, 3);
  std::vector<double> at;
  std::vector<Index> corners;
  const auto add = [&](const std::array<Index, 3>& triangle, bool turned) {
    for (const std::size_t k : {0u, 1u, 2u}) {
      const Vec3& v = plain.vertex(triangle[turned ? 2 - k : k]);
      corners.push_back(static_cast<Index>(at.size() / 3));
      at.insert(at.end(), v.begin(), v.end());
    }
  };
  int number = 0;
  for (const auto& triangle : plain.triangles()) {
    ++number;
    const bool on_top = plain.vertex(triangle[0]).z() + plain.vertex(triangle[1]).z() +
                            plain.vertex(triangle[2]).z() >
                        2.99;
    if (on_top && number % 2 == 0) continue;
    add(triangle, number % 3 == 0);
    if (number % 4 == 0) add(triangle, number % 8 == 0);
  }
  const Object ground(rectangle(10, 10)), box(plain), soup(PolygonSoup(at, corners));
  for (const double height : {0.0, 0.01})
    for (const double lean : {0.0, 0.01}) {
      const Pose pose = Pose::from_translation({0.3, 0.2, height + 1.5 * lean}) *
                        Pose::from_axis_angle({1, 0.3, 0}, lean, Vec3(0, 0, 0));
      const NearOptions options{.max_distance = 0.1};
      const NearResult expected = near_features(ground, {}, box, pose, options);
      const NearResult found = near_features(ground, {}, soup, pose, options);
      ASSERT_EQ(found.contacts.size(), expected.contacts.size());
      EXPECT_EQ(expected.contacts.size(), 12u);  // all vertices along the lower edges
      double lowest = 0, highest = 0, sum = 0;
      for (std::size_t i = 0; i < found.contacts.size(); ++i) {
        sum += found.contacts[i].distance - expected.contacts[i].distance;
        lowest = std::min(lowest, found.contacts[i].normal.z());
        highest = std::max(highest, found.contacts[i].normal.z());
      }
      EXPECT_NEAR(sum, 0, 1e-12);
      EXPECT_EQ(lowest, 0);
      EXPECT_EQ(highest, 1);
    }
}

// ---- reference implementations --------------------------------------------------------------

struct Case {
  const char* name;
  PolygonSoup a, b;
  double reach;  // centres are at most so far apart
  double margin;
  double nearest = 0;  // share of the reach that they are apart at least
};

PolygonSoup moved(const PolygonSoup& soup, double scale, const Vec3& by) {
  std::vector<double> at;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) at.push_back(v[k] * scale + by[k]);
  PolygonSoup result = soup;
  result.move_vertices(at);
  return result;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"boxes", scenes::box({-1, -1, -1}, {1, 1, 1}),
                 scenes::box({-1, -1, 0}, {1, 1, 0.1}, 2), 3, 0.2});
  all.push_back({"bumpy", scenes::bumpy_sphere(160, 1), scenes::bumpy_sphere(130, 2), 3.2, 0.1});
  all.push_back({"soups", scenes::random_soup(1, {.faces = 60, .slivers = 0.2}),
                 scenes::random_soup(2, {.faces = 60, .max_corners = 6, .slivers = 0.1}), 3.5,
                 0.05});
  all.push_back({"polygons", scenes::cylinder(1, 1, 12), scenes::cylinder(0.5, 2, 7), 2.6, 0.1});
  all.push_back({"far", moved(scenes::bumpy_sphere(100, 3), 1, {1e6, 0, 3e5}),
                 moved(scenes::bumpy_sphere(100, 4), 1, {1e6, 0, 3e5}), 2.4, 0.1});
  all.push_back({"tiny", moved(scenes::bumpy_sphere(100, 3), 1e-70, {0, 0, 0}),
                 moved(scenes::bumpy_sphere(100, 4), 1e-70, {0, 0, 0}), 3.2e-70, 1e-71});
  all.push_back({"huge", moved(scenes::bumpy_sphere(100, 3), 1e80, {0, 0, 0}),
                 moved(scenes::bumpy_sphere(100, 4), 1e80, {0, 0, 0}), 3.2e80, 1e79});
  all.push_back({"unlike", moved(scenes::bumpy_sphere(100, 3), 1e13, {0, 0, 0}),
                 scenes::box({-1, -1, -1}, {1, 1, 1}), 1.1e13, 1e12, 0.8});
  return all;
}

TEST(NearTwins, AgreeOnEverything) {
  std::mt19937_64 random(7);
  Workspace workspace;
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] {
    const double x = unit(random), y = unit(random), z = unit(random);
    return Vec3(x, y, z);
  };
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Object a(c.a), b(c.b);
    const Vec3 between = a.bounds().centre() - b.bounds().centre();
    int faces = 0, features = 0, none = 0;
    const int count = scaled(60, 20);
    for (int i = 0; i < count; ++i) {
      Vec3 axis = vector();
      const double angle = 3 * unit(random);
      if (i % 4 == 0) axis = Vec3(0, 0, 1);
      const Vec3 direction = vector().normalized();
      const double share = c.nearest + (1 - c.nearest) * std::abs(unit(random));
      const Pose turn = Pose::from_axis_angle(axis, i % 4 == 0 ? 0 : angle, Vec3(0, 0, 0));
      // Turn b about its own middle.
      const Vec3 middle = b.bounds().centre();
      const Pose pose_b = Pose::from_translation(middle + between + c.reach * share * direction) *
                          turn * Pose::from_translation(-middle);
      const Pose pose_a = Pose::from_axis_angle({1, 2, 3}, 0.1 * (i % 3), Vec3(0, 0, 0));
      const double margin = i % 5 == 0 ? 0 : c.margin * std::abs(unit(random));
      const NearOptions options{.max_distance = margin, .turn = i % 2 ? 0.02 : 0.2};
      const NearResult near = near_faces(a, pose_a, b, pose_b, options);
      expect_same(near, brute_force::near_faces(a, pose_a, b, pose_b, options));
      QueryStats stats;
      EXPECT_EQ(query::is_near(a, pose_a, b, pose_b, margin, {}, workspace, stats),
                near.contacts.empty() ? query::IsNear::no : query::IsNear::yes);
      const query::IsNear unasked =
          query::is_near(a, pose_a, b, pose_b, margin, {.max_work = 0}, workspace, stats);
      if (near.contacts.empty()) {
        EXPECT_NE(unasked, query::IsNear::yes);
        EXPECT_LT(query::proved_beyond(a, b, margin),
                  brute_force::distance(a, pose_a, b, pose_b).distance.upper);
      } else {
        EXPECT_EQ(unasked, query::IsNear::unknown);
      }
      const NearResult best = near_features(a, pose_a, b, pose_b, options);
      expect_same(best, brute_force::near_features(a, pose_a, b, pose_b, options));
      if (i % 10 == 0) {
        const std::vector<std::string> targets = simd_targets();
        for (const std::string& target : targets) {
          set_simd_target(target);
          expect_same(near_features(a, pose_a, b, pose_b, options), best);
        }
        set_simd_target(targets.front());
      }
      if (testing::Test::HasFatalFailure()) return;
      faces += !near.contacts.empty();
      features += !best.contacts.empty();
      none += near.contacts.empty();
    }
    EXPECT_GE(4 * faces, count);
    EXPECT_GE(4 * features, count);
    EXPECT_GE(4 * none, count);
  }
}

TEST(NearFaces, WithoutMarginAreThePairsThatIntersect) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Pose pose = Pose::from_translation({1.5, 0.1, 0.2});
  const NearResult near = near_faces(a, {}, b, pose, {.max_distance = 0});
  const ContactsResult touching = contacts(a, {}, b, pose);
  ASSERT_EQ(near.contacts.size(), touching.contacts.size());
  ASSERT_GT(near.contacts.size(), 50u);
  for (std::size_t i = 0; i < near.contacts.size(); ++i) {
    EXPECT_EQ(near.contacts[i].face_a, touching.contacts[i].face_a);
    EXPECT_EQ(near.contacts[i].face_b, touching.contacts[i].face_b);
    EXPECT_EQ(near.contacts[i].distance, 0);
  }
}

// Bounds end the question where they are farther apart than the margin, and only there.
TEST(NearFaces, BoundsThatAreFarApartAreSearchedNoFurther) {
  for (const double size : {1e-3, 1.0, 1e6}) {
    const double gap = 0.01 * size;
    const Object a(scenes::box({-size, -size, -size}, {size, size, size})), b(a.soup());
    const Pose pose = Pose::from_axis_angle(Vec3::UnitZ(), std::numbers::pi / 4,
                                            {(1 + std::numbers::sqrt2) * size + gap, 0, 0});
    const NearResult near = near_faces(a, {}, b, pose, {.max_distance = gap * (1 + 1e-8)});
    EXPECT_GE(near.contacts.size(), 1u);
    const NearResult far = near_faces(a, {}, b, pose, {.max_distance = gap * (1 - 1e-5)});
    EXPECT_TRUE(far.contacts.empty() && far.complete);
    EXPECT_EQ(far.stats.work(), 0u);
    const NearResult features = near_features(a, {}, b, pose, {.max_distance = gap * (1 - 1e-5)});
    EXPECT_TRUE(features.contacts.empty() && features.complete);
    EXPECT_EQ(features.stats.work(), 0u);
  }
}

// ---- limits --------------------------------------------------------------------------------

TEST(Near, RejectsWhatMeansNothing) {
  const Object a(scenes::box({0, 0, 0}, {1, 1, 1}));
  for (const double margin : {-1.0, std::nan("")}) {
    EXPECT_THROW((void)near_faces(a, {}, a, {}, {.max_distance = margin}), InvalidInput);
    EXPECT_THROW((void)near_features(a, {}, a, {}, {.max_distance = margin}), InvalidInput);
  }
  for (const double turn : {-0.1, 0.6, std::nan("")}) {
    EXPECT_THROW((void)near_features(a, {}, a, {}, {.turn = turn}), InvalidInput);
  }
}

TEST(Near, SaysWhenItIsNotComplete) {
  const Object a(scenes::sphere(1, 2000)), b(scenes::sphere(1.05, 2000));
  using Ask =
      NearResult (*)(const Object&, const Pose&, const Object&, const Pose&, const NearOptions&);
  for (const Ask ask : {Ask(near_faces), Ask(near_features)}) {
    const NearOptions options{.max_distance = 0.08, .turn = 0.1};
    const NearResult all = ask(a, {}, b, {}, options);
    ASSERT_TRUE(all.complete);
    ASSERT_GT(all.contacts.size(), 50u);
    NearOptions few = options;
    few.max_contacts = 7;
    EXPECT_FALSE(ask(a, {}, b, {}, few).complete);
    EXPECT_EQ(ask(a, {}, b, {}, few).contacts.size(), 7u);
    few.max_contacts = all.contacts.size();
    EXPECT_TRUE(ask(a, {}, b, {}, few).complete);
    NearOptions little = options;
    little.budget.max_work = 20;
    const NearResult some = ask(a, {}, b, {}, little);
    EXPECT_FALSE(some.complete);
    EXPECT_LT(some.contacts.size(), all.contacts.size());
  }
}

TEST(Near, AllocatesNothingInSteadyState) {
  const Object a(scenes::sphere(1, 2000)), b(scenes::sphere(1.05, 2000));
  Workspace workspace;
  NearResult result;
  const NearOptions options{.max_distance = 0.08, .turn = 0.1, .workspace = &workspace};
  const auto ask = [&] {
    near_faces(a, {}, b, {}, options, result);
    EXPECT_GT(result.contacts.size(), 50u);
    near_features(a, {}, b, {}, options, result);
    EXPECT_GT(result.contacts.size(), 50u);
  };
  ask();
  const std::size_t before = test::allocations;
  ask();
  EXPECT_EQ(test::allocations - before, 0u);
}

}  // namespace
}  // namespace touche
