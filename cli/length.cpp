// SPDX-License-Identifier: Apache-2.0
#include "length.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "touche/types.h"

namespace touche::cli {
namespace {

struct Unit {
  std::string_view name;
  double metres;
};
constexpr std::array kUnits = {Unit{"m", 1},     Unit{"cm", 1e-2},   Unit{"mm", 1e-3},
                               Unit{"um", 1e-6}, Unit{"in", 0.0254}, Unit{"ft", 0.3048}};

const Unit* find(std::string_view name) {
  for (const Unit& unit : kUnits)
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace

bool is_unit(std::string_view text) { return find(text) != nullptr; }

std::string unit_in(const std::string& length) {
  double value = 0;
  const char* const end = length.data() + length.size();
  std::string_view name(std::from_chars(length.data(), end, value).ptr, end);
  while (name.starts_with(' ')) name.remove_prefix(1);
  return is_unit(name) ? std::string(name) : std::string();
}

double metres_in(const std::string& unit) {
  const Unit* found = find(unit);
  if (found == nullptr) throw InvalidInput(fmt::format("unknown unit \"{}\"", unit));
  return found->metres;
}

double parse_length(const std::string& text, const std::string& unit, const std::string& option) {
  const auto fail = [&](const char* reason) {
    throw InvalidInput(
        fmt::format("{}: \"{}\" {}, expected a length such as 2mm", option, text, reason));
  };
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && std::isinf(value)) fail("is not finite");
  if (error != std::errc() || !std::isfinite(value)) fail("is no number");
  if (value < 0) fail("is negative");
  std::string_view name(rest, static_cast<std::size_t>(end - rest));
  while (name.starts_with(' ')) name.remove_prefix(1);
  if (name.empty()) return value;
  const Unit *given = find(name), *wanted = find(unit);
  if (given == nullptr) fail("has an unknown unit");
  if (wanted == nullptr)
    throw InvalidInput(fmt::format(
        "{}: \"{}\": these files do not say which unit they are in; give a number in theirs",
        option, text));
  return wanted == given ? value : value * given->metres / wanted->metres;
}

}  // namespace touche::cli
