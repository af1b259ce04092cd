// SPDX-License-Identifier: Apache-2.0
// When a search tries to prove all of a motion on a helix at once.
#include <algorithm>
#include <optional>

#include "query/toi_search.h"

namespace touche {
namespace {

// A proof along a helix takes so many pairs of nodes for each triangle before it tells much apart,
// and half of one for each look at a pair. It is tried after a share of a pair of nodes for each
// triangle, where it would take less than half of what the rest takes with one look for each
// triangle; so many may follow that it still would, up to a limit.
constexpr double kHelixAfter = 0.5, kHelixPrice = 1.5, kLooksPerNodes = 2;
constexpr double kMostPairLooks = 64;

}  // namespace

// Proves what is left of the motion's pieces at once, if they are one on a helix and the search
// takes long. False when the budget ends.
bool ToiSearch::prove_along_helix(BudgetMeter& meter) {
  const TimeSlice& slice = slices_[slices_.part(span_, begin_, span_.end).first];
  if (slice.piece_a != piece_a_ || slice.piece_b != piece_b_) {
    piece_a_ = slice.piece_a;
    piece_b_ = slice.piece_b;
    piece_begin_ = begin_;
    nodes_before_piece_ = result_.stats.node_pairs;
    helix_ = Helix::untried;
  }
  HelixProof& proof = queue_.helix_proof();
  if (helix_ == Helix::untried) {
    const std::uint64_t looks = looks_along_helix();
    if (looks == 0) return true;
    helix_ = Helix::tried;
    const std::optional<HelixMotion> motion =
        helix_motion(a_, b_, slices_, slice, begin_, helix_end_);
    if (!motion) return true;
    proof.begin(a_, b_, *motion, looks);
    helix_ = Helix::begun;
  }
  if (helix_ != Helix::begun) return true;
  const HelixProof::Status status = proof.go_on(meter, result_.stats);
  if (status == HelixProof::Status::stopped) return false;
  helix_ = Helix::tried;
  if (status == HelixProof::Status::done)
    queue_.middle_proof().begin_with(a_, b_, proof.left(), helix_end_);
  return true;
}

// How many pairs a proof along a helix may look at; none where it is not worth a try. It is where
// the rest of the pieces, searched as until now, would take more than twice as long, and where some
// of what the proof takes is already spent: bodies might meet soon.
std::uint64_t ToiSearch::looks_along_helix() const {
  const double end = std::min({piece_a_->t_end, piece_b_->t_end, 1.0});
  const auto spent = static_cast<double>(result_.stats.node_pairs - nodes_before_piece_);
  const auto triangles =
      static_cast<double>(a_.soup().triangle_count() + b_.soup().triangle_count());
  if (may_separate_ || !(spent > kHelixAfter * triangles)) return 0;
  const double rest = spent * (end - begin_) / (begin_ - piece_begin_);
  const double looks = kLooksPerNodes * (0.5 * rest - kHelixPrice * triangles);
  if (!(looks > triangles)) return 0;
  return static_cast<std::uint64_t>(std::min(looks, kMostPairLooks * triangles));
}

}  // namespace touche
