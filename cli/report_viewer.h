// SPDX-License-Identifier: Apache-2.0
// The viewer inside report.html. view.cpp or no_view.cpp brings it.
#pragma once

#include <string>

#include "touche/clash.h"
#include "touche/handle.h"
#include "touche/simulation.h"
#include "touche/study.h"

namespace touche::cli {

inline constexpr const char* kNoViewerHelp =
    "Leave the viewer out of report.html, which is smaller then";

/// For PageNotes::viewer; empty in a program without a viewer.
std::string report_viewer_text(const StudyView& view);
std::string report_viewer_text(const ClashView& view);
std::string report_viewer_text(const SimulationView& view);
std::string report_viewer_text(const HandleView& view);

}  // namespace touche::cli
