// SPDX-License-Identifier: Apache-2.0
// Let a point of the moving body have the cylindrical coordinates (r, θ, z) around its own axis,
// turned by φ about z, e the unit vector to it across z, and f at right angles to both. Shift s and
// tilt p of the axis move it by
//   s + z p across z, and by −r p · e along z,
// and by what is of second order, which is part of the motion's error. With u the part across z,
// |u| <= U:
//   its radius becomes r + u · e, or more by at most U² / 2 (r − U);
//   its angle becomes θ + φ + χ with |χ| <= asin(U / r) <= 1.05 U / r where U <= r / 2;
//   its height over a helix of the still one's advance, A,
//     z + origin − r p · e − A (θ + φ + χ)
//       = own height + (own advance − A) θ + (origin − A φ) − r p · e − A χ.
// Along a direction n of the profile it moves by e · (n_r s + (n_r z − n_w r) p) + n_w (origin − A
// φ) and these errors. For each e that is linear in time, so it lies between its values at both
// ends. That points near each other have near coordinates is shown in helix_proof.cpp.
#include "query/thread_proof.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rounding.h"

namespace touche {
namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;

// Threads that nearly touch leave many pairs and take many looks before that: the search by
// instants is faster then. So a proof is also given up when it leaves more than one pair in so many
// looks.
constexpr std::uint64_t kLooksPerLeft = 48, kLooksToLearn = 1536;

// Pairs whose angles meet at more whole turns than these are divided.
constexpr double kMostWholeTurns = 3;

// Nodes whose gains differ by no more than this factor are divided together, for the look in
// between hardly ever tells them apart.
constexpr double kAlikeGain = 2;

// So many looks are one piece of work.
constexpr std::uint64_t kLooksPerWork = 4;

double largest_of(const HelixRange& range) {
  return std::max(std::abs(range.lo), std::abs(range.hi));
}

HelixRange negated(const HelixRange& range) { return {-range.hi, -range.lo}; }

// Half a turn about the x axis.
HelixTree::Node turned_over(HelixTree::Node node) {
  node.axis.w = -node.axis.w;
  node.box[1] = negated(node.box[1]);
  node.height = negated(node.height);
  node.angle = negated(node.angle);
  node.z = negated(node.z);
  node.sine = -node.sine;
  return node;
}

// Unit vectors across the axis, all those that are no more than an angle off a middle one.
struct Arc {
  double cosine, sine, half;

  /// Of their products with a vector.
  HelixRange times(double x, double y) const {
    if (!(half < 1)) {
      const double length = std::sqrt(x * x + y * y) * kRoundUp;
      return {-length, length};
    }
    const double along = cosine * x + sine * y, aside = std::abs(cosine * y - sine * x) * half,
                 less = 0.5 * half * half * along;
    return {along - std::max(less, 0.0) - aside, along - std::min(less, 0.0) + aside};
  }
};

}  // namespace

void ThreadProof::begin(const ThreadMotion& motion, std::uint64_t most_looks) {
  motion_ = motion;
  shift_ = tilt_ = 0;
  for (const ThreadMotion::Instant& at : motion.instant) {
    shift_ = std::max(shift_, std::hypot(at.shift[0], at.shift[1]) * kRoundUp);
    tilt_ = std::max(tilt_, std::hypot(at.tilt[0], at.tilt[1]) * kRoundUp);
  }
  looks_ = 0;
  most_looks_ = most_looks;
  waiting_.clear();
  left_.clear();
  waiting_.push_back({0, 0});
}

ThreadProof::Status ThreadProof::go_on(BudgetMeter& meter, QueryStats& stats) {
  while (!waiting_.empty()) {
    if (looks_ > most_looks_ || kLooksPerLeft * left_.size() > looks_ + kLooksToLearn)
      return Status::given_up;
    if (left_.are_too_many()) return Status::given_up;
    if (looks_ % kLooksPerWork == 0 && !meter.spend()) return Status::stopped;
    const Pair pair = waiting_.back();
    waiting_.pop_back();
    ++looks_;
    ++stats.volume_tests;
    look_at(pair);
  }
  return left_.are_too_many_in_the_end() ? Status::given_up : Status::done;
}

