// SPDX-License-Identifier: Apache-2.0
// Makes the steps of a simulation, records them, and has each of them proved.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "base/progress_report.h"
#include "math/motion_data.h"
#include "simulation/contained_starts.h"
#include "simulation/motion_proof.h"
#include "simulation/stuck_pairs.h"
#include "touche/dynamics.h"
#include "touche/simulation.h"

namespace touche {
namespace {

using simulation::MotionProof;

// A body is recorded inside of a step if it turns by more radians than this: poses that are half a
// turn apart do not show the direction of the turn.
constexpr double kMostTurned = 2;
constexpr std::size_t kMostBetween = 1'000'000;  // poses of all bodies; they take 80 MB

class Run {
 public:
  Run(const Simulation& scene, const SimulationParts& parts, const SimulationOptions& options)
      : scene_(scene),
        options_(options),
        metres_(metres_per_unit(scene.unit)),
        dynamics_(world_, {.tolerance = scene.tolerance,
                           .gravity = scene.gravity / metres_,
                           .threads = options.threads}),
        proof_(proof_parts(scene, parts), scene.tolerance, exempt_pairs(scene)) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) add(scene.bodies[b], parts, b);
    for (const SimulationJoint& joint : scene.joints) add(joint);
    dynamics_.prepare();
    result_.poses.resize(scene.bodies.size());
    result_.between.resize(scene.bodies.size());
    result_.joints.resize(scene.joints.size());
  }

  SimulationResult run() {
    const std::size_t count = step_count(scene_);
    base::ProgressReport progress(options_.budget.progress, count);
    record(0);
    for (std::size_t i = 0; i < count; ++i) {
      if (options_.budget.expired()) {
        progress.finish();
        result_.verdict = SimulationVerdict::interrupted;
        return std::move(result_);
      }
      step(i, i + 1 < count ? scene_.time_step * static_cast<double>(i + 1) : scene_.duration);
      progress.add_done();
    }
    progress.finish();
    result_.verdict = verdict();
    return std::move(result_);
  }

 private:
  static std::vector<simulation::ProofPart> proof_parts(const Simulation& scene,
                                                        const SimulationParts& parts) {
    std::vector<simulation::ProofPart> all;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      all.push_back({body_shape(scene, parts, b), scene.bodies[b].fixed});
    return all;
  }

