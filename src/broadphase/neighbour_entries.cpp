// SPDX-License-Identifier: Apache-2.0
// Who is near whom, and which of these overlap: each pair of neighbours has an entry in the lists
// of both, and each entry knows its twin and its pair.
#include <algorithm>

#include "broadphase/neighbour_lists.h"

namespace touche {

// Room for one entry more.
void NeighbourLists::grow(Index slot) {
  NeighbourRange& range = ranges_[slot];
  const Index old_class = range.size_class;
  const Index size_class = std::max(NeighbourRange::kLeastClass, old_class + 1);
  const Index capacity = Index{1} << size_class;
  if (size_class >= free_lists_.size()) free_lists_.resize(size_class + 1);
  Index begin = 0;
  if (free_lists_[size_class].empty()) {
    begin = static_cast<Index>(neighbours_.size());
    neighbours_.resize(neighbours_.size() + capacity);
    links_.resize(neighbours_.size());
  } else {
    begin = free_lists_[size_class].back();
    free_lists_[size_class].pop_back();
  }
  std::copy_n(list(slot), range.count, neighbours_.data() + begin);
  std::copy_n(links(slot), range.count, links_.data() + begin);
  if (old_class > 0) free_lists_[old_class].push_back(range.begin);
  range.begin = begin;
  range.size_class = size_class & NeighbourRange::kMostClass;
  std::fill(list(slot) + range.count, list(slot) + capacity, Neighbour::nobody(slot));
}

// Where the neighbours in slots below begin.
Index NeighbourLists::first_below(Index slot) {
  const Neighbour* const own = list(slot);
  return static_cast<Index>(
      std::partition_point(own, own + ranges_[slot].count,
                           [&](const Neighbour& n) { return n.other() > slot; }) -
      own);
}

// Moves an entry within a list, over what was there.
void NeighbourLists::shift(Index slot, Index from, Index to) {
  if (from == to) return;
  Neighbour* const own = list(slot);
  NeighbourLink* const own_links = links(slot);
  own[to] = own[from];
  own_links[to] = own_links[from];
  links(own[to].other())[own_links[to].twin].twin = to;
  if (own[to].overlaps()) pair_places_[own_links[to].pair] = {slot, to};
}

// Returns the place of the entry, which has no twin yet. One from above takes the place of the
// first from below, which goes to the end.
Index NeighbourLists::append(Index slot, Index other) {
  if (ranges_[slot].count == ranges_[slot].capacity()) grow(slot);
  const Index end = ranges_[slot].count, place = other > slot ? first_below(slot) : end;
  shift(slot, place, end);
  ++ranges_[slot].count;
  list(slot)[place] = {other, false};
  return place;
}

void NeighbourLists::make_neighbours(Index a, Index b) {
  const Index at_a = append(a, b), at_b = append(b, a);
  links(a)[at_a] = {at_b, kNone};
  links(b)[at_b] = {at_a, kNone};
}

// Takes out one of two entries; the last from its side, above or below, comes to its place.
void NeighbourLists::take_out(Index slot, Index place) {
  Index gap = place;
  if (list(slot)[place].other() > slot) {
    gap = first_below(slot) - 1;
    shift(slot, gap, place);
  }
  const Index last = --ranges_[slot].count;
  shift(slot, last, gap);
  list(slot)[last] = Neighbour::nobody(slot);
}

void NeighbourLists::part(Index slot, Index place) {
  if (list(slot)[place].overlaps()) end_pair(slot, place);
  const Index other = list(slot)[place].other(), twin = links(slot)[place].twin;
  take_out(slot, place);
  take_out(other, twin);
}

// Gives both entries their pair, or none.
void NeighbourLists::set_pair(Index slot, Index place, Index pair) {
  const Index other = list(slot)[place].other(), twin = links(slot)[place].twin;
  list(slot)[place] = {other, pair != kNone};
  list(other)[twin] = {slot, pair != kNone};
  links(slot)[place].pair = links(other)[twin].pair = pair;
}

void NeighbourLists::begin_pair(Index slot, Index place) {
  set_pair(slot, place, static_cast<Index>(pairs_.size()));
  const auto [a, b] = std::minmax(slots_[slot].number, slots_[list(slot)[place].other()].number);
  pairs_.push_back({a, b});
  pair_places_.push_back({slot, place});
  note(pairs_.back(), true);
}

void NeighbourLists::end_pair(Index slot, Index place) {
  const Index pair = links(slot)[place].pair;
  note(pairs_[pair], false);
  set_pair(slot, place, kNone);
  if (pair + 1 < pairs_.size()) {
    pairs_[pair] = pairs_.back();
    pair_places_[pair] = pair_places_.back();
    set_pair(pair_places_[pair].box, pair_places_[pair].place, pair);
  }
  pairs_.pop_back();
  pair_places_.pop_back();
}

}  // namespace touche
