// SPDX-License-Identifier: Apache-2.0
// Turns an assembly into the parts of a clash check: which nodes share a mesh, and the pose of each
// node.
#pragma once

#include <map>
#include <vector>

#include "touche/clash.h"
#include "touche/io.h"

namespace touche::clash {

/// Adds the nodes in [begin, end) that have meshes, with `prefix` before their names. Objects are
/// made in parallel. Nodes that cannot be read or placed are left out and named. Throws LoadError
/// naming the node, if that leaves nothing, and for copies of meshes out of proportion to the file.
void add_assembly(const Assembly& assembly, Index begin, Index end, const std::string& prefix,
                  ClashParts& parts);

/// The group of a part: its name without the last path component.
std::string group_of(const std::string& name);

}  // namespace touche::clash