bool ThreadProof::stay_apart(const HelixTree::Node& moving, const HelixTree::Node& still) const {
  const double error = motion_.error, advance = motion_.still_advance;
  const ThreadMotion::Instant(&at)[2] = motion_.instant;

  // The coordinates that need no angle.
  const double moved = shift_ + largest_of(moving.z) * tilt_;
  if (parted({moving.radius.lo - moved, moving.radius.hi + moved}, still.radius, error))
    return true;
  const double tilted = std::max(moving.radius.hi, 0.0) * tilt_;
  if (parted({moving.z.lo + std::min(at[0].z, at[1].z) - tilted,
              moving.z.hi + std::max(at[0].z, at[1].z) + tilted},
             still.z, error))
    return true;
  if (!(moving.least_radius > 2 * moved)) return false;
  const double least = moving.least_radius - moved;
  const double rho = std::max(least, still.least_radius) - error;
  if (!(rho > 0)) return false;

  // The whole turns at which angles meet.
  const double slope = advance / rho, gap = error * std::sqrt(1 + slope * slope) * kRoundUp;
  const double aside = 1.05 * moved / moving.least_radius, slack = aside + error / rho + 1e-9;
  const double around = motion_.half_turn + slack, middle = moving.angle.middle(),
               half = 0.5 * moving.angle.size();
  const double turn = middle + motion_.turn;
  const double first = std::ceil((turn - half - around - still.angle.hi) / kWholeTurn),
               last = std::floor((turn + half + around - still.angle.lo) / kWholeTurn);
  if (first > last) return true;
  if (!(last - first < kMostWholeTurns)) return false;

  // Where around the axis they may meet: the smaller arc.
  const double of_moving = half + motion_.half_turn, of_still = 0.5 * still.angle.size() + slack;
  Arc arc{still.cosine, still.sine, of_still};
  if (of_moving < of_still) {
    const double c = motion_.cosine, s = motion_.sine;
    arc = {c * moving.cosine - s * moving.sine, s * moving.cosine + c * moving.sine, of_moving};
  }
  arc.half += 1e-9;

  const double other_advance = motion_.moving_advance - advance;
  const double farther = 0.5 * moved * moved / least,
               higher = std::abs(advance) * aside + std::abs(other_advance) * half;
  const double z = moving.z.middle(), r = moving.radius.middle(), half_z = 0.5 * moving.z.size(),
               half_r = 0.5 * moving.radius.size();
  const auto parts = [&](HelixPoint n) {
    const double lever = n.r * z - n.w * r;
    const double blur =
        (std::abs(n.r) * half_z + std::abs(n.w) * half_r) * tilt_ + std::abs(n.w) * higher;
    HelixRange way;
    for (const ThreadMotion::Instant& instant : at) {
      HelixRange by = arc.times(n.r * instant.shift[0] + lever * instant.tilt[0],
                                n.r * instant.shift[1] + lever * instant.tilt[1]);
      by.lo += n.w * instant.height;
      by.hi += n.w * instant.height;
      way.include(by);
    }
    const double more = n.w * other_advance * middle;
    const HelixRange own = moving.along(n), other = still.along(n);
    const HelixRange there{own.lo + way.lo + more - blur + std::min(n.r, 0.0) * farther,
                           own.hi + way.hi + more + blur + std::max(n.r, 0.0) * farther};
    for (double k = first; k <= last; ++k) {
      const double shift = k * kWholeTurn * advance * n.w;
      if (!parted(there, {other.lo - shift, other.hi - shift}, gap)) return false;
    }
    return true;
  };
  return parts(still.axis.across()) || parts(moving.axis.across()) || parts({0, 1});
}

void ThreadProof::look_at(const Pair& pair) {
  const HelixTree &tree = *motion_.moving, &other = *motion_.still;
  const HelixTree::Node &own = tree.node(pair.moving), &still = other.node(pair.still);
  const bool apart =
      motion_.opposite ? stay_apart(turned_over(own), still) : stay_apart(own, still);
  if (apart) return;
  const bool may_divide_own = own.children >= 0, may_divide_still = still.children >= 0;
  if (!may_divide_own && !may_divide_still) return leave(own, still);
  if (may_divide_own && may_divide_still && own.gain < kAlikeGain * still.gain &&
      still.gain < kAlikeGain * own.gain) {
    for (const int i : {0, 1})
      for (const int j : {0, 1}) waiting_.push_back({own.children + i, still.children + j});
    return;
  }
  if (may_divide_own && (!may_divide_still || own.gain > still.gain)) {
    waiting_.push_back({own.children, pair.still});
    waiting_.push_back({own.children + 1, pair.still});
  } else {
    waiting_.push_back({pair.moving, still.children});
    waiting_.push_back({pair.moving, still.children + 1});
  }
}

void ThreadProof::leave(const HelixTree::Node& moving, const HelixTree::Node& still) {
  const NodeRef x = motion_.moving->item(moving).leaf, y = motion_.still->item(still).leaf;
  left_.add(motion_.a_moves ? NodePair{x, y} : NodePair{y, x});
}

}  // namespace touche
