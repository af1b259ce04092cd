// SPDX-License-Identifier: Apache-2.0
// The surfaces in a soup that enclose volumes, and which of them are cavities of others.
//
// Winding numbers add up. So a cavity is a shell whose orientation is opposite to that of the shell
// around it. But two overlapping bodies of opposite orientation cancel as well, and points in both
// would count as outside. A cavity is distinguished from this case by its position: it lies in the
// shell around it as a whole.
#pragma once

#include <functional>
#include <vector>

#include "base/disjoint_sets.h"
#include "path/orientation.h"

namespace touche::paths {

struct Shell {
  std::vector<Index> triangles;
  Aabb box;
  double volume = 0;      ///< negative if the triangles run clockwise, seen from outside
  bool is_clear = true;   ///< whether the intended orientation is known
  bool is_closed = true;  ///< if false, there may be slits or larger gaps
};

/// Closed pieces, and groups of open pieces that share vertices of their borders, if their vector
/// areas balance like the areas of a surface with slits. `pieces`: sets of triangles, at least two.
std::vector<Shell> shells_of(const PolygonSoup& soup, Triangles triangles,
                             const std::vector<Index>& merged, base::DisjointSets& pieces,
                             const std::function<bool(Index)>& is_clear);

struct ShellSides {
  std::vector<bool> turned;  ///< for each shell
  /// A clear shell was reversed, or a shell lies in another one and one of them is unclear: solids
  /// and cavities cannot be distinguished for certain.
  bool in_doubt = false;
};

/// Which shells to reverse so that winding numbers cancel only in cavities. Overlapping shells all
/// get the orientation that the volumes of the outermost ones have, except for cavities. A cavity
/// is clear, lies as a whole in a clear shell of opposite orientation, and overlaps no other cavity
/// of that shell. Shells that are wholly inside out stay so.
ShellSides sides_of(const PolygonSoup& soup, Triangles triangles, const std::vector<Shell>& shells);

}  // namespace touche::paths
