// SPDX-License-Identifier: Apache-2.0
// Worlds compared with queries of each pair, and scene graphs with products of all poses up to the
// root.
#include "touche/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hit_share.h"
#include "random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::world_test {
namespace {

using scenes::Random;

Pose some_pose(base::Random& random, double reach) {
  return Pose::from_axis_angle(random.direction(), random.uniform(0, 3), reach * random.in_box(1));
}

double difference(const Pose& a, const Pose& b) {
  double most = (a.translation() - b.translation()).norm();
  for (int k = 0; k < 3; ++k)
    most = std::max(most, (a.rotate(Vec3::Unit(k)) - b.rotate(Vec3::Unit(k))).norm());
  return most;
}

Object some_object(base::Random& random, int round) {
  const double size = random.uniform(0.3, 1.2);
  if (round % 2 == 0) return Object(scenes::box(Vec3::Constant(-size), Vec3::Constant(size), 1));
  PolygonSoup sphere = scenes::bumpy_sphere(60, static_cast<std::uint64_t>(round));
  return Object(std::move(sphere));
}

// ---- handles and the scene graph ----------------------------------------------------------------

TEST(World, StaleHandlesAreErrors) {
  World world;
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  EXPECT_FALSE(world.has({}));
  EXPECT_THROW(static_cast<void>(world.pose({})), InvalidInput);
  const NodeId first = world.add(box, {}, {}, {}, "first");
  EXPECT_EQ(world.name(first), "first");
  world.remove(first);
  const NodeId second = world.add(box);
  EXPECT_EQ(second.index, first.index);
  EXPECT_NE(second, first);
  EXPECT_TRUE(world.has(second));
  EXPECT_FALSE(world.has(first));
  EXPECT_THROW(static_cast<void>(world.pose(first)), InvalidInput);
  EXPECT_THROW(world.set_pose(first, {}), InvalidInput);
  EXPECT_THROW(world.remove(first), InvalidInput);
  EXPECT_THROW(world.attach(second, first), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.add(box, {}, {}, first)), InvalidInput);
  EXPECT_THROW(world.replace(first, box), InvalidInput);
  EXPECT_EQ(world.body_count(), 1u);
}

TEST(World, GroupsAreNoBodies) {
  World world;
  const NodeId group = world.add_group({}, {}, "group");
  EXPECT_FALSE(world.is_body(group));
  EXPECT_THROW(static_cast<void>(world.object(group)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.options(group)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.touching_body(group)), InvalidInput);
  EXPECT_TRUE(world.bodies().empty());
}

TEST(World, RemovingAGroupRemovesWhatHangsOnIt) {
  World world;
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const NodeId group = world.add_group(), inner = world.add_group({}, group);
  const NodeId inside = world.add(box, {}, {}, inner), outside = world.add(box);
  EXPECT_EQ(world.touching_pairs().pairs.size(), 1u);
  world.remove(group);
  EXPECT_FALSE(world.has(inner));
  EXPECT_FALSE(world.has(inside));
  EXPECT_TRUE(world.has(outside));
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
  EXPECT_EQ(world.bodies(), std::vector{outside});
}

TEST(World, NothingHangsOnItself) {
  World world;
  const NodeId a = world.add_group(), b = world.add_group({}, a), c = world.add_group({}, b);
  EXPECT_THROW(world.attach(a, a), InvalidInput);
  EXPECT_THROW(world.attach(a, c), InvalidInput);
  EXPECT_EQ(world.parent(c), b);
  EXPECT_EQ(world.children(a), std::vector{b});
  world.attach(c, a);
  world.attach(b, c);
  EXPECT_EQ(world.parent(b), c);
  world.detach(b);
  EXPECT_EQ(world.parent(b), std::nullopt);
}

