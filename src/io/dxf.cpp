// SPDX-License-Identifier: Apache-2.0
// DXF, from release 12 on, as text: what lies in the plane z = constant.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <vector>

#include "io/dxf_entities.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

/// Returns whether an entity is an annotation, not part of the drawing.
bool is_annotation(std::string_view kind) {
  static const std::set<std::string_view> kinds = {
      "TEXT",       "MTEXT",         "DIMENSION",   "ARC_DIMENSION",
      "LEADER",     "MULTILEADER",   "MLEADER",     "TOLERANCE",
      "HATCH",      "VIEWPORT",      "ATTDEF",      "ATTRIB",
      "SEQEND",     "IMAGE",         "WIPEOUT",     "OLE2FRAME",
      "ACAD_TABLE", "XLINE",         "RAY",         "LIGHT",
      "SUN",        "UNDERLAY",      "PDFUNDERLAY", "LARGE_RADIAL_DIMENSION",
      "RTEXT",      "ARCALIGNEDTEXT"};
  return kinds.contains(kind);
}

/// Millimetres per unit of $INSUNITS; 1 where it has none.
double millimetres(int units) {
  static const std::map<int, double> known = {{1, 25.4},   {2, 304.8}, {3, 1609344}, {5, 10},
                                              {6, 1e3},    {7, 1e6},   {8, 25.4e-6}, {9, 25.4e-3},
                                              {10, 914.4}, {11, 1e-7}, {12, 1e-6},   {13, 1e-3},
                                              {14, 100},   {15, 1e4},  {16, 1e5}};
  const auto found = known.find(units);
  return found == known.end() ? 1 : found->second;
}

class DxfReader {
 public:
  DxfReader(std::string_view bytes, const std::string& file)
      : file_(bytes, file), drawing_(bytes.size(), file) {}

  Drawing read() {
    find_sections();
    Affine to;
    to.linear *= unit_;
    for (const Range& section : sections_) draw(section, to, 0);
    drawing_.join_ends();
    return std::move(drawing_);
  }

 private:
  static constexpr int kMostDepth = 100;

  const std::vector<DxfEntity>& all() const { return file_.entities(); }

  /// The entities [first, last).
  struct Range {
    std::size_t first = 0, last = 0;
  };
  /// The entities of a block, and the point that is placed.
  struct Block {
    Range range;
    Vec2 base = Vec2::Zero();
    bool is_only = true;  ///< of its name
  };

  /// A section of a name may be there more than once: each counts.
  void find_sections() {
    std::string_view section;
    for (std::size_t i = 0; i < all().size(); ++i) {
      const DxfEntity& e = all()[i];
      if (e.kind == "SECTION") {
        section = DxfFile::text(e, 2);
        if (section == "HEADER") read_units(e);
        if (section == "ENTITIES") sections_.push_back({i + 1, i + 1});
      } else if (e.kind == "ENDSEC") {
        section = {};
      } else if (section == "BLOCKS" && e.kind == "BLOCK") {
        Range range{i + 1, i + 1};
        while (range.last < all().size() && all()[range.last].kind != "ENDBLK") ++range.last;
        const Vec2 base(file_.number(e, 10, 0), file_.number(e, 20, 0));
        const auto [block, is_new] = blocks_.try_emplace(DxfFile::text(e, 2), Block{range, base});
        block->second.is_only = is_new;
        i = range.last - 1;
      }
      if (section == "ENTITIES") sections_.back().last = i + 1;
    }
    if (sections_.empty()) file_.fail(1, "not a DXF file: it has no section of entities");
  }

  void read_units(const DxfEntity& header) {
    for (std::size_t k = 0; k + 1 < header.groups.size(); ++k)
      if (header.groups[k].value == "$INSUNITS" && header.groups[k].code == 9)
        unit_ = millimetres(
            static_cast<int>(std::clamp(file_.value_of(header.groups[k + 1]), -1.0, 1000.0)));
  }

  // ---- entities
  // ----------------------------------------------------------------------------------

