// SPDX-License-Identifier: Apache-2.0
// Recorded motions as a file that any viewer plays. Link target touche::io.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "touche/io.h"
#include "touche/pose.h"

namespace touche {

/// A body and where it was: at poses[i] at times[i], which are seconds, at least 0 and increasing.
/// One pose and no times: it stands still.
struct AnimatedBody {
  std::string name;
  Index mesh = kNone;  ///< of Animation::meshes, which any number of bodies may share
  std::vector<double> times;
  std::vector<Pose> poses;
};

struct Animation {
  std::string name;
  std::vector<AssemblyMesh> meshes;
  std::vector<AnimatedBody> bodies;
  double metres_per_unit = 1;  ///< of all lengths; > 0
  Vec3 up = Vec3::UnitZ();     ///< any length but 0
};

/// Writes binary glTF 2.0 (.glb) with one animation: a node for each body, below one that brings
/// lengths to metres and `up` to y, as glTF has them. Each mesh is written once. Viewers
/// interpolate as Motion::through does, linearly and by slerp; numbers become single precision.
/// Where poses stay the same, only the first and the last are written, as where instants are the
/// same in single precision.
///
/// Throws InvalidInput naming the body for times and poses that are not as above, and LoadError as
/// save_assembly does.
void save_animation(const Animation& animation, const std::filesystem::path& file);

}  // namespace touche
