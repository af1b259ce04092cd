// SPDX-License-Identifier: Apache-2.0
// An object as a shape: each query answers for it as for the object, bit by bit, and in both orders
// of the bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "shape_cases.h"
#include "shape_motions.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche::soup_shape_test {
namespace {

using test::random_pose;
using test::scaled;

// ---- results bit by bit -------------------------------------------------------------------------

auto bits(const Vec3& x) { return std::tuple(x.x(), x.y(), x.z()); }
auto bits(const Feature& f) { return std::tuple(f.kind, f.index); }
auto bits(const Bracket& b) { return std::pair(b.lower, b.upper); }
auto bits(const Contact& c) {
  return std::tuple(c.face_a, c.face_b, bits(c.feature_a), bits(c.feature_b), bits(c.point_a),
                    bits(c.point_b), bits(c.normal), c.distance);
}
auto bits(const ShapeContact& c) {
  return std::tuple(c.face_a, c.face_b, bits(c.point_a), bits(c.point_b), bits(c.normal),
                    c.distance);
}
auto bits(const ClosestPoint& c) { return std::tuple(c.face, bits(c.point), c.distance); }
auto bits(const RayHit& h) { return std::tuple(h.face, h.t, bits(h.point), h.side); }
auto bits(const IntersectsResult& r) {
  return std::tuple(r.intersects, r.complete, r.face_a, r.face_b);
}

template <class T>
auto bits(const std::vector<T>& list) {
  std::vector<decltype(bits(list[0]))> all;
  for (const T& x : list) all.push_back(bits(x));
  return all;
}
template <class T>
auto bits(const std::optional<T>& x) {
  return x ? std::optional(bits(*x)) : std::nullopt;
}
auto bits(const DistanceResult& r) {
  return std::tuple(bits(r.distance), r.complete, bits(r.closest));
}
auto bits(const ToiResult& r) {
  return std::tuple(r.status, bits(r.time), r.separated_at, r.tolerance, bits(r.contact));
}
auto bits(const NearResult& r) { return std::pair(r.complete, bits(r.contacts)); }

Contact exchanged(Contact c) {
  std::swap(c.face_a, c.face_b);
  std::swap(c.feature_a, c.feature_b);
  std::swap(c.point_a, c.point_b);
  c.normal = -c.normal;
  return c;
}
std::optional<Contact> exchanged(const std::optional<Contact>& c) {
  if (!c) return {};
  return exchanged(*c);
}

// ---- cases --------------------------------------------------------------------------------------

Object some_object(base::Random& random, int kind) {
  const double size = random.uniform(0.4, 1);
  switch (kind % 4) {
    case 0:
      return Object(scenes::box(Vec3::Constant(-size), Vec3::Constant(size), 1));
    case 1:
      return Object(scenes::bumpy_sphere(200, random.next()));
    case 2:
      return Object(scenes::random_soup(random.next(),
                                        {.faces = 20, .extent = size, .face_size = 0.5 * size}));
    default:
      return Object(scenes::sphere(size, 80));
  }
}

Motion some_way(base::Random& random, int kind) {
  return test::some_motion(random, kind, random.in_box(2), random.in_box(2));
}

TEST(SoupShape, ConvertsFromObjectsOnly) {
  static_assert(std::is_convertible_v<Object, Shape>);
  static_assert(std::is_convertible_v<const Object&, Shape>);
  static_assert(!std::is_convertible_v<PolygonSoup, Shape>);
  static_assert(!std::is_convertible_v<Shape, Object>);
}

TEST(SoupShape, IsTheObject) {
  const Object object(scenes::bumpy_sphere(100, 1));
  const Shape shape = object, spelled = Shape::soup(object);
  for (const Shape& s : {shape, spelled, shape.rounded(0)}) {
    EXPECT_EQ(s.kind(), ShapeKind::soup);
    EXPECT_FALSE(s.is_convex());
    EXPECT_FALSE(s.is_polytope());
    EXPECT_TRUE(s.corners().empty());
    EXPECT_EQ(s.radius(), 0);
    EXPECT_EQ(s.bounds().lo, object.bounds().lo);
    EXPECT_EQ(s.bounds().hi, object.bounds().hi);
    EXPECT_EQ(&s.object().soup(), &object.soup());
    EXPECT_THROW((void)s.support(Vec3::UnitX()), InvalidInput);
  }
  const Shape rounded = shape.rounded(0.25).rounded(0.25);
  EXPECT_EQ(rounded.kind(), ShapeKind::soup);
  EXPECT_FALSE(rounded.is_convex());
  EXPECT_EQ(rounded.radius(), 0.5);
  EXPECT_EQ(&rounded.object().soup(), &object.soup());
  EXPECT_LE(rounded.bounds().lo.x(), object.bounds().lo.x() - 0.5);
  EXPECT_THROW((void)Shape::sphere(1).object(), InvalidInput);
  // One that others are copied from may be gone.
  Shape kept = Shape::sphere(1);
  {
    const Shape gone = Object(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
    kept = gone;
  }
  EXPECT_EQ(kept.bounds().hi, Vec3(Vec3::Ones()));
}

TEST(SoupShape, PairsAnswerAsTheirObjects) {
  base::Random random(3101);
  int touching = 0, cases = 0;
  for (int i = 0; i < scaled(300, 60); ++i) {
    const Object a = some_object(random, i), b = some_object(random, i / 4);
    const Shape shape_a = a, shape_b = b;
    const Pose pose_a = random_pose(random, 1), pose_b = random_pose(random, 1);
    const IntersectsResult meet = intersects(a, pose_a, b, pose_b);
    EXPECT_EQ(bits(intersects(shape_a, pose_a, shape_b, pose_b)), bits(meet));
    EXPECT_EQ(bits(distance(shape_a, pose_a, shape_b, pose_b, {.max_distance = 0.5})),
              bits(distance(a, pose_a, b, pose_b, {.max_distance = 0.5})));
    touching += meet.intersects;
    ++cases;
    const Motion way_a = some_way(random, i), way_b = some_way(random, i / 8);
    const ToiOptions how{.tolerance = 1e-3, .clearance = 0.01};
    EXPECT_EQ(bits(time_of_impact(shape_a, way_a, shape_b, way_b, how)),
              bits(time_of_impact(a, way_a, b, way_b, how)));
    const NearOptions near{.max_distance = 0.1};
    EXPECT_EQ(bits(near_features(shape_a, pose_a, shape_b, pose_b, near)),
              bits(near_features(a, pose_a, b, pose_b, near)));
    // The contacts of their faces: the ones that intersect, or all within a margin.
    const auto told = [](const std::vector<Contact>& list) {
      std::vector<ShapeContact> contacts;
      for (const Contact& c : list)
        contacts.push_back({c.point_a, c.point_b, c.distance, c.normal, c.face_a, c.face_b});
      return bits(contacts);
    };
    EXPECT_EQ(bits(contacts(shape_a, pose_a, shape_b, pose_b).contacts),
              told(contacts(a, pose_a, b, pose_b).contacts));
    EXPECT_EQ(bits(contacts(shape_a, pose_a, shape_b, pose_b, 0.1).contacts),
              told(near_faces(a, pose_a, b, pose_b, {.max_distance = 0.1}).contacts));
    // The faces of one of them.
    std::vector<Index> faces;
    for (const FacePair& pair : intersecting_faces(a, pose_a, b, pose_b).pairs)
      faces.push_back(pair.b);
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    const ShapeFacesResult met = intersecting_faces(shape_a, pose_a, b, pose_b);
    EXPECT_EQ(met.faces, faces);
    EXPECT_TRUE(met.undecided.empty());
    EXPECT_TRUE(met.complete);
    EXPECT_EQ(intersecting_faces(b, pose_b, shape_a, pose_a).faces, faces);
    EXPECT_EQ(brute_force::intersecting_faces(shape_a, pose_a, b, pose_b).faces, faces);
  }
  EXPECT_GT(touching, 0.1 * cases);
  EXPECT_LT(touching, 0.95 * cases);
}

TEST(SoupShape, PointsAndRaysAreThoseOfTheObject) {
  base::Random random(3102);
  int hits = 0, cases = 0;
  for (int i = 0; i < scaled(400, 80); ++i) {
    const Object object = some_object(random, i);
    const Shape shape = object;
    const Pose pose = random_pose(random, 1);
    const Vec3 x = random.in_box(2), y = random.in_box(2);
    EXPECT_EQ(bits(closest_point(shape, pose, x)), bits(closest_point(object, pose, x)));
    EXPECT_EQ(bits(closest_point(shape, pose, x, 0.5)), bits(closest_point(object, pose, x, 0.5)));
    const Ray ray{x, y - x};
    const Segment segment{x, y};
    EXPECT_EQ(bits(cast_ray(shape, pose, ray)), bits(cast_ray(object, pose, ray)));
    EXPECT_EQ(bits(all_ray_hits(shape, pose, ray)), bits(all_ray_hits(object, pose, ray)));
    EXPECT_EQ(bits(cast_segment(shape, pose, segment)), bits(cast_segment(object, pose, segment)));
    EXPECT_EQ(bits(all_segment_hits(shape, pose, segment)),
              bits(all_segment_hits(object, pose, segment)));
    hits += cast_segment(shape, pose, segment).has_value();
    ++cases;
  }
  EXPECT_GT(hits, 0.1 * cases);
  EXPECT_LT(hits, 0.9 * cases);
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  EXPECT_EQ(mass_properties(Shape(box), 2), mass_properties(box.soup(), 2));
  EXPECT_THROW((void)mass_properties(Shape(box).rounded(0.1), 2), InvalidInput);
}

// The same answer in the other order, and without spelling the conversion.
TEST(SoupShape, MixedPairsAnswerInBothOrders) {
  base::Random random(3103);
  int touching = 0, cases = 0;
  for (int i = 0; i < scaled(400, 80); ++i) {
    const Object object = some_object(random, i);
    const Shape soup = object, shape = test::some_shape(random, i / 4 % 11);
    const Pose pose = random_pose(random, 1), pose_s = random_pose(random, 1.5);
    const IntersectsResult meet = intersects(shape, pose_s, object, pose),
                           turned = intersects(object, pose, shape, pose_s);
    EXPECT_EQ(bits(meet), bits(intersects(shape, pose_s, soup, pose)));
    EXPECT_EQ(std::tuple(meet.intersects, meet.complete, meet.face_b),
              std::tuple(turned.intersects, turned.complete, turned.face_a));
    touching += meet.intersects;
    ++cases;
    const DistanceResult gap = distance(shape, pose_s, object, pose);
    const DistanceResult gap_turned = distance(object, pose, shape, pose_s);
    EXPECT_EQ(bits(gap.distance), bits(gap_turned.distance));
    EXPECT_EQ(bits(gap.closest), bits(exchanged(gap_turned.closest)));
    const Motion way = some_way(random, i), way_s = some_way(random, i / 8);
    const ToiOptions how{.tolerance = 1e-3};
    const ToiResult impact = time_of_impact(shape, way_s, object, way, how);
    ToiResult impact_turned = time_of_impact(object, way, shape, way_s, how);
    impact_turned.contact = exchanged(impact_turned.contact);
    EXPECT_EQ(bits(impact), bits(impact_turned));
    const ShapeContactsResult where = contacts(shape, pose_s, object, pose, 0.1);
    ShapeContactsResult where_turned = contacts(object, pose, shape, pose_s, 0.1);
    for (ShapeContact& c : where_turned.contacts) {
      std::swap(c.point_a, c.point_b);
      std::swap(c.face_a, c.face_b);
      c.normal = -c.normal;
    }
    EXPECT_EQ(bits(where.contacts), bits(where_turned.contacts));
    EXPECT_EQ(intersecting_faces(shape, pose_s, object, pose).faces,
              intersecting_faces(object, pose, shape, pose_s).faces);
    // Near features are sorted by the features of a, so the lists are compared as sets.
    const auto sorted = [](const NearResult& near) {
      auto all = bits(near.contacts);
      std::sort(all.begin(), all.end());
      return all;
    };
    const NearOptions options{.max_distance = 0.1};
    NearResult near_turned = near_features(object, pose, shape, pose_s, options);
    for (Contact& c : near_turned.contacts) c = exchanged(c);
    EXPECT_EQ(sorted(near_features(shape, pose_s, object, pose, options)), sorted(near_turned));
    EXPECT_THROW((void)depth(object, pose, shape, pose_s), InvalidInput);
  }
  EXPECT_GT(touching, 0.1 * cases);
  EXPECT_LT(touching, 0.95 * cases);
}

TEST(SoupShape, NearFeaturesOfConvexShapesInBothOrders) {
  base::Random random(3104);
  int found = 0;
  for (int i = 0; i < scaled(300, 80); ++i) {
    const Shape a = test::some_shape(random, i % 11), b = test::some_shape(random, i / 11 % 11);
    const Pose pose_a = random_pose(random, 1), pose_b = random_pose(random, 1);
    const NearResult near = near_features(a, pose_a, b, pose_b, {.max_distance = 0.2});
    const NearResult turned = near_features(b, pose_b, a, pose_a, {.max_distance = 0.2});
    EXPECT_EQ(near.contacts.empty(), turned.contacts.empty());
    NearResult again;
    near_features(a, pose_a, b, pose_b, {.max_distance = 0.2}, again);
    EXPECT_EQ(bits(again), bits(near));
    found += !near.contacts.empty();
    for (const Contact& c : near.contacts) {
      EXPECT_LE(c.distance, 0.2);
      EXPECT_EQ(c.face_a, kNone);
      EXPECT_EQ(c.face_b, kNone);
    }
  }
  EXPECT_GT(found, 20);
  const Shape floor = Shape::half_space(Vec3::UnitZ(), 0);
  const Object box(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5)));
  const Pose above = Pose::from_translation({0, 0, 0.51});
  EXPECT_EQ(near_features(box, above, floor, {}, {.max_distance = 0.02}).contacts.size(), 4U);
  EXPECT_EQ(near_features(floor, {}, box, above, {.max_distance = 0.02}).contacts.size(), 4U);
  EXPECT_THROW((void)near_features(floor, {}, floor, {}, {.max_distance = 1}), InvalidInput);
  EXPECT_THROW((void)near_features(Shape(box).rounded(0.1), {}, floor, {}, {.max_distance = 1}),
               InvalidInput);
  EXPECT_THROW((void)near_features(Shape(box), {}, Shape(box), {}, {.max_distance = -1}),
               InvalidInput);
}

