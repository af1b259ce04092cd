// SPDX-License-Identifier: Apache-2.0
// Triangles (caps) that close the gaps of a soup, so that winding numbers can be counted.
//
// The faces of a soup with their directed edges have a boundary: the edges that are traversed more
// often in one direction than in the other, where vertices at the same position count as one. Caps
// are triangles with the opposite boundary. Faces and caps together form a cycle: their winding
// number around any point not on them is an integer and changes only across them. So the winding
// number of the faces alone is an integer minus that of the caps, and there are few caps.
#pragma once

#include <numbers>
#include <vector>

#include "geometry/triangle_pair.h"
#include "path/orientation.h"
#include "touche/soup.h"

namespace touche::paths {

/// The solid angle of a whole sphere, which corresponds to winding number 1.
inline constexpr double kFourPi = 4 * std::numbers::pi;

struct Cap {
  Triangle triangle;
  Vec3 centre;
  double radius;  ///< of a ball around the centre
  double area;
  double width;  ///< no point of it is farther from the edges of its loop
  bool thin;  ///< it fills a slit, for example where neighbouring edges are subdivided differently

  /// Upper bound of the absolute value of its winding number at x.
  double most_winding(const Vec3& x) const;
  /// Upper bound of the change of its winding number within `radius` of x; infinite if the cap may
  /// reach into that ball.
  double most_change(const Vec3& x, double radius) const;
};

struct Caps {
  bool closed = false;    ///< the soup has no boundary and needs no caps
  bool complete = false;  ///< the soup is closed, or caps close it; otherwise there are no caps
  /// Whether the boundary is so short that sums over all caps are cheap.
  bool few = true;
  bool all_thin = true;
  /// Whether no cap is wider than the opening that counts as closed for the question of inside,
  /// `kNarrow` of the soup's size. Their greatest width is `widest`.
  bool all_narrow = true;
  double widest = 0;
  /// At larger distances from the faces there is no point of a thin cap, and all thin caps together
  /// have a winding number below `kThinWinding`. 0 without thin caps.
  double gap = 0;
  double width = 0;  ///< no slit is wider; 0 without slits
  std::vector<Cap> caps;
};
inline constexpr double kThinWinding = 0.1;
inline constexpr double kNarrow = 1e-3;

/// Closes each loop of the boundary by triangles of least area, or by a fan if it has more than
/// about two hundred edges. A soup with very many boundary edges gets no caps, and one with many
/// gets them only if all are narrow.
Caps close_up(const PolygonSoup& soup, const std::vector<DirectedEdge>& boundary);

}  // namespace touche::paths
