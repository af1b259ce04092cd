// SPDX-License-Identifier: Apache-2.0
// Tests many pairs of volumes for overlap at one relative pose. The terms that all pairs have in
// common are computed once.
#pragma once

#include "methods/bounds/all.h"

namespace touche::bounds {

/// `overlap`, unless a volume knows better: true whenever the two sets share a point.
template <BoundingVolume V>
class PairTest {
 public:
  explicit PairTest(const PoseMatrix& pose) : pose_(pose) {}
  bool operator()(const V& a, const V& b) const { return overlap(a, b, pose_); }

 private:
  PoseMatrix pose_;
};

/// The 15 axes are given by the two frames and are the same for all boxes (van den Bergen).
template <>
class PairTest<AabbMinMax> {
 public:
  explicit PairTest(const PoseMatrix& pose) : pose_(pose), size_(pose.rotation.cwiseAbs()) {}
  bool operator()(const AabbMinMax& a, const AabbMinMax& b) const;

 private:
  PoseMatrix pose_;
  Mat3 size_;  // magnitudes of the rotation
};

/// The same for two boxes along the axes; other kinds by `overlap`.
template <>
class PairTest<Mixed> {
 public:
  explicit PairTest(const PoseMatrix& pose) : pose_(pose), size_(pose.rotation.cwiseAbs()) {}
  bool operator()(const Mixed& a, const Mixed& b) const;

 private:
  PoseMatrix pose_;
  Mat3 size_;
};

/// Uses only one of all combinations of directions that bound a turned one, the best for a ball's
/// k-DOP: a fraction of the work of `overlap`, for a few false alarms more.
template <int K>
class PairTest<Kdop<K>> {
 public:
  explicit PairTest(const PoseMatrix& pose) : b_in_a_(pose), a_in_b_(pose.inverse()) {}
  bool operator()(const Kdop<K>& a, const Kdop<K>& b) const {
    return !b_in_a_.apart(a, b) && !a_in_b_.apart(b, a);
  }

 private:
  KdopTurn<K> b_in_a_, a_in_b_;
};

}  // namespace touche::bounds
