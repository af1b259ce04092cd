// SPDX-License-Identifier: Apache-2.0
// Let a point of the moving body have the cylindrical coordinates (r, θ, z) around its own axis,
// rotated by φ about z; let e be the unit vector to it across z, and f orthogonal to both. Shift s,
// tilt p = sin τ ψ of the axis and v = 1 − cos τ move it by
//   u = s + z p − v r (e · ψ) ψ across z, and by −r p · e − v z along z.
// Let |u| <= U <= r / 2.
//
// Its radius becomes r + e · u + (f · u)² / (the new radius + r + e · u), and v adds between −v r
// and 0 to e · u. Its angle becomes θ + φ + χ, |χ| <= asin(U / r) <= 1.05 U / r. With x = U / (r −
// U) and q = tan χ = f · u / (r + e · u), |χ − q| <= x³ / 3 and |q − f · u / r| <= x² / 2, and v
// adds at most v r / 2 to f · u. Its height relative to a helix of the still body's advance, A,
// becomes
//   z + origin − r p · e − v z − A (θ + φ + χ)
//     = own height + (own advance − A) θ + (origin − A φ) − r p · e − v z − A χ.
// Along a direction n of the profile it moves by
//   e · (n_r s + (n_r z − n_w r) p) − n_w A f · (s + z p) / r + n_w (origin − A φ)
// plus the contributions of v and of the squares. For each e this is linear in time, up to these
// and the motion's error, so it lies between its values at both ends. helix_proof.cpp shows that
// points near each other have near coordinates.
#include "query/thread_proof.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/rounding.h"

namespace touche::query {
namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;

// Threads that touch leave thousands of pairs, and then the search by instants is faster. So a
// proof is also given up when it leaves more than one pair in kLooksPerLeft tests. This is checked
// only after kLooksToLearn tests, because the first pairs are close together and may be among the
// few that it leaves.
constexpr std::uint64_t kLooksPerLeft = 8, kLooksToLearn = 4096;

// Pairs whose angles meet at more whole turns than these are divided.
constexpr double kMostWholeTurns = 3;

// Nodes whose gains differ by at most this factor are divided together, because a test in between
// would hardly ever prove them apart.
constexpr double kAlikeGain = 2;

// Number of tests that count as one unit of work.
constexpr std::uint64_t kLooksPerWork = 4;

double largest_of(const HelixRange& range) {
  return std::max(std::abs(range.lo), std::abs(range.hi));
}

HelixRange negated(const HelixRange& range) { return {-range.hi, -range.lo}; }

// Rotates a node by half a turn about the x axis.
HelixTree::Node turned_over(HelixTree::Node node) {
  node.axis.w = -node.axis.w;
  node.box[1] = negated(node.box[1]);
  node.height = negated(node.height);
  node.angle = negated(node.angle);
  node.z = negated(node.z);
  node.sine = -node.sine;
  return node;
}

// The unit vectors across the axis whose angle to a middle one is at most `half`.
struct Arc {
  double cosine, sine, half;

  /// Returns the range of their dot products with a vector.
  HelixRange times(double x, double y) const {
    if (!(half < 1)) {
      const double length = std::sqrt(x * x + y * y) * math::kRoundUp;
      return {-length, length};
    }
    const double along = cosine * x + sine * y, aside = std::abs(cosine * y - sine * x) * half,
                 less = 0.5 * half * half * along;
    return {along - std::max(less, 0.0) - aside, along - std::min(less, 0.0) + aside};
  }
};

// A node of the moving body during the whole motion, restricted to an arc.
class MovedNode {
 public:
  /// The axis is tilted by at most `tilt`, and points of the node move by at most `most` across z.
  MovedNode(const ThreadMotion& motion, const HelixTree::Node& node, const Arc& arc, double tilt,
            double most)
      : motion_(motion), node_(node), arc_(arc), tilt_(tilt) {
    const double lo = node.least_radius, hi = std::max(node.radius.hi, lo),
                 nearest = std::max(node.radius.lo, lo), advance = motion.still_advance;
    r_ = 0.5 * (nearest + hi);
    half_r_ = 0.5 * (hi - nearest);
    z_ = node.z.middle();
    half_z_ = 0.5 * node.z.size();

    HelixRange aside;  // the middle of f · u
    for (const int i : {0, 1}) {
      const ThreadMotion::Instant& at = motion.instant[i];
      const double x = at.shift[0] + z_ * at.tilt[0], y = at.shift[1] + z_ * at.tilt[1];
      aside.include(arc.times(y, -x));
      lowered_[i] = {advance / r_ * y, -advance / r_ * x};
    }
    const double blur = half_z_ * tilt + 0.5 * motion.versine.hi * hi;
    const double most_aside = largest_of(aside) + blur,
                 least_aside = std::max(std::max(aside.lo, -aside.hi) - blur, 0.0);
    radius_ = {0.5 * least_aside * least_aside / (hi + most) - motion.versine.hi * hi,
               0.5 * most_aside * most_aside / (lo - most)};

    const double x = most / (lo - most);
    const double turned = x * x * (0.5 + x / 3) + 0.5 * motion.versine.hi + half_z_ * tilt / lo +
                          most * half_r_ / (lo * r_);
    more_advance_ = motion.moving_advance - advance;
    sunk_ = motion.versine.middle();
    height_blur_ = std::abs(advance) * turned + std::abs(more_advance_) * 0.5 * node.angle.size() +
                   sunk_ * half_z_ + 0.5 * motion.versine.size() * largest_of(node.z);
  }

