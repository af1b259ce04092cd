// SPDX-License-Identifier: Apache-2.0
// The lists of neighbours and of overlapping pairs: each pair of neighbours has an entry in the
// lists of both boxes, and each entry has the position of the opposite entry and of its pair.
#include <algorithm>

#include "base/fetch.h"
#include "broadphase/neighbour_lists.h"

namespace touche::broadphase {

// Makes room for at least one more entry.
void NeighbourLists::grow(Index slot) {
  NeighbourRange& range = ranges_[slot];
  const Index old_class = range.size_class;
  const Index size_class = std::max(NeighbourRange::kLeastClass, old_class + 1);
  const Index capacity = Index{1} << size_class;
  if (size_class >= free_lists_.size()) free_lists_.resize(size_class + 1);
  Index begin = 0;
  if (free_lists_[size_class].empty()) {
    begin = lists_end_;
    if (neighbours_.size() - begin < capacity) {
      begin = neighbours_.size();
      neighbours_.add(capacity);
      links_.add(capacity);
    }
    lists_end_ = begin + capacity;
  } else {
    begin = free_lists_[size_class].back();
    free_lists_[size_class].pop_back();
  }
  if (old_class > 0) {
    std::copy_n(list(slot), range.count, neighbours_.at(begin));
    std::copy_n(links(slot), range.count, links_.at(begin));
    free_lists_[old_class].push_back(range.begin);
  }
  range.begin = begin;
  range.size_class = size_class & NeighbourRange::kMostClass;
  std::fill(list(slot) + range.count, list(slot) + capacity, Neighbour::nobody(slot));
}

// Moves an entry within a list, overwriting the target.
void NeighbourLists::shift(Index slot, Index from, Index to) {
  if (from == to) return;
  Neighbour* const own = list(slot);
  NeighbourLink* const own_links = links(slot);
  own[to] = own[from];
  own_links[to] = own_links[from];
  links(own[to].other())[own_links[to].twin].twin = to;
  if (own[to].overlaps()) pair_places_[own_links[to].pair] = {slot, to};
}

// Returns the position of the new entry, whose opposite entry is not linked yet. An entry above
// takes the position of the first one below, which moves to the end.
Index NeighbourLists::append(Index slot, Index other) {
  NeighbourRange& range = ranges_[slot];
  if (range.count == range.capacity()) grow(slot);
  const Index end = range.count++;
  const Index place = other > slot ? range.above++ : end;
  shift(slot, place, end);
  list(slot)[place] = {other, false};
  return place;
}

void NeighbourLists::make_neighbours(Index a, Index b) {
  const Index at_a = append(a, b), at_b = append(b, a);
  links(a)[at_a] = {at_b, kNone};
  links(b)[at_b] = {at_a, kNone};
}

// Removes one of the two entries of a pair; the last entry of its side, above or below, fills the
// gap.
void NeighbourLists::take_out(Index slot, Index place) {
  NeighbourRange& range = ranges_[slot];
  Index gap = place;
  if (place < range.above) {
    gap = --range.above;
    shift(slot, gap, place);
  }
  const Index last = --range.count;
  shift(slot, last, gap);
  list(slot)[last] = Neighbour::nobody(slot);
}

void NeighbourLists::part(Index slot, Index place) {
  if (list(slot)[place].overlaps()) end_pair(slot, place);
  const Index other = list(slot)[place].other(), twin = links(slot)[place].twin;
  take_out(slot, place);
  take_out(other, twin);
}

// Sets the pair of both entries, or none.
void NeighbourLists::set_pair(Index slot, Index place, Index pair) {
  const Index other = list(slot)[place].other(), twin = links(slot)[place].twin;
  list(slot)[place] = {other, pair != kNone};
  list(other)[twin] = {slot, pair != kNone};
  links(slot)[place].pair = links(other)[twin].pair = pair;
}

// A new pair reuses the position of an ended one, if there is one.
void NeighbourLists::begin_pair(Index slot, Index place) {
  auto pair = static_cast<Index>(pairs_.size());
  if (gaps_.empty()) {
    pairs_.emplace_back();
    pair_places_.emplace_back();
  } else {
    pair = gaps_.back();
    gaps_.pop_back();
  }
  set_pair(slot, place, pair);
  const auto [a, b] = std::minmax(slots_[slot].number, slots_[list(slot)[place].other()].number);
  pairs_[pair] = {a, b};
  pair_places_[pair] = {slot, place};
  note(pairs_[pair], true);
}

void NeighbourLists::end_pair(Index slot, Index place) {
  const Index pair = links(slot)[place].pair;
  note(pairs_[pair], false);
  set_pair(slot, place, kNone);
  pairs_[pair] = {};
  gaps_.push_back(pair);
}

// Begins and ends pairs. If there are many, the data are scattered in memory and are prefetched.
void NeighbourLists::apply_flips() {
  constexpr std::size_t kAhead = 8, kMany = 128;
  const bool many = flips_.size() >= kMany;
  for (std::size_t i = 0; i < flips_.size(); ++i) {
    if (many && i + kAhead < flips_.size()) fetch_link(flips_[i + kAhead].at);
    if (many && i + kAhead / 2 < flips_.size()) fetch_twin(flips_[i + kAhead / 2].at);
    const auto& [at, overlap] = flips_[i];
    // already applied from the other side
    if (list(at.box)[at.place].overlaps() == overlap) continue;
    if (overlap)
      begin_pair(at.box, at.place);
    else
      end_pair(at.box, at.place);
  }
}

void NeighbourLists::fetch_link(const NeighbourPlace& at) const {
  const Index entry = ranges_[at.box].begin + at.place, other = neighbours_.at(entry)->other();
  base::fetch(&ranges_[other]);
  base::fetch(&slots_[other]);
  base::fetch(&slots_[at.box]);
  base::fetch(links_.at(entry));
}

// Called when the data of both boxes have been fetched.
void NeighbourLists::fetch_twin(const NeighbourPlace& at) const {
  const Index entry = ranges_[at.box].begin + at.place, other = neighbours_.at(entry)->other();
  const Index twin = ranges_[other].begin + links_.at(entry)->twin;
  base::fetch(neighbours_.at(twin));
  base::fetch(links_.at(twin));
}

// Fills the gaps with the last pairs.
void NeighbourLists::close_gaps() {
  const auto drop_last_gaps = [&] {
    while (!pairs_.empty() && pairs_.back().a == kNone) pairs_.pop_back();
  };
  for (const Index gap : gaps_) {
    drop_last_gaps();
    if (gap >= pairs_.size()) continue;
    pairs_[gap] = pairs_.back();
    const NeighbourPlace at = pair_places_[gap] = pair_places_[pairs_.size() - 1];
    set_pair(at.box, at.place, gap);
    pairs_.pop_back();
  }
  drop_last_gaps();
  gaps_.clear();
  pair_places_.resize(pairs_.size());
}

}  // namespace touche::broadphase
