// SPDX-License-Identifier: Apache-2.0
// The library's internal access to the private data of its public classes.
#pragma once

#include <memory>
#include <utility>

namespace touche {

/// A friend of the classes that hide their data behind a pointer.
struct DataAccess {
  template <typename T>
  static const auto& data(const T& value) {
    return *value.data_;
  }
  /// Of an Interior; null unless it is that of a convex shape.
  template <typename T>
  static const auto* solid(const T& value) {
    return value.solid_.get();
  }
  template <typename T>
  static auto& mutable_data(T& value) {
    return *value.data_;
  }
  /// Another handle of the same data, which it keeps alive.
  template <typename T>
  static T share(const T& value) {
    return T(value.data_);
  }
  template <typename T, typename Data>
  static T make(std::shared_ptr<const Data> data) {
    return T(std::move(data));
  }
};

}  // namespace touche

namespace touche::base {

template <typename T>
const auto& data_of(const T& value) {
  return DataAccess::data(value);
}

}  // namespace touche::base
