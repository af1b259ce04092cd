// SPDX-License-Identifier: Apache-2.0
// Words and numbers of a text file that is wholly in memory, with the line they stand on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace touche::io {

/// How a format writes comments, and whether a backslash joins two lines.
struct TextStyle {
  char comment = '\0';
  bool joins_lines = false;
};

class TextScanner {
 public:
  TextScanner(std::string_view text, const std::string& file, TextStyle style = {},
              std::size_t first_line = 1);

  /// The next word of this line; empty at its end.
  std::string_view word() {
    skip_blanks();
    const char* begin = at_;
    while (at_ != end_ && !is_blank(*at_) && !is_line_end(*at_) && !at_join()) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  /// The next word on this line or a later one; empty at the end of the text.
  std::string_view next_word() {
    for (;;) {
      const std::string_view found = word();
      if (!found.empty() || !next_line()) return found;
    }
  }

  /// The rest of this line, without blanks around it and with comments.
  std::string_view rest_of_line();

  /// Goes to the start of the next line; false at the end of the text.
  bool next_line();

  /// A double of any notation from_chars knows. Values too small for a double become zero.
  double number(std::string_view word) const;
  /// The same for a vertex: must be finite and no larger than PolygonSoup takes.
  double coordinate(std::string_view word);
  std::int64_t integer(std::string_view word) const;

  /// The most significant digits that a coordinate had so far.
  int digits() const { return digits_; }

  std::size_t line() const { return line_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - at_); }
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
  bool at_join() const {
    return style_.joins_lines && *at_ == '\\' && at_ + 1 != end_ && is_line_end(at_[1]);
  }
  void skip_blanks();
  void skip_line_end();

  const char* at_;
  const char* end_;
  const std::string& file_;
  TextStyle style_;
  std::size_t line_;
  int digits_ = 0;
};

/// The digits of a number from the first one that is not 0 to the last one: 4 of "0.001230".
int significant_digits(std::string_view number);

/// For messages: at most 40 characters of `text`, with unprintable bytes written as \xNN.
std::string in_quotes(std::string_view text);

/// A coordinate that PolygonSoup would not take, in words.
std::string bad_coordinate(double value);

}  // namespace touche::io
