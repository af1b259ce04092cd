// SPDX-License-Identifier: Apache-2.0
// Welding of soups, and the length that closes one.
#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/weld.h"
#include "touche/soup.h"

namespace touche {
namespace {

geometry::FaceList faces_of(const PolygonSoup& soup, std::vector<Index>& corners) {
  std::vector<Index> sizes;
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  }
  return geometry::face_list(corners, sizes);
}

// The next number of two digits.
double rounded_up(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  const double up = std::ceil(x / unit) * unit;
  return up >= x ? up : up + unit;
}

}  // namespace

WeldResult weld(PolygonSoup& soup, double length) {
  std::vector<Index> corners;
  const geometry::FaceList faces = faces_of(soup, corners);
  std::vector<Vec3> vertices(soup.vertices().begin(), soup.vertices().end());
  const WeldResult result = geometry::weld(vertices, faces, length);
  if (result.joined == 0) return result;
  std::vector<double> coordinates;
  coordinates.reserve(3 * vertices.size());
  for (const Vec3& x : vertices) coordinates.insert(coordinates.end(), x.begin(), x.end());
  soup.move_vertices(coordinates);
  return result;
}

std::optional<double> closing_length(const PolygonSoup& soup, double most) {
  std::vector<Index> corners;
  const geometry::FaceList faces = faces_of(soup, corners);
  const std::vector<Vec3> vertices(soup.vertices().begin(), soup.vertices().end());
  const auto closes = [&](double length) -> std::optional<double> {
    std::vector<Vec3> moved = vertices;
    const WeldResult result = geometry::weld(moved, faces, length);
    if (result.open_edges > 0 || result.joined == 0) return std::nullopt;
    return result.farthest;
  };
  const auto farthest = closes(most);
  if (!farthest) return std::nullopt;
  // Shorter lengths than twice the rounding error of the coordinates join none.
  double largest = 0;
  for (const Vec3& x : vertices) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  const double length = rounded_up(std::max(*farthest, 2 * geometry::kLeastShare * largest));
  return length < most && closes(length) ? length : most;
}

}  // namespace touche
