// SPDX-License-Identifier: Apache-2.0
// The functions of Dynamics that callers use: they check their arguments and report results.
#include "touche/dynamics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "base/data_access.h"
#include "dynamics/dynamics_data.h"
#include "touche/shape.h"
#include "world/step_data.h"

namespace touche {
namespace {

void check(const Surface& surface) {
  dynamics::require(surface.restitution >= 0 && surface.restitution <= 1,
                    "the restitution must be in [0, 1]");
  dynamics::require(surface.friction >= 0 && std::isfinite(surface.friction),
                    "the friction must be a number >= 0");
}

void check(const Velocity& velocity) {
  dynamics::require(velocity.linear.allFinite() && velocity.angular.allFinite(),
                    "a velocity must be finite");
}

std::string called(const World& world, NodeId node) {
  const std::string& name = world.name(node);
  return "node " + std::to_string(node.index) + (name.empty() ? "" : " (" + name + ")");
}

}  // namespace

Dynamics::Data::Data(const World& in_world, const DynamicsOptions& with)
    : world_(DataAccess::share(in_world)),
      world(DataAccess::mutable_data(world_)),
      options(with),
      stepper_(world_) {
  DataAccess::mutable_data(stepper_).confirmed = shape::Confirmed::later;
}

dynamics::MovingNode* Dynamics::Data::find(NodeId node) {
  const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(dynamic_count);
  const auto at =
      std::lower_bound(nodes.begin(), end, node,
                       [](const dynamics::MovingNode& n, NodeId id) { return n.node < id; });
  return at != end && at->node == node ? &*at : nullptr;
}

dynamics::MovingNode& Dynamics::Data::dynamic_node(NodeId node) {
  dynamics::MovingNode* const found = find(node);
  dynamics::require(found != nullptr && world_.has(node),
                    "node " + std::to_string(node.index) + " is not dynamic");
  return *found;
}

void Dynamics::Data::require_no_half_space(NodeId node) {
  if (world.convex_count == 0) return;
  world.graph.walk_below(node.index, [&](Index below) {
    dynamics::require(
        !world.bodies[below].is_body() || !world::is_half_space(world.shape(below)),
        called(world_, world.graph.id(below)) +
            " is a half space: it may stand still or follow a motion, but is not dynamic");
    return true;
  });
}

// Forgets the paths of the last step. The nodes that followed motions then are at the end.
void Dynamics::Data::forget_ways() {
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(dynamic_count), nodes.end());
  for (dynamics::MovingNode& node : nodes) node.way.clear();
  ways_before_.clear();
}

Surface Dynamics::Data::surface_of(Index node) const {
  return node < surfaces.size() && surfaces[node].generation == world.graph.id(node).generation
             ? surfaces[node].surface
             : options.surface;
}

Dynamics::Dynamics(World& world, const DynamicsOptions& options)
    : data_(std::make_unique<Data>(world, options)) {
  dynamics::require(options.tolerance > 0 && std::isfinite(options.tolerance),
                    "the tolerance must be a length > 0");
  dynamics::require(options.gravity.allFinite(), "gravity must be finite");
  dynamics::require(options.iterations >= 1, "there must be an iteration");
  dynamics::require(options.sleep_time >= 0 && std::isfinite(options.sleep_time),
                    "the time to fall asleep must be a number >= 0");
  check(options.surface);
}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

