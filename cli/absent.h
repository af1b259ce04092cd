// SPDX-License-Identifier: Apache-2.0
// Commands and options of components that this program was built without. cmake/program.cmake
// selects them.
#pragma once

#include <string>

#include "program.h"

namespace touche::cli {

/// The error message for a sub-command or option that this build lacks. `option`: the CMake option
/// that adds it, e.g. TOUCHE_CLASH.
std::string absent_error(const char* option);

/// Adds a command that only reports this error. --help, completion and manual pages omit it.
void add_absent(Program& program, const char* name, const char* option);

}  // namespace touche::cli
