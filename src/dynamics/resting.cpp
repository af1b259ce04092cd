// SPDX-License-Identifier: Apache-2.0
// Solves all resting contacts together before the step. Contacts are speculative: within the step a
// contact may close its gap, but no more than that.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "dynamics/dynamics_data.h"
#include "dynamics/impact.h"

namespace touche {
namespace {

// In units of the tolerance: the gap that resting bodies keep. Contact queries treat bodies more
// than one tolerance apart as separated, so resting bodies that hardly move need no queries.
constexpr double kRestingGap = 2;
// Smaller gaps are opened again. Gaps between this and kRestingGap are not corrected: otherwise a
// correction at one corner would lower another one, and so on for ever.
constexpr double kLeastGap = 1.25;
// Additional gap of surfaces that slide along each other by many facets.
constexpr double kSlidingGap = 1;
// Gap that suffices in steps before which gaps were already regained (regain.cpp).
constexpr double kRegainedGap = 1;
// Share of the missing gap that is regained in a step. Bodies that touch, which they may at the
// start of a simulation, are separated at once by kApart: a separation is proved only beyond two
// tolerances.
constexpr double kRegain = 0.2;
constexpr double kTouching = 1e-3, kApart = 2.5;
// The iteration ends when no row changes a velocity by more than this share of the tolerance per
// step.
constexpr double kSmallMove = 0.001;
// In units of the tolerance: bodies without restitution that are this near rest on each other,
// however fast they approach.
constexpr double kRestsAnyway = 3;
// In units of the tolerance: bodies that are this near must not approach further.
constexpr double kRestingPressed = 0.1;
// Limit of rounds that activate further contacts. Bodies whose contacts are still inactive then
// collide within the step.
constexpr int kActivations = 12;
// Solves per round, each with an updated allowance for rotation (allow_for_swing).
constexpr int kSwings = 2;
// Motions that are only predicted get 1 / kCoarse of the iterations.
constexpr int kCoarse = 4;
// A gap curvature below this share of the solver's tolerance is neglected.
constexpr double kSmallBend = 0.01;
// If the iterative solver does not converge, islands in which some body has at least kHeavy times
// the mass of another one are solved directly. Below that ratio iterating is good enough.
constexpr double kHeavy = 100;
// Direct solves, each with an updated allowance for rotation.
constexpr int kDirectSwings = 6;
// Iterations that close joints: before contacts are solved, and at the end.
constexpr int kClosings = 3, kMostClosings = 30;

}  // namespace

// Returns the least relative speed along the normal of a contact candidate: negative where the gap
// may close, positive where it must open.
double Dynamics::Data::gap_speed(const dynamics::NearPlace& place) const {
  const double more = place.sliding == kNone ? 0 : kSlidingGap;
  const double gap = place.distance / options.tolerance - more, unit = options.tolerance / dt;
  if (gap > kRestingGap) return (kRestingGap - gap) * unit;
  if (gap >= (opened_.empty() ? kLeastGap : kRegainedGap)) return 0;
  return (place.distance < kTouching * options.tolerance ? kApart : kRegain * (kRestingGap - gap)) *
         unit;
}

Surface Dynamics::Data::common_surface(Index a, Index b) const {
  const Surface x = surface_of(a), y = surface_of(b);
  return {std::max(x.restitution, y.restitution), std::sqrt(x.friction * y.friction)};
}

// Returns the approach speed up to which two bodies count as resting on each other: what forces can
// add in two steps, plus the solver's tolerance. A supported body may get that fast when it
// collides with its support instead of resting on it.
double Dynamics::Data::resting_speed(Index a, Index b) const {
  double most = 0;
  for (const Index body : {a, b})
    if (const dynamics::MovingNode* node = mover(body))
      most = std::max(most, acceleration(*node).norm());
  return 2 * dt * most + small_speed();
}

void Dynamics::Data::predict() {
  solver_bodies_.resize(nodes.size() + 1);
  centres_.resize(nodes.size() + 1, Vec3::Zero());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const dynamics::MovingNode& node = nodes[i];
    dynamics::SolverBody& body = solver_bodies_[i];
    centres_[i] = node.start * node.inertia.centre;
    if (!node.is_dynamic()) {
      const Velocity velocity = node.motion_speed(0, 1);
      body = {velocity.linear / dt, velocity.angular / dt};
      continue;
    }
    const Mat3 rotation = node.start.matrix();
    if (node.asleep) {
      body = {Vec3::Zero(), Vec3::Zero(), node.inertia.inverse_mass,
              node.inertia.inverse_world(rotation)};
      continue;
    }
    const Vec3 momentum = node.angular_momentum + dt * node.all_torque;
    body.linear = node.linear + dt * acceleration(node);
    body.angular = dynamics::free_turn(node.inertia, rotation, momentum, dt);
    // For turns of several radians free_turn may not converge; its result must not have more energy
    // than the body.
    const Vec3 turn = rotation.transpose() * body.angular,
               turning = rotation.transpose() * momentum;
    const double has = turn.dot(node.inertia.body * turn),
                 most = turning.dot(node.inertia.inverse_body * turning);
    if (has > most) body.angular *= std::sqrt(most / has);
    body.inverse_mass = node.inertia.inverse_mass;
    body.inverse_inertia =
        node.inertia.inverse_world(dynamics::turned(rotation, 0.5 * dt * body.angular));
  }
  solver_bodies_.back() = {};
  tumbles_.assign(nodes.size() + 1, false);
  for (std::size_t i = 0; i < nodes.size(); ++i) tumbles_[i] = tumbles(nodes[i]);
}

