// SPDX-License-Identifier: Apache-2.0
// The viewer that report.html contains. Implemented in view.cpp, or in no_view.cpp without the
// viewer.
#pragma once

#include <string>

namespace touche {
struct ClashView;
struct HandleView;
struct SimulationView;
struct StudyView;
}  // namespace touche

namespace touche::cli {

inline constexpr const char* kNoViewerHelp =
    "Leave the viewer out of report.html, which is smaller then";

/// The text for PageNotes::viewer; empty in a program without the viewer.
std::string report_viewer_text(const StudyView& view);
std::string report_viewer_text(const ClashView& view);
std::string report_viewer_text(const SimulationView& view);
std::string report_viewer_text(const HandleView& view);

}  // namespace touche::cli
