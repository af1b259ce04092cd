// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_islands.h"

#include <algorithm>

namespace touche::dynamics {

Index ContactIslands::root(Index body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

void ContactIslands::find(std::span<const SolverBody> bodies,
                          std::span<const SolverContact> contacts) {
  parent_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    parent_[i] = can_move(bodies[i]) ? static_cast<Index>(i) : kNone;
  for (const SolverContact& c : contacts)
    if (moves(c.a) && moves(c.b)) {
      const Index a = root(c.a), b = root(c.b);
      parent_[std::min(a, b)] = std::max(a, b);
    }
  jointed_.assign(bodies.size(), false);
  for (const SolverContact& c : contacts) {
    const Index island = c.jointed == nullptr ? kNone : of(c);
    if (island != kNone) jointed_[island] = true;
  }
}

Index ContactIslands::of(const SolverContact& contact) {
  if (moves(contact.a)) return root(contact.a);
  return moves(contact.b) ? root(contact.b) : kNone;
}

}  // namespace touche::dynamics
