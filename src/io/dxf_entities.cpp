// SPDX-License-Identifier: Apache-2.0
#include "io/dxf_entities.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/text_scanner.h"

namespace touche::io {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::string_view take_line(std::string_view& left) {
  const std::size_t end = std::min(left.find('\n'), left.size());
  const std::string_view line = left.substr(0, end);
  left.remove_prefix(std::min(end + 1, left.size()));
  return without_blanks(line);
}

}  // namespace

DxfFile::DxfFile(std::string_view bytes, const std::string& file)
    : file_(file), binary_(bytes.starts_with("AutoCAD Binary DXF")) {
  if (bytes.starts_with("AC10")) fail(1, "this is a DWG file; save it as DXF");
  if (binary_)
    read_binary(bytes);
  else
    read_text(bytes);
}

void DxfFile::read_text(std::string_view bytes) {
  std::size_t line = 0;
  while (!bytes.empty()) {
    const std::string_view code_text = take_line(bytes);
    ++line;
    if (code_text.empty() && bytes.empty()) break;
    int code = 0;
    const auto [end, error] =
        std::from_chars(code_text.data(), code_text.data() + code_text.size(), code);
    if (error != std::errc() || end != code_text.data() + code_text.size())
      fail(line, fmt::format("expected the code of a group, found {}", in_quotes(code_text)));
    if (bytes.empty()) fail(line, "the file ends within a group");
    const std::string_view value = take_line(bytes);
    ++line;
    if (add({code, value, line})) return;
  }
  if (!entities_.empty()) fail(line, kCutOff);
}

bool DxfFile::add(const DxfGroup& group) {
  constexpr int kComment = 999;
  if (group.code == 0) {
    entities_.push_back({group.value, group.position, {}});
    return group.value == "EOF";
  }
  if (group.code == kComment) return false;
  if (entities_.empty()) fail(group.position, "expected a file that begins with a section");
  entities_.back().groups.push_back(group);
  return false;
}

std::string DxfFile::place(std::size_t position) const {
  return (binary_ ? "byte " : "") + std::to_string(position);
}

void DxfFile::fail(std::size_t position, const std::string& reason) const {
  throw LoadError(file_, place(position), reason);
}

void DxfFile::fail(const DxfEntity& e, const std::string& reason) const {
  fail(e.position, fmt::format("{}: {}", in_quotes(e.kind), reason));
}

double DxfFile::value_of(const DxfGroup& group) const {
  if (group.number) {
    if (!std::isfinite(*group.number)) fail(group.position, "a number that is not finite");
    return *group.number;
  }
  std::string_view text = group.value;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    // Too small for a double becomes 0, too large is refused.
    const std::size_t exponent = text.find_first_of("eE");
    if (exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-')) return 0;
  }
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    fail(group.position, fmt::format("expected a number, found {}", in_quotes(group.value)));
  return value;
}

std::optional<double> DxfFile::number(const DxfEntity& e, int code) const {
  const auto last = std::find_if(e.groups.rbegin(), e.groups.rend(),
                                 [code](const DxfGroup& g) { return g.code == code; });
  return last == e.groups.rend() ? std::nullopt : std::optional(value_of(*last));
}

double DxfFile::number(const DxfEntity& e, int code, double otherwise) const {
  return number(e, code).value_or(otherwise);
}

int DxfFile::integer(const DxfEntity& e, int code, int otherwise) const {
  const double value = number(e, code, otherwise);
  if (!(std::abs(value) < 1e9) || value != std::floor(value))
    fail(e, fmt::format("group {} is no whole number", code));
  return static_cast<int>(value);
}

std::string_view DxfFile::text(const DxfEntity& e, int code) {
  for (const DxfGroup& g : e.groups)
    if (g.code == code) return g.value;
  return {};
}

std::vector<double> DxfFile::numbers(const DxfEntity& e, int code) const {
  std::vector<double> all;
  for (const DxfGroup& g : e.groups)
    if (g.code == code) all.push_back(value_of(g));
  return all;
}

std::vector<Vec2> DxfFile::points(const DxfEntity& e, int code_x) const {
  const std::vector<double> x = numbers(e, code_x), y = numbers(e, code_x + 10);
  if (x.size() != y.size()) fail(e, fmt::format("{} x and {} y of points", x.size(), y.size()));
  std::vector<Vec2> all;
  for (std::size_t i = 0; i < x.size(); ++i) all.emplace_back(x[i], y[i]);
  return all;
}

Vec2 DxfFile::point(const DxfEntity& e, int code_x) const {
  const std::optional<double> x = number(e, code_x), y = number(e, code_x + 10);
  if (!x || !y) fail(e, fmt::format("a point (group {}) is missing", code_x));
  return {*x, *y};
}

}  // namespace touche::io
