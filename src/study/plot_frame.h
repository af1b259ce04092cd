// SPDX-License-Identifier: Apache-2.0
// The plane that the plots of a report share: s runs from left to right.
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

/// Draws what is known of each step as a strip of height kStrip below y; the part of a step before
/// its contact is free. Neighbours that are alike are joined.
void status_strip(std::string& out, const StudyView& view, double y);

/// Draws what whole paths tell, likewise: contacts from their beginnings to their ends, where a
/// part is inside another, and what is not decided. All else is free. Contacts that are allowed do
/// not count.
void path_strip(std::string& out, const StudyView& view, double y);

}  // namespace touche::study
