// SPDX-License-Identifier: Apache-2.0
// Bodies that fly on parabolas and bounce, in steps of 1/60 s, against closed forms: flights in a
// step are chords, and impacts must not show it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "shape_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_parabola_test {
namespace {

using namespace test;

constexpr double kStep = 1.0 / 60;

/// Takes steps until this number of impacts, whose times count from the start.
class Bounces {
 public:
  explicit Bounces(Dynamics& dynamics) : dynamics_(dynamics) {}
  std::vector<Impact> take(std::size_t wanted, double longest, auto&& before_each,
                           auto&& after_each) {
    std::vector<Impact> all;
    for (int i = 0; all.size() < wanted && i * kStep < longest; ++i) {
      before_each();
      const DynamicsResult& step = dynamics_.step(kStep);
      EXPECT_TRUE(step.lost.empty());
      for (Impact impact : step.impacts) {
        EXPECT_GE(impact.time, 0);
        EXPECT_LE(impact.time, kStep);
        impact.time += i * kStep;
        all.push_back(impact);
      }
      after_each((i + 1) * kStep, all.size());
    }
    return all;
  }
  std::vector<Impact> take(std::size_t wanted, double longest) {
    return take(
        wanted, longest, [] {}, [](double, std::size_t) {});
  }

 private:
  Dynamics& dynamics_;
};

// ---- the series of a ball that keeps a share of its speed ---------------------------------------

struct Fall {
  double gravity, height, restitution;
};

/// Expects the first eight impacts of a body that falls freely onto what is as much below it. Each
/// happens within the tolerance of contact: so each flight is a tolerance longer or shorter.
void expect_series(const std::vector<Impact>& all, const Fall& fall, double tolerance) {
  ASSERT_EQ(all.size(), 8U);
  double time = std::sqrt(2 * fall.height / fall.gravity), speed = fall.gravity * time;
  double off = 0;  // a bound of the error of the speed
  double late = 0;
  for (const Impact& impact : all) {
    off = fall.restitution * off + fall.gravity * tolerance / speed;
    late += 2 * (off + 1e-9 * speed) / fall.gravity + tolerance / speed;
    EXPECT_NEAR(impact.speed, speed, 1.1 * off + 1e-9 * speed);
    EXPECT_NEAR(impact.time, time, late);
    speed *= fall.restitution;
    time += 2 * speed / fall.gravity;
  }
}

// On earth, on the moon, and at 100 g, from heights that make impacts fall anywhere in a step.
const std::vector<Fall>& falls() {
  static const std::vector<Fall> all = [] {
    std::vector<Fall> falls;
    for (int i = 0; i < 5; ++i)
      for (const Fall& fall : {Fall{kGravity, 1, 0.7}, Fall{kGravity, 2, 0.8}, Fall{1.62, 1, 0.7},
                               Fall{100 * kGravity, 100, 0.7}})
        falls.push_back({fall.gravity, fall.height * (1 + 0.013 * i), fall.restitution});
    return falls;
  }();
  return all;
}

TEST(DynamicsParabola, ABallBouncesInAGeometricSeries) {
  for (const Fall& fall : falls()) {
    SCOPED_TRACE(testing::Message() << fall.gravity << " from " << fall.height);
    const double tolerance = 1e-6 * fall.height;
    World world;
    add_plane(world);
    const NodeId ball = world.add(Shape::sphere(0.1), at({0, 0, 0.1 + fall.height}));
    Dynamics dynamics(world, {.tolerance = tolerance,
                              .gravity = {0, 0, -fall.gravity},
                              .surface = {.restitution = fall.restitution, .friction = 0.3}});
    dynamics.add(ball, 1000.0);
    expect_series(Bounces(dynamics).take(8, 10), fall, tolerance);
    EXPECT_EQ(world.pose(ball).translation().x(), 0);
  }
}

// Four corners touch at once.
TEST(DynamicsParabola, ABoxOfFacesBouncesInAGeometricSeries) {
  for (const Fall& fall : falls()) {
    SCOPED_TRACE(testing::Message() << fall.gravity << " from " << fall.height);
    const double tolerance = 1e-6 * fall.height;
    World world;
    add_ground(world);
    const NodeId node = world.add(box({1, 2, 0.5}), at({0, 0, 0.25 + fall.height}));
    Dynamics dynamics(world, {.tolerance = tolerance,
                              .gravity = {0, 0, -fall.gravity},
                              .surface = {.restitution = fall.restitution, .friction = 0.3}});
    dynamics.add(node, 1000.0);
    expect_series(Bounces(dynamics).take(8, 10), fall, tolerance);
  }
}

// A body falls onto a floor that sinks evenly, in the frame of that floor as onto one that stands.
TEST(DynamicsParabola, ItBouncesOnAFloorThatSinks) {
  for (const Fall& fall : falls()) {
    SCOPED_TRACE(testing::Message() << fall.gravity << " from " << fall.height);
    const double tolerance = 1e-6 * fall.height, sink = 0.3 * std::sqrt(fall.height);
    World world;
    const NodeId floor = world.add(ground());
    const NodeId ball = world.add(Shape::sphere(0.1), at({0, 0, 0.1 + fall.height}));
    Dynamics dynamics(world, {.tolerance = tolerance,
                              .gravity = {0, 0, -fall.gravity},
                              .surface = {.restitution = fall.restitution, .friction = 0.3}});
    dynamics.add(ball, 1000.0, {.linear = {0, 0, -sink}});
    const auto move = [&] {
      const Vec3 from = world.pose(floor).translation();
      dynamics.move(floor, Motion::interpolated(at(from), at(from + Vec3(0, 0, -sink * kStep))));
    };
    expect_series(Bounces(dynamics).take(8, 10, move, [](double, std::size_t) {}), fall, tolerance);
  }
}

// ---- impacts that keep all energy ---------------------------------------------------------------

// Its apex stays where it was, in each of a hundred flights, and flights take as long as they do.
TEST(DynamicsParabola, ABallComesUpAgainAHundredTimes) {
  const int bounces = scaled(400, 100);
  for (const double gravity : {1.62, kGravity, 100 * kGravity}) {
    const double tolerance = 1e-5, height = gravity / kGravity;
    World world;
    add_plane(world);
    const NodeId ball = world.add(Shape::sphere(0.1), at({0, 0, 0.1 + height}));
    Dynamics dynamics(world, {.tolerance = tolerance,
                              .gravity = {0, 0, -gravity},
                              .surface = {.restitution = 1, .friction = 0}});
    dynamics.add(ball, 1000.0);
    const auto expect_apex = [&](double, std::size_t) {
      const double speed = dynamics.velocity(ball).linear.z();
      const double apex = world.pose(ball).translation().z() + 0.5 * speed * speed / gravity;
      EXPECT_NEAR(apex, 0.1 + height, 1e-9 * height);
    };
    const std::vector<Impact> all = Bounces(dynamics).take(
        static_cast<std::size_t>(bounces), 1000, [] {}, expect_apex);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(bounces));
    const double half = std::sqrt(2 * height / gravity), speed = gravity * half;
    for (std::size_t i = 0; i < all.size(); ++i) {
      // It turns back up to a tolerance above the floor.
      const double halves = 2 * static_cast<double>(i) + 1, early = halves * tolerance / speed;
      EXPECT_GE(all[i].time, halves * half - 1.01 * early);
      EXPECT_LE(all[i].time, halves * half + 1e-9);
      EXPECT_NEAR(all[i].speed, speed, 1.01 * gravity * tolerance / speed);
    }
  }
}

