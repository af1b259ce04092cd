// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "mesh_builder.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

/// The second torus stands upright. Exchanging coordinates keeps every digit, a turn by 90° would
/// not.
PolygonSoup upright(const PolygonSoup& flat) {
  MeshBuilder mesh;
  for (const Vec3& p : flat.vertices()) mesh.vertex({p.x(), p.z(), -p.y()});
  for (Index f = 0; f < flat.face_count(); ++f) mesh.face(flat.face(f));
  return mesh.soup();
}

}  // namespace

Scene tori(ToriPose pose, Index segments) {
  // A multiple of four has vertices on the axes. The ring needs more segments than the tube, or
  // the neighbours of the touching vertices would meet first.
  const Index around = 4 * std::max<Index>(2, segments / 4);
  const Index tube = 4 * std::max<Index>(1, segments / 8);
  const PolygonSoup flat = torus(1, 0.25, around, tube);

  Scene scene;
  scene.tolerance = 1e-6;
  double x = 1;  // of the second torus' centre: its tube runs through the first one's middle
  switch (pose) {
    case ToriPose::touching:  // from inside: −0.75 of the first, x − 1.25 of the second
      scene.title = "Two interlocked tori, touching";
      scene.truth = Truth::initially_touching;
      x = 0.5;
      break;
    case ToriPose::overlapping:
      scene.title = "Two interlocked tori, overlapping";
      scene.truth = Truth::initially_touching;
      x = 0.4;
      break;
    case ToriPose::interlocked:
      scene.title = "Two interlocked tori, free";
      break;
  }
  scene.parts.push_back({"lying torus", flat, {}});
  scene.parts.push_back({"standing torus", upright(flat), Pose::from_translation({x, 0, 0})});
  scene.clearance_threshold = 1;
  scene.groups.push_back({"lying torus", {0}, RecordedMotion{{Pose(), Pose()}, {}}});
  return scene;
}

}  // namespace touche::scenes
