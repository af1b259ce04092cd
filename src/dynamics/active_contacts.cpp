// SPDX-License-Identifier: Apache-2.0
// Solves few contacts instead of the thousands that a thread has: the active ones, which hold the
// bodies. All others are checked once velocities are found, and become active if they fail.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// All contact candidates of a pair with no more than this are active.
constexpr Index kFew = 32;
// Number of candidates of a pair that become active at once: the ones that fail most.
constexpr std::size_t kAtOnce = 8;
// In units of the tolerance, per step: by how much an inactive contact may fail.
constexpr double kFailure = 0.05;
// In units of the tolerance: how far away a candidate may be that takes the impulse of another one.
constexpr double kHandedOn = 1;

}  // namespace

// Finds the impulse of the previous step for each candidate. Features of a corner that lies on
// another one change with shifts far below the tolerance: what bore something and is not there any
// more hands its impulse on to the nearest candidate of the pair. Else a stack would lose what its
// iterations begin with.
void Dynamics::Data::recall() {
  recalled_.assign(places_.size(), kNone);
  std::size_t known = 0;
  bool all = true;
  const auto pair_of = [](const auto& p) { return std::pair(p.a, p.b); };
  std::size_t first = 0;  // candidate of the pair
  const auto hand_on = [&](std::size_t from) {
    const Remembered& gone = remembered_[from];
    while (first < places_.size() && pair_of(places_[first]) < pair_of(gone)) ++first;
    double least = kHandedOn * options.tolerance;
    std::size_t to = kNone;
    for (std::size_t i = first; i < places_.size() && pair_of(places_[i]) == pair_of(gone); ++i) {
      const double distance = (places_[i].point - gone.point).norm();
      if (!(distance < least) || !(places_[i].normal.dot(gone.impulse) > 0)) continue;
      least = distance;
      to = i;
    }
    if (to == kNone) return;
    if (recalled_[to] == kNone)
      recalled_[to] = static_cast<Index>(from);
    else
      remembered_[recalled_[to]].impulse += gone.impulse;
  };
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto wanted = dynamics::key(places_[i]);
    while (known < remembered_.size() && dynamics::key(remembered_[known]) < wanted) {
      all = all && remembered_[known].impulse.isZero(0);
      ++known;
    }
    if (known < remembered_.size() && dynamics::key(remembered_[known]) == wanted)
      recalled_[i] = static_cast<Index>(known++);
  }
  for (; known < remembered_.size(); ++known) all = all && remembered_[known].impulse.isZero(0);
  if (all) return;
  const std::vector<Index>& found = order_;
  order_.assign(recalled_.begin(), recalled_.end());
  std::sort(order_.begin(), order_.end());
  for (std::size_t i = 0; i < remembered_.size(); ++i)
    if (!remembered_[i].impulse.isZero(0) &&
        !std::binary_search(found.begin(), found.end(), static_cast<Index>(i)))
      hand_on(i);
}

// Chooses the candidates that are active from the start: the ones that held in the previous step,
// and the nearest ones of new pairs.
void Dynamics::Data::choose_active() {
  active_.clear();
  waiting_.clear();
  recall();
  const Index count = static_cast<Index>(places_.size());
  for (Index first = 0, last = 0; first < count; first = last) {
    while (last < count && places_[last].a == places_[first].a &&
           places_[last].b == places_[first].b)
      ++last;
    const std::size_t before = active_.size(), waited = waiting_.size();
    for (Index i = first; i < last; ++i) {
      const bool held = recalled_[i] != kNone && !remembered_[recalled_[i]].impulse.isZero(0);
      (last - first <= kFew || held ? active_ : waiting_).push_back(i);
    }
    if (active_.size() > before) continue;
    // The pair is new: take its nearest candidates.
    const auto begin = waiting_.begin() + static_cast<std::ptrdiff_t>(waited);
    if (const dynamics::SlidingBodies* both = sliding_bodies(places_[first].a, places_[first].b)) {
      std::array<Index, dynamics::SlidingPair::kParts> nearest;
      nearest.fill(kNone);
      for (auto i = begin; i != waiting_.end(); ++i) {
        Index& other = nearest[both->pair.part(places_[*i].point, places_[*i].normal)];
        if (other == kNone || places_[*i].distance < places_[other].distance) other = *i;
      }
      std::sort(nearest.begin(), nearest.end());
      std::copy_if(nearest.begin(), nearest.end(), std::back_inserter(active_),
                   [](Index i) { return i != kNone; });
      waiting_.erase(std::remove_if(begin, waiting_.end(),
                                    [&](Index i) {
                                      return std::binary_search(nearest.begin(), nearest.end(), i);
                                    }),
                     waiting_.end());
      continue;
    }
    const auto some = begin + static_cast<std::ptrdiff_t>(kAtOnce);
    std::nth_element(begin, some, waiting_.end(), [&](Index i, Index k) {
      return std::pair(places_[i].distance, i) < std::pair(places_[k].distance, k);
    });
    active_.insert(active_.end(), begin, some);
    std::sort(active_.begin() + static_cast<std::ptrdiff_t>(before), active_.end());
    waiting_.erase(begin, some);
    std::sort(waiting_.begin() + static_cast<std::ptrdiff_t>(waited), waiting_.end());
  }
}

