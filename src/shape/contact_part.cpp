// SPDX-License-Identifier: Apache-2.0
#include "shape/contact_part.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "math/rounding.h"

namespace touche::shape {
namespace {

using Vec2 = Eigen::Vector2d;

constexpr int kRim = 16;
// Numbers of the points of a round part: the supporting point, which moves on the surface with the
// direction; the points of the rim; the apex.
constexpr Index kSliding = 0, kFirstOfRim = 1, kApex = kRim + 1, kPerPart = kRim + 2;
// Points whose distance, projected along the direction, is below this share of the reach are
// merged.
constexpr double kAlike = 1e-9;

struct Candidate {
  Vec3 at;
  Index number;
  bool round;
};

struct FlatPoint {
  Vec2 at;
  Index candidate;
};

/// Memory of a search, one for each thread.
struct Scratch {
  std::vector<Candidate> points, of_part, sums, kept;
  std::vector<FlatPoint> flat, hull;
};

/// Keeps the points that could be farthest along a direction near n, from the highest on: a point
/// is removed if another point is higher by more than `lean` times their distance. So of a thin
/// plate only one face is kept. It is enough to compare with points that are kept: a point that is
/// too low for a removed point is too low for a kept one, too.
void keep_near(std::vector<Candidate>& points, const Vec3& n, double lean, double rounding) {
  if (points.empty()) return;
  const auto is_below = [&](const Candidate& p, const Candidate& q) {
    const Vec3 up = q.at - p.at;
    return n.dot(up) > lean * up.norm() + rounding;
  };
  const auto comes_first = [&](const Candidate& p, const Candidate& q) {
    const double of_p = n.dot(p.at), of_q = n.dot(q.at);
    return of_p != of_q ? of_p > of_q : p.number < q.number;
  };
  // Comparing with the highest point removes most of them.
  const Candidate highest = *std::min_element(points.begin(), points.end(), comes_first);
  std::erase_if(points, [&](const Candidate& p) { return is_below(p, highest); });
  std::sort(points.begin(), points.end(), comes_first);
  auto end = points.begin();
  for (const Candidate& p : points)
    if (std::none_of(points.begin(), end, [&](const Candidate& q) { return is_below(p, q); }))
      *end++ = p;
  points.erase(end, points.end());
}

/// Adds the points of a round part that may be farthest, in the body's frame.
void add_round(const convex::Round& part, const Vec3& n, double lean,
               std::vector<Candidate>& points) {
  const auto add = [&](const Vec3& local, Index number, bool round) {
    points.push_back({part.axes * local + part.centre, number, round});
  };
  if (part.kind == convex::Round::Kind::ellipsoid) {
    points.push_back({convex::round_share({&part, 1}, n), kSliding, part.size.maxCoeff() > 0});
    return;
  }
  const bool is_cone = part.kind == convex::Round::Kind::cone;
  const Vec3 d = part.axes.transpose() * n;
  const double r = part.size.x(), z = is_cone ? -part.size.z() : 0;
  const double across = std::hypot(d.x(), d.y());
  if (is_cone) add({0, 0, part.size.z()}, kApex, false);
  if (r == 0) {
    add({0, 0, z}, kSliding, false);
  } else if (across <= lean && !(is_cone && d.z() > 0)) {
    for (Index k = 0; k < kRim; ++k) {
      const double angle = 2 * std::numbers::pi / kRim * k;
      add({r * std::cos(angle), r * std::sin(angle), z}, kFirstOfRim + k, false);
    }
  } else if (across > 0) {
    add({r * (d.x() / across), r * (d.y() / across), z}, kSliding, true);
  }
}

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 p = b - a, q = c - a;
  return p.x() * q.y() - p.y() * q.x();
}

/// Convex hull by Andrew's monotone chain. Of points closer to each other than the tolerance the
/// first is kept; points on edges are left out.
void wrap(std::vector<FlatPoint>& points, double tolerance, std::vector<FlatPoint>& hull) {
  std::sort(points.begin(), points.end(), [](const FlatPoint& p, const FlatPoint& q) {
    return std::tuple(p.at.x(), p.at.y(), p.candidate) <
           std::tuple(q.at.x(), q.at.y(), q.candidate);
  });
  hull.clear();
  const auto is_new = [&](const FlatPoint& p) {
    for (auto q = hull.rbegin(); q != hull.rend() && p.at.x() - q->at.x() <= tolerance; ++q)
      if ((p.at - q->at).norm() <= tolerance) return false;
    return true;
  };
  for (const FlatPoint& p : points)
    if (is_new(p)) hull.push_back(p);
  points.swap(hull);
  hull.clear();
  if (points.size() < 3) {
    hull = points;
    return;
  }
  for (int half = 0; half < 2; ++half) {
    const std::size_t before = hull.size();
    for (const FlatPoint& p : points) {
      while (hull.size() > before + 1) {
        const Vec2 &q = hull[hull.size() - 2].at, &r = hull.back().at;
        if (turn(q, r, p.at) > tolerance * (p.at - q).norm()) break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();  // the other half starts with it
    std::reverse(points.begin(), points.end());
  }
}

/// Keeps the corners of the convex hull of the points as projected along a direction,
/// counter-clockwise around it.
class Outline {
 public:
  Outline(const Vec3& direction, double tolerance) : tolerance_(tolerance) {
    int least = 0;
    direction.cwiseAbs().minCoeff(&least);
    u_ = direction.cross(Vec3::Unit(least)).normalized();
    v_ = direction.cross(u_);
  }

  void keep(Scratch& scratch) const {
    std::vector<Candidate>& points = scratch.points;
    scratch.flat.clear();
    for (const Candidate& p : points)
      scratch.flat.push_back(
          {{u_.dot(p.at), v_.dot(p.at)}, static_cast<Index>(&p - points.data())});
    wrap(scratch.flat, tolerance_, scratch.hull);
    scratch.kept.clear();
    for (const FlatPoint& p : scratch.hull) scratch.kept.push_back(points[p.candidate]);
    points.swap(scratch.kept);
  }

 private:
  Vec3 u_, v_;
  double tolerance_;
};

Index joined(Index a, Index b) { return (a * 0x9e3779b1U + b) & ~kRoundFeature; }

/// Returns the radii of curvature of a round part at its point farthest along n.
Mat3 round_radii(const convex::Round& part, const Vec3& n) {
  const Vec3 d = part.axes.transpose() * n;
  Mat3 local = Mat3::Zero();
  if (part.kind == convex::Round::Kind::ellipsoid) {
    const Vec3 squares = part.size.cwiseAbs2(), scaled = squares.cwiseProduct(d);
    const double h = std::sqrt(std::max(d.dot(scaled), 0.0));
    if (h > 0) local = (Mat3(squares.asDiagonal()) - scaled * scaled.transpose() / (h * h)) / h;
  } else if (const double across = std::hypot(d.x(), d.y()); across > 0) {
    const Vec3 along(-d.y() / across, d.x() / across, 0);
    local = part.size.x() / across * along * along.transpose();
  }
  return part.axes * local * part.axes.transpose();
}

/// Returns the radii of the round parts at a point of a contact part. A round part adds none if the
/// point stays at its rim or apex when the direction turns.
Mat3 radii_at(const convex::Body& body, Index number, const Vec3& n) {
  Mat3 radii = Mat3::Zero();
  for (std::size_t k = body.round.size(); k-- > 0; number /= kPerPart)
    if (number % kPerPart == kSliding) radii += round_radii(body.round[k], n);
  return radii;
}

}  // namespace

void ContactPart::clear() {
  points.clear();
  vertices.clear();
  edges.clear();
  is_sharp_vertex.clear();
  is_sharp_edge.clear();
}

void ContactPart::add(const Vec3& point, Feature vertex, Feature edge, bool sharp_vertex,
                      bool sharp_edge) {
  points.push_back(point);
  vertices.push_back(vertex);
  edges.push_back(edge);
  is_sharp_vertex.push_back(sharp_vertex);
  is_sharp_edge.push_back(sharp_edge);
}

Vec3 ContactPart::normal() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < points.size(); ++i)
    sum += (points[i - 1] - points[0]).cross(points[i] - points[0]);
  return math::unit_or_zero(sum);
}

