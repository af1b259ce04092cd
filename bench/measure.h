// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.h"
#include "results.h"

namespace touche::bench {

/// Runs one case: loads the peers of these names, verifies their answers, and times the peers that
/// are right. Each timing lasts `seconds`, or one run over all poses if that takes longer.
std::vector<Result> measure(const Case& scene, const std::vector<std::string>& names,
                            double seconds);

}  // namespace touche::bench
