// SPDX-License-Identifier: Apache-2.0
// Worlds of objects and convex shapes, compared with queries of each pair, and of each body.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "hit_share.h"
#include "mixed_world.h"
#include "test_scale.h"
#include "touche/dynamics.h"
#include "touche/handling.h"
#include "touche/response.h"
#include "touche/shape.h"
#include "touche/step.h"

namespace touche::world_shapes_test {
namespace {

using test::random_pose;

struct MixedScene {
  World world;
  std::vector<NodeId> bodies, groups;

  explicit MixedScene(base::Random& random) {
    const Index count = 3 + random.below(16);
    const double reach = 0.42 * std::cbrt(count);
    for (int i = 0; i < 2; ++i) groups.push_back(world.add_group(random_pose(random, 0.5)));
    for (Index i = 0; i < count; ++i) {
      std::optional<NodeId> parent;
      if (random.below(2) == 0) parent = groups[random.below(2)];
      BodyOptions options;
      if (random.below(5) == 0) options.category = 2;
      if (random.below(5) == 0) options.mask = 1;
      options.fixed = random.below(4) == 0;
      bodies.push_back(
          test::add_some_body(world, random, random_pose(random, reach), options, parent));
    }
    // Along an axis and across.
    if (random.below(2) == 0)
      bodies.push_back(world.add(Shape::half_space({0, 0, 1}, -0.5 * reach), {}, {.fixed = true}));
    if (random.below(3) == 0)
      bodies.push_back(world.add(Shape::half_space(random.direction(), -0.5 * reach),
                                 random_pose(random, 0.3), {.fixed = true}));
  }
  void change(base::Random& random) {
    world.set_local_pose(groups[random.below(2)], random_pose(random, 1));
    world.set_pose(bodies[random.below(static_cast<Index>(bodies.size()))],
                   random_pose(random, 1.5));
    if (random.below(3) == 0) {
      world.remove(bodies.back());
      bodies.pop_back();
    }
    // One becomes the other.
    if (random.below(2) == 0) world.replace(bodies[0], test::some_soup(random));
    if (random.below(2) == 0) world.replace(bodies[1], test::some_shape(random, 1));
    if (random.below(2) == 0) bodies.push_back(test::add_some_body(world, random, {}));
    std::sort(bodies.begin(), bodies.end());
  }
  bool pair(NodeId a, NodeId b) const {
    const BodyOptions &x = world.options(a), &y = world.options(b);
    return !(x.fixed && y.fixed) && (x.category & y.mask) != 0 && (y.category & x.mask) != 0;
  }
};

ClosestPoint closest_of(const World& world, NodeId body, const Vec3& x, double max_distance) {
  return closest_point(world.shape(body), world.pose(body), x, max_distance);
}

using Pairs = std::vector<std::pair<NodeId, NodeId>>;

void expect_pairs(MixedScene& scene, double clearance, int threads, int& touching, int& asked) {
  World& world = scene.world;
  Pairs touch, undecided, near, found;
  for (const NodeId a : scene.bodies)
    for (const NodeId b : scene.bodies) {
      if (!(a < b) || !scene.pair(a, b)) continue;
      const Shape &shape_a = world.shape(a), &shape_b = world.shape(b);
      const auto answer = intersects(shape_a, world.pose(a), shape_b, world.pose(b));
      if (answer.intersects) touch.emplace_back(a, b);
      if (!answer.complete) undecided.emplace_back(a, b);
      if (distance(shape_a, world.pose(a), shape_b, world.pose(b)).distance.lower <= clearance)
        near.emplace_back(a, b);
      touching += answer.intersects;
      ++asked;
    }
  const TouchingPairs pairs = world.touching_pairs({.threads = threads});
  for (const TouchingPair& pair : pairs.pairs) found.emplace_back(pair.a, pair.b);
  ASSERT_EQ(found, touch);
  ASSERT_EQ(pairs.undecided, undecided);
  found.clear();
  for (const NearPair& pair : world.near_pairs(clearance, {.threads = threads}).pairs) {
    found.emplace_back(pair.a, pair.b);
    const DistanceResult alone =
        distance(world.shape(pair.a), world.pose(pair.a), world.shape(pair.b), world.pose(pair.b),
                 {.max_distance = clearance});
    EXPECT_EQ(pair.distance, alone.distance);
    ASSERT_TRUE(pair.closest && alone.closest);
    EXPECT_EQ(pair.closest->point_a, alone.closest->point_a);
    EXPECT_EQ(pair.closest->normal, alone.closest->normal);
    EXPECT_EQ(pair.closest->face_a, alone.closest->face_a);
    EXPECT_EQ(pair.closest->face_b, alone.closest->face_b);
  }
  ASSERT_EQ(found, near);
  const NodeId one = scene.bodies[scene.bodies.size() / 2];
  std::vector<NodeId> expected;
  for (const Pairs* list : {&touch, &undecided})
    for (const auto& [a, b] : *list)
      if (a == one || b == one) expected.push_back(a == one ? b : a);
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(world.touching_body(one), expected);
}

void expect_places(MixedScene& scene, base::Random& random) {
  World& world = scene.world;
  const Vec3 at = 1.5 * random.in_box(1);
  const double radius = random.uniform(0, 1);
  const Vec3 half = radius * Vec3(1, random.uniform(0, 1), 0.5);
  const Aabb box{at - half, at + half};
  const Shape ball = Shape::sphere(radius);
  const Shape block = Shape::soup(Object(scenes::box(box.lo, box.hi, 1)));
  std::vector<NodeId> in_ball, in_box;
  std::vector<std::pair<double, NodeId>> by_distance;
  for (const NodeId body : scene.bodies) {
    const bool soup = world.kind(body) == ShapeKind::soup;
    const double away = closest_of(world, body, at, kInfinity).distance;
    by_distance.emplace_back(away, body);
    if (away <= radius) in_ball.push_back(body);
    // A convex shape and a solid box: their surfaces meet, or one holds a point of the other.
    const Pose pose = world.pose(body);
    const bool meets =
        soup ? !faces_in_box(world.object(body), pose, box).empty()
             : intersects(world.shape(body), pose, block, {}).intersects ||
                   intersects(world.shape(body), pose, Shape::box(half), Pose::from_translation(at))
                       .intersects;
    if (meets) in_box.push_back(body);
  }
  ASSERT_EQ(world.touching_ball({at, radius}), in_ball);
  ASSERT_EQ(world.touching_box(box), in_box);
  const std::size_t count = random.below(5);
  std::vector<std::pair<double, NodeId>> nearest;
  for (const NearestBody& body : world.nearest(at, count, radius)) {
    nearest.emplace_back(body.closest.distance, body.body);
    EXPECT_NEAR((body.closest.point - at).norm(), body.closest.distance, 1e-8);
  }
  std::sort(by_distance.begin(), by_distance.end());
  std::erase_if(by_distance, [&](const auto& entry) { return entry.first > radius; });
  by_distance.resize(std::min(count, by_distance.size()));
  ASSERT_EQ(nearest.size(), by_distance.size());
  for (std::size_t i = 0; i < nearest.size(); ++i)
    EXPECT_NEAR(nearest[i].first, by_distance[i].first, 1e-8);
  const NodeId one = scene.bodies.front();
  EXPECT_EQ(world.closest_point(one, at).distance, closest_of(world, one, at, kInfinity).distance);
}

bool expect_rays(MixedScene& scene, const Ray& ray, std::uint32_t mask) {
  World& world = scene.world;
  std::vector<std::tuple<double, NodeId, Index, int>> all, told;
  for (const NodeId body : scene.bodies) {
    if ((world.options(body).category & mask) == 0) continue;
    if (world.kind(body) == ShapeKind::soup) {
      for (const RayHit& hit : all_ray_hits(world.object(body), world.pose(body), ray))
        all.emplace_back(hit.t, body, hit.face, -hit.side);
      continue;
    }
    const ShapeRayHits hits = ray_hits(world.shape(body), world.pose(body), ray);
    if (hits.enters) all.emplace_back(hits.enters->t, body, kNone, -1);
    if (hits.leaves) all.emplace_back(hits.leaves->t, body, kNone, 1);
  }
  std::sort(all.begin(), all.end());
  for (const BodyHit& hit : world.all_ray_hits(ray, mask)) {
    told.emplace_back(hit.hit.t, hit.body, hit.hit.face, -hit.hit.side);
    EXPECT_NEAR(hit.normal.norm(), 1, 1e-9);
  }
  EXPECT_EQ(told, all);
  const auto first = world.cast_ray(ray, mask);
  EXPECT_EQ(first.has_value(), !all.empty());
  if (!first || all.empty()) return false;
  EXPECT_EQ(first->hit.t, std::get<0>(all[0]));
  EXPECT_EQ(first->body, std::get<1>(all[0]));
  return true;
}

bool expect_segments(MixedScene& scene, const Segment& segment, std::uint32_t mask) {
  World& world = scene.world;
  std::vector<std::tuple<double, NodeId, Index, int>> all, told;
  for (const NodeId body : scene.bodies) {
    if ((world.options(body).category & mask) == 0) continue;
    for (const RayHit& hit : all_segment_hits(world.shape(body), world.pose(body), segment))
      all.emplace_back(hit.t, body, hit.face, -hit.side);
  }
  std::sort(all.begin(), all.end());
  for (const BodyHit& hit : world.all_segment_hits(segment, mask)) {
    told.emplace_back(hit.hit.t, hit.body, hit.hit.face, -hit.hit.side);
    EXPECT_NEAR(hit.normal.norm(), 1, 1e-9);
  }
  EXPECT_EQ(told, all);
  const auto first = world.cast_segment(segment, mask);
  EXPECT_EQ(first.has_value(), !all.empty());
  if (!first || all.empty()) return false;
  EXPECT_EQ(first->hit.t, std::get<0>(all[0]));
  EXPECT_EQ(first->body, std::get<1>(all[0]));
  return true;
}

TEST(WorldShapes, AnswersAsTheBodiesAlone) {
  base::Random random(21);
  int touching = 0, asked = 0, hits = 0, rays = 0;
  for (int round = 0; round < test::scaled(30, 8); ++round) {
    MixedScene scene(random);
    for (int step = 0; step < 4; ++step) {
      if (step > 0) scene.change(random);
      std::sort(scene.bodies.begin(), scene.bodies.end());
      ASSERT_EQ(scene.world.bodies(), scene.bodies);
      ASSERT_EQ(scene.world.body_count(), scene.bodies.size());
      expect_pairs(scene, random.uniform(0, 0.5), 1 + round % 2, touching, asked);
      expect_places(scene, random);
      const Vec3 eye = random.in_box(3);
      const Ray ray{eye, random.in_box(2) - eye};
      const std::uint32_t mask = round % 4 == 0 ? 2 : World::kAll;
      hits += expect_rays(scene, ray, mask);
      expect_segments(scene, {eye, random.in_box(1.4)}, mask);
      ++rays;
      if (HasFatalFailure()) return;
    }
  }
  test::expect_about_half(touching, asked);
  test::expect_about_half(hits, rays);
}

// Beyond what broad phases hold, 1e30.
TEST(WorldShapes, LengthsMayBeAsLargeAsAny) {
  World world;
  std::vector<NodeId> bodies;
  bodies.push_back(world.add(Object(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1))));
  bodies.push_back(world.add(Shape::sphere(1), Pose::from_translation({5, 0, 0})));
  bodies.push_back(world.add(Shape::box({1, 1, 1}), Pose::from_translation({-1e29, 0, 0})));
  bodies.push_back(world.add(Shape::half_space({0, 0, 1}, -5), {}, {.fixed = true}));
  for (const double clearance : {2e29, 1e30, 1e31, 1e40, kInfinity}) {
    const NearPairs near = world.near_pairs(clearance);
    EXPECT_EQ(near.pairs.size(), 6U) << clearance;
    EXPECT_TRUE(near.complete) << clearance;
  }
  // Rounding of what is far away is greater than that: its pair with the half space may be near.
  const NearPairs near = world.near_pairs(10);
  EXPECT_EQ(near.pairs.size(), 4U);
  EXPECT_EQ(std::count_if(near.pairs.begin(), near.pairs.end(),
                          [](const NearPair& pair) { return pair.distance.upper <= 10; }),
            3);

