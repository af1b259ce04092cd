// SPDX-License-Identifier: Apache-2.0
#include "simulation/object_mesh.h"

namespace touche::simulation {

AssemblyMesh mesh_of(const Object& object) {
  const PolygonSoup& soup = object.soup();
  AssemblyMesh mesh;
  mesh.name = object.name();
  for (const Vec3& v : soup.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  return mesh;
}

}  // namespace touche::simulation
