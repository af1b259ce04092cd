// SPDX-License-Identifier: Apache-2.0
#include "dynamics/direct_contacts.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace touche::dynamics {
namespace {

// Speeds at a contact may be off by twice the accepted change, in units of the iterative solver's
// tolerance: friction along two tangents adds up.
constexpr double kLawful = 2 * DirectContacts::kAccepted;
// Rounding of impulses, in units of the largest one of a contact.
constexpr double kImpulseRounding = 1e-9;
// Radians: normals that are nearer each other than this are taken for normals of faces, or of edges
// one above the other, that gaps tilt against each other.
constexpr double kTilt = 0.05;
// Friction that withstands such tilts, in units of them, and its least value.
constexpr double kHoldsTilt = 2, kLeastFriction = 1e-3;
// Multiplications for the angle between two normals.
constexpr double kWorkOfTilt = 10;
// A hash, so that its sum over a set does not depend on the set's order.
std::uint64_t scattered(std::uint64_t number) {  // splitmix64
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

// True if a contact follows the contact law within a speed, judged by the velocities of the bodies
// alone: it does not pull, approaches no faster than it may, presses only if it does not open, and
// its friction is within the limit and against any sliding. Such contacts give no energy, except
// what their least speeds give.
bool follows_law(const SolverContact& c, std::span<const SolverBody> bodies, double small) {
  const SolverBody &a = bodies[c.a], &b = bodies[c.b];
  const double pressed = c.normal.impulse, parting = speed_along(c.normal, a, b) - c.least_speed;
  if (!(pressed >= 0) || !(parting >= -small)) return false;
  if (!(parting <= small) && c.normal.mass * small < pressed) return false;
  const Eigen::Vector2d held(c.tangents[0].impulse, c.tangents[1].impulse),
      speed(speed_along(c.tangents[0], a, b), speed_along(c.tangents[1], a, b));
  const double most = c.friction * pressed, sliding = speed.norm();
  if (!(held.norm() <= (1 + kImpulseRounding) * most + kImpulseRounding * c.tangent_least * small))
    return false;
  if (!(sliding < kInfinity)) return false;
  if (sliding <= 2 * small || c.tangent_least * small >= most) return true;
  return (held + most / sliding * speed).norm() <= (2 * small / sliding + kImpulseRounding) * most;
}

// True if some movable body has at least `heavy` times the mass of another one.
bool any_heavy(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts,
               double heavy) {
  double least = kInfinity, most = 0;  // of 1 / mass
  for (const SolverContact& c : contacts)
    for (const Index body : {c.a, c.b}) {
      const double inverse_mass = bodies[body].inverse_mass;
      if (!(inverse_mass > 0)) continue;
      least = std::min(least, inverse_mass);
      most = std::max(most, inverse_mass);
    }
  return most >= heavy * least;
}

}  // namespace

void DirectContacts::begin_step(int parts, int part) {
  if (part == 0) ++step_;
  all_left_ = kMostWork / parts;
  common_left_ = shared_ = 0.5 * all_left_;
  sharers_ = 0;
  for (Record& record : records_) record.spent = 0;
}

// True if the island of members_ failed in previous steps and is left out now.
bool DirectContacts::rests(Index island) {
  std::uint64_t members = 0;
  for (const Member& m : members_) members += scattered(m.body);
  Record& record = records_[island];
  if (record.members != members) {
    const double spent = record.spent;
    record = {};
    record.members = members;
    record.spent = spent;
  }
  if (record.is_solved || record.tried == step_) return false;
  return step_ - record.tried <= record.rest;
}

void DirectContacts::note_try(Index island, bool is_solved) {
  Record& record = records_[island];
  if (record.tried != step_) {
    if (record.is_solved) record.failures = record.rest = 0;
    record.tried = step_;
    record.is_solved = false;
    if (++record.failures > kPatientSteps)
      record.rest = std::min<Index>(2 * record.rest + 1, kMostRest);
  }
  record.is_solved |= is_solved;
}

double DirectContacts::allowance(Index island) const {
  const double share = shared_ / static_cast<double>(std::max<std::size_t>(sharers_, 1));
  return std::min(all_left_, std::max(share - records_[island].spent, 0.0) + common_left_);
}

void DirectContacts::spend(Index island, double work) {
  const double share = shared_ / static_cast<double>(std::max<std::size_t>(sharers_, 1));
  double& spent = records_[island].spent;
  const double beyond = spent + work - std::max(share, spent);
  common_left_ -= std::max(beyond, 0.0);
  all_left_ -= work;
  spent += work;
}

void DirectContacts::find_islands(std::span<const SolverBody> bodies,
                                  std::span<const SolverContact> contacts) {
  touching_bodies_.find(bodies, contacts);
  islands_.clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index island = touching_bodies_.of(contacts[i]);
    if (island != kNone && !touching_bodies_.is_jointed(island))
      islands_.emplace_back(island, static_cast<Index>(i));
  }
  std::sort(islands_.begin(), islands_.end());
}

