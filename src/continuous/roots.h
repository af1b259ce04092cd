// SPDX-License-Identifier: Apache-2.0
// The first possible time of contact that is one (thesis §5.3.2 to §5.3.6). Against the printed
// listings: a distance of 0 at an end is a root; regula falsi halves the value of an end that stays
// (Illinois), else it may creep; where two edges are parallel their distance is taken a moment
// beside, as the text says and the listings do not; the coefficient α is that of the table.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "continuous/moving_pair.h"
#include "touche/continuous.h"

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
        return between(pair, grid.front(), grid.back(), limit);
      case RootMethod::quadratic:
        return quadratic(pair, limit);
      case RootMethod::sampling:
      case RootMethod::sampling_regula_falsi:
        for (std::size_t k = 0; k + 1 < grid.size() && grid[k].t < limit; ++k)
          if (const auto t = between(pair, grid[k], grid[k + 1], limit)) return t;
        return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  struct Sample {
    double t, distance;
  };

  // A moment, for edges that are parallel just then.
  static constexpr double kMoment = 1e-6;
  static constexpr double kShortest = 1e-10;
  static constexpr int kMostSteps = 60;

  bool iterated() const {
    return options_.roots == RootMethod::regula_falsi ||
           options_.roots == RootMethod::sampling_regula_falsi;
  }

  /// NaN if the edges are parallel also a moment later or, at the end, before: then they only
  /// slide, and their ends meet faces.
  Sample sample(const Pair& pair, const Instant& instant) const {
    double d = pair.distance(instant);
    if (std::isnan(d))
      d = pair.distance(instants_.at(instant.t + (instant.t < 0.5 ? kMoment : -kMoment)));
    return {instant.t, d};
  }
  Sample sample(const Pair& pair, double t) const { return sample(pair, instants_.at(t)); }

  std::optional<double> accept(const Pair& pair, double t, double limit) const {
    if (!(t < limit)) return std::nullopt;
    std::optional<bool> inside;
    if (options_.inside == InsideTest::approximate)
      inside = pair.inside(instants_.start(), instants_.end(), t);
    if (!inside) inside = pair.inside(instants_.at(t));
    return *inside ? std::optional(t) : std::nullopt;
  }

  static double interpolate(const Sample& a, const Sample& b) {
    return a.distance == b.distance ? a.t
                                    : a.t + (b.t - a.t) * (a.distance / (a.distance - b.distance));
  }

  std::optional<double> between(const Pair& pair, const Instant& begin, const Instant& end,
                                double limit) const {
    const Sample first = sample(pair, begin), last = sample(pair, end);
    if (!(first.distance * last.distance <= 0)) return std::nullopt;
    if (first.distance == 0)
      if (const auto t = accept(pair, first.t, limit)) return t;
    if (last.distance == 0) return accept(pair, last.t, limit);
    if (first.distance == 0) return std::nullopt;
    return accept(pair, iterated() ? converge(pair, first, last) : interpolate(first, last), limit);
  }

  /// The distances have different signs. Returns the end of the last interval before the root.
  double converge(const Pair& pair, Sample a, Sample b) const {
    enum { neither, end_a, end_b } stayed = neither;
    for (int step = 0; step < kMostSteps && b.t - a.t > kShortest; ++step) {
      const Sample next = sample(pair, std::clamp(interpolate(a, b), a.t, b.t));
      if (next.distance == 0) return next.t;
      if (std::isnan(next.distance)) break;
      if ((next.distance > 0) == (a.distance > 0)) {
        a = next;
        if (stayed == end_b) b.distance *= 0.5;
        stayed = end_b;
      } else {
        b = next;
        if (stayed == end_a) a.distance *= 0.5;
        stayed = end_a;
      }
    }
    return a.t;
  }

  std::optional<double> quadratic(const Pair& pair, double limit) const {
    const Sample first = sample(pair, instants_.start()), last = sample(pair, instants_.end());
    const bool changes = first.distance * last.distance < 0;
    const double third = changes ? interpolate(first, last) : 0.5;
    if (!(third > 0 && third < 1)) return accept(pair, third, limit);
    const double y = sample(pair, third).distance, y0 = first.distance, y1 = last.distance;
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
