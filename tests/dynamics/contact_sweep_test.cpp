// SPDX-License-Identifier: Apache-2.0
// Compares iterations on compact contacts with iterations row by row.
#include "dynamics/contact_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "counted_new.h"
#include "random.h"

namespace touche {
namespace {

using scenes::Random;

// Bodies that lie on each other at random contact points; the last one does not move.
struct Heap {
  std::vector<dynamics::SolverBody> bodies;
  std::vector<dynamics::SolverContact> contacts;

  explicit Heap(std::uint64_t seed, Index count = 20, int contact_count = 60) {
    base::Random random(seed);
    for (Index i = 0; i < count; ++i) {
      dynamics::SolverBody body{random.in_box(1) - Vec3(0, 0, 2), random.in_box(1)};
      body.inverse_mass = random.uniform(0.2, 2);
      const Mat3 shape = Mat3::Identity() + 0.3 * random.in_box(1) * random.in_box(1).transpose();
      body.inverse_inertia = body.inverse_mass * shape * shape.transpose();
      bodies.push_back(body);
    }
    bodies.emplace_back();
    for (int i = 0; i < contact_count; ++i) {
      const Index a = random.below(count);
      const Index b = random.uniform() < 0.2 ? count : (a + 1 + random.below(count - 1)) % count;
      contacts.push_back(dynamics::solver_contact(bodies, a, b, random.direction(),
                                                  random.in_box(0.5), random.in_box(0.5),
                                                  random.uniform(0, 1)));
      contacts.back().least_speed = random.uniform(-0.1, 0.1);
    }
  }
};

double difference(const Heap& x, const Heap& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.bodies.size(); ++i)
    most = std::max({most, (x.bodies[i].linear - y.bodies[i].linear).norm(),
                     (x.bodies[i].angular - y.bodies[i].angular).norm()});
  for (std::size_t i = 0; i < x.contacts.size(); ++i)
    most = std::max(
        most, (dynamics::impulse_of(x.contacts[i]) - dynamics::impulse_of(y.contacts[i])).norm());
  return most;
}

TEST(ContactSweep, PassesAreThoseRowByRow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Heap rows(seed), swept(seed);
    dynamics::ContactSweep sweep;
    sweep.begin(swept.bodies, swept.contacts);
    for (int i = 0; i < 12; ++i) {
      const double by_rows = dynamics::pass(rows.bodies, rows.contacts, i % 2 == 0);
      const double by_sweep = sweep.pass(i % 2 == 0);
      sweep.give_impulses(swept.contacts);
      EXPECT_NEAR(by_rows, by_sweep, 1e-9 * (1 + by_rows)) << seed << ' ' << i;
      EXPECT_LT(difference(rows, swept), 1e-9) << seed << ' ' << i;
    }
    const auto sliding = std::count_if(
        swept.contacts.begin(), swept.contacts.end(), [](const dynamics::SolverContact& c) {
          const double along = std::hypot(c.tangents[0].impulse, c.tangents[1].impulse);
          return along > 0.999 * c.friction * c.normal.impulse && along > 0;
        });
    EXPECT_GT(sliding, 0);
    EXPECT_LT(sliding, 60);
  }
}

// Whatever the instruction set.
TEST(ContactBatches, PassesAreThoseContactByContact) {
  for (const dynamics::ContactBatchKernels& kernels : dynamics::contact_batch_kernels_of_targets())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Heap swept(seed, 150, 500);
      swept.contacts[7].normal.impulse = -0.25;  // where conjugate directions led to a pull
      Heap in_batches = swept;
      dynamics::ContactSweep sweep;
      dynamics::ContactBatches batches;
      sweep.begin(swept.bodies, swept.contacts);
      ASSERT_TRUE(batches.begin(in_batches.bodies, in_batches.contacts, kernels));
      for (int i = 0; i < 12; ++i) {
        sweep.remember();
        batches.remember();
        EXPECT_EQ(sweep.pass(i % 2 == 0), batches.pass(i % 2 == 0));
        const dynamics::SweepChange a = sweep.change(), b = batches.change();
        EXPECT_GT(a.energy, 0);
        EXPECT_EQ(a.energy, b.energy);
        EXPECT_EQ(a.square, b.square);
        if (i == 5) {
          sweep.forget_direction();
          batches.forget_direction();
        } else {
          sweep.go_on(0.3);
          batches.go_on(0.3);
        }
        EXPECT_EQ(sweep.speeds().square, batches.speeds().square);
        sweep.give_impulses(swept.contacts);
        batches.give_impulses(in_batches.contacts);
        batches.end();
        EXPECT_EQ(difference(swept, in_batches), 0) << seed << ' ' << i;
      }
    }
}

