// SPDX-License-Identifier: Apache-2.0
// The part of CSS that must be understood to know what is drawn, and that nothing moves it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/svg_text.h"

namespace touche::io {

/// The first property in a style, or a style sheet, that moves or shapes what is drawn; else empty.
/// `sized` is whether a width or a height does so, too.
std::string_view svg_moving_property(std::string_view style, bool sized);

/// An element, as selectors see it, and its attributes about whether it is drawn.
struct SvgElement {
  std::string_view kind, id, classes, style, display, visibility;
};

/// Whether elements are drawn. By `display` an element and all in it is left out. `visibility` is
/// taken over from outside, and may be set again.
class SvgStyles {
 public:
  /// Rules of a style sheet for `display` and `visibility`: for kinds of elements, classes, ids and
  /// their combinations; for screens. Calls `fail` for ones with other selectors.
  void add(std::string_view sheet, const SvgFail& fail);

  struct Shown {
    bool displayed = true, visible = true;
  };
  /// `visible` is that of the element around it.
  Shown shown(const SvgElement& element, bool visible) const;

  std::size_t rule_count() const { return rules_.size(); }

 private:
  enum class Property : std::uint8_t { display, visibility };
  struct Value {
    Property property = Property::display;
    enum class Is : std::uint8_t { on, off, inherited } is = Is::on;
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
};

}  // namespace touche::io
