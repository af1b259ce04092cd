// SPDX-License-Identifier: Apache-2.0
#include "convex/gjk.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "convex/scan.h"

namespace touche::convex {
namespace {

/// More than any pair was seen to take, by far; what is known by then holds.
constexpr int kMostSteps = 128;
constexpr int kMostDrawn = 32;

/// As long as the simplex has no face, its nearest point tells little of where the bodies are near:
/// one vertex, of a large body, may be far to the side. So the direction that has proved most is
/// kept with this weight.
constexpr double kKept = 2.3;

/// Within 4 % of a root, without waiting for one.
double rough_root(double x) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) >> 1) + 0x1ff7a3bea91d9b1bu);
}

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
    if (options.goal == Goal::decide)
      inner_ = scale_ * (pair.a.inner + pair.b.inner) * kRoundDown - 2 * error_;
  }

  Separation run() {
    Vec3 v = options_.guess;
    if (v.isZero(0) || inner_ > 0) {
      middle_ = scale_ * (pair_.b_in_a * pair_.b.centre - pair_.a.centre);
      if (v.isZero(0)) v = middle_;
    }
    if (!(v.squaredNorm() > error_ * error_)) v = Vec3::UnitX();
    Vec3 d = v;  // where to look
    double last2 = kInfinity;
    // At the nearest point from now on. Round bodies: always, as their vertices come ever closer to
    // each other, and a detour would end the search before the bounds meet.
    bool straight = !pair_.a.round.empty() || !pair_.b.round.empty();
    Nearest near;
    simplex_.size = 0;
    for (int step = 0; step < kMostSteps; ++step) {
      const double d_length = d.norm();
      const int slot = simplex_.free_slot();
      Vertex& vertex = simplex_.slot[static_cast<std::size_t>(slot)];
      find_vertex(pair_, -d, scale_, vertex);
      ++found_.supports;
      // No branch on which is better: it would be mispredicted, long after it was taken.
      const double one = 1 / d_length, below = d.dot(vertex.w) * one - error_;
      across_[spare_] = one * d;
      spare_ ^= static_cast<unsigned>(below > lower_);
      lower_ = std::max(lower_, below);
      if (lower_ - balls_ > stop_above_) break;
      if (inner_ > 0 && is_in_cone(vertex.w)) break;
      if (simplex_.size > 0) {
        upper_ = std::sqrt(last2) + error_ + drift_;
        const bool known = simplex_.has(vertex);
        if (enough() || (known && straight)) break;
        if (known) {
          d = v, straight = true;
          continue;
        }
      }
      simplex_.add_slot(slot);
      find_nearest(simplex_, near);
      if (near.size < 4 && !(near.distance2 < last2)) {
        --simplex_.size;
        if (!straight) {
          d = v, straight = true;
          continue;
        }
        // A triangle of points that lie nearly on a line, as those of round bodies do, has no
        // normal worth the name. The last point and the new one can still be trusted.
        const Vertex last = vertex;
        if (!draw_together()) break;
        simplex_.add(last);
        find_nearest(simplex_, near);
      }
      near.keep_in(simplex_);
      if (near.size == 4) {
        inside_ = depth_inside(simplex_) - error_ - drift_;
        break;
      }
      if (!(near.distance2 < last2)) break;  // rounding has the last word
      v = near.point;
      last2 = near.distance2;
      if (last2 <= error_ * error_) break;
      if (options_.goal == Goal::decide && last2 < within_balls2_) break;
      straight = straight || simplex_.size == 3;
      d = v;
      if (!straight) d += kKept * rough_root(last2) * across_[spare_ ^ 1];
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

  /// Whether the origin is in the hull of w and the ball that is inside of all differences: around
  /// each point between its centre and w there is a ball, too, smaller towards w. That decides in
  /// a step or two what a tetrahedron takes at least four for.
  bool is_in_cone(const Vec3& w) {
    // Where |middle + t e|² - (1 - t)² inner² is least; whatever rounding makes of t.
    const Vec3 e = w - middle_;
    const double r2 = inner_ * inner_, more = e.squaredNorm() - r2;
    if (!(more > 0)) return false;
    const double t = std::clamp(-(middle_.dot(e) + r2) / more, 0.0, 1.0);
    const double within = (1 - t) * inner_ - 2 * error_, p2 = (middle_ + t * e).squaredNorm();
    if (!(within > 0) || !(p2 < within * within)) return false;
    inside_ = within - std::sqrt(p2);
    return inside_ > 0;
  }

  /// The nearest points of the simplex in both bodies: as shares are not negative and add up to 1,
  /// points of the cores, but for less than 8 u of their sizes.
  Vertex nearest() const {
    Vertex n;
    n.a.setZero(), n.b.setZero();
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
    found_.direction = across_[spare_ ^ 1];
    const bool decided = options_.goal == Goal::decide && (lower_ - balls_ > 0 || inside_ > 0);
    if (simplex_.size == 0 || decided) {  // the first if stopped after the first plane
      found_.lower = (lower_ - balls_) * back;
      if (inside_ > 0) found_.upper = (-inside_ - balls_below_) * back;
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
  // What proves the lower bound lies across one of these, the other one is to be written to next.
  std::array<Vec3, 2> across_ = {Vec3::UnitX(), Vec3::UnitX()};
  unsigned spare_ = 0;
  double inside_ = 0;
  Vec3 middle_ = Vec3::Zero();  // from a's centre to b's
  double inner_ = 0;            // a ball of this radius around it is in b − a; with `decide`
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

void find_vertex(const Pair& pair, const Vec3& direction, double scale, Vertex& v) {
  static const FindPolytopeVertex find = find_polytope_vertex();
  const Body &a = pair.a, &b = pair.b;
  find(a, b, pair.b_in_a, direction.x(), direction.y(), direction.z(), scale, v);
  if (a.round.empty() && b.round.empty()) return;
  const Vec3 at_a = a.corner(v.corner_a) + round_share(a.round, -direction),
             at_b = b.corner(v.corner_b) + round_share(b.round, pair.b_in_a.turned_back(direction));
  v.a = scale * at_a, v.b = scale * (pair.b_in_a * at_b);
  v.w = v.b - v.a;
}

Separation separation(const Pair& pair, const SeparationOptions& options, Simplex& simplex) {
  return GjkRun(pair, options, simplex).run();
}

Separation separation(const Pair& pair, const SeparationOptions& options) {
  Simplex simplex;
  return separation(pair, options, simplex);
}

}  // namespace touche::convex
