// SPDX-License-Identifier: Apache-2.0
// The calls that tools/questions.txt lists as refused throw. If one of these tests fails because a
// question is answered now, its line there is out of date.
#include <gtest/gtest.h>

#include "shapes.h"
#include "touche/plane_shape.h"

namespace touche::refused_questions_test {
namespace {

TEST(RefusedQuestions, InSpace) {
  const Object object(scenes::box(Vec3(-1, -1, -1), Vec3(1, 1, 1), 1));
  const Shape soup = object, shape = Shape::sphere(1);
  EXPECT_THROW((void)depth(soup, {}, soup, {}), InvalidInput);
  EXPECT_THROW((void)depth(shape, {}, soup, {}), InvalidInput);
  EXPECT_THROW((void)depth(soup, {}, shape, {}), InvalidInput);
  EXPECT_THROW((void)ray_hits(soup, {}, {{0, 0, 0}, {1, 0, 0}}), InvalidInput);
}

TEST(RefusedQuestions, InThePlane) {
  const plane::Shape outline = plane::Object(
      plane::Outline(std::vector<plane::Chain>{{{{0, 0}, {1, 0}, {0, 1}}, true, ""}}));
  const plane::Shape volume = plane::Circle{{0, 0}, 1};
  EXPECT_THROW((void)depth(outline, {}, outline, {}), InvalidInput);
  EXPECT_THROW((void)depth(volume, {}, outline, {}), InvalidInput);
  EXPECT_THROW((void)depth(outline, {}, volume, {}), InvalidInput);
  EXPECT_THROW((void)ray_hits(outline, {}, {{0, 0}, {1, 0}}), InvalidInput);
}

}  // namespace
}  // namespace touche::refused_questions_test
