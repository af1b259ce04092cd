// SPDX-License-Identifier: Apache-2.0
// Numbers and names as people say them.
#pragma once

#include <string>
#include <string_view>

#include "touche/types.h"

namespace touche::report {

/// A bound that is proved is rounded to the side on which it stays true.
enum class Rounding { nearest, down, up };

/// Three digits, or four where the first one is a 1: "0.0907", "0.1008", "41.2", "6720".
std::string digits(double value, Rounding rounding = Rounding::nearest);

/// A length in `unit` (see Study::unit), and in no other: the reader gave lengths in it, and all
/// lengths of a sentence have one unit. "41.2 mm", "0.0034 mm".
std::string length_text(double value, std::string_view unit, Rounding rounding = Rounding::nearest);

/// A thickness that is known from below: "0.5 mm" where both ends of the bracket are so to the
/// digits shown, else its lower end, rounded down, and "or more" where it may be more than a tenth
/// more.
std::string thickness_text(const Bracket& thickness, std::string_view unit);

/// The name of a unit in texts: "µm" for "um".
std::string_view unit_text(std::string_view unit);

/// Writes lengths that are given in `unit` as lengths in the unit `shown`.
class Lengths {
 public:
  /// `shown`: empty: `unit` itself.
  Lengths(std::string_view unit, std::string_view shown);
  [[nodiscard]] std::string text(double value, Rounding rounding = Rounding::nearest) const;
  [[nodiscard]] std::string thickness(const Bracket& thickness) const;
  [[nodiscard]] const std::string& unit() const { return shown_; }
  /// The length 1 of the unit given, in the unit shown.
  [[nodiscard]] double factor() const { return factor_; }

 private:
  std::string shown_;
  double factor_ = 1;
};

/// A share: "27.9 %". One that is less than all is never said to be "100 %".
std::string percent(double share, Rounding rounding = Rounding::nearest);

/// A position on the path: "at the start", "after 27.9 % of the path", "at the end".
std::string place_text(double s);

/// Radians as "8.5°", or from two turns on as "8.13 turns".
std::string angle_text(double angle);

/// "1,234".
std::string number_text(std::size_t count);

/// "1 pair", "1,234 pairs".
std::string count_text(std::size_t count, std::string_view one);

/// "the bulb base", but "Crankcase" and "P-0815": an article only before what reads as plain words.
std::string with_article(std::string_view name);

/// The text with a capital at the beginning, where that is a letter of ASCII.
std::string capitalised(std::string text);

/// The same where it begins with "the ": names of parts keep their letters.
std::string begin_sentence(std::string text);

/// "(41.2, 0, 3.05) mm"; without a unit if `unit` is empty. Coordinates below 1e-13 of the largest
/// one are rounding, and written as 0.
std::string point_text(const Vec3& point, std::string_view unit);

/// A vector of length one, to a thousandth: "(0, 0.707, -0.707)".
std::string direction_text(const Vec3& direction);

}  // namespace touche::report