// Any sequence of moves, attachments and removals against a model that keeps local poses only.
TEST(World, PosesAreProductsOnTheWayUp) {
  base::Random random(1);
  for (int round = 0; round < test::scaled(40, 8); ++round) {
    World world;
    struct Model {
      Pose local;
      std::optional<NodeId> parent;
    };
    std::map<NodeId, Model> model;
    const auto world_pose = [&](NodeId node) {
      Pose pose;
      for (std::optional<NodeId> i = node; i; i = model[*i].parent) pose = model[*i].local * pose;
      return pose;
    };
    const auto any = [&] {
      return std::next(model.begin(),
                       static_cast<std::ptrdiff_t>(random.below(static_cast<Index>(model.size()))))
          ->first;
    };
    for (int step = 0; step < 150; ++step) {
      const double what = random.uniform();
      const Pose pose = some_pose(random, 5);
      if (model.size() < 2 || what < 0.25) {
        std::optional<NodeId> parent;
        if (!model.empty() && random.uniform() < 0.7) parent = any();
        model[world.add_group(pose, parent)] = {pose, parent};
      } else if (what < 0.4) {
        const NodeId node = any();
        world.set_local_pose(node, pose);
        model[node].local = pose;
      } else if (what < 0.55) {
        const NodeId node = any();
        world.set_pose(node, pose);
        const auto parent = model[node].parent;
        model[node].local = parent ? relative(world_pose(*parent), pose) : pose;
      } else if (what < 0.75) {
        const NodeId node = any(), parent = any();
        bool cycle = false;
        for (std::optional<NodeId> i = parent; i; i = model[*i].parent) cycle |= *i == node;
        const Keep keep = random.uniform() < 0.5 ? Keep::world_pose : Keep::local_pose;
        if (cycle) {
          ASSERT_THROW(world.attach(node, parent, keep), InvalidInput);
        } else {
          const Pose before = world_pose(node);
          world.attach(node, parent, keep);
          model[node].parent = parent;
          if (keep == Keep::world_pose) model[node].local = relative(world_pose(parent), before);
        }
      } else if (what < 0.85) {
        const NodeId node = any();
        const Pose before = world_pose(node);
        world.detach(node);
        model[node] = {before, {}};
      } else if (what < 0.9) {
        const NodeId node = any();
        world.remove(node);
        std::erase_if(model, [&](const auto& entry) { return !world.has(entry.first); });
        for (const auto& [id, entry] : model)
          ASSERT_TRUE(!entry.parent || world.has(*entry.parent));
      }
      if (model.empty() || random.uniform() < 0.5) continue;  // several changes before a look
      const NodeId node = any();
      ASSERT_LT(difference(world.pose(node), world_pose(node)), 1e-11);
      ASSERT_EQ(world.parent(node), model[node].parent);
    }
    for (const auto& [node, entry] : model)
      ASSERT_LT(difference(world.pose(node), world_pose(node)), 1e-11);
  }
}

// ---- questions ----------------------------------------------------------------------------------

// A world of bodies in groups, and what each question should answer, from the bodies alone.
struct Scene {
  World world;
  std::vector<NodeId> bodies, groups;

  Scene(base::Random& random, int round) {
    const int count = 2 + static_cast<int>(random.below(25));
    const double reach = 1.1 * std::cbrt(count);
    const Object shared = some_object(random, round);
    for (int i = 0; i < 3; ++i)
      groups.push_back(world.add_group(some_pose(random, 1),
                                       i > 0 ? std::optional(groups.back()) : std::nullopt));
    for (int i = 0; i < count; ++i) {
      std::optional<NodeId> parent;
      if (random.uniform() < 0.5) parent = groups[random.below(3)];
      BodyOptions options;
      if (random.uniform() < 0.2) options.category = 2;
      if (random.uniform() < 0.2) options.mask = 1;
      options.fixed = random.uniform() < 0.3;
      bodies.push_back(world.add(i % 3 == 0 ? shared : some_object(random, round + i),
                                 some_pose(random, reach), options, parent));
    }
  }
  void change(base::Random& random) {
    world.set_local_pose(groups[random.below(3)], some_pose(random, 1));
    world.set_pose(bodies[random.below(static_cast<Index>(bodies.size()))], some_pose(random, 2));
    if (random.uniform() < 0.3 && bodies.size() > 2) {
      world.remove(bodies.back());
      bodies.pop_back();
    }
    if (random.uniform() < 0.3) world.replace(bodies[0], some_object(random, 1));
    if (random.uniform() < 0.3) bodies.push_back(world.add(some_object(random, 2)));
    std::sort(bodies.begin(), bodies.end());
  }
  bool pair(NodeId a, NodeId b) const {
    const BodyOptions &x = world.options(a), &y = world.options(b);
    return !(x.fixed && y.fixed) && (x.category & y.mask) != 0 && (y.category & x.mask) != 0;
  }
};