  void draw(const Range& range, const Affine& to, int depth) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const DxfEntity& e = all()[i];
      // Also of what is not drawn: a block of it may be placed a million times.
      drawing_.take(cost(e), std::to_string(e.line));
      if (is_annotation(e.kind)) continue;
      if (e.kind == "POLYLINE") {
        std::size_t end = i + 1;
        for (; end < range.last && all()[end].kind == "VERTEX"; ++end)
          drawing_.take(cost(all()[end]), std::to_string(e.line));
        add(e, polyline(e, i + 1, end), to * own_axes(e));
        i = end - 1;
      } else if (e.kind == "INSERT") {
        insert(e, to, depth);
      } else {
        add(e, path_of(e), to * (has_own_axes(e.kind) ? own_axes(e) : Affine{}));
      }
    }
  }

  void add(const DxfEntity& e, Path path, const Affine& to) {
    path.name = DxfFile::text(e, 8);
    drawing_.add(std::move(path), to, std::to_string(e.line));
  }

  /// These are drawn in axes that follow from the direction they are extruded in.
  static bool has_own_axes(std::string_view kind) {
    return kind != "LINE" && kind != "ELLIPSE" && kind != "SPLINE" && kind != "POINT";
  }

  /// Along z: the drawing's axes. Against z: x the other way.
  Affine own_axes(const DxfEntity& e) const {
    const double z = extrusion(e);
    Affine axes;
    if (z < 0) axes.linear(0, 0) = -1;
    return axes;
  }

  double extrusion(const DxfEntity& e) const {
    const double x = file_.number(e, 210, 0), y = file_.number(e, 220, 0),
                 z = file_.number(e, 230, 1);
    constexpr double kNone = 1e-9;
    if (std::abs(x) > kNone || std::abs(y) > kNone || !(std::abs(z) > kNone))
      file_.fail(e, "is not parallel to the plane of x and y");
    return z;
  }

  void one_height(const DxfEntity& e, const std::vector<double>& heights) const {
    for (const double z : heights)
      if (z != heights.front()) file_.fail(e, "is not parallel to the plane of x and y");
  }

  Path path_of(const DxfEntity& e) const {
    Path path;
    if (e.kind == "LINE") {
      one_height(e, {file_.number(e, 30, 0), file_.number(e, 31, 0)});
      path.start = file_.point(e, 10);
      path.line_to(file_.point(e, 11));
    } else if (e.kind == "POINT") {
      path.start = file_.point(e, 10);
    } else if (e.kind == "CIRCLE" || e.kind == "ARC") {
      return circle_or_arc(e);
    } else if (e.kind == "ELLIPSE") {
      return ellipse(e);
    } else if (e.kind == "LWPOLYLINE") {
      return light_polyline(e);
    } else if (e.kind == "SPLINE") {
      one_height(e, file_.numbers(e, 30));
      return dxf_spline(file_, e);
    } else if (e.kind == "SOLID" || e.kind == "TRACE") {
      one_height(e, {file_.number(e, 30, 0), file_.number(e, 31, 0), file_.number(e, 32, 0)});
      path.start = file_.point(e, 10);
      path.line_to(file_.point(e, 11));
      if (file_.number(e, 13))
        path.line_to(file_.point(e, 13));  // the last two points are in
                                           // reverse order
      path.line_to(file_.point(e, 12));
      path.closed = true;
    } else {
      file_.fail(e, "entities of this kind are not read");
    }
    return path;
  }

  Path circle_or_arc(const DxfEntity& e) const {
    const Vec2 centre = file_.point(e, 10);
    const double r = file_.number(e, 40, 0);
    if (!(r > 0)) file_.fail(e, "needs a radius above 0");
    if (e.kind == "CIRCLE") return ellipse_path(centre, {r, 0}, {0, r});
    const double from = file_.number(e, 50, 0), to = file_.number(e, 51, 360);
    // Counter-clockwise; ends that are the same mean all around.
    double angle = std::fmod(to - from, 360);
    if (angle <= 0) angle += 360;
    const Mat2 turn = turn_by_degrees(from);
    Path path = arc_path(centre, r * turn.col(0), r * turn.col(1), 0, angle * kRadians);
    path.strokes.back().end = centre + r * turn_by_degrees(to).col(0);
    return path;
  }

  Path ellipse(const DxfEntity& e) const {
    const Vec2 centre = file_.point(e, 10), major = file_.point(e, 11);
    one_height(e, {0.0, file_.number(e, 31, 0)});
    const double ratio = file_.number(e, 40, 1), turn = extrusion(e) < 0 ? -1 : 1;
    if (!(ratio > 0) || major.isZero(0)) file_.fail(e, "needs axes longer than 0");
    const Vec2 minor = turn * ratio * Vec2(-major.y(), major.x());
    const double from = file_.number(e, 41, 0), to = file_.number(e, 42, 2 * std::numbers::pi);
    double angle = std::fmod(to - from, 2 * std::numbers::pi);
    constexpr double kAllAround = 1e-9;
    if (angle <= kAllAround) angle += 2 * std::numbers::pi;
    if (angle >= 2 * std::numbers::pi - kAllAround) return ellipse_path(centre, major, minor);
    return arc_path(centre, major, minor, from, from + angle);
  }

  /// A side of a polyline: straight, or an arc that turns by 4 atan(bulge), left where that is > 0.
  static void side(Path& path, const Vec2& end, double bulge) {
    const Vec2 start = path.end(), d = end - start;
    // An arc is off from its chord by half of |bulge| times its length: here less than rounding.
    if (std::abs(bulge) < 1e-16 || d.isZero(0)) return path.line_to(end);
    const Vec2 left(-d.y(), d.x());
    const Vec2 centre = start + 0.5 * d + (0.25 / bulge - 0.25 * bulge) * left;
    const Vec2 u = start - centre, v(-u.y(), u.x());
    path.arc_to(end, centre, u, v, 0, 4 * std::atan(bulge));
  }

  Path with_bulges(const std::vector<Vec2>& points, const std::vector<double>& bulges,
                   bool closed) const {
    Path path;
    path.start = points.front();
    for (std::size_t i = 1; i < points.size(); ++i) side(path, points[i], bulges[i - 1]);
    path.closed = closed;
    if (closed && bulges.back() != 0) side(path, points.front(), bulges.back());
    return path;
  }

  Path light_polyline(const DxfEntity& e) const {
    std::vector<Vec2> points;
    std::vector<double> bulges;
    double x = 0;
    bool has_x = false;
    for (const DxfGroup& g : e.groups) {
      if (g.code == 10) {
        if (has_x) file_.fail(e, "a point without y");
        x = file_.value_of(g);
        has_x = true;
      } else if (g.code == 20) {
        if (!has_x) file_.fail(e, "a point without x");
        points.emplace_back(x, file_.value_of(g));
        bulges.push_back(0);
        has_x = false;
      } else if (g.code == 42 && !bulges.empty()) {
        bulges.back() = file_.value_of(g);
      }
    }
    if (points.empty() || has_x) file_.fail(e, "needs points");
    return with_bulges(points, bulges, (file_.integer(e, 70, 0) & kClosed) != 0);
  }

  Path polyline(const DxfEntity& e, std::size_t first, std::size_t last) const {
    const int flags = file_.integer(e, 70, 0);
    constexpr int kMeshes = 16 | 64;
    if ((flags & kMeshes) != 0) file_.fail(e, "is a mesh of space, which is not read");
    std::vector<Vec2> points;
    std::vector<double> bulges, heights;
    for (std::size_t i = first; i < last; ++i) {
      const DxfEntity& vertex = all()[i];
      constexpr int kFrame = 16;  // a control point, which is not drawn
      if ((file_.integer(vertex, 70, 0) & kFrame) != 0) continue;
      points.push_back(file_.point(vertex, 10));
      heights.push_back(file_.number(vertex, 30, 0));
      bulges.push_back(file_.number(vertex, 42, 0));
    }
    if (points.empty()) file_.fail(e, "needs vertices");
    one_height(e, heights);
    return with_bulges(points, bulges, (flags & kClosed) != 0);
  }

  // ---- blocks
  // ------------------------------------------------------------------------------------

  void insert(const DxfEntity& e, const Affine& to, int depth) {
    const std::string_view name = DxfFile::text(e, 2);
    const auto found = blocks_.find(name);
    if (found == blocks_.end()) file_.fail(e, fmt::format("there is no block {}", in_quotes(name)));
    if (!found->second.is_only)
      file_.fail(e, fmt::format("there are several blocks {}", in_quotes(name)));
    if (depth >= kMostDepth) file_.fail(e, "blocks lie too deep in each other");
    const Block& block = found->second;
    Affine placed;
    const Mat2 turn = turn_by_degrees(file_.number(e, 50, 0));
    placed.linear = turn * Vec2(file_.number(e, 41, 1), file_.number(e, 42, 1)).asDiagonal();
    const Vec2 at = file_.point(e, 10), step(file_.number(e, 44, 0), file_.number(e, 45, 0));
    const int columns = std::max(1, file_.integer(e, 70, 1)),
              rows = std::max(1, file_.integer(e, 71, 1));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        drawing_.take(kVisit, std::to_string(e.line));
        placed.shift =
            at + turn * Vec2(column * step.x(), row * step.y()) - placed.linear * block.base;
        draw(block.range, to * own_axes(e) * placed, depth + 1);
      }
  }

  static constexpr int kClosed = 1;
  static constexpr std::size_t kVisit = 512;  // as of SVG
  /// Cost of visiting an entity, which reads all its groups.
  static std::size_t cost(const DxfEntity& e) { return kVisit + 16 * e.groups.size(); }

  DxfFile file_;
  Drawing drawing_;
  double unit_ = 1;
  std::vector<Range> sections_;  // of entities
  std::map<std::string_view, Block> blocks_;
};

}  // namespace

Drawing read_dxf(std::string_view bytes, const std::string& file) {
  return DxfReader(bytes, file).read();
}

}  // namespace touche::io
