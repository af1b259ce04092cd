// SPDX-License-Identifier: Apache-2.0
// Opens the gaps of bodies that were pressed together, before a step begins. The motions of a step
// respect gaps only to second order, so bodies that turn far may be nearer in between than at the
// end. They are stopped there with a share of their gap, and the next step begins with less.
// Without regaining, gaps would shrink until rounding leaves nothing for a proof.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// In units of the tolerance: bodies with a smaller gap were pressed together in several steps. It
// is below the last of the distance bands that steps use (world/pair_questions.cpp).
constexpr double kLacking = 1.0 / 32;
// Far from the origin, rounding of poses hides larger gaps. The search for the time of impact
// cannot distinguish a gap of up to the share kHidden of the bodies' distances from the origin from
// a contact (MovingPair::error, TimeSlices: at most eight times 128 ulps), and of gaps up to twice
// as large it may leave too little: such bodies might never move again. kMostRegained, in units of
// the tolerance, limits the gap that is regained for this reason. Rounding that hides more is
// reported.
constexpr double kHidden = 0x1p-43, kMostRegained = 0.5;
// In units of the tolerance: kOpened is the distance by which such a pair is opened, for which
// energy limits leave room; kKept is the gap that other pairs must keep.
constexpr double kOpened = 1, kKept = 1.25;
// Limit of iterations. What is left then is regained before the next step.
constexpr int kRegainPasses = 50;
// In units of the tolerance: changes of a displacement that are neglected here.
constexpr double kSmallWay = 0.001;
// In units of the tolerance: contact candidates farther apart are skipped. Threads have thousands
// of them.
constexpr double kLookedAt = 3;
// The share of a motion's time in which gaps are regained.
constexpr double kTimeToRegain = 1.0 / 1024;
// Radians: bodies that would have to turn by more are left as they are.
constexpr double kFarToTurn = 0.25;

// Returns the gap between two bodies that rounding of their poses may hide. Smaller gaps are
// opened.
double hidden_gap(const Pose& a, const Pose& b) {
  return 2 * kHidden * (a.translation().norm() + b.translation().norm());
}

}  // namespace

// True for two dynamic bodies of which one tumbles. If they press each other they collide at the
// start of the step and stand still. Damping makes them move as one; but if nothing slows that
// rotation, they would stand still for ever, so such pairs always get their gap back.
bool Dynamics::Data::may_stand_still(const dynamics::NearPlace& place) const {
  const dynamics::MovingNode *const a = mover(place.a), *const b = mover(place.b);
  return a != nullptr && b != nullptr && a->is_dynamic() && b->is_dynamic() &&
         (tumbles(*a) || tumbles(*b));
}

bool Dynamics::Data::has_least_gap(const dynamics::NearPlace& place) const {
  if (place.distance >= kMostRegained * options.tolerance) return true;
  if (may_stand_still(place)) return false;
  return place.distance >=
         std::max(kLacking * options.tolerance,
                  hidden_gap(world.bodies[place.a].pose, world.bodies[place.b].pose));
}

// True if two bodies are pressed together at a contact candidate and will not separate by
// themselves.
bool Dynamics::Data::lacks_gap(const dynamics::NearPlace& place) const {
  if (!(place.distance > 0) || has_least_gap(place)) return false;
  const double parting = dynamics::parting_speed(gap_at(place), predicted_[solver_number(place.a)],
                                                 predicted_[solver_number(place.b)]);
  return dt * parting < kOpened * options.tolerance;
}

// Finds and takes the smallest motions, in the metric of kinetic energy, that open these gaps
// without closing others or opening joints. Sleeping bodies and bodies that follow a motion stay.
// No time passes. Returns whether anything moved.
bool Dynamics::Data::regain_gaps() {
  opened_.clear();
  for (dynamics::MovingNode& node : nodes) node.regain.reset();
  const std::span<const dynamics::NearPlace> places = contact_list_.places();
  for (const dynamics::NearPlace& place : places)
    if (hidden_gap(world.bodies[place.a].pose, world.bodies[place.b].pose) >
        kMostRegained * options.tolerance)
      result.unresolved.emplace_back(world.graph.id(place.a), world.graph.id(place.b));
  result.unresolved.erase(std::unique(result.unresolved.begin(), result.unresolved.end()),
                          result.unresolved.end());
  if (std::all_of(places.begin(), places.end(),
                  [&](const dynamics::NearPlace& place) { return has_least_gap(place); }))
    return false;
  predict();
  predict_joined();
  predicted_ = solver_bodies_;
  for (const dynamics::NearPlace& place : places)
    if (lacks_gap(place)) opened_.emplace_back(place.a, place.b);
  if (opened_.empty()) return false;
  opened_.erase(std::unique(opened_.begin(), opened_.end()), opened_.end());
  find_least_opening(places);
  const bool moved = take_regaining();
  if (!moved) opened_.clear();
  return moved;
}

// Finds these motions as velocities for a unit of time.
void Dynamics::Data::find_least_opening(std::span<const dynamics::NearPlace> places) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const dynamics::MovingNode& node = nodes[i];
    dynamics::SolverBody& body = solver_bodies_[i];
    body = {};
    if (!node.is_dynamic() || node.asleep) continue;
    body.inverse_mass = node.inertia.inverse_mass;
    body.inverse_inertia = node.inertia.inverse_world(node.start.matrix());
  }
  solver_contacts_.clear();
  for (const dynamics::NearPlace& place : places) {
    if (place.distance > kLookedAt * options.tolerance) continue;
    const Index a = solver_number(place.a), b = solver_number(place.b);
    if (solver_bodies_[a].inverse_mass == 0 && solver_bodies_[b].inverse_mass == 0) continue;
    const dynamics::BendingGap gap = gap_at(place);
    dynamics::SolverContact& contact = solver_contacts_.emplace_back(
        dynamics::solver_contact(solver_bodies_, a, b, place.normal, gap.arm_a, gap.arm_b, 0));
    const double kept = std::min(0.0, kKept * options.tolerance - place.distance);
    contact.least_speed = lacks_gap(place) ? kOpened * options.tolerance : kept;
    join_contact(contact, {home_of(a), home_of(b)});
  }
  dynamics::RestingSolver::Passes left(kRegainPasses);
  contact_solver_.solve(solver_bodies_, solver_contacts_, left, kSmallWay * options.tolerance);
}

