// SPDX-License-Identifier: Apache-2.0
#include "mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touche::scenes {

Vec2 on_circle(Index i, Index n) {
  // Reduce to the first eighth, where sin and cos are smooth and the ends are known.
  const std::uint64_t turn8 = 8 * static_cast<std::uint64_t>(i % n);
  const std::uint64_t eighth = turn8 / n;
  const std::uint64_t rest = turn8 - eighth * n;  // in [0, n) eighths of a turn / n
  const std::uint64_t folded = eighth % 2 == 0 ? rest : n - rest;
  const double angle =
      static_cast<double>(folded) * std::numbers::pi / (4.0 * static_cast<double>(n));
  double c = folded == 0 ? 1.0 : std::cos(angle), s = folded == 0 ? 0.0 : std::sin(angle);
  if (eighth % 4 == 1 || eighth % 4 == 2) std::swap(c, s);
  if (eighth >= 2 && eighth < 6) c = -c;
  if (eighth >= 4) s = -s;
  return {c + 0.0, s + 0.0};
}

Index MeshBuilder::vertex(const Vec3& p) {
  for (int k = 0; k < 3; ++k) coordinates_.push_back(p[k]);
  return static_cast<Index>(coordinates_.size() / 3 - 1);
}

void MeshBuilder::face(std::span<const Index> corners) {
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  face_sizes_.push_back(static_cast<Index>(corners.size()));
}

Ring MeshBuilder::ring(Index n, const std::function<Vec3(Index)>& point) {
  Ring result(n);
  for (Index i = 0; i < n; ++i) result[i] = vertex(point(i));
  return result;
}

void MeshBuilder::strip(const Ring& a, const Ring& b) {
  for (std::size_t i = 0, n = a.size(); i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    face({a[i], a[j], b[j]});
    face({a[i], b[j], b[i]});
  }
}

void MeshBuilder::cap(const Ring& ring) { face(std::span<const Index>(ring)); }

void MeshBuilder::cap_below(const Ring& ring) {
  const Ring reversed(ring.rbegin(), ring.rend());
  face(std::span<const Index>(reversed));
}

void MeshBuilder::cone(const Ring& ring, Index apex) {
  for (std::size_t i = 0, n = ring.size(); i < n; ++i) face({ring[i], ring[(i + 1) % n], apex});
}

void MeshBuilder::cone_below(const Ring& ring, Index apex) {
  for (std::size_t i = 0, n = ring.size(); i < n; ++i) face({ring[(i + 1) % n], ring[i], apex});
}

void MeshBuilder::zip(std::span<const Keyed> left, std::span<const Keyed> right) {
  std::size_t i = 0, j = 0;
  while (i + 1 < left.size() || j + 1 < right.size()) {
    const bool left_ends = i + 1 == left.size(), right_ends = j + 1 == right.size();
    // Advance the side whose next vertex comes first; the left on a tie, so that rows of equal
    // keys are cut along the same diagonal everywhere.
    if (!left_ends && (right_ends || left[i + 1].key <= right[j + 1].key)) {
      face({left[i].vertex, right[j].vertex, left[i + 1].vertex});
      ++i;
    } else {
      face({left[i].vertex, right[j].vertex, right[j + 1].vertex});
      ++j;
    }
  }
}

void MeshBuilder::uneven_strip(const Ring& a, const Ring& b) {
  // A key half a step before its vertex: each vertex serves the stretch on both sides of it.
  const auto row = [](const Ring& ring, std::size_t step) {
    std::vector<Keyed> result;
    for (std::size_t i = 0; i <= ring.size(); ++i)
      result.push_back(
          {ring[i % ring.size()], (static_cast<double>(i) - 0.5) * static_cast<double>(step)});
    return result;
  };
  zip(row(b, a.size()), row(a, b.size()));  // on its side: the upper ring is on the left
}

void MeshBuilder::lathe(std::span<const Vec2> profile, Index n, bool closed) {
  loft(
      profile, n, [n](Index i) { return on_circle(i, n); }, closed);
}

void MeshBuilder::loft(std::span<const Vec2> profile, Index n,
                       const std::function<Vec2(Index)>& outline, bool closed) {
  const auto make_ring = [&](const Vec2& p) {
    if (p.x() == 0) return Ring{vertex({0, 0, p.y()})};
    return ring(n, [&](Index i) {
      const Vec2 u = outline(i) * p.x();
      return Vec3(u.x(), u.y(), p.y());
    });
  };
  const auto join = [&](const Ring& a, const Ring& b) {
    if (a.size() == 1) return cone_below(b, a[0]);
    if (b.size() == 1) return cone(a, b[0]);
    strip(a, b);
  };
  const Ring first = make_ring(profile.front());
  Ring last = first;
  for (const Vec2& p : profile.subspan(1)) {
    Ring next = make_ring(p);
    join(last, next);
    last = std::move(next);
  }
  if (closed) return join(last, first);
  if (first.size() > 1) cap_below(first);
  if (last.size() > 1) cap(last);
}

namespace {

/// Catmull–Rom through the knots, s in [0, 1].
Vec3 spline(std::span<const Vec3> knots, double s) {
  const std::size_t last = knots.size() - 1;
  const double at = s * static_cast<double>(last);
  const std::size_t i = std::min(static_cast<std::size_t>(at), last - 1);
  const double t = at - static_cast<double>(i);
  const Vec3 &b = knots[i], &c = knots[i + 1];
  const Vec3 a = i == 0 ? Vec3(2 * b - c) : knots[i - 1];
  const Vec3 d = i + 1 == last ? Vec3(2 * c - b) : knots[i + 2];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

}  // namespace

void MeshBuilder::tube(std::span<const Vec3> knots, double radius, Index around, Index along) {
  Vec3 side = (knots[1] - knots[0]).unitOrthogonal();
  Ring last;
  for (Index i = 0; i <= along; ++i) {
    const double s = static_cast<double>(i) / along, step = 1e-3;
    const Vec3 centre = spline(knots, s);
    const Vec3 before = i == 0 ? centre : spline(knots, s - step / along);
    const Vec3 after = i == along ? centre : spline(knots, s + step / along);
    // Carry the frame along the curve; it need not close.
    const Vec3 forward = (after - before).normalized();
    side = (side - side.dot(forward) * forward).normalized();
    const Vec3 up = forward.cross(side);
    Ring next = ring(around, [&](Index k) {
      const Vec2 u = on_circle(k, around) * radius;
      return Vec3(centre + u.x() * side + u.y() * up);
    });
    i == 0 ? cap_below(next) : strip(last, next);
    last = std::move(next);
  }
  cap(last);
}

void MeshBuilder::add(const PolygonSoup& soup, const Pose& pose, double scale) {
  const Index base = static_cast<Index>(coordinates_.size() / 3);
  for (const Vec3& p : soup.vertices()) vertex(pose * Vec3(scale * p));
  for (Index c = 0; c < soup.corner_count(); ++c) corners_.push_back(base + soup.corner_vertex(c));
  for (Index f = 0; f < soup.face_count(); ++f)
    face_sizes_.push_back(static_cast<Index>(soup.face(f).size()));
}

PolygonSoup MeshBuilder::soup() const { return PolygonSoup(coordinates_, corners_, face_sizes_); }

}  // namespace touche::scenes
