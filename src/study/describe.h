// SPDX-License-Identifier: Apache-2.0
// How things are called in results: features, numbers, pairs.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// "vertex 7", "edge 3–4" (its vertices) or "face".
std::string describe(const Feature& feature, const PolygonSoup& soup);

/// "nut face 12 (vertex 7) touches bolt face 80 (edge 3–4)".
std::string describe_contact(const StudyView& view, const PairStep& pair);

/// A length with its unit, to about four digits.
std::string length(const Study& study, double value);

/// The smallest measured clearance of all; null when there is none.
const Clearance* smallest_clearance(const StudyResult& result);

}  // namespace touche::study
