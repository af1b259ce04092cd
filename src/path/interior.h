// SPDX-License-Identifier: Apache-2.0
// Winding numbers: of closed objects by counting crossings, of others by a tree of dipoles, with a
// bound of their error.
#pragma once

#include <optional>
#include <vector>

#include "query/nearest_point.h"
#include "touche/overlap.h"

namespace touche {

struct Interior::Data {
  explicit Data(Object o);

  struct Bracket {
    double value, error;
  };
  Bracket winding(const Vec3& x, double group_error) const;
  double exact_winding(const Vec3& x) const;
  /// How often the faces cross the way from x to y, outwards less inwards; exact. Nothing where the
  /// way meets an edge, a vertex or the plane of a face it lies in.
  std::optional<int> crossings(const Vec3& x, const Vec3& y) const;
  bool contains(const Vec3& x) const;

  Object object;
  tree::ObjectFaces faces;
  bool closed = false;

 private:
  // The faces below a node of the tree; from far away they wind like one small area at its centre.
  struct Cluster {
    Vec3 centre = Vec3::Zero();
    Vec3 area = Vec3::Zero();  // vector area
    double size = 0;           // sum of the areas
    double radius = 0;         // of a ball around the centre
  };
  void make_clusters();

  AabbTree tree_;                  // of triangles
  std::vector<Cluster> clusters_;  // one for each node
};

/// One vertex of each part that hangs together by common vertices.
std::vector<Index> one_of_each_part(const PolygonSoup& soup);

/// Of objects that do not intersect: whether any part of one lies inside the other.
Containment any_part_inside(const Interior& a, const Pose& pose_a, const Interior& b,
                            const Pose& pose_b);

}  // namespace touche
