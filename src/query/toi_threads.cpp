// SPDX-License-Identifier: Apache-2.0
// Decides when a search tries to prove a part of a motion by the threads of both bodies.
#include <algorithm>
#include <optional>

#include "query/toi_search.h"

namespace touche::query {
namespace {

// A test of a pair costs a quarter of a pair of nodes. Thread proofs take nearly as many node pairs
// as the objects have triangles, and half as many tests of pairs, or more if the threads have
// hardly any play.
constexpr std::uint64_t kLooksPerTriangle = 2;

// Detecting the threads of two objects costs as much as several parts of a turn. It is done for
// objects that are queried often, and for recorded motions that turn by this many radians (nearly
// one turn), unless the whole motion may be proved at once (toi_helix.cpp).
constexpr double kLongTurn = 6;

// If this many thread proofs in a row are given up, because the threads have too little play, the
// rest of the motion is proved without them.
constexpr int kMostGivenUp = 2;

}  // namespace

bool ToiSearch::threads_pay() {
  if (threads_pay_) return *threads_pay_;
  const auto recorded_turns = [&] {
    const TimeSlice &first = slices_[0], &last = slices_[slices_.size() - 1];
    if (first.piece_a == last.piece_a && first.piece_b == last.piece_b) return false;
    double turned = 0;
    for (const TimeSlice& slice : slices_) turned += slice.angle;
    return turned > kLongTurn;
  };
  const auto goes_on_helix = [&] {
    return !helix_left_ && !may_separate_ &&
           slices_on_helix(a_, b_, slices_, 0, slices_.t_start()) == slices_.size();
  };
  threads_pay_ = queue_.often_asked() || (recorded_turns() && !goes_on_helix());
  return *threads_pay_;
}

// Tries a thread proof if both bodies have threads; the search continues with the pairs that it
// leaves. Returns false if the budget ends.
bool ToiSearch::prove_threads(base::BudgetMeter& meter, double proved) {
  ThreadProof& proof = queue_.thread_proof();
  if (threads_ == Threads::untried) {
    threads_ = Threads::tried;
    if (!threads_pay() || threads_given_up_ >= kMostGivenUp) return true;
    const std::optional<ThreadMotion> motion = thread_motion(a_, b_, slices_, part_, proved, end_);
    if (!motion) return true;
    proof.begin(*motion,
                kLooksPerTriangle * (a_.soup().triangle_count() + b_.soup().triangle_count()));
    threads_ = Threads::begun;
  }
  if (threads_ != Threads::begun) return true;
  const ThreadProof::Status status = proof.go_on(meter, result_.stats);
  if (status == ThreadProof::Status::stopped) return false;
  threads_ = Threads::tried;
  if (status == ThreadProof::Status::given_up) return ++threads_given_up_, true;
  threads_given_up_ = 0;
  middle_ = Middle::tried;
  MiddleProof& rest = queue_.middle_proof();
  rest.begin_with(a_, b_, proof.left(), end_);
  if (part_.is_slice()) {
    const double middle = proved + 0.5 * (end_ - proved);
    (void)rest.look_again(slices_.snapshot(part_, middle), std::max(middle - proved, end_ - middle),
                          result_.stats);
  }
  open_left(proved);
  return true;
}

}  // namespace touche::query
