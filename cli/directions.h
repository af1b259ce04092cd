// SPDX-License-Identifier: Apache-2.0
// Names of bounding volumes, and files of directions for k-DOPs.
#pragma once

#include <string>
#include <vector>

#include "program.h"
#include "touche/types.h"

namespace touche::cli {

/// Reads one direction per line: three numbers separated by commas or blanks. Ignores empty lines
/// and anything after a #. Throws LoadError naming the line.
std::vector<Vec3> load_directions(const std::string& file);

/// All values of --volume, separated by commas.
std::string volume_list();

/// Adds the option that names such a file.
Option add_directions(Command& command, std::string& file);

}  // namespace touche::cli
