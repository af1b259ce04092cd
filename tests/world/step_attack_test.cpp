// SPDX-License-Identifier: Apache-2.0
// Random steps, as nasty as they come: whatever a step moved, it moved without a contact.
// `./dev nightly` takes a hundred thousand of them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "random_world.h"
#include "test_scale.h"

namespace touche::step_attack_test {
namespace {

using scenes::Random;
using test::RandomWorld;
using test::RandomWorldOptions;

struct Kind {
  const char* name;
  RandomWorldOptions world;
  double tolerance = 1e-3, clearance = 0;
};
const Kind kKinds[] = {
    {"few", {}},
    {"crowded", {.least = 10, .most = 25, .room = 3, .way = 0.5, .turn = 0.5}},
    {"many", {.least = 30, .most = 50, .room = 6, .way = 1, .turn = 1}},
    {"fast", {.most = 6, .way = 20, .turn = 12}, 1e-2},
    {"slow", {.room = 2.5, .way = 0.01, .turn = 0.01}, 1e-4},
    {"tiny", {.scale = 1e-7}, 1e-10},
    {"huge", {.scale = 1e7}, 1e4},
    {"keeping clear", {.room = 5}, 1e-3, 0.2},
    {"coarse", {}, 0.3},
    {"within the tolerance", {.most = 4, .room = 1.2, .way = 0.4, .turn = 0.5}, 0.8},
    {"within the clearance", {.most = 4, .room = 1.2, .way = 0.4, .turn = 0.5}, 0.3, 0.2},
};

// More of some kinds stop than of others, and a short test has few worlds of each.
constexpr int kEnoughRounds = 100;

class StepPolicies : public testing::TestWithParam<StepPolicy> {};

TEST_P(StepPolicies, TheWaysTakenAreFree) {
  base::Random random(212 + static_cast<std::uint64_t>(GetParam()) + test::first_seed());
  int stopped = 0, total = 0;
  const int rounds = test::scaled(130, 18);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    const Kind& kind = kKinds[static_cast<std::size_t>(round) % std::size(kKinds)];
    RandomWorld s(random, kind.world);
    Stepper stepper(s.world);
    for (int k = 0; k < 4; ++k) {
      const test::Ways ways(s);
      s.give_motions(stepper);
      StepOptions options;
      options.tolerance = kind.tolerance;
      options.clearance = kind.clearance;
      options.policy = GetParam();
      const StepResult& step = stepper.run(options);
      ways.expect_free(step);
      ASSERT_FALSE(HasFatalFailure()) << kind.name << ", round " << round << ", step " << k;
      EXPECT_TRUE(step.undecided.empty());
      for (std::size_t g = 0; g < s.groups.size(); ++g) {
        stopped += step.groups[g].reached < 1;
        ++total;
        const Vec3 off = s.world.pose(s.groups[g]).translation() -
                         s.motions[g].pose(step.groups[g].reached).translation();
        EXPECT_LE(off.norm(), 1e-11 * kind.world.scale);
      }
      s.move(random);
    }
  }
  const double some = rounds < kEnoughRounds ? 0.15 : 0.3;
  EXPECT_GT(stopped, some * total);
  EXPECT_LT(stopped, (GetParam() == StepPolicy::each ? 1 - some : 1) * total);
}

// The motions of groups, which change within a step.
struct ChangingWays {
  struct Piece {
    double begin;
    Motion motion;
  };
  std::vector<std::vector<Piece>> groups;

  explicit ChangingWays(const std::vector<Motion>& motions) {
    for (const Motion& motion : motions) groups.push_back({{0, motion}});
  }
  void change(std::size_t g, double t, const Motion& motion) { groups[g].push_back({t, motion}); }
  Pose pose(std::size_t g, double t) const {
    std::size_t i = groups[g].size() - 1;
    while (i > 0 && groups[g][i].begin > t) --i;
    const Piece& piece = groups[g][i];
    return piece.motion.pose(piece.begin < 1 ? (t - piece.begin) / (1 - piece.begin) : 1);
  }
};

// Bodies that meet are given other ways at random, or none.
struct RandomResponses {
  base::Random& random;
  struct Call {
    StepPair pair;
    std::vector<GroupMotion> answers;
  };
  std::vector<Call> calls;

