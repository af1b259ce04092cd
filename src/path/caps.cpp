// SPDX-License-Identifier: Apache-2.0
#include "path/caps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "geometry/point_triangle.h"
#include "math/rounding.h"

namespace touche::paths {
namespace {

// A boundary with more edges than `kFewEdges`, or than one edge per `kTrianglesPerEdge` triangles
// if that is more, and in any case with more than `kMostEdges`, is left open, unless all of its
// gaps are narrow and there are no more than `kMostNarrowEdges`. Loops of more than
// `kMostInLoop` edges are filled by a fan, since the filling of least area takes time cubic in the
// number of edges.
constexpr std::size_t kFewEdges = 64, kTrianglesPerEdge = 8, kMostEdges = 4096, kMostInLoop = 192,
                      kMostNarrowEdges = 1 << 14;
// A cap is thin if all its points are this near to edges of the loop, as a share of the soup's
// size.
constexpr double kThin = 1e-6;
// When the next edge of a loop is chosen, an edge that leads back is preferred to one that leads
// straight on by this factor.
constexpr double kBackFirst = 1e-3;

using Loop = std::vector<Index>;

/// Splits the boundary into loops. At each vertex it takes the edge that leads back or straight on
/// most exactly, so that the two sides of a slit form one loop. When the chain of edges meets one
/// of its own vertices, a loop is complete. At each vertex as many edges end as begin, so the chain
/// closes where it began.
class Loops {
 public:
  Loops(const PolygonSoup& soup, std::vector<DirectedEdge> edges)
      : soup_(soup), edges_(std::move(edges)), used_(edges_.size(), false) {
    std::sort(edges_.begin(), edges_.end());
  }

  std::vector<Loop> run() {
    std::vector<Loop> loops;
    for (std::size_t first = 0; first < edges_.size(); ++first) {
      if (used_[first]) continue;
      used_[first] = true;
      Loop way = {edges_[first].from};
      Index to = edges_[first].to;
      for (;;) {
        const Vec3 came = math::unit_or_zero(soup_.vertex(to) - soup_.vertex(way.back()));
        const auto met = std::find(way.begin(), way.end(), to);
        if (met == way.end()) {
          way.push_back(to);
        } else {
          loops.emplace_back(met, way.end());
          way.erase(met + 1, way.end());
          if (way.size() == 1) break;
        }
        to = leave(to, came);
      }
    }
    return loops;
  }

 private:
  Index leave(Index vertex, const Vec3& came) {
    std::size_t best = edges_.size();
    double most = 0;
    for (auto e = std::lower_bound(edges_.begin(), edges_.end(), DirectedEdge{vertex, 0});
         e != edges_.end() && e->from == vertex; ++e) {
      const auto i = static_cast<std::size_t>(e - edges_.begin());
      const double turn = math::unit_or_zero(soup_.vertex(e->to) - soup_.vertex(vertex)).dot(came);
      const double in_line = turn < 0 ? -turn * (1 + kBackFirst) : turn;
      if (used_[i] || (best < edges_.size() && !(in_line > most))) continue;
      best = i, most = in_line;
    }
    used_[best] = true;
    return edges_[best].to;
  }

  const PolygonSoup& soup_;
  std::vector<DirectedEdge> edges_;  // sorted
  std::vector<bool> used_;
};

double area_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

/// Fills loops with triangles that run in the direction opposite to the loop.
class Filling {
 public:
  Filling(const PolygonSoup& soup, const std::vector<Loop>& loops)
      : soup_(soup), loops_(loops), thin_(kThin * soup.bounds().diagonal()) {}

  void run(Caps& result) {
    const double narrow = kNarrow * soup_.bounds().diagonal();
    for (const Loop& loop : loops_) {
      corners_.clear();
      for (const Index v : loop) corners_.push_back(soup_.vertex(v));
      // Many edges are worth the work only as long as all caps are narrow.
      if (corners_.size() <= kMostInLoop)
        fill_by_least_area();
      else
        for (std::size_t k = 2; k < corners_.size() && (result.few || widest_ <= narrow); ++k)
          add(0, k - 1, k);
      if (!result.few && widest_ > narrow) break;
    }
    result.widest = widest_;
    result.all_narrow = widest_ <= narrow;
    if (!result.few) {
      // No sums over caps are made, so it does not matter which are thin.
      result.all_thin = false;
      result.complete = result.all_narrow;
      if (result.complete) result.caps = std::move(caps_);
      return;
    }
    double thin_area = 0;
    for (const Cap& cap : caps_) {
      result.all_thin &= cap.thin;
      if (!cap.thin) continue;
      thin_area += cap.area;
      result.width = std::max(result.width, cap.width);
    }
    // At distance r, all thin caps together have a winding number of at most their area / (4 pi
    // r^2).
    result.gap =
        math::kRoundFarUp * (result.width + std::sqrt(thin_area / (kFourPi * kThinWinding)));
    result.caps = std::move(caps_);
  }

