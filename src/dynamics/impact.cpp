// SPDX-License-Identifier: Apache-2.0
#include "dynamics/impact.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace touche::dynamics {
namespace {

// A few contacts converge to rounding in about this many iterations. More do not pay: the residual
// is a speed that the next impact takes.
constexpr int kMaxPasses = 200;
constexpr double kSmallChange = 1e-15;
// Rounding may seem to add this share of the energy that impulses exchange.
constexpr double kRoundingGain = 1e-12;

// Bodies that touch at more than kMany points, as threads do, are stopped at a few of them;
// contacts that still approach, by more than kStillComes of the speed, are added kMoreAtOnce at a
// time.
constexpr std::size_t kMany = 64, kMoreAtOnce = 8;
constexpr int kMostRounds = 32;
constexpr double kStillComes = 1e-6;

double largest_speed(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts) {
  double speed = 0;
  for (const SolverContact& contact : contacts)
    speed = std::max(speed, relative_velocity(contact, bodies).norm());
  return speed;
}

// True if friction is within its limit.
bool within_limit(const SolverContact& contact) {
  const double most = contact.friction * contact.normal.impulse;
  const Vec3 along(contact.tangents[0].impulse, contact.tangents[1].impulse, 0);
  return along.norm() <= most + kRoundingGain * std::abs(most);
}

void forget_impulses(std::span<SolverContact> contacts) {
  for (SolverContact& contact : contacts)
    contact.normal.impulse = contact.tangents[0].impulse = contact.tangents[1].impulse = 0;
}

// Finds the contacts that approach fastest, except the known ones, whose numbers are in ascending
// order.
void find_fastest(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts,
                  std::span<const std::size_t> known, double slow,
                  std::vector<std::pair<double, std::size_t>>& fastest) {
  fastest.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const SolverContact& c = contacts[i];
    const double speed = speed_along(c.normal, bodies[c.a], bodies[c.b]) - c.least_speed;
    if (speed < -slow && !std::binary_search(known.begin(), known.end(), i))
      fastest.emplace_back(speed, i);
  }
  const auto some = std::min(kMoreAtOnce, fastest.size());
  std::partial_sort(fastest.begin(), fastest.begin() + static_cast<std::ptrdiff_t>(some),
                    fastest.end());
  fastest.resize(some);
}

// The same as compress, with few of many contacts. Returns false if that does not come to an end.
bool compress_few(std::span<SolverBody> bodies, std::span<SolverContact> contacts, double small,
                  ContactSolver& solver) {
  thread_local std::vector<SolverBody> before;
  thread_local std::vector<SolverContact> few;
  thread_local std::vector<std::size_t> numbers;
  thread_local std::vector<std::pair<double, std::size_t>> fastest;
  before.assign(bodies.begin(), bodies.end());
  few.clear();
  numbers.clear();
  const double slow = kStillComes * largest_speed(bodies, contacts);
  for (int round = 0; round < kMostRounds; ++round) {
    find_fastest(bodies, contacts, numbers, slow, fastest);
    if (fastest.empty()) {
      if (gained_energy(before, bodies, few, kRoundingGain) ||
          !std::all_of(few.begin(), few.end(), within_limit))
        break;
      for (std::size_t i = 0; i < few.size(); ++i) contacts[numbers[i]] = few[i];
      return true;
    }
    for (const auto& [speed, i] : fastest) {
      const auto at = std::lower_bound(numbers.begin(), numbers.end(), i) - numbers.begin();
      numbers.insert(numbers.begin() + at, i);
      few.insert(few.begin() + at, contacts[i]);
    }
    solver.solve(bodies, few, kMaxPasses, small);
  }
  std::copy(before.begin(), before.end(), bodies.begin());
  return false;
}

// Finds impulses after which no contact approaches. If friction lifts what it holds back, the
// iteration need not converge: it may end with friction at a contact that nothing presses, and with
// more energy than before. Then it begins again without friction and without conjugate directions:
// starting from none, each impulse is the one of least energy, so there is never more energy than
// before.
void compress(std::span<SolverBody> bodies, std::span<SolverContact> contacts, double small,
              ContactSolver& solver) {
  const bool fresh = std::all_of(contacts.begin(), contacts.end(),
                                 [](const SolverContact& c) { return impulse_of(c).isZero(0); });
  if (fresh && contacts.size() > kMany && compress_few(bodies, contacts, small, solver)) return;
  thread_local std::vector<SolverBody> before;
  before.assign(bodies.begin(), bodies.end());
  if (solver.solve(bodies, contacts, kMaxPasses, small) < kMaxPasses || !fresh) return;
  if (!gained_energy(before, bodies, contacts, kRoundingGain) &&
      std::all_of(contacts.begin(), contacts.end(), within_limit))
    return;
  std::copy(before.begin(), before.end(), bodies.begin());
  forget_impulses(contacts);
  for (SolverContact& contact : contacts) contact.friction = 0;
  for (int i = 0; i < kMaxPasses; ++i)
    if (pass(bodies, contacts, i % 2 == 0) <= small) return;
}

