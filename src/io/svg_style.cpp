// SPDX-License-Identifier: Apache-2.0
#include "io/svg_style.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "io/text_scanner.h"

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

constexpr std::string_view kSpace = " \t\r\n\f";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::string keyword(std::string_view text) {
  std::string word(trimmed(text));
  std::transform(word.begin(), word.end(), word.begin(), small_letter);
  return word;
}

/// Calls `take` for each declaration, with the texts before the blocks that it is in, its name and
/// its value. Comments are left out, strings and addresses are empty.
template <class Take>
void each_declaration(std::string_view style, const Take& take) {
  std::vector<std::string> blocks;
  std::string text;
  const auto finish = [&] {
    const std::size_t colon = text.find(':');
    if (colon != std::string::npos)
      take(blocks, keyword(text.substr(0, colon)), std::string_view(text).substr(colon + 1));
    text.clear();
  };
  for (std::size_t at = 0; at < style.size();) {
    const std::size_t behind = behind_opaque(style, at);
    if (behind > at) {
      if (style[at] != '/') text += "\"\"";
      at = behind;
      continue;
    }
    const char c = style[at++];
    if (c == '{') {
      blocks.push_back(std::move(text));
      text.clear();
    } else if (c == '}' || c == ';') {
      finish();
      if (c == '}' && !blocks.empty()) blocks.pop_back();
    } else {
      text += c;
    }
  }
  finish();
}

/// `name` is a keyword.
std::string_view moving(std::string_view name, bool sized) {
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
  std::string_view found;
  each_declaration(style,
                   [&](const std::vector<std::string>&, std::string_view name, std::string_view) {
                     if (found.empty()) found = moving(name, sized);
                   });
  return found;
}

// ---- what is drawn

/// The declaration of a property that counts so far.
struct SvgStyles::Best {
  static constexpr std::size_t kAttribute = 0, kSheet = 1, kStyle = std::size_t{1} << 48;

  Value::Is is = Value::Is::inherited;
  std::size_t weight = 0;
  bool important = false;

  /// Of equal weight the last one counts.
  void offer(const Value& value, std::size_t of_weight) {
    if (std::pair(value.important, of_weight) < std::pair(important, weight)) return;
    is = value.is;
    weight = of_weight;
    important = value.important;
  }
};

namespace {

bool is_zero(std::string_view word) {
  if (word.ends_with('%')) word.remove_suffix(1);
  return !word.empty() && word.find('0') != word.npos &&
         word.find_first_not_of("0.+-") == word.npos;
}

std::optional<SvgProperty> property_of(std::string_view name) {
  if (name.starts_with("-webkit-")) name.remove_prefix(8);
  if (name == "mask-image" || name == "mask-border") name = "mask";
  const auto found = std::find(kSvgProperties.begin(), kSvgProperties.end(), name);
  if (found == kSvgProperties.end()) return std::nullopt;
  return static_cast<SvgProperty>(found - kSvgProperties.begin());
}

}  // namespace

bool SvgStyles::read(std::string_view name, std::string_view text, Value& value) {
  const std::optional<Property> property = property_of(name);
  if (!property) return false;
  value.property = *property;
  std::string word = keyword(text);
  const std::size_t mark = word.rfind('!');
  value.important = mark != std::string::npos && keyword(word.substr(mark + 1)) == "important";
  if (value.important) word = keyword(word.substr(0, mark));
  if (word.empty()) return false;
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool inherited = is_one_of({"inherit", "unset", "revert", "revert-layer"});
  const bool variable = word.find("var(") != word.npos || word.find("env(") != word.npos;
  value.is = inherited ? Value::Is::inherited : variable ? Value::Is::unknown : Value::Is::on;
  // A value that is none of the property counts as if it were not there.
  switch (*property) {
    case Property::display:
      if (word == "none") value.is = Value::Is::off;
      return word == "none" || inherited || variable ||
             is_one_of({"initial", "block", "list-item", "run-in", "compact", "marker", "flex",
                        "grid", "contents", "flow", "flow-root"}) ||
             word.starts_with("inline") || word.starts_with("table") || word.starts_with("ruby");
    case Property::visibility:
      if (is_one_of({"hidden", "collapse"})) value.is = Value::Is::off;
      return inherited || variable || is_one_of({"hidden", "collapse", "visible", "initial"});
    case Property::clip_path:
    case Property::mask:
      value.is = inherited || is_one_of({"none", "initial"}) ? Value::Is::on : Value::Is::off;
      return true;
    case Property::fill:
      if (is_one_of({"none", "transparent"})) value.is = Value::Is::off;
      return true;
    case Property::stroke:
      if (is_one_of({"none", "transparent", "initial"})) value.is = Value::Is::off;
      return true;
    case Property::opacity:
      value.is = is_zero(word) ? Value::Is::off : Value::Is::on;
      return true;
  }
  return false;
}

