// SPDX-License-Identifier: Apache-2.0
// Triangles that close a soup where its faces leave gaps, so that windings can be counted.
//
// The faces of a soup, with their edges as directed, have a boundary: the edges that are run
// through more often one way than the other, vertices at the same position being one. Caps are
// triangles with the opposite boundary. Faces and caps together are a cycle: around each point off
// them they wind a whole number of times, which changes only across them. So the winding number of
// the faces alone is a whole number less what the caps wind, and caps are few.
#pragma once

#include <numbers>
#include <vector>

#include "geometry/triangle_pair.h"
#include "path/orientation.h"
#include "touche/soup.h"

namespace touche {

/// The solid angle of a whole sphere: what winds once around a point.
inline constexpr double kFourPi = 4 * std::numbers::pi;

struct Cap {
  Triangle triangle;
  Vec3 centre;
  double radius;  ///< of a ball around the centre
  double area;
  bool thin;  ///< it fills a slit, as where edges meet that are cut differently

  /// Bounds the size of its winding number at x.
  double most_winding(const Vec3& x) const;
  /// Bounds the change of its winding number within `radius` of x; infinite where that meets it.
  double most_change(const Vec3& x, double radius) const;
};

struct Caps {
  bool closed = false;    ///< the soup has no boundary, and needs no caps
  bool complete = false;  ///< the soup is closed, or the caps close it; else there are no caps
  bool all_thin = true;
  /// Farther from the faces than this there is no point of a thin cap, and all of these together
  /// wind less than kThinWinding. 0 without thin caps.
  double gap = 0;
  double width = 0;  ///< no slit is wider; 0 without slits
  std::vector<Cap> caps;
};
inline constexpr double kThinWinding = 0.1;

/// Closes each loop of the boundary by triangles of the least area; a loop of more than some two
/// hundred edges by a fan. A soup with a boundary of very many edges gets no caps.
Caps close_up(const PolygonSoup& soup, const std::vector<DirectedEdge>& boundary);

}  // namespace touche
