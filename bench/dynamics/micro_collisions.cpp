// SPDX-License-Identifier: Apache-2.0
// Rest by micro-collisions (Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996)
// against rest by forces at contacts, as Dynamics has it: bodies that should stay where they are.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "program.h"
#include "shapes.h"
#include "touche/dynamics.h"
#include "touche/near_faces.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

constexpr double kGravity = 9.81, kTolerance = 1e-4, kStep = 1.0 / 60, kFriction = 0.5;
constexpr int kSteps = 300;
constexpr int kMostBounces = 32;  // in a meeting
constexpr int kParts = 64;        // per step: contact candidates are updated at the start of each
constexpr double kSmall = 1e-9;   // m/s

double seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Boxes of 1 m on each other, on a ground that leans by that angle.
struct Scene {
  const char* name;
  int boxes;
  double angle;

  Vec3 gravity() const { return kGravity * Vec3(std::sin(angle), 0, -std::cos(angle)); }
  static Vec3 start(int box) { return {0, 0, 0.5 + (1 + 2 * kTolerance) * box + 2 * kTolerance}; }
};

struct Outcome {
  double drift = 0, turned = 0;  // of the worst box: metres, radians
  double time = 0, worst = 0;    // of a step: seconds
  double nearest = kInfinity;    // distance of a contact candidate
  std::size_t impacts = 0;
};

Object unit_box() { return Object(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5})); }
Object ground() { return Object(scenes::box({-20, -20, -1}, {20, 20, 0})); }

/// Boxes of mass 1 kg, whose inertia is the same about all axes.
class MicroCollisions {
 public:
  MicroCollisions(const Scene& scene, double hop)
      : hop_(hop), scene_(scene), box_(unit_box()), ground_(ground()) {
    for (int i = 0; i < scene.boxes; ++i)
      bodies_.push_back({Pose::from_translation(Scene::start(i)), Vec3::Zero(), Vec3::Zero()});
  }
  /// Returns the number of impacts.
  int step() {
    int impacts = 0;
    for (int i = 0; i < kParts; ++i) {
      for (std::size_t k = 0; k < bodies_.size(); ++k)
        impacts += meet(k == 0 ? nullptr : &bodies_[k - 1], bodies_[k]);
      for (Body& body : bodies_) fly(body, kStep / kParts);
    }
    return impacts;
  }
  /// The least distance that two had.
  double nearest() const { return nearest_; }
  const Pose& pose(std::size_t i) const { return bodies_[i].pose; }

 private:
  static constexpr double kInertia = 1.0 / 6;
  struct Body {
    Pose pose;
    Vec3 linear, angular;
  };

  void fly(Body& body, double time) const {
    const Vec3 centre = body.pose.translation(),
               travel = time * (body.linear + 0.5 * time * scene_.gravity());
    const double turn = time * body.angular.stableNorm();
    const Vec3 axis = turn > 0 ? Vec3(body.angular.stableNormalized()) : Vec3(Vec3::UnitX());
    body.pose = Pose::from_translation(centre + travel) *
                Pose::from_axis_angle(axis, turn, Vec3::Zero()) * Pose::from_translation(-centre) *
                body.pose;
    body.linear += time * scene_.gravity();
  }
  // Resolves contact candidates nearer than the tolerance, the fastest first, until none
  // approaches. Returns the number of impacts.
  int meet(Body* below, Body& body) {
    const NearResult near =
        near_features(below == nullptr ? ground_ : box_, below == nullptr ? Pose() : below->pose,
                      box_, body.pose, {.max_distance = kTolerance});
    for (const Contact& contact : near.contacts) nearest_ = std::min(nearest_, contact.distance);
    for (int i = 0; i < kMostBounces; ++i) {
      const Contact* worst = nullptr;
      double most = kSmall;
      for (const Contact& contact : near.contacts) {
        const double coming = -contact.normal.dot(speed_at(below, body, contact));
        if (coming > most) worst = &contact;
        most = std::max(most, coming);
      }
      if (worst == nullptr) return i;
      collide(below, body, *worst);
    }
    return kMostBounces;
  }
  static Vec3 speed_at(const Body* a, const Body& b, const Contact& contact) {
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b);
    Vec3 speed = b.linear + b.angular.cross(point - b.pose.translation());
    if (a != nullptr) speed -= a->linear + a->angular.cross(point - a->pose.translation());
    return speed;
  }
  // Coulomb friction at one contact point. A body that approaches more slowly than after a fall
  // from the hop height leaves with the speed needed to rise to that height.
  void collide(Body* a, Body& b, const Contact& contact) const {
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b), n = contact.normal;
    const Vec3 arm_b = point - b.pose.translation();
    const Vec3 arm_a = a == nullptr ? Vec3(Vec3::Zero()) : Vec3(point - a->pose.translation());
    const Vec3 speed = speed_at(a, b, contact);
    const double coming = -n.dot(speed), slow = std::sqrt(2 * kGravity * hop_);
    if (coming <= 0) return;
    const double leaving = coming < 2 * slow ? slow : 0;
    const auto answer = [](const Vec3& arm) -> Mat3 {
      Mat3 cross;
      cross << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
      return Mat3::Identity() - cross * cross / kInertia;
    };
    Mat3 inverse = answer(arm_b);
    if (a != nullptr) inverse += answer(arm_a);
    Vec3 impulse = inverse.inverse() * (leaving * n - speed);
    const Vec3 slide = speed + coming * n;
    const double along = n.dot(impulse);
    if ((impulse - along * n).norm() > kFriction * along) {
      const Vec3 back = slide.norm() > 0 ? Vec3(-slide.normalized()) : Vec3(Vec3::Zero());
      const Vec3 direction = n + kFriction * back;
      impulse = (leaving + coming) / n.dot(inverse * direction) * direction;
    }
    b.linear += impulse;
    b.angular += arm_b.cross(impulse) / kInertia;
    if (a == nullptr) return;
    a->linear -= impulse;
    a->angular -= arm_a.cross(impulse) / kInertia;
  }

  double hop_, nearest_ = kInfinity;
  Scene scene_;
  Object box_, ground_;
  std::vector<Body> bodies_;
};

