// SPDX-License-Identifier: Apache-2.0
// Steps that were recorded, taken again: the same to the last bit. Damaged files are refused.
#include "touche/step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "random.h"
#include "shapes.h"
#include "signed_session.h"
#include "temporary_folder.h"
#include "test_scale.h"

namespace touche::session_test {
namespace {

using scenes::Random;

// A file of its own per test, removed at the end.
class SessionTest : public testing::Test {
 protected:
  std::string bytes() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& content) const { std::ofstream(file, std::ios::binary) << content; }

  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "recorded";
};

Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }

// Squares and triangles, in groups with names.
Object house() {
  const double coordinates[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 0, 1.5};
  const Index corners[] = {0, 1, 2, 3, 3, 2, 4}, sizes[] = {4, 3}, groups[] = {1, 0};
  return Object(PolygonSoup(coordinates, corners, sizes, groups, {"roof", "wall"}), "house");
}

// Bodies that come, go, move, hang on each other and become others.
struct Traffic {
  explicit Traffic(std::uint64_t seed) : random(seed) {
    world.add_group(at(0.25), {}, "group");
    for (int i = 0; i < 10; ++i) add();
  }

  base::Random random;
  World world;
  Stepper stepper{world};
  std::vector<Object> objects = {house(),
                                 Object(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5), 1)),
                                 Object(scenes::bumpy_sphere(80, 7), "sphere")};

  Pose some_pose() {
    const Vec3 axis = random.direction();
    const double angle = random.uniform(0, 3);
    return Pose::from_axis_angle(axis, angle, random.in_box(3));
  }
  NodeId any() {
    const std::vector<NodeId> bodies = world.bodies();
    return bodies[random.below(static_cast<Index>(bodies.size()))];
  }
  void add() {
    const Pose pose = some_pose();
    const bool hangs = world.body_count() > 0 && random.below(3) == 0;
    const std::optional<NodeId> above = hangs ? std::optional(any()) : std::nullopt;
    world.add(objects[random.below(3)], pose, {.fixed = random.below(5) == 0}, above, "body");
  }
  void change_world() {
    if (random.below(3) == 0) add();
    if (random.below(3) == 0 && world.body_count() > 8) world.remove(any());
    const NodeId node = any(), other = any();
    switch (random.below(10)) {
      case 0:
        world.set_pose(node, some_pose());
        break;
      case 1:
        world.replace(node, objects[random.below(3)]);
        break;
      case 2:
        world.set_options(node, {.mask = random.below(3)});
        break;
      case 3:
        world.detach(node);
        break;
      case 4:
        if (world.children(node).empty() && node != other) world.attach(node, other);
        break;
      case 5:
        stepper.forget();
        break;
      case 6:
        world.set_pose(node, world.pose(node));
        break;
      default:
        break;
    }
  }
  Motion some_motion(const Pose& start) {
    const Vec3 by = random.in_box(1.5), axis = random.direction();
    const Pose end = Pose::from_quaternion_unchecked(
        Eigen::Quaterniond(Eigen::AngleAxisd(by.x(), axis)) * start.rotation(),
        start.translation() + by);
    switch (random.below(4)) {
      case 0:
        return Motion::screw(start, by, axis, by.x(), by.y());
      case 1:
        return Motion::interpolated(start, end, Interpolation::nlerp);
      case 2:
        return Motion::through(std::vector<Pose>{start, end, start});
      default:
        return Motion::interpolated(start, end);
    }
  }
  void give_motions() {
    for (const NodeId body : world.bodies())
      if (random.below(2) == 0) stepper.move(body, some_motion(world.pose(body)));
  }
  StepOptions some_options() {
    StepOptions options{.tolerance = 1e-3, .policy = static_cast<StepPolicy>(random.below(4))};
    if (random.below(3) == 0) options.clearance = 0.05;
    if (random.below(3) == 0) options.budget.max_work = random.below(300);
    options.share = static_cast<BudgetShare>(random.below(3));
    options.guess = static_cast<Guess>(random.below(4));
    options.events = random.below(4) != 0;
    if (options.events && random.below(2) == 0) options.near_distance = 0.3;
    options.respond = [this](const StepContact& met) {
      std::vector<GroupMotion> given;
      if (met.group_a.index != kNone && random.below(3) != 0)
        given.push_back({met.group_a, some_motion(random.below(6) == 0 ? at(9) : met.pose_a)});
      return given;
    };
    return options;
  }
};