// Adds the solver contact of a candidate. The impulses of the previous step are a good first guess.
void Dynamics::Data::add_contact(Index place) {
  std::optional<dynamics::SolverContact> contact = contact_at(places_[place]);
  if (!contact) return;
  if (recalled_[place] != kNone) {
    const Vec3& impulse = remembered_[recalled_[place]].impulse;
    contact->normal.impulse = std::max(0.0, impulse.dot(contact->normal.direction));
    for (dynamics::SolverRow& row : contact->tangents) row.impulse = impulse.dot(row.direction);
  }
  const Index a = contact->a, b = contact->b;
  join_contact(*contact, {home_of(a), home_of(b)});
  // Limits of joints come after all contacts.
  const auto at = static_cast<std::ptrdiff_t>(resting_.size());
  resting_.push_back(place);
  solver_contacts_.insert(solver_contacts_.begin() + at, *contact);
  gap_speeds_.insert(gap_speeds_.begin() + at, gap_speed(places_[place]));
}

dynamics::BendingGap Dynamics::Data::gap_at(const dynamics::NearPlace& place) const {
  const dynamics::NormalShares shares =
      dynamics::shares_of_normal(place.feature_a, place.feature_b);
  return {place.normal,
          place.point - centres_[solver_number(place.a)],
          place.point - centres_[solver_number(place.b)],
          place.distance,
          shares.a,
          shares.b};
}

// Finds how bodies turn at their present velocities.
void Dynamics::Data::find_turns() {
  body_turns_.clear();
  for (const dynamics::SolverBody& body : solver_bodies_)
    body_turns_.push_back(dynamics::turns_of(body, dt));
  find_besides();
}

// Returns the speed by which an inactive candidate fails its least speed. Threads have thousands of
// them, so no solver rows are made.
double Dynamics::Data::failure(const dynamics::NearPlace& place) const {
  const Index a = solver_number(place.a), b = solver_number(place.b);
  const dynamics::SolverBody &body_a = solver_bodies_[a], &body_b = solver_bodies_[b];
  const dynamics::BendingGap at = gap_at(place);
  const double gap = gap_speed(place), along = dynamics::parting_speed(at, body_a, body_b);
  if (along - dynamics::most_bend(at, body_a, body_b, dt) >= gap) return 0;
  const double swing = place.sliding != kNone
                           ? slide_bend(place)
                           : dynamics::bend(at, body_a, body_b, body_turns_[a], body_turns_[b], dt);
  const double speed = gap - along - std::min(swing, 0.0);
  return speed > 0 && rests_on(place) ? speed : 0;
}

// Makes the inactive candidates active that fail most. Returns whether there were any.
bool Dynamics::Data::activate() {
  const double allowed = kFailure * options.tolerance / dt;
  failing_.clear();
  if (!waiting_.empty()) find_turns();
  for (const Index i : waiting_) {
    const double speed = failure(places_[i]);
    if (speed > allowed) failing_.push_back({speed, i});
  }
  if (failing_.empty()) return false;
  added_.clear();
  for (auto first = failing_.begin(); first != failing_.end();) {
    const dynamics::NearPlace& place = places_[first->place];
    const auto last = std::find_if(first, failing_.end(), [&](const Failing& f) {
      return places_[f.place].a != place.a || places_[f.place].b != place.b;
    });
    const auto worse = [](const Failing& f, const Failing& g) {
      return f.speed != g.speed ? f.speed > g.speed : f.place < g.place;
    };
    // The worst candidates of a thread are neighbours of each other, so the worst of each part is
    // taken.
    auto some = first;
    if (const dynamics::SlidingBodies* both = sliding_bodies(place.a, place.b)) {
      std::array<const Failing*, dynamics::SlidingPair::kParts> worst{};
      for (auto f = first; f != last; ++f) {
        const Failing*& other =
            worst[both->pair.part(places_[f->place].point, places_[f->place].normal)];
        if (other == nullptr || worse(*f, *other)) other = &*f;
      }
      for (const Failing* f : worst)
        if (f != nullptr) added_.push_back(f->place);
    } else {
      some += std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(kAtOnce), last - first);
      std::nth_element(first, some - 1, last, worse);
      for (auto f = first; f != some; ++f) added_.push_back(f->place);
    }
    first = last;
  }
  std::sort(added_.begin(), added_.end());
  std::erase_if(waiting_,
                [&](Index i) { return std::binary_search(added_.begin(), added_.end(), i); });
  for (const Index i : added_) add_contact(i);
  sort_contacts();
  return true;
}

// Sorts the contacts in the order of places_.
void Dynamics::Data::sort_contacts() {
  order_.resize(resting_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Index>(i);
  std::sort(order_.begin(), order_.end(),
            [&](Index i, Index k) { return resting_[i] < resting_[k]; });
  sorted_contacts_.clear();
  for (const Index i : order_) sorted_contacts_.push_back(solver_contacts_[i]);
  for (std::size_t i = order_.size(); i < solver_contacts_.size(); ++i)
    sorted_contacts_.push_back(solver_contacts_[i]);
  solver_contacts_.swap(sorted_contacts_);
  std::sort(resting_.begin(), resting_.end());
  for (std::size_t i = 0; i < resting_.size(); ++i)
    gap_speeds_[i] = gap_speed(places_[resting_[i]]);
}

}  // namespace touche