  std::vector<GroupMotion> operator()(const StepContact& contact) {
    Call& call = calls.emplace_back();
    call.pair = contact.pair;
    for (const auto& [node, pose] :
         {std::pair(contact.group_a, contact.pose_a), std::pair(contact.group_b, contact.pose_b)}) {
      if (node.index == kNone || random.below(3) == 0) continue;
      const Vec3 away = random.in_box(2), axis = random.direction();
      const double angle = random.uniform(-1, 1);
      const Pose turned = Pose::from_axis_angle(axis, angle, Vec3::Zero()) * pose;
      call.answers.push_back(
          {node, Motion::interpolated(pose, Pose::from_quaternion_unchecked(
                                                turned.rotation(), pose.translation() + away))});
    }
    return call.answers;
  }
};

// Returns the motions as calls and the contacts that stopped groups changed them.
ChangingWays ways_of(const RandomWorld& s, const StepResult& step,
                     const RandomResponses& responses) {
  ChangingWays ways(s.motions);
  auto call = responses.calls.begin();
  for (const StepPair& contact : step.contacts) {
    const double t = contact.time.lower;
    const bool called = call != responses.calls.end() && call->pair.a == contact.a &&
                        call->pair.b == contact.b && call->pair.time == contact.time;
    std::vector<Index> given;
    if (called)
      for (const GroupMotion& answer : call->answers) {
        given.push_back(s.group_of(answer.node));
        ways.change(given.back(), t, answer.motion);
      }
    call += called;
    for (const NodeId body : {contact.a, contact.b}) {
      const Index g = s.group_of(body);
      if (g != kNone && std::find(given.begin(), given.end(), g) == given.end())
        ways.change(g, t, Motion::at(ways.pose(g, t)));
    }
  }
  EXPECT_EQ(call, responses.calls.end());
  return ways;
}

TEST(StepAttack, ResponsesKeepTheWaysFree) {
  base::Random random(214 + test::first_seed());
  std::size_t calls = 0;
  for (int round = 0; round < test::scaled(130, 18); ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    RandomWorld s(random, kKinds[static_cast<std::size_t>(round) % 3].world);
    std::vector<Pose> starts, group_starts;
    for (const NodeId body : s.bodies) starts.push_back(s.world.pose(body));
    for (const NodeId group : s.groups) group_starts.push_back(s.world.pose(group));
    Stepper stepper(s.world);
    s.give_motions(stepper);
    RandomResponses responses{random, {}};
    StepOptions options;
    options.tolerance = 1e-3;
    options.policy = StepPolicy::respond;
    options.max_responses = 12;
    options.respond = std::ref(responses);
    const StepResult& step = stepper.run(options);
    EXPECT_EQ(step.stats.responses, responses.calls.size());
    calls += responses.calls.size();
    const ChangingWays ways = ways_of(s, step, responses);
    const auto pose_at = [&](std::size_t i, double t) {
      const Index g = s.group_of(s.bodies[i]);
      return g == kNone ? starts[i] : ways.pose(g, t) * relative(group_starts[g], starts[i]);
    };
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      const Vec3 off = pose_at(i, 1).translation() - s.world.pose(s.bodies[i]).translation();
      EXPECT_LE(off.norm(), 1e-11);
      for (std::size_t j = i + 1; j < s.bodies.size(); ++j) {
        if (s.group_of(s.bodies[i]) == s.group_of(s.bodies[j])) continue;
        const auto touch = [&](double t) {
          return intersects(s.world.object(s.bodies[i]), pose_at(i, t), s.world.object(s.bodies[j]),
                            pose_at(j, t))
              .intersects;
        };
        if (touch(0)) continue;
        constexpr int kSamples = 64;
        for (int k = 1; k <= kSamples; ++k)
          ASSERT_FALSE(touch(static_cast<double>(k) / kSamples)) << round << ": " << i << " " << j;
      }
    }
  }
  EXPECT_GT(calls, 30U);
}

INSTANTIATE_TEST_SUITE_P(StepAttack, StepPolicies,
                         testing::Values(StepPolicy::together, StepPolicy::each),
                         [](const auto& values) { return std::string(name(values.param)); });

}  // namespace
}  // namespace touche::step_attack_test
