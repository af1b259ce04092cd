// SPDX-License-Identifier: Apache-2.0
// Recorded motions as animated glTF files, which common viewers can play. Link target touche::io.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "touche/io.h"
#include "touche/pose.h"

namespace touche {

/// A body and its recorded poses: it is at poses[i] at times[i]. Times are in seconds, >= 0 and
/// increasing. A body that stands still has one pose and no times.
struct AnimatedBody {
  std::string name;
  Index mesh = kNone;  ///< index into Animation::meshes; several bodies may share a mesh
  std::vector<double> times;
  std::vector<Pose> poses;
};

struct Animation {
  std::string name;
  std::vector<AssemblyMesh> meshes;
  std::vector<AnimatedBody> bodies;
  double metres_per_unit = 1;  ///< unit of all lengths, > 0
  Vec3 up = Vec3::UnitZ();     ///< any length except 0
};

/// Writes binary glTF 2.0 (.glb) with one animation. There is a node for each body, below a root
/// node that converts lengths to metres and `up` to y, as glTF requires. So load_assembly finds the
/// bodies where they are, in metres, if `up` is z, else with `up` turned to z. Each mesh is written
/// once.
/// Viewers interpolate as Motion::through does, linearly and by slerp; numbers become single
/// precision. Of consecutive equal poses, or of times that are equal in single precision, only the
/// first and the last are written.
///
/// Throws InvalidInput, naming the body, for invalid times and poses, and LoadError as
/// save_assembly does.
void save_animation(const Animation& animation, const std::filesystem::path& file);

}  // namespace touche
