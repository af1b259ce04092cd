// SPDX-License-Identifier: Apache-2.0
// Finds the nearest of the pairs of triangles that a distance search visits. Bounds are in single
// precision, rounded down; the few remaining pairs are measured in double precision. For each best
// pair a test tries to prove that it is the nearest: the slab between its closest points must
// separate the boxes around both objects or, if many pairs are equally near or vertices are few,
// all vertices. Triangles beyond such a slab are not measured.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "geometry/triangle_distances.h"
#include "query/apart.h"
#include "query/distance_options.h"
#include "query/few_ties.h"
#include "query/long_nodes.h"
#include "query/parting_slab.h"
#include "query/relative.h"

namespace touche::query {

class NearestTriangles {
 public:
  NearestTriangles(const Object& a, const Object& b, const RelativePose& pose,
                   const DistanceOptions& options, DistanceMemory& memory, QueryStats& stats)
      : a_(a),
        b_(b),
        pose_(pose),
        options_(options),
        stats_(stats),
        candidates_(memory.candidates) {
    candidates_.clear();
    set_target(options.max_distance);
  }

  /// Pairs farther away than the target are skipped.
  const bvh::NearTarget& target() const { return target_; }
  /// Gives the target a direction along which the objects are apart.
  void look_along(const Vec3& direction) { touche::query::look_along(direction, target_); }

  bool found() const { return triangle_a_ != kNone; }
  Contact contact(const Pose& pose_a) const {
    return make_contact(a_, triangle_a_, b_, triangle_b_, triangle_of(a_.soup(), triangle_a_),
                        triangle_of(b_.soup(), triangle_b_, pose_), closest_, pose_a);
  }
  double best() const { return best_; }
  double least_measured() const { return least_measured_; }
  /// Least lower bound of the pairs waiting to be measured, in local units of a, squared.
  float least_waiting() {
    decide_all();
    float squared = INFINITY;
    for (const Candidate& pair : candidates_) squared = std::min(squared, pair.squared);
    return squared;
  }

  void touch(const TriangleIds& pair) {
    ++stats_.primitive_tests;
    best_ = least_measured_ = 0;
    triangle_a_ = pair.a, triangle_b_ = pair.b;
    closest_ = geometry::closest_points_touching(triangle_of(a_.soup(), pair.a),
                                                 triangle_of(b_.soup(), pair.b, pose_));
  }

  /// Returns false if the answer is good enough.
  bool measure(Index ta, Index tb) {
    ++stats_.primitive_tests;
    ++in_vain_;
    take({ta, tb}, geometry::closest_points_apart(triangle_of(a_.soup(), ta),
                                                  triangle_of(b_.soup(), tb, pose_)));
    return !is_good_enough();
  }

  /// Triangles collect here until there are enough for a batch. Must be emptied to less than kBatch
  /// by decide_many().
  bvh::TriangleBatch& batch() { return batch_; }
  void decide_many() {
    while (batch_.count >= bvh::kBatch) decide(bvh::kBatch);
  }
  void decide_all() {
    while (batch_.count > 0) decide(std::min(batch_.count, bvh::kWidth));
  }

  /// Measures the nearest candidates until one is no nearer than the best, or they are hardly
  /// nearer than the target. The others can wait. Returns false if the answer is good enough.
  bool settle() {
    if (boxes_parted_) return candidates_.size() < kTiesOfBoxes || measure_ties();
    const auto first = [&] { return candidates_.begin() + static_cast<std::ptrdiff_t>(settled_); };
    for (bool nearer = true; nearer && candidates_.size() > settled_;) {
      const auto nearest = std::min_element(first(), candidates_.end());
      const float hardly = found() ? kHardlyNearer : 1;
      if (nearest->squared > hardly * target_.squared) break;
      const Candidate next = *nearest;
      *nearest = candidates_.back();
      candidates_.pop_back();
      if (is_best(next)) continue;
      const double before = best_;
      if (!measure(next.a, next.b) || parted_by_slab()) return false;
      if (boxes_parted_) return settle();
      nearer = best_ < before;
    }
    const auto too_far = [&](const Candidate& c) { return c.squared > target_.squared; };
    candidates_.erase(std::remove_if(first(), candidates_.end(), too_far), candidates_.end());
    settled_ = candidates_.size();
    return !parted_by_slab();
  }

