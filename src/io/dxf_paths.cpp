// SPDX-License-Identifier: Apache-2.0
#include "io/dxf_paths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touche::io {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

double extrusion(const DxfFile& file, const DxfEntity& e) {
  const double x = file.number(e, 210, 0), y = file.number(e, 220, 0), z = file.number(e, 230, 1);
  constexpr double kNone = 1e-9;
  if (std::abs(x) > kNone || std::abs(y) > kNone || !(std::abs(z) > kNone))
    file.fail(e, "is not parallel to the plane of x and y");
  return z;
}

Path circle_or_arc(const DxfFile& file, const DxfEntity& e) {
  const Vec2 centre = file.point(e, 10);
  const double r = file.number(e, 40, 0);
  if (!(r > 0)) file.fail(e, "needs a radius above 0");
  if (e.kind == "CIRCLE") return ellipse_path(centre, {r, 0}, {0, r});
  const double from = file.number(e, 50, 0), to = file.number(e, 51, 360);
  // Counter-clockwise; ends that are the same mean all around.
  double angle = std::fmod(to - from, 360);
  if (angle <= 0) angle += 360;
  const Mat2 turn = turn_by_degrees(from);
  Path path = arc_path(centre, r * turn.col(0), r * turn.col(1), 0, angle * kRadians);
  path.strokes.back().end = centre + r * turn_by_degrees(to).col(0);
  return path;
}

Path ellipse(const DxfFile& file, const DxfEntity& e) {
  const Vec2 centre = file.point(e, 10), major = file.point(e, 11);
  if (file.number(e, 31, 0) != 0) file.fail(e, "is not parallel to the plane of x and y");
  const double ratio = file.number(e, 40, 1), turn = extrusion(file, e) < 0 ? -1 : 1;
  if (!(ratio > 0) || major.isZero(0)) file.fail(e, "needs axes longer than 0");
  const Vec2 minor = turn * ratio * Vec2(-major.y(), major.x());
  const double from = file.number(e, 41, 0), to = file.number(e, 42, 2 * std::numbers::pi);
  double angle = std::fmod(to - from, 2 * std::numbers::pi);
  constexpr double kAllAround = 1e-9;
  if (angle <= kAllAround) angle += 2 * std::numbers::pi;
  if (angle >= 2 * std::numbers::pi - kAllAround) return ellipse_path(centre, major, minor);
  return arc_path(centre, major, minor, from, from + angle);
}

/// A side of a polyline: straight, or an arc that turns by 4 atan(bulge), left where that is > 0.
void side(Path& path, const Vec2& end, double bulge) {
  const Vec2 start = path.end(), d = end - start;
  // An arc is off from its chord by half of |bulge| times its length: here less than rounding.
  if (std::abs(bulge) < 1e-16 || d.isZero(0)) return path.line_to(end);
  const Vec2 left(-d.y(), d.x());
  const Vec2 centre = start + 0.5 * d + (0.25 / bulge - 0.25 * bulge) * left;
  const Vec2 u = start - centre, v(-u.y(), u.x());
  path.arc_to(end, centre, u, v, 0, 4 * std::atan(bulge));
}

Path with_bulges(const std::vector<Vec2>& points, const std::vector<double>& bulges, bool closed) {
  Path path;
  path.start = points.front();
  for (std::size_t i = 1; i < points.size(); ++i) side(path, points[i], bulges[i - 1]);
  path.closed = closed;
  if (closed && bulges.back() != 0) side(path, points.front(), bulges.back());
  return path;
}

Path light_polyline(const DxfFile& file, const DxfEntity& e) {
  std::vector<Vec2> points;
  std::vector<double> bulges;
  double x = 0;
  bool has_x = false;
  for (const DxfGroup& g : e.groups) {
    if (g.code == 10) {
      if (has_x) file.fail(e, "a point without y");
      x = file.value_of(g);
      has_x = true;
    } else if (g.code == 20) {
      if (!has_x) file.fail(e, "a point without x");
      points.emplace_back(x, file.value_of(g));
      bulges.push_back(0);
      has_x = false;
    } else if (g.code == 42 && !bulges.empty()) {
      bulges.back() = file.value_of(g);
    }
  }
  if (points.empty() || has_x) file.fail(e, "needs points");
  return with_bulges(points, bulges, (file.integer(e, 70, 0) & kDxfClosed) != 0);
}

}  // namespace

Affine dxf_axes(const DxfFile& file, const DxfEntity& e) {
  Affine axes;
  if (e.kind == "LINE" || e.kind == "ELLIPSE" || e.kind == "SPLINE" || e.kind == "POINT")
    return axes;
  if (extrusion(file, e) < 0) axes.linear(0, 0) = -1;
  return axes;
}

double dxf_height(const DxfFile& file, const DxfEntity& e) {
  double height = 0;
  for (const DxfGroup& g : e.groups)
    if ((g.code >= 30 && g.code <= 33) || g.code == 38)
      height = std::max(height, std::abs(file.value_of(g)));
  return height;
}

Path dxf_path(const DxfFile& file, const DxfEntity& e) {
  Path path;
  if (e.kind == "LINE") {
    path.start = file.point(e, 10);
    path.line_to(file.point(e, 11));
  } else if (e.kind == "POINT") {
    path.start = file.point(e, 10);
  } else if (e.kind == "CIRCLE" || e.kind == "ARC") {
    return circle_or_arc(file, e);
  } else if (e.kind == "ELLIPSE") {
    return ellipse(file, e);
  } else if (e.kind == "LWPOLYLINE") {
    return light_polyline(file, e);
  } else if (e.kind == "SPLINE") {
    return dxf_spline(file, e);
  } else if (e.kind == "SOLID" || e.kind == "TRACE") {
    path.start = file.point(e, 10);
    path.line_to(file.point(e, 11));
    // The last two points are in reverse order.
    if (file.number(e, 13)) path.line_to(file.point(e, 13));
    path.line_to(file.point(e, 12));
    path.closed = true;
  } else {
    file.fail(e, "entities of this kind are not read");
  }
  return path;
}

Path dxf_polyline(const DxfFile& file, const DxfEntity& e, std::span<const DxfEntity> vertices) {
  const int flags = file.integer(e, 70, 0);
  constexpr int kMeshes = 16 | 64;
  if ((flags & kMeshes) != 0) file.fail(e, "is a mesh of space, which is not read");
  std::vector<Vec2> points;
  std::vector<double> bulges;
  for (const DxfEntity& vertex : vertices) {
    constexpr int kFrame = 16;  // a control point, which is not drawn
    if ((file.integer(vertex, 70, 0) & kFrame) != 0) continue;
    points.push_back(file.point(vertex, 10));
    bulges.push_back(file.number(vertex, 42, 0));
  }
  if (points.empty()) file.fail(e, "needs vertices");
  return with_bulges(points, bulges, (flags & kDxfClosed) != 0);
}

}  // namespace touche::io