/// Two walls that face each other, in any direction, and a force in any other.
struct Channel {
  Vec3 across, force;  // acceleration
  double width;        // that a ball's centre has
  Vec3 velocity;       // of the ball, which starts in the middle
};

// Across it the ball goes to and fro, faster on the side that the force draws it to; along it
// nothing holds it back.
void expect_flight(const Channel& channel, bool by_gravity) {
  constexpr double kTolerance = 1e-6, kRadius = 0.1;
  const Vec3 across = channel.across.normalized();
  World world;
  for (const double side : {-1.0, 1.0})
    world.add(Shape::half_space(-side * across, -(0.5 * channel.width + kRadius)), {},
              {.fixed = true});
  const NodeId ball = world.add(Shape::sphere(kRadius));
  Dynamics dynamics(world, {.tolerance = kTolerance,
                            .gravity = by_gravity ? channel.force : Vec3(Vec3::Zero()),
                            .surface = {.restitution = 1, .friction = 0}});
  dynamics.add(ball, 1000.0, {.linear = channel.velocity});
  const double mass = dynamics.mass(ball).mass, force = across.dot(channel.force);
  const double scale = 0.5 * channel.velocity.squaredNorm();
  const auto push = [&] {
    if (!by_gravity) dynamics.apply_force(ball, mass * channel.force);
  };
  const auto expect_state = [&](double time, std::size_t) {
    const Vec3 place = world.pose(ball).translation(), speed = dynamics.velocity(ball).linear;
    const Vec3 free = time * channel.velocity + 0.5 * time * time * channel.force;
    const Vec3 along = (place - free) - across.dot(place - free) * across;
    EXPECT_LT(along.norm(), 1e-9 * (1 + free.norm()));
    // Per mass.
    const double total = 0.5 * speed.squaredNorm() - channel.force.dot(place);
    EXPECT_NEAR(total, scale, 1e-9 * (scale + std::abs(channel.force.dot(free))));
  };
  constexpr std::size_t kMet = 100;
  const std::vector<Impact> all = Bounces(dynamics).take(kMet, 1000, push, expect_state);
  ASSERT_GE(all.size(), kMet);
  // How fast it is at either wall, and how long it takes from one to the other.
  const double start = across.dot(channel.velocity), half = 0.5 * channel.width;
  const auto speed_at = [&](double side) {
    return std::sqrt(start * start + 2 * force * side * half);
  };
  const double passage = channel.width / (0.5 * (speed_at(-1) + speed_at(1)));
  const double to_first = half / (0.5 * (std::abs(start) + speed_at(start > 0 ? 1 : -1)));
  const double slow = std::min(speed_at(-1), speed_at(1));
  for (std::size_t i = 0; i < kMet; ++i) {
    const double side = (i % 2 == 0) == (start > 0) ? 1 : -1;
    const double early = (2 * static_cast<double>(i) + 1) * kTolerance / slow;
    EXPECT_NEAR(all[i].speed, speed_at(side),
                1.1 * std::abs(force) * kTolerance / slow + 1e-9 * speed_at(side));
    EXPECT_GE(all[i].time, to_first + static_cast<double>(i) * passage - 1.1 * early);
    EXPECT_LE(all[i].time, to_first + static_cast<double>(i) * passage + 1e-9);
    EXPECT_LT((all[i].normal - side * across).cross(across).norm(), 1e-9);
  }
}

