// SPDX-License-Identifier: Apache-2.0
// Distance: a first-hit test, a quick first guess, then depth first in the order of the lower
// bounds. Bounds are single precision and rounded down; the pairs of triangles that remain are
// measured in double precision.
#include <algorithm>
#include <cmath>
#include <span>

#include "query/pair_traversal.h"
#include "query/relative.h"

namespace touche {
namespace {

struct Candidate {
  float squared;  // lower bound of the squared distance, local units of a
  std::int32_t pair;
};

struct Entry {
  float squared;
  NodePair pair;
};

class Search {
 public:
  Search(const Object& a, const Object& b, const RelativePose& pose, const DistanceOptions& options,
         QueryStats& stats)
      : a_(a),
        b_(b),
        pose_(pose),
        options_(options),
        stats_(stats),
        map_(a.bvh(), b.bvh(), pose.rotation, pose.translation) {
    set_target(options.limit);
  }

  void run() {
    if (const auto hit = first_hit(a_, b_, pose_, stats_)) {
      measure(hit->a, hit->b);
      return;
    }
    const Entry root{0, {a_.bvh().root(), b_.bvh().root()}};
    if (descend(root)) search(root.pair);
  }

  double best() const { return best_; }
  bool found() const { return triangle_a_ != kNone; }
  Contact contact(const Pose& pose_a) const {
    return make_contact(a_, triangle_a_, b_, triangle_b_, triangle_of(a_.soup(), triangle_a_),
                        triangle_of(b_.soup(), triangle_b_, pose_), closest_, pose_a);
  }

 private:
  // The few nearest of many, nearest first.
  template <class T>
  struct Nearest {
    static constexpr int kMost = 3;
    T item[kMost];
    int count = 0;

    bool takes(float squared) const { return count < kMost || squared < item[kMost - 1].squared; }
    void add(const T& added) {
      int at = count < kMost ? count++ : kMost - 1;
      for (; at > 0 && item[at - 1].squared > added.squared; --at) item[at] = item[at - 1];
      item[at] = added;
    }
    std::span<const T> items() const { return {item, static_cast<std::size_t>(count)}; }
  };

  // A first guess, which everything later is compared with: down to the triangles with the few
  // nearest pairs of each level. False when the answer is good enough.
  bool descend(const Entry& root) {
    Nearest<Entry> beam;
    beam.add(root);
    while (beam.count > 0) {
      Nearest<Entry> next;
      for (const Entry& entry : beam.items()) {
        FramedPair framed;
        framed.place(a_.bvh(), b_.bvh(), entry.pair, map_);
        const OpenedPair pair(a_.bvh(), b_.bvh(), framed.nodes, map_.ratio);
        float squared[kWidth * kWidth];
        Nearest<Candidate> triangles;
        for (std::uint64_t near = open(pair, framed.frame, squared); near != 0; near &= near - 1) {
          const int n = std::countr_zero(near);
          if (pair.leaves()) {
            if (triangles.takes(squared[n])) triangles.add({squared[n], n});
          } else {
            if (next.takes(squared[n])) next.add({squared[n], pair.child(n)});
          }
        }
        for (const Candidate& c : triangles.items())
          if (!measure(pair, c.pair)) return false;
      }
      beam = next;
    }
    return true;
  }

  void search(NodePair next) {
    int top = -1;
    while (true) {
      FramedPair framed;
      ++stats_.volume_tests;
      if (!(framed.place(a_.bvh(), b_.bvh(), next, map_) > target_)) {
        const OpenedPair pair(a_.bvh(), b_.bvh(), next, map_.ratio);
        WaitingPairs& children = levels_[top + 1];
        children.wait(next, pair, open(pair, framed.frame, children.order.value));
        if (!pair.leaves())
          ++top;
        else if (!measure(pair, children))
          return;
      }
      int n = 0;
      for (;; --top) {
        if (top < 0) return;
        if (levels_[top].left == 0) continue;
        n = levels_[top].least();
        if (levels_[top].order.value[n] <= target_) break;
      }
      levels_[top].take(n);
      next = levels_[top].child(a_.bvh(), b_.bvh(), n);
    }
  }

