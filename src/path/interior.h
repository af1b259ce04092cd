// SPDX-License-Identifier: Apache-2.0
// Computes winding numbers: those of closed objects by counting crossings, those of others by a
// tree of dipoles, with a bound of their error.
#pragma once

#include <optional>
#include <vector>

#include "base/data_access.h"
#include "bvh/object_data.h"
#include "query/nearest_point.h"
#include "query/relative.h"
#include "touche/overlap.h"

namespace touche {

struct Interior::Data {
  explicit Data(Object o);

  struct Winding {
    double value, error;
  };
  /// At all points within `radius` of x, the winding number differs from `value` by at most
  /// `error`.
  Winding winding(const Vec3& x, double radius, double group_error) const;
  /// True only where it is proved that no point within `radius` of x lies inside.
  bool all_outside(const Vec3& x, double radius) const;
  double exact_winding(const Vec3& x) const;
  /// How often the faces cross the way from x to y, outwards less inwards; exact. Nothing where the
  /// way meets an edge, a vertex or the plane of a face it lies in.
  std::optional<int> crossings(const Vec3& x, const Vec3& y) const;
  bool contains(const Vec3& x) const;
  bool in_bounds(const Vec3& x) const {
    const Aabb& box = object.bounds();
    const bool within = (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
    if (flat == nullptr) return within;
    return x.x() >= box.lo.x() && x.x() <= box.hi.x() && x.y() >= box.lo.y() && x.y() <= box.hi.y();
  }
  /// Whether the inside ends at faces only, so that what crosses none is inside as a whole.
  bool ends_at_faces() const { return closed || flat != nullptr; }

  Object object;
  tree::ObjectFaces faces;
  const Flat* flat;  // where the object stands on an outline; then nothing below is needed
  bool closed = false;
  std::vector<std::vector<Index>> parts;

 private:
  // The faces below a node of the tree; from far away they wind like one small area at its centre.
  struct Cluster {
    Vec3 centre = Vec3::Zero();
    Vec3 area = Vec3::Zero();    // vector area
    Mat3 moment = Mat3::Zero();  // sum of vector areas times positions from the centre, transposed
    double size = 0;             // sum of the areas
    double spread = 0;           // integral of the squared distance from the centre
    double radius = 0;           // of a ball around the centre
  };
  void make_clusters();

  // The share of a cluster in the solid angle, and how far off it is: at x because the cluster's
  // parts are not at its centre, and how much farther elsewhere in a ball around x.
  struct FromAfar {
    double angle = 0, off = kInfinity, off_ball = 0;
  };
  FromAfar from_afar(const Cluster& cluster, const Vec3& x, double radius) const;
  bool open_contains(const Vec3& x) const;

  AabbTree tree_;                  // of triangles
  std::vector<Cluster> clusters_;  // one for each node
};

/// chord_error of a mesh, or of the outline that the object stands on.
double chord_error_of(const Object& object);

}  // namespace touche
