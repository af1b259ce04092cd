// SPDX-License-Identifier: Apache-2.0
// Text for a page: escaping, and what plots are made of.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace touche::report {

/// For text and attribute values of HTML and SVG; control characters are dropped.
std::string escape(std::string_view text);

/// 1, 2 or 5 times a power of ten, at most `x`.
double round_down(double x);

/// Round values from 0 to `end`, about `count` of them.
std::vector<double> ticks(double end, int count);

/// The opening tag of a plot.
std::string begin_plot(double width, double height, std::string_view label);

void add_line(std::string& out, double x1, double y1, double x2, double y2, const char* stroke,
              const char* more = "");

/// `anchor`: start, middle or end.
void add_text(std::string& out, double x, double y, const char* anchor, std::string_view content);

/// Colours of the page, shared by plots, pictures and tables. The variables are defined in the
/// page's style, and differ in dark mode.
namespace colour {
inline constexpr const char* kFree = "#3a8f5c";
inline constexpr const char* kContact = "#c8372d";
inline constexpr const char* kUndecided = "#d99a1c";
inline constexpr const char* kNotExamined = "#b9bec5";
inline constexpr const char* kInk = "var(--ink)";
inline constexpr const char* kFaint = "var(--faint)";
inline constexpr const char* kRule = "var(--rule)";
inline constexpr const char* kPale = "#9dbbd6";
/// The colours of curves that are compared.
inline constexpr std::array<const char*, 9> kCurves = {
    "var(--curve1)", "var(--curve2)", "var(--curve3)", "var(--curve4)", "var(--curve5)",
    "var(--curve6)", "var(--curve7)", "var(--curve8)", "var(--ink)"};
}  // namespace colour

}  // namespace touche::report