const std::vector<Channel>& channels() {
  static const std::vector<Channel> all = {
      // Obliquely between two walls.
      {{1, 0, 0}, {0, 0, -kGravity}, 1, {3, 0.5, 4}},
      // Floor and ceiling.
      {{0, 0, 1}, {0, 0, -kGravity}, 0.4, {1, 0, 3.5}},
      {{0, 0, 1}, {0, 0, -kGravity}, 0.4, {1, 0, -2.2}},
      // Slopes.
      {{1, 2, 3}, {0, 0, -kGravity}, 0.7, {2, 3, 4}},
      {{-2, 1, 0.5}, {3, -9, 5}, 0.6, {4, -3, 1}},
      {{0.2, -0.3, 1}, {-400, 900, 20}, 30, {100, -90, 220}},
      {{0.2, -0.3, 1}, {-1, 0.4, 1.2}, 0.3, {-1, 0.9, 1.5}},
  };
  return all;
}

TEST(DynamicsParabola, ABallFliesObliquelyBetweenWalls) {
  for (std::size_t i = 0; i < channels().size(); ++i) {
    SCOPED_TRACE(i);
    expect_flight(channels()[i], true);
  }
}

TEST(DynamicsParabola, ForcesDoAsGravityDoes) {
  for (std::size_t i = 0; i < channels().size(); ++i) {
    SCOPED_TRACE(i);
    expect_flight(channels()[i], false);
  }
}

// A force acts on one of two balls and drives it after the other. Seen from the other it falls
// and bounces; together they keep the momentum that the force gave.
TEST(DynamicsParabola, AForceDrivesABallAfterAnother) {
  constexpr double kTolerance = 1e-6;
  for (const double ratio : {0.2, 1.0, 7.0}) {
    SCOPED_TRACE(ratio);
    World world;
    const NodeId driven = world.add(Shape::sphere(0.1), at({0, 0, 0}));
    const NodeId other = world.add(Shape::sphere(0.1), at({0.7, 0, 0}));
    Dynamics dynamics(world,
                      {.tolerance = kTolerance, .surface = {.restitution = 1, .friction = 0}});
    dynamics.add(driven, 1000.0);
    dynamics.add(other, 1000.0 * ratio);
    const double mass = dynamics.mass(driven).mass, acceleration = 12;
    const auto push = [&] { dynamics.apply_force(driven, {mass * acceleration, 0, 0}); };
    const auto expect_state = [&](double time, std::size_t) {
      const double momentum = mass * acceleration * time;
      EXPECT_NEAR(dynamics.momentum().x(), momentum, 1e-12 * momentum);
      const double work = mass * acceleration * world.pose(driven).translation().x();
      EXPECT_NEAR(dynamics.kinetic_energy(), work, 1e-9 * work);
    };
    const std::size_t bounces = 40;
    const std::vector<Impact> all = Bounces(dynamics).take(bounces, 100, push, expect_state);
    ASSERT_EQ(all.size(), bounces);
    const double half = std::sqrt(2 * 0.5 / acceleration), speed = acceleration * half;
    for (std::size_t i = 0; i < bounces; ++i) {
      const double halves = 2 * static_cast<double>(i) + 1, early = halves * kTolerance / speed;
      EXPECT_GE(all[i].time, halves * half - 1.01 * early);
      EXPECT_LE(all[i].time, halves * half + 1e-9);
      EXPECT_NEAR(all[i].speed, speed, 1.01 * acceleration * kTolerance / speed);
    }
  }
}

