// SPDX-License-Identifier: Apache-2.0
// Computes winding numbers: those of closed objects by counting crossings, those of others with few
// gaps likewise, less what caps over the gaps wind, and those of all others by a tree of dipoles,
// with a bound of their error.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "base/data_access.h"
#include "bvh/object_data.h"
#include "path/caps.h"
#include "path/orientation.h"
#include "query/nearest_point.h"
#include "query/relative.h"
#include "touche/overlap.h"
#include "touche/path.h"

namespace touche {

struct Interior::Data {
  explicit Data(Object o);
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  struct Winding {
    double value, error;
  };
  /// At all points within `radius` of x, the winding number differs from `value` by at most
  /// `error`.
  Winding winding(const Vec3& x, double radius, double group_error) const;
  /// True only where it is proved that no point within `radius` of x lies inside.
  bool all_outside(const Vec3& x, double radius) const;
  /// True only where it is proved that none of these points lies inside that can be reached from x
  /// on a straight way without crossing a face or a slit; but for those within `caps.gap` of faces.
  bool outside_up_to_faces(const Vec3& x, double radius) const;
  double exact_winding(const Vec3& x) const;
  /// How often faces and caps cross the way from x to y, outwards less inwards; exact. Nothing
  /// where the way meets an edge, a vertex or the plane of a face it lies in.
  std::optional<int> crossings(const Vec3& x, const Vec3& y) const;
  bool contains(const Vec3& x) const;
  /// One of the object's triangles, turned where its neighbours run the other way round.
  Triangle triangle(Index t) const { return triangle_at(object.soup(), triangles[t]); }
  bool in_bounds(const Vec3& x) const {
    const Aabb& box = object.bounds();
    const bool within = (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
    if (flat == nullptr) return within;
    return x.x() >= box.lo.x() && x.x() <= box.hi.x() && x.y() >= box.lo.y() && x.y() <= box.hi.y();
  }
  /// Whether the inside ends at faces only, so that what crosses none is inside as a whole.
  bool ends_at_faces() const { return closed || flat != nullptr; }
  /// The same up to slits, whose ends may be `caps.gap` away from faces.
  bool ends_near_faces() const { return ends_at_faces() || (caps.complete && caps.all_thin); }

  Object object;
  tree::ObjectFaces faces;
  const Flat* flat;  // where the object stands on an outline; then nothing below is needed
  bool closed = false;
  InsideFault fault = InsideFault::none;
  Caps caps;  // none where the object is closed, or has large gaps
  std::vector<std::vector<Index>> parts;
  Triangles triangles;  // those of the object, oriented

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
  std::vector<Cluster> make_clusters() const;
  const std::vector<Cluster>& clusters() const;  // one for each node, made when first asked for

  // The share of a cluster in the solid angle, and how far off it is: at x because the cluster's
  // parts are not at its centre, and how much farther elsewhere in a ball around x.
  struct FromAfar {
    double angle = 0, off = kInfinity, off_ball = 0;
  };
  FromAfar from_afar(const Cluster& cluster, const Vec3& x, double radius) const;
  bool open_contains(const Vec3& x) const;
  /// How often faces and caps wind around x; nothing where no way out is clear of edges.
  std::optional<int> count_winding(const Vec3& x) const;
  /// Whether x lies inside, where faces and caps wind around it `count` times; nothing where that
  /// is a matter of rounding.
  std::optional<bool> contains_by_caps(const Vec3& x, int count) const;
  Winding winding_of_caps(const Vec3& x) const;

  std::vector<std::array<Index, 3>> turned_;  // where `triangles` are not those of the soup
  AabbTree tree_;                             // of triangles
  AabbTree cap_tree_;
  mutable std::once_flag clustered_;
  mutable std::vector<Cluster> clusters_;
};

/// Whether the faces enclose a volume that windings tell, gaps aside that are as narrow as rounding
/// makes them.
inline bool closed_but_for_slits(const Interior& body) {
  const Interior::Data& data = data_of(body);
  const bool winds =
      data.fault == InsideFault::none || (data.fault == InsideFault::ambiguous && data.closed);
  if (!winds) return false;
  return data.closed || (data.caps.complete && data.caps.all_thin);
}

}  // namespace touche
