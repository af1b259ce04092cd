// SPDX-License-Identifier: Apache-2.0
// Steps of shapes in a steady state allocate nothing, nor does the time of impact of a shape and an
// object with a workspace. Counts calls of operator new in this whole program.
#include "counted_new.h"
#include "mixed_world.h"
#include "shape_motions.h"
#include "test_scale.h"

namespace touche {
namespace {

// A row of bodies of all kinds above a floor, which tremble so that neighbours meet now and then.
struct TremblingRow {
  World world;
  std::vector<NodeId> moved;
  base::Random random{41};

  TremblingRow() {
    world.add(Shape::half_space({0, 0, 1}, -0.55), {}, {.fixed = true});
    const Object sphere(scenes::bumpy_sphere(400, 1));
    for (int i = 0; i < 24; ++i) {
      const Pose home = Pose::from_translation({1.05 * i, 0, 0});
      moved.push_back(
          i % 4 == 0
              ? world.add(Object(scenes::box(Vec3::Constant(-0.5), Vec3::Constant(0.5), 1)), home)
          : i % 4 == 1 ? world.add(Shape::sphere(0.5), home)
          : i % 4 == 2 ? world.add(Shape::cylinder(0.5, 1), home)
                       : world.add(Shape::box(Vec3::Constant(0.5)), home));
    }
  }
  void give_motions(Stepper& stepper) {
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Vec3 to = Vec3(1.05 * static_cast<double>(i), 0, 0) + random.in_box(0.06);
      stepper.move(moved[i],
                   Motion::interpolated(world.pose(moved[i]), Pose::from_translation(to)));
    }
  }
};

TEST(StepShapesMemory, ASteadyStateAllocatesNothing) {
  for (const StepPolicy policy : {StepPolicy::report, StepPolicy::together, StepPolicy::each}) {
    TremblingRow row;
    Stepper stepper(row.world);
    const StepOptions options{
        .tolerance = 1e-3, .policy = policy, .threads = 1, .events = true, .near_distance = 0.02};
    std::size_t contacts = 0;
    const auto go = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        row.give_motions(stepper);
        contacts += stepper.run(options).contacts.size();
      }
    };
    go(1500);  // memory grows with the worst step so far
    contacts = 0;
    const std::size_t before = test::allocations;
    go(60);
    EXPECT_EQ(test::allocations - before, 0U) << name(policy);
    EXPECT_GT(contacts, 20U);
  }
}

TEST(StepShapesMemory, AWorkspaceIsEnoughForAShapeAndAnObject) {
  base::Random random(42);
  const Shape soup = Shape::soup(Object(scenes::bumpy_sphere(2000, 3)));
  const std::vector<Shape> shapes = {Shape::box({0.3, 0.2, 0.4}), Shape::capsule(0.2, 0.5),
                                     Shape::half_space({1, 2, 3}, -1.5)};
  Workspace workspace;
  int touching = 0;
  std::size_t allocated = 0;
  for (int round = 0; round < 2; ++round) {
    base::Random same(43);
    touching = 0;
    allocated = 0;
    for (int i = 0; i < test::scaled(300, 60); ++i) {
      const Shape& shape = shapes[static_cast<std::size_t>(i % 3)];
      const Vec3 way = same.in_box(1);
      const Motion moves =
          test::some_motion(same, i % 4, 2 * same.direction(), same.in_box(0.5) + 0.1 * way);
      const Motion still = Motion::at(test::random_pose(same, 0.2));
      const ToiOptions options{
          .tolerance = 1e-5, .may_separate = i % 2 == 0, .workspace = &workspace};
      const std::size_t before = test::allocations;
      const ToiResult result = time_of_impact(shape, moves, soup, still, options);
      allocated += test::allocations - before;
      touching += result.status != ToiStatus::free;
      // The workspace changes no answer.
      ToiOptions without = options;
      without.workspace = nullptr;
      if (round == 0) {
        EXPECT_EQ(result.time, time_of_impact(shape, moves, soup, still, without).time);
      }
    }
  }
  EXPECT_EQ(allocated, 0U);
  EXPECT_GT(touching, test::scaled(300, 60) / 3);
}

}  // namespace
}  // namespace touche
