// SPDX-License-Identifier: Apache-2.0
// Writes the contents of --help as shell completion and as manual pages.
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace touche::cli {

// `texts`: the result of Program::texts.

/// A script for bash-completion.
std::string bash_completion(const std::vector<CommandText>& texts);

/// A completion function for zsh.
std::string zsh_completion(const std::vector<CommandText>& texts);

/// A manual page of section 1 in roff: of the program if `command` is the program's own text, else
/// of the command.
std::string manual_page(const std::vector<CommandText>& texts, const CommandText& command,
                        const std::string& version);

}  // namespace touche::cli
