// SPDX-License-Identifier: Apache-2.0
// The farthest parts are polygons, segments or points in a plane perpendicular to the direction, or
// nearly so. They are clipped in that plane (Sutherland and Hodgman 1974), then lifted back onto
// each part.
#include "convex/features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touche::convex {
namespace {

using Vec2 = Eigen::Vector2d;

struct Frame {
  Vec3 u, v, n;
  explicit Frame(const Vec3& direction) : n(direction) {
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    u = n.cross(Vec3::Unit(least)).normalized();
    v = n.cross(u);
  }
  [[nodiscard]] Vec2 flat(const Vec3& p) const { return {u.dot(p), v.dot(p)}; }
};

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 p = b - a, q = c - a;
  return p.x() * q.y() - p.y() * q.x();
}

/// The point that is farthest from another one.
Vec3 farthest_from(const std::vector<Vec3>& points, const Vec3& from, const Frame& frame) {
  return *std::ranges::max_element(
      points, {}, [&](const Vec3& p) { return (frame.flat(p) - frame.flat(from)).squaredNorm(); });
}

/// Convex hull by Andrew's monotone chain. Points within `tolerance` of each other are merged, and
/// if all points are within `tolerance` of a segment, the result is that segment.
std::vector<Vec3> around(const std::vector<Vec3>& given, const Frame& frame, double tolerance) {
  std::vector<Vec3> points;
  for (const Vec3& p : given)
    if (std::ranges::none_of(points, [&](const Vec3& q) {
          return (frame.flat(p) - frame.flat(q)).norm() <= tolerance;
        }))
      points.push_back(p);
  if (points.size() == 1) return points;
  const Vec3 start = farthest_from(points, points[0], frame),
             end = farthest_from(points, start, frame);
  const double length = (frame.flat(end) - frame.flat(start)).norm();
  if (std::ranges::all_of(points, [&](const Vec3& p) {
        return std::abs(turn(frame.flat(start), frame.flat(end), frame.flat(p))) <=
               tolerance * length;
      }))
    return {start, end};
  std::ranges::sort(points, {}, [&](const Vec3& p) {
    const Vec2 f = frame.flat(p);
    return std::pair(f.x(), f.y());
  });
  std::vector<Vec3> hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t before = hull.size();
    for (const Vec3& p : points) {
      while (hull.size() > before + 1 &&
             !(turn(frame.flat(hull[hull.size() - 2]), frame.flat(hull.back()), frame.flat(p)) > 0))
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the other half starts with it
    std::ranges::reverse(points);
  }
  return hull;
}

struct Lifted {
  Vec2 at;
  double height;  // along the direction
};

std::vector<Lifted> flatten(const std::vector<Vec3>& part, const Frame& frame) {
  std::vector<Lifted> flat;
  flat.reserve(part.size());
  for (const Vec3& p : part) flat.push_back({frame.flat(p), frame.n.dot(p)});
  return flat;
}

Lifted between(const Lifted& a, const Lifted& b, double t) {
  return {a.at + t * (b.at - a.at), a.height + t * (b.height - a.height)};
}

/// Clips a polygon or segment to the left side of a line, up to `tolerance`.
std::vector<Lifted> cut(const std::vector<Lifted>& part, const Vec2& from, const Vec2& to,
                        double tolerance) {
  const double length = (to - from).norm();
  const auto side = [&](const Lifted& p) { return turn(from, to, p.at) / length; };
  std::vector<Lifted> left;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Lifted &p = part[i], &q = part[(i + 1) % part.size()];
    const double at_p = side(p), at_q = side(q);
    if (at_p >= -tolerance) left.push_back(p);
    const bool crosses =
        (at_p < -tolerance && at_q > tolerance) || (at_p > tolerance && at_q < -tolerance);
    if (crosses && !(part.size() == 2 && i == 1))
      left.push_back(between(p, q, at_p / (at_p - at_q)));
  }
  return left;
}

