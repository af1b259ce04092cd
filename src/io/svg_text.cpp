// SPDX-License-Identifier: Apache-2.0
#include "io/svg_text.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "io/text_scanner.h"

namespace touche::io {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

void SvgScanner::skip_separators() {
  while (!left_.empty() && (left_.front() == ' ' || left_.front() == ',' ||
                            (left_.front() >= '\t' && left_.front() <= '\r')))
    left_.remove_prefix(1);
}

void SvgScanner::fail(const std::string& reason) const {
  fail_(fmt::format("{} at {}", reason,
                    left_.empty() ? "the end of " + in_quotes(text_) : in_quotes(left_)));
  throw Error(reason);  // not reached
}

std::string_view SvgScanner::word() {
  skip_separators();
  std::size_t n = 0;
  while (n < left_.size() && is_letter(left_[n])) ++n;
  const std::string_view found = left_.substr(0, n);
  left_.remove_prefix(n);
  return found;
}

bool SvgScanner::at_number() {
  const char c = peek();
  return is_digit(c) || c == '.' || c == '-' || c == '+';
}

double SvgScanner::number() {
  if (!at_number()) fail("expected a number");
  if (left_.front() == '+') left_.remove_prefix(1);
  double value = 0;
  const auto [next, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
  // "inf" and "nan" are numbers to from_chars, also behind a sign.
  if (error == std::errc::result_out_of_range || (error == std::errc() && !std::isfinite(value)))
    fail("a number that is too large or too small");
  if (error != std::errc()) fail("expected a number");
  left_.remove_prefix(static_cast<std::size_t>(next - left_.data()));
  return value;
}

bool SvgScanner::flag() {
  const char c = take();
  if (c != '0' && c != '1') fail("expected 0 or 1 before what is");
  return c == '1';
}

SvgLength svg_length(std::string_view text, const SvgFail& fail) {
  SvgScanner scanner(text, fail);
  const double value = scanner.number();
  const std::string_view unit = scanner.word();
  if (!scanner.at_end()) scanner.fail("a length that is relative, or no length");
  if (unit.empty() || unit == "px") return {value, false};
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"mm", kPxPerMillimetre},
       {"cm", 10 * kPxPerMillimetre},
       {"in", 96},
       {"pt", 96.0 / 72},
       {"pc", 16},
       {"Q", kPxPerMillimetre / 4}}};
  for (const auto& [name, px] : kUnits)
    if (unit == name) return {value * px, true};
  fail(fmt::format("the length {} has a unit that is relative or not known", in_quotes(text)));
  return {};
}

Affine svg_transform(std::string_view text, const SvgFail& fail) {
  SvgScanner scanner(text, fail);
  Affine all;
  while (!scanner.at_end()) {
    const std::string name(scanner.word());
    if (scanner.take() != '(') scanner.fail("expected a transform with its numbers in brackets");
    std::vector<double> v;
    while (scanner.at_number()) {
      v.push_back(scanner.number());
      if (v.size() > 6) scanner.fail("a transform of too many numbers");
    }
    if (scanner.take() != ')') scanner.fail("expected ')' after the numbers of a transform");
    const std::size_t n = v.size();
    const auto shift = [](double x, double y) { return Affine{Mat2::Identity(), {x, y}}; };
    const auto skew = [](double degrees) { return std::tan(degrees * std::numbers::pi / 180); };
    Affine next;
    if (name == "matrix" && n == 6) {
      next.linear << v[0], v[2], v[1], v[3];
      next.shift = {v[4], v[5]};
    } else if (name == "translate" && (n == 1 || n == 2)) {
      next = shift(v[0], n == 2 ? v[1] : 0);
    } else if (name == "scale" && (n == 1 || n == 2)) {
      next.linear << v[0], 0, 0, n == 2 ? v[1] : v[0];
    } else if (name == "rotate" && (n == 1 || n == 3)) {
      next.linear = turn_by_degrees(v[0]);
      if (n == 3) next = shift(v[1], v[2]) * next * shift(-v[1], -v[2]);
    } else if (name == "skewX" && n == 1) {
      next.linear << 1, skew(v[0]), 0, 1;
    } else if (name == "skewY" && n == 1) {
      next.linear << 1, 0, skew(v[0]), 1;
    } else {
      fail(fmt::format("{} of {} numbers is no transform", in_quotes(name), n));
    }
    all = all * next;
  }
  return all;
}

std::vector<Vec2> svg_points(std::string_view text, const SvgFail& fail) {
  SvgScanner scanner(text, fail);
  std::vector<Vec2> points;
  while (!scanner.at_end()) points.push_back(scanner.point());
  return points;
}