bool SvgStyles::read_selector(std::string_view text, Rule& rule) {
  text = trimmed(text);
  if (text.empty()) return false;
  const auto is_name = [](char c) {
    return small_letter(c) != c || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  std::size_t at = 0;
  const auto name = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_name(text[at])) ++at;
    return std::string(text.substr(begin, at - begin));
  };
  if (text[0] == '*')
    ++at;
  else
    rule.kind = name();
  while (at < text.size()) {
    const char mark = text[at++];
    if (mark != '.' && mark != '#') return false;
    std::string found = name();
    if (found.empty()) return false;
    (mark == '.' ? rule.classes : rule.ids).push_back(std::move(found));
  }
  return true;
}

namespace {

/// Whether rules in blocks are for screens; nothing for blocks that are not understood. The last
/// block is the rule's own.
std::optional<bool> for_screens(const std::vector<std::string>& blocks) {
  bool all = true;
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    const std::string block = keyword(blocks[i]);
    if (block == "@media print")
      all = false;
    else if (block != "@media all" && block != "@media screen")
      return std::nullopt;
  }
  return all;
}

}  // namespace

void SvgStyles::add(std::string_view sheet, const SvgFail& fail) {
  each_declaration(sheet, [&](const std::vector<std::string>& blocks, std::string_view name,
                              std::string_view text) {
    Rule rule;
    if (blocks.empty() || !read(name, text, rule.value)) return;
    const std::optional<bool> counts = for_screens(blocks);
    if (counts == false) return;
    std::string_view left = blocks.back();
    while (true) {
      const std::size_t comma = std::min(left.find(','), left.size());
      Rule one = rule;
      const bool understood = counts && read_selector(left.substr(0, comma), one);
      const bool hides = rule.value.property < Property::fill && rule.value.is != Value::Is::on;
      const bool shows = rule.value.property < Property::clip_path;
      if (!understood && (hides || shows))
        fail(fmt::format("{} for {} is not read", name, in_quotes(trimmed(blocks.back()))));
      knows_colours_ = knows_colours_ && understood;
      if (understood) rules_.push_back(std::move(one));
      if (comma == left.size()) return;
      left.remove_prefix(comma + 1);
    }
  });
}

std::size_t SvgStyles::Rule::weight() const {
  constexpr std::size_t kMost = 0xffff;
  return (std::min(ids.size(), kMost) << 32) + (std::min(classes.size(), kMost) << 16) +
         (kind.empty() ? 0 : 1) + Best::kSheet;
}

bool SvgStyles::Rule::selects(const SvgElement& element) const {
  if (!kind.empty() && kind != element.kind) return false;
  for (const std::string& id : ids)
    if (id != element.id) return false;
  const auto has = [&](const std::string& wanted) {
    std::string_view left = element.classes;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find_first_of(kSpace), left.size());
      if (left.substr(0, end) == wanted) return true;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return false;
  };
  return std::all_of(classes.begin(), classes.end(), has);
}

SvgStyles::Shown SvgStyles::shown(const SvgElement& element, const Shown& outer) const {
  std::array<Best, kSvgProperties.size()> best;
  const auto offer = [&](const Value& value, std::size_t weight) {
    best[static_cast<std::size_t>(value.property)].offer(value, weight);
  };
  Value value;
  for (std::size_t k = 0; k < kSvgProperties.size(); ++k)
    if (read(kSvgProperties[k], element.attributes[k], value)) offer(value, Best::kAttribute);
  for (const Rule& rule : rules_)
    if (rule.selects(element)) offer(rule.value, rule.weight());
  each_declaration(element.style, [&](const std::vector<std::string>&, std::string_view name,
                                      std::string_view text) {
    if (read(name, text, value)) offer(value, Best::kStyle);
  });
  const auto is = [&](Property property) { return best[static_cast<std::size_t>(property)].is; };
  const auto taken_over = [&](Property property, bool from_outside) {
    return is(property) == Value::Is::inherited ? from_outside : is(property) != Value::Is::off;
  };
  Shown shown;
  shown.displayed = is(Property::display) != Value::Is::off;
  shown.visible = taken_over(Property::visibility, outer.visible);
  shown.filled = taken_over(Property::fill, outer.filled);
  shown.stroked = taken_over(Property::stroke, outer.stroked);
  shown.transparent = outer.transparent || is(Property::opacity) == Value::Is::off;
  shown.cut = is(Property::clip_path) == Value::Is::off || is(Property::mask) == Value::Is::off;
  shown.by_variable =
      is(Property::display) == Value::Is::unknown || is(Property::visibility) == Value::Is::unknown;
  return shown;
}

}  // namespace touche::io
