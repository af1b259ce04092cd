// SPDX-License-Identifier: Apache-2.0
// The option --weld: up to which difference vertices at open edges are joined.
#pragma once

#include <optional>
#include <string>

#include "length.h"
#include "program.h"

namespace touche::cli {

/// Adds an option that takes a length.
inline void add_weld(Command& command, std::string& value) {
  command
      .add("--weld", value,
           "Join vertices at open edges whose coordinates differ by no more; 0: none (default: "
           "what rounding in the file causes)")
      .type_name("LENGTH");
}

/// The length in `unit`, see parse_length; none if the text is empty.
inline std::optional<double> parse_weld(const std::string& text, const std::string& unit) {
  if (text.empty()) return std::nullopt;
  return parse_length(text, unit, "--weld");
}

}  // namespace touche::cli
