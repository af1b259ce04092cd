// SPDX-License-Identifier: Apache-2.0
// Lengths with a unit, as in --clearance 2mm.
#pragma once

#include <string>
#include <string_view>

namespace touche::cli {

/// Whether this is a unit of length, as one of Study::unit.
bool is_unit(std::string_view text);

/// The length in `unit` (see Study::unit): "2mm", "0.5 in", or a number alone, which is in `unit`.
/// An empty unit is not known: then only a number will do. Throws InvalidInput naming the option
/// for what is no length >= 0.
double parse_length(const std::string& text, const std::string& unit, const std::string& option);

}  // namespace touche::cli
