// SPDX-License-Identifier: Apache-2.0
// In a step a body flies on a chord of its parabola. Impacts have the time and the velocities that
// belong to the parabolas, at the places where the chords meet, see MovingNode::to_parabola.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"

namespace touche {

bool Dynamics::Data::is_on_parabola(const Partner& partner) {
  const MovingNode* const node = partner.node;
  return node != nullptr && node->is_dynamic() && !node->supported && home(node).of == nullptr;
}

// Returns when, since the step began, two bodies are as near each other on their parabolas as their
// poses are at t, at the place where they come together fastest. That may be before: but within the
// step, and after the impacts that both had, or what is joined to them, since t knows of these.
double Dynamics::Data::time_of_impact(const Partners& partners, const PartnerSpeeds& bodies,
                                      double t) {
  double speed = 0;
  Vec3 normal = Vec3::Zero();
  for (const SolverContact& contact : meeting_)
    if (const double now = -speed_along(contact.normal, bodies[0], bodies[1]); now > speed) {
      speed = now;
      normal = contact.normal.direction;
    }
  double gap = 0, force = 0;
  for (std::size_t i = 0; i < 2; ++i)
    if (is_on_parabola(partners[i])) {
      const double sign = i == 0 ? -1 : 1;
      gap += sign * normal.dot(partners[i].node->to_parabola);
      force += sign * normal.dot(acceleration(*partners[i].node));
    }
  double earliest = 0;
  for (const Partner& s : partners)
    if (s.node != nullptr) earliest = std::max(earliest, s.node->last_impact);
  const double square = speed * speed - 2 * force * gap;
  const double wait = square > 0 ? 2 * gap / (speed + std::sqrt(square)) : 0;
  return std::clamp(t * dt + wait, earliest, dt);
}

// Moves those that fly along their parabolas, also back, but not their poses.
void Dynamics::Data::fly_on(const Partners& partners, PartnerSpeeds& bodies, double time) {
  for (std::size_t i = 0; i < partners.size(); ++i) {
    if (!is_on_parabola(partners[i])) continue;
    MovingNode& node = *partners[i].node;
    node.to_parabola += time * bodies[i].linear + 0.5 * time * time * acceleration(node);
    bodies[i].linear += time * acceleration(node);
  }
}

}  // namespace touche