// Everything that a step says, as text.
std::string told(const StepResult& step, const World& world) {
  std::string text;
  const auto put = [&](double x) {
    char number[40];
    std::snprintf(number, sizeof number, "%a ", x);
    text += number;
  };
  for (const StepGroup& group : step.groups) {
    put(group.node.index);
    put(group.reached);
    put(group.contact);
  }
  for (const auto* list : {&step.contacts, &step.undecided})
    for (const StepPair& pair : *list) {
      for (const Index x : {pair.a.index, pair.a.generation, pair.b.index, pair.b.generation})
        put(x);
      text += name(pair.status);
      put(pair.time.lower);
      put(pair.time.upper);
      if (pair.contact)
        for (int k = 0; k < 3; ++k) put(pair.contact->point_a[k] + 2 * pair.contact->point_b[k]);
    }
  for (const PairEvents* events : {&step.contact_events, &step.near_events})
    for (const auto* list : {&events->began, &events->going_on, &events->ended})
      for (const PairEvent& event : *list) {
        put(event.a.index);
        put(event.b.index);
        put(static_cast<double>(event.id));
      }
  for (const std::size_t x :
       {step.stats.pairs, step.stats.questions, step.stats.responses, step.stats.measured})
    put(static_cast<double>(x));
  put(static_cast<double>(step.stats.queries.node_pairs));
  put(step.time.lower);
  for (const NodeId body : world.bodies()) {
    const Pose pose = world.pose(body);
    for (int k = 0; k < 4; ++k) put(pose.rotation().coeffs()[k]);
    for (int k = 0; k < 3; ++k) put(pose.translation()[k]);
    text += world.name(body) + world.object(body).name();
  }
  return text;
}

TEST_F(SessionTest, ReplaysAllStepsToTheLastBit) {
  int threw = 0, responses = 0, went_on = 0, undecided = 0;
  for (int round = 0; round < test::scaled(30, 20); ++round) {
    Traffic traffic(300 + static_cast<std::uint64_t>(round));
    std::vector<std::string> expected;
    if (round % 2 == 0) {  // begun when steps were taken already
      traffic.give_motions();
      (void)traffic.stepper.run({.tolerance = 1e-3, .policy = StepPolicy::each, .events = true});
    }
    traffic.stepper.record(file);
    for (int k = 0; k < 20; ++k) {
      traffic.change_world();
      traffic.give_motions();
      StepOptions options = traffic.some_options();
      const auto note = [&](const auto& take) {
        try {
          const StepResult& step = take();
          undecided += !step.undecided.empty();
          expected.push_back(told(step, traffic.world));
        } catch (const InvalidInput& error) {
          expected.emplace_back(error.what());
          ++threw;
        }
      };
      note([&]() -> const StepResult& { return traffic.stepper.run(options); });
      if (options.policy != StepPolicy::report || k % 2 == 0) continue;
      options.policy = StepPolicy::each;
      options.budget = {};
      note([&]() -> const StepResult& { return traffic.stepper.go_on(options); });
      ++went_on;
    }
    traffic.stepper.record({});
    (void)traffic.stepper.run({.tolerance = 1});  // is not in the file
    for (const int threads : {1, 0}) {
      SessionReplay replay(file);
      for (const std::string& text : expected) {
        const ReplayedStep* step = replay.next(threads);
        ASSERT_NE(step, nullptr);
        ASSERT_EQ(step->result ? told(*step->result, replay.world()) : step->error, text);
        EXPECT_TRUE(step->same);
        EXPECT_FALSE(step->was_timed);
        if (step->result) responses += static_cast<int>(step->result->stats.responses);
      }
      EXPECT_EQ(replay.next(), nullptr);
    }
  }
  EXPECT_GT(threw, 2);
  EXPECT_GT(responses, 10);
  EXPECT_GT(went_on, 4);
  EXPECT_GT(undecided, 4);
}

// ---- what cannot be written ---------------------------------------------------------------------

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST_F(SessionTest, FunctionsAreRefusedByName) {
  World world;
  const NodeId part = world.add(house(), {}, {}, {}, "part");
  Stepper stepper(world);
  stepper.record(file);
  const StepOptions options{.tolerance = 1e-3, .policy = StepPolicy::each};
  const auto go = [&] { (void)stepper.run(options); };
  stepper.move(part, Motion::function([](double t) { return at(t); }, 1, 0));
  EXPECT_EQ(error_of(go),
            "session: the motion of node 0 (\"part\") is a function, which cannot be written to a "
            "file");
  EXPECT_EQ(world.pose(part).translation(), Vec3::Zero());
  world.set_pair_filter([](NodeId, NodeId) { return true; });
  EXPECT_NE(error_of(go).find("pair filter"), std::string::npos);
  world.set_pair_filter({});
  stepper.move(part, Motion::interpolated({}, at(3)));
  EXPECT_EQ(error_of(go), "none");
  EXPECT_THROW(stepper.record("/no/such/folder/session"), LoadError);
  SessionReplay replay(file);
  const ReplayedStep* step = replay.next();
  ASSERT_NE(step, nullptr);
  EXPECT_TRUE(step->same);
  EXPECT_EQ(step->motions.size(), 1U);
  EXPECT_EQ(replay.world().pose(part).translation(), Vec3(3, 0, 0));
  EXPECT_EQ(replay.world().object(part).soup().face_group(1), "roof");
  EXPECT_EQ(replay.next(), nullptr);
}

