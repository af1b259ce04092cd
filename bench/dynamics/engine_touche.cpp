// SPDX-License-Identifier: Apache-2.0
// Ours, on one thread.
#include "engine.h"
#include "touche/dynamics.h"

namespace touche::bench {
namespace {

class Touche final : public Engine {
 public:
  explicit Touche(const Task& task)
      : time_step_(task.scene.time_step),
        dynamics_(
            world_,
            {.tolerance = task.scene.tolerance, .gravity = task.scene.gravity, .threads = 1}) {
    std::vector<Object> objects;
    for (const scenes::DynamicMesh& mesh : task.scene.meshes)
      objects.emplace_back(mesh.soup, mesh.name);
    for (const scenes::DynamicBody& body : task.scene.bodies) {
      const NodeId node = world_.add(objects[body.mesh], body.pose, {.fixed = body.fixed});
      nodes_.push_back(node);
      if (!body.fixed)
        dynamics_.add(node, task.mass[body.mesh],
                      {.linear = body.velocity, .angular = body.angular_velocity});
      dynamics_.set_surface(node, {.restitution = body.restitution, .friction = body.friction});
    }
    for (const scenes::DynamicHinge& hinge : task.scene.hinges)
      dynamics_.join({.type = JointType::hinge,
                      .a = hinge.to ? nodes_[*hinge.to] : NodeId{},
                      .b = nodes_[hinge.body],
                      .point = hinge.point,
                      .axis = hinge.axis});
  }

  void step() override { lost_ += lost_in(dynamics_.step(time_step_)); }
  double lost() const override { return lost_; }

  std::vector<State> states() const override {
    std::vector<State> states;
    for (const NodeId node : nodes_) {
      State state{world_.pose(node)};
      if (dynamics_.is_dynamic(node)) {
        const Velocity velocity = dynamics_.velocity(node);
        state.velocity = velocity.linear;
        state.spin = velocity.angular;
      }
      states.push_back(state);
    }
    return states;
  }

 private:
  static double lost_in(const DynamicsResult& step) {
    double lost = 0;
    for (const LostTime& one : step.lost) lost += one.time;
    return lost;
  }

  const double time_step_;
  World world_;
  Dynamics dynamics_;
  std::vector<NodeId> nodes_;
  double lost_ = 0;
};

}  // namespace

EngineEntry touche_engine() {
  return {"Touché", [](const Task& task) { return std::make_unique<Touche>(task); }};
}

}  // namespace touche::bench