TEST(World, AnswersAsTheBodiesAlone) {
  base::Random random(2);
  int touching = 0, asked = 0, hits = 0, rays = 0;
  for (int round = 0; round < test::scaled(40, 8); ++round) {
    Scene scene(random, round);
    World& world = scene.world;
    for (int step = 0; step < 4; ++step) {
      if (step > 0) scene.change(random);
      std::sort(scene.bodies.begin(), scene.bodies.end());
      ASSERT_EQ(world.bodies(), scene.bodies);

      const double clearance = random.uniform(0, 1);
      std::vector<std::pair<NodeId, NodeId>> touch, near, found;
      for (const NodeId a : scene.bodies)
        for (const NodeId b : scene.bodies) {
          if (!(a < b) || !scene.pair(a, b)) continue;
          const bool hit =
              intersects(world.object(a), world.pose(a), world.object(b), world.pose(b)).intersects;
          if (hit) touch.emplace_back(a, b);
          if (distance(world.object(a), world.pose(a), world.object(b), world.pose(b))
                  .distance.lower <= clearance)
            near.emplace_back(a, b);
          touching += hit;
          ++asked;
        }
      const TouchingPairs pairs = world.touching_pairs({.threads = 1 + round % 2});
      for (const TouchingPair& pair : pairs.pairs) found.emplace_back(pair.a, pair.b);
      ASSERT_EQ(found, touch);
      ASSERT_TRUE(pairs.undecided.empty());
      found.clear();
      const NearPairs nearby = world.near_pairs(clearance, {.threads = 1 + round % 2});
      for (const NearPair& pair : nearby.pairs) {
        found.emplace_back(pair.a, pair.b);
        EXPECT_EQ(pair.distance,
                  distance(world.object(pair.a), world.pose(pair.a), world.object(pair.b),
                           world.pose(pair.b), {.max_distance = clearance})
                      .distance);
      }
      ASSERT_EQ(found, near);
      ASSERT_TRUE(nearby.complete);

      const NodeId one = scene.bodies[random.below(static_cast<Index>(scene.bodies.size()))];
      std::vector<NodeId> expected;
      for (const auto& [a, b] : touch)
        if (a == one || b == one) expected.push_back(a == one ? b : a);
      ASSERT_EQ(world.touching_body(one), expected);

      const Vec3 at = 2 * random.in_box(1);
      const double radius = random.uniform(0, 2);
      const Aabb box{at - Vec3::Constant(radius), at + Vec3::Constant(radius)};
      std::vector<NodeId> in_ball, in_box;
      std::vector<std::pair<double, NodeId>> by_distance;
      for (const NodeId body : scene.bodies) {
        const double away = closest_point(world.object(body), world.pose(body), at).distance;
        by_distance.emplace_back(away, body);
        if (away <= radius) in_ball.push_back(body);
        if (!faces_in_box(world.object(body), world.pose(body), box).empty())
          in_box.push_back(body);
      }
      ASSERT_EQ(world.touching_ball({at, radius}), in_ball);
      ASSERT_EQ(world.touching_box(box), in_box);
      std::sort(by_distance.begin(), by_distance.end());
      const std::size_t count = random.below(5);
      std::vector<std::pair<double, NodeId>> nearest;
      for (const NearestBody& body : world.nearest(at, count, radius))
        nearest.emplace_back(body.closest.distance, body.body);
      std::erase_if(by_distance, [&](const auto& entry) { return entry.first > radius; });
      by_distance.resize(std::min(count, by_distance.size()));
      ASSERT_EQ(nearest, by_distance);

      const Ray ray{at, random.direction()};
      const std::uint32_t mask = round % 3 == 0 ? 2 : World::kAll;
      std::vector<std::tuple<double, NodeId, Index>> all, told;
      for (const NodeId body : scene.bodies)
        if ((world.options(body).category & mask) != 0)
          for (const RayHit& hit : all_ray_hits(world.object(body), world.pose(body), ray))
            all.emplace_back(hit.t, body, hit.face);
      std::sort(all.begin(), all.end());
      for (const BodyHit& hit : world.all_ray_hits(ray, mask)) {
        told.emplace_back(hit.hit.t, hit.body, hit.hit.face);
        EXPECT_NEAR(hit.normal.norm(), 1, 1e-12);
        EXPECT_EQ(hit.hit.side > 0, hit.normal.dot(ray.direction) < 0);
      }
      ASSERT_EQ(told, all);
      const auto first = world.cast_ray(ray, mask);
      ASSERT_EQ(first.has_value(), !all.empty());
      if (first) {
        EXPECT_EQ(first->hit.t, std::get<0>(all[0]));
        EXPECT_EQ(first->body, std::get<1>(all[0]));
      }
      hits += first.has_value();
      ++rays;
    }
  }
  EXPECT_GT(touching, asked / 20);
  EXPECT_LT(touching, asked / 2);
  EXPECT_GT(hits, rays / 4);
}