Index Dynamics::Data::solver_number(Index body) const {
  return std::min(mover_of_[body], static_cast<Index>(nodes.size()));
}

// True if the bodies rest on each other at this contact candidate. Otherwise they collide within
// the step.
bool Dynamics::Data::rests_on(const dynamics::NearPlace& place) const {
  const Index a = solver_number(place.a), b = solver_number(place.b);
  const bool tumbles = tumbles_[a] || tumbles_[b];
  // Impacts leave gaps of more than half of the tolerance, so nearer bodies are pressed together.
  // Two freely tumbling bodies are excluded: they would turn each other by forces without a
  // reaction.
  const bool stands = a >= dynamic_count || b >= dynamic_count;
  const bool pressed = place.distance <= kPressedTogether * options.tolerance || was_opened(place);
  if (pressed && (stands || !tumbles)) return true;
  if (tumbles) return false;
  const bool bounces = common_surface(place.a, place.b).restitution != 0;
  if (place.at_any_speed || (!bounces && place.distance <= kRestsAnyway * options.tolerance))
    return true;
  return -dynamics::parting_speed(gap_at(place), predicted_[a], predicted_[b]) <=
         resting_speed(place.a, place.b);
}

// Returns the solver contact of a contact candidate if the bodies rest on each other there.
std::optional<dynamics::SolverContact> Dynamics::Data::contact_at(
    const dynamics::NearPlace& place) const {
  if (!rests_on(place)) return {};
  const Index a = solver_number(place.a), b = solver_number(place.b);
  const dynamics::BendingGap gap = gap_at(place);
  dynamics::SolverContact contact =
      dynamics::solver_contact(predicted_, a, b, place.normal, gap.arm_a, gap.arm_b,
                               common_surface(place.a, place.b).friction);
  contact.distance = gap.distance;
  contact.share_a = gap.share_a;
  contact.share_b = gap.share_b;
  return contact;
}

// Chooses the active contact candidates and lists their solver contacts.
void Dynamics::Data::list_resting() {
  merge_places();
  for (const dynamics::NearPlace& place : places_)
    if (place.distance == 0)
      touching_.emplace_back(world.graph.id(place.a), world.graph.id(place.b));
  choose_active();
  resting_.clear();
  solver_contacts_.clear();
  gap_speeds_.clear();
  for (const Index i : active_) add_contact(i);
  list_limits();
}

// Adds to the least speed of each contact what rotation takes from its gap in the step. A contact
// point without speed along the normal may still approach: the centre of a rod that turns about its
// end moves on an arc, but in a step on a straight line, so it must rise from the start.
void Dynamics::Data::allow_for_swing() {
  if (!solver_contacts_.empty()) find_turns();
  // Small sets of contacts are solved as exactly as possible; large ones skip negligible curvature.
  const bool crowd = solver_contacts_.size() >= dynamics::SweptSolver::kCrowd;
  const double straight = crowd ? kSmallBend * small_speed() : -1;
  for (std::size_t i = 0; i < solver_contacts_.size(); ++i) {
    dynamics::SolverContact& contact = solver_contacts_[i];
    const bool slides = i < resting_.size() && places_[resting_[i]].sliding != kNone;
    contact.least_speed = gap_speeds_[i];
    if (slides)
      contact.least_speed -= std::min(slide_bend(places_[resting_[i]]), 0.0);
    else if (dynamics::most_bend(contact, solver_bodies_, dt) > straight)
      contact.least_speed -=
          std::min(dynamics::bend(contact, solver_bodies_, body_turns_, dt), 0.0);
  }
}

