// SPDX-License-Identifier: Apache-2.0
#include "study/mesh_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

namespace touche::study {
namespace {

// In micrometres: quotients of whole numbers are as exact as can be.
struct Unit {
  std::string_view name;
  double micrometres;
};
constexpr std::array<Unit, 6> kUnits = {
    {{"m", 1e6}, {"cm", 1e4}, {"mm", 1e3}, {"um", 1}, {"in", 25400}, {"ft", 304800}}};

const Unit* unit_named(std::string_view name) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](const Unit& unit) { return unit.name == name; });
  return found == kUnits.end() ? nullptr : &*found;
}

}  // namespace

double read_scale(const io::JsonCursor& where, std::string_view unit) {
  const auto scale = where.find("scale"), own = where.find("unit");
  if (!own) return scale ? scale->positive_number() : 1;
  if (scale) own->fail("given together with \"scale\"");
  const Unit *given = unit_named(own->text()), *wanted = unit_named(unit);
  if (given == nullptr)
    own->fail(
        fmt::format("unknown unit \"{}\"; expected one of: m, cm, mm, um, in, ft", own->text()));
  return given->micrometres / wanted->micrometres;
}

std::optional<UpAxis> read_up(const io::JsonCursor& where) {
  const auto up = where.find("up");
  if (!up) return std::nullopt;
  const std::string axis = up->text();
  for (const UpAxis known : {UpAxis::x, UpAxis::y, UpAxis::z})
    if (name(known) == axis) return known;
  up->fail(fmt::format("\"{}\", expected one of: x, y, z", axis));
}

std::optional<double> read_weld(const io::JsonCursor& where) {
  const auto weld = where.find("weld");
  if (!weld) return std::nullopt;
  const double length = weld->number();
  if (length < 0) weld->fail(fmt::format("{}, expected 0 or more", length));
  return length;
}

Vec3 read_stretch(const io::JsonCursor& where) {
  const auto stretch = where.find("stretch");
  if (!stretch) return Vec3::Ones();
  Vec3 factors = stretch->vector();
  if ((factors.array() == 0).any()) stretch->fail("a factor is 0; a part has three dimensions");
  return factors;
}

}  // namespace touche::study