TEST(World, AFilterLeavesPairsOut) {
  World world;
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const NodeId a = world.add(box), b = world.add(box), c = world.add(box);
  EXPECT_EQ(world.touching_pairs().pairs.size(), 3u);
  world.set_pair_filter([&](NodeId x, NodeId y) { return x != a && y != a; });
  const TouchingPairs pairs = world.touching_pairs();
  ASSERT_EQ(pairs.pairs.size(), 1u);
  EXPECT_EQ(pairs.pairs[0].a, b);
  EXPECT_EQ(pairs.pairs[0].b, c);
  world.set_options(b, {.fixed = true});
  EXPECT_EQ(world.touching_pairs().pairs.size(), 1u);
  world.set_options(c, {.fixed = true});
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
}

// A pair that was not decided is never reported as apart.
TEST(World, BudgetsAreHonest) {
  World world;
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  for (int i = 0; i < 10; ++i) static_cast<void>(world.add(box));
  for (const std::uint64_t work : {0u, 1u, 7u, 45u, 100u}) {
    const TouchingPairs pairs = world.touching_pairs({.max_items = work});
    EXPECT_EQ(pairs.pairs.size() + pairs.undecided.size(), 45u);
    EXPECT_EQ(pairs.pairs.size(), std::min<std::uint64_t>(work, 45));
    EXPECT_EQ(world.near_pairs(0.5, {.max_items = work}).complete, work >= 45);
  }
  const Cancel cancel = test::requested();
  EXPECT_EQ(world.touching_pairs({.budget = {.cancel = cancel}}).undecided.size(), 45u);
}

TEST(World, RefusesWhatMakesNoSense) {
  World world;
  static_cast<void>(world.add(Object(scenes::box(Vec3::Zero(), Vec3::Ones(), 1))));
  const double nan = std::nan("");
  EXPECT_THROW(static_cast<void>(world.near_pairs(-1)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.near_pairs(nan)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.touching_ball({Vec3::Zero(), -1})), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.touching_ball({Vec3(nan, 0, 0), 1})), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.touching_box({})), InvalidInput);
  // Far away from every body, too, and in a world of none.
  const double inf = kInfinity;
  World empty;
  for (World* any : {&world, &empty}) {
    for (const Vec3& far :
         {Vec3(inf, 50, 50), Vec3(50, nan, 50), Vec3(50, 50, -inf), Vec3(0, 0, 1e91)}) {
      EXPECT_THROW(static_cast<void>(any->touching_ball({far, 1})), InvalidInput);
      EXPECT_THROW(static_cast<void>(any->touching_box({far, far})), InvalidInput);
      EXPECT_THROW(static_cast<void>(any->touching_box({Vec3(40, 40, 40), far})), InvalidInput);
    }
    for (const double radius : {inf, nan, -1.0, 1e91})
      EXPECT_THROW(static_cast<void>(any->touching_ball({Vec3(50, 50, 50), radius})), InvalidInput);
    EXPECT_THROW(static_cast<void>(any->touching_box({Vec3(50, 50, 51), Vec3(50, 50, 50)})),
                 InvalidInput);
    EXPECT_TRUE(any->touching_box({Vec3(50, 50, 50), Vec3(50, 50, 50)}).empty());
    EXPECT_TRUE(any->touching_ball({Vec3(50, 50, 50), 0}).empty());
  }
  EXPECT_THROW(static_cast<void>(world.nearest(Vec3(nan, 0, 0), 1)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.nearest(Vec3::Zero(), 1, nan)), InvalidInput);
  EXPECT_THROW(static_cast<void>(world.cast_ray({Vec3::Zero(), Vec3::Zero()})), InvalidInput);
}

// A group of ten thousand bodies is moved in no time; they follow when somebody looks.
TEST(World, MovingAGroupIsCheap) {
  World world;
  const Object box(scenes::box(Vec3::Zero(), Vec3::Ones(), 1));
  const NodeId group = world.add_group();
  NodeId last = group;
  for (int i = 0; i < 10'000; ++i)
    last = world.add(box, Pose::from_translation({3.0 * i, 0, 0}), {}, group);
  EXPECT_TRUE(world.touching_pairs().pairs.empty());
  for (int i = 0; i < 100'000; ++i) world.set_pose(group, Pose::from_translation({0, 0, 1e-3 * i}));
  EXPECT_EQ(world.pose(last).translation(), Vec3(29'997, 0, 1e-3 * 99'999));
  const auto hit = world.cast_ray({Vec3(29'997.5, 0.5, 0), Vec3::UnitZ()});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, last);
  EXPECT_NEAR(hit->hit.t, 1e-3 * 99'999, 1e-9);
  EXPECT_EQ(hit->normal, -Vec3::UnitZ());
}

}  // namespace
}  // namespace touche::world_test
