// SPDX-License-Identifier: Apache-2.0
#include "path/orientation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"

namespace touche {
namespace {

// A surface that encloses something has two faces at each edge, and more where some of them are
// two-sided.
constexpr std::size_t kTwoSidedUses = 3;

// If no larger share of a piece's area runs the other way round, the rest tells how it is meant.
constexpr double kFewTurned = 0.25;

/// Calls `visit(std::span<const EdgeUse>, vertex, next)` for each edge, as for_each_edge() does.
template <typename Visit>
void for_each_edge_of(Triangles triangles, const std::vector<Index>& merged, const Visit& visit) {
  const auto vertex = [&](Index c) { return merged[triangles[c / 3][c % 3]]; };
  const auto next = [](Index c) { return c % 3 == 2 ? c - 2 : c + 1; };
  for_each_edge(static_cast<Index>(merged.size()), static_cast<Index>(3 * triangles.size()), vertex,
                next, [&](std::span<const EdgeUse> uses) { visit(uses, vertex, next); });
}

Boundary boundary_of(Triangles triangles, const std::vector<Index>& merged) {
  Boundary boundary;
  for_each_edge_of(triangles, merged,
                   [&](std::span<const EdgeUse> uses, const auto& vertex, const auto& next) {
                     boundary.may_be_two_sided |= uses.size() >= kTwoSidedUses;
                     int forward = 0;
                     for (const EdgeUse& use : uses) forward += use.backward ? -1 : 1;
                     if (forward == 0) return;
                     const auto times = static_cast<std::size_t>(std::abs(forward));
                     boundary.consistent &= times <= uses.size() % 2;
                     const EdgeUse& use = uses[0];
                     const Index near = vertex(use.backward ? next(use.corner) : use.corner);
                     const DirectedEdge edge =
                         forward > 0 ? DirectedEdge{near, use.far} : DirectedEdge{use.far, near};
                     boundary.edges.insert(boundary.edges.end(), times, edge);
                   });
  return boundary;
}

/// Each triangle is a member of two sets: what runs as it does in the soup is in that of its
/// number, what runs the other way round in that of its number plus the count of all. So the two
/// sets of a piece mirror each other, and are the same where it cannot be oriented.
class Pieces {
 public:
  Pieces(const PolygonSoup& soup, const std::vector<Index>& merged)
      : soup_(soup), count_(soup.triangle_count()), sets_(std::size_t{2} * count_) {
    join_neighbours(merged);
    measure();
    decide();
  }

  /// All triangles, some of them turned; nothing where none is.
  std::vector<std::array<Index, 3>> turned() {
    std::vector<std::array<Index, 3>> result;
    for (Index t = 0; t < count_; ++t) {
      const Piece& piece = pieces_[piece_of(t)];
      if (!piece.is_mixed || is_against(t) == piece.keeps_against) continue;
      if (result.empty()) result.assign(soup_.triangles().begin(), soup_.triangles().end());
      std::swap(result[t][1], result[t][2]);
    }
    return result;
  }

 private:
  /// Known by its first triangle; some of the others run against that.
  struct Piece {
    double along = 0, against = 0;  // areas
    double volume = 0;              // if all run along
    bool is_mixed = false;          // and can be oriented
    bool keeps_against = false;

    bool is_clear() const { return std::min(along, against) <= kFewTurned * (along + against); }
  };

  void join_neighbours(const std::vector<Index>& merged) {
    const Triangles triangles = soup_.triangles();
    const auto is_degenerate = [&](Index t) {
      const Index i = merged[triangles[t][0]], j = merged[triangles[t][1]],
                  k = merged[triangles[t][2]];
      return i == j || j == k || k == i;
    };
    for_each_edge_of(triangles, merged,
                     [&](std::span<const EdgeUse> uses, const auto&, const auto&) {
                       std::array<EdgeUse, 2> two{};
                       std::size_t count = 0;
                       for (const EdgeUse& use : uses)
                         if (!is_degenerate(use.corner / 3) && count++ < 2) two[count - 1] = use;
                       if (count != 2) return;
                       const Index s = two[0].corner / 3, t = two[1].corner / 3;
                       const bool alike = two[0].backward != two[1].backward;
                       sets_.join(s, alike ? t : count_ + t);
                       sets_.join(count_ + s, alike ? count_ + t : t);
                     });
  }

  // A set is known by its smallest member.
  Index piece_of(Index t) { return std::min(sets_.find(t), sets_.find(count_ + t)); }
  bool is_against(Index t) { return sets_.find(t) != piece_of(t); }
  bool is_orientable(Index t) { return sets_.find(t) != sets_.find(count_ + t); }

  void measure() {
    pieces_.resize(count_);
    const Vec3 middle = soup_.bounds().centre();
    for (Index t = 0; t < count_; ++t) {
      const Triangle at = triangle_at(soup_, soup_.triangle(t));
      const Vec3 area = (at[1] - at[0]).cross(at[2] - at[0]);
      const bool against = is_against(t);
      Piece& piece = pieces_[piece_of(t)];
      (against ? piece.against : piece.along) += area.norm();
      piece.volume += (against ? -1 : 1) * area.dot(at[0] - middle);
      piece.is_mixed |= against && is_orientable(t);
    }
  }

  void decide() {
    double volume = 0;  // of what is clear
    for (Piece& piece : pieces_) {
      if (!piece.is_clear()) continue;
      piece.keeps_against = piece.against > piece.along;
      volume += piece.keeps_against ? -piece.volume : piece.volume;
    }
    for (Piece& piece : pieces_)
      if (!piece.is_clear()) piece.keeps_against = (piece.volume < 0) != (volume < 0);
  }

  const PolygonSoup& soup_;
  const Index count_;
  DisjointSets sets_;
  std::vector<Piece> pieces_;  // by their first triangles
};

}  // namespace

Oriented oriented(const PolygonSoup& soup) {
  const std::vector<Index> merged = merge_equal_positions(soup.vertices());
  Oriented result{.turned = {}, .boundary = boundary_of(soup.triangles(), merged)};
  if (result.boundary.consistent) return result;
  result.turned = Pieces(soup, merged).turned();
  if (!result.turned.empty()) result.boundary = boundary_of(result.turned, merged);
  return result;
}

}  // namespace touche
