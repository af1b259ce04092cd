// SPDX-License-Identifier: Apache-2.0
#include "io/json_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/encoding.h"

namespace touche::io {
namespace {

using Json = nlohmann::json;

// "line 3, column 7" of the byte a parser stopped at.
std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n');
  const std::size_t column =
      before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

// The library's message without its own prefix and position.
std::string reason_of(const std::string& message) {
  std::size_t start = message.find("] ");
  start = start == std::string::npos ? 0 : start + 2;
  if (const std::size_t column = message.find("column ", start); column != std::string::npos)
    if (const std::size_t colon = message.find(": ", column); colon != std::string::npos)
      start = colon + 2;
  return message.substr(start);
}

// Escapes a key for a JSON pointer (RFC 6901).
std::string pointer_step(std::string_view key) {
  std::string result;
  for (const char c : key) {
    if (c == '~')
      result += "~0";
    else if (c == '/')
      result += "~1";
    else
      result += c;
  }
  return result;
}

// Limit for the nesting of values. No format here needs more, and deeper values use up the stack of
// recursive readers.
constexpr int kMostLevels = 500;

// Throws for a duplicate key in an object, of which the later one would silently take effect, and
// for values nested too deep. Parses separately, because the library's callback for this takes time
// quadratic in the length of an array.
class KeyWatch : public nlohmann::json_sax<Json> {
 public:
  explicit KeyWatch(const std::string& file) : file_(file) {}

  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return go_down();
  }
  bool end_object() override {
    keys_.pop_back();
    return go_up();
  }
  bool key(std::string& key) override {
    if (!keys_.back().insert(key).second)
      throw LoadError(file_, "", "the key \"" + key + "\" is there twice");
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_array(std::size_t) override { return go_down(); }
  bool end_array() override { return go_up(); }
  // Syntax errors are reported by the parser that runs afterwards.
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;
  }

 private:
  bool go_down() {
    if (++level_ > kMostLevels)
      throw LoadError(file_, "",
                      fmt::format("values are nested more than {} levels deep", kMostLevels));
    return true;
  }
  bool go_up() {
    --level_;
    return true;
  }

  const std::string& file_;
  std::vector<std::set<std::string>> keys_;
  int level_ = 0;
};

}  // namespace

JsonCursor JsonCursor::parse(std::string_view text, const std::string& file) {
  expect_utf8(text, file);
  KeyWatch watch(file);
  Json::sax_parse(text.begin(), text.end(), &watch);
  try {
    auto document = std::make_shared<const Json>(Json::parse(text.begin(), text.end()));
    const Json* root = document.get();
    return JsonCursor(std::move(document), root, std::make_shared<const std::string>(file), "");
  } catch (const Json::parse_error& e) {
    throw LoadError(file, line_and_column(text, e.byte), reason_of(e.what()));
  } catch (const Json::exception& e) {
    throw LoadError(file, "", reason_of(e.what()));
  }
}

void JsonCursor::fail(const std::string& reason) const {
  throw LoadError(*file_, path_.empty() ? "/" : path_, reason);
}

std::string JsonCursor::place() const { return *file_ + ":" + (path_.empty() ? "/" : path_); }

JsonCursor JsonCursor::child(const Json& value, std::string_view key) const {
  return JsonCursor(document_, &value, file_, path_ + "/" + pointer_step(key));
}

void JsonCursor::expect_keys(std::span<const std::string_view> keys) const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", value_->type_name()));
  for (const auto& [key, value] : value_->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      child(value, key)
          .fail(fmt::format("unknown key; expected one of: {}",
                            fmt::join(keys.begin(), keys.end(), ", ")));
}

std::vector<std::string> JsonCursor::keys() const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", value_->type_name()));
  std::vector<std::string> result;
  for (const auto& [key, value] : value_->items()) result.push_back(key);
  return result;
}

JsonCursor JsonCursor::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail(fmt::format("the key \"{}\" is missing", key));
}

std::optional<JsonCursor> JsonCursor::find(std::string_view key) const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", value_->type_name()));
  const auto found = value_->find(key);
  if (found == value_->end()) return std::nullopt;
  return child(*found, key);
}

std::vector<JsonCursor> JsonCursor::items(std::size_t at_least) const {
  if (!value_->is_array()) fail(fmt::format("expected an array, found {}", value_->type_name()));
  if (value_->size() < at_least)
    fail(fmt::format("{} {}, expected at least {}", value_->size(),
                     value_->size() == 1 ? "entry" : "entries", at_least));
  std::vector<JsonCursor> result;
  result.reserve(value_->size());
  for (const Json& value : *value_) result.push_back(child(value, std::to_string(result.size())));
  return result;
}

double JsonCursor::number() const {
  if (!value_->is_number()) fail(fmt::format("expected a number, found {}", value_->type_name()));
  const double x = value_->get<double>();
  if (!(std::abs(x) <= kLargestNumber)) fail(fmt::format("{} is too large", x));
  return x;
}

double JsonCursor::positive_number() const {
  const double x = number();
  if (!(x > 0)) fail(fmt::format("{}, expected more than 0", x));
  // Half of it, or a share, would be 0.
  if (x < std::numeric_limits<double>::min()) fail(fmt::format("{} is too small", x));
  return x;
}

std::size_t JsonCursor::count(std::size_t at_most) const {
  const double x = number();
  if (!(x >= 1 && x <= static_cast<double>(at_most)) || x != std::floor(x))
    fail(fmt::format("{}, expected an integer from 1 to {}", x, at_most));
  return static_cast<std::size_t>(x);
}

std::size_t JsonCursor::below(std::size_t end) const {
  const double x = number();
  if (!(x >= 0 && x < static_cast<double>(end)) || x != std::floor(x))
    fail(fmt::format("{}, expected an integer from 0 to below {}", x, end));
  return static_cast<std::size_t>(x);
}

std::string JsonCursor::text() const {
  auto result = text_or_empty();
  if (result.empty()) fail("the string is empty");
  return result;
}

std::string JsonCursor::text_or_empty() const {
  if (!value_->is_string()) fail(fmt::format("expected a string, found {}", value_->type_name()));
  return value_->get<std::string>();
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean())
    fail(fmt::format("expected true or false, found {}", value_->type_name()));
  return value_->get<bool>();
}

std::vector<double> JsonCursor::numbers(std::size_t count) const {
  const std::vector<JsonCursor> entries = items(0);
  if (entries.size() != count) fail(fmt::format("{} numbers, expected {}", entries.size(), count));
  std::vector<double> result;
  result.reserve(count);
  for (const JsonCursor& entry : entries) result.push_back(entry.number());
  return result;
}

std::string JsonCursor::json() const { return value_->dump(); }

Vec3 JsonCursor::vector() const {
  const std::vector<double> v = numbers(3);
  return Vec3(v[0], v[1], v[2]);
}

}  // namespace touche::io