// Marks pressed bodies as supported. A body near others that presses none of them flies on as if
// they were not there.
void Dynamics::Data::support_pressed() {
  for (const dynamics::SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0) {
      pressed_in_step_.emplace_back(contact.a, contact.b);
      for (const Index body : {contact.a, contact.b})
        if (body < dynamic_count) nodes[body].supported = true;
    }
  ground_supported();
}

// Puts each body in a set of its own.
void Dynamics::Data::separate_all() {
  joined_to_.resize(dynamic_count + 1);  // the last stands for everything that forces do not move
  std::iota(joined_to_.begin(), joined_to_.end(), Index{0});
}

// Makes the sets of two bodies one.
void Dynamics::Data::join_bodies(Index a, Index b) {
  const Index root_a = joined_root(a), root_b = joined_root(b);
  joined_to_[std::min(root_a, root_b)] = std::max(root_a, root_b);
}

// Returns the representative (the last member) of the set that a body belongs to.
Index Dynamics::Data::joined_root(Index i) {
  i = std::min<Index>(i, static_cast<Index>(dynamic_count));
  while (joined_to_[i] != i) i = joined_to_[i] = joined_to_[joined_to_[i]];
  return i;
}

// Marks bodies that rest on something that forces do not move, directly or through other bodies.
void Dynamics::Data::ground_supported() {
  separate_all();
  for (const dynamics::SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0) join_bodies(contact.a, contact.b);
  for (std::size_t i = 0; i < dynamic_count; ++i)
    if (joined_root(static_cast<Index>(i)) == dynamic_count) nodes[i].grounded = true;
}

// True if impulses gave bodies more energy than moving obstacles and gaps that may close account
// for: the iteration began with a wrong guess and did not converge.
bool Dynamics::Data::gains_energy() const {
  return dynamics::gained_energy(predicted_, solver_bodies_, solver_contacts_, 1e-9);
}

// A body faster than four steps of gravity is not at rest.
double Dynamics::Data::fast() const { return 4 * dt * options.gravity.norm(); }

// Called when the iterative solver did not converge: chooses the unsolved islands with a large mass
// ratio for the direct solver. Returns whether there are any.
bool Dynamics::Data::choose_heavy(double small) {
  if (coarse_ || !direct_.choose(solver_bodies_, solver_contacts_, small, kHeavy)) return false;
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const dynamics::NearPlace& place = places_[resting_[i]];
    solver_contacts_[i].friction = common_surface(place.a, place.b).friction;
  }
  return direct_.allow_for_tilts(solver_bodies_, solver_contacts_);
}

void Dynamics::Data::solve_heavy(double small) {
  if (choose_heavy(small)) (void)direct_.solve(solver_bodies_, solver_contacts_, small);
}

// The iteration began with room for rotations by the impulses of the previous step. If these were
// far off, light bodies get rotations that they will never make. So the direct solver first solves
// for the gaps alone, then with room for the rotations that it found.
void Dynamics::Data::solve_heavy_motions(double small) {
  if (!contact_solver_.ended_in_vain() || !choose_heavy(small)) return;
  for (std::size_t i = 0; i < solver_contacts_.size(); ++i)
    solver_contacts_[i].least_speed = gap_speeds_[i];
  for (int i = 0; i < kDirectSwings; ++i) {
    if (!direct_.solve(solver_bodies_, solver_contacts_, small)) break;
    allow_for_swing();
  }
}

// Solves for the velocities of the motions in this step, beginning with the impulses of the
// previous step. Returns whether joints can be closed.
bool Dynamics::Data::solve_motions(double small) {
  coarse_ = velocities_wait() && looks_ < looks_before_ &&
            solver_contacts_.size() >= dynamics::SweptSolver::kCrowd;
  const int most = options.iterations / (coarse_ ? kCoarse : 1);
  dynamics::apply_impulses(solver_bodies_, solver_contacts_);
  for (int round = 0; round < kActivations; ++round) {
    dynamics::RestingSolver::Passes left(most);
    for (int i = 0; left.any() && i < kSwings; ++i) {
      if (!solver_contacts_.empty()) (void)close_moved(kClosings, false);
      allow_for_swing();
      contact_solver_.solve(solver_bodies_, solver_contacts_, left, small, fast());
    }
    solve_heavy_motions(small);
    if (!activate()) break;
  }
  const bool closed = solver_contacts_.empty() || close_moved(kMostClosings, true);
  moved_bodies_ = solver_bodies_;
  return closed;
}

