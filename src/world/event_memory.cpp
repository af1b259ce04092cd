// SPDX-License-Identifier: Apache-2.0
#include "world/event_memory.h"
#include "base/budget_part.h"

#include <algorithm>
#include <tuple>

namespace touche::world {
namespace {

bool overlap(const Aabb& a, const Aabb& b) {
  return (a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all();
}

}  // namespace

void EventMemory::begin(const World::Data& world, const Reach& reach) {
  if (reach != reach_) since_ = 0;
  reach_ = reach;
  begun_ = world.revision;
  by_others_.assign(world.bodies.size(), false);
  for (Index node = 0; node < world.bodies.size(); ++node)
    by_others_[node] = world.bodies[node].is_body() && world.bodies[node].changed > since_;
}

void EventMemory::update(const Moves& moves, PairQuestioner& questioner, StepResult& result) {
  moves_ = &moves;
  moves.world.refresh_poses();
  changed_ = by_others_;
  for (Index node = 0; node < moves.world.bodies.size(); ++node)
    if (moves.world.bodies[node].changed > begun_) changed_[node] = true;
  find_pairs();
  measure(questioner);
  undecided_ = false;
  tell(result);
  since_ = undecided_ ? 0 : moves.world.revision;
}

// True if the distance of two bodies may have changed. Bodies of one group move as one, so theirs
// changes only if a body was changed between steps.
bool EventMemory::may_have_changed(Index a, Index b) const {
  if (by_others_[a] || by_others_[b]) return true;
  if (!changed_[a] && !changed_[b]) return false;
  return moves_->group[a] == kNone || moves_->group[a] != moves_->group[b];
}

// ---- pairs to measure ---------------------------------------------------------------------------

void EventMemory::find_pairs() {
  measured_.clear();
  (void)moves_->world.list_pairs();  // makes the searches below fast
  for (Index node = 0; node < changed_.size(); ++node)
    if (changed_[node]) find_pairs_of(node);
  for (const auto& [a, b] : moves_->stopped) measured_.push_back({.a = a, .b = b, .stopped = true});
  std::sort(measured_.begin(), measured_.end(), [](const Measured& x, const Measured& y) {
    return std::tuple(x.a, x.b, y.stopped) < std::tuple(y.a, y.b, x.stopped);
  });
  const auto same = [](const Measured& x, const Measured& y) { return x.key() == y.key(); };
  measured_.erase(std::unique(measured_.begin(), measured_.end(), same), measured_.end());
}

void EventMemory::find_pairs_of(Index node) {
  const World::Data& world = moves_->world;
  const auto box_of = [&](Index i) { return world_box(world.shape(i), world.bodies[i].pose); };
  const Aabb box = grown_within(box_of(node), reach_.near);
  found_.clear();
  world.boxes->in_box(box, [this](Index number) {
    found_.push_back(number);
    return true;
  });
  for (const Index number : found_) {
    const Index other = world.node_of_box[number];
    // Of two changed bodies, the one with the lower index adds the pair.
    if (other == node || (changed_[other] && other < node)) continue;
    if (!may_have_changed(node, other) || !overlap(box, box_of(other))) continue;
    if (!world.may_pair(node, other)) continue;
    measured_.push_back({.a = std::min(node, other), .b = std::max(node, other)});
  }
}

void EventMemory::measure(PairQuestioner& questioner) {
  questioner.ask_all(measured_.size(), moves_->options.threads,
                     [this](std::size_t i, Workspace& workspace) {
                       Measured& pair = measured_[i];
                       if (pair.stopped) return;
                       const World::Data& world = moves_->world;
                       const DistanceResult answer =
                           distance(world.shape(pair.a), world.bodies[pair.a].pose,
                                    world.shape(pair.b), world.bodies[pair.b].pose,
                                    {.max_distance = reach_.near,
                                     .stop_below = reach_.contact,
                                     .budget = base::with_any_work(moves_->options.budget),
                                     .workspace = &workspace});
                       pair.distance = answer.distance;
                       pair.complete = answer.complete;
                       pair.stats = answer.stats;
                     });
}

// ---- events -------------------------------------------------------------------------------------

// Merges the known and the measured pairs, which have the same order.
void EventMemory::tell(StepResult& result) {
  const World::Data& world = moves_->world;
  next_.clear();
  auto measured = measured_.begin();
  const auto tell_new_before = [&](const std::pair<Index, Index>& key) {
    for (; measured != measured_.end() && measured->key() < key; ++measured)
      tell_pair({world.graph.id(measured->a), world.graph.id(measured->b)}, &*measured, result);
  };
  for (const Known& pair : known_) {
    const std::pair key(pair.a.index, pair.b.index);
    tell_new_before(key);
    const bool there = world.graph.has(pair.a) && world.graph.has(pair.b);
    if (there && measured != measured_.end() && measured->key() == key)
      tell_pair(pair, &*measured++, result);
    else if (there && !may_have_changed(key.first, key.second))
      tell_pair(pair, nullptr, result);
    else
      end_pair(pair, result);
  }
  tell_new_before({kNone, kNone});
  for (const Measured& pair : measured_) {
    result.stats.queries += pair.stats;
    result.stats.measured += !pair.stopped;
  }
  known_.swap(next_);
}

void EventMemory::tell_pair(Known pair, const Measured* measured, StepResult& result) {
  const auto is_within = [&](double most, bool before) {
    if (measured == nullptr) return before;
    if (measured->stopped || measured->distance.upper <= most) return true;
    if (measured->complete || measured->distance.lower > most) return false;
    undecided_ = true;
    return before;
  };
  const bool contact = is_within(reach_.contact, pair.contact != 0),
             near = reach_.asks_near && (contact || is_within(reach_.near, pair.near != 0));
  count(pair.contact, contact, pair, result.contact_events);
  count(pair.near, near, pair, result.near_events);
  if (contact || near) next_.push_back(pair);
}

void EventMemory::end_pair(const Known& pair, StepResult& result) {
  Known ended = pair;
  count(ended.contact, false, pair, result.contact_events);
  count(ended.near, false, pair, result.near_events);
}

void EventMemory::count(std::uint64_t& number, bool now, const Known& pair, PairEvents& events) {
  if (!now && number == 0) return;
  std::vector<PairEvent>& list = number == 0 ? events.began : now ? events.going_on : events.ended;
  if (number == 0) number = ++count_;
  list.push_back({pair.a, pair.b, number});
  if (!now) number = 0;
}

}  // namespace touche::world
