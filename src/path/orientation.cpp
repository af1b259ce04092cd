// SPDX-License-Identifier: Apache-2.0
#include "path/orientation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"
#include "path/shells.h"

namespace touche::paths {
namespace {

// A closed surface has two faces at each edge. Edges with this many or more may belong to two-sided
// faces.
constexpr std::size_t kTwoSidedUses = 3;

// If the area of a piece that has the other orientation is at most this share, the rest defines the
// intended orientation.
constexpr double kFewTurned = 0.25;

/// Calls `visit(std::span<const EdgeUse>, vertex, next)` for each edge, as for_each_edge() does.
template <typename Visit>
void for_each_edge_of(Triangles triangles, const std::vector<Index>& merged, const Visit& visit) {
  const auto vertex = [&](Index c) { return merged[triangles[c / 3][c % 3]]; };
  const auto next = [](Index c) { return c % 3 == 2 ? c - 2 : c + 1; };
  geometry::for_each_edge(
      static_cast<Index>(merged.size()), static_cast<Index>(3 * triangles.size()), vertex, next,
      [&](std::span<const geometry::EdgeUse> uses) { visit(uses, vertex, next); });
}

/// The two triangles at an edge, not counting degenerate triangles with two equal corners; empty if
/// there are not exactly two.
std::optional<std::array<geometry::EdgeUse, 2>> only_two(std::span<const geometry::EdgeUse> uses,
                                                         Triangles triangles,
                                                         const std::vector<Index>& merged) {
  if (uses.size() < 2) return std::nullopt;
  std::array<geometry::EdgeUse, 2> two = {uses[0], uses[1]};
  if (uses.size() == 2) return two;
  std::size_t count = 0;
  for (const geometry::EdgeUse& use : uses) {
    const auto& [a, b, c] = triangles[use.corner / 3];
    const Index i = merged[a], j = merged[b], k = merged[c];
    if (i == j || j == k || k == i) continue;
    if (count == 2) return std::nullopt;
    two[count++] = use;
  }
  return count == 2 ? std::optional(two) : std::nullopt;
}

/// Also joins neighbouring triangles in `pieces`.
Boundary boundary_of(Triangles triangles, const std::vector<Index>& merged,
                     base::DisjointSets& pieces) {
  Boundary boundary;
  for_each_edge_of(
      triangles, merged,
      [&](std::span<const geometry::EdgeUse> uses, const auto& vertex, const auto& next) {
        if (const auto two = only_two(uses, triangles, merged))
          pieces.join((*two)[0].corner / 3, (*two)[1].corner / 3);
        boundary.may_be_two_sided |= uses.size() >= kTwoSidedUses;
        int forward = 0;
        for (const geometry::EdgeUse& use : uses) forward += use.backward ? -1 : 1;
        if (forward == 0) return;
        const auto times = static_cast<std::size_t>(std::abs(forward));
        boundary.consistent &= times <= uses.size() % 2;
        const geometry::EdgeUse& use = uses[0];
        const Index near = vertex(use.backward ? next(use.corner) : use.corner);
        const DirectedEdge edge =
            forward > 0 ? DirectedEdge{near, use.far} : DirectedEdge{use.far, near};
        boundary.edges.insert(boundary.edges.end(), times, edge);
      });
  return boundary;
}

/// Each triangle t is a member of two of `2 * count_` sets: number t stands for its orientation in
/// the soup, number `count_` + t for the opposite one. So the two sets of a piece mirror each
/// other, and they are the same set if the piece cannot be oriented.
class Pieces {
 public:
  Pieces(const PolygonSoup& soup, const std::vector<Index>& merged)
      : soup_(soup),
        count_(soup.triangle_count()),
        sets_(std::size_t{2} * count_),
        is_open_(count_, false) {
    join_neighbours(merged);
    measure();
    decide();
  }

  /// All triangles, some of them reversed; empty if none needs to be.
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

  /// Whether the intended orientation of the triangle's piece is known.
  bool is_clear(Index t) { return pieces_[piece_of(t)].is_clear(); }

