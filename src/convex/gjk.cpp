// SPDX-License-Identifier: Apache-2.0
#include "convex/gjk.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace touche::convex {
namespace {

/// More than any pair was seen to take, by far; what is known by then holds.
constexpr int kMostSteps = 128;
constexpr int kMostDrawn = 32;

class GjkRun {
 public:
  GjkRun(const Pair& pair, const SeparationOptions& options, Simplex& simplex)
      : pair_(pair), options_(options), simplex_(simplex), scale_(scale_of(pair)) {
    // Of differences, directions and lengths, and of the nearest points.
    size_error_ = 8 * kUnitRoundoff * scale_ *
                  (pair.a.reach + pair.b.reach + pair.b_in_a.translation.lpNorm<1>());
    error_ = scale_ * pair.error() + 2 * size_error_;
    balls_ = scale_ * (pair.a.radius + pair.b.radius) * (1 + 4 * kUnitRoundoff);
    balls_below_ = scale_ * (pair.a.radius + pair.b.radius) * (1 - 4 * kUnitRoundoff);
    stop_above_ = options.goal == Goal::decide ? 0 : scale_ * options.stop_above;
    const double within = std::max(0.0, balls_below_ - 2 * error_);
    within_balls2_ = within * within;
  }

  Separation run() {
    Vec3 v = options_.guess;
    if (v.isZero(0)) v = scale_ * (pair_.b_in_a * pair_.b.centre - pair_.a.centre);
    if (!(v.squaredNorm() > error_ * error_)) v = Vec3::UnitX();
    double last2 = kInfinity;
    simplex_.size = 0;
    for (int step = 0; step < kMostSteps; ++step) {
      const double length = v.norm();
      const Vertex vertex = supporting_vertex(pair_, -v, scale_);
      ++found_.supports;
      const double along = v.dot(vertex.w);
      if (along > 0 || options_.goal != Goal::decide) {
        if (const double below = along / length - error_; below > lower_) {
          lower_ = below;
          found_.direction = v / length;
        }
      }
      if (lower_ - balls_ > stop_above_) break;
      if (simplex_.size > 0) {
        upper_ = length + error_ + drift_;
        if (enough() || simplex_.has(vertex)) break;
      }
      const auto before = std::tuple(simplex_.size, simplex_.at, simplex_.share);
      simplex_.add(vertex);
      v = nearest_of(simplex_);
      if (simplex_.size == 4) {
        inside_ = depth_inside(simplex_) - error_ - drift_;
        break;
      }
      double now2 = v.squaredNorm();
      if (!(now2 < last2)) {
        // A triangle of points that lie nearly on a line, as those of round bodies do, has no
        // normal worth the name. The last point and the new one can still be trusted.
        std::tie(simplex_.size, simplex_.at, simplex_.share) = before;
        if (!draw_together()) break;
        simplex_.add(vertex);
        v = nearest_of(simplex_);
        now2 = v.squaredNorm();
        if (!(now2 < last2)) break;  // rounding has the last word
      }
      last2 = now2;
      if (now2 <= error_ * error_) break;
      if (options_.goal == Goal::decide && now2 < within_balls2_) break;
    }
    finish();
    return found_;
  }

 private:
  /// Whether the bounds are as close as was asked for, or as rounding allows.
  bool enough() const {
    const double lower = std::max(lower_ - balls_, 0.0), upper = upper_ - balls_below_;
    const double gap =
        std::max({options_.relative_error * lower, scale_ * options_.absolute_error, 4 * error_});
    if (lower_ >= upper_ - gap) return true;
    return options_.goal == Goal::distance && upper - lower <= gap;
  }

  /// The nearest points of the simplex in both bodies: as shares are not negative and add up to 1,
  /// points of the cores, but for less than 8 u of their sizes.
  Vertex nearest() const {
    Vertex n;
    double all = 0;
    for (int i = 0; i < simplex_.size; ++i) {
      n.a += simplex_.share[i] * simplex_.vertex(i).a;
      n.b += simplex_.share[i] * simplex_.vertex(i).b;
      all += simplex_.share[i];
    }
    n.a /= all, n.b /= all;
    n.w = n.b - n.a;
    return n;
  }