Index DirectContacts::member(Index body, std::span<const SolverBody> bodies) {
  if (!can_move(bodies[body])) return kNone;
  if (member_of_[body] != kNone) return member_of_[body];
  const SolverBody& of = bodies[body];
  Member added{body, std::sqrt(of.inverse_mass), Mat3::Zero(), Vec6::Zero()};
  if (!of.inverse_inertia.isZero(0)) {
    const Eigen::LLT<Mat3> root(of.inverse_inertia);
    if (root.info() == Eigen::Success) added.angular = root.matrixL();
  }
  member_of_[body] = static_cast<Index>(members_.size());
  members_.push_back(added);
  return member_of_[body];
}

template <class Use>
void DirectContacts::each_island(const Use& use) {
  for (auto first = islands_.begin(); first != islands_.end();) {
    numbers_.clear();
    const Index of = first->first;
    for (; first != islands_.end() && first->first == of; ++first)
      numbers_.push_back(first->second);
    use(of);
  }
}

// Makes members and places_ from numbers_. Returns false if there are too many bodies.
bool DirectContacts::begin(std::span<const SolverBody> bodies,
                           std::span<const SolverContact> contacts) {
  for (const Member& m : members_) member_of_[m.body] = kNone;
  members_.clear();
  places_.clear();
  for (const Index number : numbers_) {
    const SolverContact& c = contacts[number];
    Place& place = places_.emplace_back();
    place.contact = &c;
    place.a = member(c.a, bodies);
    place.b = member(c.b, bodies);
    if (members_.size() > kMostBodies) return false;
    const SolverRow* const rows[] = {&c.normal, &c.tangents[0], &c.tangents[1]};
    for (int k = 0; k < 3; ++k) {
      const SolverRow& row = *rows[k];
      if (place.a != kNone) {
        const Member& m = members_[place.a];
        place.rows_a.row(k) << -m.linear * row.direction.transpose(),
            -(m.angular.transpose() * row.lever_a).transpose();
      }
      if (place.b != kNone) {
        const Member& m = members_[place.b];
        place.rows_b.row(k) << m.linear * row.direction.transpose(),
            (m.angular.transpose() * row.lever_b).transpose();
      }
      place.start_impulse[k] = row.impulse;
      place.start_speed[k] = speed_along(row, bodies[c.a], bodies[c.b]);
    }
    place.start_speed[0] -= c.least_speed;
    place.impulse = place.best = place.start_impulse;
    place.speed = place.start_speed;
  }
  most_mass_ = 0;
  least_mass_ = kInfinity;
  for (const Member& m : members_)
    if (const double inverse = bodies[m.body].inverse_mass; inverse > 0) {
      most_mass_ = std::max(most_mass_, 1 / inverse);
      least_mass_ = std::min(least_mass_, 1 / inverse);
    }
  return true;
}

// Gives bodies and contacts of the island the solution if they follow the contact law with it, by
// the bodies' own velocities. Returns whether they do; otherwise nothing changes.
bool DirectContacts::give(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                          double small) {
  const auto set_impulses = [&](const auto& impulse) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      SolverContact& contact = contacts[numbers_[i]];
      const Vec3& to = impulse(places_[i]);
      contact.normal.impulse = to[0];
      contact.tangents[0].impulse = to[1];
      contact.tangents[1].impulse = to[2];
    }
  };
  set_impulses([](const Place& place) -> const Vec3& { return place.impulse; });
  velocities_.clear();
  for (const Member& m : members_) {
    SolverBody& body = bodies[m.body];
    velocities_.emplace_back(body.linear, body.angular);
    body.linear += m.linear * m.change.head<3>();
    body.angular += m.angular * m.change.tail<3>();
  }
  const bool follows = std::all_of(numbers_.begin(), numbers_.end(), [&](Index number) {
    return follows_law(contacts[number], bodies, kLawful * small);
  });
  if (follows) return true;
  set_impulses([](const Place& place) -> const Vec3& { return place.start_impulse; });
  for (std::size_t i = 0; i < members_.size(); ++i) {
    SolverBody& body = bodies[members_[i].body];
    body.linear = velocities_[i].first;
    body.angular = velocities_[i].second;
  }
  return false;
}

