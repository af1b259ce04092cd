// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace touche::clash {

/// A unit of length, as Study::unit.
struct LengthUnit {
  std::string_view name;
  double metres;
};

/// Throws InvalidInput for a name that is unknown.
const LengthUnit& length_unit(std::string_view name);

}  // namespace touche::clash
