// SPDX-License-Identifier: Apache-2.0
// Nodes and boxes in the order in which a ray enters them.
#pragma once

#include <algorithm>
#include <vector>

#include "broadphase/ray_box.h"
#include "touche/broadphase.h"

namespace touche::broadphase {

class RayQueue {
 public:
  explicit RayQueue(const RayPiece& ray) : along_(ray) {}

  /// Adds a box or a node if the ray meets it.
  void add_box(Index number, const RoundedBox& box) { add(number, true, along_.enters(box)); }
  void add_node(Index node, const RoundedBox& box) { add(node, false, along_.enters(box)); }

  /// Adds a node, whether the ray meets it or not, to be opened when the ray reaches t.
  void add_node_at(Index node, double t) { add(node, false, t); }
  void add_root(Index node) { add_node_at(node, 0); }

  /// Adds the box if the ray enters it in [from, to): for methods that come to boxes several times.
  void add_box_between(Index number, const RoundedBox& box, double from, double to) {
    const double t = along_.enters(box);
    if (from <= t && t < to) add(number, true, t);
  }

  const RayToBoxes& ray() const { return along_; }

  /// Takes the entry that is entered first, until none is left or the ray ends before it.
  /// `open(node)` adds the contents of a node, none of which the ray may enter before the node.
  template <class Open>
  void run(const BroadPhase::VisitAlong& visit, Open&& open) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Waiting next = heap_.back();
      heap_.pop_back();
      if (next.t > along_.length()) return;
      if (next.is_box) {
        along_.shorten(visit(next.what));
        if (along_.length() < 0) return;
      } else {
        open(next.what);
      }
    }
  }
  void run(const BroadPhase::VisitAlong& visit) {
    run(visit, [](Index) {});
  }

 private:
  struct Waiting {
    double t;
    Index what;
    bool is_box;
    bool operator<(const Waiting& other) const {  // the heap's greatest comes first
      if (t != other.t) return t > other.t;
      return is_box != other.is_box ? other.is_box : what > other.what;
    }
  };
  void add(Index what, bool is_box, double t) {
    if (t == kInfinity) return;
    heap_.push_back({t, what, is_box});
    std::push_heap(heap_.begin(), heap_.end());
  }

  RayToBoxes along_;
  std::vector<Waiting> heap_;
};

}  // namespace touche::broadphase
