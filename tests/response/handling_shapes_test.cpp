// SPDX-License-Identifier: Apache-2.0
// Hands that hold convex shapes, with soups and shapes as obstacles: closed forms, the same bodies
// as soups, and motions that are proved again from distances alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "committed_way.h"
#include "counted_new.h"
#include "hand_scene.h"
#include "mixed_world.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/handling.h"

namespace touche {
namespace {

using test::CommittedWay;
using test::scaled;
using test::some_shape;

constexpr double kTolerance = 1e-3, kClearance = 0.01;
constexpr double kRest = kClearance + 2.1 * kTolerance;  // between what is pressed together
const HandlingOptions kOptions{.tolerance = kTolerance, .clearance = kClearance};

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }
Shape ground() { return Shape::half_space(Vec3::UnitZ(), 0); }
Object block(const Vec3& half) { return Object(scenes::box(-half, half, 1)); }

/// Whether two bodies stay apart by more than a gap, by distances at moments only: between two of
/// them no point of the one that moves gets farther than they are apart.
bool stays_apart(const Shape& a, const Motion& way, const Shape& b, const Pose& place, double gap,
                 double begin = 0, double end = 1, int depth = 0) {
  constexpr int kDeep = 14;
  const double middle = 0.5 * (begin + end);
  const double apart = distance(a, way.pose(middle), b, place).distance.lower;
  if (apart > gap + way.displacement_bound(a.bounds(), middle, begin, end)) return true;
  if (apart <= gap) return false;
  return depth == kDeep || (stays_apart(a, way, b, place, gap, begin, middle, depth + 1) &&
                            stays_apart(a, way, b, place, gap, middle, end, depth + 1));
}

/// A hand of one body whose steps are judged.
class JudgedHand {
 public:
  JudgedHand(World& world, NodeId held, const HandlingOptions& options = kOptions)
      : world_(world),
        held_(held),
        clearance_(options.clearance),
        hand_(world, held, options),
        way_(world, held, options.clearance) {}

  const HandlingStep& go(const Pose& target) {
    const HandlingStep& step = hand_.step(target);
    EXPECT_EQ(way_.complaint(step), "");
    for (const Motion& motion : step.motions)
      for (const NodeId other : world_.bodies()) {
        if (other == held_) continue;
        EXPECT_TRUE(stays_apart(world_.shape(held_), motion, world_.shape(other),
                                world_.pose(other), (1 - 1e-6) * clearance_));
      }
    // Contacts push, from where they are.
    for (const HandlingContact& contact : step.contacts) {
      EXPECT_EQ(contact.held, held_);
      EXPECT_GE(-contact.force.dot(contact.contact.normal), 0);
      EXPECT_NEAR((contact.contact.point_b - contact.contact.point_a).dot(contact.contact.normal),
                  contact.contact.distance, 1e-9);
    }
    return step;
  }
  double gap(NodeId other) const {
    return distance(world_.shape(held_), world_.pose(held_), world_.shape(other),
                    world_.pose(other))
        .distance.upper;
  }