  // Two leaves' triangles, nearest first. False when the answer is good enough.
  bool measure(const OpenedPair& pair, WaitingPairs& triangles) {
    while (triangles.left != 0) {
      const int n = triangles.least();
      if (triangles.order.value[n] > target_) return true;
      triangles.take(n);
      if (!measure(pair, n)) return false;
    }
    return true;
  }

  // The pairs of its children that may be nearer than the target.
  std::uint64_t open(const OpenedPair& pair, const PairFrame& frame, float* squared) {
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    return kernels().distance(pair.side_a(), pair.side_b(), frame, target_, squared);
  }

  // Around the closest points both surfaces often lie on either side of a slab across them: then
  // that direction alone proves the neighbours farther apart than the best pair.
  bool apart_along_best(const Triangle& at_a, const Triangle& at_b) const {
    if (!found()) return false;
    const Vec3& n = direction_;
    const double a = std::max({n.dot(at_a[0]), n.dot(at_a[1]), n.dot(at_a[2])});
    const double b = std::min({n.dot(at_b[0]), n.dot(at_b[1]), n.dot(at_b[2])});
    return b - a >
           best_ + 1e-13 * (std::abs(a) + std::abs(b) + at_a[0].lpNorm<1>() + at_b[0].lpNorm<1>());
  }

  bool measure(const OpenedPair& pair, int n) {
    return measure(pair.triangle_a(row_of(n)), pair.triangle_b(lane_of(n)));
  }

  // False when the answer is good enough.
  bool measure(Index ta, Index tb) {
    const Triangle at_a = triangle_of(a_.soup(), ta), at_b = triangle_of(b_.soup(), tb, pose_);
    if (apart_along_best(at_a, at_b)) return true;
    const ClosestPoints closest = closest_points(at_a, at_b);
    ++stats_.primitive_tests;
    if (closest.distance <= best_ && closest.distance <= options_.limit &&
        (closest.distance < best_ || !found())) {
      best_ = closest.distance;
      closest_ = closest;
      triangle_a_ = ta;
      triangle_b_ = tb;
      set_target(best_);
      direction_ = (closest.point_b - closest.point_a).stableNormalized();
    }
    return !found() || best_ > options_.good_enough;
  }

  // What lies farther than `distance`, less the allowed error, is of no interest.
  void set_target(double distance) {
    const double wanted =
        std::max(distance / (1 + options_.relative_error), distance - options_.absolute_error);
    const double local = std::max(wanted, 0.0) * a_.bvh().scale();
    target_ = std::nextafter(static_cast<float>(std::min(local * local, 1e38)), INFINITY);
  }

  const Object& a_;
  const Object& b_;
  const RelativePose& pose_;
  const DistanceOptions& options_;
  QueryStats& stats_;
  LocalMap map_;
  float target_ = INFINITY;
  double best_ = kInfinity;
  ClosestPoints closest_;
  Vec3 direction_ = Vec3::Zero();  // from a to b, of the best pair
  Index triangle_a_ = kNone, triangle_b_ = kNone;
  WaitingPairs levels_[kMostLevels];
};

void check(const DistanceOptions& o) {
  if (!(o.limit >= 0) || !(o.good_enough >= 0) || !(o.relative_error >= 0) ||
      !(o.absolute_error >= 0))
    throw InvalidInput("distance: limit, good_enough and errors must not be negative");
}

}  // namespace

DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options) {
  check(options);
  if (!LocalMap::representable(a.bvh(), b.bvh()))
    return brute_force::distance(a, pose_a, b, pose_b, options);
  const RelativePose pose(pose_a, pose_b);
  DistanceResult result;
  Search search(a, b, pose, options, result.stats);
  search.run();
  if (!search.found()) {
    result.lower_bound = options.limit;
    return result;
  }
  result.distance = search.best();
  result.closest = search.contact(pose_a);
  const double proved = std::max(result.distance / (1 + options.relative_error),
                                 result.distance - options.absolute_error);
  // Stopped by good_enough nothing nearer was excluded.
  if (result.distance > options.good_enough)
    result.lower_bound = std::max(0.0, proved * (1 - 1e-12));
  return result;
}

}  // namespace touche