void find_part(const convex::Body& body, const Vec3& direction, double lean, ContactPart& part) {
  thread_local Scratch scratch;
  const double rounding = 1e-13 * body.reach;
  std::vector<Candidate>& points = scratch.points;
  points.clear();
  for (std::size_t i = 0; i < body.corners; ++i)
    points.push_back({body.corner(i), static_cast<Index>(i), body.radius > 0});
  keep_near(points, direction, lean, rounding);
  // The hull of a sum is the sum of the hulls. If points inside the hulls are removed after each
  // sum, there are at most as many points as corners of all parts together, and not their product.
  const Outline outline(direction, kAlike * body.reach);
  outline.keep(scratch);
  for (const convex::Round& round : body.round) {
    scratch.of_part.clear();
    add_round(round, direction, lean, scratch.of_part);
    keep_near(scratch.of_part, direction, lean, rounding);
    scratch.sums.clear();
    for (const Candidate& p : points)
      for (const Candidate& q : scratch.of_part)
        scratch.sums.push_back({p.at + q.at, p.number * kPerPart + q.number, p.round || q.round});
    points.swap(scratch.sums);
    keep_near(points, direction, lean, rounding);
    outline.keep(scratch);
  }

  part.clear();
  part.radius = body.radius;
  Index lowest = kNone;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Candidate &p = points[i], &q = points[(i + 1) % points.size()];
    const Index number = p.number & ~kRoundFeature;
    const Index round = p.round ? kRoundFeature : 0, both = p.round && q.round ? kRoundFeature : 0;
    part.add(p.at, {FeatureKind::vertex, number | round},
             {FeatureKind::edge,
              joined(std::min(p.number, q.number), std::max(p.number, q.number)) | both});
    lowest = std::min(lowest, number);
  }
  part.face = {FeatureKind::face, lowest};
}

