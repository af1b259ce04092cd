// SPDX-License-Identifier: Apache-2.0
// Lines and curves as a drawing has them, before they become chords.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/allowance.h"
#include "touche/outline_file.h"

namespace touche::io {

using plane::Mat2;
using plane::Vec2;

/// x' = linear · x + shift.
struct Affine {
  Mat2 linear = Mat2::Identity();
  Vec2 shift = Vec2::Zero();

  Vec2 operator*(const Vec2& p) const { return linear * p + shift; }
  friend Affine operator*(const Affine& a, const Affine& b) {
    return {a.linear * b.linear, a * b.shift};
  }
};

/// A turn by degrees, counter-clockwise; quarter turns are exact.
Mat2 turn_by_degrees(double degrees);

/// From where the path is to `end`: straight; a cubic Bézier curve with the controls a, b; the arc
/// a + cos θ b + sin θ c for θ from `from` to `to`; or a rational cubic with the controls a, b and
/// the weights c.x, c.y, `from`, `to`, all above 0.
struct Stroke {
  enum class Kind : std::uint8_t { line, cubic, arc, rational };
  Kind kind = Kind::line;
  Vec2 end, a = Vec2::Zero(), b = Vec2::Zero(), c = Vec2::Zero();
  double from = 0, to = 0;
};

struct Path {
  std::string name;
  Vec2 start = Vec2::Zero();
  std::vector<Stroke> strokes;
  bool closed = false;
  std::size_t part = 0;  ///< see Drawing::add_part

  const Vec2& end() const { return strokes.empty() ? start : strokes.back().end; }
  void line_to(const Vec2& p) { strokes.push_back({.end = p}); }
  void cubic_to(const Vec2& a, const Vec2& b, const Vec2& p) {
    strokes.push_back({Stroke::Kind::cubic, p, a, b});
  }
  void rational_to(const Vec2& a, const Vec2& b, const Vec2& p,
                   const std::array<double, 4>& weights) {
    strokes.push_back(
        {Stroke::Kind::rational, p, a, b, {weights[0], weights[1]}, weights[2], weights[3]});
  }
  void quadratic_to(const Vec2& control, const Vec2& p);
  /// An arc that begins where the path is.
  void arc_to(const Vec2& p, const Vec2& centre, const Vec2& u, const Vec2& v, double from,
              double to) {
    strokes.push_back({Stroke::Kind::arc, p, centre, u, v, from, to});
  }
};

/// centre + cos θ u + sin θ v all around.
Path ellipse_path(const Vec2& centre, const Vec2& u, const Vec2& v);
/// Part of it.
Path arc_path(const Vec2& centre, const Vec2& u, const Vec2& v, double from, double to);

/// A rectangle from its lower corner on, with corners that are rounded by half axes of at most half
/// a side; 0: not rounded.
Path rectangle_path(const Vec2& lo, const Vec2& extent, const Vec2& half_axes);

/// Collects the paths of a drawing. Each takes from the allowance, named by where it stands.
class Drawing {
 public:
  Drawing(std::size_t file_bytes, const std::string& file)
      : allowance_(file_bytes, file), file_(file) {}

  /// Throws LoadError, naming the position, for points, control points, centres and axes that are
  /// not finite or beyond what an Outline takes.
  void add(Path path, const Affine& to_drawing, const std::string& place);
  /// Starts a part for paths to be in, see Path::part, and gives it a name that no other one has.
  /// A drawing whose parts do not matter needs none.
  std::size_t add_part(std::string_view name, const std::string& place);
  bool is_empty() const { return paths_.empty(); }
  /// Notes that something is left out of a part, and a remark says so: the part may be empty.
  void note_left_out(std::size_t part) { parts_[part].has_left_out = true; }
  /// The millimetres that are a unit of the file, if it names its unit.
  void set_unit(std::optional<double> millimetres) { unit_ = millimetres; }
  /// A sentence for the user.
  void remark(std::string sentence) { remarks_.push_back(std::move(sentence)); }
  /// Counts an entity that leaves the plane of the drawing, by a height.
  void leave_plane(double by);
  /// For visits that add nothing, so that placing placed things comes to an end.
  void take(std::size_t bytes, const std::string& place) { allowance_.take(bytes, place); }
  bool has(std::size_t bytes) const { return bytes <= allowance_.left(); }

  /// Lines and arcs of one name whose ends meet are one outline: see join_paths.
  void join_ends() { joins_ = true; }

  /// Every curve as chords that are no farther from it than the chord error. Throws LoadError for a
  /// drawing without lines, or of coordinates that an Outline does not take.
  plane::Outline flattened(const OutlineOptions& options, OutlineReport* report = nullptr);
  /// The same for each part by itself; curves and gaps are measured by the whole drawing.
  std::vector<OutlinePart> flattened_parts(const OutlineOptions& options,
                                           OutlineReport* report = nullptr);

 private:
  struct Part {
    std::string name;
    bool has_left_out = false;
  };
  /// Chains of a part before they are an outline; the remarks are on the part only.
  struct Chains {
    std::vector<plane::Chain> chains;
    OutlineReport report;
  };

  void expect_in_range(const Path& path, const std::string& place) const;
  /// The diagonal of the box around all paths.
  double size() const;
  void join(std::vector<Path>& paths, double gap, OutlineReport& report);
  Chains chains_of(std::vector<Path> paths, double size, const OutlineOptions& options);
  plane::Outline outline_of(Chains made, OutlineReport& report) const;
  /// The remarks on the drawing as a whole.
  std::vector<std::string> remarks(double size) const;
  [[noreturn]] void fail_empty(const std::vector<std::string>& remarks) const;
  /// Returns how far the stroke may be off: no more than allowed.
  double append_chords(const Vec2& start, const Stroke& stroke, double allowed,
                       std::vector<Vec2>& points);
  void append_rational_chords(const Vec2& start, const Stroke& stroke, double allowed,
                              std::vector<Vec2>& points);

  Allowance allowance_;
  const std::string& file_;
  bool joins_ = false;
  std::optional<double> unit_;
  std::vector<Path> paths_;
  std::vector<Part> parts_;
  std::map<std::string, std::size_t> uses_;  // of names of parts
  std::vector<std::string> remarks_;
  std::size_t leaves_plane_ = 0;  // entities
  double highest_ = 0;            // of their heights
};

/// Readers of whole files in memory, with the scale and the layers of the options; `file` is for
/// errors. With a split, objects or layers, paths are in parts. Both throw LoadError.
Drawing read_svg(std::string_view bytes, const std::string& file,
                 const OutlineOptions& options = {}, std::optional<Split> split = {});
Drawing read_dxf(std::string_view bytes, const std::string& file,
                 const OutlineOptions& options = {}, std::optional<Split> split = {});

/// Throws LoadError, listing the layers that the file has.
[[noreturn]] void fail_unknown_layer(const std::string& file, const std::string& name,
                                     const std::vector<std::string>& layers);

/// By the ending, .svg or .dxf.
plane::Outline read_outline(std::string_view bytes, const std::string& ending,
                            const std::string& file, const OutlineOptions& options = {},
                            OutlineReport* report = nullptr);
std::vector<OutlinePart> read_outlines(std::string_view bytes, const std::string& ending,
                                       const std::string& file, Split split,
                                       const OutlineOptions& options = {},
                                       OutlineReport* report = nullptr);

}  // namespace touche::io
