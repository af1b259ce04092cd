// SPDX-License-Identifier: Apache-2.0
// The surfaces in a soup that enclose volumes, and which of them are cavities of others.
//
// Windings add up. So a cavity is a shell that runs against the one around it; but two bodies that
// overlap and run against each other cancel, too, and what lies in both would count as outside. A
// cavity is told from that by its place: all of it lies in the shell around it.
#pragma once

#include <functional>
#include <vector>

#include "base/disjoint_sets.h"
#include "path/orientation.h"

namespace touche {

struct Shell {
  std::vector<Index> triangles;
  Aabb box;
  double volume = 0;      ///< below 0 where the triangles run clockwise, seen from outside
  bool is_clear = true;   ///< whether it is known which way round they are meant to run
  bool is_closed = true;  ///< else there may be slits, or more
};

/// Closed pieces, and open ones that have vertices of their borders in common, if their areas
/// balance as those of a surface with slits do. `pieces`: sets of triangles, at least two.
std::vector<Shell> shells_of(const PolygonSoup& soup, Triangles triangles,
                             const std::vector<Index>& merged, DisjointSets& pieces,
                             const std::function<bool(Index)>& is_clear);

struct ShellSides {
  std::vector<bool> turned;  ///< by shell
  /// Something that is clear was turned, or lies in what is not or around it: then solids and
  /// cavities cannot be told apart for sure.
  bool in_doubt = false;
};

/// Which shells to turn so that windings only cancel in cavities. Shells that overlap all run the
/// way round that the volumes of the outermost have, but for cavities. A cavity is clear and lies
/// as a whole in something clear that runs against it, and it overlaps no other cavity of that.
/// Shells that are wholly inside out stay so.
ShellSides sides_of(const PolygonSoup& soup, Triangles triangles, const std::vector<Shell>& shells);

}  // namespace touche
