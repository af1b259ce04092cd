// SPDX-License-Identifier: Apache-2.0
// The queue of the search for the time of impact: pairs of nodes and of triangles, each with a
// lower bound as its key, least first.
//
// An opened pair of nodes yields up to 64 pairs, most of which are never looked at: they wait
// together in a group, and only the least of a group stands in the heap. A pair that was looked at
// stays in its group with a better key.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche {

/// The children of an opened pair that wait.
class WaitingGroup {
 public:
  /// Room for the keys.
  PairKeys& keys() { return keys_; }

  /// Key of pair n: base + keys().value, but at least `least_key`.
  void start(const OpenedPair& pair, std::int32_t first, double base, double least_key) {
    children_ = pair.children();
    triangles_ = pair.leaves();
    first_ = first;
    seen_ = 0;
    base_ = base;
    least_key_ = least_key;
  }

  bool empty() const { return first_ == PairKeys::kNone; }
  bool triangles() const { return triangles_; }
  NodePair nodes() const { return children_.nodes; }
  NodePair operator[](int pair) const { return children_[pair]; }

  /// The least one.
  double first_key() const {
    return std::max(base_ + static_cast<double>(PairKeys::value(first_)), least_key_);
  }
  /// It was looked at, and the look is fresh.
  bool first_is_seen() const { return seen(first_); }

  /// Takes the first away.
  int take(const Kernels& kernel) {
    const int pair = PairKeys::pair(first_);
    first_ = kernel.next(keys_, first_);
    keys_.key[pair] = PairKeys::kNone;
    return pair;
  }

  /// The pairs that come first, up to one that was seen.
  struct Firsts {
    std::int32_t key[kWidth];
    int count;

    int pair(int n) const { return PairKeys::pair(key[n]); }
  };
  Firsts firsts(const Kernels& kernel) const {
    Firsts found;
    kernel.first_keys(keys_, found.key);
    std::uint32_t stop = 1u << kWidth;
    for (int n = 0; n < kWidth; ++n)
      stop |= static_cast<std::uint32_t>(found.key[n] == PairKeys::kNone || seen(found.key[n]))
              << n;
    found.count = std::countr_zero(stop);
    return found;
  }

  /// They were looked at `now` and are proved apart for these times, and for as long as before.
  /// Those that stay so beyond `end` go away; looks that prove no more than `fresh` stay fresh.
  void put_back(const Kernels& kernel, const Firsts& firsts, const float (&time)[kBatch],
                double now, double end, double fresh) {
    // In single precision from the base on, rounded towards the safe side.
    constexpr float kDown = 1 - 0x1p-22f;
    const auto since = kDown * static_cast<float>(now - base_);
    const auto until = (1 + 0x1p-22f) * static_cast<float>(end - base_);
    const float seen_until = since + static_cast<float>(fresh);
    std::int32_t key[kWidth];
    std::uint32_t seen[kWidth];
    for (int n = 0; n < kWidth; ++n) {
      const float value = std::max(PairKeys::value(firsts.key[n]), kDown * (since + time[n]));
      const std::int32_t kept = PairKeys::of(value, PairKeys::pair(firsts.key[n]));
      key[n] = value <= until ? kept : PairKeys::kNone;
      seen[n] = value <= seen_until ? 1 : 0;
    }
    // The first of the others, found before keys are written: to read them at once would wait.
    first_ = firsts.count < kWidth ? firsts.key[firsts.count]
                                   : kernel.next(keys_, firsts.key[kWidth - 1]);
    for (int n = 0; n < firsts.count; ++n) {
      first_ = std::min(first_, key[n]);
      keys_.key[firsts.pair(n)] = key[n];
      seen_ |= std::uint64_t{seen[n]} << firsts.pair(n);
    }
  }

  /// No key is less.
  void set_least_key(double key) { least_key_ = std::max(least_key_, key); }

 private:
  bool seen(std::int32_t key) const { return (seen_ >> PairKeys::pair(key) & 1) != 0; }

  PairKeys keys_;
  ChildPairs children_;
  std::int32_t first_;
  bool triangles_;
  std::uint64_t seen_;
  double base_, least_key_;
};

class PairQueue {
 public:
  void clear() {
    heap_.reserve(256);
    groups_.reserve(128);
    heap_.clear();
    used_ = 0;
  }

  bool empty() const { return heap_.empty(); }

  // ---- the head: a group of pairs, or a pair of triangles -----------------------------------

  double least_key() const { return heap_.front().key; }
  bool head_is_group() const { return heap_.front().is_group; }
  WaitingGroup& group() { return groups_[heap_.front().a]; }
  TriangleIds triangles() const { return {heap_.front().a, heap_.front().b}; }

  /// Gives the head another key, which is not less.
  void delay(double key) {
    Entry entry = heap_.front();
    entry.key = key;
    sift_down(entry);
  }
  void pop() {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sift_down(last);
  }
  /// The head is a group of which pairs were taken or put back.
  void group_changed() {
    if (group().empty())
      pop();
    else
      delay(group().first_key());
  }

  // ---- what comes in ------------------------------------------------------------------------

  void push_triangles(double key, Index a, Index b) { push({key, a, b, false}); }

  /// Room for a group; start it, then push_group, or drop it.
  WaitingGroup& room() {
    if (groups_.size() == used_) groups_.emplace_back();
    return groups_[used_];
  }
  void push_group() {
    push({groups_[used_].first_key(), static_cast<std::uint32_t>(used_), 0, true});
    ++used_;
  }

 private:
  struct Entry {
    double key;
    std::uint32_t a, b;  // number of a group, or of triangles
    bool is_group;
  };

  void push(const Entry& entry) {
    std::size_t at = heap_.size();
    heap_.push_back(entry);
    while (at > 0) {
      const std::size_t above = (at - 1) / 2;
      if (!(entry.key < heap_[above].key)) break;
      heap_[at] = heap_[above];
      at = above;
    }
    heap_[at] = entry;
  }

  // From the top.
  void sift_down(const Entry& entry) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size) child += heap_[child + 1].key < heap_[child].key ? 1 : 0;
      if (!(heap_[child].key < entry.key)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = entry;
  }

  std::vector<Entry> heap_;
  std::vector<WaitingGroup> groups_;
  std::size_t used_ = 0;
};

}  // namespace touche