  static std::vector<std::pair<std::size_t, std::size_t>> exempt_pairs(const Simulation& scene) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const SimulationJoint& joint : scene.joints)
      if (joint.to && !joint.contacts) all.push_back(std::minmax(joint.body, *joint.to));
    return all;
  }

  void add(const SimulationJoint& joint) {
    // Torque is force times length: in units of the scene, whose unit of mass is the kilogram.
    const double unit = joint.type == JointType::hinge ? metres_ * metres_ : metres_;
    joints_.push_back(dynamics_.join(
        {.type = joint.type,
         .a = joint.to ? nodes_[*joint.to] : NodeId{},
         .b = nodes_[joint.body],
         .point = joint.point,
         .axis = joint.axis,
         .least = joint.least,
         .most = joint.most,
         .motor = {.speed = joint.motor_speed, .strength = joint.motor_strength / unit},
         .contacts = joint.contacts}));
  }

  void add(const SimulationBody& body, const SimulationParts& parts, std::size_t b) {
    const NodeId node =
        world_.add(body_shape(scene_, parts, b), body.pose, {.fixed = body.fixed}, {}, body.name);
    nodes_.push_back(node);
    numbers_.emplace(node, b);
    if (!body.fixed)
      dynamics_.add(node, parts.mass[b],
                    {.linear = body.velocity, .angular = body.angular_velocity});
    dynamics_.set_surface(node, {.restitution = body.restitution, .friction = body.friction});
  }

  void step(std::size_t number, double end) {
    const double start = result_.steps.back().time, dt = end - start;
    apply_forces(start, end);
    const DynamicsResult& taken = dynamics_.step(dt);
    record(end);
    SimulationStep& step = result_.steps.back();
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      const JointState state = dynamics_.joint_state(joints_[j]);
      SimulationJointResult& of = result_.joints[j];
      of.position = state.position;
      of.force = std::max(of.force, state.force.norm() * metres_);
      of.drift = std::max(of.drift, state.drift);
    }
    step.impacts = taken.impacts.size();
    step.contacts = taken.contacts.size();
    for (const Impact& impact : taken.impacts) {
      const auto [a, b] = bodies(impact.a, impact.b);
      result_.impacts.push_back({.time = start + impact.time,
                                 .body_a = a,
                                 .body_b = b,
                                 .point = impact.point,
                                 .normal = a < b ? impact.normal : Vec3(-impact.normal),
                                 .impulse = impact.impulse * metres_,
                                 .speed = impact.speed});
    }
    for (const LostTime& lost : taken.lost) step.lost += lost.time;
    result_.lost += step.lost;
    for (const auto& [a, b] : taken.stuck)
      if (const auto pair = bodies(a, b); stuck_.insert(pair).second)
        result_.stuck.push_back({.body_a = pair.first, .body_b = pair.second, .step = number});
    for (const auto& [a, b] : taken.unresolved)
      if (const auto pair = bodies(a, b); unresolved_.insert(pair).second)
        result_.unresolved.push_back(pair);
    prove(number, start, dt);
  }

  // Bodies are added in the order of their numbers, so nodes have the same order.
  std::pair<std::size_t, std::size_t> bodies(NodeId a, NodeId b) const {
    return {numbers_.at(a), numbers_.at(b)};
  }

  // A force counts for the fraction of the step in which it acts.
  void apply_forces(double start, double end) {
    for (const SimulationForce& force : scene_.forces) {
      const double share =
          (std::min(end, force.end) - std::max(start, force.start)) / (end - start);
      if (!(share > 0)) continue;
      dynamics_.apply_force(nodes_[force.body], share / metres_ * force.force);
      dynamics_.apply_torque(nodes_[force.body], share / (metres_ * metres_) * force.torque);
    }
  }

  void record(double time) {
    SimulationStep step;
    step.time = time;
    step.kinetic = dynamics_.kinetic_energy() * metres_ * metres_;
    step.potential = dynamics_.potential_energy() * metres_ * metres_;
    step.momentum = dynamics_.momentum() * metres_;
    step.angular_momentum = dynamics_.angular_momentum() * (metres_ * metres_);
    result_.steps.push_back(step);
    for (std::size_t b = 0; b < nodes_.size(); ++b)
      if (!scene_.bodies[b].fixed || result_.poses[b].empty())
        result_.poses[b].push_back(world_.pose(nodes_[b]));
  }

  // Each piece of the motion is divided into equal turns.
  void record_between(std::size_t body, double start, double dt) {
    const std::span<const detail::Piece> pieces = math::pieces_of(ways_[body]);
    const auto turned = [](const detail::Piece& piece) {
      return detail::turned_angle(piece, piece.t_begin, piece.t_end);
    };
    double whole = 0;
    for (const detail::Piece& piece : pieces) whole += turned(piece);
    if (whole <= kMostTurned) return;
    for (const detail::Piece& piece : pieces) {
      const double parts = 1 + std::floor(turned(piece) / kMostTurned);
      for (double i = piece.t_begin > 0 ? 0 : 1; i < parts && between_ < kMostBetween; ++i) {
        const double t = piece.t_begin + i / parts * (piece.t_end - piece.t_begin);
        result_.between[body].push_back({start + t * dt, ways_[body].pose(t)});
        ++between_;
      }
    }
  }

  void prove(std::size_t number, double start, double dt) {
    ways_.clear();
    for (std::size_t b = 0; b < nodes_.size(); ++b)
      ways_.push_back(scene_.bodies[b].fixed ? Motion::at(scene_.bodies[b].pose)
                                             : dynamics_.last_motion(nodes_[b]));
    for (std::size_t b = 0; b < nodes_.size(); ++b) record_between(b, start, dt);
    const MotionProof::Outcome outcome = proof_.step(ways_, options_.threads);
    result_.steps.back().proved = outcome.proved;
    result_.proved += outcome.proved;
    result_.proof += outcome.stats;
    for (UnprovedPair pair : outcome.unproved) {
      pair.step = number;
      pair.time = start + pair.time * dt;
      result_.unproved.push_back(pair);
    }
  }

  SimulationVerdict verdict() const {
    bool undecided = false;
    for (const UnprovedPair& pair : result_.unproved) {
      if (pair.status != ToiStatus::undecided) return SimulationVerdict::contact;
      undecided = true;
    }
    return undecided ? SimulationVerdict::undecided : SimulationVerdict::free;
  }

  const Simulation& scene_;
  const SimulationOptions& options_;
  const double metres_;
  World world_;
  Dynamics dynamics_;
  MotionProof proof_;
  std::vector<NodeId> nodes_;
  std::vector<JointId> joints_;
  std::map<NodeId, std::size_t> numbers_;
  std::set<std::pair<std::size_t, std::size_t>> stuck_, unresolved_;  // already reported
  std::vector<Motion> ways_;
  std::size_t between_ = 0;  // poses recorded inside of steps, of all bodies
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(Simulation scene, SimulationParts parts,
                          const SimulationOptions& options) {
  const auto run = [&](const Simulation& from) {
    SimulationResult result = Run(from, parts, options).run();
    simulation::measure_stuck_pairs(from, parts, options, result);
    if (!options.surfaces) result.contained = simulation::contained_starts(from, parts, options);
    result.may_reach_in = simulation::may_reach_in(from, parts, options);
    const bool is_inside = std::ranges::any_of(
        result.contained, [](const ContainedStart& start) { return !start.is_unknown; });
    if (is_inside && result.verdict != SimulationVerdict::interrupted)
      result.verdict = SimulationVerdict::contact;
    // What was not examined is not free; a contact that was found stays one.
    if (!options.surfaces && result.verdict == SimulationVerdict::free && options.budget.expired())
      result.verdict = SimulationVerdict::interrupted;
    return result;
  };
  SimulationResult result;
  if (options.resolve) {
    Simulation apart = scene;
    std::vector<ResolvedStart> shifts = simulation::resolve_starts(apart, parts, options);
    result = run(apart);
    result.resolved = std::move(shifts);
  } else {
    result = run(scene);
  }
  result.simulation = std::move(scene);
  result.parts = std::move(parts);
  return result;
}

}  // namespace touche
