// SPDX-License-Identifier: Apache-2.0
// Finds irregularities of a soup. Vertices at the same position are merged here, so that a file
// that repeats them for each face (STL) is judged as the surface that it represents.
#include <algorithm>
#include <array>
#include <vector>

#include "base/disjoint_sets.h"
#include "geometry/equal_positions.h"
#include "geometry/half_edges.h"
#include "geometry/predicates.h"
#include "geometry/surface_features.h"
#include "geometry/triangulate.h"
#include "touche/soup.h"

namespace touche {

namespace {

void examine_vertices(const PolygonSoup& soup, const std::vector<Index>& merged, Health& health) {
  std::vector<bool> used(soup.vertex_count(), false), position_used(soup.vertex_count(), false);
  base::DisjointSets sets(soup.vertex_count());
  for (Index f = 0; f < soup.face_count(); ++f) {
    for (Index v : soup.face(f)) {
      used[v] = position_used[merged[v]] = true;
      sets.join(merged[v], merged[soup.face(f)[0]]);
    }
  }
  for (Index v = 0; v < soup.vertex_count(); ++v) {
    if (!used[v]) ++health.unused_vertices;
    if (merged[v] != v) ++health.duplicate_vertices;
    if (position_used[v] && sets.find(v) == v) ++health.components;
  }
}

void examine_shapes(const PolygonSoup& soup, Health& health) {
  // Compute the volume relative to the centre, where rounding is least.
  const Vec3 middle = soup.bounds().centre();
  std::vector<bool> has_area(soup.face_count(), false);
  for (Index t = 0; t < soup.triangle_count(); ++t) {
    const auto [i, j, k] = soup.triangle(t);
    const Vec3 &a = soup.vertex(i), &b = soup.vertex(j), &c = soup.vertex(k);
    if (!geometry::collinear(a, b, c)) has_area[soup.face_of_triangle(t)] = true;
    const Vec3 cross = (b - a).cross(c - a);
    health.area += 0.5 * cross.stableNorm();
    health.volume += cross.dot(a - middle) / 6;
  }
  for (Index f = 0; f < soup.face_count(); ++f) {
    if (!has_area[f]) ++health.zero_area_faces;
    if (soup.face(f).size() == 3) continue;
    const geometry::FaceShape shape = geometry::classify_face(soup.vertices(), soup.face(f));
    if (!shape.planar) ++health.non_planar_faces;
    if (!shape.convex) ++health.concave_faces;
  }
}

// Counts the connected sets of edges that are given by their two vertices.
Index connected_sets(const std::vector<std::array<Index, 2>>& edges, Index vertex_count) {
  if (edges.empty()) return 0;
  base::DisjointSets sets(vertex_count);
  for (const auto& [v, w] : edges) sets.join(v, w);
  std::vector<Index> roots;
  roots.reserve(edges.size());
  for (const auto& edge : edges) roots.push_back(sets.find(edge[0]));
  std::sort(roots.begin(), roots.end());
  return static_cast<Index>(std::unique(roots.begin(), roots.end()) - roots.begin());
}

void examine_edges(const PolygonSoup& soup, const std::vector<Index>& merged, Health& health) {
  std::vector<std::array<Index, 2>> boundary;
  geometry::for_each_edge(
      soup.vertex_count(), soup.corner_count(),
      [&](Index c) { return merged[soup.corner_vertex(c)]; },
      [&](Index c) { return soup.next_corner(c); },
      [&](std::span<const geometry::EdgeUse> uses) {
        ++health.edges;
        if (uses.size() == 1) {
          ++health.boundary_edges;
          const Index c = uses[0].corner;
          boundary.push_back(
              {merged[soup.corner_vertex(c)], merged[soup.corner_vertex(soup.next_corner(c))]});
        }
        if (uses.size() > 2) ++health.non_manifold_edges;
        if (uses.size() == 2 && uses[0].backward == uses[1].backward) ++health.inconsistent_edges;
      });
  health.boundaries = connected_sets(boundary, soup.vertex_count());
  health.closed = health.boundary_edges == 0 && health.non_manifold_edges == 0;
  health.oriented = health.inconsistent_edges == 0;
}

// Whether a face runs around the same corners as another one in the opposite direction.
bool is_reversed(std::vector<Index> face, std::vector<Index> other) {
  const auto from_smallest = [](std::vector<Index>& f) {
    std::rotate(f.begin(), std::min_element(f.begin(), f.end()), f.end());
  };
  from_smallest(face);
  from_smallest(other);
  if (face == other) return false;  // both, if it has repeated corners
  std::reverse(other.begin() + 1, other.end());
  return face == other;
}

// Counts faces with the same set of positions: sorted by a hash, then compared in full.
void examine_duplicates(const PolygonSoup& soup, const std::vector<Index>& merged, Health& health) {
  const auto positions = [&](Index f, std::vector<Index>& set) {
    set.clear();
    for (Index v : soup.face(f)) set.push_back(merged[v]);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  };
  struct Keyed {
    std::uint64_t hash;
    Index face;
  };
  std::vector<Keyed> faces(soup.face_count());
  std::vector<Index> set, other;
  for (Index f = 0; f < soup.face_count(); ++f) {
    positions(f, set);
    std::uint64_t hash = set.size();
    for (Index v : set) {
      hash = (hash ^ v) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    faces[f] = {hash, f};
  }
  std::sort(faces.begin(), faces.end(), [](const Keyed& a, const Keyed& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.face < b.face;
  });

  // A face is compared only with its predecessor: equal hashes of different sets practically never
  // occur, and would at worst hide a duplicate from this count.
  const auto corners = [&](Index f) {
    std::vector<Index> around;
    for (const Index v : soup.face(f)) around.push_back(merged[v]);
    return around;
  };
  std::size_t first = 0;  // of the faces with this set
  for (std::size_t k = 1; k < faces.size(); ++k) {
    bool same = faces[k].hash == faces[k - 1].hash;
    if (same) {
      positions(faces[k].face, set);
      positions(faces[k - 1].face, other);
      same = set == other;
    }
    if (!same) {
      first = k;
      continue;
    }
    ++health.duplicate_faces;
    if (is_reversed(corners(faces[k].face), corners(faces[first].face))) ++health.opposite_faces;
  }
}

}  // namespace

Health examine(const PolygonSoup& soup) {
  Health health;
  const std::vector<Index> merged = geometry::merge_equal_positions(soup.vertices());
  examine_vertices(soup, merged, health);
  examine_shapes(soup, health);
  examine_edges(soup, merged, health);
  examine_duplicates(soup, merged, health);
  return health;
}

}  // namespace touche
