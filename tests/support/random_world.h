// SPDX-License-Identifier: Apache-2.0
// Small random worlds whose bodies are given motions, and a judge of the resulting motions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "random.h"
#include "shapes.h"
#include "touche/step.h"

namespace touche::test {

struct RandomWorldOptions {
  Index least = 2, most = 11;  // bodies
  double room = 4;             // they begin in the cube [−room, room]³; they are about 1 large
  double way = 3, turn = 2;    // of motions, at most
  double scale = 1;            // all lengths times this
  double moving = 0.67;        // the share that is given motions
};

struct RandomWorld {
  World world;
  std::vector<NodeId> bodies, groups;  // groups: what is given motions
  std::vector<Motion> motions;
  RandomWorldOptions options;

  explicit RandomWorld(scenes::Random& random, const RandomWorldOptions& how = {}) : options(how) {
    const Index count = how.least + random.below(how.most - how.least + 1);
    for (Index i = 0; i < count; ++i) {
      const Object object = some_object(random, i);
      if (i > 0 && random.below(5) == 0) {
        const NodeId above = bodies[random.below(static_cast<Index>(bodies.size()))];
        bodies.push_back(world.add(object, some_pose(random, 1.5), {}, above));
      } else {
        bodies.push_back(world.add(object, some_pose(random, how.room)));
      }
    }
    move(random);
  }

  // Boxes, plates, needles, bumpy spheres and loose triangles.
  Object some_object(scenes::Random& random, std::uint64_t seed) const {
    const double size = options.scale * random.uniform(0.3, 1);
    const auto box = [](const Vec3& half) { return Object(scenes::box(-half, half, 1)); };
    switch (random.below(6)) {
      case 0:
        return box({size, size, 1e-6 * size});
      case 1:
        return box({size, 0.01 * size, 1e-3 * size});
      case 2: {
        scenes::RandomSoup soup;
        soup.faces = 6;
        soup.extent = 0.7 * size;
        soup.face_size = 0.5 * size;
        soup.slivers = 0.3;
        return Object(scenes::random_soup(seed, soup));
      }
      case 3: {
        const Object sphere(scenes::bumpy_sphere(80, seed));
        std::vector<double> coordinates;
        for (Index v = 0; v < sphere.soup().vertex_count(); ++v)
          for (int k = 0; k < 3; ++k) coordinates.push_back(size * sphere.soup().vertex(v)[k]);
        return sphere.refitted(coordinates);
      }
      default:
        return box(Vec3::Constant(size));
    }
  }

  Pose some_pose(scenes::Random& random, double reach) const {
    const Vec3 axis = random.direction();
    // Some are parallel to others, so that faces meet faces.
    const double angle = random.below(3) == 0 ? 0 : random.uniform(0, 3);
    return Pose::from_axis_angle(axis, angle, options.scale * random.in_box(reach));
  }

  // Gives most of the bodies new motions from where they are.
  void move(scenes::Random& random) {
    groups.clear();
    motions.clear();
    for (const NodeId body : bodies) {
      if (random.uniform() >= options.moving) continue;
      groups.push_back(body);
      const Pose start = world.pose(body);
      const Vec3 axis = random.direction();
      const Vec3 way = options.scale * random.in_box(options.way);
      const double turn = random.below(3) == 0 ? 0 : random.uniform(-options.turn, options.turn);
      const double travel = options.scale * random.uniform(-1, 1);
      const Pose end = Pose::from_axis_angle(axis, turn, Vec3::Zero()) * start;
      if (random.below(2) == 0)
        motions.push_back(Motion::interpolated(
            start, Pose::from_quaternion_unchecked(end.rotation(), start.translation() + way)));
      else
        motions.push_back(Motion::screw(start, start.translation() + way, axis, turn, travel));
    }
  }

  // The group that a body goes with: the nearest above it. kNone: none.
  Index group_of(NodeId body) const {
    for (std::optional<NodeId> node = body; node; node = world.parent(*node)) {
      const auto at = std::find(groups.begin(), groups.end(), *node);
      if (at != groups.end()) return static_cast<Index>(at - groups.begin());
    }
    return kNone;
  }
  void give_motions(Stepper& stepper) const {
    for (std::size_t g = 0; g < groups.size(); ++g) stepper.move(groups[g], motions[g]);
  }
};

// The motions of all bodies in a step that is about to begin.
class Ways {
 public:
  explicit Ways(const RandomWorld& world) : world_(world) {
    for (const NodeId body : world.bodies) {
      const Index g = world.group_of(body);
      const Pose start = world.world.pose(body);
      groups_.push_back(g);
      ways_.push_back(g == kNone ? Motion::at(start)
                                 : world.motions[g].carrying(
                                       relative(world.world.pose(world.groups[g]), start)));
    }
  }

  // Groups moved until they stopped. A pair that was separate at the start was so all the time:
  // intervals of time are halved until the distance in the middle is more than bodies move, or they
  // are short.
  void expect_free(const StepResult& step) const {
    for (std::size_t i = 0; i < ways_.size(); ++i)
      for (std::size_t j = i + 1; j < ways_.size(); ++j) {
        if (groups_[i] == groups_[j]) continue;
        const Motion a = really(i, step), b = really(j, step);
        if (touch(i, a, j, b, 0)) continue;
        ASSERT_TRUE(apart(i, a, j, b, 0, 1, 0)) << i << " " << j;
        ASSERT_FALSE(touch(i, a, j, b, 1)) << i << " " << j;
      }
  }

 private:
  const Object& object(std::size_t i) const { return world_.world.object(world_.bodies[i]); }

  Motion really(std::size_t i, const StepResult& step) const {
    const double reached = groups_[i] == kNone ? 1 : step.groups[groups_[i]].reached;
    if (reached >= 1) return ways_[i];
    if (reached <= 0) return Motion::at(ways_[i].pose(0));
    const Motion way = ways_[i].part(0, reached), rest = Motion::at(ways_[i].pose(reached));
    const double times[] = {0, reached, 1};
    return Motion::chain(std::vector{way, rest}, times);
  }
  bool touch(std::size_t i, const Motion& a, std::size_t j, const Motion& b, double t) const {
    return intersects(object(i), a.pose(t), object(j), b.pose(t)).intersects;
  }
  bool apart(std::size_t i, const Motion& a, std::size_t j, const Motion& b, double begin,
             double end, int depth) const {
    constexpr int kDeep = 9;
    const double middle = 0.5 * (begin + end);
    const double far = a.displacement_bound(object(i).bounds(), middle, begin, end) +
                       b.displacement_bound(object(j).bounds(), middle, begin, end);
    const DistanceResult between =
        distance(object(i), a.pose(middle), object(j), b.pose(middle), {.max_distance = 2 * far});
    if (between.distance.lower > far) return true;
    if (between.distance.upper == 0) return false;
    return depth == kDeep || (apart(i, a, j, b, begin, middle, depth + 1) &&
                              apart(i, a, j, b, middle, end, depth + 1));
  }

  const RandomWorld& world_;
  std::vector<Index> groups_;  // of each body
  std::vector<Motion> ways_;   // likewise
};

}  // namespace touche::test