 private:
  /// Filling of least area (Barequet and Sharir 1995): the best filling of the corners i to j is
  /// one triangle on the edge between i and j plus the best fillings on its other two sides.
  void fill_by_least_area() {
    const std::size_t n = corners_.size();
    struct Best {
      double area = 0;
      std::size_t corner = 0;
    };
    std::vector<Best> best(n * n);
    for (std::size_t length = 2; length < n; ++length)
      for (std::size_t i = 0; i + length < n; ++i) {
        const std::size_t j = i + length;
        Best& least = best[i * n + j];
        least.area = kInfinity;
        for (std::size_t k = i + 1; k < j; ++k) {
          const double area = best[i * n + k].area + best[k * n + j].area +
                              area_of(corners_[i], corners_[k], corners_[j]);
          if (area < least.area) least = {area, k};
        }
      }
    std::vector<std::pair<std::size_t, std::size_t>> waiting = {{0, n - 1}};
    while (!waiting.empty()) {
      const auto [i, j] = waiting.back();
      waiting.pop_back();
      if (j - i < 2) continue;
      const std::size_t k = best[i * n + j].corner;
      add(i, k, j);
      waiting.emplace_back(i, k);
      waiting.emplace_back(k, j);
    }
  }

  void add(std::size_t i, std::size_t j, std::size_t k) {
    // The loop runs from i to j to k.
    Cap cap;
    cap.triangle = {corners_[k], corners_[j], corners_[i]};
    cap.centre = (corners_[i] + corners_[j] + corners_[k]) / 3;
    cap.radius = 0;
    for (const Vec3& corner : cap.triangle)
      cap.radius = std::max(cap.radius, math::kRoundFarUp * (corner - cap.centre).norm());
    cap.area = math::kRoundFarUp * area_of(corners_[i], corners_[j], corners_[k]) +
               math::kFormulaError * cap.radius * cap.radius;
    cap.width = width_of({i, j, k});
    widest_ = std::max(widest_, cap.width);
    cap.thin = cap.width <= thin_;
    caps_.push_back(cap);
  }

  /// Bounds the distance from any point of a triangle to the loop. Let h be the distance of the
  /// third corner from a side: no point of the triangle is farther than h from that side. The loop
  /// connects the two ends of the side by either of two chains of edges. For each point of the side
  /// some point of the chain has the same coordinate along the side, and its distance from the
  /// side's line is at most that of the chain's farthest corner.
  double width_of(const std::array<std::size_t, 3>& corners) const {
    double least = kInfinity;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t p = corners[k], q = corners[(k + 1) % 3], r = corners[(k + 2) % 3];
      const Triangle side = {corners_[p], corners_[q], corners_[q]};
      const Vec3 along = math::unit_or_zero(side[1] - side[0]);
      const auto [begin, end] = std::minmax(p, q);
      double between = 0, around = 0;
      for (std::size_t i = 0; i < corners_.size(); ++i)
        if (i != p && i != q) {
          double& farthest = begin < i && i < end ? between : around;
          farthest = std::max(farthest, along.cross(corners_[i] - side[0]).norm());
        }
      least = std::min(
          least, geometry::nearest_offset(corners_[r], side).norm() + std::min(between, around));
    }
    return least + math::kFormulaError * soup_.bounds().diagonal();
  }

  const PolygonSoup& soup_;
  const std::vector<Loop>& loops_;
  std::vector<Vec3> corners_;
  double thin_;
  double widest_ = 0;
  std::vector<Cap> caps_;
};

}  // namespace

// The solid angle of a triangle is at most half a sphere, and at most its area over the squared
// distance. The solid angle of an area element changes by at most 2 / |r|^3 times its area per
// length.
double Cap::most_winding(const Vec3& x) const {
  const double away = math::kRoundFarDown * (centre - x).norm() - radius;
  return away > 0 ? std::min(0.5, area / (kFourPi * away * away)) : 0.5;
}

double Cap::most_change(const Vec3& x, double within) const {
  double away = math::kRoundFarDown * (centre - x).norm() - radius - within;
  // The ball around a large triangle contains points that are far from the triangle; measure the
  // triangle itself then.
  if (!(away > radius))
    away = math::kRoundFarDown * geometry::nearest_offset(x, triangle).norm() - within;
  return away > 0 ? 2 * area * within / (kFourPi * away * away * away) : kInfinity;
}

Caps close_up(const PolygonSoup& soup, const std::vector<DirectedEdge>& boundary) {
  Caps result;
  result.closed = boundary.empty();
  const std::size_t most =
      std::min(kMostEdges, std::max(kFewEdges, soup.triangle_count() / kTrianglesPerEdge));
  result.few = boundary.size() <= most;
  result.complete = result.few || boundary.size() <= kMostNarrowEdges;
  if (result.closed || !result.complete) return result;
  const std::vector<Loop> loops = Loops(soup, boundary).run();
  Filling(soup, loops).run(result);
  return result;
}

}  // namespace touche::paths
