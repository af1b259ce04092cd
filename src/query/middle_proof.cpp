// SPDX-License-Identifier: Apache-2.0
#include "query/middle_proof.h"

#include "bvh/object_data.h"
#include "math/rounding.h"

namespace touche::query {
namespace {

// A nut on its bolt leaves some hundreds of pairs, one with hardly any play two thousand.
constexpr std::size_t kMostLeft = 4096;

}  // namespace

void MiddleProof::begin(const Object& a, const Object& b, const Snapshot& middle, double half,
                        double tolerance) {
  set_objects(a, b);
  tolerance_ = tolerance;
  touching_ = false;
  set_instant(middle, half);
  kept_.clear();
  kept_pairs_.clear();
  waiting_.reserve(256);
  waiting_.clear();
  left_.clear();
  waiting_.push_back({bvh_a_->root(), bvh_b_->root()});
}

void MiddleProof::set_objects(const Object& a, const Object& b) {
  kernel_ = &bvh::kernels();
  a_ = &a;
  b_ = &b;
  bvh_a_ = &bvh::bvh_of(a);
  bvh_b_ = &bvh::bvh_of(b);
}

void MiddleProof::set_instant(const Snapshot& middle, double half) {
  snapshot_ = middle;
  middle_.emplace(*bvh_a_, *bvh_b_, middle);
  half_ = math::kRoundUpFloat * static_cast<float>(half) + 1e-30f;
}

MiddleProof::Status MiddleProof::go_on(base::BudgetMeter& meter, QueryStats& stats) {
  const auto given_up = [&] { return touching_ || left_.size() > kMostLeft; };
  while (!waiting_.empty() && !given_up()) {
    if (!meter.spend()) return Status::stopped;
    const NodePair nodes = waiting_.back();
    waiting_.pop_back();
    open(nodes, stats);
  }
  return given_up() ? Status::given_up : Status::done;
}

void MiddleProof::open(NodePair nodes, QueryStats& stats) {
  FramedPair framed;
  framed.relate(*kernel_, *bvh_a_, *bvh_b_, nodes, middle_->map);
  const OpenedPair pair(*bvh_a_, *bvh_b_, nodes, framed.frame.ratio);
  ++stats.node_pairs;
  stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
  bvh::PairKeys keys;
  const std::int32_t first = kernel_->impact_around(
      pair.contents_a(), pair.contents_b(), bvh_a_->bounds(nodes.a).frame,
      bvh_b_->bounds(nodes.b).frame, framed.frame, middle_->velocities, half_, keys);
  if (first == bvh::PairKeys::kNone) return;
  if (!pair.leaves()) return look_at_children(pair.children(), keys, stats);
  touching_ = bvh::PairKeys::value(first) == 0 && touch(pair, keys, stats);
  left_.push_back(nodes);
}

// Tests the triangles of two leaves that according to the kernels may touch: whether any pair
// touches at the instant.
bool MiddleProof::touch(const OpenedPair& leaves, const bvh::PairKeys& keys,
                        QueryStats& stats) const {
  for (int pair = 0; pair < bvh::kWidth * bvh::kWidth; ++pair) {
    if (keys.key[pair] == bvh::PairKeys::kNone || bvh::PairKeys::value(keys.key[pair]) > 0)
      continue;
    ++stats.primitive_tests;
    const Index of_a = leaves.triangle_a(bvh::row_of(pair)),
                of_b = leaves.triangle_b(bvh::lane_of(pair));
    if (conservative_advancement(*a_, of_a, *b_, of_b, snapshot_, tolerance_).touching) return true;
  }
  return false;
}

// Children that are not proved apart in their parents' frames may be so in their own.
void MiddleProof::look_at_children(const ChildPairs& children, const bvh::PairKeys& keys,
                                   QueryStats& stats) {
  NodePair nodes[bvh::kBatch];
  bvh::BoundsPairs bounds;
  const auto look = [&] {
    if (bounds.count == 0) return;
    bounds.fill_up();
    float time[bvh::kBatch] = {};
    stats.volume_tests += static_cast<std::uint64_t>(bounds.count);
    kernel_->impact_nodes_around(middle_->map, bounds, middle_->velocities.in_a, half_, time);
    for (int n = 0; n < bounds.count; ++n)
      if (!(time[n] > half_)) waiting_.push_back(nodes[n]);
    bounds.count = 0;
  };
  for (int pair = 0; pair < bvh::kWidth * bvh::kWidth; ++pair) {
    if (keys.key[pair] == bvh::PairKeys::kNone) continue;
    nodes[bounds.count] = children[pair];
    bounds.a[bounds.count] = &bvh_a_->bounds(nodes[bounds.count].a);
    bounds.b[bounds.count] = &bvh_b_->bounds(nodes[bounds.count].b);
    if (++bounds.count == bvh::kBatch) look();
  }
  look();
}

// ---- parts of the interval ----------------------------------------------------------------------

void MiddleProof::keep(double end) {
  if (!kept_.empty() && kept_.back().end == end) {
    kept_pairs_.resize(kept_.back().first);
    kept_.pop_back();
  }
  kept_.push_back({end, kept_pairs_.size()});
  kept_pairs_.insert(kept_pairs_.end(), left_.begin(), left_.end());
}

void MiddleProof::begin_with(const Object& a, const Object& b, std::span<const NodePair> pairs,
                             double end) {
  set_objects(a, b);
  forget();
  left_.assign(pairs.begin(), pairs.end());
  keep(end);
}

bool MiddleProof::keeps_after(double t) {
  while (!kept_.empty() && kept_.back().end <= t) {
    kept_pairs_.resize(kept_.back().first);
    kept_.pop_back();
  }
  return !kept_.empty();
}

std::size_t MiddleProof::look_again(const Snapshot& middle, double half, QueryStats& stats) {
  set_instant(middle, half);
  left_.clear();
  const std::span<const NodePair> pairs = kept_last();
  for (const NodePair& leaves : pairs) {
    FramedPair framed;
    framed.relate(*kernel_, *bvh_a_, *bvh_b_, leaves, middle_->map);
    const OpenedPair pair(*bvh_a_, *bvh_b_, leaves, framed.frame.ratio);
    ++stats.node_pairs;
    stats.volume_tests += static_cast<std::uint64_t>(pair.volume_tests());
    bvh::PairKeys keys;
    const std::int32_t first = kernel_->impact_around(
        pair.contents_a(), pair.contents_b(), bvh_a_->bounds(leaves.a).frame,
        bvh_b_->bounds(leaves.b).frame, framed.frame, middle_->velocities, half_, keys);
    if (first != bvh::PairKeys::kNone) left_.push_back(leaves);
  }
  return pairs.size();
}

void MiddleProof::leave_kept() { left_.assign(kept_last().begin(), kept_last().end()); }

}  // namespace touche::query
