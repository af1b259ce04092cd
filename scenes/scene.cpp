// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numbers>

#include "mesh_builder.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

Motion as_motion(const RecordedMotion& m) { return Motion::through(m.poses, m.times); }

Motion as_motion(const ScrewMotion& m) {
  return Motion::screw({}, m.point, m.axis, 2 * std::numbers::pi * m.turns, m.turns * m.pitch);
}

Motion as_motion(const TranslationMotion& m) {
  return Motion::interpolated({}, Pose::from_translation(m.by));
}

Motion as_motion(const HandMotion& m) {
  std::vector<double> times = m.times;
  for (double& t : times) t /= m.times.back();
  return Motion::through(m.poses, times);
}

}  // namespace

Motion motion_of(const SceneGroup& group) {
  return std::visit([](const auto& m) { return as_motion(m); }, group.motion);
}

Motion motion_of(const Scene& scene, std::size_t part) {
  for (const SceneGroup& group : scene.groups)
    if (std::find(group.parts.begin(), group.parts.end(), part) != group.parts.end())
      return motion_of(group);
  return Motion::at({});
}

PolygonSoup placed(const ScenePart& part) {
  MeshBuilder mesh;
  mesh.add(part.soup, part.pose);
  return mesh.soup();
}

}  // namespace touche::scenes
