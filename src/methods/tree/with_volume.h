// SPDX-License-Identifier: Apache-2.0
// From a volume's name to its type.
#pragma once

#include <string_view>
#include <type_traits>

#include "methods/bounds/all.h"

namespace touche::tree {

/// Calls f(std::type_identity<V>()) for the volume of this name. Returns whether there is one.
template <typename F>
bool with_volume(std::string_view name, F&& f) {
  const auto one = [&]<typename V>(std::type_identity<V> type) {
    if (V::kName != name) return false;
    f(type);
    return true;
  };
  return [&]<typename... V>(std::type_identity<std::tuple<V...>>) {
    return (one(std::type_identity<V>()) || ...);
  }(std::type_identity<bounds::AllVolumes>());
}

}  // namespace touche::tree
