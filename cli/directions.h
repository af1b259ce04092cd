// SPDX-License-Identifier: Apache-2.0
// Names of bounding volumes, and files of directions for k-DOPs.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/types.h"

namespace touche::cli {

/// A direction a line: three numbers with commas or blanks between them. Empty lines count for
/// nothing, nor does what follows a #. Throws LoadError naming the line.
std::vector<Vec3> load_directions(const std::string& file);

/// All names that --volume takes, with commas between them.
std::string volume_list();

/// The option that names such a file.
Option add_directions(Command& command, std::string& file);

}  // namespace touche::cli
