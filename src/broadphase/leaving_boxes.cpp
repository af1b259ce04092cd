// SPDX-License-Identifier: Apache-2.0
// Boxes that left their fat boxes get new ones, and their neighbours are found again. The data are
// scattered in memory, so several boxes do each step together while the data of the next step are
// prefetched.
#include <algorithm>

#include "base/fetch.h"
#include "broadphase/neighbour_lists.h"

namespace touche::broadphase {

// Most boxes stay in their tree leaves when they leave their fat boxes; every few times a box is
// reinserted where it fits best, so that the tree keeps its quality.
bool NeighbourLists::stays(Index slot) const {
  constexpr Index kStays = 4;
  return (slot + round_) % kStays != 0;
}

// Makes a new fat box for a box that left its old one. With `later`, work that can be deferred is
// deferred.
void NeighbourLists::bring_in(Index slot, bool later) {
  Slot& s = slots_[slot];
  const bool stays = s.in_tree && (later || this->stays(slot));
  std::array<float, 3> ahead{};
  if (s.in_tree) {
    ahead = way_ahead(slot);
    adapt_margin(slot);
    if (!stays) tree_.remove(slot);
  }
  fatten(slot, ahead);
  if (stays)
    tree_.stretch(slot, fats_[slot]);
  else
    tree_.insert(slot, fats_[slot]);
  s.in_tree = 1;
}

// Prefetches what will be changed when the boxes of a group find their neighbours.
void NeighbourLists::fetch_neighbours(std::span<const Index> group, bool keep_old) {
  changing_.clear();
  const auto changes = [&](Index other) {
    base::fetch(&ranges_[other]);
    changing_.push_back(other);
  };
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Index slot = group[i];
    const std::span<const Index> found = findings_.of(i);
    for (const Index other : found) is_near_[other] = 1;
    for (Index place = 0; place < ranges_[slot].count; ++place) {
      const Index other = list(slot)[place].other();
      if (is_near_[other] == 0 && !keep_old) changes(other);
      is_near_[other] = 0;
    }
    for (const Index other : found) {
      if (is_near_[other] != 0 && other != slot) changes(other);
      is_near_[other] = 0;
    }
  }
  for (const Index other : changing_)
    if (ranges_[other].size_class > 0) base::fetch(list(other) + ranges_[other].above);
}

// With `keep_old`, outdated neighbours are kept for a while: they do no harm.
void NeighbourLists::find_neighbours(Index slot, std::span<const Index> found, bool keep_old) {
  for (const Index other : found) is_near_[other] = 1;
  for (Index place = ranges_[slot].count; place-- > 0;) {
    const Index other = list(slot)[place].other();
    if (is_near_[other] == 0 && !keep_old) part(slot, place);
    is_near_[other] = 0;
  }
  is_near_[slot] = 0;
  for (const Index other : found) {
    if (is_near_[other] != 0) {
      if (slot == meeting_.slot)
        to_meet_.push_back(other);
      else
        make_neighbours(slot, other);
    }
    is_near_[other] = 0;
  }
  if (slot == meeting_.slot && to_meet_.empty()) forget_meeting();
}

// Links the box that left early with other near boxes. Some may have found it in between because
// they left their fat boxes, or may have been removed.
void NeighbourLists::meet(std::size_t most) {
  const Index slot = meeting_.slot;
  if (slot == kNone) return;
  if (slots_[slot].outside) {  // it searches all neighbours again
    forget_meeting();
    return;
  }
  for (Index place = 0; place < ranges_[slot].count; ++place)
    is_near_[list(slot)[place].other()] = 1;
  std::size_t left = to_meet_.size();
  for (std::size_t i = 0; i < most && left > 0; ++i) {
    const Index other = to_meet_[--left];
    if (is_near_[other] == 0 && slots_[other].in_tree && fats_[slot].overlaps(fats_[other])) {
      make_neighbours(slot, other);
      is_near_[other] = 1;
    }
  }
  to_meet_.resize(left);
  for (Index place = 0; place < ranges_[slot].count; ++place)
    is_near_[list(slot)[place].other()] = 0;
  if (left == 0) forget_meeting();
}

void NeighbourLists::forget_meeting() {
  meeting_ = {};
  to_meet_.clear();
}

// Does the work that was deferred when boxes left their fat boxes, in that order: unlinks up to
// `most` outdated neighbours, and reinserts some boxes into the tree.
void NeighbourLists::tidy(std::size_t most) {
  std::size_t done = 0;
  for (; done < with_old_.size(); ++done) {
    const Index slot = with_old_[done];
    Index place = ranges_[slot].count;
    for (; place > 0 && most > 0; --place) {
      if (fats_[slot].overlaps(fats_[list(slot)[place - 1].other()])) continue;
      part(slot, place - 1);
      --most;
    }
    if (place > 0 || most == 0) break;
    if (slots_[slot].in_tree && outside_.empty() && (slot + round_) % 2 == 0) {
      tree_.remove(slot);
      tree_.insert(slot, fats_[slot]);
    }
    --most;
  }
  with_old_.erase(with_old_.begin(), with_old_.begin() + static_cast<std::ptrdiff_t>(done));
}

// Processes all boxes that are outside their fat boxes.
void NeighbourLists::bring_in_all(bool keep_old) {
  constexpr std::size_t kAhead = 8;  // leaves are scattered in memory: prefetch them
  constexpr std::size_t kGroup = 16, kSeveral = 4, kLong = 24;
  std::sort(outside_.begin(), outside_.end());  // boxes with near slots are near each other
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    if (i + kAhead < outside_.size() && slots_[outside_[i + kAhead]].in_tree)
      tree_.fetch_leaf(outside_[i + kAhead]);
    if (i + kAhead / 2 < outside_.size() && slots_[outside_[i + kAhead / 2]].in_tree)
      tree_.fetch_above(outside_[i + kAhead / 2]);
    bring_in(outside_[i], keep_old);
  }
  for (std::size_t first = 0; first < outside_.size(); first += kGroup) {
    const auto group =
        std::span<const Index>(outside_).subspan(first, std::min(kGroup, outside_.size() - first));
    for (const Index slot : group)
      if (ranges_[slot].size_class > 0) base::fetch(list(slot));
    tree_.find_of_each(fats_.data(), group, findings_);
    if (group.size() >= kSeveral || findings_.items.size() >= kLong)
      fetch_neighbours(group, keep_old);
    for (std::size_t i = 0; i < group.size(); ++i)
      find_neighbours(group[i], findings_.of(i), keep_old);
  }
  if (keep_old) with_old_.insert(with_old_.end(), outside_.begin(), outside_.end());
  fattened_ = outside_.size();
  outside_.clear();
}

}  // namespace touche::broadphase
