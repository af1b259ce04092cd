// SPDX-License-Identifier: Apache-2.0
// The part of CSS that must be understood to know what is drawn, and that nothing moves it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/svg_text.h"

namespace touche::io {

/// The first property in a style, or a style sheet, that moves or shapes what is drawn; else empty.
/// `sized` is whether a width or a height does so, too.
std::string_view svg_moving_property(std::string_view style, bool sized);

/// The properties about what is drawn. They are attributes, too.
enum class SvgProperty : std::uint8_t {
  display,
  visibility,
  clip_path,
  mask,
  fill,
  stroke,
  opacity
};
inline constexpr std::array<const char*, 7> kSvgProperties = {
    "display", "visibility", "clip-path", "mask", "fill", "stroke", "opacity"};

/// An element, as selectors see it, and its attributes of these names.
struct SvgElement {
  std::string_view kind, id, classes, style;
  std::array<std::string_view, kSvgProperties.size()> attributes = {};
};

/// Whether elements are drawn. By `display` an element and all in it is left out. `visibility`,
/// `fill` and `stroke` are taken over from outside, and may be set again.
class SvgStyles {
 public:
  /// Rules of a style sheet for these properties: for kinds of elements, classes, ids and their
  /// combinations; for screens. Calls `fail` for ones with other selectors, except for colours.
  void add(std::string_view sheet, const SvgFail& fail);

  struct Shown {
    bool displayed = true, visible = true;
    bool filled = true, stroked = false;  ///< by any colour
    bool transparent = false;             ///< wholly
    bool cut = false;                     ///< by a clip-path or a mask
    bool by_variable = false;             ///< whether it is drawn depends on a variable
  };
  /// `outer` is that of the element around it.
  Shown shown(const SvgElement& element, const Shown& outer) const;

  std::size_t rule_count() const { return rules_.size(); }
  /// Whether all rules for colours are read.
  bool know_colours() const { return knows_colours_; }

 private:
  using Property = SvgProperty;
  struct Value {
    Property property = Property::display;
    enum class Is : std::uint8_t { on, off, inherited, unknown } is = Is::on;
    bool important = false;
  };
  struct Rule {
    std::string kind;  // empty: any
    std::vector<std::string> ids, classes;
    Value value;
    std::size_t weight() const;
    bool selects(const SvgElement& element) const;
  };
  struct Best;

  static bool read(std::string_view name, std::string_view text, Value& value);
  static bool read_selector(std::string_view text, Rule& rule);

  std::vector<Rule> rules_;
  bool knows_colours_ = true;
};

}  // namespace touche::io
