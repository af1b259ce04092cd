// SPDX-License-Identifier: Apache-2.0
#include "io/dxf_entities.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
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

DxfFile::DxfFile(std::string_view bytes, const std::string& file) : file_(file) {
  if (bytes.starts_with("AutoCAD Binary DXF")) fail(1, "binary DXF is not read; save it as text");
  if (bytes.starts_with("AC10")) fail(1, "this is a DWG file; save it as DXF");
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
    if (code == 0) {
      entities_.push_back({value, line, {}});
      if (value == "EOF") return;
    } else if (code == 999) {
      continue;  // a comment
    } else if (entities_.empty()) {
      fail(line, "expected a file that begins with a section");
    } else {
      entities_.back().groups.push_back({code, value, line});
    }
  }
  if (!entities_.empty()) fail(line, "the file is cut off: it does not end with EOF");
}

void DxfFile::fail(std::size_t line, const std::string& reason) const {
  throw LoadError(file_, std::to_string(line), reason);
}

void DxfFile::fail(const DxfEntity& e, const std::string& reason) const {
  fail(e.line, fmt::format("{}: {}", in_quotes(e.kind), reason));
}

double DxfFile::value_of(const DxfGroup& group) const {
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
    fail(group.line, fmt::format("expected a number, found {}", in_quotes(group.value)));
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

Path dxf_spline(const DxfFile& file, const DxfEntity& e) {
  const int degree = file.integer(e, 71, 3), flags = file.integer(e, 70, 0);
  const std::vector<double> knots = file.numbers(e, 40), weights = file.numbers(e, 41);
  const std::vector<Vec2> controls = file.points(e, 10);
  if (degree < 1 || degree > 3)
    file.fail(e, fmt::format("a spline of degree {} is not read", degree));
  const std::size_t p = static_cast<std::size_t>(degree), n = controls.size();
  if (n < p + 1) file.fail(e, "a spline without its control points is not read");
  if (knots.size() != n + p + 1)
    file.fail(e, fmt::format("{} knots, expected {}", knots.size(), n + p + 1));
  if (!std::is_sorted(knots.begin(), knots.end())) file.fail(e, "knots that decrease");

  const bool rational =
      std::any_of(weights.begin(), weights.end(), [&](double w) { return w != weights.front(); });
  if (!weights.empty() && weights.size() != n)
    file.fail(e, fmt::format("{} weights, expected {}", weights.size(), n));
  for (const double w : weights)
    if (rational && !(w > 0)) file.fail(e, "a spline with weights that are not above 0");

  // The polar form of the piece over [knots[k], knots[k + 1]] at p arguments: of weighted points.
  const auto blossom = [&](std::size_t k, const std::array<double, 3>& at) {
    std::array<Vec3, 4> d;
    for (std::size_t i = 0; i <= p; ++i) {
      const double w = rational ? weights[k - p + i] : 1;
      d[i] = {w * controls[k - p + i].x(), w * controls[k - p + i].y(), w};
    }
    for (std::size_t r = 1; r <= p; ++r)
      for (std::size_t i = p; i >= r; --i) {
        const double lo = knots[k - p + i], hi = knots[k + 1 + i - r];
        const double s = hi > lo ? (at[r - 1] - lo) / (hi - lo) : 0;
        d[i] = (1 - s) * d[i - 1] + s * d[i];
      }
    return d[p];
  };
  const auto point = [](const Vec3& h) { return Vec2(h.head<2>() / h.z()); };
  Path path;
  bool begun = false;
  for (std::size_t k = p; k < n; ++k) {
    const double a = knots[k], b = knots[k + 1];
    if (!(a < b)) continue;
    const Vec3 from = blossom(k, {a, a, a}), to = blossom(k, {b, b, b});
    if (!begun) path.start = point(from);
    begun = true;
    // Weights do not bend a straight line.
    if (degree == 1) {
      path.line_to(point(to));
    } else if (degree == 2 && !rational) {
      path.quadratic_to(point(blossom(k, {a, b, b})), point(to));
    } else {
      Vec3 first = blossom(k, {a, a, b}), second = blossom(k, {a, b, b});
      if (degree == 2) {  // the same curve with two controls
        const Vec3 control = second;
        first = (from + 2 * control) / 3, second = (2 * control + to) / 3;
      }
      if (rational)
        path.rational_to(point(first), point(second), point(to),
                         {from.z(), first.z(), second.z(), to.z()});
      else
        path.cubic_to(point(first), point(second), point(to));
    }
  }
  if (!begun) file.fail(e, "a spline whose knots are all the same");
  constexpr int kClosed = 1;
  path.closed = (flags & kClosed) != 0;
  return path;
}

}  // namespace touche::io
