// SPDX-License-Identifier: Apache-2.0
// Chords of length w of a circle of radius r meet at the angle w / r, and their arcs have the
// height w² / (8 r) = w · angle / 8. A face of a doubly curved surface bends at all its edges, and
// the heights add up: over all three edges of a triangle, but over only two of the four edges of a
// quadrangle, since opposite edges measure the same curvature.
//
// Chords of one arc have about the same width. A wall beside a fillet bends by half the angle
// between the fillet's strips although it is no chord, whatever its width; the same holds for a
// long cylinder beside a short lead-in. So at each edge a face counts as at most twice as wide as
// the face on the other side. Then the error given to the wall is no larger than that of the strip
// beside it.
#include "path/chord_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bvh/object_data.h"
#include "math/rounding.h"
#include "path/face_normal.h"
#include "touche/path.h"

namespace touche::paths {

namespace {

// edges with a larger angle are taken for intended edges
constexpr double kSharp = std::numbers::pi / 6;
constexpr double kWider = 2;  // a chord is at most this many times as wide as its neighbour

/// Returns how far a face extends from the line of an edge.
double width_of(const PolygonSoup& soup, Index face, const Vec3& on_edge, const Vec3& along) {
  double width = 0;
  for (const Index v : soup.face(face)) {
    const Vec3 to = soup.vertex(v) - on_edge;
    width = std::max(width, (to - along * along.dot(to)).norm());
  }
  return width;
}

}  // namespace

}  // namespace touche::paths

namespace touche {

std::vector<double> chord_errors(const PolygonSoup& soup) {
  std::vector<double> height(soup.face_count());
  // At each edge with a small angle, add to the heights of both faces.
  for (Index corner = 0; corner < soup.corner_count(); ++corner) {
    const Index twin = soup.opposite(corner);
    if (twin == kNone || twin < corner) continue;
    const Index faces[] = {soup.face_of_corner(corner), soup.face_of_corner(twin)};
    const Vec3 a = paths::face_normal(soup, faces[0]), b = paths::face_normal(soup, faces[1]);
    const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
    if (!(angle > 0) || angle > paths::kSharp) continue;
    const Vec3& from = soup.vertex(soup.corner_vertex(corner));
    const Vec3 along =
        math::unit_or_zero(soup.vertex(soup.corner_vertex(soup.next_corner(corner))) - from);
    const double widths[] = {paths::width_of(soup, faces[0], from, along),
                             paths::width_of(soup, faces[1], from, along)};
    for (const int side : {0, 1}) {
      const auto sides = static_cast<double>(soup.face(faces[side]).size());
      const double width = std::min(widths[side], paths::kWider * widths[1 - side]);
      height[faces[side]] += width * angle / 8 * (sides > 3 ? 2 / sides : 1);
    }
  }
  return height;
}

double chord_error(const PolygonSoup& soup) {
  const std::vector<double> height = chord_errors(soup);
  return height.empty() ? 0 : *std::max_element(height.begin(), height.end());
}

}  // namespace touche

namespace touche::paths {

std::vector<double> chord_errors_of(const Object& object) {
  const bvh::Flat* flat = bvh::flat_of(object);
  return flat == nullptr ? chord_errors(object.soup())
                         : std::vector<double>(object.soup().face_count(), flat->chord_error());
}

std::optional<double> chord_error_where_they_meet(const Object& a, const Pose& pose_a,
                                                  std::span<const double> errors_a, const Object& b,
                                                  const Pose& pose_b,
                                                  std::span<const double> errors_b,
                                                  const Budget& budget) {
  const FacePairsResult found = intersecting_faces(a, pose_a, b, pose_b, budget);
  if (!found.complete) return std::nullopt;
  double of_a = 0, of_b = 0;
  for (const FacePair& faces : found.pairs) {
    if (!errors_a.empty()) of_a = std::max(of_a, errors_a[faces.a]);
    if (!errors_b.empty()) of_b = std::max(of_b, errors_b[faces.b]);
  }
  return of_a + of_b;
}

}  // namespace touche::paths
