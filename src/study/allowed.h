// SPDX-License-Identifier: Apache-2.0
// Contacts that a study allows: which pairs may touch, and how a report describes the contacts
// found.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Returns whether these parts may touch; requires part_a < part_b.
bool is_allowed(const Study& study, std::size_t part_a, std::size_t part_b);

/// " Allowed: flange and spigot touch from the start to 12.5 % of the path, overlap 0.05 mm or more
/// (slide fit)." Also lists the parts that touch at the start and separate later. Empty if there
/// are neither.
std::string allowed_sentences(const StudyResult& result);

}  // namespace touche::study
