// SPDX-License-Identifier: Apache-2.0
#include "dynamics/contact_list.h"

#include <algorithm>
#include <tuple>

namespace touche::dynamics {
namespace {

// More candidates than kFewPairs are too many, see NearQuestion.
constexpr std::size_t kFewPairs = 64, kAll = static_cast<std::size_t>(-1);
// Limit of work for finding out whether there are too many.
constexpr std::uint64_t kLittle = 100;

// Returns a contact that was found at other poses as a candidate: its points move with the bodies.
NearPlace placed(const Contact& contact, const Pose& move_a, const Pose& move_b) {
  const Vec3 point_a = move_a * contact.point_a, point_b = move_b * contact.point_b;
  NearPlace place;
  place.feature_a = contact.feature_a;
  place.feature_b = contact.feature_b;
  place.point = 0.5 * (point_a + point_b);
  place.normal = contact.normal;
  place.distance = contact.normal.dot(point_b - point_a);
  return place;
}

}  // namespace

bool ContactList::still_holds(const World::Data& world, const Found& found,
                              const NearQuestion& pair, double slack) const {
  const World::Data::Body &a = world.bodies[found.a], &b = world.bodies[found.b];
  return a.became == found.became_a && b.became == found.became_b && found.margin >= pair.margin &&
         found.least >= pair.least &&
         world::displacement(*a.shape, found.pose_a, a.pose) +
                 world::displacement(*b.shape, found.pose_b, b.pose) <=
             slack;
}

void ContactList::update(const World::Data& world, std::span<const NearQuestion> pairs,
                         double slack, int threads) {
  next_.clear();
  old_.clear();
  asked_.clear();
  std::size_t known = 0;
  for (const NearQuestion& pair : pairs) {
    const World::Data::Body &a = world.bodies[pair.a], &b = world.bodies[pair.b];
    while (known < found_.size() &&
           std::pair(found_[known].a, found_[known].b) < std::pair(pair.a, pair.b))
      ++known;
    const bool same =
        known < found_.size() && found_[known].a == pair.a && found_[known].b == pair.b;
    if (same && still_holds(world, found_[known], pair, slack)) {
      next_.push_back(found_[known]);
      old_.push_back(static_cast<Index>(known));
      continue;
    }
    asked_.push_back(static_cast<Index>(next_.size()));
    // Margins grow by `slack`, so that a pair that is reused in later steps includes what comes
    // near meanwhile.
    next_.push_back({pair.a, pair.b, a.became, b.became, pair.margin + slack, pair.least + slack,
                     a.pose, b.pose});
    old_.push_back(kNone);
  }

  if (answers_.size() < asked_.size()) answers_.resize(asked_.size());
  questioner_.ask_all(asked_.size(), threads, [&](std::size_t i, Workspace& workspace) {
    const Found& pair = next_[asked_[i]];
    const auto ask = [&](double margin, std::size_t most, std::uint64_t work) {
      near_features(world.shape(pair.a), pair.pose_a, world.shape(pair.b), pair.pose_b,
                    {.max_distance = margin,
                     .max_contacts = most,
                     .budget = {.max_work = work},
                     .workspace = &workspace},
                    answers_[i]);
      return answers_[i].complete;
    };
    if (!ask(pair.margin, kFewPairs, kLittle)) ask(pair.least, kAll, Budget::kUnlimited);
  });

  next_contacts_.clear();
  places_.clear();
  std::size_t answer = 0;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    Found& pair = next_[i];
    const Index first = static_cast<Index>(next_contacts_.size());
    if (old_[i] != kNone)
      next_contacts_.insert(next_contacts_.end(), contacts_.begin() + pair.first,
                            contacts_.begin() + pair.last);
    else {
      const std::vector<Contact>& contacts = answers_[answer++].contacts;
      next_contacts_.insert(next_contacts_.end(), contacts.begin(), contacts.end());
    }
    pair.first = first;
    pair.last = static_cast<Index>(next_contacts_.size());
    const Pose move_a = world.bodies[pair.a].pose * pair.pose_a.inverse();
    const Pose move_b = world.bodies[pair.b].pose * pair.pose_b.inverse();
    for (Index c = pair.first; c < pair.last; ++c) {
      NearPlace place = placed(next_contacts_[c], move_a, move_b);
      place.a = pair.a;
      place.b = pair.b;
      places_.push_back(place);
    }
  }
  found_.swap(next_);
  contacts_.swap(next_contacts_);
}

}  // namespace touche::dynamics
