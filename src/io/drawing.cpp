// SPDX-License-Identifier: Apache-2.0
#include "io/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "io/assembly_builder.h"
#include "io/drawn_twice.h"
#include "io/drop_chains.h"
#include "io/join_paths.h"
#include "io/mesh_data.h"
#include "io/tally.h"
#include "io/text_scanner.h"

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

Path rectangle_path(const Vec2& lo, const Vec2& extent, const Vec2& r) {
  const Vec2 hi = lo + extent;
  Path path;
  path.closed = true;
  if (!(r.array() > 0).all()) {
    path.start = lo;
    path.line_to({hi.x(), lo.y()});
    path.line_to(hi);
    path.line_to({lo.x(), hi.y()});
    return path;
  }
  const Vec2 x(r.x(), 0), y(0, r.y());
  path.start = lo + x;
  // A side, then the arc of the corner at its end, which begins at −towards.
  const auto side_and_corner = [&](const Vec2& side_end, const Vec2& corner, const Vec2& before,
                                   const Vec2& after) {
    if (side_end != path.end()) path.line_to(side_end);
    path.arc_to(corner + after, corner, before, after, 0, std::numbers::pi / 2);
  };
  side_and_corner({hi.x() - r.x(), lo.y()}, Vec2(hi.x(), lo.y()) - x + y, -y, x);
  side_and_corner({hi.x(), hi.y() - r.y()}, hi - x - y, x, y);
  side_and_corner({lo.x() + r.x(), hi.y()}, Vec2(lo.x(), hi.y()) + x - y, y, -x);
  side_and_corner({lo.x(), lo.y() + r.y()}, lo + x + y, -x, -y);
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
  expect_in_range(path, place);
  paths_.push_back(std::move(path));
}

std::size_t Drawing::add_part(std::string_view name, const std::string& place) {
  // With what the part of an outline takes later.
  take(4 * name.size() + sizeof(Part) + 2 * sizeof(OutlinePart), place);
  std::string unique = step_of(name);
  if (const std::size_t count = ++uses_[unique]; count > 1) unique += fmt::format("#{}", count);
  parts_.push_back({std::move(unique)});
  return parts_.size() - 1;
}

void Drawing::expect_in_range(const Path& path, const std::string& place) const {
  const auto check = [&](const Vec2& p) {
    for (const double x : {p.x(), p.y()})
      if (!(std::abs(x) <= kMaxCoordinate)) throw LoadError(file_, place, bad_coordinate(x));
  };
  check(path.start);
  for (const Stroke& s : path.strokes) {
    check(s.end);
    if (s.kind == Stroke::Kind::line) continue;
    check(s.a);
    check(s.b);
    if (s.kind == Stroke::Kind::arc) check(s.c), check({s.from, s.to});
  }
}

void Drawing::leave_plane(double by) {
  ++leaves_plane_;
  highest_ = std::max(highest_, by);
}

double Drawing::size() const {
  Vec2 lo = Vec2::Constant(kInfinity), hi = -lo;
  const auto include = [&](const Vec2& p) { lo = lo.cwiseMin(p), hi = hi.cwiseMax(p); };
  for (const Path& path : paths_) {
    include(path.start);
    Vec2 start = path.start;
    for (const Stroke& s : path.strokes) {
      // An arc counts by what is drawn of it: its circle is immense where it hardly bends.
      if (s.kind == Stroke::Kind::arc)
        for (int k = 1; k < eighths(s); ++k) include(point_at(start, s, k / eighths(s)));
      include(s.end);
      if (s.kind == Stroke::Kind::cubic || s.kind == Stroke::Kind::rational)
        include(s.a), include(s.b);
      start = s.end;
    }
  }
  return (hi - lo).norm();
}

void Drawing::join(std::vector<Path>& paths, double gap, OutlineReport& report) {
  // The search for ends that meet takes this for each path.
  constexpr std::size_t kOfPath = 512;
  if (joins_) allowance_.take(paths.size() * kOfPath, "");
  const Joining joining = joins_ ? join_paths(paths, gap) : close_paths(paths, gap);
  report.joined = joining.joined;
  report.repeated = joining.repeated;
  report.widest_gap = joining.widest_gap;
}

