// SPDX-License-Identifier: Apache-2.0
// A position in a JSON document that knows its path, so that each error can name it.
#pragma once

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/types.h"

namespace touche::io {

/// Numbers beyond this are errors: their squares must stay finite.
inline constexpr double kLargestNumber = 1e90;

class JsonCursor {
 public:
  /// Parses; throws LoadError for bad syntax (with line and column) and for duplicate keys.
  static JsonCursor parse(std::string_view text, const std::string& file);

  [[noreturn]] void fail(const std::string& reason) const;
  const std::string& path() const { return path_; }
  std::string place() const;  ///< "my.json:/groups/0", as in errors

  /// Fails unless this is an object with no other keys than these.
  void expect_keys(std::span<const std::string_view> keys) const;
  void expect_keys(std::initializer_list<std::string_view> keys) const {
    expect_keys(std::span(keys.begin(), keys.size()));
  }

  std::vector<std::string> keys() const;  ///< of an object
  bool has(std::string_view key) const { return value_->contains(key); }
  JsonCursor at(std::string_view key) const;  ///< fails when it is missing
  std::optional<JsonCursor> find(std::string_view key) const;
  std::vector<JsonCursor> items(std::size_t at_least) const;  ///< of an array

  double number() const;
  double positive_number() const;
  std::size_t count(std::size_t at_most) const;  ///< an integer from 1 to at_most
  std::size_t below(std::size_t end) const;      ///< an integer from 0 to end - 1
  std::string text() const;                      ///< not empty
  std::string text_or_empty() const;
  bool boolean() const;
  bool is_text() const { return value_->is_string(); }
  Vec3 vector() const;
  std::vector<double> numbers(std::size_t count) const;
  std::string json() const;  ///< on one line; numbers read back as the same

 private:
  using Json = nlohmann::json;
  JsonCursor(std::shared_ptr<const Json> document, const Json* value,
             std::shared_ptr<const std::string> file, std::string path)
      : document_(std::move(document)),
        value_(value),
        file_(std::move(file)),
        path_(std::move(path)) {}
  JsonCursor child(const Json& value, std::string_view key) const;

  std::shared_ptr<const Json> document_;
  const Json* value_;
  std::shared_ptr<const std::string> file_;
  std::string path_;  // a JSON pointer; empty for the whole document
};

}  // namespace touche::io
