// SPDX-License-Identifier: Apache-2.0
// Objects as meshes of assembly and animation files.
#pragma once

#include "touche/io.h"
#include "touche/object.h"

namespace touche::simulation {

/// The faces and vertices of an object, and its name.
[[nodiscard]] AssemblyMesh mesh_of(const Object& object);

}  // namespace touche::simulation
