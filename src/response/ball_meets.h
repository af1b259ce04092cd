// SPDX-License-Identifier: Apache-2.0
// When a ball that moves on a straight line meets something convex, by tangents of its distance.
#pragma once

#include <algorithm>
#include <optional>

#include "touche/types.h"

namespace touche::response {

/// The distance at t, and a lower bound of it at later times: linear from `gap` now to
/// `gap_at_end`.
struct BallTangent {
  Vec3 offset;
  double distance, gap, gap_at_end;
};

/// When the ball stops, and the offset from the nearest point to its centre at that time.
struct BallMet {
  double t;
  Vec3 offset;
};

/// `tangent(t)` returns the tangent at t; `radius` and `tolerance` are lengths.
template <class TangentAt>
class BallMeets {
 public:
  BallMeets(const TangentAt& tangent, double radius, double tolerance)
      : tangent_(tangent), radius_(radius), tolerance_(tolerance) {}

  /// Empty if the ball does not meet it or stops later than `limit`.
  std::optional<BallMet> before(double limit) const {
    const BallTangent first = tangent_(0);
    if (first.distance <= met_level() + slack()) {  // near at the start: it may move away or along
      const bool goes_away = first.gap_at_end >= first.gap;
      const bool known = first.distance > radius_ ? first.gap > radius_ : first.distance > 0;
      const double least = std::min(first.gap, first.gap_at_end);
      if ((known && goes_away) || least > radius_ + slack()) return std::nullopt;
      return BallMet{0, first.offset};
    }
    // The face below the ball must come first of two in one plane, so find the position precisely.
    auto stop = reaches(radius_ + 0.75 * tolerance_, 1e-6 * tolerance_, 0, limit);
    if (!stop || !reaches(met_level(), slack(), stop->t, kInfinity)) return std::nullopt;
    return stop;
  }

 private:
  double met_level() const { return radius_ + 0.5 * tolerance_; }
  double slack() const { return 0.0625 * tolerance_; }

  /// Newton's method for the time at which the distance falls to a level. The result is never
  /// later, and the distance is then within `near` of the level, unless rounding prevents it. Empty
  /// if the level is not reached, or not before `limit`.
  std::optional<BallMet> reaches(double level, double near, double t, double limit) const {
    constexpr int kSteps = 100;
    for (int step = 0;; ++step) {
      const BallTangent now = tangent_(t);
      if (now.distance <= level + near || now.gap <= level || step == kSteps)
        return BallMet{t, now.offset};
      if (now.gap_at_end > level) return std::nullopt;
      t += (1 - t) * (now.gap - level) / (now.gap - now.gap_at_end);
      if (!(t < limit)) return std::nullopt;
    }
  }

  const TangentAt& tangent_;
  const double radius_, tolerance_;
};

}  // namespace touche::response