// Solves for the velocities that bodies keep: without the parts that only regain gaps or make room
// for rotation. If the result gained energy, the solver starts again without impulses: then it only
// removes energy, wherever it stops.
void Dynamics::Data::solve_kept_velocities() {
  const double small = small_speed();
  if (!solver_contacts_.empty()) keep_drift();
  for (std::size_t i = 0; i < solver_contacts_.size(); ++i)
    solver_contacts_[i].least_speed = std::min(gap_speeds_[i], 0.0);
  dynamics::RestingSolver::Passes left(options.iterations);
  contact_solver_.solve(solver_bodies_, solver_contacts_, left, small, fast());
  if (contact_solver_.ended_in_vain()) solve_heavy(small);
  if (!gains_energy()) return;
  solver_bodies_ = predicted_;
  if (!solver_contacts_.empty()) keep_drift();
  for (dynamics::SolverContact& contact : solver_contacts_)
    contact.normal.impulse = contact.tangents[0].impulse = contact.tangents[1].impulse = 0;
  for (int i = 0; i < options.iterations; ++i)
    if (dynamics::pass(solver_bodies_, solver_contacts_, i % 2 == 0) <= small) return;
  solve_heavy(small);  // these iterations did not converge
}

// Solves for the velocities that bodies keep, once their motions are known; motions that are only
// predicted need none. Returns whether that supports further bodies, whose motions must then be
// made again.
bool Dynamics::Data::solve_velocities() {
  const auto count = [&] {
    return std::count_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.supported; });
  };
  const auto before = count();
  solve_kept_velocities();
  support_pressed();
  remember();
  return count() > before;
}

// The tolerance of the iterative solver: it ends when no row changes a velocity by more.
double Dynamics::Data::small_speed() const { return kSmallMove * options.tolerance / dt; }

void Dynamics::Data::solve_contacts() {
  // Each round finds further articulations that turn too fast for one-piece motions to close their
  // joints.
  do {
    for (dynamics::MovingNode& node : nodes) {
      node.supported = node.grounded = false;
      node.had = {node.linear, node.angular_momentum};
    }
    pressed_in_step_.clear();
    predict();
    unjoined_ = solver_bodies_;
    predict_joined();
    predicted_ = solver_bodies_;
    list_resting();
  } while (!solve_motions(small_speed()));
  support_pressed();
  limit_lift();
  if (!velocities_wait()) (void)solve_velocities();
  hold_pressed();
  support_joined();
  remember();
}

// Returns the impulse of a contact that velocities contain. An iteration that did not converge may
// leave friction at a contact that presses no more: bodies that nothing else supports do not take
// it.
Vec3 Dynamics::Data::taken_impulse(std::size_t i) {
  const dynamics::SolverContact& contact = solver_contacts_[i];
  const Vec3& impulse = remembered_[i].impulse;
  const auto takes = [&](Index body) { return body < dynamic_count && nodes[body].supported; };
  if (contact.normal.impulse > 0) return impulse;
  if (!takes(contact.a) && !takes(contact.b)) return Vec3::Zero();
  if (contact.a < dynamic_count && !takes(contact.a)) nodes[contact.a].corrected += impulse;
  if (contact.b < dynamic_count && !takes(contact.b)) nodes[contact.b].corrected -= impulse;
  return impulse;
}

void Dynamics::Data::take_velocities() {
  tell_reactions();
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const dynamics::NearPlace& place = places_[resting_[i]];
    result.contacts.push_back({world.graph.id(place.a), world.graph.id(place.b), place.feature_a,
                               place.feature_b, place.point, place.normal, place.distance,
                               taken_impulse(i) / step_time});
  }
  tell_limits();
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    dynamics::MovingNode& node = nodes[i];
    if (!node.supported) continue;
    const Mat3 middle = dynamics::turned(node.start.matrix(), 0.5 * dt * unjoined_[i].angular);
    node.pushed += dt;
    node.linear = solver_bodies_[i].linear;
    node.angular_momentum +=
        dt * node.all_torque +
        node.inertia.world(middle) * (solver_bodies_[i].angular - unjoined_[i].angular);
    end_lag(node, node.start);
    node.allowed_turning = node.inertia.body * (middle.transpose() * solver_bodies_[i].angular);
    pay_for_lift(node, dt * (moved_bodies_[i].linear - solver_bodies_[i].linear));
  }
  give_back_paid();
}