 private:
  World& world_;
  NodeId held_;
  double clearance_;
  Handling hand_;
  CommittedWay way_;
};

// ---- closed forms ------------------------------------------------------------------------------

// It turns on the plane as freely as in the air, however hard it is pressed.
TEST(HandlingShapes, ASphereIsPressedOnAHalfSpace) {
  for (const double deep : {0.2, 2.0, 20.0}) {
    World world;
    const NodeId ball = world.add(Shape::sphere(0.5), at(0, 0, 2));
    const NodeId plane = world.add(ground(), {}, {.fixed = true});
    JudgedHand hand(world, ball);
    const Pose target = Pose::from_axis_angle({1, 2, 3}, 1.2, {1.5, 1, -deep});
    for (int i = 0; i < 6; ++i) (void)hand.go(target);
    const HandlingStep& step = hand.go(target);
    EXPECT_EQ(step.status, HandlingStatus::held_back);
    const Vec3 reached = step.pose.translation();
    EXPECT_NEAR(reached.x(), 1.5, kTolerance);
    EXPECT_NEAR(reached.y(), 1, kTolerance);
    EXPECT_GT(reached.z(), 0.5 + kClearance);
    EXPECT_LT(reached.z(), 0.5 + kRest);
    EXPECT_LT(step.angle_left, 10 * kTolerance) << deep;
    ASSERT_EQ(step.contacts.size(), 1U);
    EXPECT_EQ(step.contacts[0].other, plane);
    EXPECT_NEAR((step.force - Vec3(0, 0, reached.z() + deep)).norm(), 0, 10 * kTolerance);
    EXPECT_LT(step.torque.norm(), 1e-6);
  }
}

// A capsule across the ridge of a roof slides along it and turns about its own axis.
TEST(HandlingShapes, ACapsuleGoesAlongTheEdgeOfABox) {
  for (const bool soup : {false, true}) {
    World world;
    const NodeId capsule = world.add(Shape::capsule(0.2, 2),
                                     Pose::from_axis_angle(Vec3::UnitY(), M_PI / 2, {0, 0, 1}));
    const Vec3 half(std::sqrt(0.5), 3, std::sqrt(0.5));  // its upper edge is the y axis
    const Pose roof = Pose::from_axis_angle(Vec3::UnitY(), M_PI / 4, {0, 0, -1});
    if (soup)
      world.add(block(half), roof, {.fixed = true});
    else
      world.add(Shape::box(half), roof, {.fixed = true});
    JudgedHand hand(world, capsule);
    for (int i = 1; i <= 10; ++i) {
      const Pose lying = Pose::from_axis_angle(Vec3::UnitY(), M_PI / 2, {0, 0.15 * i, -0.5});
      const Pose target = lying * Pose::from_axis_angle(Vec3::UnitZ(), 0.1 * i, Vec3::Zero());
      for (int k = 0; k < 2; ++k) (void)hand.go(target);
      const HandlingStep& step = hand.go(target);
      EXPECT_NEAR(step.pose.translation().x(), 0, 10 * kTolerance);
      EXPECT_NEAR(step.pose.translation().y(), 0.15 * i, 2 * kTolerance) << soup;
      EXPECT_GT(step.pose.translation().z(), 0.2 + kClearance);
      EXPECT_LT(step.pose.translation().z(), 0.2 + kRest);
      EXPECT_LT(step.angle_left, 0.02) << soup << ' ' << i;
      EXPECT_NEAR(step.force.z(), 0.5 + step.pose.translation().z(), 0.02);
    }
  }
}

// A ball that is drawn into a cone ends over the point of its side that is nearest to the target.
TEST(HandlingShapes, ABallIsDrawnAgainstACone) {
  World world;
  const NodeId ball = world.add(Shape::sphere(0.3), at(3, 0, 0.5));
  const NodeId cone = world.add(Shape::cone(1, 2), {}, {.fixed = true});  // apex at z = 1
  JudgedHand hand(world, ball);
  const Vec3 slope = Vec3(2, 0, 1).normalized();  // out of its side at y = 0
  for (const double turn : {0.0, 0.5, 1.0, 1.5}) {
    const Pose around = Pose::from_axis_angle(Vec3::UnitZ(), turn, Vec3::Zero());
    const Vec3 target = around * Vec3(0.45, 0, 0);
    for (int i = 0; i < 4; ++i) (void)hand.go(Pose::from_translation(target));
    const HandlingStep& step = hand.go(Pose::from_translation(target));
    EXPECT_EQ(step.status, HandlingStatus::held_back);
    EXPECT_GT(hand.gap(cone), kClearance);
    EXPECT_LT(hand.gap(cone), kRest);
    const Vec3 off = step.pose.translation() - target;
    EXPECT_LT(off.cross(around.rotate(slope)).norm(), 0.01) << turn;
    EXPECT_NEAR((step.force - off).norm(), 0, 0.01);
  }
}

// A block is drawn down onto the apex: it stands on it, and slides aside where it is drawn aside.
TEST(HandlingShapes, ABlockOnTheApexOfACone) {
  World world;
  const NodeId part = world.add(block({1, 1, 0.2}), at(0, 0, 2));
  const NodeId cone = world.add(Shape::cone(1, 2), {}, {.fixed = true});
  JudgedHand hand(world, part);
  for (int i = 0; i < 5; ++i) {
    const Pose target = at(0.1 * i, 0, 1);
    for (int k = 0; k < 4; ++k) (void)hand.go(target);
    const HandlingStep& step = hand.go(target);
    EXPECT_EQ(step.status, HandlingStatus::held_back);
    EXPECT_EQ(step.contacts.front().other, cone);
    EXPECT_LT(hand.gap(cone), kRest + kTolerance);
    EXPECT_GT(step.force.z(), 0.1);
  }
}

TEST(HandlingShapes, AGroupOfShapesAndASoupIsOnePart) {
  World world;
  const NodeId group = world.add_group(at(0, 0, 3));
  const NodeId ball = world.add(Shape::sphere(0.5), at(-1), {}, group);
  world.add(block(Vec3::Constant(0.5)), at(1), {}, group);
  world.add(ground(), {}, {.fixed = true});
  Handling hand(world, group, kOptions);
  const double volume = 4.0 / 3 * M_PI * 0.125;
  EXPECT_NEAR(hand.mass().mass, 1 + volume, 1e-12);
  EXPECT_NEAR(hand.mass().centre.x(), (1 - volume) / (1 + volume), 1e-12);
  CommittedWay way(world, group, kClearance);
  const HandlingStep& step = hand.step(at(0, 0, -1));
  EXPECT_EQ(way.complaint(step), "");
  EXPECT_EQ(step.status, HandlingStatus::held_back);
  EXPECT_EQ(step.contacts.front().held, ball);
  EXPECT_NE(step.contacts.back().held, ball);
  EXPECT_GT(step.pose.translation().z(), 0.5 + kClearance);
  EXPECT_LT(step.pose.translation().z(), 0.5 + kRest);
}

// ---- the same bodies as soups -------------------------------------------------------------------

// Boxes as shapes and as soups are moved to the same poses.
TEST(HandlingShapes, BoxesAreHeldLikeTheirSoups) {
  base::Random random(11);
  double apart = 0;
  for (int i = 0; i < scaled(20, 4); ++i) {
    const Vec3 half(random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.2, 0.5));
    const double lean = random.uniform(0, 0.6);
    const Pose slope = Pose::from_axis_angle(random.direction(), lean, {0, 0, -2});
    const Pose target =
        Pose::from_axis_angle(random.direction(), 0.3, random.in_box(0.5) + Vec3(0, 0, -0.3));
    Pose reached[2];
    for (const bool soup : {false, true}) {
      World world;
      const NodeId part =
          soup ? world.add(block(half), at(0, 0, 2)) : world.add(Shape::box(half), at(0, 0, 2));
      if (soup)
        world.add(block({5, 5, 1.8}), slope, {.fixed = true});
      else
        world.add(Shape::box({5, 5, 1.8}), slope, {.fixed = true});
      JudgedHand hand(world, part);
      for (int step = 0; step < 6; ++step) (void)hand.go(target);
      reached[soup ? 1 : 0] = hand.go(target).pose;
    }
    apart = std::max(apart, (reached[0].translation() - reached[1].translation()).norm() +
                                (reached[0].matrix() - reached[1].matrix()).norm());
    EXPECT_LT(apart, 0.1) << i;
  }
}