CurvatureRadii curvature_radii(const convex::Body& body, const Feature& feature,
                               const Vec3& direction) {
  // How much the direction of a contact may differ from that of the search that found it.
  constexpr double kLean = 0.05;
  const Mat3 across = Mat3::Identity() - direction * direction.transpose();
  CurvatureRadii radii;
  radii.round = body.radius * across;
  if (feature.kind == FeatureKind::face) {
    radii.flat = across;
  } else if (feature.kind == FeatureKind::vertex) {
    radii.round += radii_at(body, feature.index & ~kRoundFeature, direction);
  } else {
    thread_local ContactPart part;
    find_part(body, direction, kLean, part);
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part.edges[i] != feature) continue;
      const std::size_t k = (i + 1) % part.size();
      const Vec3 along = across * (part.points[k] - part.points[i]);
      if (along.isZero(0)) break;
      radii.flat = along.normalized() * along.normalized().transpose();
      // The radius is zero at one end of a cone's side; take the mean of both ends.
      for (const std::size_t end : {i, k})
        radii.round += 0.5 * radii_at(body, part.vertices[end].index & ~kRoundFeature, direction);
      return radii;
    }
    for (const convex::Round& round : body.round) radii.round += round_radii(round, direction);
  }
  return radii;
}

void place_part(const convex::RigidTransform& b_in_a, ContactPart& part) {
  for (Vec3& p : part.points) p = b_in_a * p;
}

}  // namespace touche::shape