  /// Measures all candidates that are as near as the best. If there are many, one direction rules
  /// out most of them. Returns false if the answer is good enough.
  bool measure_ties() {
    const bool many = found() && candidates_.size() > kManyTies;
    const std::size_t points = a_.soup().vertices().size() + b_.soup().vertices().size();
    while (!candidates_.empty()) {
      const auto wanted = [&](const Candidate& tie) {
        return !is_best(tie) && !(many && parted_along_offset(tie));
      };
      if (!measure_last(wanted)) return false;
      const bool worth_it = !tried_slab_ && candidates_.size() > points / 4;
      if (worth_it && parted_by_slab()) return false;
    }
    return true;
  }

 private:
  using Candidate = DistanceMemory::Candidate;
  static constexpr float kHardlyNearer = 0.999f;  // of squares
  static constexpr std::size_t kManyTies = 256;
  static constexpr int kMostSlabs = 8;
  // If boxes prove the best, ties are left unmeasured up to this number: measuring them would
  // improve only its last digit.
  static constexpr std::size_t kTiesOfBoxes = 16;

  // Decides the last waiting triangles; the ones that may be nearest become candidates.
  void decide(int count) {
    float squared[bvh::kBatch];
    std::uint32_t near = kernel_.measure(batch_, count, target_.squared, squared);
    candidates_.reserve(32);
    for (; near != 0; near &= near - 1) {
      const int n = std::countr_zero(near), at = batch_.count + n;
      candidates_.push_back({squared[n], batch_.triangle_a[at], batch_.triangle_b[at]});
    }
  }

  bool is_best(const Candidate& pair) const {
    return pair.a == triangle_a_ && pair.b == triangle_b_;
  }

  bool parted_along_offset(const Candidate& tie) {
    if (offset_of_ != best_) {
      offset_ = offset();
      offset_of_ = best_;
    }
    return slab_.parts(offset_, triangle_of(a_.soup(), tie.a), triangle_of(b_.soup(), tie.b),
                       best_);
  }

  // Tries to find a slab that separates the objects, once for each best pair, when many pairs are
  // as near as the best. This costs less than measuring these pairs.
  bool parted_by_slab() {
    const auto &points_a = a_.soup().vertices(), &points_b = b_.soup().vertices();
    const std::size_t many = (kManyTies + (points_a.size() + points_b.size()) / 256) << slabs_;
    if (!found() || tried_slab_ || slabs_ > kMostSlabs || candidates_.size() + in_vain_ < many)
      return false;
    // In single precision all are equal. Measure a few, which are as near as any to the last digit.
    if (!measure_last([](const Candidate&) { return true; })) return true;
    tried_slab_ = true;
    ++slabs_;
    const Triangle at_a = triangle_of(a_.soup(), triangle_a_);
    const Triangle at_b = triangle_of(b_.soup(), triangle_b_, pose_);
    // The direction of a short offset is less accurate than the normals of faces.
    for (const Vec3& n : {offset(), normal(at_a), normal(at_b)}) {
      const Vec3 across = n.dot(offset()) < 0 ? Vec3(-n) : n;
      if (slab_.parts_boxes(across, best_) || (slab_.parts_some(across, candidates_, best_) &&
                                               slab_.parts(across, points_a, points_b, best_)))
        return true;
    }
    return false;
  }

  Vec3 offset() const { return math::unit_or_zero(closest_.point_b - closest_.point_a); }
  static Vec3 normal(const Triangle& t) {
    return math::unit_or_zero((t[1] - t[0]).cross(t[2] - t[0]));
  }

  // Takes up to eight of the last candidates that are wanted and not farther than the target, and
  // measures them together. Returns false if the answer is good enough.
  template <class Wanted>
  bool measure_last(const Wanted& wanted) {
    geometry::TrianglePairs pairs;
    TriangleIds ids[geometry::TrianglePairs::kMost];
    int count = 0;
    for (; count < geometry::TrianglePairs::kMost && !candidates_.empty(); candidates_.pop_back()) {
      const Candidate& next = candidates_.back();
      if (next.squared > target_.squared || !wanted(next)) continue;
      ids[count] = {next.a, next.b};
      pairs.put(count++, triangle_of(a_.soup(), next.a), triangle_of(b_.soup(), next.b, pose_));
    }
    settled_ = std::min(settled_, candidates_.size());
    return count == 0 || measure_together(pairs, ids, count);
  }

