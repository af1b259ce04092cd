// SPDX-License-Identifier: Apache-2.0
// The frame that all plots of a report share: s runs from left to right.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>

#include "touche/study.h"

namespace touche::study {

inline constexpr double kPlotWidth = 860, kLeft = 66, kRight = 14, kStrip = 12;  // px

inline double x_of(double s) { return kLeft + s * (kPlotWidth - kLeft - kRight); }

template <class... Values>
void add(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  out += fmt::format(format, std::forward<Values>(values)...);
}

/// Writes the marks of s below an axis at y.
void s_axis(std::string& out, double y);

/// Draws the status of each step as a strip of height kStrip below y. The part of a step before its
/// contact is free. Adjacent steps with equal status are joined.
void status_strip(std::string& out, const StudyResult& result, double y);

/// Draws the same kind of strip from whole paths: contacts from beginning to end, intervals with a
/// part inside another one, and undecided intervals. Everything else is free. Allowed contacts do
/// not count.
void path_strip(std::string& out, const StudyResult& result, double y);

}  // namespace touche::study
