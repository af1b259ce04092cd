// SPDX-License-Identifier: Apache-2.0
#include "io/weld.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/weld.h"
#include "io/vertex_merger.h"

namespace touche::io {
namespace {

// Shares of the largest coordinate: four to eight steps of single precision there, and the rounding
// errors of calculations in double precision.
constexpr double kSingle = 0x1p-21, kCalculated = 0x1p-44;
// Text with fewer digits does not say how it was rounded; with up to nine it may stand for single
// precision.
constexpr int kFewestDigits = 6, kMostOfSingle = 9, kMostDigits = 17;
// No more than these shares of the diagonal of the mesh, whatever the coordinates are: far from the
// origin their steps are larger than what a mesh shows.
constexpr double kMostOfSize = 0x1p-20, kMostOfWritten = 0x1p-16;
// Two roundings of a number differ by one unit of the last digit, and their conversions to binary
// add a little.
constexpr double kUnitsApart = 1.5;

double diagonal(std::span<const double> coordinates) {
  Aabb box;
  for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3)
    box.include(Vec3(coordinates[i], coordinates[i + 1], coordinates[i + 2]));
  return box.diagonal();
}

bool is_single(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

WeldResult weld(std::vector<double>& coordinates, std::span<const Index> corners,
                std::span<const Index> sizes, int digits, std::optional<double> length) {
  const double within = length ? *length : rounding_length(coordinates, digits);
  if (within == 0) return {};
  std::vector<Vec3> vertices;
  vertices.reserve(coordinates.size() / 3);
  for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3)
    vertices.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  const WeldResult result =
      geometry::weld(vertices, geometry::face_list(corners, sizes), within,
                     length ? geometry::JoinedEdges::all : geometry::JoinedEdges::of_one_surface);
  if (result.joined > 0)
    for (std::size_t v = 0; v < vertices.size(); ++v)
      std::copy(vertices[v].begin(), vertices[v].end(), &coordinates[3 * v]);
  return result;
}

WeldResult scaled(WeldResult result, double scale) {
  result.length *= scale;
  result.farthest *= scale;
  return result;
}

// Gives vertices of an object at the same position one number, as when the file was read.
void merge_equal(MeshData& mesh) {
  const std::vector<Index> objects = mesh.objects.numbers(mesh.face_count);
  MeshBuilder again;
  VertexMerger merger(again);
  for (std::size_t f = 0; f < mesh.face_count; ++f) {
    if (f > 0 && objects[f] != objects[f - 1]) merger.restart();
    for (std::size_t c = 3 * f; c < 3 * f + 3; ++c) {
      const double* x = &mesh.coordinates[3 * std::size_t{mesh.corners[c]}];
      again.add_corner(merger.vertex(x[0], x[1], x[2]));
    }
    again.end_face();
  }
  MeshData made = again.take();
  mesh.coordinates = std::move(made.coordinates);
  mesh.corners = std::move(made.corners);
}

}  // namespace

double rounding_length(std::span<const double> coordinates, int digits) {
  double largest = 0;
  Aabb box;
  for (std::size_t i = 0; i + 2 < coordinates.size(); i += 3) {
    const Vec3 x(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
    largest = std::max(largest, x.cwiseAbs().maxCoeff());
    box.include(x);
  }
  if (!(largest > 0)) return 0;
  const double size = box.diagonal();
  double share = kCalculated;
  if (std::ranges::all_of(coordinates, is_single) ||
      (digits >= kFewestDigits && digits <= kMostOfSingle))
    share = kSingle;
  const double length = std::min(share * largest, kMostOfSize * size);
  if (digits < kFewestDigits || digits > kMostDigits) return length;
  const double unit = std::pow(10, std::floor(std::log10(largest)) + 1 - digits);
  return std::max(length, std::min(kUnitsApart * unit, kMostOfWritten * size));
}

std::string joined_text(const WeldResult& result) {
  return fmt::format("vertices whose coordinates differ by up to {:.2g} are joined",
                     result.farthest);
}

void weld(MeshData& mesh, std::optional<double> length, double scale) {
  const WeldResult result =
      weld(mesh.coordinates, mesh.corners, mesh.face_sizes, mesh.digits, length);
  mesh.weld = scaled(result, scale);
  if (result.joined == 0) return;
  if (mesh.numbers_vertices) merge_equal(mesh);
  if (result.closed_shells > 0)
    mesh.remarks.push_back(fmt::format(
        "{} closed because {} (--weld 0: they are not)",
        result.open_edges == 0 ? "its surface is"
                               : fmt::format("{} of its shells {}", result.closed_shells,
                                             result.closed_shells == 1 ? "is" : "are"),
        joined_text(mesh.weld)));
  else if (is_noticed(result, mesh.coordinates, 1))
    mesh.remarks.push_back(joined_text(mesh.weld));
  if (result.flattened_faces > 0)
    mesh.remarks.push_back(fmt::format("{} face{} lost {} area because {}", result.flattened_faces,
                                       result.flattened_faces == 1 ? "" : "s",
                                       result.flattened_faces == 1 ? "its" : "their",
                                       joined_text(mesh.weld)));
}

void weld(AssemblyMesh& mesh, int digits, std::optional<double> length, double scale) {
  mesh.weld = scaled(weld(mesh.coordinates, mesh.corners, mesh.face_sizes, digits, length), scale);
}

bool is_noticed(const WeldResult& result, std::span<const double> coordinates, double scale) {
  return result.farthest > scale * geometry::kUnnoticed * diagonal(coordinates);
}

void add(WeldResult& sum, const WeldResult& other) {
  sum.length = std::max(sum.length, other.length);
  sum.farthest = std::max(sum.farthest, other.farthest);
  sum.joined += other.joined;
  sum.open_edges_before += other.open_edges_before;
  sum.open_edges += other.open_edges;
  sum.closed_shells += other.closed_shells;
  sum.flattened_faces += other.flattened_faces;
}

}  // namespace touche::io
