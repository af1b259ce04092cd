// SPDX-License-Identifier: Apache-2.0
// The part of CSS that must be understood to know that it moves nothing: which properties are
// declared.
#include <string>

#include "io/svg_text.h"

namespace touche::io {
namespace {

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Where the comment, the string or the address that begins at `at` ends, else `at`. There is
/// no declaration in them, and no comment in the latter two.
std::size_t behind_opaque(std::string_view style, std::size_t at) {
  const auto before = [&](std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? style.size() : found + length;
  };
  const auto closed_by = [&](std::string_view ends) {
    std::size_t k = at + 1;
    while (k < style.size() && ends.find(style[k]) == std::string_view::npos)
      k += style[k] == '\\' ? 2 : 1;
    return k < style.size() ? k + 1 : style.size();
  };
  const std::string_view left = style.substr(at);
  if (left.starts_with("/*")) return before(style.find("*/", at + 2), 2);
  if (left.starts_with('"')) return closed_by("\"\n");
  if (left.starts_with('\'')) return closed_by("'\n");
  if (left.starts_with('(') && at >= 3 && small_letter(style[at - 3]) == 'u' &&
      small_letter(style[at - 2]) == 'r' && small_letter(style[at - 1]) == 'l') {
    const std::size_t first = left.find_first_not_of(" \t\r\n\f", 1);
    const bool quoted =
        first != std::string_view::npos && (left[first] == '"' || left[first] == '\'');
    return quoted ? at : closed_by(")");
  }
  return at;
}

/// `name` is in small letters.
std::string_view moving(std::string_view name, bool sized) {
  constexpr std::string_view kSpace = " \t\r\n\f";
  name.remove_prefix(std::min(name.find_first_not_of(kSpace), name.size()));
  name = name.substr(0, name.find_last_not_of(kSpace) + 1);
  // Browsers have names of their own, as -webkit-transform; --x is a variable.
  if (name.starts_with('-') && !name.starts_with("--"))
    name.remove_prefix(std::min(name.find('-', 1), name.size() - 1) + 1);
  if (name.starts_with("offset")) return "offset";  // and offset-path, offset-distance, ...
  for (const std::string_view property :
       {"transform", "transform-origin", "transform-box", "translate", "rotate", "scale", "cx",
        "cy", "rx", "ry", "r", "x", "y", "d"})
    if (name == property) return property;
  for (const std::string_view property : {"width", "height"})
    if (sized && name == property) return property;
  return {};
}

}  // namespace

std::string_view svg_moving_property(std::string_view style, bool sized) {
  std::string name;       // what has been read of a declaration, up to its colon
  bool in_value = false;  // behind that
  for (std::size_t at = 0; at < style.size();) {
    const std::size_t behind = behind_opaque(style, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    const char c = style[at++];
    if (c == '{' || c == '}' || c == ';') {
      name.clear();
      in_value = false;
    } else if (in_value) {
      continue;
    } else if (c == ':') {
      if (const std::string_view found = moving(name, sized); !found.empty()) return found;
      in_value = true;
    } else {
      name += small_letter(c);
    }
  }
  return {};
}

}  // namespace touche::io
