// SPDX-License-Identifier: Apache-2.0
#include "query/helix_proof.h"

#include <cmath>
#include <numbers>

#include "math/rounding.h"

namespace touche::query {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Pairs whose angles meet at more whole turns than these are split.
constexpr double kMostTurns = 8;

// Triangles are put into the profile in groups of this size, and two of them count as one unit of
// work.
constexpr std::size_t kTrianglesAtOnce = 512;
constexpr std::uint64_t kTrianglesPerWork = 2;

// The rate of progress of a proof is judged after this fraction (1 / 32) of the tests it may use.
constexpr std::uint64_t kLooksToJudge = 32;

// ---- directions of lines that may separate two regions
// --------------------------------------------

template <class Try>
bool any_axis(const HelixTree::Node& node, const Try& parts) {
  return parts(node.axis) || parts(node.axis.across());
}

template <class Try>
bool any_axis(const HelixRegion& region, const Try& parts) {
  for (int i = 0; i < 3; ++i) {
    const HelixPoint edge = (region.corner[(i + 1) % 3] - region.corner[i]).unit();
    if (parts(edge.across())) return true;
  }
  return false;
}

HelixRange radius_of(const HelixTree::Node& node) { return node.radius; }
HelixRange radius_of(const HelixRegion& region) { return region.along({1, 0}); }
HelixRange height_of(const HelixTree::Node& node) { return node.height; }
HelixRange height_of(const HelixRegion& region) { return region.along({0, 1}); }

// Whether no point of the one comes within the error of a point of the other.
//
// Suppose two points are that near when the motion has turned by φ. On the segment between them the
// radius is at least ρ, the larger of both least radii, less the error. There a radius changes no
// faster than the position, an angle at most 1 / ρ times as fast, and a combination of radius and
// height along a unit vector at most √(1 + (advance / ρ)²) times as fast. So with some number k of
// whole turns
//   angle of the still point + 2 π k − angle of the moving point = φ, up to error / ρ, and
//   height of the moving point = height of the still point − 2 π k advance
// up to the error times that root, in any direction of the profile.
template <class Part>
bool stay_apart(const HelixMotion& motion, const Part& moving, const Part& still) {
  if (parted(radius_of(moving), radius_of(still), motion.error)) return true;
  const double rho = std::max(moving.least_radius, still.least_radius) - motion.error;
  if (!(rho > 0)) return false;
  const double slope = motion.advance / rho;
  const double gap = motion.error * std::sqrt(1 + slope * slope) * math::kRoundUp;
  const double turned = std::max(std::abs(motion.turn_begin), std::abs(motion.turn_end));
  const double slack = motion.error / rho + math::kFormulaError * (turned + 2 * kTurn);

  // The whole turns at which angles meet, and at which heights meet.
  const auto turns = [&](double most) {
    return most / kTurn + math::kFormulaError * (1 + std::abs(most));
  };
  double first =
      std::ceil(-turns(-(motion.turn_begin - slack - (still.angle.hi - moving.angle.lo))));
  double last = std::floor(turns(motion.turn_end + slack - (still.angle.lo - moving.angle.hi)));
  const double pitch = kTurn * motion.advance;
  const HelixRange high = height_of(moving), low = height_of(still);
  if (pitch == 0) {
    if (first > last) return true;
    first = last = 0;
  } else {
    const double x = (low.lo - high.hi - gap) / pitch, y = (low.hi - high.lo + gap) / pitch;
    // Allow for far more than rounding: a turn too many only costs a test below.
    const double wide = 1e-6 + math::kFormulaError * std::max(std::abs(x), std::abs(y));
    first = std::max(first, std::ceil(std::min(x, y) - wide));
    last = std::min(last, std::floor(std::max(x, y) + wide));
  }
  if (first > last) return true;
  if (!(last - first < kMostTurns)) return false;

  for (double k = first; k <= last; ++k) {
    // The range of the moving region's positions along the axis, at the turns at which angles meet.
    const double from = std::max(motion.turn_begin, still.angle.lo - moving.angle.hi + kTurn * k),
                 to = std::min(motion.turn_end, still.angle.hi - moving.angle.lo + kTurn * k);
    HelixRange way;
    way.include(motion.advance * (from - slack));
    way.include(motion.advance * (to + slack));
    if (parted({moving.z.lo + way.lo, moving.z.hi + way.hi}, still.z, motion.error)) continue;
    const auto parts = [&](HelixPoint n) {
      const double shift = k * pitch * n.w;
      const HelixRange other = still.along(n);
      return parted(moving.along(n), {other.lo - shift, other.hi - shift}, gap);
    };
    if (!parts({0, 1}) && !any_axis(moving, parts) && !any_axis(still, parts)) return false;
  }
  return true;
}

}  // namespace

