// SPDX-License-Identifier: Apache-2.0
// Each edge from p to q becomes the triangle p, q, p + h ẑ in space, which stands upright on it. At
// a height z <= h the triangle is the part of the edge from p to p + (1 − z / h) (q − p). So
// (1) two triangles have a common point iff their edges do: at height 0 they are the edges, and
//     their common points at any other height lie on both edges, seen from above;
// (2) the distance of two triangles is that of their edges: seen from above no two of their points
//     are nearer than the edges' nearest two, which are at height 0;
// (3) both remain true at every t while bodies rotate about z and move within z = 0.
// The heights only matter for speed: upright triangles have normals within the plane, along which
// searches prove them apart. The point p + h ẑ has exactly the x and y of p, also after a
// transformation: a pose of the plane multiplies z by zeros and by one. So (1) holds for rounded
// coordinates, too.
#include <algorithm>
#include <cmath>

#include "plane/flat_outline.h"

namespace touche::plane {
namespace {

/// Much less than the length of the edge, so that the boxes of a hierarchy are aligned with the
/// plane; far more than what single precision loses.
constexpr double kHeight = 0.125;

PolygonSoup standing_on(const Outline& outline) {
  const Index n = outline.vertex_count(), edges = outline.edge_count();
  if (edges == 0) throw InvalidInput("an outline without edges cannot be queried");
  std::vector<double> coordinates;
  std::vector<Index> corners;
  coordinates.reserve(3 * (n + edges));
  corners.reserve(3 * edges);
  for (const Vec2& p : outline.vertices())
    coordinates.insert(coordinates.end(), {p.x(), p.y(), 0.0});
  for (Index e = 0; e < edges; ++e) {
    const auto& [i, j] = outline.edge(e);
    const Vec2 &p = outline.vertex(i), &q = outline.vertex(j);
    const double height = kHeight * (q - p).cwiseAbs().maxCoeff();
    coordinates.insert(coordinates.end(), {p.x(), p.y(), height});
    corners.insert(corners.end(), {i, j, n + e});
  }
  return PolygonSoup(coordinates, corners);
}

}  // namespace

Object::Object(Outline outline, std::string name, const BuildOptions& options)
    : outline_(std::make_shared<const Outline>(std::move(outline))),
      in_space_(DataAccess::make<touche::Object>(std::make_shared<const touche::Object::Data>(
          standing_on(*outline_), std::move(name), options, flat_outline(outline_)))) {}

}  // namespace touche::plane