void Dynamics::add(NodeId node, const MassProperties& mass, const Velocity& velocity) {
  Data& d = *data_;
  check(velocity);
  try {
    validate(mass);
  } catch (const InvalidInput& error) {
    throw InvalidInput("dynamics: " + called(d.world_, node) + ": " + error.what());
  }
  for (std::optional<NodeId> above = d.world_.parent(node); above; above = d.world_.parent(*above))
    dynamics::require(d.find(*above) == nullptr, called(d.world_, node) + " hangs on " +
                                                     called(d.world_, *above) +
                                                     ", which is dynamic itself");
  d.world.graph.walk_below(node.index, [&](Index below) {
    dynamics::require(below == node.index || d.find(d.world.graph.id(below)) == nullptr,
                      called(d.world_, d.world.graph.id(below)) +
                          ", which is dynamic itself, hangs on " + called(d.world_, node));
    return true;
  });
  d.require_no_half_space(node);
  dynamics::MovingNode* at = d.find(node);
  if (at == nullptr) {
    d.forget_ways();
    d.drop_removed_nodes();
    const auto place =
        std::lower_bound(d.nodes.begin(), d.nodes.end(), node,
                         [](const dynamics::MovingNode& n, NodeId id) { return n.node < id; });
    at = &*d.nodes.insert(place, dynamics::MovingNode(node));
    ++d.dynamic_count;
  }
  at->mass = mass;
  at->inertia = dynamics::Inertia(mass);
  at->lag = Mat3::Identity();
  set_velocity(node, velocity);
}

void Dynamics::add(NodeId node, double density, const Velocity& velocity) {
  Data& d = *data_;
  (void)d.world_.pose(node);  // throws for a node that is not there
  std::vector<MassProperties> masses;
  d.world.graph.walk_below(node.index, [&](Index below) {
    const NodeId body = d.world.graph.id(below);
    if (!d.world_.is_body(body)) return true;
    try {
      masses.push_back(placed(mass_properties(d.world.shape(below), density),
                              relative(d.world_.pose(node), d.world_.pose(body))));
    } catch (const InvalidInput& error) {
      throw InvalidInput("dynamics: " + called(d.world_, body) + ": " + error.what());
    }
    return true;
  });
  dynamics::require(!masses.empty(),
                    called(d.world_, node) + " has no bodies to take its mass from");
  add(node, combined(masses), velocity);
}

void Dynamics::remove(NodeId node) {
  Data& d = *data_;
  dynamics::MovingNode& at = d.dynamic_node(node);
  d.forget_ways();
  d.nodes.erase(d.nodes.begin() + (&at - d.nodes.data()));
  --d.dynamic_count;
}

bool Dynamics::is_dynamic(NodeId node) const {
  return data_->world_.has(node) && data_->find(node) != nullptr;
}

std::vector<NodeId> Dynamics::nodes() const {
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < data_->dynamic_count; ++i)
    if (data_->world_.has(data_->nodes[i].node)) all.push_back(data_->nodes[i].node);
  return all;
}

const MassProperties& Dynamics::mass(NodeId node) const { return data_->dynamic_node(node).mass; }

void Dynamics::set_surface(NodeId body, const Surface& surface) {
  check(surface);
  dynamics::require(data_->world_.is_body(body),
                    "node " + std::to_string(body.index) + " is no body");
  if (data_->surfaces.size() <= body.index) data_->surfaces.resize(body.index + 1);
  data_->surfaces[body.index] = {body.generation, surface};
}

Surface Dynamics::surface(NodeId body) const {
  dynamics::require(data_->world_.is_body(body),
                    "node " + std::to_string(body.index) + " is no body");
  return data_->surface_of(body.index);
}

void Dynamics::prepare() { data_->prepare(); }

void Dynamics::set_gravity(const Vec3& gravity) {
  dynamics::require(gravity.allFinite(), "gravity must be finite");
  if (gravity != data_->options.gravity) data_->wake_all();
  data_->options.gravity = gravity;
}

void Dynamics::set_velocity(NodeId node, const Velocity& velocity) {
  check(velocity);
  dynamics::MovingNode& at = data_->dynamic_node(node);
  data_->wake_up(at);
  const Mat3 rotation = at.rotation(data_->world_.pose(node));
  at.linear = velocity.linear;
  at.angular_momentum = at.inertia.world(rotation) * velocity.angular;
  at.may_roll = true;
}

Velocity Dynamics::velocity(NodeId node) const {
  const dynamics::MovingNode& at = data_->dynamic_node(node);
  const Mat3 rotation = at.rotation(data_->world_.pose(node));
  return {at.linear, at.inertia.inverse_world(rotation) * at.angular_momentum};
}

bool Dynamics::is_asleep(NodeId node) const { return data_->dynamic_node(node).asleep; }

