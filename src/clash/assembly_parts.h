// SPDX-License-Identifier: Apache-2.0
// The parts of an assembly for a clash check: which nodes share a mesh, and where each stands.
#pragma once

#include <map>
#include <vector>

#include "touche/clash.h"
#include "touche/io.h"

namespace touche::clash {

/// Adds the nodes from `begin` to before `end` that have meshes; `prefix` comes before their names.
/// Objects are made in parallel. Throws LoadError naming the node.
void add_assembly(const Assembly& assembly, Index begin, Index end, const std::string& prefix,
                  ClashParts& parts);

/// The group of a part: its name without the last step.
std::string group_of(const std::string& name);

}  // namespace touche::clash
