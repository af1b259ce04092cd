// SPDX-License-Identifier: Apache-2.0
// The first possible time of contact that is one (thesis §5.3.2 to §5.3.6). Against the printed
// listings: a distance of 0 at an end is a root; regula falsi halves the value of an end that stays
// (Illinois), else it may creep; where two edges are parallel their distance is taken a moment
// beside, as the text says and the listings do not; where they turn past that it does not jump to
// the other side; the coefficient α is that of the table.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "methods/continuous/moving_pair.h"
#include "touche/methods/continuous.h"

namespace touche::continuous {

template <typename Pair>
class FirstRoot {
 public:
  FirstRoot(const Instants& instants, const ContinuousOptions& options)
      : instants_(instants), options_(options) {}

  /// Nothing if there is no contact before `limit`.
  std::optional<double> operator()(const Pair& pair, double limit) const {
    const std::vector<Instant>& grid = instants_.grid();
    switch (options_.roots) {
      case RootMethod::linear:
      case RootMethod::regula_falsi:
        return between(pair, gap(pair, grid.front()), gap(pair, grid.back()), limit);
      case RootMethod::quadratic:
        return quadratic(pair, limit);
      case RootMethod::sampling:
      case RootMethod::sampling_regula_falsi: {
        Gap begin = gap(pair, grid.front());
        for (std::size_t k = 1; k < grid.size() && begin.t < limit; ++k) {
          const Gap end = gap(pair, grid[k]);
          if (const auto t = between(pair, begin, end, limit)) return t;
          begin = end;
        }
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr double kShortest = 1e-10;
  static constexpr int kMostSteps = 60;
  static constexpr double kJump = 1e-3;  // of the larger distance at the ends

  bool iterated() const {
    return options_.roots == RootMethod::regula_falsi ||
           options_.roots == RootMethod::sampling_regula_falsi;
  }

  /// NaN if the edges are parallel also a moment later or, at the end, before: then they only
  /// slide, and their ends meet faces.
  Gap gap(const Pair& pair, const Instant& instant) const {
    Gap result = pair.gap(instant);
    if (std::isnan(result.distance)) result = pair.gap(instants_.beside(instant));
    result.t = instant.t;
    return result;
  }

  /// The direction in which the pair is apart at first, if later ones point against it for no other
  /// reason than that edges turn past being parallel; else 0.
  Vec3 side(const Pair& pair, const Gap& first, const Gap& last) const {
    return pair.turn_past(instants_, first, last) ? first.across : Vec3(Vec3::Zero());
  }
  static Gap on_side(Gap gap, const Vec3& side) {
    if (gap.across.dot(side) < 0) gap.distance = -gap.distance;
    return gap;
  }

  std::optional<double> accept(const Pair& pair, double t, double limit) const {
    if (!(t < limit)) return std::nullopt;
    std::optional<bool> inside;
    if (options_.inside == InsideTest::approximate)
      inside = pair.inside(instants_.start(), instants_.end(), t);
    if (!inside) inside = pair.inside(instants_.at(t));
    return *inside ? std::optional(t) : std::nullopt;
  }

  static double interpolate(const Gap& a, const Gap& b) {
    return a.distance == b.distance ? a.t
                                    : a.t + (b.t - a.t) * (a.distance / (a.distance - b.distance));
  }

  std::optional<double> between(const Pair& pair, const Gap& first, Gap last, double limit) const {
    const Vec3 side = this->side(pair, first, last);
    last = on_side(last, side);
    if (!(first.distance * last.distance <= 0)) return std::nullopt;
    if (first.distance == 0)
      if (const auto t = accept(pair, first.t, limit)) return t;
    if (last.distance == 0) return accept(pair, last.t, limit);
    if (first.distance == 0) return std::nullopt;
    if (!iterated()) return accept(pair, interpolate(first, last), limit);
    const auto root = converge(pair, first, last, side);
    return root ? accept(pair, *root, limit) : std::nullopt;
  }

  /// The distances have different signs. Returns the end of the last interval before the root;
  /// nothing if that is none but a jump, of edges that turn past each other nearly parallel.
  std::optional<double> converge(const Pair& pair, Gap a, Gap b, const Vec3& side) const {
    enum { neither, end_a, end_b } stayed = neither;
    const double far = kJump * std::max(std::abs(a.distance), std::abs(b.distance));
    double at_a = a.distance, at_b = b.distance;
    for (int step = 0; step < kMostSteps && b.t - a.t > kShortest; ++step) {
      const double t = std::clamp(interpolate(a, b), a.t, b.t);
      const Gap next = on_side(gap(pair, instants_.at(t)), side);
      if (next.distance == 0) return next.t;
      if (std::isnan(next.distance)) break;
      if ((next.distance > 0) == (a.distance > 0)) {
        a = next;
        at_a = next.distance;
        if (stayed == end_b) b.distance *= 0.5;
        stayed = end_b;
      } else {
        b = next;
        at_b = next.distance;
        if (stayed == end_a) a.distance *= 0.5;
        stayed = end_a;
      }
    }
    if (std::min(std::abs(at_a), std::abs(at_b)) > far) return std::nullopt;
    return a.t;
  }

  std::optional<double> quadratic(const Pair& pair, double limit) const {
    const Gap first = gap(pair, instants_.start());
    Gap last = gap(pair, instants_.end());
    const Vec3 side = this->side(pair, first, last);
    last = on_side(last, side);
    const bool changes = first.distance * last.distance < 0;
    const double third = changes ? interpolate(first, last) : 0.5;
    if (!(third > 0 && third < 1)) return accept(pair, third, limit);
    const double y = on_side(gap(pair, instants_.at(third)), side).distance;
    const double y0 = first.distance, y1 = last.distance;
    if (std::isnan(y + y0 + y1)) return std::nullopt;
    // Newton's form through (0, y0), (third, y), (1, y1).
    const double slope = (y - y0) / third;
    const double alpha = (y1 - y0 - slope) / (1 - third);
    const double beta = slope - alpha * third;
    double roots[2];
    const int count = solve(alpha, beta, y0, roots);
    for (int i = 0; i < count; ++i) {
      // A distance of 0 at an end must not be lost to rounding.
      const double t = std::abs(roots[i] - 1) < 1e-12 ? 1 : roots[i];
      if (t >= 0 && t <= 1)
        if (const auto found = accept(pair, t, limit)) return found;
    }
    return std::nullopt;
  }

  /// Roots of a x² + b x + c, in order; of a constant 0, its beginning.
  static int solve(double a, double b, double c, double (&roots)[2]) {
    if (a == 0) {
      if (b == 0 && c != 0) return 0;
      roots[0] = b == 0 ? 0 : -c / b;
      return 1;
    }
    const double discriminant = b * b - 4 * a * c;
    if (!(discriminant >= 0)) return 0;
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    roots[0] = q / a;
    roots[1] = q == 0 ? roots[0] : c / q;
    if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
    return 2;
  }

  const Instants& instants_;
  const ContinuousOptions& options_;
};

}  // namespace touche::continuous
