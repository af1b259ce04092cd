// SPDX-License-Identifier: Apache-2.0
// Text for a page: escaping, and the ticks of an axis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touche::study {

/// For text and attribute values of HTML and SVG; control characters are dropped.
std::string escape(std::string_view text);

/// 1, 2 or 5 times a power of ten, at most `x`.
double round_down(double x);

/// Round values from 0 to `end`, about `count` of them.
std::vector<double> ticks(double end, int count);

/// Colours of the page, so that plots, pictures and tables agree.
namespace colour {
inline constexpr const char* kFree = "#3a8f5c";
inline constexpr const char* kContact = "#c8372d";
inline constexpr const char* kUndecided = "#d99a1c";
inline constexpr const char* kNotExamined = "#b9bec5";
inline constexpr const char* kInk = "#20262e";
inline constexpr const char* kFaint = "#6b7480";
inline constexpr const char* kRule = "#dfe3e8";
}  // namespace colour

}  // namespace touche::study
