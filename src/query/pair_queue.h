// SPDX-License-Identifier: Apache-2.0
// The priority queue of the search for the time of impact: pairs of nodes and of triangles, each
// with a lower bound as its key, least first.
//
// An opened pair of nodes yields up to 64 pairs, most of which are never tested: they wait together
// in a group, and only the least of a group is in the heap. A pair that was tested stays in its
// group with a better key.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/held_bytes.h"
#include "math/rounding.h"
#include "query/helix_proof.h"
#include "query/middle_proof.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "query/thread_proof.h"

namespace touche::query {

/// The waiting pairs of children of one opened pair. The key of each is a time until which it is
/// proved apart.
class WaitingGroup {
 public:
  /// Kernels write the keys here, before start().
  bvh::PairKeys& keys() { return keys_; }

  /// The key of each pair is the base plus its value in keys(), but at least `least_key`.
  void start(const OpenedPair& pair, std::int32_t first, double base, double least_key) {
    children_ = pair.children();
    triangles_ = pair.leaves();
    closed_leaf_ = pair.closed_leaf();
    first_ = first;
    seen_ = 0;
    base_ = base;
    least_key_ = least_key;
  }

  bool empty() const { return first_ == bvh::PairKeys::kNone; }
  bool triangles() const { return triangles_; }
  bool closed_leaf() const { return closed_leaf_; }
  /// The instant at which the pair was last opened; values of keys are relative to it.
  double base() const { return base_; }
  NodePair nodes() const { return children_.nodes; }
  NodePair operator[](int pair) const { return children_[pair]; }

  /// The least key.
  double first_key() const {
    return std::max(base_ + static_cast<double>(bvh::PairKeys::value(first_)), least_key_);
  }
  int first_pair() const { return bvh::PairKeys::pair(first_); }
  /// Whether the first pair was tested so shortly before its proof ends that another test would not
  /// help: the test is fresh.
  bool first_is_seen() const { return seen(first_); }

  /// Removes the first pair and returns its number.
  int take(const bvh::Kernels& kernel) {
    const int pair = bvh::PairKeys::pair(first_);
    first_ = kernel.next(keys_, first_);
    keys_.key[pair] = bvh::PairKeys::kNone;
    return pair;
  }

  /// The least keys, up to that of a pair whose test is fresh.
  struct Firsts {
    std::int32_t key[bvh::kWidth];
    int count;

    int pair(int n) const { return bvh::PairKeys::pair(key[n]); }
  };
  Firsts firsts(const bvh::Kernels& kernel) const {
    Firsts found;
    kernel.first_keys(keys_, found.key);
    std::uint32_t stop = 1u << bvh::kWidth;
    for (int n = 0; n < bvh::kWidth; ++n)
      stop |= static_cast<std::uint32_t>(found.key[n] == bvh::PairKeys::kNone || seen(found.key[n]))
              << n;
    found.count = std::countr_zero(stop);
    return found;
  }

  /// Puts back pairs that were tested at `now`: they are proved apart for the given times from then
  /// on, and earlier proofs stay valid. Pairs that are apart beyond `end` are removed; tests that
  /// prove no more than `fresh` count as fresh.
  void put_back(const bvh::Kernels& kernel, const Firsts& firsts, const float (&time)[bvh::kBatch],
                double now, double end, double fresh) {
    // Times relative to the base, in single precision, rounded to the safe side.
    const auto since = math::kRoundDownFloat * static_cast<float>(now - base_);
    const auto until = math::kRoundUpFloat * static_cast<float>(end - base_);
    const float seen_until = since + static_cast<float>(fresh);
    std::int32_t key[bvh::kWidth];
    std::uint32_t seen[bvh::kWidth];
    for (int n = 0; n < bvh::kWidth; ++n) {
      const float value =
          std::max(bvh::PairKeys::value(firsts.key[n]), math::kRoundDownFloat * (since + time[n]));
      const std::int32_t kept = bvh::PairKeys::of(value, bvh::PairKeys::pair(firsts.key[n]));
      key[n] = value <= until ? kept : bvh::PairKeys::kNone;
      seen[n] = value <= seen_until ? 1 : 0;
    }
    // Find the first of the other pairs before keys are written: reading them afterwards would
    // stall on the writes.
    first_ = firsts.count < bvh::kWidth ? firsts.key[firsts.count]
                                        : kernel.next(keys_, firsts.key[bvh::kWidth - 1]);
    for (int n = 0; n < firsts.count; ++n) {
      first_ = std::min(first_, key[n]);
      keys_.key[firsts.pair(n)] = key[n];
      seen_ |= std::uint64_t{seen[n]} << firsts.pair(n);
    }
  }

