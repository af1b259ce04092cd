// SPDX-License-Identifier: Apache-2.0
// A DXF file, text or binary, as entities: a kind, and groups of a code and a value each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/drawing.h"

namespace touche::io {

struct DxfGroup {
  int code = 0;
  std::string_view value;             ///< empty for a number of a binary file
  std::size_t position = 0;           ///< of the value: its line, or its byte in a binary file
  std::optional<double> number = {};  ///< of a binary file
};

/// The groups behind one of code 0, up to the next.
struct DxfEntity {
  std::string_view kind;
  std::size_t position = 0;
  std::vector<DxfGroup> groups;
};

class DxfFile {
 public:
  /// `bytes` and `file` must stay. Throws LoadError for what is not DXF.
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
  /// A position as errors name it.
  std::string place(std::size_t position) const;
  [[noreturn]] void fail(std::size_t position, const std::string& reason) const;
  [[noreturn]] void fail(const DxfEntity& e, const std::string& reason) const;

 private:
  static constexpr const char* kCutOff = "the file is cut off: it does not end with EOF";

  void read_text(std::string_view bytes);
  void read_binary(std::string_view bytes);
  /// Returns whether it is the end of the file.
  bool add(const DxfGroup& group);

  const std::string& file_;
  bool binary_;
  std::vector<DxfEntity> entities_;
};

/// Of the flags (code 70) of polylines and splines.
inline constexpr int kDxfClosed = 1;

/// Whether a SPLINE has no control points but points that it runs through.
bool is_fitted(const DxfEntity& spline);

/// The curve of a SPLINE as Bézier curves of its own knots (Ramshaw 1987: control points by the
/// polar form), rational ones among them. A fitted one is the cubic curve through its points with
/// continuous curvature, over parameters that differ by the distances of the points; at ends with a
/// tangent it has that direction at unit speed, at others no curvature (de Boor 1978, chapter 4).
/// Throws LoadError for degrees above 3 and for weights that are not above 0.
Path dxf_spline(const DxfFile& file, const DxfEntity& e);

}  // namespace touche::io
