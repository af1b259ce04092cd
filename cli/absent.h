// SPDX-License-Identifier: Apache-2.0
// Commands and options of components that this program was built without. cmake/program.cmake
// selects them.
#pragma once

#include <string>

#include "program.h"

namespace touche::cli {

/// The error of whoever asks for them. `option`: of CMake, e.g. TOUCHE_CLASH.
std::string absent_error(const char* option);

/// A command that only says so. --help does not name it, nor do completion and manual pages.
void add_absent(Program& program, const char* name, const char* option);

}  // namespace touche::cli
