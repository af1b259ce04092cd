// SPDX-License-Identifier: Apache-2.0
// Proves of recorded motions that no two bodies touched on them, by other code than the one that
// moved the bodies: plain queries of pairs, without any memory.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "touche/shape.h"
#include "touche/simulation.h"

namespace touche::simulation {

struct ProofPart {
  Shape shape;  // half spaces must be fixed
  bool fixed;
};

class MotionProof {
 public:
  /// `tolerance`: of the first query; where bodies come nearer than that it is made smaller.
  /// Pairs in `exempt`, of which the first is the smaller number, are not queried.
  MotionProof(std::vector<ProofPart> bodies, double tolerance,
              std::vector<std::pair<std::size_t, std::size_t>> exempt = {});

  struct Outcome {
    std::size_t proved = 0;              // pairs
    std::vector<UnprovedPair> unproved;  // by bodies; times are fractions of the step
    QueryStats stats;
  };
  /// The motions of all bodies in the next step. A body whose motion does not begin where the last
  /// one ended, except for rounding, is reported as a pair with itself, initially touching.
  Outcome step(std::span<const Motion> ways, int threads);

 private:
  struct Pair {
    Index a, b;
  };
  bool is_half_space(std::size_t body) const {
    return bodies_[body].shape.kind() == ShapeKind::half_space;
  }
  std::vector<double> gaps(std::span<const Motion> ways) const;
  std::vector<Pair> near_pairs(std::span<const Motion> ways, std::span<const double> gaps) const;

  const std::vector<ProofPart> bodies_;
  const double tolerance_;
  std::vector<std::pair<std::size_t, std::size_t>> exempt_;  // in ascending order
  std::vector<Pose> ends_;  // of the step before; empty before the first
};

}  // namespace touche::simulation