// Calls with two objects and `{}` for poses and options take the functions of objects.
TEST(SoupShape, ObjectsTakeTheirOwnFunctions) {
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  static_assert(std::is_same_v<decltype(contacts(box, {}, box, {})), ContactsResult>);
  static_assert(std::is_same_v<decltype(contacts(box, {}, box, {}, {})), ContactsResult>);
  static_assert(std::is_same_v<decltype(contacts(box, {}, box, {}, 0.1)), ShapeContactsResult>);
  static_assert(std::is_same_v<decltype(contacts(box, {}, Shape(box), {}, {})),  //
                               ShapeContactsResult>);
  static_assert(std::is_same_v<decltype(intersecting_faces(box, {}, box, {})), FacePairsResult>);
  static_assert(
      std::is_same_v<decltype(intersecting_faces(box, {}, Shape(box), {})), ShapeFacesResult>);
  EXPECT_TRUE(intersects(box, {}, box, {}, {}).intersects);
  EXPECT_EQ(distance(box, {}, box, {}, {}).distance.upper, 0);
  EXPECT_FALSE(
      near_features(box, {}, box, Pose::from_translation({0, 0, 1.05}), {.max_distance = 0.1})
          .contacts.empty());
}

// All points within the radius of the faces.
TEST(SoupShape, RoundedSoups) {
  const Object plate(
      PolygonSoup(std::vector<double>{-1, -1, 0, 1, -1, 0, 0, 1, 0}, std::vector<Index>{0, 1, 2}));
  const Shape thick = Shape(plate).rounded(0.25);
  const ClosestPoint above = closest_point(thick, {}, {0, 0, 1});
  EXPECT_NEAR(above.distance, 0.75, 1e-8);
  EXPECT_NEAR(above.point.z(), 0.25, 1e-8);
  EXPECT_EQ(above.face, 0U);
  EXPECT_EQ(closest_point(thick, {}, {0, 0, 0.1}).distance, 0);
  EXPECT_EQ(closest_point(thick, {}, {0, 0, 1}, 0.5).face, kNone);
  const Pose over = Pose::from_translation({0, 0, 0.6});
  EXPECT_TRUE(contacts(thick, {}, thick, over, 0.05).contacts.empty());
  const ShapeContactsResult near = contacts(thick, {}, thick, over, 0.15);
  ASSERT_EQ(near.contacts.size(), 1U);
  EXPECT_NEAR(near.contacts[0].distance, 0.1, 1e-9);
  EXPECT_NEAR(near.contacts[0].point_a.z(), 0.25, 1e-9);
  EXPECT_NEAR(near.contacts[0].point_b.z(), 0.35, 1e-9);
  EXPECT_THROW((void)intersecting_faces(thick, {}, plate, {}), InvalidInput);
  EXPECT_THROW((void)cast_segment(thick, {}, {{0, 0, 1}, {0, 0, -1}}), InvalidInput);
}

