// SPDX-License-Identifier: Apache-2.0
// Steps in a steady state allocate nothing. Counts calls of operator new in this whole program.
#include "counted_new.h"
#include "random.h"
#include "shapes.h"
#include "touche/step.h"

namespace touche {
namespace {

using scenes::Random;

// Bodies that tremble in a row, some of them in groups, so that neighbours meet now and then.
struct Row {
  World world;
  std::vector<NodeId> moved;
  std::vector<Pose> homes;
  base::Random random{301};

  Row() {
    const Object sphere(scenes::bumpy_sphere(400, 1));
    for (int i = 0; i < 30; ++i) {
      const NodeId group = world.add_group(Pose::from_translation({2.05 * i, 0, 0}));
      world.add(sphere, {}, {}, group);
      if (i % 3 == 0) world.add(sphere, Pose::from_translation({0, 3, 0}), {}, group);
      moved.push_back(group);
      homes.push_back(world.pose(group));
    }
    world.add(sphere, Pose::from_translation({0, -2.3, 0}), {.fixed = true});
  }
  void give_motions(Stepper& stepper) {
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Pose start = world.pose(moved[i]);
      const Vec3 to = homes[i].translation() + random.in_box(0.1);
      stepper.move(moved[i], Motion::interpolated(start, Pose::from_translation(to)));
    }
  }
};

TEST(StepMemory, ASteadyStateAllocatesNothing) {
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each}) {
    Row row;
    Stepper stepper(row.world);
    const StepOptions options{
        .tolerance = 1e-3, .policy = policy, .threads = 1, .events = true, .near_distance = 0.02};
    std::size_t contacts = 0, events = 0;
    const auto go = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        row.give_motions(stepper);
        const StepResult& step = stepper.run(options);
        contacts += step.contacts.size();
        events += step.contact_events.began.size() + step.near_events.ended.size();
      }
    };
    go(1000);  // memory grows with the worst step so far
    contacts = 0;
    const std::size_t before = test::allocations;
    go(100);
    EXPECT_EQ(test::allocations - before, 0U) << name(policy);
    EXPECT_GT(contacts, 20U);
    EXPECT_EQ(events > 20, policy != StepPolicy::report);
  }
}

}  // namespace
}  // namespace touche
