// SPDX-License-Identifier: Apache-2.0
#include "directions.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <string_view>

#include "touche/methods/volume_tree.h"

namespace touche::cli {
namespace {

bool is_gap(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\r' || c == ';'; }

/// Parses the numbers of a line, up to the first other text.
std::vector<double> numbers_in(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<double> numbers;
  const char *at = line.data(), *const end = at + line.size();
  for (;;) {
    while (at != end && is_gap(*at)) ++at;
    if (at == end) return numbers;
    double value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (rest != end && !is_gap(*rest))) return {0};
    numbers.push_back(value);
    at = rest;
  }
}

}  // namespace

std::vector<Vec3> load_directions(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw LoadError(file, "", "cannot be opened");
  std::vector<Vec3> directions;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const std::string_view text = line;
    const bool is_marked = number == 1 && text.starts_with(kByteOrderMark);
    const std::vector<double> found =
        numbers_in(text.substr(is_marked ? kByteOrderMark.size() : 0));
    if (found.empty()) continue;
    if (found.size() != 3)
      throw LoadError(file, std::to_string(number), "expected a direction: three numbers");
    const Vec3 direction(found[0], found[1], found[2]);
    if (!direction.allFinite() || direction.isZero(0))
      throw LoadError(file, std::to_string(number), "expected a direction: not zero, and finite");
    directions.push_back(direction);
  }
  if (in.bad()) throw LoadError(file, "", "cannot be read");
  if (directions.size() < 3 || directions.size() > 120)
    throw LoadError(file, "",
                    fmt::format("{} direction{}, expected 3 to 120", directions.size(),
                                directions.size() == 1 ? "" : "s"));
  return directions;
}

std::string volume_list() {
  std::string list;
  for (const std::string_view name : volume_names()) list += std::string(name) + ", ";
  return list + "dop (with --directions)";
}

Option add_directions(Command& command, std::string& file) {
  return command.add("--directions", file, "Normals of the volume dop, three numbers a line")
      .type_name("FILE");
}

}  // namespace touche::cli