bool DirectContacts::choose(std::span<const SolverBody> bodies,
                            std::span<const SolverContact> contacts, double small, double heavy) {
  islands_.clear();
  if (!any_heavy(bodies, contacts, heavy)) return false;
  find_islands(bodies, contacts);
  member_of_.assign(bodies.size(), kNone);
  members_.clear();
  chosen_.clear();
  if (records_.size() < bodies.size()) records_.resize(bodies.size());
  std::size_t sharers = 0;
  each_island([&](Index of) {
    if (!begin(bodies, contacts) || !(most_mass_ >= heavy * least_mass_) || rests(of)) return;
    ++sharers;
    if (!(residual() > small)) return;
    for (const Index number : numbers_) chosen_.emplace_back(of, number);
  });
  sharers_ = std::max(sharers_, sharers);
  islands_.swap(chosen_);
  return !islands_.empty();
}

// Gaps are kept between 1.25 and 2 tolerances, so faces that lie on each other are tilted by an
// unknown angle. A light body that is pressed by a heavy one on a tilted face, and stands on
// another face, would accelerate sideways by the heavy one's weight times that angle, divided by
// its own mass.
bool DirectContacts::allow_for_tilts(std::span<const SolverBody> bodies,
                                     std::span<SolverContact> contacts) {
  chosen_.clear();
  each_island([&](Index of) {
    touching_.clear();
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (const Index body : {contacts[numbers_[i]].a, contacts[numbers_[i]].b})
        if (can_move(bodies[body])) touching_.emplace_back(body, static_cast<Index>(i));
    std::sort(touching_.begin(), touching_.end());
    const double work = work_of_tilts();
    if (!(work < allowance(of))) return;
    spend(of, work);
    tilts_.assign(numbers_.size(), 0);
    for (auto i = touching_.begin(); i != touching_.end(); ++i)
      for (auto k = i + 1; k != touching_.end() && k->first == i->first; ++k) {
        const double sine =
            contacts[numbers_[i->second]]
                .normal.direction.cross(contacts[numbers_[k->second]].normal.direction)
                .norm();
        if (!(sine < kTilt)) continue;
        for (const Index one : {i->second, k->second}) tilts_[one] = std::max(tilts_[one], sine);
      }
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      chosen_.emplace_back(of, numbers_[i]);
      SolverContact& c = contacts[numbers_[i]];
      if (can_move(bodies[c.a]) && can_move(bodies[c.b]))
        c.friction += std::max(kLeastFriction, kHoldsTilt * tilts_[i]);
    }
  });
  islands_.swap(chosen_);
  return !islands_.empty();
}

// Each contact of a body is compared with all others of that body.
double DirectContacts::work_of_tilts() const {
  double work = 0;
  for (auto first = touching_.begin(); first != touching_.end();) {
    const auto last = std::find_if(first, touching_.end(),
                                   [&](const auto& other) { return other.first != first->first; });
    const auto count = static_cast<double>(last - first);
    work += 0.5 * kWorkOfTilt * count * (count - 1);
    first = last;
  }
  return work;
}

bool DirectContacts::solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts,
                           double small) {
  bool any = false;
  each_island([&](Index of) {
    if (!begin(bodies, contacts)) return;
    const double first = residual();
    if (!(first > small) || !(first < kInfinity)) return;
    find_order();
    const double most = work_left_ = std::min(allowance(of), kMostSystems * work_of_system());
    if (!(most > 0)) return;
    const bool is_solved = solve_island(small) && give(bodies, contacts, small);
    spend(of, most - work_left_);
    note_try(of, is_solved);
    any |= is_solved;
  });
  return any;
}

}  // namespace touche::dynamics
