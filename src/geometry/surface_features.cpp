// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"

namespace touche::geometry {
namespace {

Index next_in_triangle(Index c) { return c % 3 == 2 ? c - 2 : c + 1; }

// The height of a triangle above its base, accurate however thin the triangle is.
double height_over(const Vec3& from, const Vec3& to, const Vec3& apex) {
  const Vec3 u = to - from, from_w = apex - from, to_w = apex - to;
  const double length = u.stableNorm();
  const Vec3& w = from_w.squaredNorm() < to_w.squaredNorm() ? from_w : to_w;
  return length > 0 ? (u / length).cross(w).stableNorm() : w.stableNorm();
}

// The direction from an edge into one of its triangles; zero for a triangle without height.
Vec3 into(const Vec3& from, const Vec3& to, const Vec3& apex) {
  const Vec3 u = (to - from).stableNormalized();
  const Vec3 w = apex - from;
  Vec3 across = w - w.dot(u) * u;
  across -= across.dot(u) * u;
  return across.stableNorm() > 1e-9 * w.stableNorm() ? across.stableNormalized() : Vec3::Zero();
}

}  // namespace

SurfaceFeatures::SurfaceFeatures(const PolygonSoup& soup)
    : merged_(merge_equal_positions(soup.vertices())), shares_(soup.triangle_count()) {
  find_edges(soup);
  find_rings(soup);
  divide(soup);
}

void SurfaceFeatures::find_edges(const PolygonSoup& soup) {
  for (Share& share : shares_) share = {{kNone, kNone, kNone}, 0, 0, 0, 0};
  const auto vertex = [&](Index c) { return merged_[soup.triangle(c / 3)[c % 3]]; };
  std::vector<Index> apices;
  for_each_edge(
      soup.vertex_count(), 3 * soup.triangle_count(), vertex, next_in_triangle,
      [&](std::span<const EdgeUse> uses) {
        Edge edge{};
        edge.from = vertex(uses[0].backward ? next_in_triangle(uses[0].corner) : uses[0].corner);
        edge.to = uses[0].far;
        apices.clear();
        for (const EdgeUse& use : uses) {
          const Index t = use.corner / 3;
          apices.push_back(vertex(next_in_triangle(next_in_triangle(use.corner))));
          shares_[t].edge[use.corner % 3] = static_cast<Index>(edges_.size());
          // Prefer half-edges over cuts, and the first of them, as the edge's name.
          const Feature name =
              soup.input_feature(t, FeatureKind::edge, static_cast<int>(use.corner % 3));
          const bool better = edge.name.index == kNone ||
                              (name.kind == edge.name.kind ? name.index < edge.name.index
                                                           : name.kind == FeatureKind::edge);
          if (better) edge.name = name;
        }
        // Coincident triangles count as one.
        std::sort(apices.begin(), apices.end());
        apices.erase(std::unique(apices.begin(), apices.end()), apices.end());
        edge.wings_begin = static_cast<Index>(wings_.size());
        for (const Index apex : apices)
          wings_.push_back(
              {apex, height_over(soup.vertex(edge.from), soup.vertex(edge.to), soup.vertex(apex))});
        edge.wings_end = static_cast<Index>(wings_.size());
        edges_.push_back(edge);
      });
}

void SurfaceFeatures::find_rings(const PolygonSoup& soup) {
  ring_begins_.assign(static_cast<std::size_t>(soup.vertex_count()) + 1, 0);
  for (const Edge& e : edges_) {
    ++ring_begins_[e.from + 1];
    ++ring_begins_[e.to + 1];
  }
  for (Index v = 0; v < soup.vertex_count(); ++v) ring_begins_[v + 1] += ring_begins_[v];
  ring_.resize(2 * edges_.size());
  std::vector<Index> at(ring_begins_.begin(), ring_begins_.end() - 1);
  for (const Edge& e : edges_) {
    ring_[at[e.from]++] = e.to;
    ring_[at[e.to]++] = e.from;
  }
}

SurfaceFeatures::Bend SurfaceFeatures::bend(const PolygonSoup& soup, const Edge& e) const {
  constexpr Bend kBorder{std::numbers::pi, std::numeric_limits<double>::infinity()};
  if (e.wings_end - e.wings_begin != 2) return kBorder;
  const auto direction = [&](const Wing& wing) {
    return into(soup.vertex(e.from), soup.vertex(e.to), soup.vertex(wing.vertex));
  };
  const Wing &one = wings_[e.wings_begin], &other = wings_[e.wings_begin + 1];
  const Vec3 into_one = direction(one), into_other = direction(other);
  if (into_one.isZero(0) || into_other.isZero(0)) return kBorder;
  const double angle = 2 * std::asin(std::min(1.0, 0.5 * (into_one + into_other).norm()));
  return {angle, 0.5 * angle * std::min(one.height, other.height)};
}

// The first triangle at a feature owns it.
void SurfaceFeatures::divide(const PolygonSoup& soup) {
  vertex_bends_.assign(soup.vertex_count(), {});
  for (Edge& e : edges_) {
    e.bend = bend(soup, e);
    for (const Index v : {e.from, e.to}) {
      vertex_bends_[v].angle = std::max(vertex_bends_[v].angle, e.bend.angle);
      vertex_bends_[v].height = std::max(vertex_bends_[v].height, e.bend.height);
    }
  }
  std::vector<std::uint8_t> edge_taken(edges_.size(), 0), vertex_taken(soup.vertex_count(), 0);
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    Share& share = shares_[t];
    for (unsigned k = 0; k < 3; ++k) {
      const auto bit = static_cast<std::uint8_t>(1u << k);
      const Index v = merged_[soup.triangle(t)[k]], e = share.edge[k];
      if (!vertex_taken[v]) {
        vertex_taken[v] = 1;
        share.vertices |= bit;
        // An isolated point, of a triangle without size, has no edges and is not flat.
        if (vertex_bends_[v].angle > kFlat || ring(v).empty()) share.sharp_vertices |= bit;
      }
      if (e != kNone && !edge_taken[e]) {
        edge_taken[e] = 1;
        share.edges |= bit;
        if (edges_[e].bend.angle > kFlat) share.sharp_edges |= bit;
      }
    }
  }
}

}  // namespace touche::geometry
