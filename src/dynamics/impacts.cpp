// SPDX-License-Identifier: Apache-2.0
// Decides what bodies do when they meet within a step, in the order of time.
#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/dynamics_data.h"
#include "dynamics/impact.h"

namespace touche {
namespace {

// After so many impacts in a step a body stands still for the rest of it: bounded work where there
// is no end of impacts.
constexpr int kMaxImpacts = 24;

// A pair bounces at most so often in one impact, where it touches at several places.
constexpr int kMaxBounces = 8;

// Relative to others: a speed that is but rounding.
constexpr double kSmallSpeed = 1e-12;

// Passes that close the joints of bodies that rest on others.
constexpr int kMaxClosings = 30;

// In units of the tolerance: who rests on another that near waits for the next step.
constexpr double kPressed = 0.5;
// Who meets another one with some speed may do so a few times, each nearer than the last.
constexpr double kPressedHard = 0.1;

// In units of the tolerance: places that are that near count as touching when others do.
constexpr double kMeeting = 4;

}  // namespace

// A body that was stopped stood still since then, and its momentum is what it was. Those that meet
// again at once are stopped without a question: then it was at their last answer.
void Dynamics::Data::wake(MovingNode& node, bool is_still, double t) const {
  if (!node.stopped && (!is_still || node.motion().is_still())) return;
  if (!node.stopped) node.stop(node.pose(node.begin));
  if (node.is_dynamic()) take_back(node, (t - node.begin) * dt);
  node.lost += t - node.begin;
  node.begin = t;
  node.stopped = false;
}

// Brings velocities to a time of the step.
void Dynamics::Data::advance(MovingNode& node, double t) const {
  const double lost = (1 - node.rate) * (t - node.begin), time = node.rate * (t - node.begin) * dt;
  if (lost > 0) {
    node.lost += lost;
    node.slowed += lost;
    take_back(node, lost * dt);
  }
  if (!node.flight.empty() && !node.supported) {
    advance_flight(node, t);
  } else if (node.is_dynamic() && !node.supported) {
    const double whole = node.rate * (1 - node.begin) * dt;
    if (t > node.begin && !node.motion().is_still()) {
      node.lag = lag_after(node.inertia, node.pose(node.begin), node.lag,
                           node.angular_momentum + 0.5 * whole * node.all_torque, whole,
                           t < 1 ? time : whole, node.pose(t));
    }
    if (time > 0)
      node.to_parabola =
          (1 - time / whole) * node.to_parabola - 0.5 * time * (whole - time) * acceleration(node);
    node.linear += time * acceleration(node);
    node.angular_momentum += time * node.all_torque;
  } else if (node.grounded && articulation_of_[number_of(node)] == kNone) {
    limit_turning(node, node.pose(t).matrix());
  }
  node.begin = t;
}

std::vector<GroupMotion> Dynamics::Data::respond(const StepContact& met) {
  const double t = met.pair.time.lower;
  Partners& partners = partners_;
  partners = {partner(met.pair.a, met.group_a, met.pose_a),
              partner(met.pair.b, met.group_b, met.pose_b)};
  if (met.pair.status == ToiStatus::initially_touching && t == 0)
    touching_.emplace_back(met.pair.a, met.pair.b);
  bool no_end = false;
  for (const Partner& s : partners)
    if (s.node != nullptr && ++s.node->responses > kMaxImpacts) no_end = true;
  const std::array<bool, 2> is_still = {met.rest_a.is_still(), met.rest_b.is_still()};
  add_joined_partners(t);

  for (std::size_t i = 0; i < partners.size(); ++i)
    if (MovingNode* const node = partners[i].node) {
      // Who is joined to one that was stopped was stopped with it.
      wake(*node, is_still[i < 2 ? i : partners[i].joined_to], t);
      advance(*node, t);
      partners[i].rotation = node->rotation(partners[i].pose);
    }
  for (const Partner& s : partners)
    if (s.node != nullptr && s.node->asleep) {
      s.node->asleep = false;
      woken_.push_back(s.node->node);
    }
  settle_partners(t);
  const auto number = [&](const Partner& s) {
    return s.node == nullptr ? static_cast<Index>(nodes.size()) : number_of(*s.node);
  };
  met_in_step_.emplace_back(number(partners[0]), number(partners[1]));
  // Who is pressed together goes on in the next step, where all contacts are solved together.
  if (no_end || is_pressed(meet(met, partners))) {
    for (const Partner& s : partners)
      if (s.node != nullptr) s.node->stop(s.pose);
    return {};
  }
  give_motions(met, partners);
  std::vector<GroupMotion> motions;
  for (const Partner& s : partners)
    if (s.node != nullptr) motions.push_back({s.node->node, s.node->motion()});
  return motions;
}

// All that hangs together with the two that meet, where it is at that time.
void Dynamics::Data::add_joined_partners(double t) {
  meeting_joined_.clear();
  for (std::size_t s = 0; s < 2; ++s) {
    Articulation* const of = home(partners_[s].node).of;
    if (of == nullptr || (!meeting_joined_.empty() && meeting_joined_[0] == of)) continue;
    meeting_joined_.push_back(of);
    of->targets.clear();
    for (const Index i : of->nodes) {
      MovingNode* const node = &nodes[i];
      std::size_t at = 0;
      while (at < 2 && partners_[at].node != node) ++at;
      if (at == 2) {
        at = partners_.size();
        Partner& other = partners_.emplace_back();
        other.node = node;
        other.pose = other.body_pose = node->pose(t);
        other.centre = other.pose * node->inertia.centre;
        other.rotation = other.pose.matrix();
        other.joined_to = s;
      }
      of->targets.push_back(static_cast<Index>(at));
    }
  }
}

// Gives all that is joined velocities that joints allow where they are.
void Dynamics::Data::settle_partners(double t) {
  responses_used_ = 0;
  for (Articulation* const of : meeting_joined_) {
    end_flight(*of, t);
    of->flight_begin = t;
    of->places.resize(of->nodes.size());
    of->bodies.resize(of->nodes.size() + 1);
    of->bodies.back() = {};
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      const Partner& s = partners_[of->targets[n]];
      of->places[n] = {s.centre, s.rotation};
      of->bodies[n] = solver_body(s, t);
    }
    settle(*of);
  }
}

