// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/outline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace touche::bounds {
namespace {

constexpr int kCircle = 24;  // lines

struct Plane {
  Vec3 normal;
  double offset;  // inside: normal · x <= offset
};

}  // namespace

void add_line(const Vec3& from, const Vec3& to, Lines& lines) {
  for (const Vec3& p : {from, to})
    for (int i = 0; i < 3; ++i) lines.push_back(static_cast<float>(p[i]));
}

void add_circle(const Vec3& centre, const Vec3& half_u, const Vec3& half_v, Lines& lines) {
  Vec3 before = centre + half_u;
  for (int i = 1; i <= kCircle; ++i) {
    const double angle = 2 * std::numbers::pi * i / kCircle;
    const Vec3 next = centre + std::cos(angle) * half_u + std::sin(angle) * half_v;
    add_line(before, next, lines);
    before = next;
  }
}

void outline(const Sphere& sphere, Lines& lines) {
  const Vec3 x = sphere.radius * Vec3::UnitX(), y = sphere.radius * Vec3::UnitY(),
             z = sphere.radius * Vec3::UnitZ();
  add_circle(sphere.centre, x, y, lines);
  add_circle(sphere.centre, y, z, lines);
  add_circle(sphere.centre, z, x, lines);
}

void outline(const AabbMinMax& box, Lines& lines) { outline(to_obb(box), lines); }

void outline(const Obb& box, Lines& lines) {
  const auto corner = [&](int k) -> Vec3 {
    return box.centre + box.axes * Vec3((k & 1) != 0 ? box.half.x() : -box.half.x(),
                                        (k & 2) != 0 ? box.half.y() : -box.half.y(),
                                        (k & 4) != 0 ? box.half.z() : -box.half.z());
  };
  for (int k = 0; k < 8; ++k)
    for (int axis = 1; axis < 8; axis *= 2)
      if ((k & axis) == 0) add_line(corner(k), corner(k | axis), lines);
}

void outline(const Rss& rss, Lines& lines) {
  const auto corners = rss.corners();
  const Vec3 u = rss.radius * rss.axes.col(0), v = rss.radius * rss.axes.col(1),
             w = rss.radius * rss.axes.col(2);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &from = corners[i], &to = corners[(i + 1) % 4];
    add_line(from + w, to + w, lines);
    add_line(from - w, to - w, lines);
    add_circle(from, u, w, lines);
    add_circle(from, v, w, lines);
    const Vec3 along = to - from;
    const Vec3 out = along.cross(rss.axes.col(2));
    const double length = out.norm();
    if (length > 0)
      add_line(from + rss.radius / length * out, to + rss.radius / length * out, lines);
  }
}

void outline(const Capsule& capsule, Lines& lines) {
  Vec3 along = capsule.end - capsule.start;
  along = along.norm() > 0 ? Vec3(along.normalized()) : Vec3(Vec3::UnitX());
  const Vec3 u = capsule.radius * along.unitOrthogonal();
  const Vec3 v = along.cross(u), w = capsule.radius * along;
  for (const Vec3& centre : {capsule.start, capsule.end}) {
    add_circle(centre, u, v, lines);
    add_circle(centre, u, w, lines);
    add_circle(centre, v, w, lines);
  }
  for (const Vec3& side : {u, v, Vec3(-u), Vec3(-v)})
    add_line(capsule.start + side, capsule.end + side, lines);
}

void outline(const Mixed& mixed, Lines& lines) {
  mixed.visit([&](const auto& volume) { outline(volume, lines); });
}

void outline(const Cylinder& cylinder, Lines& lines) { outline(to_cone(cylinder), lines); }

void outline(const Cone& cone, Lines& lines) {
  const Vec3 u = cone.axis.unitOrthogonal(), v = cone.axis.cross(u);
  const Vec3 lower = cone.centre - cone.half * cone.axis,
             upper = cone.centre + cone.half * cone.axis;
  add_circle(lower, cone.radius[0] * u, cone.radius[0] * v, lines);
  add_circle(upper, cone.radius[1] * u, cone.radius[1] * v, lines);
  for (const Vec3& side : {u, v, Vec3(-u), Vec3(-v)})
    add_line(lower + cone.radius[0] * side, upper + cone.radius[1] * side, lines);
}

