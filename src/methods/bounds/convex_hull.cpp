// SPDX-License-Identifier: Apache-2.0
// Quickhull: a tetrahedron grows by the point farthest outside of one of its faces. All faces
// visible from the point are replaced by faces from the border of the visible region to the point.
// Visibility is decided exactly, so that the visible region is connected and its border is one
// loop.
#include "methods/bounds/convex_hull.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "geometry/predicates.h"

namespace touche {
namespace {

class Hull {
 public:
  /// In general position, about the size of one.
  explicit Hull(std::vector<Vec3> points) : points_(std::move(points)) {}

  std::vector<std::array<Index, 3>> run() {
    if (!start()) return {};
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].alive && !faces_[f].outside.empty()) grow(static_cast<int>(f));
    std::vector<std::array<Index, 3>> result;
    for (const Face& f : faces_)
      if (f.alive) result.push_back(f.corner);
    return result;
  }

 private:
  struct Face {
    std::array<Index, 3> corner;
    std::array<int, 3> across = {};  // of the edge from corner k to corner k + 1
    std::vector<Index> outside;      // points that see it and no earlier one
    bool alive = true;
  };

  bool sees(Index p, const Face& f) const {
    return geometry::orient3d(points_[f.corner[0]], points_[f.corner[1]], points_[f.corner[2]],
                              points_[p]) < 0;
  }

  void assign(const std::vector<Index>& points, std::size_t first_face) {
    for (const Index p : points)
      for (std::size_t f = first_face; f < faces_.size(); ++f)
        if (sees(p, faces_[f])) {
          faces_[f].outside.push_back(p);
          break;
        }
  }

  /// A tetrahedron of points far from each other.
  bool start() {
    std::vector<Index> taken;
    const auto farthest = [&](const auto& measure) {
      Index best = 0;
      double most = -1;
      for (Index i = 0; i < points_.size(); ++i)
        if (const double m = measure(points_[i]); m > most && !std::ranges::count(taken, i))
          best = i, most = m;
      taken.push_back(best);
      return best;
    };
    const Index a = farthest([](const Vec3& p) { return p.x() + 2; });
    const Vec3 pa = points_[a];
    const Index b = farthest([&](const Vec3& p) { return (p - pa).norm(); });
    const Vec3 ab = points_[b] - pa;
    const Index c = farthest([&](const Vec3& p) { return ab.cross(p - pa).norm(); });
    const Vec3 normal = ab.cross(points_[c] - pa);
    const Index d = farthest([&](const Vec3& p) { return std::abs(normal.dot(p - pa)); });
    const int side = geometry::orient3d(pa, points_[b], points_[c], points_[d]);
    if (side == 0) return false;
    // Seen from outside counter-clockwise: the fourth point is behind.
    const auto [x, y] = side > 0 ? std::pair(b, c) : std::pair(c, b);
    for (const auto& corner : {std::array{a, x, y}, {a, d, x}, {x, d, y}, {y, d, a}})
      faces_.push_back({corner, {}, {}});
    faces_[0].across = {1, 2, 3};
    faces_[1].across = {3, 2, 0};
    faces_[2].across = {1, 3, 0};
    faces_[3].across = {2, 1, 0};
    std::vector<Index> others;
    for (Index i = 0; i < points_.size(); ++i)
      if (!std::ranges::count(taken, i)) others.push_back(i);
    assign(others, 0);
    return true;
  }

  Index farthest_outside(const Face& f) const {
    const Vec3& origin = points_[f.corner[0]];
    const Vec3 normal = (points_[f.corner[1]] - origin).cross(points_[f.corner[2]] - origin);
    return *std::ranges::max_element(f.outside, {},
                                     [&](Index p) { return normal.dot(points_[p] - origin); });
  }

  struct BorderEdge {
    Index from, to;
    int beyond;  // the face that stays
  };
  /// Buries what p sees, entered through edge `in` of face f; the border is met in order.
  void bury(int f, int in, Index p, std::vector<BorderEdge>& border, std::vector<Index>& orphans) {
    Face& face = faces_[static_cast<std::size_t>(f)];
    face.alive = false;
    orphans.insert(orphans.end(), face.outside.begin(), face.outside.end());
    for (int step = in < 0 ? 0 : 1; step < 3; ++step) {
      const auto k = static_cast<std::size_t>((std::max(in, 0) + step) % 3);
      const int next = face.across[k];
      const Face& neighbour = faces_[static_cast<std::size_t>(next)];
      if (!neighbour.alive) continue;
      const Index from = face.corner[k], to = face.corner[(k + 1) % 3];
      if (sees(p, neighbour))
        bury(next, edge_from(neighbour, to), p, border, orphans);
      else
        border.push_back({from, to, next});
    }
  }

  static int edge_from(const Face& f, Index corner) {
    return f.corner[0] == corner ? 0 : f.corner[1] == corner ? 1 : 2;
  }

  void grow(int f) {
    const Index p = farthest_outside(faces_[static_cast<std::size_t>(f)]);
    std::vector<BorderEdge> border;
    std::vector<Index> orphans;
    bury(f, -1, p, border, orphans);
    std::erase(orphans, p);
    const auto first = static_cast<int>(faces_.size()), count = static_cast<int>(border.size());
    for (int i = 0; i < count; ++i) {
      const BorderEdge& e = border[static_cast<std::size_t>(i)];
      faces_.push_back({{e.from, e.to, p},
                        {e.beyond, first + (i + 1) % count, first + (i + count - 1) % count},
                        {}});
      Face& beyond = faces_[static_cast<std::size_t>(e.beyond)];
      beyond.across[static_cast<std::size_t>(edge_from(beyond, e.to))] = first + i;
    }
    assign(orphans, static_cast<std::size_t>(first));
  }

  std::vector<Vec3> points_;
  std::vector<Face> faces_;
};

}  // namespace

std::vector<std::array<Index, 3>> convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4) return {};
  Aabb box;
  for (const Vec3& p : points) box.include(p);
  const double size = (box.hi - box.lo).maxCoeff();
  if (!(size > 0)) return {};
  base::Random random(1);
  std::vector<Vec3> joggled;
  joggled.reserve(points.size());
  for (const Vec3& p : points) {
    const Vec3 by = random.in_box(kHullJoggle);
    joggled.emplace_back((p - box.lo) / size + by);
  }
  return Hull(std::move(joggled)).run();
}

}  // namespace touche
