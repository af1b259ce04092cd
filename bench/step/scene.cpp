// SPDX-License-Identifier: Apache-2.0
#include "scene.h"

#include <cmath>

#include "scenes.h"
#include "traffic.h"

namespace touche::bench {
namespace {

class Headlamp : public StepScene {
 public:
  explicit Headlamp(Index triangles) {
    const scenes::Scene scene = scenes::headlamp({.triangles = triangles});
    tolerance_ = scene.tolerance;
    std::vector<std::size_t> group_of(scene.parts.size(), scene.groups.size());
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
      ways_.push_back(motion_of(scene.groups[g]));
      groups_.push_back(world_.add_group(ways_[g].pose(0), {}, scene.groups[g].name));
      for (const std::size_t part : scene.groups[g].parts) group_of[part] = g;
    }
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      const scenes::ScenePart& part = scene.parts[i];
      if (group_of[i] == scene.groups.size())
        (void)world_.add(Object(part.soup), part.pose, {.fixed = true}, {}, part.name);
      else
        (void)world_.add(Object(part.soup), part.pose, {}, groups_[group_of[i]], part.name);
    }
  }

  World& world() override { return world_; }
  double tolerance() const override { return tolerance_; }

  void advance() override {
    // Not a whole number of steps, so that each round takes others.
    constexpr double kStep = 1 / 333.3;
    at_ += kStep;
    if (at_ + kStep > 1) at_ -= std::floor(at_ / kStep) * kStep;
    motions_.clear();
    const auto count = static_cast<double>(ways_.size());
    for (std::size_t g = 0; g < ways_.size(); ++g) {
      const double begin = static_cast<double>(g);
      motions_.push_back(ways_[g].part((begin + at_) / count, (begin + at_ + kStep) / count));
      world_.set_pose(groups_[g], motions_[g].pose(0));
    }
  }
  void give_motions(Stepper& stepper) const override {
    for (std::size_t g = 0; g < groups_.size(); ++g) stepper.move(groups_[g], motions_[g]);
  }
  void arrive() override {}  // advance does
  StepPolicy policy() const override { return StepPolicy::report; }

 private:
  World world_;
  std::vector<NodeId> groups_;
  std::vector<Motion> ways_, motions_;
  double at_ = 0, tolerance_ = 0;
};

class TrafficScene : public StepScene {
 public:
  explicit TrafficScene(const TrafficSetting& setting) : traffic_(setting) {}
  World& world() override { return traffic_.world(); }
  double tolerance() const override { return 1e-3; }
  void advance() override { traffic_.choose_motions(); }
  void give_motions(Stepper& stepper) const override {
    for (std::size_t i = 0; i < traffic_.bodies().size(); ++i)
      stepper.move(traffic_.bodies()[i], traffic_.motions()[i]);
  }
  void arrive() override {
    give_motions(stepper_);
    (void)stepper_.run({.tolerance = tolerance(), .policy = policy()});
  }
  StepPolicy policy() const override { return StepPolicy::each; }

 private:
  Traffic traffic_;
  Stepper stepper_{traffic_.world()};
};

}  // namespace

std::unique_ptr<StepScene> headlamp_scene(Index triangles) {
  return std::make_unique<Headlamp>(triangles);
}

std::unique_ptr<StepScene> traffic_scene(Index bodies, Index triangles) {
  return std::make_unique<TrafficScene>(TrafficSetting{.bodies = bodies, .triangles = triangles});
}

}  // namespace touche::bench
