// SPDX-License-Identifier: Apache-2.0
// Let D be the set of all y - x with x of a and y of b, both without their balls. As long as the
// origin is in D, the shortest shift of b that parts them is minus the vector from the origin to
// the nearest point of D's surface.
//
// Upper bound: for every unit vector m the shift by -h(m) m parts them, where h(m), the largest
// m · w in D, is known up to rounding.
// Lower bound: a hull of points of D is in D. Where the origin sees all of its faces from inside,
// no point of D's surface is nearer than the nearest face. Each face's offset is a lower bound of
// that, whatever the rounding of its normal (growing_hull.h). The hull's points are rounded: those
// of D are within `error_` of them, and so is the ball.
//
// The face with the least offset gets D's farthest point along its normal. When that does not lie
// beyond the face, the bounds have met. Nothing here relies on the origin being inside, on a first
// tetrahedron that holds it, or on signs that rounding may have wrong.
#include "convex/depth.h"

#include <algorithm>
#include <cmath>

#include "convex/growing_hull.h"

namespace touche::convex {
namespace {

/// Round bodies may go on for ever: bounds get closer by a constant factor for some ten faces.
constexpr int kMostGrowths = 400;

class Expansion {
 public:
  Expansion(const Pair& pair, const PenetrationOptions& options, GrowingHull& hull,
            std::vector<Vertex>& vertices)
      : pair_(pair),
        options_(options),
        hull_(hull),
        vertices_(vertices),
        scale_(scale_of(pair)),
        error_(scale_ * (pair.error() +
                         8 * kUnitRoundoff *
                             (pair.a.reach + pair.b.reach + pair.b_in_a.translation.lpNorm<1>()))),
        balls_(scale_ * (pair.a.radius + pair.b.radius)) {}

  /// `simplex` is where the search for a distance ended, which proved `lower` for the bodies.
  Penetration run(const Simplex& simplex, double lower) {
    lower_ = scale_ * lower - balls_;
    if ((simplex.size == 0 && start_near_side()) || start(simplex)) expand();
    found_.lower = std::max(0.0, (lower_ + balls_ * (1 - 4 * kUnitRoundoff)) / scale_);
    found_.upper = (upper_ + balls_ * (1 + 4 * kUnitRoundoff)) / scale_;
    found_.converged = converged();
    return found_;
  }

 private:
  Vertex look(const Vec3& m) {
    Vertex v;
    find_vertex(pair_, m, scale_, v);
    ++found_.supports;
    const double length = m.norm(), height = m.dot(v.w) / length + error_;
    if (height < upper_) {
      upper_ = std::max(height, 0.0);
      found_.direction = -m / length;
      touch(v.a, v.b);
    }
    return v;
  }

  /// Deepest points, each on its own body's surface.
  void touch(const Vec3& a, const Vec3& b) {
    found_.point_a = a / scale_ + pair_.a.radius * found_.direction;
    found_.point_b = b / scale_ - pair_.b.radius * found_.direction;
  }

  /// What is farthest to the side where the origin lies in D, around that and opposite, for bodies
  /// that are far in each other: the nearest face is mostly there.
  bool start_near_side() {
    const Vec3 middle = pair_.b_in_a * pair_.b.centre - pair_.a.centre;
    const double length = middle.norm();
    if (!(length > 0)) return false;
    const Vec3 m = middle / -length;
    int least = 0;
    m.cwiseAbs().minCoeff(&least);
    const Vec3 u = m.cross(Vec3::Unit(least)).normalized(), v = m.cross(u);
    constexpr double kLean = 0.6, kHalf = 0.5 * kLean, kRest = 0.8660254 * kLean;
    const Vertex back = look(-m), p = look(m + kLean * u), q = look(m - kHalf * u + kRest * v),
                 r = look(m - kHalf * u - kRest * v);
    if (!start_at(back, p, q, r)) return false;
    const Vertex front = look(m);
    for (std::uint32_t f = 0; f < 4; ++f)
      if (hull_.sees(front.w, f)) {
        hull_.grow(front.w, f);
        vertices_.push_back(front);
        break;
      }
    return true;
  }

  bool start_at(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d) {
    if (!hull_.start(a.w, b.w, c.w, d.w)) return false;
    vertices_.clear();
    for (const Vec3& p : hull_.points())
      for (const Vertex* v : {&a, &b, &c, &d})
        if (v->w == p) {
          vertices_.push_back(*v);
          break;
        }
    return true;
  }

