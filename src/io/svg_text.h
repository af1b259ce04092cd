// SPDX-License-Identifier: Apache-2.0
// The small languages inside of SVG's attributes: numbers, lengths, transforms, path data.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/drawing.h"

namespace touche::io {

/// Called for what is no SVG, with the reason; throws.
using SvgFail = std::function<void(const std::string& reason)>;

/// Numbers and words with blanks and commas between them.
class SvgScanner {
 public:
  SvgScanner(std::string_view text, const SvgFail& fail) : text_(text), left_(text), fail_(fail) {}

  bool at_end() {
    skip_separators();
    return left_.empty();
  }
  /// The next character that separates nothing; 0 at the end.
  char peek() { return at_end() ? '\0' : left_.front(); }
  char take() {
    const char c = peek();
    if (c != '\0') left_.remove_prefix(1);
    return c;
  }
  /// Letters up to the next other character.
  std::string_view word();
  bool at_number();
  double number();
  Vec2 point() {
    const double x = number();
    return {x, number()};
  }
  /// A single 0 or 1, which need not be separated from what follows.
  bool flag();
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void skip_separators();

  std::string_view text_, left_;
  const SvgFail& fail_;
};

/// A length in user units (px) and whether its unit is one of paper: mm, cm, in, pt, pc, Q.
struct SvgLength {
  double px = 0;
  bool physical = false;
};
inline constexpr double kPxPerMillimetre = 96 / 25.4;
SvgLength svg_length(std::string_view text, const SvgFail& fail);

Affine svg_transform(std::string_view text, const SvgFail& fail);

std::vector<Vec2> svg_points(std::string_view text, const SvgFail& fail);

/// The subpaths of path data.
std::vector<Path> svg_path(std::string_view text, const SvgFail& fail);

}  // namespace touche::io
