// SPDX-License-Identifier: Apache-2.0
// Random bodies that are objects or convex shapes, and a judge of their motions.
#pragma once

#include <gtest/gtest.h>

#include "shape_cases.h"
#include "shapes.h"
#include "touche/step.h"

namespace touche::test {

inline Object some_soup(base::Random& random) {
  const double size = random.uniform(0.3, 0.8);
  if (random.below(2) == 0)
    return Object(scenes::box(Vec3::Constant(-size), Vec3::Constant(size), 1));
  return Object(
      scenes::random_soup(random.next(), {.faces = 8, .extent = size, .face_size = 0.5 * size}));
}

/// Two in three are convex shapes of any kind but half spaces.
inline NodeId add_some_body(World& world, base::Random& random, const Pose& pose,
                            const BodyOptions& options = {}, std::optional<NodeId> parent = {}) {
  if (random.below(3) == 0) return world.add(some_soup(random), pose, options, parent);
  return world.add(some_shape(random, static_cast<int>(random.below(11))), pose, options, parent);
}

/// Groups that moved until they stopped, judged by distances at instants: a pair that was separate
/// at the start was so all the time. Intervals of time are halved until the distance in the middle
/// is more than bodies move, or they are short.
class MixedWays {
 public:
  struct Way {
    Shape shape;
    Motion motion;  // of the body, on all of the step
    Index group;    // kNone: it stands
  };
  std::vector<Way> ways;

  /// Records the motions of all bodies; it is to be made before the step. `motions` belong to the
  /// groups.
  MixedWays(const World& world, std::span<const NodeId> groups, std::span<const Motion> motions) {
    for (const NodeId body : world.bodies()) {
      Way way{world.shape(body), Motion::at(world.pose(body)), kNone};
      for (std::optional<NodeId> node = body; node && way.group == kNone;
           node = world.parent(*node))
        for (Index g = 0; g < groups.size(); ++g)
          if (groups[g] == *node) {
            way.group = g;
            way.motion = motions[g].carrying(relative(world.pose(groups[g]), world.pose(body)));
          }
      ways.push_back(way);
    }
  }

  /// Pairs for which `skip` is true are not tested.
  template <class Skip>
  void expect_free(const StepResult& step, const Skip& skip) const {
    for (std::size_t i = 0; i < ways.size(); ++i)
      for (std::size_t j = i + 1; j < ways.size(); ++j) {
        if (ways[i].group == ways[j].group || skip(i, j)) continue;
        const Way a = really(ways[i], step), b = really(ways[j], step);
        if (gap(a, b, 0).lower == 0) continue;
        ASSERT_TRUE(apart(a, b, 0, 1, 0)) << i << " " << j;
        ASSERT_GT(gap(a, b, 1).upper, 0) << i << " " << j;
      }
  }

  static Bracket gap(const Way& a, const Way& b, double t) {
    return distance(a.shape, a.motion.pose(t), b.shape, b.motion.pose(t)).distance;
  }

 private:
  static Way really(Way way, const StepResult& step) {
    const double reached = way.group == kNone ? 1 : step.groups[way.group].reached;
    if (reached >= 1) return way;
    if (reached <= 0) {
      way.motion = Motion::at(way.motion.pose(0));
      return way;
    }
    const std::vector parts{way.motion.part(0, reached), Motion::at(way.motion.pose(reached))};
    const double times[] = {0, reached, 1};
    way.motion = Motion::chain(parts, times);
    return way;
  }
  static double moves(const Way& way, double middle, double begin, double end) {
    if (way.shape.kind() == ShapeKind::half_space) return way.motion.is_still() ? 0 : kInfinity;
    return way.motion.displacement_bound(way.shape.bounds(), middle, begin, end);
  }
  static bool apart(const Way& a, const Way& b, double begin, double end, int depth) {
    constexpr int kDeep = 8;
    const double middle = 0.5 * (begin + end);
    const Bracket between = gap(a, b, middle);
    if (between.lower > moves(a, middle, begin, end) + moves(b, middle, begin, end)) return true;
    if (between.upper == 0) return false;
    return depth == kDeep ||
           (apart(a, b, begin, middle, depth + 1) && apart(a, b, middle, end, depth + 1));
  }
};

}  // namespace touche::test
