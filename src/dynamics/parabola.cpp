// SPDX-License-Identifier: Apache-2.0
// In a step a body flies on a chord of its parabola. Impacts get the time and the velocities of the
// parabolas, but happen where the chords meet (MovingNode::to_parabola).
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"

namespace touche {

bool Dynamics::Data::is_on_parabola(const dynamics::Partner& partner) {
  const dynamics::MovingNode* const node = partner.node;
  return node != nullptr && node->is_dynamic() && !node->supported && home(node).of == nullptr;
}

// Velocity and acceleration at a time to which the body need not be advanced yet.
dynamics::Passing Dynamics::Data::passing(const dynamics::Partner& partner, double t) {
  dynamics::Passing passing{solver_body(partner, t)};
  const dynamics::MovingNode* const node = partner.node;
  if (node == nullptr || !node->is_dynamic()) return passing;
  const dynamics::Drift momenta = momenta_at(*node, t);
  passing.body.linear = momenta.linear;
  passing.body.angular = passing.body.inverse_inertia * momenta.angular;
  const dynamics::SolverBody ahead = forces_ahead(partner, t);
  passing.body.linear -= ahead.linear;
  passing.body.angular -= ahead.angular;
  if (!is_on_parabola(partner)) return passing;
  passing.to_parabola = to_parabola_at(*node, t);
  passing.force = acceleration(*node);
  return passing;
}

// Returns the time until two bodies are as near each other on their parabolas as their poses are
// now, at a contact point where they approach with this speed. Negative if that was before now.
double Dynamics::Data::wait_on_parabolas(double speed, const Vec3& normal,
                                         const dynamics::Passing& a,
                                         const dynamics::Passing& b) const {
  const double gap = normal.dot(b.to_parabola) - normal.dot(a.to_parabola);
  const double force = normal.dot(b.force) - normal.dot(a.force);
  const double square = speed * speed - 2 * force * gap;
  return square > 0 ? 2 * gap / (speed + std::sqrt(square)) : 0;
}

// Returns how much later than now the first pair meets on its parabolas, at the contact point where
// it approaches fastest.
double Dynamics::Data::wait_of_first(const dynamics::Partners& partners,
                                     const dynamics::PartnerSpeeds& bodies, double t) {
  double speed = 0;
  Vec3 normal = Vec3::Zero();
  for (const dynamics::SolverContact& contact : contacts_of(meeting_pairs_.front()))
    if (const double now = -dynamics::speed_along(contact.normal, bodies[0], bodies[1]);
        now > speed) {
      speed = now;
      normal = contact.normal.direction;
    }
  return wait_on_parabolas(speed, normal, passing(partners[0], t), passing(partners[1], t));
}

// Returns the time of the impact on the parabolas, since the step began. It may be earlier than t,
// but it is within the step and not before earlier impacts of the partners, of which t takes
// account already.
double Dynamics::Data::time_of_impact(const dynamics::Partners& partners,
                                      const dynamics::PartnerSpeeds& bodies, double t) {
  double earliest = 0;
  for (const dynamics::Partner& s : partners)
    if (s.node != nullptr) earliest = std::max(earliest, s.node->last_impact);
  return std::clamp(t * dt + wait_of_first(partners, bodies, t), earliest, dt);
}

// Returns the offset from chord to parabola at a time of a flight.
Vec3 Dynamics::Data::to_parabola_at(const dynamics::MovingNode& node, double t) const {
  const double time = node.rate * (t - node.begin) * dt;
  if (!(time > 0)) return node.to_parabola;
  const double whole = node.rate * (1 - node.begin) * dt;
  return (1 - time / whole) * node.to_parabola - 0.5 * time * (whole - time) * acceleration(node);
}

// Advances flying bodies on their parabolas by a time that may be negative, but leaves their poses.
void Dynamics::Data::fly_on(const dynamics::Partners& partners, dynamics::PartnerSpeeds& bodies,
                            double time) {
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (!is_on_parabola(partners[i])) continue;
    dynamics::MovingNode& node = *partners[i].node;
    node.to_parabola += time * bodies[i].linear + 0.5 * time * time * acceleration(node);
    bodies[i].linear += time * acceleration(node);
  }
}

}  // namespace touche