// True if two bodies were pressed together before gaps were regained.
bool Dynamics::Data::was_opened(const dynamics::NearPlace& place) const {
  return place.distance <= 2 * options.tolerance &&
         std::binary_search(opened_.begin(), opened_.end(), std::pair(place.a, place.b));
}

// Takes the motions that regain gaps, as far as they are proved. Returns whether there were any.
bool Dynamics::Data::take_regaining() {
  bool any = false;
  const auto turns_far = [&](Index i) { return !(solver_bodies_[i].angular.norm() < kFarToTurn); };
  for (Index i = 0; i < dynamic_count; ++i) {
    dynamics::MovingNode& node = nodes[i];
    const dynamics::SolverBody& body = solver_bodies_[i];
    if (body.linear.isZero(0) && body.angular.isZero(0)) continue;
    const dynamics::Articulation* const of = articulation(node);
    if (of == nullptr ? turns_far(i) : std::any_of(of->nodes.begin(), of->nodes.end(), turns_far))
      continue;
    node.regain = dynamics::drifting(node.inertia, node.start, {body.linear, body.angular}, 1);
    stepper_.move(node.node, *node.regain);
    any = true;
  }
  if (!any) return false;
  // A body that follows a motion does not move with the node above it.
  for (std::size_t i = dynamic_count; i < nodes.size(); ++i) {
    nodes[i].regain = Motion::at(nodes[i].start);
    stepper_.move(nodes[i].node, *nodes[i].regain);
  }
  StepOptions step;
  step.tolerance = options.tolerance;
  step.threads = options.threads;
  step.policy = StepPolicy::each;
  const StepResult& taken = stepper_.run(step);
  result.stats.questions += taken.stats.questions;
  result.stats.queries += taken.stats.queries;
  world.refresh_poses();
  auto group = taken.groups.begin();
  for (dynamics::MovingNode& node : nodes) {
    if (!node.regain) {
      node.regain = Motion::at(node.start);
      continue;
    }
    const double reached = (group++)->reached;
    if (reached < 1)
      node.regain = reached > 0 ? node.regain->part(0, reached) : Motion::at(node.start);
    const Pose now = world.graph.pose(node.node.index);
    // A shift of the pose changes neither its momenta nor its energy. Joined nodes have no lag.
    if (now.matrix() != node.start.matrix() && articulation_of_[number_of(node)] == kNone)
      node.lag = now.matrix().transpose() * node.rotation(node.start);
    node.energy += node.all_force.dot(now * node.inertia.centre - node.start * node.inertia.centre);
    node.start = now;
  }
  keep_turning_apart();
  return true;
}

// Opening a gap changes the arms of momenta. Bodies that nothing holds then turn as much faster or
// slower, as one rigid body, as keeps the angular momentum that they have together. The energy for
// that comes from their motions against each other, or, where these have less, only a share of the
// angular momentum is given back. Pressed bodies that turn far move as one (calm_pressed) and have
// none; they get all of it back, since energy is only known to a hundredth in steps that turn far.
void Dynamics::Data::keep_turning_apart() {
  separate_all();
  for (Index i = 0; i < dynamic_count; ++i)
    if (nodes[i].asleep) join_bodies(i, static_cast<Index>(dynamic_count));
  for (const dynamics::SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0) join_bodies(contact.a, contact.b);
  for (const dynamics::Articulation& of : articulations())
    for (const Index j : of.joints) join_bodies(joints[j].a, joints[j].b);
  each_joined_group([&](std::span<const std::pair<Index, Index>> group, bool stands) {
    if (!stands) keep_turning_apart(group);
  });
}

void Dynamics::Data::keep_turning_apart(std::span<const std::pair<Index, Index>> group) {
  const dynamics::AsOne all = as_one(group);
  Vec3 gained = Vec3::Zero();
  double energy = 0;
  for (const auto& [root, i] : group) {
    const dynamics::MovingNode& node = nodes[i];
    energy += node.kinetic_energy(node.rotation(node.start));
    const Vec3 shift = node.start * node.inertia.centre - centres_[i];
    gained += shift.cross(node.inertia.mass * (node.linear - all.linear()));
  }
  if (gained.isZero(0)) return;
  Vec3 turn = -(all.inertia().inverse() * gained);
  const bool turns_far = dt * all.angular().norm() > kFarToTurn;
  if (!turns_far) turn *= all.share_within(energy, Vec3::Zero(), turn);
  double needed = 0;
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    node.correct([&] {
      node.linear += turn.cross(node.start * node.inertia.centre - all.centre());
      node.angular_momentum += node.inertia.world(node.rotation(node.start)) * turn;
    });
    needed += node.kinetic_energy(node.rotation(node.start));
  }
  if (!turns_far) take_energy(group, false, needed, energy);
}

// Returns a motion that begins with the regaining of gaps.
Motion Dynamics::Data::with_regaining(const dynamics::MovingNode& node, const Motion& way) {
  if (!node.regain) return way;
  const Motion motions[] = {*node.regain, way};
  const double times[] = {0, kTimeToRegain, 1};
  return Motion::chain(motions, times);
}

}  // namespace touche