  bool measure_together(geometry::TrianglePairs& pairs, const TriangleIds* ids, int count) {
    pairs.fill_up(count);
    double distance[geometry::TrianglePairs::kMost];
    for (std::uint32_t left = triangle_distances_(pairs, count, distance); left != 0;
         left &= left - 1) {
      const int n = std::countr_zero(left);
      distance[n] =
          geometry::closest_points_apart(pairs.triangle_a(n), pairs.triangle_b(n)).distance;
    }
    const auto least = std::min_element(distance, distance + count);
    stats_.primitive_tests += static_cast<std::uint64_t>(count);
    in_vain_ += static_cast<std::size_t>(count);
    least_measured_ = std::min(least_measured_, *least);
    if (*least < best_ || !found()) {
      const auto n = static_cast<int>(least - distance);
      take(ids[n], geometry::closest_points_apart(pairs.triangle_a(n), pairs.triangle_b(n)));
    }
    return !is_good_enough();
  }

  // Takes over a measured pair if it is the best so far.
  void take(const TriangleIds& pair, const geometry::ClosestPoints& closest) {
    least_measured_ = std::min(least_measured_, closest.distance);
    if (closest.distance > options_.max_distance || !(closest.distance < best_ || !found())) return;
    best_ = closest.distance;
    closest_ = closest;
    triangle_a_ = pair.a;
    triangle_b_ = pair.b;
    tried_slab_ = false;
    in_vain_ = 0;
    set_target(worth_finding(options_, best_));
    look_along(offset());
    if (few_)
      settle_few();
    else
      boxes_parted_ = slab_.parts_boxes(offset(), best_);
  }

  // Tests all corners instead of the boxes around them. This usually ends the search.
  void settle_few() {
    if (ties_known_) return;
    const FewTies ties(a_, b_, pose_, {triangle_a_, triangle_b_}, closest_);
    boxes_parted_ = ties.parted();
    ties_known_ = ties.known();
    if (!ties_known_) return;
    geometry::TrianglePairs pairs;
    TriangleIds ids[geometry::TrianglePairs::kMost];
    int count = 0;
    for (const TriangleIds& tie : ties.pairs()) {
      ids[count] = tie;
      pairs.put(count++, triangle_of(a_.soup(), tie.a), triangle_of(b_.soup(), tie.b, pose_));
      if (count < geometry::TrianglePairs::kMost && &tie != &ties.pairs().back()) continue;
      (void)measure_together(pairs, ids, count);
      count = 0;
    }
  }

  bool is_good_enough() const {
    return ties_known_ || (boxes_parted_ && in_vain_ >= kTiesOfBoxes) ||
           (found() && best_ <= options_.stop_below);
  }

  // Sets the distance beyond which pairs are skipped. Squares near the limit of single precision
  // may have overflowed and set no limit.
  void set_target(double distance) {
    const double local = distance * bvh_a_.scale(), squared = local * local;
    target_.squared =
        squared < 1e37 ? std::nextafter(static_cast<float>(squared), INFINITY) : INFINITY;
  }

  const Object& a_;
  const Object& b_;
  const bvh::Bvh& bvh_a_ = bvh::bvh_of(a_);
  const RelativePose& pose_;
  const DistanceOptions& options_;
  QueryStats& stats_;
  const PartingSlab slab_{a_, b_, pose_};
  const bvh::Kernels& kernel_ = bvh::kernels();
  const geometry::TriangleDistances triangle_distances_ = geometry::triangle_distances();
  bvh::NearTarget target_{INFINITY, {}};
  double best_ = kInfinity;            // within the limit
  double least_measured_ = kInfinity;  // within the limit or beyond
  geometry::ClosestPoints closest_;
  Index triangle_a_ = kNone, triangle_b_ = kNone;
  bvh::TriangleBatch batch_;
  std::vector<Candidate>& candidates_;
  std::size_t settled_ = 0;    // number of candidates known to be hardly nearer than the target
  std::size_t in_vain_ = 0;    // pairs measured since the best was found
  bool tried_slab_ = false;    // since the best was found
  bool boxes_parted_ = false;  // nothing is nearer than the best, up to rounding
  bool ties_known_ = false;    // and all pairs that may be as near were measured
  const bool few_ = FewTies::suit(a_, b_);
  int slabs_ = 0;  // number of searches for a slab; each needs twice as many pairs as the
                   // last
  Vec3 offset_;    // of the best pair, when its distance was `offset_of_`
  double offset_of_ = -1;
};

}  // namespace touche::query