// All contacts of a pair wait for each other.
TEST(ContactBatches, DoNotPayForOnePair) {
  Heap heap(1, 60, 200);
  for (dynamics::SolverContact& contact : heap.contacts) {
    contact.a = 3;
    contact.b = 5;
  }
  dynamics::ContactBatches batches;
  EXPECT_FALSE(batches.begin(heap.bodies, heap.contacts));
}

// Both end where an iteration changes nothing. Impulses need not be equal, as there may be many
// solutions.
TEST(ContactSweep, TheSolutionIsThatOfTheOtherSolver) {
  int solved = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Heap rows(seed), swept(seed);
    for (Heap* heap : {&rows, &swept})
      for (dynamics::SolverContact& contact : heap->contacts)
        contact.friction = 0;  // then there is one
    dynamics::ContactSolver solver;
    dynamics::SweptSolver sweep;
    const int most = 2000;
    const bool both = solver.solve(rows.bodies, rows.contacts, most, 1e-10) < most &&
                      sweep.solve(swept.bodies, swept.contacts, most, 1e-10) < most;
    if (!both) continue;
    ++solved;
    for (std::size_t i = 0; i < rows.bodies.size(); ++i)
      EXPECT_LT((rows.bodies[i].linear - swept.bodies[i].linear).norm(), 1e-6) << seed;
  }
  EXPECT_GT(solved, 30);
}

// Speeds whose squares overflow: how fast passes converge is no number then.
TEST(ContactSweep, StaysFiniteWhereEnergyOverflows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Heap rows(seed), swept(seed);
    for (Heap* heap : {&rows, &swept})
      for (dynamics::SolverBody& body : heap->bodies) {
        body.linear *= 1e160;
        body.angular *= 1e160;
      }
    dynamics::ContactSolver solver;
    dynamics::SweptSolver sweep;
    (void)solver.solve(rows.bodies, rows.contacts, 30, 1);
    (void)sweep.solve(swept.bodies, swept.contacts, 30, 1);
    for (const Heap* heap : {&rows, &swept}) {
      for (const dynamics::SolverBody& body : heap->bodies)
        EXPECT_TRUE(body.linear.allFinite() && body.angular.allFinite()) << seed;
      for (const dynamics::SolverContact& contact : heap->contacts)
        EXPECT_TRUE(dynamics::impulse_of(contact).allFinite()) << seed;
    }
  }
}

// Where conjugate directions led to a pull, and nothing slides: there is no direction to limit.
TEST(ContactSweep, APullWithoutSlidingStaysFinite) {
  std::vector<dynamics::SolverBody> bodies(2);
  bodies[0].inverse_mass = 1;
  bodies[0].linear[2] = -1;
  std::vector<dynamics::SolverContact> contacts = {
      dynamics::solver_contact(bodies, 0, 1, -Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero(), 0.5)};
  contacts[0].normal.impulse = -0.25;
  std::vector<dynamics::SolverBody> swept = bodies;
  dynamics::ContactSweep sweep;
  sweep.begin(swept, contacts);
  (void)sweep.pass(true);
  (void)dynamics::pass(bodies, contacts, true);
  EXPECT_TRUE(bodies[0].linear.allFinite());
  EXPECT_TRUE(swept[0].linear.allFinite());
  EXPECT_EQ(bodies[0].linear, swept[0].linear);
}

// Solves like SweptSolver, but makes exactly this number of iterations, in the given directions.
template <class Forwards>
void sweep_on(Heap& heap, int passes, const Forwards& forwards) {
  dynamics::ContactSweep sweep;
  sweep.begin(heap.bodies, heap.contacts);
  // Directions over few contacts outlast some growth of what passes change.
  const bool few = heap.contacts.size() < dynamics::SweptSolver::kCrowd;
  double last = 0, least = kInfinity;
  for (int i = 0; i < passes; ++i) {
    sweep.remember();
    (void)sweep.pass(forwards(i));
    if (i + 1 == passes) break;
    const double energy = sweep.change().energy, share = last > 0 ? energy / last : 0;
    last = energy;
    if (energy < 0.5 * least) least = energy;
    if (share <= 1 || (few && energy <= 1.3 * least))
      sweep.go_on(std::min(share, 1.0));
    else
      sweep.forget_direction();
  }
  sweep.give_impulses(heap.contacts);
}

TEST(SweptSolver, PassesOverManyGoOneWayAndThoseOverFewToAndFro) {
  for (const bool many : {false, true}) {
    const Heap start = many ? Heap(5, 150, 500) : Heap(5);
    dynamics::SweptSolver solver;
    for (const bool forwards : {true, false, true}) {
      Heap solved = start, expected = start, turned = start;
      EXPECT_EQ(solver.solve(solved.bodies, solved.contacts, 6, 0), 6);
      sweep_on(expected, 6, [&](int i) { return many ? forwards : i % 2 == 0; });
      sweep_on(turned, 6, [&](int i) { return many ? !forwards : i % 2 != 0; });
      EXPECT_EQ(difference(solved, expected), 0);
      EXPECT_GT(difference(solved, turned), 1e-6);
      solver.turn_round();
    }
  }
}

