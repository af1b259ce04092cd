// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/skin.h"

#include <cmath>
#include <numbers>

#include "methods/bounds/convex_hull.h"

namespace touche::bounds {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kAround = 72, kQuarter = 18;  // corners of a circle, of a quarter of an arc

struct ProfilePoint {
  double along, away;
};

/// Makes what a line turned about an axis sweeps, from one point of the axis to another one, with
/// the outside on its left when the axis points up and it runs on the right of it.
Skin turned_line(const Vec3& centre, const Vec3& axis, const std::vector<ProfilePoint>& line) {
  const Vec3 n = axis.normalized(), u = n.unitOrthogonal(), v = n.cross(u);
  Skin skin;
  const auto at = [&](const ProfilePoint& p, int k) -> Vec3 {
    const double angle = 2 * kPi * k / kAround;
    return centre + p.along * n + p.away * (std::cos(angle) * u + std::sin(angle) * v);
  };
  std::vector<std::vector<Index>> rings;
  for (const ProfilePoint& p : line) {
    auto& ring = rings.emplace_back();
    for (int k = 0; k < kAround; ++k) {
      if (k > 0 && p.away == 0) {
        ring.push_back(ring[0]);
        continue;
      }
      ring.push_back(static_cast<Index>(skin.vertices.size()));
      skin.vertices.push_back(at(p, k));
    }
  }
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (std::size_t k = 0; k < kAround; ++k) {
      const std::size_t next = (k + 1) % kAround;
      const Index a = rings[i][k], b = rings[i][next], c = rings[i + 1][next], d = rings[i + 1][k];
      if (a == b && c == d) continue;
      if (a == b)
        skin.faces.push_back({a, c, d});
      else if (c == d)
        skin.faces.push_back({a, b, c});
      else
        skin.faces.push_back({a, b, c, d});
    }
  return skin;
}

/// An arc about a point of the axis; angles from the axis, from which to which.
void add_arc(std::vector<ProfilePoint>& line, double along, double radius, double from, double to) {
  const int steps =
      std::max(2, static_cast<int>(std::ceil(std::abs(to - from) / (kPi / 2) * kQuarter)));
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    const double away = radius * std::sin(angle);
    line.push_back({along + radius * std::cos(angle), std::abs(away) < 1e-12 * radius ? 0 : away});
  }
}

}  // namespace

Skin skin_of_faces(const std::vector<std::vector<Vec3>>& faces) {
  Skin skin;
  for (const auto& face : faces) {
    if (face.size() < 3) continue;
    auto& corners = skin.faces.emplace_back();
    for (const Vec3& p : face) {
      corners.push_back(static_cast<Index>(skin.vertices.size()));
      skin.vertices.push_back(p);
    }
  }
  return skin;
}

Skin skin(const Sphere& v) {
  std::vector<ProfilePoint> line;
  add_arc(line, 0, v.radius, kPi, 0);
  return turned_line(v.centre, Vec3::UnitZ(), line);
}

Skin skin(const AabbMinMax& v) { return skin(to_obb(v)); }

Skin skin(const Obb& v) {
  std::vector<std::vector<Vec3>> faces;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int i = (axis + 1) % 3, j = (axis + 2) % 3;
      const Vec3 c = v.centre + side * v.half[axis] * v.axes.col(axis),
                 p = side * v.half[i] * v.axes.col(i), q = v.half[j] * v.axes.col(j);
      faces.push_back({c - p - q, c + p - q, c + p + q, c - p + q});
    }
  return skin_of_faces(faces);
}

Skin skin(const Capsule& v) {
  const Vec3 axis = v.end - v.start;
  const double length = axis.norm();
  std::vector<ProfilePoint> line;
  add_arc(line, 0, v.radius, kPi, kPi / 2);
  add_arc(line, length, v.radius, kPi / 2, 0);
  return turned_line(v.start, length > 0 ? axis : Vec3(Vec3::UnitZ()), line);
}

Skin skin(const Rss& v) {
  // The hull of balls about the corners, whose points are all on it.
  std::vector<Vec3> points;
  for (const Vec3& corner : v.corners()) {
    const Vec3 out = corner - v.centre;
    for (int i = 0; i <= 2 * kQuarter; ++i)
      for (int k = 0; k <= kQuarter; ++k) {
        const double tilt = kPi * (static_cast<double>(i) / (2 * kQuarter) - 0.5),
                     turn = kPi / 2 * k / kQuarter;
        const double x = std::cos(tilt) * std::cos(turn), y = std::cos(tilt) * std::sin(turn);
        points.push_back(corner +
                         v.radius * (std::copysign(x, out.dot(v.axes.col(0))) * v.axes.col(0) +
                                     std::copysign(y, out.dot(v.axes.col(1))) * v.axes.col(1) +
                                     std::sin(tilt) * v.axes.col(2)));
      }
  }
  std::vector<std::vector<Vec3>> faces;
  for (const auto& [a, b, c] : touche::convex_hull(points))
    faces.push_back({points[a], points[b], points[c]});
  return skin_of_faces(faces);
}

Skin skin(const Mixed& v) {
  return v.visit([](const auto& shape) { return skin(shape); });
}

Skin skin(const Cylinder& v) { return skin(to_cone(v)); }

Skin skin(const Cone& v) {
  return turned_line(v.centre, v.axis,
                     {{-v.half, 0}, {-v.half, v.radius[0]}, {v.half, v.radius[1]}, {v.half, 0}});
}

Skin skin(const Shell& v) {
  std::vector<ProfilePoint> line;
  const double angle = v.half_angle();
  if (angle >= kPi) {  // the hollow cannot be seen
    add_arc(line, 0, v.outer, kPi, 0);
  } else {
    add_arc(line, 0, v.inner, 0, angle);
    add_arc(line, 0, v.outer, angle, 0);
  }
  return turned_line(v.centre, v.axis, line);
}

Skin skin(const SlabPolytope& v) { return skin_of_faces(v.faces()); }

Skin skin(const Zonotope& v) {
  std::vector<std::vector<Vec3>> all;
  for (const ZonotopeFace& f : faces(v))
    all.push_back({f.centre - f.half_u - f.half_v, f.centre + f.half_u - f.half_v,
                   f.centre + f.half_u + f.half_v, f.centre - f.half_u + f.half_v});
  return skin_of_faces(all);
}

Skin skin(const Hull& v) {
  std::vector<std::vector<Vec3>> faces;
  for (const auto& [a, b, c] : v.faces) faces.push_back({v.corners[a], v.corners[b], v.corners[c]});
  return skin_of_faces(faces);
}

}  // namespace touche::bounds