// 0.1 mm of play, 2 mm and 3 degrees of error: a round peg with round edges, and a hole that is a
// soup.
TEST(HandlingShapes, APegGoesIntoItsHole) {
  for (int seed = 1; seed <= scaled(3, 1); ++seed) {
    scenes::PegByHandOptions options;
    options.trembling.seed = static_cast<std::uint64_t>(seed);
    const scenes::Scene made = scenes::peg_by_hand(options);
    const Aabb box = made.parts[0].soup.bounds();
    ASSERT_EQ(made.parts[0].name, "peg");
    test::HandScene scene(made);
    for (const NodeId child : scene.world.children(scene.held)) scene.world.remove(child);
    const double edge = options.peg.size / 16, radius = options.peg.size / 2 - 0.005;
    scene.world.add(Shape::cylinder(radius - edge, (box.hi - box.lo).z() - 2 * edge).rounded(edge),
                    made.parts[0].pose * Pose::from_translation(box.centre()), {}, scene.held);
    const HandlingOptions fine{.tolerance = 1e-3, .clearance = 0.01};
    Handling hand(scene.world, scene.held, fine);
    CommittedWay way(scene.world, scene.held, fine.clearance);
    int held_back = 0;
    double left = 0;
    for (const Pose& target : scene.targets) {
      const HandlingStep& step = hand.step(target);
      const std::string complaint = way.complaint(step);
      ASSERT_EQ(complaint, "");
      ASSERT_NE(step.status, HandlingStatus::touching);
      held_back += step.status == HandlingStatus::held_back;
      left = std::abs((step.pose.translation() - target.translation()).z());
    }
    EXPECT_LT(left, 0.5) << seed;
    EXPECT_GT(held_back, 50);
  }
}

