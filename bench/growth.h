// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "touche/types.h"

namespace touche::bench {

/// Bumpy spheres of 10³ triangles and more, half a decade apart, up to `most`: written to a file,
/// loaded, built and queried, each in a process of its own so that its peak memory is known. The
/// lines are printed immediately, and written to `csv`.
void measure_growth(Index most, const std::filesystem::path& csv);

}  // namespace touche::bench
