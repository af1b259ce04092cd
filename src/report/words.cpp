// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace touche::report {
namespace {

struct Unit {
  std::string_view name;
  double micrometres;  // quotients of whole numbers are as exact as can be
};
constexpr std::array kUnits = {Unit{"m", 1e6}, Unit{"cm", 1e4},    Unit{"mm", 1e3},
                               Unit{"um", 1},  Unit{"in", 25'400}, Unit{"ft", 304'800}};

double micrometres(std::string_view name) {
  const auto* found =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
  if (found == kUnits.end()) throw InvalidInput(fmt::format("unknown unit \"{}\"", name));
  return found->micrometres;
}

// Rounding that starts this close to a value, as a share of the last digit, is rounding of the
// computation and does not count.
constexpr double kSlack = 1e-9;

double rounded(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return std::round(value);
    case Rounding::down:
      return std::floor(value + kSlack);
    case Rounding::up:
      return std::ceil(value - kSlack);
  }
  return value;
}

// Rounding may lessen a thickness by so much of it, and its bracket may span so much without a
// word, which is how exactly thicknesses are looked for.
constexpr double kRounding = 1e-7, kMuchMore = 1.1;

// Decimal places that give three digits, or four when the first one is a 1.
int places(double value) {
  const double exponent = std::floor(std::log10(std::abs(value)));
  const bool begins_with_one = std::abs(value) < 2 * std::pow(10, exponent);
  return static_cast<int>((begins_with_one ? 3 : 2) - exponent);
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string digits(double value, Rounding rounding) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::abs(value) >= 1e7 || std::abs(value) < 1e-5) {
    const double scale = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
    return fmt::format("{:.3g}", rounded(value / scale, rounding) * scale);
  }
  const int decimals = std::max(0, places(value));
  const double scale = std::pow(10, decimals);
  return without_trailing_zeros(
      fmt::format("{:.{}f}", rounded(value * scale, rounding) / scale, decimals));
}

std::string_view unit_text(std::string_view unit) { return unit == "um" ? "µm" : unit; }

std::string length_text(double value, std::string_view unit, Rounding rounding) {
  return fmt::format("{} {}", digits(value, rounding), unit_text(unit));
}

std::string thickness_text(const Bracket& thickness, std::string_view unit) {
  std::string known = length_text(thickness.lower, unit);
  if (known == length_text(thickness.upper, unit)) return known;
  // Searches stay below what they find by rounding, which is not to make 0.299 of 0.3.
  return fmt::format("{}{}", length_text((1 + kRounding) * thickness.lower, unit, Rounding::down),
                     thickness.upper > kMuchMore * thickness.lower ? " or more" : "");
}

Lengths::Lengths(std::string_view unit, std::string_view shown)
    : shown_(shown.empty() ? unit : shown),
      factor_(shown_ == unit ? 1 : micrometres(unit) / micrometres(shown_)) {}

std::string Lengths::text(double value, Rounding rounding) const {
  return length_text(factor_ * value, shown_, rounding);
}

std::string Lengths::thickness(const Bracket& thickness) const {
  return thickness_text({factor_ * thickness.lower, factor_ * thickness.upper}, shown_);
}

std::string percent(double share, Rounding rounding) {
  const std::string text = digits(100 * share, rounding);
  if (text != "100" || share >= 1) return text + " %";
  // Write as many nines as it takes to stay below 100 %.
  int decimals = 1;
  while (decimals < 12 && fmt::format("{:.{}f}", 100 * share, decimals).front() == '1') ++decimals;
  return fmt::format("{:.{}f} %", 100 * share, decimals);
}

std::string place_text(double s) {
  if (s <= 0) return "at the start";
  return s >= 1 ? "at the end" : fmt::format("after {} of the path", percent(s));
}

std::string angle_text(double angle) {
  const double turns = std::abs(angle) / (2 * std::numbers::pi);
  return turns < 2 ? digits(360 * turns) + "°" : digits(turns) + " turns";
}

std::string number_text(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string count_text(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", number_text(count), one, count == 1 ? "" : "s");
}

std::string with_article(std::string_view name) {
  const bool plain = !name.empty() && name.substr(0, 4) != "the " &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return (c >= 'a' && c <= 'z') || c == ' ' || c == '-' ||
                              static_cast<unsigned char>(c) >= 0x80;
                     });
  return plain ? "the " + std::string(name) : std::string(name);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string begin_sentence(std::string text) {
  return text.starts_with("the ") ? capitalised(std::move(text)) : text;
}

std::string point_text(const Vec3& point, std::string_view unit) {
  // A coordinate that consists of rounding only is written as 0.
  const double none = 1e-13 * point.cwiseAbs().maxCoeff();
  const auto text = [&](double x) { return digits(std::abs(x) <= none ? 0 : x); };
  return fmt::format("({}, {}, {}){}{}", text(point.x()), text(point.y()), text(point.z()),
                     unit.empty() ? "" : " ", unit_text(unit));
}

std::string direction_text(const Vec3& direction) {
  // The sum with zero makes -0 a zero like others.
  const auto thousandths = [](double x) { return std::round(1000 * x) / 1000 + 0.0; };
  return fmt::format("({}, {}, {})", thousandths(direction.x()), thousandths(direction.y()),
                     thousandths(direction.z()));
}

}  // namespace touche::report