Dynamics::Data::PartnerSpeeds Dynamics::Data::solver_bodies(const Partners& partners,
                                                            double t) const {
  PartnerSpeeds bodies;
  for (const Partner& s : partners) bodies.push_back(solver_body(s, t));
  return bodies;
}

bool Dynamics::Data::is_pressed(const Meeting& meeting) const {
  return meeting.nearest < (meeting.rests ? kPressed : kPressedHard) * options.tolerance;
}

// Gives both the velocities that they have after an impact here and now.
Dynamics::Data::Meeting Dynamics::Data::meet(const StepContact& met, const Partners& partners) {
  const double t = met.pair.time.lower;
  PartnerSpeeds bodies = solver_bodies(partners, t);
  const Surface surface = common_surface(met.pair.a.index, met.pair.b.index);
  list_touching(met, partners, bodies, surface.friction);

  const double resting = resting_speed(met.pair.a.index, met.pair.b.index);
  const auto coming = [&] {
    double most = 0;
    for (const SolverContact& contact : meeting_)
      most = std::max(most, -speed_along(contact.normal, bodies[0], bodies[1]));
    return most;
  };
  Meeting meeting;
  for (const SolverContact& contact : meeting_)
    meeting.nearest = std::min(meeting.nearest, contact.distance);
  // A bounce throws back what bodies have by then, not what forces will have given them in the end.
  const PartnerSpeeds ahead = forces_ahead(partners, t);
  const auto add_ahead = [&](double sign) {
    for (std::size_t i = 0; i < partners.size(); ++i) {
      bodies[i].linear += sign * ahead[i].linear;
      bodies[i].angular += sign * ahead[i].angular;
    }
  };
  add_ahead(-1);
  double speed = coming();
  meeting.rests = speed <= resting;
  if (meeting.rests) {
    add_ahead(1);
    speed = coming();
    // Two that rest do so where they are: parabolas above that would hold them in the air.
    for (const Partner& s : partners)
      if (s.node != nullptr) s.node->to_parabola.setZero();
  }
  if (!(speed > 0)) return meeting;
  // Chords meet before parabolas do, or after: velocities are those of the parabolas where they
  // meet, but poses, and velocities after the impact, those of this time.
  const double time = meeting.rests ? t * dt : time_of_impact(partners, bodies, t);
  const double wait = time - t * dt;
  if (wait != 0) {
    fly_on(partners, bodies, wait);
    speed = coming();
  }
  // A body that one place throws back may come down on another.
  double now = speed;
  for (int i = 0; i < kMaxBounces && now > (i == 0 ? 0 : resting + kSmallSpeed * speed); ++i) {
    solve_impact(bodies, meeting_, meeting.rests ? 0 : surface.restitution, impact_solver_);
    collect_impulses();
    now = coming();
  }
  if (!meeting.rests) {
    if (wait != 0) fly_on(partners, bodies, -wait);
    add_ahead(1);
    tell_impact(met, time, speed);
    for (const Partner& s : partners)
      if (s.node != nullptr) s.node->last_impact = time;
  }
  for (std::size_t i = 0; i < partners.size(); ++i) take(partners[i], bodies[i]);
  return meeting;
}

