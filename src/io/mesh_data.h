// SPDX-License-Identifier: Apache-2.0
// Every reader produces this: the arrays a PolygonSoup is made of, grown face by face.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "touche/soup.h"

namespace touche::io {

/// Coordinates beyond this are refused by PolygonSoup; readers refuse them where they stand.
inline constexpr double kMaxCoordinate = 1e90;
inline constexpr std::size_t kMaxCorners = std::size_t{1} << 31;

/// Names of faces, as runs: a name holds from one face until another one begins.
class FaceNames {
 public:
  /// Faces from number `face` on belong to this name. An empty name is a name, too.
  void use(std::string_view name, std::size_t face);
  /// The same, but to a name of its own even when it was used before.
  void begin(std::string_view name, std::size_t face);

  bool empty() const { return runs_.empty(); }
  std::span<const std::string> names() const { return names_; }
  /// For each face the number of its name, kNone before the first one.
  std::vector<Index> numbers(std::size_t face_count) const;

 private:
  struct Run {
    std::size_t first_face;
    Index name;
  };
  std::vector<std::string> names_;
  std::vector<Run> runs_;
  std::unordered_map<std::string, Index> numbers_;
};

struct MeshData {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  std::vector<Index> face_sizes;   ///< empty: all triangles
  std::vector<Index> face_groups;  ///< empty: no face has a group
  std::vector<std::string> group_names;
  std::size_t face_count = 0;
  FaceNames objects;                 ///< what becomes parts if the file is split
  std::vector<std::string> remarks;  ///< what was odd in the file, what was left out
  int digits = 0;                    ///< most significant digits of a coordinate; 0: not text
  bool numbers_vertices = false;     ///< the reader numbered them by position, not the file
  WeldResult weld = {};              ///< lengths are scaled as the options say

  std::size_t vertex_count() const { return coordinates.size() / 3; }
};

class MeshBuilder {
 public:
  void add_vertex(double x, double y, double z) {
    data_.coordinates.insert(data_.coordinates.end(), {x, y, z});
  }
  void add_corner(Index vertex) { data_.corners.push_back(vertex); }

  /// Makes a face of the corners added since the last one. Sizes and groups are only written
  /// down once a face is not a triangle or has a group: most large meshes need neither.
  void end_face() {
    const std::size_t size = data_.corners.size() - face_begin_;
    face_begin_ = data_.corners.size();
    if (size != 3 || !data_.face_sizes.empty()) note_size(size);
    if (group_ != kNone || !data_.face_groups.empty()) note_group();
    ++data_.face_count;
  }
  std::size_t open_corners() const { return data_.corners.size() - face_begin_; }

  /// Faces from now on belong to the group of this name; an empty name means none.
  void use_group(std::string_view name);
  /// The same, but a group of its own even when the name was used before.
  void begin_group(std::string_view name);
  /// As begin_group, and the group is an object.
  void begin_object(std::string_view name) {
    begin_group(name);
    data_.objects.begin(name, data_.face_count);
  }
  /// Coordinates have up to this many significant digits in the file.
  void set_digits(int digits) { data_.digits = std::max(data_.digits, digits); }
  void set_numbers_vertices() { data_.numbers_vertices = true; }
  void set_objects(FaceNames objects) { data_.objects = std::move(objects); }
  void add_remark(std::string remark) { data_.remarks.push_back(std::move(remark)); }

  void reserve(std::size_t vertices, std::size_t triangles) {
    data_.coordinates.reserve(3 * vertices);
    data_.corners.reserve(3 * triangles);
  }
  const MeshData& data() const { return data_; }

  /// The mesh so far, which may have no faces; the builder is empty afterwards.
  MeshData take() {
    MeshBuilder other;
    std::swap(*this, other);
    return std::move(other.data_);
  }
  /// The finished mesh. Throws LoadError when it has no faces or too many corners.
  MeshData finish(const std::string& file);

 private:
  void note_size(std::size_t size);
  void note_group();
  Index new_group(std::string_view name);

  MeshData data_;
  std::unordered_map<std::string, Index> groups_by_name_;
  std::size_t face_begin_ = 0;
  Index group_ = kNone;
  Index nameless_ = kNone;
};

/// Stores the largest vertex number used and its position in the file. Formats in which faces may
/// precede their vertices need it to report a number out of range.
struct HighestVertex {
  std::uint64_t number = 0;
  std::size_t place = 0;

  void use(std::uint64_t vertex, std::size_t where) {
    if (vertex >= number) {
      number = vertex + 1;
      place = where;
    }
  }
};

}  // namespace touche::io