  /// Four points that are not in one plane, if D has such; else `look` has seen directions across
  /// it.
  bool start(const Simplex& s) {
    if (s.size == 4 && start_at(s.vertex(0), s.vertex(1), s.vertex(2), s.vertex(3))) return true;
    const auto farther = [&](const Vec3& m, const auto& measure) {
      const Vertex there = look(m), back = look(-m);
      return measure(back.w) > measure(there.w) ? back : there;
    };
    const Vertex p = s.size > 0 ? s.vertex(0) : look(Vec3::UnitX());
    const auto from_p = [&](const Vec3& w) { return (w - p.w).squaredNorm(); };
    Vertex q = p;
    for (int axis = 0; axis < 3; ++axis) {
      const Vertex v = farther(Vec3::Unit(axis), from_p);
      if (from_p(v.w) > from_p(q.w)) q = v;
    }
    if (q.w == p.w) return false;
    const Vec3 along = (q.w - p.w).normalized();
    int least = 0;
    along.cwiseAbs().minCoeff(&least);
    const Vec3 across = along.cross(Vec3::Unit(least)).normalized();
    const auto from_line = [&](const Vec3& w) { return along.cross(w - p.w).squaredNorm(); };
    Vertex r = farther(across, from_line);
    if (const Vertex v = farther(along.cross(across), from_line); from_line(v.w) > from_line(r.w))
      r = v;
    const Vec3 n = along.cross(r.w - p.w);
    if (!(n.squaredNorm() > 1e-290)) return false;
    const auto from_plane = [&](const Vec3& w) { return std::abs(n.dot(w - p.w)); };
    return start_at(p, q, r, farther(n.normalized(), from_plane));
  }

  bool converged() const {
    const double lower = std::max(lower_ + balls_, 0.0), upper = upper_ + balls_;
    return upper - lower <= std::max({options_.relative_error * lower,
                                      scale_ * options_.absolute_error, 8 * error_});
  }

  void expand() {
    for (int growth = 0;; ++growth) {
      const std::uint32_t f = hull_.nearest();
      const GrowingHull::Face face = hull_.faces()[f];
      lower_ = std::max(lower_, hull_.offset(f) - error_);
      if (face.normal.isZero(0) || growth == kMostGrowths) break;
      if (lower_ + balls_ * (1 - 4 * kUnitRoundoff) > scale_ * options_.stop_above) break;
      const Vec3 m = face.normal;
      const double before = upper_;
      const Vertex v = look(m);
      // Where D ends with this face, what it is nearest with is known more precisely.
      if (upper_ < before) touch_face(face);
      if (converged() || !hull_.sees(v.w, f)) break;
      hull_.grow(v.w, f);
      vertices_.push_back(v);
    }
  }

  /// The point of the face that the origin is nearest to, as a point of either body.
  void touch_face(const GrowingHull::Face& face) {
    const Vertex &p = vertices_[face.corner[0]], &q = vertices_[face.corner[1]],
                 &r = vertices_[face.corner[2]];
    const Vec3& n = face.normal;
    double at_p = std::max(n.dot(q.w.cross(r.w)), 0.0), at_q = std::max(n.dot(r.w.cross(p.w)), 0.0),
           at_r = std::max(n.dot(p.w.cross(q.w)), 0.0);
    const double all = at_p + at_q + at_r;
    if (!(all > 0)) return;
    at_p /= all, at_q /= all, at_r /= all;
    touch(at_p * p.a + at_q * q.a + at_r * r.a, at_p * p.b + at_q * q.b + at_r * r.b);
  }

  const Pair& pair_;
  const PenetrationOptions& options_;
  GrowingHull& hull_;
  std::vector<Vertex>& vertices_;
  double scale_, error_, balls_;
  double lower_ = -kInfinity, upper_ = kInfinity;  // of D without balls, scaled
  Penetration found_;
};

}  // namespace

Penetration penetration(const Pair& pair, const PenetrationOptions& options) {
  thread_local GrowingHull hull;
  thread_local std::vector<Vertex> vertices;
  Simplex simplex;
  const Pair cores{pair.a, pair.b, pair.b_in_a, pair.error_b + pair.a.radius + pair.b.radius};
  if (inner_balls_meet(cores)) return Expansion(pair, options, hull, vertices).run(simplex, 0);
  SeparationOptions apart;
  apart.goal = Goal::cores;
  const Separation s = separation(pair, apart, simplex);
  const double balls = pair.a.radius + pair.b.radius;
  if (s.lower + balls > 0 || s.lower > 0) {
    // The cores are apart by s.lower + balls or more: it is the balls that overlap, if any.
    Penetration p;
    p.lower = std::max(0.0, -s.upper), p.upper = std::max(0.0, -s.lower);
    p.direction = s.direction;
    p.point_a = s.core_a + pair.a.radius * s.direction;
    p.point_b = s.core_b - pair.b.radius * s.direction;
    p.converged = s.converged;
    p.supports = s.supports;
    return p;
  }
  Penetration p = Expansion(pair, options, hull, vertices).run(simplex, -s.upper);
  p.supports += s.supports;
  return p;
}

}  // namespace touche::convex