void Dynamics::Data::collect_impulses() {
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    meeting_impulses_[i] += impulse_of(meeting_[i]);
    meeting_[i].normal.impulse = 0;
    for (SolverRow& row : meeting_[i].tangents) row.impulse = 0;
  }
}

void Dynamics::Data::give_motions(const StepContact& met, const Partners& partners) {
  const double t = met.pair.time.lower, rest = (1 - t) * dt;
  const bool held = rest_on_each_other(met, partners, rest);
  PartnerSpeeds drifts = held ? hold(partners, t) : solver_bodies(partners, t);
  // Time passes for both alike: else the one that is slower would be met again and again by the
  // other, from which it goes away.
  double rate = 1;
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i].node != nullptr && partners[i].node->is_dynamic())
      rate = std::min(rate, passing_share(rest * drifts[i].angular.stableNorm()));
  for (const Partner& s : partners)
    if (s.node != nullptr && s.node->is_dynamic()) s.node->rate = rate;
  slow_down(partners, drifts, t, rate);
  for (std::size_t i = 0; i < partners.size(); ++i) {
    MovingNode* const node = partners[i].node;
    if (node == nullptr) continue;
    if (node->is_dynamic() && home(node).of != nullptr) continue;
    if (node->is_dynamic() && node->supported)
      node->set_motion(t, drifting(node->inertia, partners[i].pose,
                                   {drifts[i].linear, drifts[i].angular}, rate * rest));
    else
      give_motion(*node, t, partners[i].pose);
  }
  for (Articulation* const of : meeting_joined_) {
    if (!is_supported(*of)) {
      fly(*of, t);
      continue;
    }
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      const Index at = of->targets[n];
      of->bodies[n] = held ? drifts[at] : solver_body(partners[at], t);
    }
    moved_joined_ = of->bodies;
    if (close_joints(*of, t, kMaxClosings)) {
      drift_joined(*of, t);
    } else {
      of->bodies = moved_joined_;
      fly_supported(*of, t);
    }
  }
}

// All places where the two touch now.
void Dynamics::Data::list_touching(const StepContact& met, const Partners& partners,
                                   const PartnerSpeeds& bodies, double friction) {
  near_features(world.form(met.pair.a.index), partners[0].body_pose, world.form(met.pair.b.index),
                partners[1].body_pose,
                {.margin = kMeeting * options.tolerance, .workspace = &workspace_}, near_);
  if (near_.contacts.empty() && met.pair.contact) near_.contacts.push_back(*met.pair.contact);
  meeting_.clear();
  meeting_points_.clear();
  meeting_impulses_.assign(near_.contacts.size(), Vec3::Zero());
  for (const Contact& contact : near_.contacts) {
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b);
    meeting_.push_back(solver_contact(bodies, 0, 1, contact.normal, point - partners[0].centre,
                                      point - partners[1].centre, friction));
    meeting_.back().distance = contact.distance;
    set_shares(meeting_.back(), contact.feature_a, contact.feature_b);
    join_contact(meeting_.back(), {home(partners[0].node), home(partners[1].node)});
    meeting_points_.push_back(point);
  }
}