/// Returns the height of a part's plane, line or point over a point in it.
double height_at(const std::vector<Lifted>& part, const Vec2& p) {
  if (part.size() == 1) return part[0].height;
  const Vec2 e = part[1].at - part[0].at;
  const double rise = part[1].height - part[0].height;
  if (part.size() == 2) {
    const double t = std::clamp((p - part[0].at).dot(e) / e.squaredNorm(), 0.0, 1.0);
    return part[0].height + t * rise;
  }
  // Use the largest triangle at the first edge.
  std::size_t best = 2;
  double most = 0;
  for (std::size_t k = 2; k < part.size(); ++k)
    if (const double area = std::abs(turn(part[0].at, part[1].at, part[k].at)); area > most)
      most = area, best = k;
  if (!(most > 0)) return part[0].height;
  const double area = turn(part[0].at, part[1].at, part[best].at);
  const double s = turn(part[0].at, p, part[best].at) / area,
               t = turn(part[0].at, part[1].at, p) / area;
  return part[0].height + s * rise + t * (part[best].height - part[0].height);
}

}  // namespace

std::vector<Vec3> farthest_part(const Body& body, const Vec3& direction) {
  const Frame frame(direction);
  double tolerance = kAlike * body.reach;
  std::vector<Vec3> points;
  if (body.is_polytope()) {
    double most = -kInfinity, size = 0;
    for (std::size_t i = 0; i < body.corners; ++i)
      size = std::max(size, (body.corner(i) - body.centre).norm());
    tolerance = std::min(tolerance, kAlike * size + 64 * math::kUnitRoundoff * body.reach);
    for (std::size_t i = 0; i < body.corners; ++i)
      most = std::max(most, direction.dot(body.corner(i)));
    for (std::size_t i = 0; i < body.corners; ++i)
      if (direction.dot(body.corner(i)) >= most - tolerance) points.push_back(body.corner(i));
  } else {
    // Use directions slightly inclined to all sides: their supporting points are at the border of
    // the part.
    const Vec3 middle = supporting(body, direction).point;
    points.push_back(middle);
    for (int k = 0; k < 16; ++k) {
      const double angle = std::numbers::pi / 8 * k;
      const Vec3 lean = std::cos(angle) * frame.u + std::sin(angle) * frame.v;
      const Vec3 p = supporting(body, direction + kAlike * lean).point;
      if (direction.dot(p) >= direction.dot(middle) - 4 * tolerance) points.push_back(p);
    }
  }
  return around(points, frame, 100 * tolerance);
}

std::vector<Overlap> overlap(const std::vector<Vec3>& a, const std::vector<Vec3>& b,
                             const Vec3& direction) {
  const Frame frame(direction);
  const std::vector<Lifted> flat_a = flatten(a, frame), flat_b = flatten(b, frame);
  double size = 0;
  for (const auto& part : {flat_a, flat_b})
    for (const Lifted& p : part) size = std::max(size, (p.at - flat_a[0].at).norm());
  const double tolerance = kAlike * size;
  // Clip the smaller part by the edges of the larger one.
  const bool cut_a = flat_a.size() <= flat_b.size();
  const std::vector<Lifted>& larger = cut_a ? flat_b : flat_a;
  std::vector<Lifted> common = cut_a ? flat_a : flat_b;
  if (larger.size() == 2 && common.size() == 2) {
    // Two segments: their common part if they are parallel, or their crossing.
    const Vec2 e = larger[1].at - larger[0].at, f = common[1].at - common[0].at;
    const double sine = (e.x() * f.y() - e.y() * f.x()) / (e.norm() * f.norm());
    if (std::abs(sine) > 1e-6) {
      const double t = turn(larger[0].at, larger[1].at, common[0].at) /
                       (turn(larger[0].at, larger[1].at, common[0].at) -
                        turn(larger[0].at, larger[1].at, common[1].at));
      common = {between(common[0], common[1], std::clamp(t, 0.0, 1.0))};
    } else {
      const Vec2 side(-e.y(), e.x());
      common = cut(common, larger[0].at, larger[0].at - side, tolerance);
      if (!common.empty()) common = cut(common, larger[1].at, larger[1].at + side, tolerance);
    }
  } else if (larger.size() > 2) {
    for (std::size_t i = 0; i < larger.size() && !common.empty(); ++i)
      common = cut(common, larger[i].at, larger[(i + 1) % larger.size()].at, tolerance);
  }
  // Because of rounding nothing overlaps: the caller uses the nearest points.
  if (common.empty()) return {};
  std::vector<Overlap> result;
  for (const Lifted& p : common) {
    const Vec3 flat = p.at.x() * frame.u + p.at.y() * frame.v;
    result.push_back(
        {flat + height_at(flat_a, p.at) * frame.n, flat + height_at(flat_b, p.at) * frame.n});
  }
  return result;
}

}  // namespace touche::convex