void outline(const Shell& shell, Lines& lines) {
  if (shell.cosine < -1) {
    outline(Sphere{shell.centre, shell.outer}, lines);
    if (shell.inner > 0) outline(Sphere{shell.centre, shell.inner}, lines);
    return;
  }
  const double angle = shell.half_angle();
  const Vec3 u = shell.axis.unitOrthogonal(), v = shell.axis.cross(u);
  const auto at = [&](double radius, double tilt, const Vec3& side) -> Vec3 {
    return shell.centre + radius * (std::cos(tilt) * shell.axis + std::sin(tilt) * side);
  };
  for (const double radius : {shell.inner, shell.outer}) {
    add_circle(shell.centre + radius * std::cos(angle) * shell.axis, radius * std::sin(angle) * u,
               radius * std::sin(angle) * v, lines);
    for (const Vec3& side : {u, v})
      for (int i = 0; i < kCircle; ++i)
        add_line(at(radius, angle * (2.0 * i / kCircle - 1), side),
                 at(radius, angle * (2.0 * (i + 1) / kCircle - 1), side), lines);
  }
  for (const Vec3& side : {u, v, Vec3(-u), Vec3(-v)})
    add_line(at(shell.inner, angle, side), at(shell.outer, angle, side), lines);
}

void outline(const SlabPolytope& polytope, Lines& lines) {
  std::vector<Vec3> normals;
  std::vector<double> lo, hi;
  for (const Slab& s : polytope.slabs()) {
    normals.push_back(s.normal);
    lo.push_back(s.lo);
    hi.push_back(s.hi);
  }
  outline_slabs(normals, lo, hi, lines);
}

void outline(const Zonotope& zonotope, Lines& lines) {
  for (const ZonotopeFace& f : faces(zonotope)) {
    const Vec3 p = f.centre - f.half_u - f.half_v, q = f.centre + f.half_u + f.half_v;
    add_line(p, p + 2 * f.half_u, lines);
    add_line(q, q - 2 * f.half_u, lines);
    add_line(p, p + 2 * f.half_v, lines);
    add_line(q, q - 2 * f.half_v, lines);
  }
}

void outline(const Hull& hull, Lines& lines) {
  if (hull.faces.empty())
    for (std::size_t i = 1; i < hull.corners.size(); ++i)
      add_line(hull.corners[i - 1], hull.corners[i], lines);
  struct Edge {
    Index from, to;
    double length;
  };
  std::vector<Edge> edges;
  for (const auto& face : hull.faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index from = face[k], to = face[(k + 1) % 3];
      if (from < to)  // each is seen from both of its faces
        edges.push_back({from, to, (hull.corners[to] - hull.corners[from]).norm()});
    }
  // Keeps the longest edges only; above this number, single edges cannot be distinguished.
  constexpr std::size_t kMostEdges = 240;
  if (edges.size() > kMostEdges) {
    std::ranges::nth_element(edges, edges.begin() + kMostEdges, std::greater(), &Edge::length);
    edges.resize(kMostEdges);
  }
  for (const Edge& e : edges) add_line(hull.corners[e.from], hull.corners[e.to], lines);
}

// Each pair of planes has a line in common; what all others leave of it is an edge.
void outline_slabs(std::span<const Vec3> directions, std::span<const double> lo,
                   std::span<const double> hi, Lines& lines) {
  std::vector<Plane> planes;
  double size = 0;
  for (std::size_t i = 0; i < lo.size(); ++i) {
    const double length = directions[i].norm();
    planes.push_back({directions[i] / length, hi[i] / length});
    planes.push_back({-directions[i] / length, -lo[i] / length});
    size = std::max(size, (hi[i] - lo[i]) / length);
  }
  const double slack = 1e-9 * size;
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j) {
      const Vec3 cross = planes[i].normal.cross(planes[j].normal);
      const double squared = cross.squaredNorm();
      if (squared < 1e-12) continue;
      const Vec3 point = (planes[i].offset * planes[j].normal.cross(cross) +
                          planes[j].offset * cross.cross(planes[i].normal)) /
                         squared;
      const Vec3 along = cross / std::sqrt(squared);
      double begin = -kInfinity, end = kInfinity;
      for (const Plane& plane : planes) {
        const double rate = plane.normal.dot(along);
        const double room = plane.offset + slack - plane.normal.dot(point);
        if (std::abs(rate) < 1e-9) {
          if (room < 0) end = -kInfinity;
        } else if (rate > 0) {
          end = std::min(end, room / rate);
        } else {
          begin = std::max(begin, room / rate);
        }
      }
      if (begin + 4 * slack < end) add_line(point + begin * along, point + end * along, lines);
    }
}

}  // namespace touche::bounds