namespace {

/// SVG 1.1, appendix F.6: from ends, radii and flags to the centre.
void svg_arc(Path& path, Vec2 radii, double degrees, bool large, bool sweep, const Vec2& end) {
  const Vec2 start = path.end();
  if (start == end) return;
  radii = radii.cwiseAbs();
  if (radii.x() == 0 || radii.y() == 0) return path.line_to(end);
  const Mat2 turn = turn_by_degrees(degrees);
  const Vec2 half = turn.transpose() * (0.5 * (start - end));
  // Take ratios, so that nothing overflows: the chord in units of the radii.
  Vec2 unit = half.cwiseQuotient(radii);
  const double length = unit.norm();
  if (length > 1) radii *= length, unit /= length;  // too small to reach: just large enough
  const double square = unit.squaredNorm();
  const double away = square > 0 ? std::sqrt(std::max(0.0, (1 - square) / square)) : 0;
  const Vec2 centre_unit = (large != sweep ? away : -away) * Vec2(unit.y(), -unit.x());
  const Vec2 from = unit - centre_unit, to = -unit - centre_unit;
  const double start_angle = std::atan2(from.y(), from.x());
  double angle = std::atan2(to.y(), to.x()) - start_angle;
  if (sweep && angle < 0) angle += 2 * std::numbers::pi;
  if (!sweep && angle > 0) angle -= 2 * std::numbers::pi;
  const Vec2 centre = turn * centre_unit.cwiseProduct(radii) + 0.5 * (start + end);
  path.arc_to(end, centre, radii.x() * turn.col(0), radii.y() * turn.col(1), start_angle,
              start_angle + angle);
}

class SvgPathReader {
 public:
  SvgPathReader(std::string_view text, const SvgFail& fail) : scanner_(text, fail) {}

  std::vector<Path> read() {
    if (scanner_.at_end()) return {};
    while (!scanner_.at_end()) {
      char command = scanner_.take();
      if (!is_letter(command)) scanner_.fail("expected a command before what is");
      if (!started_ && command != 'M' && command != 'm')
        scanner_.fail("path data must begin with M, before what is");
      do {
        draw(command);
        // More points after a first one are lines.
        if (command == 'M') command = 'L';
        if (command == 'm') command = 'l';
      } while (command != 'Z' && command != 'z' && scanner_.at_number());
    }
    finish();
    return std::move(paths_);
  }

 private:
  void finish() {
    if (!path_.strokes.empty() || path_.closed) paths_.push_back(std::move(path_));
    path_ = {};
  }

  /// Behind a closed subpath the next one starts where that one did.
  Path& path() {
    if (path_.closed) {
      const Vec2 start = path_.start;
      finish();
      path_.start = start;
    }
    return path_;
  }

  void draw(char command) {
    const bool relative = command >= 'a';
    const Vec2 at = path_.closed ? path_.start : path_.end();
    const Vec2 origin = relative ? at : Vec2(0, 0);
    const auto next = [&] { return Vec2(origin + scanner_.point()); };
    Vec2 cubic = at, quadratic = at;  // reflected by S and T; else where the pen is
    switch (relative ? command - 32 : command) {
      case 'M': {
        const Vec2 start = started_ ? next() : scanner_.point();
        finish();
        path_.start = start;
        started_ = true;
        break;
      }
      case 'Z':
        if (path_.closed) path();
        path_.closed = true;
        break;
      case 'L':
        path().line_to(next());
        break;
      case 'H':
        path().line_to({origin.x() + scanner_.number(), at.y()});
        break;
      case 'V':
        path().line_to({at.x(), origin.y() + scanner_.number()});
        break;
      case 'C': {
        const Vec2 a = next(), b = next();
        path().cubic_to(a, b, next());
        cubic = b;
        break;
      }
      case 'S': {
        const Vec2 a = 2 * at - (was_cubic_ ? control_ : at), b = next();
        path().cubic_to(a, b, next());
        cubic = b;
        break;
      }
      case 'Q': {
        const Vec2 control = next();
        path().quadratic_to(control, next());
        quadratic = control;
        break;
      }
      case 'T': {
        const Vec2 control = 2 * at - (was_quadratic_ ? control_ : at);
        path().quadratic_to(control, next());
        quadratic = control;
        break;
      }
      case 'A': {
        const Vec2 radii = scanner_.point();
        const double degrees = scanner_.number();
        const bool large = scanner_.flag(), sweep = scanner_.flag();
        svg_arc(path(), radii, degrees, large, sweep, next());
        break;
      }
      default:
        scanner_.fail(fmt::format("'{}' is no command of path data, before what is", command));
    }
    const char upper = static_cast<char>(relative ? command - 32 : command);
    was_cubic_ = upper == 'C' || upper == 'S';
    was_quadratic_ = upper == 'Q' || upper == 'T';
    control_ = was_cubic_ ? cubic : quadratic;
  }

  SvgScanner scanner_;
  std::vector<Path> paths_;
  Path path_;
  bool started_ = false, was_cubic_ = false, was_quadratic_ = false;
  Vec2 control_ = Vec2::Zero();
};

}  // namespace

std::vector<Path> svg_path(std::string_view text, const SvgFail& fail) {
  return SvgPathReader(text, fail).read();
}

}  // namespace touche::io
