// SPDX-License-Identifier: Apache-2.0
#include "io/drawing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/drawn_twice.h"
#include "io/join_paths.h"

namespace touche::io {

Mat2 turn_by_degrees(double degrees) {
  int quarters = 0;
  const double rest = std::remquo(degrees, 90, &quarters) * std::numbers::pi / 180;
  double s = std::sin(rest), c = std::cos(rest);
  for (int k = quarters & 3; k > 0; --k) {
    const double previous = s;
    s = c;
    c = -previous;
  }
  Mat2 turn;
  turn << c, -s, s, c;
  return turn;
}

void Path::quadratic_to(const Vec2& control, const Vec2& p) {
  // The same curve with two controls.
  const Vec2 at = end();
  cubic_to(at + 2.0 / 3 * (control - at), p + 2.0 / 3 * (control - p), p);
}

Path arc_path(const Vec2& centre, const Vec2& u, const Vec2& v, double from, double to) {
  const auto at = [&](double angle) {
    return Vec2(centre + std::cos(angle) * u + std::sin(angle) * v);
  };
  Path path;
  path.start = at(from);
  path.arc_to(at(to), centre, u, v, from, to);
  return path;
}

Path ellipse_path(const Vec2& centre, const Vec2& u, const Vec2& v) {
  Path path;
  path.start = centre + u;
  path.arc_to(path.start, centre, u, v, 0, 2 * std::numbers::pi);
  path.closed = true;
  return path;
}

namespace {

Stroke placed(Stroke s, const Affine& to) {
  s.end = to * s.end;
  if (s.kind == Stroke::Kind::line) return s;
  s.a = to * s.a;
  // The axes of an arc are directions.
  s.b = s.kind == Stroke::Kind::arc ? Vec2(to.linear * s.b) : to * s.b;
  if (s.kind == Stroke::Kind::arc) s.c = to.linear * s.c;
  return s;
}

/// The most that linear interpolation of n equal steps in the parameter may be off is the greatest
/// length of the second derivative, times the square of a step, over 8.
double second_derivative(const Vec2& start, const Stroke& s) {
  if (s.kind == Stroke::Kind::line) return 0;
  if (s.kind == Stroke::Kind::cubic)
    return 6 * std::max((start - 2 * s.a + s.b).norm(), (s.a - 2 * s.b + s.end).norm());
  // The greatest |cos θ b + sin θ c|: the larger singular value of the two.
  const double b2 = s.b.squaredNorm(), c2 = s.c.squaredNorm();
  const double radius2 = 0.5 * (b2 + c2) + std::hypot(0.5 * (b2 - c2), s.b.dot(s.c));
  return std::sqrt(radius2) * (s.to - s.from) * (s.to - s.from);
}

/// The eighths of a turn, or parts of one, that an arc takes.
double eighths(const Stroke& arc) {
  return std::ceil(std::abs(arc.to - arc.from) / (std::numbers::pi / 4) - 1e-9);
}

Vec2 point_at(const Vec2& start, const Stroke& s, double t) {
  if (s.kind == Stroke::Kind::arc) {
    const double angle = s.from + t * (s.to - s.from);
    return s.a + std::cos(angle) * s.b + std::sin(angle) * s.c;
  }
  const double r = 1 - t;
  return r * r * r * start + 3 * r * r * t * s.a + 3 * r * t * t * s.b + t * t * t * s.end;
}

}  // namespace

void Drawing::add(Path path, const Affine& to_drawing, const std::string& place) {
  // With what a chain of its own takes later, and what vectors take while they grow.
  take(6 * sizeof(Path) + 3 * path.name.size() + 2 * path.strokes.size() * sizeof(Stroke), place);
  path.start = to_drawing * path.start;
  for (Stroke& s : path.strokes) s = placed(s, to_drawing);
  paths_.push_back(std::move(path));
}

Drawing::Extent Drawing::scale_all(double scale) {
  Extent all{Vec2::Constant(kInfinity), Vec2::Constant(-kInfinity)};
  const auto include = [&](const Vec2& p) {
    all.lo = all.lo.cwiseMin(p), all.hi = all.hi.cwiseMax(p);
  };
  const Affine larger{scale * Mat2::Identity(), Vec2::Zero()};
  for (Path& path : paths_) {
    path.start = scale * path.start;
    include(path.start);
    Vec2 start = path.start;
    for (Stroke& s : path.strokes) {
      s = placed(s, larger);
      // An arc counts by what is drawn of it: its circle is immense where it hardly bends.
      if (s.kind == Stroke::Kind::arc)
        for (int k = 1; k < eighths(s); ++k) include(point_at(start, s, k / eighths(s)));
      include(s.end);
      if (s.kind == Stroke::Kind::cubic || s.kind == Stroke::Kind::rational)
        include(s.a), include(s.b);
      start = s.end;
    }
  }
  return all;
}

void Drawing::join(double gap, OutlineReport& report) {
  // The search for ends that meet takes this for each path.
  constexpr std::size_t kOfPath = 512;
  if (joins_) allowance_.take(paths_.size() * kOfPath, "");
  const Joining joining = joins_ ? join_paths(paths_, gap) : close_paths(paths_, gap);
  report.joined = joining.joined;
  report.repeated = joining.repeated;
  report.widest_gap = joining.widest_gap;
}

/// Adds the remarks about a joined drawing that a user should know.
void Drawing::tell(double size, OutlineReport& report) const {
  constexpr std::size_t kMostOpen = 20;
  std::size_t open = 0;
  for (const Path& path : paths_) {
    if (path.closed || path.strokes.empty() || path.start == path.end()) continue;
    if (++open > kMostOpen) continue;
    report.open.push_back(fmt::format("left open{}: from ({:.9g}, {:.9g}) to ({:.9g}, {:.9g})",
                                      path.name.empty() ? "" : ", on " + path.name, path.start.x(),
                                      path.start.y(), path.end().x(), path.end().y()));
  }
  if (open > 0)
    report.remarks.push_back(fmt::format("{} of {} chains {} open, and enclose{} nothing; {}", open,
                                         paths_.size(), open == 1 ? "is" : "are",
                                         open == 1 ? "s" : "", report.open.front()));
  if (open > kMostOpen)
    report.open.push_back(fmt::format("{} more chains are left open", open - kMostOpen));
  // Gaps that rounding to a few digits leaves need no remark.
  constexpr double kRounding = 1e-6;
  if (report.widest_gap > kRounding * size)
    report.remarks.push_back(
        fmt::format("gaps of up to {:.3g} between ends are bridged by edges", report.widest_gap));
  if (report.repeated > 0)
    report.remarks.push_back(fmt::format("{} line{} or arc{} drawn a second time and left out",
                                         report.repeated, report.repeated == 1 ? "" : "s",
                                         report.repeated == 1 ? " is" : "s are"));
}

double Drawing::append_chords(const Vec2& start, const Stroke& s, double allowed,
                              std::vector<Vec2>& points) {
  if (s.kind == Stroke::Kind::rational) {
    append_rational_chords(start, s, allowed, points);
    return allowed;
  }
  const double bend = second_derivative(start, s),
               steps = std::ceil(std::sqrt(bend / (8 * allowed)));
  // Curves of size zero, and ones whose step count is NaN, take one step.
  double count = steps > 1 ? steps : 1;
  // However coarse, an arc keeps its shape: no chord for more than an eighth of a turn.
  if (s.kind == Stroke::Kind::arc) count = std::max(count, eighths(s));
  constexpr double kMostSteps = 1e9;
  allowance_.take(static_cast<std::size_t>(std::min(count, kMostSteps)) * sizeof(Vec2) * 8, "");
  for (double k = 1; k < count; ++k) points.push_back(point_at(start, s, k / count));
  points.push_back(s.end);
  const double off = bend / (8 * count * count);
  return off < allowed ? off : allowed;
}

// Weights are positive, so a piece lies in the hull of its controls, and is no farther from its
// chord than they are: the distance from a segment is convex. Nor is a point of the chord farther
// from the piece: that passes over all of the chord, from one end to the other, within a strip as
// wide. So pieces are halved (de Casteljau, on weighted points) until their controls are near
// enough.
void Drawing::append_rational_chords(const Vec2& start, const Stroke& s, double allowed,
                                     std::vector<Vec2>& points) {
  using Controls = std::array<Vec3, 4>;  // weighted x and y, weight
  const auto weighted = [](const Vec2& p, double w) { return Vec3(w * p.x(), w * p.y(), w); };
  const auto point = [](const Vec3& h) { return Vec2(h.head<2>() / h.z()); };
  struct Piece {
    Controls at;
    int depth;
  };
  constexpr int kMostDepth = 60;
  const auto fail = [&] {
    throw LoadError(file_, "", "a rational spline whose weights differ too much");
  };
  const double most = std::max({s.c.x(), s.c.y(), s.from, s.to});
  std::vector<Piece> waiting = {{{weighted(start, s.c.x() / most), weighted(s.a, s.c.y() / most),
                                  weighted(s.b, s.from / most), weighted(s.end, s.to / most)},
                                 0}};
  while (!waiting.empty()) {
    const auto [h, depth] = waiting.back();
    waiting.pop_back();
    allowance_.take(sizeof(Vec2) * 8, "");
    const Vec2 p = point(h[0]), q = point(h[3]), d = q - p;
    if (!p.allFinite() || !q.allFinite()) fail();
    double off = 0;
    for (const Vec2& c : {point(h[1]), point(h[2])}) {
      if (!c.allFinite()) fail();
      const double length2 = d.squaredNorm();
      const double t = length2 > 0 ? std::clamp((c - p).dot(d) / length2, 0.0, 1.0) : 0;
      off = std::max(off, (p + t * d - c).norm());
    }
    if (off <= allowed) {
      points.push_back(q);
      continue;
    }
    if (depth == kMostDepth) fail();
    const Vec3 a = 0.5 * (h[0] + h[1]), b = 0.5 * (h[1] + h[2]), c = 0.5 * (h[2] + h[3]);
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), middle = 0.5 * (ab + bc);
    waiting.push_back({{middle, bc, c, h[3]}, depth + 1});
    waiting.push_back({{h[0], a, ab, middle}, depth + 1});
  }
  points.back() = s.end;
}