// Plates on each other rest on four corners each, and one corner is to open while the others stay:
// no plate can do so, and impulses move from corner to corner until one corner presses no more. All
// iterations move them by the same amount.
TEST(SweptSolver, CornersThatAskForMoreThanAPlateCanDoAreSolved) {
  const Index plates = 5;
  std::vector<dynamics::SolverBody> bodies(plates + 1);
  std::vector<dynamics::SolverContact> contacts;
  for (Index i = 0; i < plates; ++i) {
    bodies[i].linear = {0, 0, -0.16};
    bodies[i].inverse_mass = 1;
    bodies[i].inverse_inertia = 6 * Mat3::Identity();
  }
  for (Index i = 0; i < plates; ++i)
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        contacts.push_back(dynamics::solver_contact(bodies, i == 0 ? plates : i - 1, i,
                                                    Vec3::UnitZ(), {x, y, 0.5}, {x, y, -0.5}, 0.6));
  dynamics::SweptSolver solver;
  const int most = 1000;
  const double small = 1e-6;
  EXPECT_LT(solver.solve(bodies, contacts, most, small), most);
  for (Index i = 0; i < plates; ++i) contacts[4 * i + i % 4].least_speed = 1e-3;
  EXPECT_LT(solver.solve(bodies, contacts, most, small), most);
  for (const dynamics::SolverContact& contact : contacts) {
    const double speed =
        dynamics::speed_along(contact.normal, bodies[contact.a], bodies[contact.b]);
    EXPECT_GE(speed, contact.least_speed - 10 * small);
    if (contact.normal.impulse > 1e-3) {
      EXPECT_NEAR(speed, contact.least_speed, 10 * small);
    }
  }
}

// Fewer gaps close after the same number of iterations.
TEST(SweptSolver, OneWayLeavesLess) {
  double to_and_fro = 0, one_way = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Heap start(seed, 150, 500);
    const auto left = [&](const auto& forwards) {
      Heap heap = start;
      sweep_on(heap, 60, forwards);
      double sum = 0;
      for (const dynamics::SolverContact& c : heap.contacts)
        sum += std::max(0.0, c.least_speed - dynamics::speed_along(c.normal, heap.bodies[c.a],
                                                                   heap.bodies[c.b]));
      return sum;
    };
    to_and_fro += left([](int i) { return i % 2 == 0; });
    one_way += left([](int) { return true; });
  }
  EXPECT_LT(one_way, 0.8 * to_and_fro);
}

TEST(ContactSolver, NothingBendsByMoreThanItMay) {
  base::Random random(11);
  int close = 0;
  for (int i = 0; i < 2000; ++i) {
    const double time = random.uniform(0.001, 0.1), turn = random.uniform(0, 10);
    const dynamics::SolverBody a{random.in_box(2), turn * random.in_box(1)},
        b{random.in_box(2), turn * random.in_box(1)};
    const double share = random.uniform();
    const dynamics::BendingGap gap{
        random.direction(), random.in_box(1), random.in_box(1), random.uniform(0, 1), share,
        1 - share};
    const double bends =
        dynamics::bend(gap, a, b, dynamics::turns_of(a, time), dynamics::turns_of(b, time), time);
    const double most = dynamics::most_bend(gap, a, b, time);
    EXPECT_GE(bends, -most);
    close += bends < -0.05 * most;
  }
  EXPECT_GT(close, 100);
}

TEST(ContactSweep, KnowsHowFastBodiesMove) {
  dynamics::ContactSweep sweep;
  std::vector<dynamics::SolverBody> bodies(9);  // the last one cannot move
  for (std::size_t i = 0; i < 8; ++i) {
    bodies[i].inverse_mass = 1;
    bodies[i].linear[1] = static_cast<double>(i * 5 % 8);  // 0 to 7
  }
  bodies[8].linear[0] = 1000;
  sweep.begin(bodies, {});
  EXPECT_EQ(sweep.speeds().square, 140.0 / 8);
  EXPECT_EQ(sweep.speeds().quarter, 6);
  sweep.begin(std::span(bodies).last(1), {});
  EXPECT_EQ(sweep.speeds().square, 0);
  EXPECT_EQ(sweep.speeds().quarter, 0);
}

TEST(ContactSweep, TheSecondSolveAllocatesNothing) {
  Heap few(3), many(3, 150, 500);
  for (Heap* const heap : {&few, &many}) {
    dynamics::SweptSolver solver;
    solver.solve(heap->bodies, heap->contacts, 20, 1e-12);
    const std::size_t before = test::allocations;
    solver.solve(heap->bodies, heap->contacts, 20, 1e-12);
    EXPECT_EQ(test::allocations, before);
  }
}

}  // namespace
}  // namespace touche