void Dynamics::Data::tell_impact(const StepContact& met, double time, double coming) {
  Impact impact{met.pair.a, met.pair.b, time};
  impact.speed = coming;
  // Two that follow their motions exchange no impulse: then all places count alike.
  const auto pushes = [](const Vec3& impulse) { return impulse.squaredNorm() > 0; };
  bool push = std::any_of(meeting_impulses_.begin(), meeting_impulses_.end(), pushes);
  if (push) {
    double along = 0;
    for (std::size_t i = 0; i < meeting_.size(); ++i)
      along += meeting_impulses_[i].dot(meeting_[i].normal.direction);
    push = along > 0;
  }
  Vec3 normal = Vec3::Zero();
  double sum = 0;
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    const Vec3& direction = meeting_[i].normal.direction;
    const double weight = push ? meeting_impulses_[i].dot(direction) : 1;
    impact.point += weight * meeting_points_[i];
    normal += weight * direction;
    impact.impulse += meeting_impulses_[i];
    sum += weight;
  }
  impact.point /= sum;
  impact.normal = normal.normalized();
  const auto later = std::upper_bound(
      result.impacts.begin(), result.impacts.end(), impact,
      [](const Impact& first, const Impact& second) { return first.time < second.time; });
  result.impacts.insert(later, impact);
}

// Whether forces or their turning bring them together again before the step ends, where they hardly
// come apart.
bool Dynamics::Data::rest_on_each_other(const StepContact& met, const Partners& partners,
                                        double rest) {
  const double resting = resting_speed(met.pair.a.index, met.pair.b.index);
  PartnerSpeeds bodies = solver_bodies(partners, met.pair.time.lower), means = bodies;
  double speed = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const MovingNode* node = partners[i].node;
    if (node != nullptr && node->is_dynamic() && !node->supported)
      means[i].linear += to_chord(*node, rest);
    speed = std::max(speed, bodies[i].linear.norm());
  }
  for (Articulation* const of : meeting_joined_) {
    for (std::size_t n = 0; n < of->nodes.size(); ++n) of->bodies[n] = means[of->targets[n]];
    of->system.project(of->bodies, joint_impulses_);
    for (std::size_t n = 0; n < of->nodes.size(); ++n) means[of->targets[n]] = of->bodies[n];
  }
  return std::any_of(meeting_.begin(), meeting_.end(), [&](const SolverContact& contact) {
    const double small = kSmallSpeed * speed;
    return speed_along(contact.normal, bodies[0], bodies[1]) <= resting + small &&
           speed_along(contact.normal, means[0], means[1]) +
                   std::min(bend(contact, means, rest), 0.0) <
               -small;
  });
}

// Gives both all that forces do until the end of the step, and takes what brings them together.
// Returns velocities for their motions, which make room for their turning.
Dynamics::Data::PartnerSpeeds Dynamics::Data::hold(const Partners& partners, double t) {
  const double rest = (1 - t) * dt;
  for (const Partner& s : partners) support(s, rest);
  const auto stands = [](const Partner& s) {
    return s.node == nullptr || !s.node->is_dynamic() || s.node->grounded;
  };
  if (std::any_of(partners.begin(), partners.end(), stands))
    for (const Partner& s : partners)
      if (s.node != nullptr && s.node->is_dynamic()) s.node->grounded = true;
  PartnerSpeeds bodies = solver_bodies(partners, t);
  for (Articulation* const of : meeting_joined_) {
    for (std::size_t n = 0; n < of->nodes.size(); ++n) of->bodies[n] = bodies[of->targets[n]];
    of->system.project(of->bodies, joint_impulses_);
    add_reactions(*of, joint_impulses_, false);
    for (std::size_t n = 0; n < of->nodes.size(); ++n) bodies[of->targets[n]] = of->bodies[n];
  }
  solve_impact(bodies, meeting_, 0, impact_solver_);
  for (std::size_t i = 0; i < partners.size(); ++i) take(partners[i], bodies[i]);
  for (SolverContact& contact : meeting_)
    contact.least_speed = -std::min(bend(contact, bodies, rest), 0.0);
  solve_impact(bodies, meeting_, 0, impact_solver_);
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i].node != nullptr && partners[i].node->is_dynamic())
      pay_for_lift(*partners[i].node, rest * (bodies[i].linear - partners[i].node->linear));
  for (const Partner& s : partners)
    if (s.node != nullptr && s.node->is_dynamic()) end_lag(*s.node, s.pose);
  return bodies;
}

}  // namespace touche
