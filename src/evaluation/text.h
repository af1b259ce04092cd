// SPDX-License-Identifier: Apache-2.0
// Names and texts for tables, plots, pages and files.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "touche/methods/evaluation.h"

namespace touche::evaluation {

/// Faces of a leaf of the queries' own hierarchy, at most.
inline constexpr Index kOwnLargestLeaf = 8;

/// A name for people: "larger volume" of larger_volume.
template <Named Enum>
std::string title(Enum value) {
  std::string text(name(value));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}
/// With the authors' names as they write themselves, and what was changed.
std::string title(SplitMethod method);

/// "degree 4" or "α 0.75".
std::string branching(const TreeOptions& tree);

/// Microseconds with three digits and a unit that suits.
std::string duration(double microseconds);

/// A field of a CSV file.
std::string quoted(const std::string& text);

// Pieces of a page.
std::string begin_page(const std::string& title);
/// `command`: that makes the page anew.
std::string end_page(const std::string& remark, double seconds, const std::string& command);
/// A paragraph of HTML, with a head in bold.
std::string paragraph(const std::string& head, const std::string& text);

}  // namespace touche::evaluation