// The second step moves back, and the replay ends before the copy is read.
TEST_F(SessionTest, ACopyOfAReplayedStepOutlivesTheReplay) {
  World world;
  const Object cube(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5), 1));
  const NodeId part = world.add(cube), wall = world.add(cube, at(2), {.fixed = true});
  Stepper stepper(world);
  stepper.record(file);
  const StepOptions options{
      .tolerance = 1e-3, .policy = StepPolicy::respond, .respond = [](const StepContact&) {
        return std::vector<GroupMotion>();
      }};
  for (const double to : {4.0, -1.0}) {
    stepper.move(part, Motion::interpolated(world.pose(part), at(to)));
    (void)stepper.run(options);
  }
  stepper.record({});

  ReplayedStep kept;
  {
    SessionReplay replay(file);
    const ReplayedStep* step = replay.next();
    ASSERT_NE(step, nullptr);
    kept = *step;
    step = replay.next();
    ASSERT_NE(step, nullptr);
    ASSERT_TRUE(step->result);
    EXPECT_TRUE(step->same);
    EXPECT_TRUE(step->result->contacts.empty());
  }
  EXPECT_TRUE(kept.same);
  ASSERT_EQ(kept.motions.size(), 1U);
  EXPECT_EQ(kept.motions[0].motion.pose(1).translation(), Vec3(4, 0, 0));
  EXPECT_EQ(kept.options.policy, StepPolicy::respond);
  EXPECT_FALSE(kept.options.respond) << "the replay's own function ends with it";
  ASSERT_TRUE(kept.result);
  EXPECT_EQ(kept.result->stats.responses, 1U);
  ASSERT_EQ(kept.result->contacts.size(), 1U);
  EXPECT_EQ(kept.result->contacts[0].b, wall);
}

// ---- damaged files ------------------------------------------------------------------------------

class DamagedSession : public SessionTest {
 protected:
  DamagedSession() {
    Traffic traffic(400);
    traffic.stepper.record(file);
    for (int k = 0; k < 2; ++k) {
      traffic.change_world();
      traffic.give_motions();
      (void)traffic.stepper.run({.tolerance = 1e-3, .policy = StepPolicy::each, .events = true});
    }
    traffic.stepper.record({});
    good = bytes();
  }

  std::string good;

  // How many steps come before the end, or the error.
  struct Outcome {
    int same = 0, others = 0;
    bool refused = false;
  };
  Outcome replay() const {
    Outcome outcome;
    try {
      SessionReplay replay(file);
      while (const ReplayedStep* step = replay.next(1))
        ++(step->same ? outcome.same : outcome.others);
    } catch (const LoadError& error) {
      EXPECT_EQ(error.file(), file.string());
      outcome.refused = true;
    }
    return outcome;
  }
};

TEST_F(DamagedSession, ACutFileHasFewerSteps) {
  ASSERT_EQ(replay().same, 2);
  int refused = 0, total = 0;
  for (std::size_t size = 0; size < good.size(); size += 1 + size / 16) {
    write(good.substr(0, size));
    const Outcome outcome = replay();
    EXPECT_LT(outcome.same, 2);
    refused += outcome.refused;
    ++total;
  }
  EXPECT_GT(refused, total / 2);
}

TEST_F(DamagedSession, AFlippedBitIsNoticed) {
  base::Random random(5);
  for (int round = 0; round < test::scaled(300, 50); ++round) {
    std::string bad = good;
    const Index place = random.below(static_cast<Index>(bad.size()));
    bad[place] = static_cast<char>(bad[place] ^ (1 << random.below(8)));
    write(bad);
    EXPECT_TRUE(replay().refused) << place;
  }
}

// A file that is altered on purpose has right checksums, too: the data must be checked when read.
TEST_F(DamagedSession, AForgedFileIsRefusedOrTaken) {
  base::Random random(6);
  int refused = 0, total = 0;
  // More of them would include a motion with enough turns to make its proof take minutes.
  for (int round = 0; round < std::min(test::scaled(300, 100), 300); ++round) {
    std::string bad = good;
    for (Index count = 1 + random.below(4); count > 0; --count) {
      const Index place = 16 + random.below(static_cast<Index>(bad.size()) - 16);
      const int byte = random.below(2) == 0 ? bad[place] ^ (1 << random.below(8))
                                            : static_cast<int>(random.below(256));
      bad[place] = static_cast<char>(byte);
    }
    test::sign_session(bad);
    write(bad);
    refused += replay().refused;  // and it comes to an end
    ++total;
  }
  EXPECT_GT(refused, total / 10);
  EXPECT_LT(refused, total);
}

}  // namespace
}  // namespace touche::session_test
