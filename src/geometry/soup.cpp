// SPDX-License-Identifier: Apache-2.0
#include "touche/soup.h"

#include <algorithm>
#include <cmath>

#include "geometry/half_edges.h"
#include "geometry/triangulate.h"

namespace touche {

namespace {

constexpr double kLargest = 1e90, kSmallest = 1e-90;
constexpr std::size_t kMostCorners = std::size_t{1} << 31;

std::string numbered(const char* what, std::size_t number) {
  return std::string(what) + " " + std::to_string(number);
}

void check_coordinates(std::span<const double> coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (!(std::abs(coordinates[i]) <= kLargest))
      throw InvalidInput(
          numbered("vertex", i / 3) + ": coordinate " + "xyz"[i % 3] +
          (std::isfinite(coordinates[i]) ? " is larger than 1e90" : " is not finite"));
}

void set_vertices(std::span<const double> coordinates, std::vector<Vec3>& vertices) {
  // Smaller numbers would underflow in exact predicates; replace them by 0.
  const auto kept = [&](std::size_t i) {
    return std::abs(coordinates[i]) < kSmallest ? 0.0 : coordinates[i];
  };
  for (std::size_t v = 0; v < vertices.size(); ++v)
    vertices[v] = Vec3(kept(3 * v), kept(3 * v + 1), kept(3 * v + 2));
}

std::vector<Vec3> checked_vertices(std::span<const double> coordinates) {
  if (coordinates.size() % 3 != 0)
    throw InvalidInput("coordinates: " + std::to_string(coordinates.size()) +
                       " numbers are not three per vertex");
  if (coordinates.size() / 3 > kMostCorners)
    throw InvalidInput(numbered("more vertices than", kMostCorners));
  check_coordinates(coordinates);
  std::vector<Vec3> vertices(coordinates.size() / 3);
  set_vertices(coordinates, vertices);
  return vertices;
}

/// The first corner of each face and one past the last; empty if all faces are triangles.
std::vector<Index> checked_face_begins(std::size_t corner_count,
                                       std::span<const Index> face_sizes) {
  if (corner_count > kMostCorners) throw InvalidInput(numbered("more corners than", kMostCorners));
  if (corner_count == 0) throw InvalidInput("no faces");
  if (face_sizes.empty()) {
    if (corner_count % 3 != 0)
      throw InvalidInput("corners: " + std::to_string(corner_count) +
                         " vertex numbers are not three per face");
    return {};
  }

  // Check the sizes before using them: their sum must neither overflow nor differ from the number
  // of corners.
  std::size_t sum = 0;
  bool all_triangles = true;
  for (std::size_t f = 0; f < face_sizes.size(); ++f) {
    if (face_sizes[f] < 3) throw InvalidInput(numbered("face", f) + ": fewer than three corners");
    sum += face_sizes[f];
    if (sum > corner_count)
      throw InvalidInput(numbered("face", f) + ": ends after the last of " +
                         std::to_string(corner_count) + " corners");
    all_triangles = all_triangles && face_sizes[f] == 3;
  }
  if (sum != corner_count)
    throw InvalidInput("face sizes add up to " + std::to_string(sum) + " of " +
                       std::to_string(corner_count) + " corners");
  if (all_triangles) return {};
  std::vector<Index> begins;
  begins.reserve(face_sizes.size() + 1);
  begins.push_back(0);
  for (Index size : face_sizes) begins.push_back(begins.back() + size);
  return begins;
}

}  // namespace

PolygonSoup::PolygonSoup(std::span<const double> coordinates, std::span<const Index> corners,
                         std::span<const Index> face_sizes, std::span<const Index> face_groups,
                         std::vector<std::string> group_names)
    : vertices_(checked_vertices(coordinates)),
      face_begins_(checked_face_begins(corners.size(), face_sizes)),
      group_names_(std::move(group_names)) {
  corners_.assign(corners.begin(), corners.end());
  for (Index c = 0; c < corner_count(); ++c)
    if (corners_[c] >= vertex_count())
      throw InvalidInput(numbered("face", face_of_corner(c)) + ": vertex number " +
                         std::to_string(corners_[c]) + ", but there are " +
                         std::to_string(vertex_count()) + " vertices");

  if (!face_groups.empty() && face_groups.size() != face_count())
    throw InvalidInput("face groups: " + std::to_string(face_groups.size()) + " numbers for " +
                       std::to_string(face_count()) + " faces");
  for (std::size_t f = 0; f < face_groups.size(); ++f)
    if (face_groups[f] >= group_names_.size())
      throw InvalidInput(numbered("face", f) + ": group number " + std::to_string(face_groups[f]) +
                         ", but there are " + std::to_string(group_names_.size()) + " groups");
  face_groups_.assign(face_groups.begin(), face_groups.end());

  enclose();

  if (face_begins_.empty()) {
    triangles_.resize(corners_.size() / 3);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      triangles_[t] = {corners_[3 * t], corners_[3 * t + 1], corners_[3 * t + 2]};
  } else {
    const std::size_t count = corners_.size() - 2 * static_cast<std::size_t>(face_count());
    triangles_.reserve(count);
    triangle_faces_.reserve(count);
    for (Index f = 0; f < face_count(); ++f) {
      geometry::triangulate_face(vertices_, face(f), triangles_);
      triangle_faces_.resize(triangles_.size(), f);
    }
  }

  // Two half-edges in opposite directions, without a third on the same edge, are opposite
  // half-edges.
  opposites_.assign(corners_.size(), kNone);
  geometry::for_each_edge(
      vertex_count(), corner_count(), [&](Index c) { return corners_[c]; },
      [&](Index c) { return next_corner(c); },
      [&](std::span<const geometry::EdgeUse> uses) {
        if (uses.size() != 2 || uses[0].backward == uses[1].backward) return;
        opposites_[uses[0].corner] = uses[1].corner;
        opposites_[uses[1].corner] = uses[0].corner;
      });
}

void PolygonSoup::enclose() {
  // The bounds enclose the surface; vertices that no face uses do not count.
  bounds_ = {};
  for (Index v : corners_) bounds_.include(vertices_[v]);
}

void PolygonSoup::move_vertices(std::span<const double> coordinates) {
  if (coordinates.size() != 3 * vertices_.size())
    throw InvalidInput("coordinates: " + std::to_string(coordinates.size()) +
                       " numbers are not three for each of " + std::to_string(vertices_.size()) +
                       " vertices");
  check_coordinates(coordinates);
  set_vertices(coordinates, vertices_);
  enclose();
}

Index PolygonSoup::face_count() const {
  return static_cast<Index>(face_begins_.empty() ? corners_.size() / 3 : face_begins_.size() - 1);
}

Index PolygonSoup::face_begin(Index face) const {
  return face_begins_.empty() ? 3 * face : face_begins_[face];
}

std::span<const Index> PolygonSoup::face(Index face) const {
  return std::span(corners_).subspan(face_begin(face), face_begin(face + 1) - face_begin(face));
}

Index PolygonSoup::face_of_corner(Index corner) const {
  if (face_begins_.empty()) return corner / 3;
  const auto after = std::upper_bound(face_begins_.begin(), face_begins_.end(), corner);
  return static_cast<Index>(after - face_begins_.begin() - 1);
}

Index PolygonSoup::next_corner(Index corner) const {
  if (face_begins_.empty()) return corner % 3 == 2 ? corner - 2 : corner + 1;
  const Index face = face_of_corner(corner);
  return corner + 1 == face_begins_[face + 1] ? face_begins_[face] : corner + 1;
}

Feature PolygonSoup::input_feature(Index triangle, FeatureKind kind, int local) const {
  const Index face = face_of_triangle(triangle);
  if (kind == FeatureKind::vertex) return {kind, triangles_[triangle][local]};
  if (kind == FeatureKind::face) return {kind, face};
  if (face_begins_.empty()) return {kind, 3 * triangle + static_cast<Index>(local)};

  // The half-edge between the same vertices, if the face has one; otherwise it is a diagonal.
  const Index from = triangles_[triangle][local], to = triangles_[triangle][(local + 1) % 3];
  const Index begin = face_begins_[face], end = face_begins_[face + 1];
  for (Index c = begin; c < end; ++c)
    if (corners_[c] == from && corners_[c + 1 == end ? begin : c + 1] == to) return {kind, c};
  return {FeatureKind::face, face};
}

std::string_view PolygonSoup::face_group(Index face) const {
  return face_groups_.empty() ? std::string_view() : group_names_[face_groups_[face]];
}

std::size_t PolygonSoup::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t sum = bytes(vertices_) + bytes(corners_) + bytes(face_begins_) + bytes(opposites_) +
                    bytes(triangles_) + bytes(triangle_faces_) + bytes(face_groups_) +
                    bytes(group_names_);
  for (const std::string& group : group_names_) sum += group.capacity();
  return sum;
}