// ---- whatever there is -------------------------------------------------------------------------

// Any shape or soup among others, on a half space, to targets that jump.
TEST(HandlingShapes, NoHandPushesAShapeThroughAnything) {
  base::Random random(12);
  int held = 0, arrived = 0, steps = 0, touching = 0;
  for (int i = 0; i < scaled(40, 8); ++i) {
    const double scale = i % 4 == 3 ? std::pow(10, random.uniform(-5, 5)) : 1;
    World world;
    const auto add = [&](const Pose& pose, const BodyOptions& options) {
      if (scale == 1) return test::add_some_body(world, random, pose, options);
      return world.add(Shape::ellipsoid(scale * Vec3(0.5, 0.3, 0.4)), pose, options);
    };
    const auto some_pose = [&](double spread) {
      const Vec3 axis = random.direction();
      const double angle = random.uniform(0, 3);
      return Pose::from_axis_angle(axis, angle, spread * scale * random.direction());
    };
    const NodeId part = add(some_pose(0), {});
    for (int k = 0; k < 8; ++k) (void)add(some_pose(2.6), {.fixed = true});
    world.add(Shape::half_space(random.direction(), -3 * scale), {}, {.fixed = true});
    HandlingOptions options{.tolerance = kTolerance * scale, .clearance = kClearance * scale};
    JudgedHand hand(world, part, options);
    for (int j = 0; j < 4; ++j) {
      const HandlingStep& step = hand.go(some_pose(random.below(4) == 0 ? 100 : 3));
      ASSERT_FALSE(testing::Test::HasFailure()) << i << ' ' << j;
      ++(step.status == HandlingStatus::arrived ? arrived : held);
      touching += step.status == HandlingStatus::touching;
      ++steps;
      // Contacts balance the spring where they hold the part.
      ASSERT_TRUE(step.force.allFinite() && step.torque.allFinite());
    }
  }
  EXPECT_EQ(touching, 0);
  EXPECT_GT(held, 3 * steps / 10);
  EXPECT_LT(held, 8 * steps / 10);
  EXPECT_GT(arrived, 0);
}

// Pressed onto a plane for long, shapes come to rest where their contacts bear the spring; one that
// falls over takes longer.
TEST(HandlingShapes, ContactsBearTheSpring) {
  base::Random random(13);
  int rest = 0, asked = 0;
  for (int i = 0; i < scaled(33, 11); ++i) {
    World world;
    const NodeId part = world.add(some_shape(random, i), at(0, 0, 2));
    world.add(ground(), {}, {.fixed = true});
    JudgedHand hand(world, part);
    const Vec3 axis = random.direction();
    const Pose target = Pose::from_axis_angle(axis, random.uniform(0, 0.5), {0.3, 0.2, -0.5});
    for (int step = 0; step < 10; ++step) (void)hand.go(target);
    const HandlingStep& step = hand.go(target);
    EXPECT_EQ(step.status, HandlingStatus::held_back) << i;
    const Vec3 off = step.pose.translation() - target.translation();
    EXPECT_LT(step.force.head<2>().norm(), 1e-6);
    rest += std::abs(step.force.z() - off.z()) < 0.05 && off.head<2>().norm() < 0.1;
    ++asked;
  }
  EXPECT_GT(10 * rest, 8 * asked);
}

