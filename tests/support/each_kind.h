// SPDX-License-Identifier: Apache-2.0
// One body of each kind, for tests that functions refuse numbers that are not finite.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "step_cases.h"
#include "touche/overlap.h"
#include "touche/plane.h"

namespace touche::test {

inline const double kNan = std::nan("");

inline void expect_refused(const char* name, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << name << " took it";
  } catch (const InvalidInput&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << ": " << error.what();
  }
}

inline Segment segment_to(const Vec3& end) { return {Vec3::Zero(), end}; }

struct EachKind : testing::Test {
  const Object a = cube(), b = cube(1);
  const Shape box = Shape::box({1, 2, 3}), ball = Shape::sphere(1), soup{a};
  const Interior inside{a}, inside_box{box};
  const Motion still = Motion::at(at(5)), way = Motion::interpolated(at(-5), at(5));
  const plane::Object square{plane::Outline(std::vector{
      plane::Chain{.points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, .closed = true, .name = {}}})};
  World world;
  const NodeId body = world.add(a, at(0)), other = world.add(ball, at(9));
};

}  // namespace touche::test
