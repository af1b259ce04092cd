// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "plane/vec2.h"
#include "touche/plane.h"

namespace touche::plane {
namespace {

/// The same limit as PolygonSoup, so that exact tests neither overflow nor underflow.
constexpr double kLeastCoordinate = 1e-90;
constexpr std::size_t kMostPoints = std::size_t{1} << 29;

double checked_coordinate(double x, std::size_t chain, std::size_t point) {
  if (!(std::abs(x) <= kMostCoordinate))
    throw InvalidInput("chain " + std::to_string(chain) + ", point " + std::to_string(point) +
                       ": a coordinate is not finite or larger than 1e90");
  return std::abs(x) < kLeastCoordinate ? 0 : x;
}

}  // namespace

Outline::Outline(std::span<const Chain> chains, std::vector<std::string> remarks,
                 double chord_error)
    : remarks_(std::move(remarks)), chord_error_(chord_error) {
  if (chains.empty()) throw InvalidInput("an outline of no chains");
  std::size_t count = 0;
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (chains[c].points.empty())
      throw InvalidInput("chain " + std::to_string(c) + " has no points");
    count += chains[c].points.size();
  }
  if (count > kMostPoints) throw InvalidInput("an outline of more than 2^29 points");
  vertices_.reserve(count);
  edges_.reserve(count);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    const std::vector<Vec2>& points = chains[c].points;
    const Index first = vertex_count(), n = static_cast<Index>(points.size());
    chains_.push_back({first, edge_count(), chains[c].closed, chains[c].again, chains[c].name});
    for (Index i = 0; i < n; ++i) {
      const Vec2 p(checked_coordinate(points[i].x(), c, i),
                   checked_coordinate(points[i].y(), c, i));
      lo_ = lo_.cwiseMin(p), hi_ = hi_.cwiseMax(p);
      vertices_.push_back(p);
      // The last point has an edge if the chain is closed, or if it is the only point.
      if (i + 1 < n)
        edges_.push_back({first + i, first + i + 1});
      else if (chains[c].closed || n == 1)
        edges_.push_back({first + i, first});
    }
  }
}

Index Outline::first_vertex(Index chain) const {
  return chain < chain_count() ? chains_[chain].first_vertex : vertex_count();
}

Index Outline::first_edge(Index chain) const {
  return chain < chain_count() ? chains_[chain].first_edge : edge_count();
}

Index Outline::chain_of_edge(Index edge) const {
  const auto next = std::upper_bound(chains_.begin(), chains_.end(), edge,
                                     [](Index e, const Part& part) { return e < part.first_edge; });
  return static_cast<Index>(next - chains_.begin()) - 1;
}

double Outline::length() const {
  double length = 0;
  for (const auto& [i, j] : edges_) length += (vertices_[j] - vertices_[i]).norm();
  return length;
}

double Outline::signed_area(Index chain) const {
  if (!closed(chain)) return 0;
  const Vec2& origin = vertices_[first_vertex(chain)];
  double twice = 0;
  for (Index e = first_edge(chain); e < first_edge(chain + 1); ++e)
    twice += cross(vertices_[edges_[e][0]] - origin, vertices_[edges_[e][1]] - origin);
  return 0.5 * twice;
}

}  // namespace touche::plane