void HelixProof::begin(const Object& a, const Object& b, const HelixMotion& motion,
                       std::uint64_t most_looks) {
  motion_ = motion;
  moving_.begin(motion.a_moves ? a : b, motion.moving, motion);
  still_.begin(motion.a_moves ? b : a, motion.still, motion);
  prepared_ = 0;
  looks_ = 0;
  most_looks_ = most_looks;
  done_ = 0;
  waiting_.clear();
  left_.clear();
}

HelixProof::Status HelixProof::go_on(base::BudgetMeter& meter, QueryStats& stats) {
  if (!prepare(meter)) return Status::stopped;
  while (!waiting_.empty()) {
    if (takes_too_long() || left_.are_too_many()) return Status::given_up;
    if (!meter.spend()) return Status::stopped;
    const Pair pair = waiting_.back();
    waiting_.pop_back();
    ++looks_;
    ++stats.volume_tests;
    look_at(pair);
  }
  return left_.are_too_many_in_the_end() ? Status::given_up : Status::done;
}

// Puts both bodies into the profile. Returns false if the budget ends.
bool HelixProof::prepare(base::BudgetMeter& meter) {
  while (prepared_ < 2) {
    HelixTree& tree = prepared_ == 0 ? moving_ : still_;
    if (!meter.spend(kTrianglesAtOnce / kTrianglesPerWork)) return false;
    if (tree.add(kTrianglesAtOnce)) continue;
    tree.add_root();
    if (++prepared_ == 2) waiting_.push_back({0, 0, 1});
  }
  return true;
}

// True if all allowed tests are used, or if by now the proved share is smaller than the used share
// of the tests.
bool HelixProof::takes_too_long() const {
  if (looks_ > most_looks_) return true;
  return looks_ > most_looks_ / kLooksToJudge &&
         static_cast<double>(looks_) > done_ * static_cast<double>(most_looks_);
}

void HelixProof::look_at(const Pair& pair) {
  const HelixTree::Node &moving = moving_.node(pair.moving), &still = still_.node(pair.still);
  done_ += pair.share;
  NodePair leaves{};
  const bool single = moving.count == 1 && still.count == 1;
  if (single) {
    const HelixTree::Patch &x = moving_.patch(moving), &y = still_.patch(still);
    leaves = motion_.a_moves ? NodePair{x.leaf, y.leaf} : NodePair{y.leaf, x.leaf};
    if (left_.ends_with(leaves) || stay_apart(motion_, x.region, y.region)) return;
  } else if (stay_apart(motion_, moving, still)) {
    return;
  }

  // Divide the node with the greater gain, or leave the pair unproved. Small parts of triangles are
  // divided last, so that both triangles of a pair are divided one after the other.
  if (single && !(std::max(moving.gain, still.gain) > 0)) return left_.add(leaves);
  const bool moving_last = moving_.is_small(moving), still_last = still_.is_small(still);
  const bool divides_moving = moving_last != still_last ? still_last : moving.gain > still.gain;
  const int child = divides_moving ? moving_.children(pair.moving) : still_.children(pair.still);
  const double half = 0.5 * pair.share;
  for (const int i : {child, child + 1})
    waiting_.push_back(divides_moving ? Pair{i, pair.still, half} : Pair{pair.moving, i, half});
  done_ -= pair.share;
}

}  // namespace touche::query