TEST(HandlingShapes, FrictionHoldsABall) {
  for (const double aside : {0.3, 0.7}) {
    World world;
    const NodeId ball = world.add(Shape::cylinder(0.5, 1), at(0, 0, 1));
    world.add(ground(), {}, {.fixed = true});
    HandlingOptions options = kOptions;
    options.friction = 0.5;
    JudgedHand hand(world, ball, options);
    (void)hand.go(at(0, 0, 0.4));
    (void)hand.go(at(0, 0, -0.5 + kClearance));
    const HandlingStep& step = hand.go(at(aside, 0, -0.5 + kClearance));
    EXPECT_NEAR(step.pose.translation().x(), aside < 0.5 ? 0 : aside, 2 * kTolerance);
  }
}

// A turn by radians within linear constraints may lead far away from what they are of, and nearer
// to the target by nothing. That holds the part back by no contact.
TEST(HandlingShapes, WhoIsInTheAirIsNotHeldBack) {
  base::Random random(9);
  int pressed = 0;
  const int runs = scaled(100, 30);
  for (int run = 0; run < runs; ++run) {
    World world;
    world.add(ground());
    const NodeId rod =
        world.add(Shape::cylinder(random.uniform(0.1, 0.4), 3),
                  Pose::from_axis_angle(random.direction(), random.uniform(0, 3), {0, 0, 4}));
    Handling hand(world, rod, kOptions);
    const Vec3 place(random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-1, 2));
    const Pose target = Pose::from_axis_angle(random.direction(), random.uniform(0, 3), place);
    for (int i = 0; i < 5; ++i) {
      const HandlingStep& step = hand.step(target);
      if (step.status == HandlingStatus::held_back) {
        EXPECT_FALSE(step.contacts.empty()) << run << " " << i;
        pressed += i == 4;
      }
    }
  }
  EXPECT_GT(pressed, runs / 4);
}

TEST(HandlingShapes, HalfSpacesAreNotHeld) {
  World world;
  const NodeId plane = world.add(ground());
  const NodeId ball = world.add(Shape::sphere(0.5), at(0, 0, 2));
  EXPECT_THROW(Handling(world, plane, kOptions), InvalidInput);
  Handling hand(world, ball, kOptions);
  EXPECT_EQ(hand.step(at(0, 0, 3)).status, HandlingStatus::arrived);
  world.set_options(plane, {.mask = 0});
  world.replace(ball, ground());
  EXPECT_THROW((void)hand.step(at(0, 0, 4)), InvalidInput);
  // A shape whose mass nobody knows counts as its box.
  world.replace(ball, Shape::cone(0.5, 1).rounded(0.1));
  EXPECT_GT(Handling(world, ball, kOptions).mass().mass, 0);
}

TEST(HandlingShapes, StepsLikeThoseBeforeAllocateNothing) {
  World world;
  const NodeId part = world.add(Shape::cylinder(0.5, 0.6), at(0, 0, 1));
  world.add(ground(), {}, {.fixed = true});
  world.add(Shape::box({0.5, 5, 5}), at(2), {.fixed = true});
  world.add(block({5, 0.5, 5}), at(0, 2), {.fixed = true});
  HandlingOptions options = kOptions;
  options.threads = 1;
  Handling hand(world, part, options);
  std::size_t contacts = 0;
  const auto circle = [&] {
    for (int i = 0; i < 40; ++i) {
      const double angle = 2 * M_PI * i / 40;
      contacts += hand.step(Pose::from_axis_angle(
                                {1, 2, 3}, angle,
                                {1.2 * std::cos(angle), 1.2 * std::sin(angle), 0.6 - 0.2 * angle}))
                      .contacts.size();
    }
  };
  for (int i = 0; i < 6; ++i) circle();
  contacts = 0;
  const std::size_t before = test::allocations;
  circle();
  EXPECT_EQ(test::allocations, before);
  EXPECT_GT(contacts, 20U);
}

}  // namespace
}  // namespace touche