  /// Makes the nearest points the only vertex; false where there is no more than one or too many
  /// roundings would add up.
  bool draw_together() {
    if (simplex_.size < 2 || drawn_ == kMostDrawn) return false;
    Vertex n = nearest();
    n.corner_a = simplex_.vertex(0).corner_a, n.corner_b = simplex_.vertex(0).corner_b;
    simplex_.size = 0;
    simplex_.add(n);
    simplex_.share[0] = 1;
    ++drawn_;
    drift_ += size_error_;
    return true;
  }

  void finish() {
    const double back = 1 / scale_;
    if (simplex_.size == 0) {  // stopped after the first plane
      found_.lower = (lower_ - balls_) * back;
      return;
    }
    const Vertex near = nearest();
    Vec3 a = near.a, b = near.b;
    const double apart = (b - a).norm();
    upper_ = simplex_.size == 4 && inside_ > 0 ? -inside_ : apart + error_ + drift_;
    found_.lower = (lower_ - balls_) * back;
    found_.upper = (upper_ - balls_below_) * back;
    found_.converged = enough() || found_.upper <= 0 ||
                       upper_ - lower_ <= kSeparationError / 8 / kUnitRoundoff * size_error_;
    found_.core_a = a * back, found_.core_b = b * back;
    const double radius_a = scale_ * pair_.a.radius, radius_b = scale_ * pair_.b.radius;
    // Not the direction of the best plane: the points would be apart sideways as well.
    const Vec3 n = apart > 0 ? Vec3(near.w / apart) : found_.direction;
    if (apart >= radius_a + radius_b) {
      a += radius_a * n, b -= radius_b * n;
    } else if (radius_a + radius_b > 0) {  // a point of both
      const double t = radius_a / (radius_a + radius_b);
      a = b = (1 - t) * a + t * b;
    }
    found_.point_a = a * back, found_.point_b = b * back;
  }

  const Pair& pair_;
  const SeparationOptions& options_;
  Simplex& simplex_;
  double scale_;
  double error_ = 0, balls_ = 0, balls_below_ = 0, within_balls2_ = 0, stop_above_ = 0;
  double lower_ = -kInfinity, upper_ = kInfinity;  // of the cores, scaled
  double inside_ = 0;
  double size_error_ = 0, drift_ = 0;
  int drawn_ = 0;
  Separation found_;
};

}  // namespace

bool inner_balls_meet(const Pair& pair) {
  const Vec3 apart = pair.b_in_a * pair.b.centre - pair.a.centre;
  const double within =
      (pair.a.inner + pair.a.radius + pair.b.inner + pair.b.radius) * kRoundDown - pair.error();
  return within > 0 && apart.squaredNorm() < within * within;
}

double scale_of(const Pair& pair) {
  const double size = pair.a.reach + pair.b.reach + pair.b_in_a.translation.lpNorm<1>();
  if (size == 0 || (size > 0x1p-60 && size < 0x1p60)) return 1;
  return std::exp2(-std::ilogb(size));
}

Vertex supporting_vertex(const Pair& pair, const Vec3& direction, double scale) {
  const Supporting a = supporting(pair.a, -direction);
  const Supporting b = supporting(pair.b, pair.b_in_a.turned_back(direction));
  Vertex v;
  v.a = scale * a.point, v.b = scale * (pair.b_in_a * b.point);
  v.w = v.b - v.a;
  v.corner_a = a.corner, v.corner_b = b.corner;
  return v;
}

Separation separation(const Pair& pair, const SeparationOptions& options, Simplex& simplex) {
  return GjkRun(pair, options, simplex).run();
}

Separation separation(const Pair& pair, const SeparationOptions& options) {
  Simplex simplex;
  return separation(pair, options, simplex);
}

}  // namespace touche::convex
