// SPDX-License-Identifier: Apache-2.0
// Writes what --help says for shells and for man.
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace touche::cli {

// `texts` as Program::texts gives them.

/// A script that bash-completion loads.
std::string bash_completion(const std::vector<CommandText>& texts);

/// A function that zsh loads.
std::string zsh_completion(const std::vector<CommandText>& texts);

/// Page 1 of a manual, in roff: the program's, if `command` is its own text, else that command's.
std::string manual_page(const std::vector<CommandText>& texts, const CommandText& command,
                        const std::string& version);

}  // namespace touche::cli
