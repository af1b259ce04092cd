// SPDX-License-Identifier: Apache-2.0
#include "io/text_scanner.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/encoding.h"
#include "io/mesh_data.h"

namespace touche::io {

TextScanner::TextScanner(std::string_view text, const std::string& file, TextStyle style,
                         std::size_t first_line)
    : at_(text.data()),
      end_(text.data() + text.size()),
      file_(file),
      style_(style),
      line_(first_line) {
  expect_utf8(text, file);
  if (text.starts_with("\xEF\xBB\xBF")) at_ += 3;  // byte order mark of UTF-8
}

void TextScanner::skip_blanks() {
  while (at_ != end_) {
    if (is_blank(*at_)) {
      ++at_;
    } else if (at_join()) {
      ++at_;
      skip_line_end();
    } else if (style_.comment != '\0' && *at_ == style_.comment) {
      while (at_ != end_ && !is_line_end(*at_)) ++at_;
    } else {
      return;
    }
  }
}

// Lines end with \n, \r\n or \r.
void TextScanner::skip_line_end() {
  const bool two = *at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n';
  at_ += two ? 2 : 1;
  ++line_;
}

std::string_view TextScanner::rest_of_line() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
  const char* begin = at_;
  while (at_ != end_ && !is_line_end(*at_)) ++at_;
  const char* end = at_;
  while (end != begin && is_blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool TextScanner::next_line() {
  while (at_ != end_ && !is_line_end(*at_)) {
    if (at_join()) {
      ++at_;
      skip_line_end();
    } else {
      ++at_;
    }
  }
  if (at_ == end_) return false;
  skip_line_end();
  return true;
}

double TextScanner::number(std::string_view word) const {
  const char* first = word.data();
  const char* const last = first + word.size();
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') ++first;
  double value = 0;
  const auto [stop, error] = std::from_chars(first, last, value);
  if (error == std::errc() && stop == last) return value;
  if (error == std::errc::result_out_of_range && stop == last) {
    long double wide = 0;
    const auto again = std::from_chars(first, last, wide);
    if (again.ec == std::errc()) return static_cast<double>(wide);
    fail("the number " + in_quotes(word) + " is out of range");
  }
  if (word.empty()) fail("a number is missing");
  fail("expected a number, found " + in_quotes(word));
}

double TextScanner::coordinate(std::string_view word) {
  const double value = number(word);
  digits_ = std::max(digits_, significant_digits(word));
  if (!(std::abs(value) <= kMaxCoordinate)) fail(bad_coordinate(value));
  return value;
}

std::int64_t TextScanner::integer(std::string_view word) const {
  const char* const last = word.data() + word.size();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), last, value);
  if (error == std::errc() && stop == last) return value;
  if (word.empty()) fail("a whole number is missing");
  fail("expected a whole number, found " + in_quotes(word));
}

void TextScanner::fail(const std::string& reason) const {
  throw LoadError(file_, std::to_string(line_), reason);
}

int significant_digits(std::string_view number) {
  int count = 0;
  for (const char c : number.substr(0, number.find_first_of("eE"))) {
    if (c < '0' || c > '9') continue;
    if (count > 0 || c != '0') ++count;
  }
  return count;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + (text.size() > kShown ? "…'" : "'");
}

std::string bad_coordinate(double value) {
  if (!std::isfinite(value)) return fmt::format("the coordinate {} is not finite", value);
  return fmt::format("the coordinate {} is beyond ±{}", value, kMaxCoordinate);
}

}  // namespace touche::io
