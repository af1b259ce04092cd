// SPDX-License-Identifier: Apache-2.0
#include "times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "random.h"
#include "scenes.h"
#include "touche/step.h"

namespace touche::bench {
namespace {

double thread_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

// Times of steps, of which the first few warm up.
class Times {
 public:
  const StepResult& take(Stepper& stepper, double tolerance) {
    StepOptions options;
    options.tolerance = tolerance;
    options.policy = StepPolicy::each;
    options.threads = 1;
    const double begin = thread_milliseconds();
    const StepResult& step = stepper.run(options);
    times_.push_back(thread_milliseconds() - begin);
    questions_ += step.stats.questions;
    contacts_ += step.contacts.size();
    return step;
  }
  void tell(const char* what) const {
    constexpr std::ptrdiff_t kWarm = 5;
    double sum = 0, worst = 0;
    for (auto t = times_.begin() + kWarm; t < times_.end(); ++t) {
      sum += *t;
      worst = std::max(worst, *t);
    }
    const auto count = static_cast<double>(times_.size());
    fmt::print("{:<52} {:>9.3f} {:>9.3f} {:>10.1f} {:>9.1f}\n", what,
               sum / (count - static_cast<double>(kWarm)), worst,
               static_cast<double>(questions_) / count, static_cast<double>(contacts_) / count);
    std::fflush(stdout);
  }

 private:
  std::vector<double> times_;  // milliseconds
  std::size_t questions_ = 0, contacts_ = 0;
};

Pose turned(const Pose& pose, const Vec3& axis, double angle, const Vec3& to) {
  const Pose turn = Pose::from_axis_angle(axis, angle, Vec3::Zero());
  return Pose::from_quaternion_unchecked((turn * pose).rotation(), to);
}

// Bumpy spheres of 10,000 triangles, four apart, that tremble about their rest positions; every
// twentieth is 0.03 from another.
class Crowd {
 public:
  explicit Crowd(Index count) {
    std::vector<Object> meshes;
    for (Index i = 0; i < 50; ++i) meshes.emplace_back(scenes::bumpy_sphere(10'000, i));
    const auto cells = static_cast<Index>(std::ceil(std::cbrt(count)));
    for (Index i = 0; i < count; ++i) {
      const Index row = i / cells % cells, layer = i / cells / cells;
      Vec3 at = 4 * Vec3(i % cells, row, layer);
      const Vec3 axis = random_.direction();
      const double angle = random_.uniform(0, 3);
      const Object& mesh = meshes[i % meshes.size()];
      if (i % 40 == 1 && i % cells != 0) {
        at = places_.back().translation() + Vec3(3, 0, 0);
        for (double gap = kInfinity; gap > 0.032;) {
          gap = distance(world.object(bodies_.back()), places_.back(), mesh,
                         Pose::from_axis_angle(axis, angle, at))
                    .distance.upper;
          at.x() -= gap - 0.03;
        }
      }
      places_.push_back(Pose::from_axis_angle(axis, angle, at));
      bodies_.push_back(world.add(mesh, places_.back()));
    }
  }

  void give_motions(Stepper& stepper, double moving) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (random_.uniform() >= moving) continue;
      const Pose start = world.pose(bodies_[i]);
      const Vec3 axis = random_.direction();
      const Vec3 to = places_[i].translation() + random_.in_box(0.02);
      stepper.move(bodies_[i], Motion::interpolated(start, turned(start, axis, 0.02, to)));
    }
  }

  World world;

