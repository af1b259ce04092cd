// SPDX-License-Identifier: Apache-2.0
// Lengths with a unit on the command line, as in --clearance 2mm.
#pragma once

#include <string>
#include <string_view>

namespace touche::cli {

/// Returns whether the text is a unit of length, see Study::unit.
bool is_unit(std::string_view text);

/// Parses a length and converts it to `unit` (see Study::unit): "2mm", "0.5 in", or a number alone,
/// which is in `unit`. If `unit` is empty (unknown), only a number alone is valid. Throws
/// InvalidInput naming the option unless the result is a length >= 0.
double parse_length(const std::string& text, const std::string& unit, const std::string& option);

/// The unit that a length names; empty if it names none.
std::string unit_in(const std::string& length);

/// The length of a unit in metres. Throws InvalidInput for an unknown one.
double metres_in(const std::string& unit);

}  // namespace touche::cli