  /// Returns the range of all its points along a direction, relative to the still body's thread.
  HelixRange along(HelixPoint n) const {
    const double lever = n.r * z_ - n.w * r_;
    const double blur =
        (std::abs(n.r) * half_z_ + std::abs(n.w) * half_r_) * tilt_ + std::abs(n.w) * height_blur_;
    HelixRange way;
    for (const int i : {0, 1}) {
      const ThreadMotion::Instant& at = motion_.instant[i];
      HelixRange by = arc_.times(n.r * at.shift[0] + lever * at.tilt[0] - n.w * lowered_[i].across,
                                 n.r * at.shift[1] + lever * at.tilt[1] - n.w * lowered_[i].aside);
      by.lo += n.w * at.height;
      by.hi += n.w * at.height;
      way.include(by);
    }
    const double more = n.w * (more_advance_ * node_.angle.middle() - sunk_ * z_);
    const double nearer = n.r * radius_.lo, farther = n.r * radius_.hi;
    const HelixRange own = node_.along(n);
    return {own.lo + way.lo + more - blur + std::min(nearer, farther),
            own.hi + way.hi + more + blur + std::max(nearer, farther)};
  }

 private:
  const ThreadMotion& motion_;
  const HelixTree::Node& node_;
  const Arc& arc_;
  const double tilt_;
  double r_, half_r_, z_, half_z_;
  struct {
    double across, aside;
  } lowered_[2];       // the vector whose product with e is A f · (s + z p) / r, at both ends
  HelixRange radius_;  // added to r + e · (s + z p)
  double more_advance_, sunk_, height_blur_;
};

}  // namespace

void ThreadProof::begin(const ThreadMotion& motion, std::uint64_t most_looks) {
  motion_ = motion;
  shift_ = tilt_ = 0;
  for (const ThreadMotion::Instant& at : motion.instant) {
    shift_ = std::max(shift_, std::hypot(at.shift[0], at.shift[1]) * math::kRoundUp);
    tilt_ = std::max(tilt_, std::hypot(at.tilt[0], at.tilt[1]) * math::kRoundUp);
  }
  looks_ = 0;
  most_looks_ = most_looks;
  waiting_.clear();
  left_.clear();
  waiting_.push_back({0, 0});
}

ThreadProof::Status ThreadProof::go_on(base::BudgetMeter& meter, QueryStats& stats) {
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

  // Compare the coordinates that need no angle.
  const double farthest = std::max(moving.radius.hi, 0.0), versine = motion_.versine.hi;
  const double moved = shift_ + largest_of(moving.z) * tilt_ + versine * farthest;
  if (parted({moving.radius.lo - moved, moving.radius.hi + moved}, still.radius, error))
    return true;
  const double tilted = farthest * tilt_ + largest_of(moving.z) * versine;
  if (parted({moving.z.lo + std::min(at[0].z, at[1].z) - tilted,
              moving.z.hi + std::max(at[0].z, at[1].z) + tilted},
             still.z, error))
    return true;
  if (!(moving.least_radius > 2 * moved)) return false;
  const double least = moving.least_radius - moved;
  const double rho = std::max(least, still.least_radius) - error;
  if (!(rho > 0)) return false;

  // The whole turns at which angles meet.
  const double slope = advance / rho, gap = error * std::sqrt(1 + slope * slope) * math::kRoundUp;
  const double aside = 1.05 * moved / moving.least_radius, slack = aside + error / rho + 1e-9;
  const double around = motion_.half_turn + slack, middle = moving.angle.middle(),
               half = 0.5 * moving.angle.size();
  const double turn = middle + motion_.turn;
  const double first = std::ceil((turn - half - around - still.angle.hi) / kWholeTurn),
               last = std::floor((turn + half + around - still.angle.lo) / kWholeTurn);
  if (first > last) return true;
  if (!(last - first < kMostWholeTurns)) return false;

  // The range of angles at which they may meet: the smaller of both arcs.
  const double of_moving = half + motion_.half_turn, of_still = 0.5 * still.angle.size() + slack;
  Arc arc{still.cosine, still.sine, of_still};
  if (of_moving < of_still) {
    const double c = motion_.cosine, s = motion_.sine;
    arc = {c * moving.cosine - s * moving.sine, s * moving.cosine + c * moving.sine, of_moving};
  }
  arc.half += 1e-9;

  const MovedNode moves(motion_, moving, arc, tilt_, moved);
  const auto parts = [&](HelixPoint n) {
    const HelixRange there = moves.along(n), other = still.along(n);
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
  const bvh::NodeRef x = motion_.moving->patch(moving).leaf, y = motion_.still->patch(still).leaf;
  left_.add(motion_.a_moves ? NodePair{x, y} : NodePair{y, x});
}

}  // namespace touche::query