 private:
  /// Identified by its first triangle; other triangles may be oriented against that one.
  struct Piece {
    // areas of the triangles oriented with and against the first one
    double along = 0, against = 0;
    double volume = 0;      // if all triangles are oriented like the first
    bool is_mixed = false;  // has both orientations, and can be oriented
    bool is_open = false;
    bool keeps_against = false;

    bool is_clear() const { return std::min(along, against) <= kFewTurned * (along + against); }
  };

  void join_neighbours(const std::vector<Index>& merged) {
    const Triangles triangles = soup_.triangles();
    for_each_edge_of(triangles, merged,
                     [&](std::span<const geometry::EdgeUse> uses, const auto&, const auto&) {
                       if (uses.size() == 1) is_open_[uses[0].corner / 3] = true;
                       const auto two = only_two(uses, triangles, merged);
                       if (!two) return;
                       const Index s = (*two)[0].corner / 3, t = (*two)[1].corner / 3;
                       const bool alike = (*two)[0].backward != (*two)[1].backward;
                       sets_.join(s, alike ? t : count_ + t);
                       sets_.join(count_ + s, alike ? count_ + t : t);
                     });
  }

  // A set is identified by its smallest member.
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
      piece.is_open |= is_open_[t];
    }
  }

  void decide() {
    double open = 0, closed = 0;  // sums of the volumes of clear pieces
    for (Piece& piece : pieces_) {
      if (!piece.is_clear()) continue;
      piece.keeps_against = piece.against > piece.along;
      (piece.is_open ? open : closed) += piece.keeps_against ? -piece.volume : piece.volume;
    }
    // Closed pieces may be cavities of open ones. The orientation of closed pieces is decided
    // finally by sides_of().
    const bool inside_out = open != 0 ? open < 0 : closed < 0;
    for (Piece& piece : pieces_)
      if (!piece.is_clear()) piece.keeps_against = (piece.volume < 0) != inside_out;
  }

  const PolygonSoup& soup_;
  const Index count_;
  base::DisjointSets sets_;
  std::vector<bool> is_open_;  // for each triangle: it has an edge with no other triangle
  std::vector<Piece> pieces_;  // indexed by their first triangles
};

bool are_one(base::DisjointSets& pieces, Index count) {
  for (Index t = 0; t < count; ++t)
    if (pieces.find(t) != 0) return false;
  return true;
}

void turn(Oriented& surface, const PolygonSoup& soup, const Shell& shell) {
  if (surface.turned.empty())
    surface.turned.assign(soup.triangles().begin(), soup.triangles().end());
  for (const Index t : shell.triangles) std::swap(surface.turned[t][1], surface.turned[t][2]);
}

}  // namespace

Oriented oriented(const PolygonSoup& soup, const std::vector<Index>& merged) {
  const Index count = soup.triangle_count();
  base::DisjointSets sets(count);
  Oriented result{.turned = {}, .boundary = boundary_of(soup.triangles(), merged, sets)};
  std::optional<Pieces> pieces;
  if (!result.boundary.consistent) {
    pieces.emplace(soup, merged);
    result.turned = pieces->turned();
    if (!result.turned.empty()) result.boundary = boundary_of(result.turned, merged, sets);
  }
  if (are_one(sets, count)) return result;

  // Reverse closed surfaces that would cancel the winding number of others.
  const std::vector<Shell> shells =
      shells_of(soup, result.triangles(soup), merged, sets,
                [&](Index t) { return !pieces || pieces->is_clear(t); });
  if (shells.size() < 2) return result;
  const ShellSides sides = sides_of(soup, result.triangles(soup), shells);
  result.in_doubt = sides.in_doubt;
  bool any = false;
  for (std::size_t s = 0; s < shells.size(); ++s) {
    if (!sides.turned[s]) continue;
    turn(result, soup, shells[s]);
    any = true;
  }
  if (any) result.boundary = boundary_of(result.turned, merged, sets);
  return result;
}

Oriented oriented(const PolygonSoup& soup) {
  return oriented(soup, geometry::merge_equal_positions(soup.vertices()));
}

}  // namespace touche::paths
