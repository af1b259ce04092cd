// SPDX-License-Identifier: Apache-2.0
// The plots of a report, as SVG.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Plots the clearance along the path for the pairs that come closest: lines where the path was
/// followed, dots at the recorded poses, and an area for the proved clearance of all pairs. Below,
/// a strip shows the status of each step with the contacts.
std::string clearance_plot(const StudyResult& result);

/// Plots the number of node pairs and triangle pairs that were tested in each step.
std::string work_plot(const StudyResult& result);

const char* status_colour(StepStatus status);

}  // namespace touche::study
