// SPDX-License-Identifier: Apache-2.0
// Searches a motion part by part. The length of a part adapts to the cost of the previous ones; the
// rest of an expensive part is proved as a whole if possible. The tests of pairs are in
// toi_looks.cpp.
#include "query/toi_search.h"

#include <algorithm>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "query/boxes_apart.h"

namespace touche::query {
namespace {

// A pair may be evaluated earlier than its proof ends, by up to this share of the part, so that
// many pairs are evaluated at the same instant.
constexpr double kSharedTime = 1.0 / 32;

// Surfaces that slide along each other continually bring new pairs of triangles together: the
// longer the part, the more pairs wait at the same time, and bounds of nodes cannot rule them out.
// A part is halved if it takes more than kPatience triangle tests plus half a test per pair of
// nodes. A triangle pair tested in a group counts a quarter.
constexpr std::uint64_t kPatience = 500;
constexpr double kLeastShare = 1.0 / 1024;

// A pair of nodes whose proof ends is opened, unless the bodies have turned by more than this angle
// (radians) since its last evaluation. In that case a new evaluation gains more, because the bound
// allows for accelerations in any direction.
constexpr double kFreshAngle = 0.05;

// After kMiddleAfter pairs of nodes, the rest of a part is proved from its middle. Bodies that need
// fewer mostly meet, or pass each other at a distance.
constexpr std::uint64_t kMiddleAfter = 250;

}  // namespace

ToiSearch::ToiSearch(const Object& a, const Object& b, const TimeSlices& slices,
                     const ToiOptions& options, PairQueue& queue, ToiResult& result)
    : a_(a),
      b_(b),
      bvh_a_(bvh::bvh_of(a)),
      bvh_b_(bvh::bvh_of(b)),
      slices_(slices),
      may_separate_(options.may_separate),
      result_(result),
      queue_(queue) {
  queue_.middle_proof().forget();
}

void ToiSearch::begin(const TimeSpan& span) {
  span_ = span;
  begin_ = span.begin;
  in_part_ = false;
}

// Searches the span part by part. Each part starts from the roots, or from the pairs that a proof
// left.
bool ToiSearch::go_on(base::BudgetMeter& meter) {
  for (; begin_ < span_.end; begin_ = end_) {
    if (!in_part_ && begin_ == span_.begin && !pass_boxes(meter)) return false;
    if (!(begin_ < span_.end)) return true;
    if (!in_part_) in_part_ = begin_part(meter);
    if (!in_part_ || !search_part(meter)) return false;
    in_part_ = false;
  }
  return true;
}

// Skips the time for which the boxes around both bodies prove them apart. The boxes are not tested
// again in pieces where they once proved nothing. Returns false if the budget ends.
bool ToiSearch::pass_boxes(base::BudgetMeter& meter) {
  const TimeSlice& slice = slices_[span_.first];
  const bool asked = slice.piece_a == overlap_a_ && slice.piece_b == overlap_b_;
  if (span_.is_slice() && !asked && !(apart_until_ > begin_)) {
    if (!meter.spend()) {
      result_.status = ToiStatus::undecided;
      result_.time.lower = begin_;
      return false;
    }
    apart_until_ = boxes_apart_until(a_, b_, slices_, slice, begin_, result_.stats);
    if (!(apart_until_ > begin_)) {
      overlap_a_ = slice.piece_a;
      overlap_b_ = slice.piece_b;
    }
  }
  begin_ = std::clamp(apart_until_, begin_, span_.end);
  return true;
}

// Begins to search from begin_ to end_. end_ moves nearer if the part turns out to be too long.
bool ToiSearch::begin_part(base::BudgetMeter& meter) {
  if (!meter.spend() || !prove_along_helix(meter)) {
    result_.status = ToiStatus::undecided;
    result_.time.lower = begin_;
    return false;
  }
  // Choose the part, its shared time and its fresh time.
  ++result_.stats.time_splits;
  MiddleProof& proof = queue_.middle_proof();
  const bool proved = proof.keeps_after(begin_);
  const double length = share_ * (span_.end - span_.begin),
               latest = proved ? std::min(proof.kept_until(), span_.end) : span_.end;
  end_ = begin_ + 1.5 * length < latest ? begin_ + length : latest;
  if (!(end_ > begin_)) end_ = latest;  // too short to be cut
  part_ = slices_.part(span_, begin_, end_);
  shared_time_ = kSharedTime * (end_ - begin_);
  fresh_ = std::max(
      {kFreshAngle * (span_.end - span_.begin) / span_.angle, 2 * shared_time_, kLeastStep});
  triangles_before_ = triangle_work();
  nodes_before_ = result_.stats.node_pairs;
  patience_ = kPatience;
  middle_ = proved ? Middle::tried : Middle::untried;
  threads_ = Threads::untried;
  snapshot_.t = -1;
  local_.reset();
  queue_.clear();

  // Start with the pairs that the proof of a longer part left, or else with the roots.
  if (proved) {
    start_with_kept(meter);
    return true;
  }
  move_to(begin_);
  const NodePair roots{bvh_a_.root(), bvh_b_.root()};
  if (!are_long(roots) ||
      begin_ + time_across(bvh_a_.bounds(roots.a), bvh_b_.bounds(roots.b)) <= end_)
    open(roots, begin_);
  return true;
}

bool ToiSearch::stopped() {
  result_.status = ToiStatus::undecided;
  result_.time.lower = queue_.least_key();
  return false;
}

// Continues the search of the part.
bool ToiSearch::search_part(base::BudgetMeter& meter) {
  // Process the head of the queue until it is proved apart for the whole part.
  const auto excess = [&] {
    return triangle_work() - triangles_before_ >
           patience_ + (result_.stats.node_pairs - nodes_before_) / 2;
  };
  while (!queue_.empty() && queue_.least_key() <= end_) {
    if (!meter.spend()) return stopped();
    if (may_prove_from_middle()) {
      if (!prove_from_middle(meter)) return stopped();
      continue;
    }
    // Halve the part if it takes too long, but not while pairs that touch at the start are tested
    // for separation: they may use the whole part for it.
    if (excess() && share_ > kLeastShare && !may_separate_now()) {
      share_ *= 0.5;
      patience_ *= 2;
      const double middle = begin_ + 0.5 * (end_ - begin_);
      if (middle > begin_)
        end_ = std::max({queue_.least_key(), middle, std::min(end_, result_.separated_at)});
    }
    if (!step()) return false;
  }

  // Lengthen the next part if this one was easy.
  const bool easy =
      16 * (triangle_work() - triangles_before_) <= result_.stats.node_pairs - nodes_before_;
  if (easy) share_ = std::min(1.0, 1.25 * share_);
  return true;
}

bool ToiSearch::may_prove_from_middle() const {
  if (middle_ != Middle::untried) return middle_ == Middle::begun;
  return result_.stats.node_pairs - nodes_before_ > kMiddleAfter && !may_separate_ && local_ &&
         !local_->velocities.in_a.gliding;
}

// Tries to prove the rest of the part from its middle. If few pairs of leaves remain, they replace
// all waiting pairs. Returns false if the budget ends.
bool ToiSearch::prove_from_middle(base::BudgetMeter& meter) {
  const double proved = queue_.least_key();
  if (middle_ == Middle::untried) {
    if (!prove_threads(meter, proved)) return false;
    if (!part_.is_slice()) middle_ = Middle::tried;
    if (middle_ == Middle::tried) return true;
  }
  MiddleProof& proof = queue_.middle_proof();
  if (middle_ == Middle::untried) {
    const double middle = proved + 0.5 * (end_ - proved);
    proof.begin(a_, b_, slices_.snapshot(part_, middle), std::max(middle - proved, end_ - middle),
                slices_.tolerance());
  }
  middle_ = Middle::begun;
  const MiddleProof::Status status = proof.go_on(meter, result_.stats);
  if (status == MiddleProof::Status::stopped) return false;
  middle_ = Middle::tried;
  if (status == MiddleProof::Status::given_up) return true;
  open_left(proved);
  return true;
}

// Evaluates the pairs that the proof of a longer part left once more, from the middle of this part,
// and starts with the pairs that this leaves. They are few, so the budget is charged afterwards.
void ToiSearch::start_with_kept(base::BudgetMeter& meter) {
  const double middle = begin_ + 0.5 * (end_ - begin_);
  MiddleProof& proof = queue_.middle_proof();
  if (!part_.is_slice()) {
    proof.leave_kept();
    return open_left(begin_);
  }
  const std::size_t looked = proof.look_again(
      slices_.snapshot(part_, middle), std::max(middle - begin_, end_ - middle), result_.stats);
  (void)meter.spend(1 + looked / bvh::kWidth);
  open_left(begin_);
}

// Continues with the pairs that the proof left, in place of all waiting pairs: these are all pairs
// that are not proved apart from `from` until the end of the part.
void ToiSearch::open_left(double from) {
  MiddleProof& proof = queue_.middle_proof();
  proof.keep(end_);
  queue_.clear();
  move_to(from);
  for (const NodePair& leaves : proof.left()) open(leaves, from);
}

ToiSearch::Heads ToiSearch::heads() const {
  Heads heads;
  const auto add_nodes = [&](NodePair nodes) { heads.nodes[heads.node_count++] = nodes; };
  const auto add_triangles = [&](TriangleIds ids) {
    heads.triangles[heads.triangle_count++] = ids;
  };
  if (!in_part_) {
    heads.t = begin_;
    add_nodes({bvh_a_.root(), bvh_b_.root()});
    return heads;
  }
  heads.t = queue_.least_key();
  queue_.visit_first(bvh::kWidth, [&](const WaitingGroup* group, const TriangleIds& ids) {
    if (group == nullptr) return add_triangles(ids);
    const int pair = group->first_pair();
    const NodePair nodes = group->nodes();
    if (!group->triangles()) return add_nodes((*group)[pair]);
    add_triangles({bvh_a_.leaf(nodes.a).triangle[bvh::row_of(pair)],
                   bvh_b_.leaf(nodes.b).triangle[bvh::lane_of(pair)]});
  });
  return heads;
}

bool ToiSearch::touched(const TriangleIds& pair) {
  report_contact(a_, b_, pair, snapshot_, result_);
  if (snapshot_.t == slices_.t_start()) result_.separated_at = 0;  // this pair remains in contact
  return false;
}

void ToiSearch::move_to(double t) {
  if (t != snapshot_.t) snapshot_ = slices_.snapshot(part_, t);
}

const LocalSnapshot& ToiSearch::local() {
  if (!local_)
    local_.emplace(bvh_a_, bvh_b_, snapshot_);
  else if (local_t_ != snapshot_.t)
    local_->move_to(bvh_a_, bvh_b_, snapshot_);
  local_t_ = snapshot_.t;
  return *local_;
}

// The time until the end of the part, rounded up: a pair proved apart for longer needs no more
// work.
float ToiSearch::limit() const {
  return static_cast<float>(end_ - snapshot_.t) * math::kRoundUpFloat + 1e-30f;
}

std::uint64_t ToiSearch::triangle_work() const {
  return result_.stats.primitive_tests + together_ / 4;
}

bool ToiSearch::may_separate_now() const {
  return may_separate_ && snapshot_.t == slices_.t_start();
}

}  // namespace touche::query