  // The ball ends at x = 0: bodies on the other side alone do not touch it, except by rounding.
  const double far = 1e31;
  std::vector<NodeId> touching = world.touching_ball({{far, 0, 0}, 1.5 * far});
  EXPECT_EQ(touching, bodies);
  touching = world.touching_ball({{far, 0, 0}, 0.5 * far});
  EXPECT_TRUE(touching == std::vector<NodeId>{bodies[3]});
  EXPECT_EQ(world.touching_box({Vec3::Constant(-far), Vec3::Constant(far)}), bodies);
  touching = world.touching_box({Vec3(-far, -far, -far), Vec3(-1e28, far, far)});
  EXPECT_TRUE((touching == std::vector<NodeId>{bodies[2], bodies[3]}));
}

// A search up to a distance finds what is at that distance: no rounding hides it.
TEST(WorldShapes, WhatIsExactlyAsNearIsFound) {
  const Object cube(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
  const std::vector<Shape> shapes = {Shape::sphere(1), Shape::box({1, 1, 1}), Shape::capsule(1, 2),
                                     Shape::cylinder(1, 2), Shape(cube)};
  for (const double gap : {0.0, 0.125, 1.0, 1024.0}) {
    for (const Shape& a : shapes)
      for (const Shape& b : shapes) {
        World world;
        const NodeId first = world.add(a),
                     second = world.add(b, Pose::from_translation({2 + gap, 0, 0}));
        const NearPairs near = world.near_pairs(gap);
        ASSERT_EQ(near.pairs.size(), 1U) << name(a.kind()) << ' ' << name(b.kind()) << ' ' << gap;
        EXPECT_LE(near.pairs[0].distance.lower, gap);
        EXPECT_TRUE(near.complete) << name(a.kind()) << ' ' << name(b.kind()) << ' ' << gap;
        EXPECT_TRUE(near.pairs[0].a == first && near.pairs[0].b == second);
        EXPECT_EQ(world.near_pairs(0.999 * gap).pairs.size(), gap == 0 ? 1U : 0U);
        const Vec3 point(-1 - gap, 0, 0);
        EXPECT_LT(world.closest_point(first, point, gap).distance, kInfinity);
        EXPECT_EQ(world.nearest(point, 5, gap).size(), 1U);
      }
  }
}

TEST(WorldShapes, SegmentsEndWhereTheyEnd) {
  World world;
  const NodeId box = world.add(Object(scenes::box({1, -1, -1}, {2, 1, 1}, 1)));
  const NodeId ball = world.add(Shape::sphere(1), Pose::from_translation({5, 0, 0}));
  const auto first = [&](const Vec3& start, const Vec3& end, std::uint32_t mask = World::kAll) {
    const std::optional<BodyHit> hit = world.cast_segment({start, end}, mask);
    return hit ? hit->body : NodeId{};
  };
  EXPECT_EQ(first({0, 0, 0}, {9, 0, 0}), box);
  EXPECT_EQ(first({0, 0, 0}, {1, 0, 0}), box);  // its end is on the face
  EXPECT_EQ(first({0, 0, 0}, {0.999, 0, 0}), NodeId{});
  EXPECT_EQ(first({9, 0, 0}, {0, 0, 0}), ball);
  EXPECT_EQ(first({9, 0, 0}, {6.01, 0, 0}), NodeId{});
  EXPECT_EQ(first({5, 0, 0}, {9, 0, 0}), ball);  // from inside
  EXPECT_EQ(first({5, 0, 0}, {5.5, 0, 0}), NodeId{});
  EXPECT_EQ(first({0, 0, 0}, {9, 0, 0}, 2), NodeId{});
  EXPECT_EQ(first({1, 0.2, 0.1}, {1, 0.2, 0.1}), box);  // a point on the face
  EXPECT_EQ(first({3, 0, 0}, {3, 0, 0}), NodeId{});
  EXPECT_EQ(world.all_segment_hits({{0, 0.3, 0.1}, {9, 0.3, 0.1}}).size(), 4U);
  EXPECT_THROW((void)world.cast_segment({{0, 0, 0}, {0, kInfinity, 0}}), InvalidInput);
  EXPECT_THROW((void)world.all_segment_hits({{1e91, 0, 0}, {0, 0, 0}}), InvalidInput);
}

TEST(WorldShapes, ContactsAndDepthAreThoseOfTheShapes) {
  World world;
  const Shape box = Shape::box({1, 1, 1}), ball = Shape::sphere(0.5);
  const Object plate(scenes::box({-3, -3, -2}, {3, 3, -1}, 1));
  const Pose aside = Pose::from_axis_angle({1, 2, 3}, 0.4, {0.1, 0.2, 1.3});
  const NodeId a = world.add(box), b = world.add(ball, aside), c = world.add(plate);
  const DepthResult deep = world.depth(a, b), alone = depth(box, {}, ball, aside);
  EXPECT_EQ(deep.depth.lower, alone.depth.lower);
  EXPECT_EQ(deep.depth.upper, alone.depth.upper);
  EXPECT_GT(deep.depth.lower, 0);
  EXPECT_LT((world.depth(b, a).direction + deep.direction).norm(), 1e-9);
  EXPECT_EQ(world.contacts(a, b).contacts.size(), contacts(box, {}, ball, aside).contacts.size());
  EXPECT_EQ(world.contacts(a, c, 0.1).contacts.size(), 4U);  // the corners of the box
  EXPECT_EQ(world.contacts(c, a, 0.1).contacts.size(), 4U);
  EXPECT_TRUE(world.contacts(b, c, 0.1).contacts.empty());
  EXPECT_THROW((void)world.depth(a, c), InvalidInput);
  EXPECT_THROW((void)world.contacts(a, b, -1), InvalidInput);
  EXPECT_THROW((void)world.contacts(a, world.add_group()), InvalidInput);
}

TEST(WorldShapes, ABodySaysWhatItIs) {
  World world;
  const Object faces(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const NodeId ball = world.add(Shape::sphere(1), {}, {}, {}, "ball");
  const NodeId box = world.add(Shape::soup(faces));  // as its object
  const NodeId group = world.add_group();
  EXPECT_EQ(world.kind(ball), ShapeKind::sphere);
  EXPECT_EQ(world.shape(ball).radius(), 1);
  EXPECT_EQ(world.kind(box), ShapeKind::soup);
  EXPECT_EQ(world.object(box).soup().face_count(), faces.soup().face_count());
  EXPECT_TRUE(world.is_body(ball));
  EXPECT_THROW(static_cast<void>(world.object(ball)), InvalidInput);
  EXPECT_EQ(&world.shape(box).object().soup(), &faces.soup());
  EXPECT_THROW(static_cast<void>(world.kind(group)), InvalidInput);
  EXPECT_THROW(world.replace(group, Shape::sphere(1)), InvalidInput);
  EXPECT_EQ(world.body_count(), 2u);
  world.replace(ball, faces);
  EXPECT_EQ(world.kind(ball), ShapeKind::soup);
  world.replace(ball, Shape::capsule(1, 1));
  EXPECT_EQ(world.kind(ball), ShapeKind::capsule);
  EXPECT_EQ(world.body_count(), 2u);
  EXPECT_EQ(world.touching_pairs().pairs.size(), 1u);
  world.remove(ball);
  EXPECT_EQ(world.body_count(), 1u);
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
}

// A pair without an answer is refused when it is added, and the world is as before.
TEST(WorldShapes, PairsWithoutAnAnswerAreRefused) {
  World world;
  const Object faces(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const Shape floor = Shape::half_space({0, 0, 1}, 0), wall = Shape::half_space({1, 0, 0}, -5);
  EXPECT_THROW(world.add(Shape::soup(faces).rounded(0.1)), InvalidInput);
  const NodeId first = world.add(floor);
  EXPECT_THROW(world.add(wall), InvalidInput);
  EXPECT_THROW(world.add(wall, {}, {.fixed = true}), InvalidInput);
  const NodeId other = world.add(wall, {}, {.category = 2, .mask = 4});
  EXPECT_THROW(world.set_options(other, {}), InvalidInput);
  EXPECT_EQ(world.options(other).category, 2u);
  world.set_options(first, {.fixed = true});
  world.set_options(other, {.fixed = true});
  EXPECT_THROW(world.set_options(first, {}), InvalidInput);
  const NodeId third = world.add(faces);
  EXPECT_THROW(world.replace(third, floor), InvalidInput);
  EXPECT_EQ(world.kind(third), ShapeKind::soup);
  EXPECT_EQ(world.body_count(), 3u);
  world.replace(first, floor);                         // it is no pair with itself
  EXPECT_EQ(world.touching_pairs().pairs.size(), 1u);  // floor and third
}

// Solid shapes are touched by what is inside of them, surfaces are not.
TEST(WorldShapes, ShapesAreSolidAndSoupsAreSurfaces) {
  World world;
  const NodeId small = world.add(Object(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1)));
  const NodeId large = world.add(Shape::box(Vec3::Constant(3)));
  EXPECT_EQ(world.touching_body(small), std::vector{large});
  world.replace(large, Object(scenes::box(Vec3::Constant(-3), Vec3::Constant(3), 1)));
  world.replace(small, Shape::sphere(1));
  EXPECT_TRUE(world.touching_body(small).empty());
  EXPECT_EQ(world.touching_ball({Vec3::Zero(), 0.1}), std::vector{small});
  EXPECT_EQ(world.nearest(Vec3::Zero(), 1).front().closest.distance, 0);
}

TEST(WorldShapes, WhoKnowsObjectsOnlySaysSo) {
  World world;
  const Object faces(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const NodeId part = world.add(faces, Pose::from_translation({5, 0, 0}));
  world.add(Shape::sphere(1));
  EXPECT_THROW(Handling(world, part, {.tolerance = 1e-3}), InvalidInput);
}

}  // namespace
}  // namespace touche::world_shapes_test
