// SPDX-License-Identifier: Apache-2.0
// What `touche info` says about a mesh file.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "touche/file_frame.h"
#include "touche/io.h"
#include "touche/object.h"
#include "two_objects.h"

namespace touche::cli {

struct MeshInfo {
  std::string file;
  std::string unit;  ///< of the coordinates without the scale; empty: not in the file
  double scale = 1;  ///< of --scale
  FileFrame frame;   ///< with the scale
  /// Paths of the nodes, each with the number of the node's own faces; empty: the file is one mesh.
  std::vector<std::pair<std::string, std::size_t>> nodes = {};
  /// Paths of the nodes whose meshes are not in the soup, with the reasons.
  std::vector<std::pair<std::string, std::string>> left_out = {};
  /// Names of the objects of a file that is not split, if there are several.
  std::vector<std::string> objects = {};
  std::vector<FileAnimation> animations = {};
};

/// The first names, or all, and how many are left out.
std::string listed(std::span<const std::string> names, bool all);

/// Everything that is known.
Json mesh_json(const MeshInfo& info, const Object& object, bool self_intersections);

/// At most 40 lines, or everything if `all` is set.
void print_mesh(const MeshInfo& info, const Object& object, bool self_intersections, bool all);

}  // namespace touche::cli