void look_at(int box, const Pose& pose, Outcome& out) {
  out.drift = std::max(out.drift, (pose.translation() - Scene::start(box)).norm());
  out.turned = std::max(out.turned, pose.axis_angle().angle);
}

template <class Step>
void run_steps(Outcome& out, Step&& step) {
  for (int i = 0; i < kSteps; ++i) {
    const double before = seconds();
    step();
    const double took = seconds() - before;
    out.time += took / kSteps;
    out.worst = std::max(out.worst, took);
  }
}

Outcome by_impacts(const Scene& scene, double hop) {
  MicroCollisions world(scene, hop);
  Outcome out;
  run_steps(out, [&] { out.impacts += static_cast<std::size_t>(world.step()); });
  out.nearest = world.nearest();
  for (int i = 0; i < scene.boxes; ++i) look_at(i, world.pose(static_cast<std::size_t>(i)), out);
  return out;
}

Outcome by_forces(const Scene& scene) {
  World world;
  (void)world.add(ground(), {}, {.fixed = true});
  Dynamics dynamics(world, {.tolerance = kTolerance,
                            .gravity = scene.gravity(),
                            .surface = {.restitution = 0, .friction = kFriction},
                            .threads = 1});
  std::vector<NodeId> nodes;
  for (int i = 0; i < scene.boxes; ++i) {
    nodes.push_back(world.add(unit_box(), Pose::from_translation(Scene::start(i))));
    dynamics.add(nodes.back(), 1.0);
  }
  Outcome out;
  run_steps(out, [&] {
    const DynamicsResult& result = dynamics.step(kStep);
    out.impacts += result.impacts.size();
    for (const RestingContact& contact : result.contacts)
      out.nearest = std::min(out.nearest, contact.distance);
  });
  for (int i = 0; i < scene.boxes; ++i)
    look_at(i, world.pose(nodes[static_cast<std::size_t>(i)]), out);
  return out;
}

int run(int argc, char** argv) {
  CLI::App app{"Rest by micro-collisions against rest by forces: how far bodies drift, and time."};
  CLI11_PARSE(app, argc, argv);
  const Scene scenes[] = {
      {"box", 1, 0}, {"slope of 20 degrees", 1, 0.349065850398866}, {"stack of 3", 3, 0}};
  fmt::print(
      "{} steps of 1/60 s, tolerance {} m\n{:<20} {:<18} {:>12} {:>10} {:>10} {:>10} {:>8} {:>8}\n",
      kSteps, kTolerance, "", "", "drift", "turned", "mean step", "worst", "impacts", "nearest");
  const auto tell = [](const char* name, const char* how, const Outcome& out) {
    fmt::print("{:<20} {:<18} {:>9.3g} mm {:>10.2g} {:>7.3g} ms {:>7.3g} ms {:>8} {:>6.3g} mm\n",
               name, how, 1e3 * out.drift, out.turned, 1e3 * out.time, 1e3 * out.worst, out.impacts,
               1e3 * out.nearest);
  };
  for (const Scene& scene : scenes) {
    tell(scene.name, "hops of 0.1 mm", by_impacts(scene, kTolerance));
    tell(scene.name, "hops of 0.01 mm", by_impacts(scene, 0.1 * kTolerance));
    tell(scene.name, "forces", by_forces(scene));
  }
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  return touche::bench::run_program("touche_micro_collisions_bench", touche::bench::run, argc,
                                    argv);
}
