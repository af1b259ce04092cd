// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.h"
#include "results.h"

namespace touche::bench {

/// Everything about one case: loads the peers of these names, verifies their answers, times those
/// that are right. Each timing lasts `seconds`, or one pass over all poses if that takes longer.
std::vector<Result> measure(const Case& scene, const std::vector<std::string>& names,
                            double seconds);

}  // namespace touche::bench
