// SPDX-License-Identifier: Apache-2.0
// Cells of comma-separated tables.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>

namespace touche::report {

/// Quotes a text where a spreadsheet needs it (RFC 4180).
inline std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// Nothing for what is not finite; 0 for -0.
inline std::string cell(double x) {
  return std::isfinite(x) ? fmt::format("{}", x + 0.0) : std::string();
}

}  // namespace touche::report
