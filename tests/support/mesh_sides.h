// SPDX-License-Identifier: Apache-2.0
// Meshes made of others, and of their faces the other way round.
#pragma once

#include <vector>

#include "touche/soup.h"

namespace touche::test {

/// One mesh of all, whose vertices stay apart.
inline PolygonSoup joined(const std::vector<PolygonSoup>& meshes) {
  std::vector<const PolygonSoup*> soups;
  for (const PolygonSoup& mesh : meshes) soups.push_back(&mesh);
  return merged(soups);
}

/// Each face the other way round.
inline PolygonSoup reversed(const PolygonSoup& mesh) {
  std::vector<double> xyz;
  std::vector<Index> corners, sizes;
  for (const Vec3& v : mesh.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (Index f = 0; f < mesh.face_count(); ++f) {
    corners.insert(corners.end(), mesh.face(f).rbegin(), mesh.face(f).rend());
    sizes.push_back(static_cast<Index>(mesh.face(f).size()));
  }
  return PolygonSoup(xyz, corners, sizes);
}

inline PolygonSoup from_both_sides(const PolygonSoup& mesh) {
  return joined({mesh, reversed(mesh)});
}

}  // namespace touche::test
