// SPDX-License-Identifier: Apache-2.0
// The plots of a report, as SVG.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Clearance along the path for the pairs that come closest, with the threshold, and the status of
/// each step below.
std::string clearance_plot(const StudyView& view);

/// Clearance over the whole path, with the proved bound, and the contacts below. Needs paths.
std::string path_plot(const StudyView& view);

/// Pairs of nodes and of triangles looked at, step by step.
std::string work_plot(const StudyResult& result);

const char* status_colour(StepStatus status);

}  // namespace touche::study
