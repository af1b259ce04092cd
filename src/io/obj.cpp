// SPDX-License-Identifier: Apache-2.0
// Wavefront OBJ, the polygonal part.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

// Statements that say nothing about which polygons there are.
constexpr std::array<std::string_view, 21> kHarmless = {
    "vt",         "vn",        "vp",       "s",        "mg",   "mtllib", "maplib",
    "usemap",     "bevel",     "c_interp", "d_interp", "lod",  "ctech",  "stech",
    "shadow_obj", "trace_obj", "deg",      "bmat",     "step", "cstype", "csh"};

// Statements that make free-form geometry, or fetch geometry from elsewhere.
constexpr std::array<std::string_view, 11> kRefused = {
    "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp", "end", "con", "call"};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file)
      : text_(bytes, file, {.comment = '#', .joins_lines = true}), file_(file) {}

  MeshData read() {
    do {
      statement();
    } while (text_.next_line());
    if (highest_.number > mesh_.data().vertex_count()) {
      throw LoadError(file_, std::to_string(highest_.place),
                      "vertex " + std::to_string(highest_.number) +
                          " does not exist; the file has " +
                          std::to_string(mesh_.data().vertex_count()));
    }
    remark_on(points_, "point");
    remark_on(lines_, "line");
    mesh_.set_objects(std::move(objects_.empty() ? groups_ : objects_));
    mesh_.set_digits(text_.digits());
    return mesh_.finish(file_);
  }

 private:
  void statement() {
    const std::string_view keyword = text_.word();
    if (keyword.empty()) return;
    if (keyword == "v") {
      vertex();
    } else if (keyword == "f" || keyword == "fo") {
      face();
    } else if (keyword == "g") {
      group_ = text_.rest_of_line();
      groups_.use(group_, mesh_.data().face_count);
      name_group();
    } else if (keyword == "o") {
      object_ = text_.rest_of_line();
      objects_.use(object_, mesh_.data().face_count);
      group_ = {};
      name_group();
    } else if (keyword == "p" || keyword == "l") {
      (keyword == "p" ? points_ : lines_).add(text_.line());
    } else if (keyword == "usemtl") {
      material_ = text_.rest_of_line();
      name_group();
    } else if (contains(kRefused, keyword)) {
      text_.fail("the statement " + in_quotes(keyword) +
                 " makes free-form or external geometry, which is not read; export polygons");
    } else if (!contains(kHarmless, keyword)) {
      text_.fail("unknown statement " + in_quotes(keyword));
    }
  }

  // Columns after the third (a weight, a colour) are ignored, whatever they hold.
  void vertex() {
    const double x = text_.coordinate(text_.word());
    const double y = text_.coordinate(text_.word());
    const double z = text_.coordinate(text_.word());
    mesh_.add_vertex(x, y, z);
  }

  void face() {
    for (std::string_view w = text_.word(); !w.empty(); w = text_.word()) {
      mesh_.add_corner(corner(w));
    }
    if (mesh_.open_corners() < 3) {
      text_.fail("a face needs 3 corners, this one has " + std::to_string(mesh_.open_corners()));
    }
    mesh_.end_face();
  }

  // v, v/vt, v//vn or v/vt/vn: only v matters. Numbers start at 1; negative ones count back from
  // the last vertex so far.
  Index corner(std::string_view word) {
    std::int64_t number = 0;
    const char* const last = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), last, number);
    if (error != std::errc() || (stop != last && *stop != '/')) {
      text_.fail("expected a vertex number, found " + in_quotes(word));
    }
    const auto vertices = static_cast<std::int64_t>(mesh_.data().vertex_count());
    if (number == 0) text_.fail("vertex numbers start at 1, found " + in_quotes(word));
    if (number < -vertices) {
      text_.fail("vertex " + std::to_string(number) + " does not exist; " +
                 std::to_string(vertices) + " come before this line");
    }
    const std::int64_t index = number > 0 ? number - 1 : vertices + number;
    highest_.use(static_cast<std::uint64_t>(index), text_.line());
    return static_cast<Index>(index);
  }

  // Statements that are left out, and the line of the first of them.
  struct LeftOut {
    std::size_t count = 0, first_line = 0;
    void add(std::size_t line) {
      if (count++ == 0) first_line = line;
    }
  };

  void remark_on(const LeftOut& left_out, const char* what) {
    if (left_out.count > 0)
      mesh_.add_remark(fmt::format(
          "{} {} statement{}, the first in line {}: not read, as {}s are no surface",
          left_out.count, what, left_out.count == 1 ? "" : "s", left_out.first_line, what));
  }

  void name_group() {
    mesh_.use_group(!group_.empty() ? group_ : !object_.empty() ? object_ : material_);
  }

  TextScanner text_;
  const std::string& file_;
  MeshBuilder mesh_;
  HighestVertex highest_;
  std::string_view group_, object_, material_;
  FaceNames groups_, objects_;
  LeftOut points_, lines_;
};

}  // namespace

MeshData read_obj(std::string_view bytes, const std::string& file) {
  return ObjReader(bytes, file).read();
}

}  // namespace touche::io