  /// Takes over the keys of a pair that was opened again at `now`; earlier proofs stay valid.
  /// `until` has the new values, and kNone for pairs that stay apart beyond the end.
  void renew(const bvh::PairKeys& until, double now, double fresh) {
    constexpr float kDown = 1 - 0x1p-22f;
    const auto earlier = static_cast<float>(now - base_), most_fresh = static_cast<float>(fresh);
    first_ = bvh::PairKeys::kNone;
    seen_ = 0;
    for (int pair = 0; pair < bvh::kWidth * bvh::kWidth; ++pair) {
      std::int32_t& key = keys_.key[pair];
      if (key == bvh::PairKeys::kNone) continue;
      if (until.key[pair] == bvh::PairKeys::kNone) {
        key = bvh::PairKeys::kNone;
        continue;
      }
      const float before = kDown * (bvh::PairKeys::value(key) - earlier);
      const float value = std::max({0.0f, before, bvh::PairKeys::value(until.key[pair])});
      key = bvh::PairKeys::of(value, pair);
      first_ = std::min(first_, key);
      seen_ |= std::uint64_t{value <= most_fresh} << pair;
    }
    base_ = now;
  }

  /// Raises all keys to at least this one.
  void set_least_key(double key) { least_key_ = std::max(least_key_, key); }

 private:
  bool seen(std::int32_t key) const { return (seen_ >> bvh::PairKeys::pair(key) & 1) != 0; }

  bvh::PairKeys keys_;
  ChildPairs children_;
  std::int32_t first_;
  bool triangles_, closed_leaf_;
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

  /// Gives the head another key, which must not be less.
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
  /// Restores the order after pairs of the head, a group, were taken or put back.
  void group_changed() {
    if (group().empty())
      pop();
    else
      delay(group().first_key());
  }

  /// Calls visit(group, triangles) for the head and a few others that come early. The group is null
  /// for a pair of triangles.
  template <class Visit>
  void visit_first(std::size_t count, const Visit& visit) const {
    for (std::size_t i = 0; i < std::min(count, heap_.size()); ++i)
      visit(heap_[i].is_group ? &groups_[heap_[i].a] : nullptr,
            TriangleIds{heap_[i].a, heap_[i].b});
  }

  /// Memory of the search that does not belong to the queue.
  MiddleProof& middle_proof() { return middle_proof_; }
  HelixProof& helix_proof() { return helix_proof_; }
  ThreadProof& thread_proof() { return thread_proof_; }

  /// Whether many motions of the same objects are queried, so that expensive preparation of the
  /// objects pays off. It does not change whether they meet.
  bool often_asked() const { return often_asked_; }
  void set_often_asked() { often_asked_ = true; }

  /// The memory that it holds.
  std::size_t bytes() const {
    return base::held_bytes(heap_, groups_) + middle_proof_.bytes() + helix_proof_.bytes() +
           thread_proof_.bytes();
  }

  // ---- adding pairs -------------------------------------------------------------------------

  void push_triangles(double key, Index a, Index b) { push({key, a, b, false}); }

  /// Space for a group. Start it and call push_group(), or leave it unused.
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

  // Replaces the head by the entry and sifts it down.
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
  MiddleProof middle_proof_;
  HelixProof helix_proof_;
  ThreadProof thread_proof_;
  bool often_asked_ = false;
};

}  // namespace touche::query