plane::Outline Drawing::flattened(const OutlineOptions& options, OutlineReport* report) {
  if (paths_.empty()) throw LoadError(file_, "", "the file holds no outlines");
  OutlineReport own;
  const Extent all = scale_all(options.scale);
  constexpr double kDefaultShare = 1e-4, kDefaultGap = 1e-5;
  const double size = (all.hi - all.lo).norm();
  const double allowed = options.chord_error > 0 ? options.chord_error : kDefaultShare * size;
  const double gap = options.join_gap > 0 ? options.join_gap : kDefaultGap * size;
  join(gap, own);
  tell(size, own);

  std::vector<plane::Chain> chains;
  std::vector<ChainError> errors;
  chains.reserve(paths_.size());
  errors.reserve(paths_.size());
  for (Path& path : paths_) {
    plane::Chain chain{{path.start}, path.closed, std::move(path.name)};
    ChainError error{0, own.widest_gap};
    Vec2 at = path.start;
    for (const Stroke& s : path.strokes) {
      error.chords = std::max(error.chords, append_chords(at, s, allowed, chain.points));
      at = s.end;
    }
    // The edge that closes a chain need not have no length.
    if (chain.closed && chain.points.size() > 1 && chain.points.back() == chain.points.front())
      chain.points.pop_back();
    chains.push_back(std::move(chain));
    errors.push_back(error);
    own.chord_error = std::max(own.chord_error, error.chords);
  }
  try {
    for (std::string& sentence : mark_drawn_again(chains, errors))
      own.remarks.push_back(std::move(sentence));
    if (report != nullptr) *report = own;
    return plane::Outline(chains, std::move(own.remarks), own.chord_error);
  } catch (const InvalidInput& e) {
    throw LoadError(file_, "", e.what());
  }
}

plane::Outline read_outline(std::string_view bytes, const std::string& ending,
                            const std::string& file, const OutlineOptions& options,
                            OutlineReport* report) {
  return (ending == ".svg" ? read_svg(bytes, file) : read_dxf(bytes, file))
      .flattened(options, report);
}

}  // namespace touche::io
