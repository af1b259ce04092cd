// SPDX-License-Identifier: Apache-2.0
// Parts that touch by design: which may, and what is said about those that do.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Whether these parts may touch; part_a < part_b.
bool is_allowed(const Study& study, std::size_t part_a, std::size_t part_b);

/// " Allowed: flange and spigot touch from the start to 12.5 % of the path, overlap 0.05 mm or more
/// (slide fit)." and the same for parts that touch at the start and come apart; empty when there
/// are none.
std::string allowed_sentences(const StudyView& view);

}  // namespace touche::study