namespace {

constexpr std::size_t kMostOpen = 20;

// Gaps and heights that rounding to a few digits leaves need no remark.
constexpr double kRounding = 1e-6;

/// Adds the remarks about joined paths that a user should know.
void describe(const std::vector<Path>& paths, double size, const OutlineOptions& options,
              OutlineReport& report) {
  std::size_t open = 0;
  for (const Path& path : paths) {
    if (options.drop_open) break;
    if (path.closed || path.strokes.empty() || path.start == path.end()) continue;
    if (++open > kMostOpen) continue;
    report.open.push_back(fmt::format("left open{}: from ({:.9g}, {:.9g}) to ({:.9g}, {:.9g})",
                                      path.name.empty() ? "" : ", on " + path.name, path.start.x(),
                                      path.start.y(), path.end().x(), path.end().y()));
  }
  if (open > 0)
    report.remarks.push_back(fmt::format(
        "{} of {} chains {} open: what lies within {} is unknown; {}", open, paths.size(),
        open == 1 ? "is" : "are", open == 1 ? "it" : "them", report.open.front()));
  if (open > kMostOpen)
    report.open.push_back(fmt::format("{} more chains are left open", open - kMostOpen));
  if (report.widest_gap > kRounding * size)
    report.remarks.push_back(
        fmt::format("gaps of up to {:.3g} between ends are bridged by edges", report.widest_gap));
  if (report.repeated > 0)
    report.remarks.push_back(fmt::format("{} line{} or arc{} drawn a second time and left out",
                                         report.repeated, report.repeated == 1 ? "" : "s",
                                         report.repeated == 1 ? " is" : "s are"));
}

}  // namespace

