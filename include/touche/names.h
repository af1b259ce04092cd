// SPDX-License-Identifier: Apache-2.0
// Names of the values of enumerations, as used by the command-line program, its files and its
// pages.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace touche {

/// The names of an enumeration's values, in order. A named enumeration specialises this right after
/// its definition; its values are numbered from 0 without gaps.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kNames{};

/// An enumeration whose values have names.
template <typename Enum>
concept Named = !kNames<Enum>.empty();

template <Named Enum>
[[nodiscard]] constexpr std::span<const std::string_view> names() {
  return kNames<Enum>;
}

/// The name of a value; empty for a number that is not a value of the enumeration.
template <Named Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  const auto number = static_cast<std::size_t>(value);
  return number < kNames<Enum>.size() ? kNames<Enum>[number] : std::string_view{};
}

}  // namespace touche
