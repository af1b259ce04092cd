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

struct Entry {
  float squared;  // lower bound of the squared distance, local units of a
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
  class Nearest {
   public:
    static constexpr int kMost = 3;

    bool takes(float squared) const {
      return count_ < kMost || squared < entry_[kMost - 1].squared;
    }
    void add(const Entry& added) {
      int at = count_ < kMost ? count_++ : kMost - 1;
      for (; at > 0 && entry_[at - 1].squared > added.squared; --at) entry_[at] = entry_[at - 1];
      entry_[at] = added;
    }
    std::span<const Entry> entries() const { return {entry_, static_cast<std::size_t>(count_)}; }

   private:
    Entry entry_[kMost];
    int count_ = 0;
  };

  // A first guess, which everything later is compared with: down to the triangles with the few
  // nearest pairs of each level. False when the answer is good enough.
  bool descend(const Entry& root) {
    Nearest beam;
    beam.add(root);
    while (!beam.entries().empty()) {
      Nearest next;
      for (const Entry& entry : beam.entries()) {
        FramedPair framed;
        framed.place(kernel_, a_.bvh(), b_.bvh(), entry.pair, map_);
        const OpenedPair pair(a_.bvh(), b_.bvh(), framed.nodes, map_.ratio);
        PairKeys keys;
        int count = 0;
        for (std::int32_t key = open(pair, framed.frame, keys);
             key != PairKeys::kNone && count < Nearest::kMost;
             key = kernel_.next(keys, key), ++count) {
          const int n = PairKeys::pair(key);
          const float squared = PairKeys::value(key);
          if (pair.leaves()) {
            if (!measure(pair, n)) return false;
          } else {
            if (!next.takes(squared)) break;
            next.add({squared, pair.children()[n]});
          }
        }
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
      if (!(framed.place(kernel_, a_.bvh(), b_.bvh(), next, map_) > target_)) {
        const OpenedPair pair(a_.bvh(), b_.bvh(), next, map_.ratio);
        WaitingPairs& waiting = levels_[top + 1];
        waiting.first = open(pair, framed.frame, waiting.keys);
        if (pair.leaves()) {
          if (!measure(pair, waiting.first, waiting.keys)) return;
        } else if (waiting.first != PairKeys::kNone) {
          waiting.children = pair.children();
          ++top;
        }
      }
      const auto worth_opening = [&](std::int32_t key) {
        return key != PairKeys::kNone && PairKeys::value(key) <= target_;
      };
      while (top >= 0 && !worth_opening(levels_[top].first)) --top;
      if (top < 0) return;
      WaitingPairs& from = levels_[top];
      next = from.children[from.take(kernel_)];
    }
  }

  // Two leaves' triangles, nearest first. False when the answer is good enough.
  bool measure(const OpenedPair& pair, std::int32_t first, const PairKeys& keys) {
    for (std::int32_t key = first; key != PairKeys::kNone; key = kernel_.next(keys, key)) {
      if (PairKeys::value(key) > target_) return true;
      if (!measure(pair, PairKeys::pair(key))) return false;
    }
    return true;
  }

  // The pairs of its children that may be nearer than the target.
  std::int32_t open(const OpenedPair& pair, const PairFrame& frame, PairKeys& keys) {
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    return kernel_.distance(pair.side_a(), pair.side_b(), frame, target_, keys);
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
  const Kernels& kernel_ = kernels();
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