void Dynamics::wake(NodeId node) { data_->wake_up(data_->dynamic_node(node)); }

void Dynamics::apply_force(NodeId node, const Vec3& force) {
  dynamics::require(force.allFinite(),
                    "a force on " + called(data_->world_, node) + " is not finite");
  dynamics::MovingNode& at = data_->dynamic_node(node);
  at.force += force;
  if (!force.isZero(0)) data_->wake_up(at);
}

void Dynamics::apply_force(NodeId node, const Vec3& force, const Vec3& point) {
  dynamics::require(point.allFinite(), "a force on " + called(data_->world_, node) + " is nowhere");
  apply_force(node, force);
  apply_torque(node, (point - data_->centre(node)).cross(force));
}

void Dynamics::apply_torque(NodeId node, const Vec3& torque) {
  dynamics::require(torque.allFinite(),
                    "a torque on " + called(data_->world_, node) + " is not finite");
  dynamics::MovingNode& at = data_->dynamic_node(node);
  at.torque += torque;
  if (!torque.isZero(0)) data_->wake_up(at);
}

void Dynamics::apply_impulse(NodeId node, const Vec3& impulse, const Vec3& point) {
  dynamics::require(impulse.allFinite() && point.allFinite(),
                    "an impulse on " + called(data_->world_, node) + " is not finite");
  dynamics::MovingNode& at = data_->dynamic_node(node);
  data_->wake_up(at);
  at.linear += at.inertia.inverse_mass * impulse;
  at.angular_momentum += (point - data_->centre(node)).cross(impulse);
  at.may_roll = true;
}

void Dynamics::move(NodeId node, const Motion& motion) {
  Data& d = *data_;
  (void)d.world_.pose(node);  // throws for a node that is not there
  dynamics::require(
      d.find(node) == nullptr,
      called(d.world_, node) + " is dynamic: it moves by forces, and by no given motion");
  for (auto& [moved, known] : d.moves)
    if (moved == node) {
      known = motion;
      return;
    }
  d.moves.emplace_back(node, motion);
}

const DynamicsResult& Dynamics::step(double dt) {
  dynamics::require(dt > 0 && std::isfinite(dt), "the time of a step must be a number > 0");
  for (const dynamics::MovingNode& node : data_->nodes)
    if (node.is_dynamic() && data_->world_.has(node.node)) data_->require_no_half_space(node.node);
  return data_->step(dt);
}

Motion Dynamics::last_motion(NodeId node) const {
  for (const dynamics::MovingNode& moved : data_->nodes)
    if (moved.node == node && !moved.way.empty()) return data_->way_of(moved);
  throw InvalidInput("dynamics: node " + std::to_string(node.index) +
                     " did not move in the last step");
}

// ---- conserved quantities -----------------------------------------------------------------------

Vec3 Dynamics::Data::centre(NodeId node) {
  return world_.pose(node) * dynamic_node(node).inertia.centre;
}

double Dynamics::kinetic_energy() const {
  double energy = 0;
  for (const NodeId node : nodes()) {
    const dynamics::MovingNode& at = data_->dynamic_node(node);
    const Vec3 momentum = at.rotation(data_->world_.pose(node)).transpose() * at.angular_momentum;
    energy += 0.5 * at.inertia.mass * at.linear.squaredNorm() +
              0.5 * momentum.dot(at.inertia.inverse_body * momentum);
  }
  return energy;
}

double Dynamics::potential_energy() const {
  double energy = 0;
  for (const NodeId node : nodes())
    energy -= mass(node).mass * data_->options.gravity.dot(data_->centre(node));
  return energy;
}

Vec3 Dynamics::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const NodeId node : nodes()) sum += mass(node).mass * data_->dynamic_node(node).linear;
  return sum;
}

Vec3 Dynamics::angular_momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const NodeId node : nodes()) {
    const dynamics::MovingNode& at = data_->dynamic_node(node);
    sum += at.angular_momentum + data_->centre(node).cross(at.inertia.mass * at.linear);
  }
  return sum;
}

}  // namespace touche
