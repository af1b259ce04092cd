// SPDX-License-Identifier: Apache-2.0
// Decides when a search tries to prove the rest of a helical motion in one step.
#include <algorithm>
#include <optional>

#include "query/toi_search.h"

namespace touche::query {
namespace {

// The costs are in node pairs per triangle. A helix proof costs `kHelixPrice` to set up and 1 /
// `kLooksPerNodes` for each pair test. It is tried once `kHelixAfter` is spent, if with one pair
// test per triangle it would cost less than half of the remaining search. It may use as many pair
// tests as keep it below that half, at most `kMostPairLooks` per triangle.
constexpr double kHelixAfter = 0.5, kHelixPrice = 1.5, kLooksPerNodes = 2;
constexpr double kMostPairLooks = 64;

}  // namespace

// Tries to prove the remaining slices on one helix at once, if the search takes long. Returns false
// if the budget ends.
bool ToiSearch::prove_along_helix(base::BudgetMeter& meter) {
  if (!(begin_ < helix_end_)) {
    helix_ = Helix::untried;
    helix_begin_ = begin_;
    helix_end_ = kInfinity;
    nodes_before_helix_ = result_.stats.node_pairs;
  }
  HelixProof& proof = queue_.helix_proof();
  if (helix_ == Helix::untried || helix_ == Helix::found) {
    const double spent = spent_before_helix();
    if (may_separate_ || !(spent > kHelixAfter)) return true;
    const std::size_t first = slices_.part(span_, begin_, span_.end).first;
    if (helix_ == Helix::untried) find_helix(first);
    const std::uint64_t looks = helix_ == Helix::found ? looks_along_helix(spent) : 0;
    if (looks == 0) return true;
    const std::optional<HelixMotion> motion =
        helix_motion(a_, b_, slices_, first, helix_last_, begin_);
    if (!motion) return leave_helix(), true;
    proof.begin(a_, b_, *motion, looks);
    helix_ = Helix::begun;
  }
  if (helix_ != Helix::begun) return true;
  const HelixProof::Status status = proof.go_on(meter, result_.stats);
  if (status == HelixProof::Status::stopped) return false;
  if (status == HelixProof::Status::given_up) return leave_helix(), true;
  helix_ = Helix::tried;
  queue_.middle_proof().begin_with(a_, b_, proof.left(), helix_end_);
  return true;
}

// If a piece is on no helix, all its slices (there may be many) are marked as tried.
void ToiSearch::find_helix(std::size_t first) {
  const std::size_t found = slices_on_helix(a_, b_, slices_, first, begin_);
  helix_ = found > 0 ? Helix::found : Helix::tried;
  helix_last_ = first + (found > 0 ? found : slices_in_pieces(slices_, first)) - 1;
  helix_end_ = slices_[helix_last_].end;
}

// Whether thread proofs pay is decided anew: they may succeed where the helix proof failed.
void ToiSearch::leave_helix() {
  helix_ = Helix::tried;
  helix_left_ = true;
  threads_pay_.reset();
}

// Node pairs per triangle that the search spent since the helix slices began.
double ToiSearch::spent_before_helix() const {
  return static_cast<double>(result_.stats.node_pairs - nodes_before_helix_) /
         static_cast<double>(a_.soup().triangle_count() + b_.soup().triangle_count());
}

// Returns how many pair tests a helix proof may use; 0 if it is not worth trying. It is worth
// trying if the rest of the slices would cost more than twice as much by the usual search. The
// caller also requires that part of its cost is already spent, because the bodies might meet soon.
std::uint64_t ToiSearch::looks_along_helix(double spent) const {
  const double rest = spent * (helix_end_ - begin_) / (begin_ - helix_begin_);
  const double looks = kLooksPerNodes * (0.5 * rest - kHelixPrice);
  if (!(looks > 1)) return 0;
  const auto triangles =
      static_cast<double>(a_.soup().triangle_count() + b_.soup().triangle_count());
  return static_cast<std::uint64_t>(std::min(looks, kMostPairLooks) * triangles);
}

}  // namespace touche::query
