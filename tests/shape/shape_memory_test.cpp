// SPDX-License-Identifier: Apache-2.0
// An object becomes a shape without any allocation. Counts calls of operator new in this whole
// program.
#include "counted_new.h"
#include "shapes.h"
#include "touche/shape.h"

namespace touche {
namespace {

TEST(ShapeMemory, AnObjectBecomesAShapeWithoutAllocation) {
  const Object object(scenes::box(Vec3::Constant(-1), Vec3::Constant(1), 1));
  const Shape first = object;
  const Pose beside = Pose::from_translation({3, 0, 0});
  Workspace workspace;
  const DistanceOptions options{.workspace = &workspace};
  (void)distance(first, {}, first, beside, options);
  const std::size_t before = test::allocations;
  const Shape shape = object, copy = shape, spelled = Shape::soup(object);
  EXPECT_FALSE(intersects(copy, {}, spelled, beside).intersects);
  EXPECT_NEAR(distance(shape, {}, object, beside, options).distance.upper, 1, 1e-12);
  EXPECT_EQ(test::allocations - before, 0U);
}

}  // namespace
}  // namespace touche
