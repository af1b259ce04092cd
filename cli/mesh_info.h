// SPDX-License-Identifier: Apache-2.0
// What `touche info` says about a mesh file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "touche/object.h"
#include "two_objects.h"

namespace touche::cli {

struct MeshInfo {
  std::string file;
  std::string unit;  ///< of the coordinates; empty: not known
  Object object;
  /// Paths of the nodes, each with the number of the node's own faces; empty: the file is one mesh.
  std::vector<std::pair<std::string, std::size_t>> nodes;
  /// Names of the objects of a file that is not split, if there are several.
  std::vector<std::string> objects;
};

/// Everything that is known.
Json mesh_json(const MeshInfo& info, bool self_intersections);

/// At most 40 lines, or everything if `all` is set.
void print_mesh(const MeshInfo& info, bool self_intersections, bool all);

}  // namespace touche::cli
