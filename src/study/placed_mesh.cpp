// SPDX-License-Identifier: Apache-2.0
// Applies start poses to the vertices, so that a part's motion is its group's motion and rotations
// keep the axis that the study names.
#include "study/placed_mesh.h"

#include <fmt/core.h>

#include <vector>

namespace touche::study {
namespace {

// Edges shorter than this share of the mesh size may collapse to points: they are rounding of the
// file.
constexpr double kShortEdge = 1e-9;

/// Calls visit(v, w) for the vertices at both ends of every half-edge.
template <class Visit>
void for_each_edge(const PolygonSoup& soup, const Visit& visit) {
  for (Index corner = 0; corner < soup.corner_count(); ++corner)
    visit(soup.corner_vertex(corner), soup.corner_vertex(soup.next_corner(corner)));
}

/// Moves the vertices by `place`; throws if this collapses an edge to a point.
template <class Place>
void move_mesh(PolygonSoup& soup, const Study& study, std::size_t index, const char* key,
               const Place& place) {
  // Remember the edges that are longer than rounding.
  const double least = kShortEdge * soup.bounds().diagonal();
  std::vector<std::pair<Index, Index>> edges;
  for_each_edge(soup, [&](Index v, Index w) {
    const double length = (soup.vertex(v) - soup.vertex(w)).stableNorm();
    if (length > 0 && length >= least) edges.emplace_back(v, w);
  });

  std::vector<double> coordinates;
  coordinates.reserve(3 * soup.vertex_count());
  for (const Vec3& v : soup.vertices()) {
    const Vec3 p = place(v);
    coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  }
  soup.move_vertices(coordinates);

  for (const auto& [v, w] : edges)
    if (soup.vertex(v) == soup.vertex(w))
      throw LoadError(
          study.file.string(), fmt::format("/parts/{}/{}", index, key),
          fmt::format("the part collapses: vertices {} and {} of {} fall together", v, w,
                      study.parts[index].shape ? "its mesh" : study.parts[index].file.string()));
}

bool is_identity(const Pose& pose) {
  return pose.translation().isZero(0) && pose.rotation().w() == 1;
}

}  // namespace

PolygonSoup placed_mesh(const Study& study, std::size_t index, PolygonSoup soup) {
  const StudyPart& part = study.parts[index];
  // The mesh of a shape is in the study's unit.
  if (part.scale != 1 && !part.shape)
    move_mesh(soup, study, index, "scale", [&](const Vec3& v) { return Vec3(part.scale * v); });
  if (!is_identity(part.pose))
    move_mesh(soup, study, index, "pose", [&](const Vec3& v) { return part.pose * v; });
  return soup;
}

}  // namespace touche::study