std::vector<std::string> Drawing::remarks(double size) const {
  std::vector<std::string> all = remarks_;
  if (highest_ > kRounding * size)
    all.push_back(fmt::format("{} entit{} z = 0, by up to {:.3g}, and {} read as seen from above",
                              leaves_plane_, leaves_plane_ == 1 ? "y leaves" : "ies leave",
                              highest_, leaves_plane_ == 1 ? "is" : "are"));
  return all;
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

void Drawing::fail_empty(const std::vector<std::string>& remarks) const {
  throw LoadError(file_, "",
                  fmt::format("the file holds no outlines{}{}", remarks.empty() ? "" : "; ",
                              fmt::join(remarks, "; ")));
}

Drawing::Chains Drawing::chains_of(std::vector<Path> paths, double size,
                                   const OutlineOptions& options) {
  Chains made;
  OutlineReport& report = made.report;
  constexpr double kDefaultShare = 1e-4, kDefaultGap = 1e-5;
  const double allowed = options.chord_error > 0 ? options.chord_error : kDefaultShare * size;
  join(paths, options.join_gap > 0 ? options.join_gap : kDefaultGap * size, report);
  describe(paths, size, options, report);

  std::vector<ChainError> errors;
  made.chains.reserve(paths.size());
  errors.reserve(paths.size());
  for (Path& path : paths) {
    plane::Chain chain{{path.start}, path.closed, std::move(path.name)};
    ChainError error{0, report.widest_gap};
    Vec2 at = path.start;
    for (const Stroke& s : path.strokes) {
      error.chords = std::max(error.chords, append_chords(at, s, allowed, chain.points));
      at = s.end;
    }
    // The edge that closes a chain need not have no length.
    if (chain.closed && chain.points.size() > 1 && chain.points.back() == chain.points.front())
      chain.points.pop_back();
    made.chains.push_back(std::move(chain));
    errors.push_back(error);
  }
  for (std::string& sentence : drop_chains(made.chains, errors, options))
    report.remarks.push_back(std::move(sentence));
  for (const ChainError& error : errors)
    report.chord_error = std::max(report.chord_error, error.chords);
  try {
    for (std::string& sentence : mark_drawn_again(made.chains, errors))
      report.remarks.push_back(std::move(sentence));
  } catch (const InvalidInput& e) {
    throw LoadError(file_, "", e.what());
  }
  return made;
}

plane::Outline Drawing::outline_of(Chains made, OutlineReport& report) const {
  report = std::move(made.report);
  try {
    return plane::Outline(made.chains, report.remarks, report.chord_error);
  } catch (const InvalidInput& e) {
    throw LoadError(file_, "", e.what());
  }
}

namespace {

void put_before(const std::vector<std::string>& first, std::vector<std::string>& remarks) {
  remarks.insert(remarks.begin(), first.begin(), first.end());
}

/// Adds what is reported of a part to what is reported of all, except for remarks.
void merge(const OutlineReport& part, OutlineReport& all) {
  all.chord_error = std::max(all.chord_error, part.chord_error);
  all.joined += part.joined;
  all.widest_gap = std::max(all.widest_gap, part.widest_gap);
  all.repeated += part.repeated;
  for (const std::string& open : part.open)
    if (all.open.size() < kMostOpen) all.open.push_back(open);
}

}  // namespace

plane::Outline Drawing::flattened(const OutlineOptions& options, OutlineReport* report) {
  if (paths_.empty()) fail_empty(remarks_);
  const double size = this->size();
  Chains made = chains_of(std::move(paths_), size, options);
  put_before(remarks(size), made.report.remarks);
  if (made.chains.empty()) fail_empty(made.report.remarks);
  OutlineReport own;
  plane::Outline outline = outline_of(std::move(made), own);
  own.unit = unit_.value_or(0);
  if (report != nullptr) *report = std::move(own);
  return outline;
}

std::vector<OutlinePart> Drawing::flattened_parts(const OutlineOptions& options,
                                                  OutlineReport* report) {
  if (paths_.empty()) fail_empty(remarks_);
  const double size = this->size();
  std::vector<std::vector<Path>> paths(parts_.size());
  for (Path& path : paths_) paths[path.part].push_back(std::move(path));
  paths_.clear();

  OutlineReport all;
  Tally gone("part", "parts");
  std::vector<std::pair<std::string, Chains>> kept;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    if (paths[k].empty()) {
      if (!part.has_left_out) gone.add("without outlines", part.name);
      continue;
    }
    Chains made = chains_of(std::exchange(paths[k], {}), size, options);
    merge(made.report, all);
    if (made.chains.empty())
      gone.add("with dropped chains only", part.name);
    else
      kept.emplace_back(part.name, std::move(made));
  }
  all.remarks = remarks(size);
  if (!gone.empty()) all.remarks.push_back(gone.sentence("left out"));
  if (kept.empty()) fail_empty(all.remarks);
  // Each part has them, in its outline and in its report.
  std::size_t bytes = 0;
  for (const std::string& remark : all.remarks) bytes += sizeof(std::string) + remark.size();
  allowance_.take(2 * bytes * kept.size(), "");

  std::vector<OutlinePart> parts;
  parts.reserve(kept.size());
  for (auto& [name, made] : kept) {
    OutlinePart& part = parts.emplace_back();
    part.name = std::move(name);
    put_before(all.remarks, made.report.remarks);
    part.outline = outline_of(std::move(made), part.report);
    part.report.unit = unit_.value_or(0);
  }
  all.unit = unit_.value_or(0);
  if (report != nullptr) *report = std::move(all);
  return parts;
}

void fail_unknown_layer(const std::string& file, const std::string& name,
                        const std::vector<std::string>& layers) {
  constexpr std::size_t kMost = 50;
  const std::size_t shown = std::min(layers.size(), kMost);
  const std::string list = fmt::format(
      "{}{}", fmt::join(layers.begin(), layers.begin() + static_cast<long>(shown), ", "),
      layers.size() > shown ? fmt::format(" and {} more", layers.size() - shown) : "");
  throw LoadError(file, "",
                  fmt::format("there is no layer {}; {}", in_quotes(name),
                              list.empty() ? "the file has no layers" : "there are: " + list));
}

plane::Outline read_outline(std::string_view bytes, const std::string& ending,
                            const std::string& file, const OutlineOptions& options,
                            OutlineReport* report) {
  return (ending == ".svg" ? read_svg(bytes, file, options) : read_dxf(bytes, file, options))
      .flattened(options, report);
}

std::vector<OutlinePart> read_outlines(std::string_view bytes, const std::string& ending,
                                       const std::string& file, Split split,
                                       const OutlineOptions& options, OutlineReport* report) {
  return (ending == ".svg" ? read_svg(bytes, file, options, split)
                           : read_dxf(bytes, file, options, split))
      .flattened_parts(options, report);
}

}  // namespace touche::io