// A ball comes down fast onto one that reaches the floor at about the same time. Speeds show
// whether that had bounced already, and times must agree with them. On the chord of its flight the
// ball reaches the floor earlier than the reported time, by more than the other one needs to
// arrive.
TEST(DynamicsParabola, ImpactsOfABodyHaveTheOrderOfTheirSpeeds) {
  constexpr double kRadius = 0.1, kFast = 20;
  int bounced = 0, struck = 0;
  const int cases = scaled(400, 100);
  for (int i = 0; i < cases; ++i) {
    World world;
    const NodeId floor = add_plane(world);
    const double slow = 0.7, time = 0.3 * kStep, later = time + 1e-3 * kStep * (i % 100 - 40);
    const auto fall = [](double speed, double t) { return speed * t + 0.5 * kGravity * t * t; };
    const NodeId low = world.add(Shape::sphere(kRadius), at({0, 0, kRadius + fall(slow, time)}));
    const NodeId high = world.add(Shape::sphere(kRadius),
                                  at({0.002 * (i / 100), 0, 3 * kRadius + fall(kFast, later)}));
    Dynamics dynamics(world, {.tolerance = 1e-7,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 0.9, .friction = 0}});
    dynamics.add(low, 1000.0, {.linear = {0, 0, -slow}});
    dynamics.add(high, 1000.0, {.linear = {0, 0, -kFast}});
    const DynamicsResult& step = dynamics.step(kStep);
    const auto first = [&](NodeId a, NodeId b) {
      return std::find_if(step.impacts.begin(), step.impacts.end(),
                          [&](const Impact& impact) { return impact.a == a && impact.b == b; });
    };
    const auto above = first(low, high), below = first(floor, low);
    ASSERT_TRUE(above != step.impacts.end() && below != step.impacts.end()) << i;
    const bool bounces_first = below->speed < 2 * slow;
    EXPECT_EQ(below < above, bounces_first) << i << ": " << below->time << ", " << above->time;
    EXPECT_NEAR(above->speed, kFast + (bounces_first ? 0.9 : -1) * slow, 0.15) << i;
    bounced += bounces_first;
    struck += !bounces_first;
  }
  EXPECT_GT(bounced, 0.3 * cases);
  EXPECT_GT(struck, 0.05 * cases);
}

// Boxes and balls in a box, which meet each other and the walls at any time of a step.
TEST(DynamicsParabola, ACrowdKeepsItsEnergy) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-1, 1);
  int met = 0, changed = 0;  // in steps
  for (int run = 0; run < scaled(20, 4); ++run) {
    World world;
    for (const Vec3& normal : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())})
      for (const double side : {-1.0, 1.0})
        world.add(Shape::half_space(side * normal, -1.5), {}, {.fixed = true});
    Dynamics dynamics(world, {.tolerance = 1e-6,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 1, .friction = 0}});
    for (int i = 0; i < 8; ++i) {
      const Vec3 place(i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 - 0.5);
      const NodeId node = world.add(Shape::sphere(0.2), at(1.3 * place));
      const double x = number(random), y = number(random), z = number(random);
      dynamics.add(node, 1000.0, {.linear = {6 * x, 6 * y, 6 * z}});
    }
    double last = energy(dynamics);
    for (int i = 0; i < 240; ++i) {
      const DynamicsResult& step = dynamics.step(kStep);
      const double before = last;
      last = energy(dynamics);
      const auto earlier = [](const Impact& a, const Impact& b) { return a.time < b.time; };
      EXPECT_TRUE(std::is_sorted(step.impacts.begin(), step.impacts.end(), earlier));
      EXPECT_LE(last, before + 1e-9 * std::abs(before));
      if (!step.lost.empty() || !step.contacts.empty()) continue;
      met += !step.impacts.empty();
      changed += std::abs(last - before) > 1e-9 * std::abs(before);
    }
  }
  EXPECT_GT(met, 250);
  // A body that comes too slowly for an impact is at rest, which takes energy.
  EXPECT_LT(100 * changed, met);
}

}  // namespace
}  // namespace touche::dynamics_parabola_test