PolygonSoup merged(std::span<const PolygonSoup* const> soups, std::span<const std::string> names) {
  if (soups.empty()) throw InvalidInput("merged: no soups");
  if (!names.empty() && names.size() != soups.size())
    throw InvalidInput("merged: " + std::to_string(names.size()) + " names for " +
                       std::to_string(soups.size()) + " soups");
  std::vector<double> coordinates;
  std::vector<Index> corners, face_sizes, face_groups;
  std::vector<std::string> groups;
  std::size_t group = 0;  // of the last face; usually the next face's as well
  for (std::size_t i = 0; i < soups.size(); ++i) {
    const PolygonSoup& soup = *soups[i];
    const auto first_vertex = static_cast<Index>(coordinates.size() / 3);
    for (const Vec3& v : soup.vertices()) coordinates.insert(coordinates.end(), v.begin(), v.end());
    for (Index face = 0; face < soup.face_count(); ++face) {
      const std::span<const Index> vertices = soup.face(face);
      face_sizes.push_back(static_cast<Index>(vertices.size()));
      for (const Index v : vertices) corners.push_back(first_vertex + v);
      const std::string_view name = names.empty() ? soup.face_group(face) : names[i];
      if (group >= groups.size() || groups[group] != name) {
        const auto found = std::find(groups.begin(), groups.end(), name);
        group = static_cast<std::size_t>(found - groups.begin());
        if (group == groups.size()) groups.emplace_back(name);
      }
      face_groups.push_back(static_cast<Index>(group));
    }
  }
  PolygonSoup all(coordinates, corners, face_sizes, face_groups, std::move(groups));
  for (const PolygonSoup* soup : soups)
    for (const std::string& remark : soup->remarks()) all.add_remark(remark);
  return all;
}

}  // namespace touche
