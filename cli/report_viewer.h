// SPDX-License-Identifier: Apache-2.0
// The viewer that report.html contains. Implemented in view.cpp, or in no_view.cpp without the
// viewer.
#pragma once

#include <string>

namespace touche {
struct ClashResult;
struct HandleResult;
struct SimulationResult;
struct StudyResult;
}  // namespace touche

namespace touche::cli {

inline constexpr const char* kNoViewerHelp =
    "Leave the viewer out of report.html, which is smaller then";

/// The text for PageNotes::viewer; empty in a program without the viewer.
std::string report_viewer_text(const StudyResult& result);
std::string report_viewer_text(const ClashResult& result);
std::string report_viewer_text(const SimulationResult& result);
std::string report_viewer_text(const HandleResult& result);

}  // namespace touche::cli
