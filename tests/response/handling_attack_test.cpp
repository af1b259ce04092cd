// SPDX-License-Identifier: Apache-2.0
// A hand that misuses a part: pushes it through walls, jumps, trembles at any scale, while the
// world changes in between. The committed motions are proved again by other queries.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "small_child.h"
#include "test_scale.h"
#include "touche/handling.h"
#include "touche/shape.h"

namespace touche::handling_attack_test {
namespace {

using test::scaled;

Object block(const Vec3& half) { return Object(scenes::box(-half, half, 1)); }
Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

/// The path of a step is connected, ends where the part is, and keeps the clearance from all other
/// bodies: by the time of impact with a tolerance of its own, and at many moments.
void expect_clear(World& world, NodeId held, const Pose& before, const HandlingStep& step,
                  double clearance) {
  Pose last = before;
  for (const Motion& motion : step.motions) {
    ASSERT_LT((motion.pose(0).translation() - last.translation()).norm(),
              1e-9 * (1 + last.translation().norm()));
    ASSERT_LT((motion.pose(0).matrix() - last.matrix()).norm(), 1e-9);
    last = motion.pose(1);
    for (const NodeId other : world.bodies()) {
      if (other == held) continue;
      const Object &a = world.object(held), &b = world.object(other);
      const ToiResult toi =
          time_of_impact(a, motion, b, Motion::at(world.pose(other)),
                         {.tolerance = 1e-3 * clearance, .clearance = (1 - 2e-3) * clearance});
      ASSERT_EQ(toi.status, ToiStatus::free);
      for (int k = 0; k <= 10; ++k) {
        ASSERT_GT(distance(a, motion.pose(0.1 * k), b, world.pose(other)).distance.upper,
                  (1 - 1e-6) * clearance);
      }
    }
  }
  ASSERT_LT((last.translation() - step.pose.translation()).norm(),
            1e-9 * (1 + last.translation().norm()));
  ASSERT_EQ(step.pose.translation(), world.pose(held).translation());
}

HandlingOptions fine(double scale = 1) {
  HandlingOptions options;
  options.tolerance = 1e-3 * scale;
  options.clearance = 5e-3 * scale;
  return options;
}

TEST(HandlingAttack, NoHandPushesItThroughAnything) {
  base::Random random(71);
  int held_back = 0, arrived = 0, moved = 0;
  const int cases = scaled(6, 3);
  for (int i = 0; i < cases; ++i) {
    const double scale = random.below(2) == 0 ? 1 : std::pow(10, random.uniform(-6, 6));
    World world;
    const Object part = random.below(2) == 0
                            ? block(scale * Vec3(0.5, 0.3, 0.2))
                            : Object(scenes::torus(0.5 * scale, 0.15 * scale, 12, 8));
    const NodeId held = world.add(part);
    // A thin room, and things in it.
    world.add(Object(scenes::box(Vec3::Constant(-2 * scale), Vec3::Constant(2 * scale), 1)));
    for (int k = 0; k < 4; ++k) {
      const Vec3 direction = random.direction();
      const Vec3 axis = random.direction();
      world.add(block(scale * Vec3(0.5, 0.5, 1e-4)),
                Pose::from_axis_angle(axis, k, 1.4 * scale * direction));
    }
    Handling hand(world, held, fine(scale));
    for (int step = 0; step < 12; ++step) {
      const Pose before = world.pose(held);
      const Vec3 axis = random.direction();
      const double angle = random.uniform(0, 3);
      const double far = random.below(4) == 0 ? 1e3 : 3;
      const Pose wanted = Pose::from_axis_angle(axis, angle, random.in_box(far * scale));
      const HandlingStep& result = hand.step(wanted);
      expect_clear(world, held, before, result, 5e-3 * scale);
      if (testing::Test::HasFatalFailure()) return;
      held_back += result.status == HandlingStatus::held_back;
      arrived += result.status == HandlingStatus::arrived;
      moved += !result.motions.empty();
      ASSERT_LT(result.pose.translation().cwiseAbs().maxCoeff(), 2 * scale) << i;
      ASSERT_TRUE(result.force.allFinite() && result.torque.allFinite());
    }
  }
  EXPECT_GT(moved, 4 * cases);
  EXPECT_GT(held_back, cases);
  RecordProperty("arrived", arrived);
}

TEST(HandlingAttack, PressedAgainstAWallForLongItStaysAndTellsTheForce) {
  World world;
  const NodeId held = world.add(block({0.5, 0.5, 0.5}), at(0, 0, 0.6));
  world.add(block({5, 5, 1e-3}), {}, {.fixed = true});
  HandlingOptions options = fine();
  options.stiffness = 100;
  Handling hand(world, held, options);
  for (int step = 0; step < scaled(100); ++step) {
    const Pose before = world.pose(held);
    const HandlingStep& result = hand.step(at(0.01 * step, 0, -1));
    expect_clear(world, held, before, result, options.clearance);
    if (testing::Test::HasFatalFailure()) return;
    if (step > 2) {
      // The spring draws down by its length, and the wall bears it.
      EXPECT_NEAR(result.force.z(), 100 * result.distance_left, 5);
      EXPECT_NEAR(result.pose.translation().x(), 0.01 * step, 1e-3);
    }
  }
}

TEST(HandlingAttack, BadStartsStandStillOrLeaveAndNeverGoDeeper) {
  for (const double aside : {0.0, 0.2})
    for (const double z :
         {0.0, 0.3, 0.5, 0.999, 1.0, 1.002}) {  // in it, on it, nearer than allowed
      World world;
      const NodeId held = world.add(block(Vec3::Constant(0.5)), at(aside, 0, z));
      world.add(block(Vec3::Constant(0.5)), {}, {.fixed = true});
      Handling hand(world, held, fine());
      const HandlingStep into = hand.step(at(aside, 0, -0.2));
      if (z < 1) {
        EXPECT_EQ(into.status, HandlingStatus::touching) << aside << " " << z;
        EXPECT_EQ(world.pose(held).translation(), Vec3(aside, 0, z)) << aside << " " << z;
      }
      EXPECT_GE(world.pose(held).translation().z(), z) << aside << " " << z;
      const HandlingStep away = hand.step(at(aside, 0, 3));
      EXPECT_EQ(away.status, z < 1 ? HandlingStatus::touching : HandlingStatus::arrived)
          << aside << " " << z;
      EXPECT_GE(world.pose(held).translation().z(), z) << aside << " " << z;
    }
}

TEST(HandlingAttack, TheWorldMayChangeBetweenSteps) {
  World world;
  const NodeId held = world.add(block(Vec3::Constant(0.5)), at(0, 0, 2));
  const NodeId floor = world.add(block({5, 5, 0.1}), {}, {.fixed = true});
  const NodeId wall = world.add(block({0.1, 5, 5}), at(2), {.fixed = true});
  Handling hand(world, held, fine());
  const auto draw = [&](const Pose& wanted) {
    const Pose before = world.pose(held);
    const HandlingStep& result = hand.step(wanted);
    expect_clear(world, held, before, result, 5e-3);
    return result;
  };
  (void)draw(at(3, 0, 0));
  EXPECT_LT(world.pose(held).translation().x(), 1.4);
  world.remove(wall);
  (void)draw(at(3, 0, 0));
  EXPECT_NEAR(world.pose(held).translation().x(), 3, 1e-2);
  world.replace(floor, block({0.1, 0.1, 0.1}));
  (void)draw(at(3, 0, 0));
  EXPECT_NEAR(world.pose(held).translation().z(), 0, 1e-2);
  // Somebody puts a wall into the part: it says so and does not move.
  const NodeId pin = world.add(block({0.05, 0.05, 5}), world.pose(held), {.fixed = true});
  EXPECT_EQ(hand.step(at(0, 0, 3)).status, HandlingStatus::touching);
  world.remove(pin);
  // The part becomes another, and is moved by somebody else.
  world.replace(held, block(Vec3::Constant(0.2)));
  world.set_pose(held, at(-3));
  (void)draw(at(3, 0, 0));
  world.remove(held);
  EXPECT_THROW((void)hand.step(at(0)), InvalidInput);
}

TEST(HandlingAttack, TheSameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> bits[3];
  const int threads[] = {1, 2, 4};
  for (int run = 0; run < 3; ++run) {
    World world;
    const NodeId held = world.add(Object(scenes::torus(0.5, 0.2, 16, 8)), at(0, 0, 1));
    for (int k = 0; k < 6; ++k)
      world.add(block({0.3, 0.3, 0.3}), Pose::from_axis_angle({1, 1, 1}, k, {k - 2.5, 0.2 * k, 0}));
    HandlingOptions options = fine();
    options.threads = threads[run];
    Handling hand(world, held, options);
    base::Random random(72);
    for (int step = 0; step < 15; ++step) {
      const Vec3 axis = random.direction();
      const HandlingStep& result =
          hand.step(Pose::from_axis_angle(axis, 0.3 * step, random.in_box(2)));
      for (int k = 0; k < 3; ++k)
        bits[run].push_back(std::bit_cast<std::uint64_t>(result.pose.translation()[k]));
      bits[run].push_back(std::bit_cast<std::uint64_t>(result.force.norm()));
      bits[run].push_back(result.motions.size());
    }
  }
  EXPECT_EQ(bits[0], bits[1]);
  EXPECT_EQ(bits[0], bits[2]);
}

TEST(HandlingAttack, LoosePartsOpenSurfacesAndFacesWithoutAreaAreHeld) {
  scenes::RandomSoup how;
  how.faces = 40;
  how.slivers = 0.5;
  for (int i = 0; i < 6; ++i) {
    PolygonSoup soup = scenes::random_soup(static_cast<std::uint64_t>(100 + i), how);
    std::vector<double> xyz;
    for (const Vec3& v : soup.vertices()) xyz.insert(xyz.end(), {v.x(), v.y(), v.z()});
    std::vector<Index> corners;
    for (const auto& t : soup.triangles()) {
      corners.insert(corners.end(), {t[0], t[1], t[2]});
      corners.insert(corners.end(), {t[0], t[1], t[2]});
      corners.insert(corners.end(), {t[0], t[1], t[1]});
    }
    World world;
    const NodeId held = world.add(Object(PolygonSoup(xyz, corners)), at(0, 0, 3));
    world.add(block({5, 5, 1e-3}), {}, {.fixed = true});
    Handling hand(world, held, fine());
    for (int step = 0; step < 5; ++step) {
      const Pose before = world.pose(held);
      const HandlingStep& result =
          hand.step(Pose::from_axis_angle({1, 2, 3}, 0.4 * step, {0.1 * step, 0, -2}));
      expect_clear(world, held, before, result, 5e-3);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(world.pose(held).translation().z(), 0);
  }
}

TEST(HandlingAttack, BadInputIsRefused) {
  const double nan = std::nan("");
  World world;
  const NodeId held = world.add(block(Vec3::Constant(0.5)));
  const NodeId empty = world.add_group();
  EXPECT_THROW(Handling(world, empty, fine()), InvalidInput);
  EXPECT_THROW(Handling(world, NodeId{}, fine()), InvalidInput);
  const auto refused = [&](auto change) {
    HandlingOptions options = fine();
    change(options);
    EXPECT_THROW(Handling(world, held, options), InvalidInput);
  };
  for (const double bad : {-1.0, nan, kInfinity}) {
    refused([&](HandlingOptions& o) { o.tolerance = bad; });
    refused([&](HandlingOptions& o) { o.clearance = bad; });
    refused([&](HandlingOptions& o) { o.max_distance = bad; });
    refused([&](HandlingOptions& o) { o.stiffness = bad; });
    refused([&](HandlingOptions& o) { o.friction = bad; });
    refused([&](HandlingOptions& o) {
      o.mass = MassProperties{.mass = bad, .centre = Vec3::Zero(), .inertia = Mat3::Identity()};
    });
    refused([&](HandlingOptions& o) {
      o.mass = MassProperties{.mass = 1, .centre = {0, 0, bad}, .inertia = bad * Mat3::Identity()};
    });
  }
  refused([&](HandlingOptions& o) { o.tolerance = 0; });
  refused([&](HandlingOptions& o) { o.clearance = 0; });
  refused([&](HandlingOptions& o) { o.max_rounds = 0; });
  // Without work or time it stays where it is, and says so.
  HandlingOptions none = fine();
  none.budget.max_work = 0;
  Handling hand(world, held, none);
  world.add(block(Vec3::Constant(0.5)), at(2));
  const HandlingStep& stopped = hand.step(at(5));
  EXPECT_NE(stopped.status, HandlingStatus::arrived);
  EXPECT_LT(world.pose(held).translation().x(), 1);
}

// With a clearance beside which all is near there are as many pairs as faces times faces. The hand
// must stop all the same when its time is up, and when its stop flag is set.
TEST(HandlingAttack, AnImmenseClearanceDoesNotHoldUpTheHand) {
  const std::string said = test::in_a_child([]() -> std::string {
    World world;
    const NodeId held = world.add(Object(scenes::sphere(1, 20'000)), Pose());
    world.add(Object(scenes::sphere(1, 20'000)), at(5));
    HandlingOptions options = fine();
    options.clearance = 1000;
    Handling hand(world, held, options);
    const HandlingStep& late = hand.step(at(1), Budget::Clock::now());
    return late.status == HandlingStatus::undecided ? "undecided" : "decided";
  });
  EXPECT_EQ(said, "undecided");
}

// A capsule beside the edges of a torus: the parts of both that lie over each other are nearer
// along their normal than the bodies are, and nearer than the clearance. That is no bad start.
TEST(HandlingAttack, ADistanceAlongANormalIsNotTakenForThatOfTheBodies) {
  const auto pose = [](double w, double x, double y, double z, const Vec3& place) {
    return Pose::from_quaternion(w, x, y, z, place);
  };
  const Shape capsule = Shape::capsule(0.1, 1);
  World world;
  const NodeId part = world.add(
      capsule, pose(0.53023043868783903, -0.41370707504522725, -0.7141580240622255,
                    -0.19411453993444772, {0.19875229700086, 0.0515977690622, 0.4435066146135}));
  world.add(Object(scenes::torus(0.5, 0.15, 12, 8)),
            pose(0.24569148249858466, 0.70839457934710492, 0.38974519431387228, 0.53470692803490782,
                 {-0.15540710735975, -0.19435294665091, 0.58512915813933}),
            {.fixed = true});
  const NodeId other =
      world.add(capsule,
                pose(0.30229799920330463, -0.27005425764478347, -0.16102888380182995,
                     0.89986460992037054, {-0.00649802204644, 0.28583922117842, -0.35603829788609}),
                {.fixed = true});
  const HandlingOptions options{.tolerance = 0.00036831106858740856,
                                .clearance = 0.0023121496630528161};
  Handling hand(world, part, options);
  const HandlingStep& step = hand.step(
      pose(0.070737201667702906, 0.44977750041315523, -0.67071529787123629, -0.58552321698103116,
           {0.13730776684838, 0.46302850870406, -0.59143916762514}));
  EXPECT_GT(step.motions.size(), 1U);
  for (const Motion& motion : step.motions)
    for (int k = 0; k <= 64; ++k) {
      const Pose at = motion.pose(k / 64.0);
      EXPECT_GT(distance(capsule, at, capsule, world.pose(other)).distance.upper,
                options.clearance);
    }
}

}  // namespace
}  // namespace touche::handling_attack_test
