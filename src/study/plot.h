// SPDX-License-Identifier: Apache-2.0
// The plots of a report, as SVG.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Clearance along the path for the pairs that come closest, as followed (lines) and at the
/// recorded poses (dots), with what all pairs are proved to keep (area); below it the status of
/// each step with the contacts.
std::string clearance_plot(const StudyView& view);

/// Pairs of nodes and of triangles looked at, step by step.
std::string work_plot(const StudyResult& result);

const char* status_colour(StepStatus status);

}  // namespace touche::study
