// SPDX-License-Identifier: Apache-2.0
// A set of pairs that is also a list: a hash table of positions in an array without gaps. The order
// of the list depends only on the calls.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "touche/broadphase.h"

namespace touche::broadphase {

class PairTable {
 public:
  std::span<const BoxPair> pairs() const { return pairs_; }
  std::size_t bytes() const {
    return pairs_.capacity() * sizeof(BoxPair) + places_.capacity() * sizeof(Index);
  }
  bool contains(Index a, Index b) const {
    return !places_.empty() && places_[find(ordered(a, b))] != kNone;
  }

  /// Does nothing if the pair is already in the table.
  void insert(Index a, Index b) {
    if (2 * (pairs_.size() + 1) > places_.size()) grow();
    const BoxPair pair = ordered(a, b);
    Index& place = places_[find(pair)];
    if (place != kNone) return;
    place = static_cast<Index>(pairs_.size());
    pairs_.push_back(pair);
  }

  /// Does nothing if the pair is not in the table. The last pair takes its position in the list.
  void erase(Index a, Index b) {
    if (places_.empty()) return;
    const std::size_t cell = find(ordered(a, b));
    const Index place = places_[cell];
    if (place == kNone) return;
    places_[find(pairs_.back())] = place;
    pairs_[place] = pairs_.back();
    pairs_.pop_back();
    close_gap(cell);
  }

  template <class Condition>
  void erase_if(Condition&& condition) {
    std::erase_if(pairs_, condition);
    fill();
  }
  void clear() {
    erase_if([](const BoxPair&) { return true; });
  }

 private:
  static BoxPair ordered(Index a, Index b) { return a < b ? BoxPair{a, b} : BoxPair{b, a}; }

  // Multiplicative hashing: the highest bits are the best ones.
  std::size_t home(const BoxPair& pair) const {
    const std::uint64_t key = std::uint64_t{pair.a} << 32 | pair.b;
    const std::uint64_t mixed = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    return mixed >> (64 - std::countr_zero(places_.size()));
  }
  std::size_t next(std::size_t cell) const { return (cell + 1) & (places_.size() - 1); }

  // The cell of a pair, or the empty one where it would be inserted.
  std::size_t find(const BoxPair& pair) const {
    std::size_t cell = home(pair);
    while (places_[cell] != kNone && pairs_[places_[cell]] != pair) cell = next(cell);
    return cell;
  }

  // Entries after a cell that became empty move up, unless that would be before their home cell.
  void close_gap(std::size_t gap) {
    const std::size_t mask = places_.size() - 1;
    for (std::size_t cell = next(gap); places_[cell] != kNone; cell = next(cell)) {
      const std::size_t from_home = (cell - home(pairs_[places_[cell]])) & mask;
      if (from_home < ((cell - gap) & mask)) continue;
      places_[gap] = places_[cell];
      gap = cell;
    }
    places_[gap] = kNone;
  }

  void grow() {
    places_.resize(std::max<std::size_t>(16, 2 * places_.size()));
    fill();
  }
  void fill() {
    std::fill(places_.begin(), places_.end(), kNone);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      places_[find(pairs_[i])] = static_cast<Index>(i);
  }

  std::vector<BoxPair> pairs_;
  std::vector<Index> places_;  // 2^k cells, at least half of them empty
};

}  // namespace touche::broadphase
