// SPDX-License-Identifier: Apache-2.0
#include "clash/units.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "touche/types.h"

namespace touche::clash {
namespace {

constexpr std::array<LengthUnit, 6> kLengthUnits = {
    {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}}};

}  // namespace

const LengthUnit& length_unit(std::string_view name) {
  std::string known;
  for (const LengthUnit& unit : kLengthUnits) {
    if (unit.name == name) return unit;
    known += (known.empty() ? "" : ", ") + std::string(unit.name);
  }
  throw InvalidInput(fmt::format("unknown unit \"{}\"; expected one of: {}", name, known));
}

}  // namespace touche::clash
