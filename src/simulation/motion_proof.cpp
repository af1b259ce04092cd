// SPDX-License-Identifier: Apache-2.0
#include "simulation/motion_proof.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "aabb_tree/aabb_tree.h"
#include "base/threads.h"
#include "touche/shape.h"

namespace touche::simulation {
namespace {

// Pairs that come nearer than the tolerance are queried again with this fraction of it.
constexpr double kNarrower = 1. / 16;
// A motion is a jump if it begins farther from the end of the last one than this fraction of the
// tolerance.
constexpr double kJump = 1. / 16;

// Queries with smaller and smaller tolerances, until rounding allows no smaller one.
ToiResult ask(const Shape& a, const Motion& way_a, const Shape& b, const Motion& way_b,
              double tolerance, double clearance) {
  ToiResult found =
      time_of_impact(a, way_a, b, way_b, {.tolerance = tolerance, .clearance = clearance});
  QueryStats stats = found.stats;
  while (found.status != ToiStatus::free) {
    const double narrower = found.tolerance * kNarrower;
    ToiResult again =
        time_of_impact(a, way_a, b, way_b, {.tolerance = narrower, .clearance = clearance});
    stats += again.stats;
    const bool is_last = again.tolerance > narrower;  // rounding allows no less
    found = again;
    if (is_last) break;
  }
  found.stats = stats;
  return found;
}

}  // namespace

MotionProof::MotionProof(std::vector<ProofPart> bodies, double tolerance,
                         std::vector<std::pair<std::size_t, std::size_t>> exempt)
    : bodies_(std::move(bodies)), tolerance_(tolerance), exempt_(std::move(exempt)) {
  std::sort(exempt_.begin(), exempt_.end());
}

// Upper bounds of how far points of the bodies lie, at the start of their motions, from where they
// were before. This is rounding; bodies that are farther apart than that at the start are apart in
// between, too.
std::vector<double> MotionProof::gaps(std::span<const Motion> ways) const {
  std::vector<double> gaps(ways.size(), 0);
  for (std::size_t b = 0; b < ends_.size(); ++b) {
    const Motion between = Motion::interpolated(ends_[b], ways[b].pose(0));
    if (!between.is_still())
      gaps[b] = between.displacement_bound(bodies_[b].shape.bounds(), 1, 0, 1);
  }
  return gaps;
}

// Pairs of which one body moves and whose swept boxes meet, and pairs with a half space. Pairs of
// bodies that stand still were queried before; the first step has all pairs except the ones of
// fixed bodies.
std::vector<MotionProof::Pair> MotionProof::near_pairs(std::span<const Motion> ways,
                                                       std::span<const double> gaps) const {
  std::vector<Aabb> boxes;
  std::vector<bool> moves;
  std::vector<Pair> pairs;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (is_half_space(b)) {  // its pairs are added below
      boxes.push_back({Vec3::Zero(), Vec3::Zero()});
      moves.push_back(false);
      continue;
    }
    Aabb box = ways[b].swept_box(bodies_[b].shape.bounds());
    box.lo.array() -= gaps[b];
    box.hi.array() += gaps[b];
    boxes.push_back(box);
    moves.push_back(ends_.empty() ? !bodies_[b].fixed : !ways[b].is_still() || gaps[b] > 0);
  }
  const auto is_asked = [&](std::size_t i, std::size_t j) {
    return (moves[i] || moves[j]) &&
           !std::binary_search(exempt_.begin(), exempt_.end(),
                               std::pair<std::size_t, std::size_t>(std::minmax(i, j)));
  };
  for (std::size_t h = 0; h < bodies_.size(); ++h)
    if (is_half_space(h))
      for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (is_asked(h, b))
          pairs.push_back({static_cast<Index>(std::min(h, b)), static_cast<Index>(std::max(h, b))});
  aabb_tree::AabbTree(boxes).self_pairs([&](Index i, Index j) {
    if (!is_half_space(i) && !is_half_space(j) && overlap(boxes[i], boxes[j]) && is_asked(i, j))
      pairs.push_back({std::min(i, j), std::max(i, j)});
  });
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& p, const Pair& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
  return pairs;
}

MotionProof::Outcome MotionProof::step(std::span<const Motion> ways, int threads) {
  Outcome outcome;
  std::vector<double> gaps = this->gaps(ways);
  for (std::size_t b = 0; b < gaps.size(); ++b) {
    if (gaps[b] <= kJump * tolerance_) continue;
    outcome.unproved.push_back({.body_a = b, .body_b = b, .status = ToiStatus::initially_touching});
    gaps[b] = 0;  // is reported; the motion is queried by itself
  }
  const std::vector<Pair> pairs = near_pairs(ways, gaps);
  std::vector<ToiResult> results(pairs.size());
  base::with_threads(threads, [&] {
    tbb::parallel_for(std::size_t{0}, pairs.size(), [&](std::size_t i) {
      const auto [a, b] = pairs[i];
      results[i] =
          ask(bodies_[a].shape, ways[a], bodies_[b].shape, ways[b], tolerance_, gaps[a] + gaps[b]);
    });
  });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    outcome.stats += results[i].stats;
    if (results[i].status == ToiStatus::free)
      ++outcome.proved;
    else
      outcome.unproved.push_back({.body_a = pairs[i].a,
                                  .body_b = pairs[i].b,
                                  .status = results[i].status,
                                  .time = results[i].time.lower});
  }
  ends_.clear();
  for (const Motion& way : ways) ends_.push_back(way.pose(1));
  return outcome;
}

}  // namespace touche::simulation
