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
    if (descend(root)) search(root);
  }

  double best() const { return best_; }
  bool found() const { return triangle_a_ != kNone; }
  Contact contact(const Pose& pose_a) const {
    return make_contact(a_, triangle_a_, b_, triangle_b_, triangle_of(a_.soup(), triangle_a_),
                        triangle_of(b_.soup(), triangle_b_, pose_), closest_, pose_a);
  }

 private:
  // A first guess, which everything later is compared with: down to the triangles with the few
  // nearest pairs of each level. False when the answer is good enough.
  bool descend(const Entry& root) {
    constexpr int kBeam = 3;
    Entry beam[kBeam] = {root};
    for (int count = 1; count > 0;) {
      Entry next[kBeam];
      int found = 0;
      for (const Entry& entry : std::span(beam, static_cast<std::size_t>(count))) {
        FramedPair framed;
        framed.place(a_.bvh(), b_.bvh(), entry.pair, map_);
        const OpenedPair pair(a_.bvh(), b_.bvh(), framed);
        const int near = candidates(pair);
        for (int i = 0; i < std::min(near, kBeam); ++i) {
          if (pair.leaves()) {
            if (!measure(pair, candidates_[i])) return false;
            continue;
          }
          int at = std::min(found, kBeam - 1);
          if (found == kBeam && next[at].squared <= candidates_[i].squared) break;
          for (; at > 0 && next[at - 1].squared > candidates_[i].squared; --at)
            next[at] = next[at - 1];
          next[at] = {candidates_[i].squared, pair.child(candidates_[i].pair)};
          found = std::min(found + 1, kBeam);
        }
      }
      std::copy(next, next + found, beam);
      count = found;
    }
    return true;
  }

  void search(const Entry& root) {
    int top = 0;
    stack_[top++] = root;
    while (top > 0) {
      const Entry entry = stack_[--top];
      if (entry.squared > target_) continue;
      FramedPair framed;
      ++stats_.volume_tests;
      if (framed.place(a_.bvh(), b_.bvh(), entry.pair, map_) > target_) continue;
      const OpenedPair pair(a_.bvh(), b_.bvh(), framed);
      const int count = candidates(pair);
      if (pair.leaves()) {
        for (int i = 0; i < count && candidates_[i].squared <= target_; ++i)
          if (!measure(pair, candidates_[i])) return;
      } else {
        for (int i = count; i-- > 0;)
          stack_[top++] = {candidates_[i].squared, pair.child(candidates_[i].pair)};
      }
    }
  }

  // Its children's pairs that may be nearer than the target become candidates_, nearest first.
  int candidates(const OpenedPair& pair) {
    float squared[kWidth * kWidth];
    const std::uint64_t near =
        kernels().distance(pair.side_a(), pair.side_b(), pair.frame(), target_, squared);
    ++stats_.node_pairs;
    stats_.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    return sort_candidates(near, squared);
  }

  // Nearest first, by insertion: they are few.
  int sort_candidates(std::uint64_t near, const float* squared) {
    int count = 0;
    for (; near != 0; near &= near - 1) {
      const Candidate c{squared[std::countr_zero(near)], std::countr_zero(near)};
      int at = count++;
      for (; at > 0 && candidates_[at - 1].squared > c.squared; --at)
        candidates_[at] = candidates_[at - 1];
      candidates_[at] = c;
    }
    return count;
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

  bool measure(const OpenedPair& pair, const Candidate& c) {
    return measure(pair.triangle_a(c.pair / kWidth), pair.triangle_b(c.pair % kWidth));
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
  Candidate candidates_[kWidth * kWidth];
  Entry stack_[kStackSize];
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
