// SPDX-License-Identifier: Apache-2.0
// Closed surfaces, ring by ring. A ring is a closed loop of vertices; two rings make a strip, a
// ring alone makes a cap. Meshes built this way are watertight and oriented by construction.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::scenes {

using Vec2 = Eigen::Vector2d;
using Ring = std::vector<Index>;

/// The point i of n on the unit circle; exact at quarter turns, and symmetric, so that mirrored
/// vertices have mirrored coordinates.
Vec2 on_circle(Index i, Index n);

class MeshBuilder {
 public:
  Index vertex(const Vec3& p);
  void face(std::span<const Index> corners);
  void face(std::initializer_list<Index> corners) {
    face(std::span<const Index>(corners.begin(), corners.size()));
  }

  Ring ring(Index n, const std::function<Vec3(Index)>& point);

  /// Triangles between two rings of equal length. Rings run counter-clockwise seen from the side
  /// of `b`; then the surface faces outwards.
  void strip(const Ring& a, const Ring& b);

  /// One polygon; it faces the side from which the ring runs counter-clockwise.
  void cap(const Ring& ring);
  /// The same, facing the other side.
  void cap_below(const Ring& ring);

  /// Triangles from a ring to one vertex above it.
  void cone(const Ring& ring, Index apex);
  void cone_below(const Ring& ring, Index apex);

  /// Triangles between two open rows whose vertices carry increasing keys; equal keys are joined.
  /// `left` and `right` as seen from the front, keys increase upwards.
  struct Keyed {
    Index vertex;
    double key;
  };
  void zip(std::span<const Keyed> left, std::span<const Keyed> right);

  /// A strip between rings of different length, both evenly spread.
  void uneven_strip(const Ring& a, const Ring& b);

  /// Surface of revolution about the z axis. `profile` holds (radius, z), the material on its
  /// left when it runs upwards; closed: it returns to its start; else it starts and ends on the
  /// axis (radius 0) or is capped with polygons.
  void lathe(std::span<const Vec2> profile, Index n, bool closed = false);

  /// The same around another outline: corner i of it is at radius · outline(i).
  void loft(std::span<const Vec2> profile, Index n, const std::function<Vec2(Index)>& outline,
            bool closed = false);

  /// A round tube along a smooth curve through `knots`, with flat ends.
  void tube(std::span<const Vec3> knots, double radius, Index around, Index along);

  void add(const PolygonSoup& soup, const Pose& pose = {}, double scale = 1);

  PolygonSoup soup() const;

 private:
  std::vector<double> coordinates_;
  std::vector<Index> corners_;
  std::vector<Index> face_sizes_;
};

}  // namespace touche::scenes
