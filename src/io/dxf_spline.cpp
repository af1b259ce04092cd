// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "io/dxf_entities.h"

namespace touche::io {
namespace {

/// A row of linear equations for the derivatives at the points: before · d[i − 1] + own · d[i] +
/// after · d[i + 1] = right.
struct FitRow {
  double before = 0, own = 1, after = 0;
  Vec2 right = Vec2::Zero();
};

/// Solves rows without `before` in the first and `after` in the last (Thomas' algorithm; the rows
/// are diagonally dominant).
std::vector<Vec2> solve(std::vector<FitRow> rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double factor = rows[i].before / rows[i - 1].own;
    rows[i].own -= factor * rows[i - 1].after;
    rows[i].right -= factor * rows[i - 1].right;
  }
  std::vector<Vec2> d(rows.size());
  for (std::size_t i = rows.size(); i-- > 0;) {
    d[i] = rows[i].right;
    if (i + 1 < rows.size()) d[i] -= rows[i].after * d[i + 1];
    d[i] /= rows[i].own;
  }
  return d;
}

/// Solves rows whose first has the last unknown before it, and whose last has the first one behind
/// it (Sherman and Morrison).
std::vector<Vec2> solve_around(std::vector<FitRow> rows) {
  const double before = rows.front().before, after = rows.back().after;
  const double pivot = -rows.front().own;
  rows.front().own -= pivot;
  rows.back().own -= before * after / pivot;
  std::vector<FitRow> other = rows;
  for (FitRow& row : other) row.right.setZero();
  other.front().right.x() = pivot;
  other.back().right.x() = after;
  std::vector<Vec2> d = solve(rows);
  const std::vector<Vec2> z = solve(other);
  const Vec2 factor =
      (d.front() + before / pivot * d.back()) / (1 + z.front().x() + before / pivot * z.back().x());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] -= z[i].x() * factor;
  return d;
}

/// The unit vector of a tangent, if there is one.
std::optional<Vec2> direction(const DxfFile& file, const DxfEntity& e, int code_x) {
  const Vec2 v(file.number(e, code_x, 0), file.number(e, code_x + 10, 0));
  const double length = v.stableNorm();
  if (!(length > 0)) return std::nullopt;
  return Vec2(v / length);
}

Path fitted_spline(const DxfFile& file, const DxfEntity& e) {
  const bool closed = (file.integer(e, 70, 0) & kDxfClosed) != 0;
  std::vector<Vec2> at;
  for (const Vec2& p : file.points(e, 11))
    if (at.empty() || at.back() != p) at.push_back(p);
  if (closed && at.size() > 1 && at.front() == at.back()) at.pop_back();
  const std::size_t n = at.size();
  if (n < (closed ? 3 : 2)) file.fail(e, "a spline through too few points");
  // Side i is behind point i.
  std::vector<double> lengths(closed ? n : n - 1);
  std::vector<Vec2> slopes;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Vec2 side = at[(i + 1) % n] - at[i];
    lengths[i] = side.stableNorm();
    if (!(lengths[i] > 0) || !std::isfinite(lengths[i]))
      file.fail(e, "a spline through points that are too near or too far");
    slopes.push_back(side / lengths[i]);
  }
  // Equal second derivatives on both sides of each point.
  std::vector<FitRow> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!closed && (i == 0 || i + 1 == n)) continue;
    const std::size_t k = (i + n - 1) % n;
    const double sum = lengths[k] + lengths[i], next = lengths[k] / sum, last = lengths[i] / sum;
    rows[i] = {last, 2, next, 3 * (last * slopes[k] + next * slopes[i])};
  }
  if (!closed) {
    const std::optional<Vec2> first = direction(file, e, 12), last = direction(file, e, 13);
    rows.front() = first ? FitRow{0, 1, 0, *first} : FitRow{0, 2, 1, 3 * slopes.front()};
    rows.back() = last ? FitRow{0, 1, 0, *last} : FitRow{1, 2, 0, 3 * slopes.back()};
  }
  const std::vector<Vec2> d = closed ? solve_around(rows) : solve(rows);
  Path path;
  path.start = at.front();
  path.closed = closed;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::size_t next = (i + 1) % n;
    path.cubic_to(at[i] + lengths[i] / 3 * d[i], at[next] - lengths[i] / 3 * d[next], at[next]);
  }
  return path;
}

}  // namespace

bool is_fitted(const DxfEntity& spline) {
  const auto has = [&](int code) {
    return std::any_of(spline.groups.begin(), spline.groups.end(),
                       [code](const DxfGroup& g) { return g.code == code; });
  };
  return !has(10) && has(11);
}

Path dxf_spline(const DxfFile& file, const DxfEntity& e) {
  if (is_fitted(e)) return fitted_spline(file, e);
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
  if (!std::isfinite(knots.back() - knots.front())) file.fail(e, "knots that are too far apart");

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
  path.closed = (flags & kDxfClosed) != 0;
  return path;
}

}  // namespace touche::io
