// SPDX-License-Identifier: Apache-2.0
// Proves of recorded ways that no two bodies touched on them, by another path of code than the one
// that moved the bodies: plain pairs, nothing remembered.
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
  /// `tolerance`: to begin with; where ways come nearer than that it is made smaller.
  /// Pairs in `exempt`, of which the first is the smaller number, are not asked about.
  MotionProof(std::vector<ProofPart> bodies, double tolerance,
              std::vector<std::pair<std::size_t, std::size_t>> exempt = {});

  struct Outcome {
    std::size_t proved = 0;              // pairs
    std::vector<UnprovedPair> unproved;  // by bodies; times are shares of the step
    QueryStats stats;
  };
  /// The ways of all bodies in the next step. Those that do not begin where the ones before ended,
  /// but for rounding, are pairs of a body with itself, initially touching.
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
