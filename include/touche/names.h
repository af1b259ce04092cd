// SPDX-License-Identifier: Apache-2.0
// Names of the values of enumerations, as the program, its files and its pages spell them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace touche {

/// The names of an enumeration's values in their order. An enumeration that has names specialises
/// this right after its definition; its values are numbered from 0 without gaps.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kNames{};

/// An enumeration that has names.
template <typename Enum>
concept Named = !kNames<Enum>.empty();

template <Named Enum>
[[nodiscard]] constexpr std::span<const std::string_view> names() {
  return kNames<Enum>;
}

/// The name of one value; empty for a number that is none of the enumeration's values.
template <Named Enum>
[[nodiscard]] constexpr std::string_view name(Enum value) {
  const auto number = static_cast<std::size_t>(value);
  return number < kNames<Enum>.size() ? kNames<Enum>[number] : std::string_view{};
}

}  // namespace touche
