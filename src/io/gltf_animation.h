// SPDX-License-Identifier: Apache-2.0
// Animations of glTF: where nodes are at a time.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/gltf_accessor.h"
#include "touche/io.h"

namespace touche::io {

/// What an animation says of a node; all else is as at rest.
struct NodePose {
  std::optional<Vec3> translation, scale;
  std::optional<Eigen::Quaterniond> rotation;
  std::optional<bool> morphed;  ///< whether a weight of its morph targets is not 0
};

/// The quaternion of numbers x, y, z, w. Throws LoadError at `where` unless its length is 1.
Eigen::Quaterniond unit_quaternion(const JsonCursor& where, const std::array<double, 4>& xyzw);

/// The animations of a file with unique names: a second "walk" is called "walk#2".
class GltfAnimations {
 public:
  explicit GltfAnimations(const JsonCursor& root);

  bool empty() const { return animations_.empty(); }
  /// Names and times, which are 0 where the file does not say them.
  std::vector<FileAnimation> list() const;
  /// Poses of nodes by their numbers. Throws LoadError when there is no such animation, and for
  /// what cannot be read of it.
  std::map<std::size_t, NodePose> poses(const AnimationTime& at, std::size_t node_count,
                                        GltfBuffers& buffers) const;

 private:
  JsonCursor root_;
  std::vector<JsonCursor> animations_;
  std::vector<std::string> names_;
};

/// "its animations are not used: ...", naming some of them.
std::string unused_animations(const std::vector<FileAnimation>& animations);

}  // namespace touche::io