 private:
  scenes::Random random_{1};
  std::vector<NodeId> bodies_;
  std::vector<Pose> places_;
};

void crowd(const char* what, Index count, double moving, int steps) {
  Crowd crowd(count);
  Stepper stepper(crowd.world);
  Times times;
  for (int i = 0; i < steps; ++i) {
    crowd.give_motions(stepper, moving);
    (void)times.take(stepper, 1e-3);
  }
  times.tell(what);
}

void headlamp(const char* what, int steps) {
  const scenes::Scene scene = scenes::headlamp({.triangles = 2'000'000});
  World world;
  std::vector<NodeId> nodes, groups;
  std::vector<Motion> motions;
  for (const scenes::ScenePart& part : scene.parts)
    nodes.push_back(world.add(Object(part.soup), part.pose));
  for (const scenes::SceneGroup& group : scene.groups) {
    groups.push_back(world.add_group());
    motions.push_back(scenes::motion_of(group));
    for (const std::size_t part : group.parts) world.attach(nodes[part], groups.back());
  }
  Stepper stepper(world);
  Times times;
  for (int i = 0; i < steps; ++i) {
    const double begin = static_cast<double>(i) / steps, end = static_cast<double>(i + 1) / steps;
    for (std::size_t g = 0; g < groups.size(); ++g)
      stepper.move(groups[g], motions[g].part(begin, end));
    (void)times.take(stepper, scene.tolerance);
  }
  times.tell(what);
}

// A hundred bodies 0.02 above a floor.
class Floor {
 public:
  Floor() {
    const Object floor(scenes::box({-1, -1, -1}, {60, 60, 0}, 40));
    world.add(floor, {}, {.fixed = true});
    for (Index i = 0; i < 100; ++i) {
      const Object mesh(scenes::bumpy_sphere(10'000, i));
      const Vec3 axis = random.direction();
      const double angle = random.uniform(0, 3);
      Vec3 at(3.0 * (i % 10) + 3, 0, 2);
      at.y() = 0.3 * (i - i % 10) + 3;
      for (double gap = kInfinity; gap > 0.0201;) {
        gap = distance(floor, {}, mesh, Pose::from_axis_angle(axis, angle, at)).distance.upper;
        at.z() -= gap - 0.02;
      }
      places.push_back(Pose::from_axis_angle(axis, angle, at));
      bodies.push_back(world.add(mesh, places.back()));
    }
  }

  scenes::Random random{1};
  World world;
  std::vector<NodeId> bodies;
  std::vector<Pose> places;
};

struct Behaviour {
  const char* name;
  Vec3 (*way)(Floor& floor, double above);  // the displacement of a body at height `above` over its
                                            // rest position
  double turn;
};
const Behaviour kBehaviours[] = {
    {"resting, trembling by 0.0005",
     [](Floor& floor, double) { return Vec3(floor.random.in_box(5e-4)); }, 1e-4},
    {"pressed by 0.02 a step", [](Floor&, double) { return Vec3(0, 0, -0.02); }, 0},
    {"sliding by 0.02 a step", [](Floor&, double) { return Vec3(0.02, 0, 0); }, 0},
    {"fast, by up to 1, turning by 0.5",
     [](Floor& floor, double above) {
       const Vec3 aside = floor.random.in_box(1);
       return Vec3(aside.x(), aside.y(), floor.random.uniform() - above);
     },
     0.5},
};

void behave(const Behaviour& behaviour, bool remember, int steps) {
  Floor floor;
  Stepper stepper(floor.world);
  Times times;
  for (int i = 0; i < steps; ++i) {
    for (std::size_t b = 0; b < floor.bodies.size(); ++b) {
      const Pose start = floor.world.pose(floor.bodies[b]), place = floor.places[b];
      const Vec3 way = behaviour.way(floor, (start.translation() - place.translation()).z());
      const Vec3 axis = floor.random.direction();
      // Trembling bodies do so about their rest positions.
      const Vec3 from = behaviour.turn == 1e-4 ? place.translation() : start.translation();
      stepper.move(floor.bodies[b],
                   Motion::interpolated(start, turned(start, axis, behaviour.turn, from + way)));
    }
    if (!remember) stepper.forget();
    (void)times.take(stepper, 1e-3);
  }
  times.tell(
      fmt::format("{}, {}", behaviour.name, remember ? "remembering" : "forgetting").c_str());
}

void print_heading() {
  fmt::print("{:<52} {:>9} {:>9} {:>10} {:>9}\n", "thread time of a step, ms", "mean", "worst",
             "questions", "contacts");
}

}  // namespace

void measure_times(int steps) {
  print_heading();
  crowd("1,000 bodies, all move", 1000, 1, steps);
  crowd("10,000 bodies, 10 % move", 10'000, 0.1, steps);
  crowd("10,000 bodies, all move", 10'000, 1, steps);
  headlamp("headlamp, 800 steps", 800);
  headlamp("headlamp, 8,000 steps", 8000);
}

void measure_memory(int steps) {
  print_heading();
  for (const Behaviour& behaviour : kBehaviours)
    for (const bool remember : {false, true}) behave(behaviour, remember, steps);
}

}  // namespace touche::bench
