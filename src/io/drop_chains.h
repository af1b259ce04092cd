// SPDX-License-Identifier: Apache-2.0
// Leaves out what the user of a drawing does not want: open marks, and loops as small as a kerf.
#pragma once

#include <string>
#include <vector>

#include "io/drawn_twice.h"
#include "touche/outline_file.h"

namespace touche::io {

/// Removes open chains and small loops as the options say, together with their errors. Returns a
/// sentence for each of the two if there are any.
std::vector<std::string> drop_chains(std::vector<plane::Chain>& chains,
                                     std::vector<ChainError>& errors,
                                     const OutlineOptions& options);

}  // namespace touche::io
