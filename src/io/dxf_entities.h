// SPDX-License-Identifier: Apache-2.0
// A DXF file as entities: a kind, and groups of a code and a value each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/drawing.h"

namespace touche::io {

struct DxfGroup {
  int code = 0;
  std::string_view value;
  std::size_t line = 0;  ///< of the value
};

/// The groups behind one of code 0, up to the next.
struct DxfEntity {
  std::string_view kind;
  std::size_t line = 0;
  std::vector<DxfGroup> groups;
};

class DxfFile {
 public:
  /// `bytes` and `file` must stay. Throws LoadError for what is not DXF as text.
  DxfFile(std::string_view bytes, const std::string& file);

  [[nodiscard]] const std::vector<DxfEntity>& entities() const { return entities_; }

  /// The last group of a code: nothing where there is none.
  std::optional<double> number(const DxfEntity& e, int code) const;
  double number(const DxfEntity& e, int code, double otherwise) const;
  int integer(const DxfEntity& e, int code, int otherwise) const;
  static std::string_view text(const DxfEntity& e, int code);
  /// All groups of a code, in order.
  std::vector<double> numbers(const DxfEntity& e, int code) const;
  /// Returns the points with codes x and x + 10. Throws if their numbers differ.
  std::vector<Vec2> points(const DxfEntity& e, int code_x) const;
  Vec2 point(const DxfEntity& e, int code_x) const;  ///< throws where there is none

  double value_of(const DxfGroup& group) const;
  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;
  [[noreturn]] void fail(const DxfEntity& e, const std::string& reason) const;

 private:
  const std::string& file_;
  std::vector<DxfEntity> entities_;
};

/// The curve of a SPLINE as Bézier curves of its own knots (Ramshaw 1987: control points by the
/// polar form), rational ones among them. Throws LoadError for degrees above 3 and for weights that
/// are not above 0.
Path dxf_spline(const DxfFile& file, const DxfEntity& e);

}  // namespace touche::io
