// SPDX-License-Identifier: Apache-2.0
#include "dynamics/resting_solver.h"

#include <algorithm>

namespace touche::dynamics {
namespace {

void take_impulses(const SolverContact& from, SolverContact& to) {
  to.normal.impulse = from.normal.impulse;
  for (const std::size_t k : {0, 1}) to.tangents[k].impulse = from.tangents[k].impulse;
}

}  // namespace

void RestingSolver::sweep(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                          Passes& left, double small, double fast) {
  if (left.swept <= 0) return;
  left.swept -= swept_.solve(bodies, contacts, left.swept, small, fast);
  ended_in_vain_ = swept_.ended_in_vain();
}

void RestingSolver::solve_jointed(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                                  Passes& left, double small) {
  if (left.jointed <= 0) return;
  left.jointed -= jointed_.solve(bodies, contacts, left.jointed, small);
}

void RestingSolver::solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                          Passes& left, double small, double fast) {
  const auto acts_through_joints = [](const SolverContact& c) { return c.jointed != nullptr; };
  if (std::none_of(contacts.begin(), contacts.end(), acts_through_joints)) {
    left.jointed = 0;
    sweep(bodies, contacts, left, small, fast);
    return;
  }
  islands_.find(bodies, contacts);
  const auto is_jointed = [&](const SolverContact& c) {
    const Index island = islands_.of(c);
    return island == kNone ? c.jointed != nullptr : islands_.is_jointed(island);
  };
  of_swept_.clear();
  of_jointed_.clear();
  for (const SolverContact& c : contacts) (is_jointed(c) ? of_jointed_ : of_swept_).push_back(c);
  if (of_swept_.empty()) {
    left.swept = 0;
    ended_in_vain_ = false;
    solve_jointed(bodies, contacts, left, small);
    return;
  }
  solve_jointed(bodies, of_jointed_, left, small);
  sweep(bodies, of_swept_, left, small, fast);
  auto swept = of_swept_.begin(), jointed = of_jointed_.begin();
  for (SolverContact& c : contacts) take_impulses(is_jointed(c) ? *jointed++ : *swept++, c);
}

}  // namespace touche::dynamics
