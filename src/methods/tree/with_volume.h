// SPDX-License-Identifier: Apache-2.0
// From a volume's name to its type.
#pragma once

#include <string_view>
#include <type_traits>

#include "methods/bounds/all.h"
#include "methods/bounds/any_volume.h"

namespace touche::tree {

/// Calls f(std::type_identity<V>()) for the volume of this name, with V = AnyVolume for the volumes
/// that trees are not compiled for. Returns whether there is one.
template <typename F>
bool with_volume(std::string_view name, F&& f) {
  const auto one = [&]<typename V>(std::type_identity<V> type) {
    if (V::kName != name) return false;
    f(type);
    return true;
  };
  const bool compiled = [&]<typename... V>(std::type_identity<std::tuple<V...>>) {
    return (one(std::type_identity<V>()) || ...);
  }(std::type_identity<bounds::AllVolumes>());
  if (compiled) return true;
  if (bounds::find_kind(name) == nullptr) return false;
  f(std::type_identity<bounds::AnyVolume>());
  return true;
}

}  // namespace touche::tree