TEST(SoupShape, SegmentsMeetTheSurfaceOfConvexShapes) {
  const Shape ball = Shape::sphere(1);
  const auto t_of = [&](const Vec3& start, const Vec3& end) {
    std::vector<std::pair<double, int>> hits;
    for (const RayHit& hit : all_segment_hits(ball, {}, {start, end}))
      hits.emplace_back(std::round(1e6 * hit.t) / 1e6, hit.side);
    const std::optional<RayHit> first = cast_segment(ball, {}, {start, end});
    EXPECT_EQ(first.has_value(), !hits.empty());
    return hits;
  };
  using Hits = std::vector<std::pair<double, int>>;
  EXPECT_EQ(t_of({-2, 0, 0}, {2, 0, 0}), (Hits{{0.25, 1}, {0.75, -1}}));
  EXPECT_EQ(t_of({-2, 0, 0}, {0, 0, 0}), (Hits{{0.5, 1}}));
  EXPECT_EQ(t_of({0, 0, 0}, {2, 0, 0}), (Hits{{0.5, -1}}));
  EXPECT_EQ(t_of({-2, 0, 0}, {-1.5, 0, 0}), Hits{});
  EXPECT_EQ(t_of({0.5, 0, 0}, {-0.5, 0, 0}), Hits{});
  EXPECT_EQ(t_of({1, 0, 0}, {1, 0, 0}), Hits{});
}

}  // namespace
}  // namespace touche::soup_shape_test