// The share x of the impulses of compression after which the energy E0 + 2 x linear + x² square has
// grown by `gain`.
double share_for(double gain, double linear, double square) {
  if (!(square > 0)) return 0;
  return (std::sqrt(linear * linear + square * gain) - linear) / square;
}

// Twice the work of the impulses of contacts that changed velocities from `before` to `after`.
double twice_work(std::span<const SolverBody> before, std::span<const SolverBody> after,
                  std::span<const SolverContact> contacts) {
  double sum = 0;
  const auto add = [&](const SolverContact& contact, const SolverRow& row) {
    if (row.impulse == 0) return;
    sum += row.impulse * (speed_along(row, before[contact.a], before[contact.b]) +
                          speed_along(row, after[contact.a], after[contact.b]));
  };
  for (const SolverContact& contact : contacts) {
    add(contact, contact.normal);
    for (const SolverRow& row : contact.tangents) add(contact, row);
  }
  return sum;
}

}  // namespace

bool gained_energy(std::span<const SolverBody> before, std::span<const SolverBody> after,
                   std::span<const SolverContact> contacts, double share) {
  double gain = 0, size = 0;
  const auto add = [&](const SolverContact& contact, const SolverRow& row, double aim) {
    if (row.impulse == 0) return;
    const double was = speed_along(row, before[contact.a], before[contact.b]);
    const double is = speed_along(row, after[contact.a], after[contact.b]);
    gain += row.impulse * (0.5 * (was + is) - aim);
    size += std::abs(row.impulse * was);
  };
  for (const SolverContact& contact : contacts) {
    add(contact, contact.normal, contact.least_speed);
    for (const SolverRow& row : contact.tangents) add(contact, row, 0);
  }
  return gain > share * size;
}

void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  double restitution, ContactSolver& solver) {
  thread_local std::vector<double> restitutions;
  restitutions.assign(contacts.size(), restitution);
  solve_impact(bodies, contacts, restitutions, solver);
}

void solve_impact(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                  std::span<const double> restitutions, ContactSolver& solver) {
  thread_local std::vector<SolverBody> before;
  const auto [least, most] = std::minmax_element(restitutions.begin(), restitutions.end());
  const bool bounces = !contacts.empty() && *most > 0;
  if (bounces) before.assign(bodies.begin(), bodies.end());
  const double small = kSmallChange * largest_speed(bodies, contacts);
  compress(bodies, contacts, small, solver);
  if (!bounces) return;

  // Energies are computed from the work of impulses, so they are the same relative to anything that
  // follows a motion: the speed that it gives to other bodies is no energy of the impact. Each
  // normal impulse is applied again by a share of its part, which is 1 for the largest restitution.
  // The energy is a quadratic function of that share: E0 + 2 x c1 + x² c2.
  const double lost = std::max(-twice_work(before, bodies, contacts), 0.0), restitution = *most;
  const auto part = [&](std::size_t i) { return restitutions[i] / restitution; };
  const auto again = [&](std::size_t i) { return part(i) * contacts[i].normal.impulse; };
  const auto sum = [&] {
    double along = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const SolverContact& c = contacts[i];
      along += again(i) * speed_along(c.normal, bodies[c.a], bodies[c.b]);
    }
    return along;
  };
  const double linear = sum();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    apply(bodies, contacts[i], contacts[i].normal, again(i));
  const double square = sum() - linear;
  const bool has_friction =
      std::any_of(contacts.begin(), contacts.end(),
                  [](const SolverContact& contact) { return contact.friction > 0; });
  // Without friction the energy determines the share, even if impulses are not exact.
  double share = has_friction || *least < *most
                     ? restitution
                     : share_for(restitution * restitution * lost, linear, square);
  if (2 * share * linear + share * share * square > lost)
    share = std::min(share, share_for(lost, linear, square));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SolverContact& contact = contacts[i];
    apply(bodies, contact, contact.normal, (share - 1) * again(i));
    contact.normal.impulse *= 1 + share * part(i);
  }
  if (!has_friction) return;
  for (int i = 0; i < kMaxPasses; ++i)
    if (pass(bodies, contacts, i % 2 == 0, Friction::only) <= small) return;
}

}  // namespace touche::dynamics