// Making room for rotation lifts a body against the forces on it. That work is taken from its
// kinetic energy, except the work of one tolerance, which regains the gap.
void Dynamics::Data::pay_for_lift(dynamics::MovingNode& node, const Vec3& lift) const {
  const double work = -node.all_force.dot(lift) - options.tolerance * node.all_force.norm();
  if (!(work > 0)) return;
  const Vec3& momentum = node.allowed_turning;
  const double energy = 0.5 * node.inertia.mass * node.linear.squaredNorm() +
                        0.5 * momentum.dot(node.inertia.inverse_body * momentum);
  const double share = energy > work ? std::sqrt(1 - work / energy) : 0;
  node.paid += (1 - share) * node.inertia.mass * node.linear;
  node.slow_down(share);
  node.allowed_turning *= share;
}

// Bodies pay for their own lifts, each by another share of its velocity. The momentum that bodies
// in contact lose so goes to all of them, as a common velocity, unless friction or a joint may have
// taken it to what stands still.
void Dynamics::Data::give_back_paid() {
  if (std::all_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.paid.isZero(0); }))
    return;
  separate_all();
  for (const dynamics::SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0 &&
        (std::max(contact.a, contact.b) < dynamic_count || contact.friction > 0))
      join_bodies(contact.a, contact.b);
  for (const dynamics::Articulation& of : articulations())
    for (const Index j : of.joints) join_bodies(joints[j].a, joints[j].b);
  std::vector<dynamics::MovingNode*> members;
  each_joined_group([&](std::span<const std::pair<Index, Index>> group, bool stands) {
    if (stands) return;
    members.clear();
    for (const auto& [root, i] : group) members.push_back(&nodes[i]);
    give_back_paid(members);
  });
  for (dynamics::MovingNode& node : nodes) node.paid.setZero();
}

// The same for free bodies that hold each other from a time within the step on.
void Dynamics::Data::give_back_paid(const dynamics::Partners& partners) const {
  std::vector<dynamics::MovingNode*> members;
  bool any = false, is_free = meeting_joined_.empty();
  for (const dynamics::Partner& s : partners) {
    is_free = is_free && s.node != nullptr && s.node->is_dynamic() && !s.node->grounded;
    if (s.node == nullptr || !s.node->is_dynamic()) continue;
    members.push_back(s.node);
    any = any || !s.node->paid.isZero(0);
  }
  if (!any) return;
  if (is_free) give_back_paid(members);
  for (dynamics::MovingNode* const node : members) node->paid.setZero();
}

// What stands on something loses the part along its weight, which its support may have taken.
void Dynamics::Data::give_back_paid(std::span<dynamics::MovingNode* const> group) {
  Vec3 paid = Vec3::Zero(), weight = Vec3::Zero();
  double mass = 0;
  bool is_grounded = false;
  for (const dynamics::MovingNode* node : group) {
    paid += node->paid;
    mass += node->inertia.mass;
    weight += node->all_force;
    is_grounded = is_grounded || node->grounded;
  }
  if (is_grounded && weight.squaredNorm() > 0)
    paid -= (paid.dot(weight) / weight.squaredNorm()) * weight;
  for (dynamics::MovingNode* const node : group) {
    node->paid.setZero();
    node->correct([&] { node->linear += paid / mass; });
  }
}

// If the solver did not converge: bodies that are pressed together already and would approach
// further are held where they are.
void Dynamics::Data::hold_pressed() {
  held_.assign(nodes.size() + 1, false);
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const dynamics::SolverContact& contact = solver_contacts_[i];
    const double distance = places_[resting_[i]].distance;
    if (distance < kRestingPressed * options.tolerance &&
        dynamics::speed_along(contact.normal, moved_bodies_[contact.a], moved_bodies_[contact.b]) <
            0)
      for (const Index body : {contact.a, contact.b}) held_[body] = body < dynamic_count;
  }
}

void Dynamics::Data::remember() {
  remembered_.clear();
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const dynamics::NearPlace& place = places_[resting_[i]];
    remembered_.push_back({place.a, place.b, place.feature_a, place.feature_b,
                           dynamics::impulse_of(solver_contacts_[i]), place.point});
  }
}

}  // namespace touche
