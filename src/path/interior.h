// SPDX-License-Identifier: Apache-2.0
// Computes winding numbers: for closed objects by counting crossings, for objects with few gaps by
// counting crossings and subtracting the winding number of the caps, and for all others by a tree
// of dipoles with a bound of its error.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "base/data_access.h"
#include "bvh/object_data.h"
#include "math/rounding.h"
#include "path/caps.h"
#include "path/hull_bounds.h"
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
  /// Returns true only if it is proved that no point within `radius` of x lies inside.
  bool all_outside(const Vec3& x, double radius) const;
  /// Returns true only if it is proved of all points within `radius` that a straight segment from x
  /// reaches without crossing a face or a slit: none of them lies inside, except points within
  /// `caps.gap` of faces.
  bool outside_up_to_faces(const Vec3& x, double radius) const;
  double exact_winding(const Vec3& x) const;
  /// How often faces and caps cross the segment from x to y, outwards minus inwards; exact. Empty
  /// if the segment meets an edge or a vertex, or if x or y lies in the plane of a triangle that
  /// its line crosses.
  std::optional<int> crossings(const Vec3& x, const Vec3& y) const;
  bool contains(const Vec3& x) const;
  /// One of the object's triangles, as oriented: reversed if its orientation in the soup differs
  /// from its neighbours'.
  Triangle triangle(Index t) const { return paths::triangle_at(object.soup(), triangles[t]); }
  bool in_bounds(const Vec3& x) const {
    const Aabb& box = object.bounds();
    const bool within = (x.array() >= box.lo.array()).all() && (x.array() <= box.hi.array()).all();
    if (flat == nullptr) return within;
    return x.x() >= box.lo.x() && x.x() <= box.hi.x() && x.y() >= box.lo.y() && x.y() <= box.hi.y();
  }
  /// Whether the inside is bounded by faces only. Then a connected object that crosses no face is
  /// either inside or outside as a whole.
  bool ends_at_faces() const { return closed || flat != nullptr; }
  /// The same, but slits are allowed: the inside may end up to `caps.gap` away from faces.
  bool ends_near_faces() const { return ends_at_faces() || has_slits_only(); }
  /// Whether the faces determine which points lie inside: they enclose a volume, except for gaps as
  /// narrow as rounding makes them, and have no fault that leaves that open.
  bool determines_inside() const {
    const bool winds = fault == InsideFault::none || (fault == InsideFault::ambiguous && closed);
    return winds && (closed || has_slits_only());
  }
  /// Whether the gaps are slits. Then the inside is that of winding numbers.
  bool has_slits_only() const { return caps.complete && caps.few && caps.all_thin; }
  /// Whether gaps are wider than slits, but narrow enough to count as closed when only the question
  /// is which points lie inside: the inside of a capped object is that of faces and caps together.
  bool is_capped() const {
    return fault == InsideFault::none && !closed && flat == nullptr && caps.complete &&
           caps.all_narrow && !has_slits_only();
  }
  /// Whether it is known what lies inside. Of an outline that is known except in the hull of its
  /// open chains.
  bool tells_inside() const { return flat != nullptr || determines_inside() || is_capped(); }
  /// Whether there is a hull() in which it is unknown what lies inside.
  bool is_open() const { return !tells_inside() || has_open_chains; }
  /// Whether another object may reach in without meeting a face, and come nowhere nearer to faces
  /// than `apart`: through openings, if the hull has a volume, or through gaps. A point that is in
  /// a gap is no farther from faces than the gap is wide.
  bool may_be_entered(double apart) const {
    if (is_open()) return hull().has_volume();
    return gap_width() > 0 && !(apart * math::kRoundDown > gap_width());
  }
  /// No gap is wider; 0 without gaps, and if they are openings.
  double gap_width() const { return is_open() || ends_at_faces() ? 0 : caps.widest; }
  /// The same, and the faces bound the inside except for slits, so that it has a thickness.
  bool bounds_inside() const { return flat != nullptr ? !has_open_chains : determines_inside(); }
  /// Whether x lies inside, if that is known. Points that are nearer to faces than `open_width` may
  /// count as inside or outside.
  bool holds(const Vec3& x) const;
  /// How far from faces the inside may end otherwise.
  double open_width() const { return is_capped() ? caps.widest : 0; }
  /// Returns true only if it is proved that no point within `radius` of x is one of which holds()
  /// is true.
  bool holds_none(const Vec3& x, double radius) const;
  /// Bounds of the hull of the faces, or of an outline's open chains; made at the first use.
  const paths::HullBounds& hull() const;

  Object object;
  tree::ObjectFaces faces;
  const bvh::Flat*
      flat;  // set if the object stands on an outline; then the members below are not used
  bool closed = false;
  bool has_open_chains = false;  // of an outline
  InsideFault fault = InsideFault::none;
  paths::Caps caps;  // empty if the object is closed or has large gaps
  std::vector<std::vector<Index>> parts;
  paths::Triangles triangles;  // the object's, oriented

 private:
  // The faces below a node of the tree. Their solid angle seen from far away is approximated by a
  // small area at the centre.
  struct Cluster {
    Vec3 centre = Vec3::Zero();
    Vec3 area = Vec3::Zero();  // vector area
    // sum of vector areas times transposed positions relative to the centre
    Mat3 moment = Mat3::Zero();
    double size = 0;    // sum of the areas
    double spread = 0;  // integral of the squared distance from the centre
    double radius = 0;  // of a ball around the centre
  };
  std::vector<Cluster> make_clusters() const;
  const std::vector<Cluster>& clusters() const;  // one for each node, made at the first use

  // The contribution of a cluster to the solid angle, and bounds of its error: at x because the
  // cluster's parts are not at its centre, and the additional error elsewhere in a ball around x.
  struct FromAfar {
    double angle = 0, off = kInfinity, off_ball = 0;
  };
  FromAfar from_afar(const Cluster& cluster, const Vec3& x, double radius) const;
  bool open_contains(const Vec3& x) const;
  /// The winding number of faces and caps around x; empty if every segment tried meets an edge.
  std::optional<int> count_winding(const Vec3& x) const;
  /// Whether x lies inside, given the winding number `count` of faces and caps around it; empty if
  /// rounding decides.
  std::optional<bool> contains_by_caps(const Vec3& x, int count) const;
  Winding winding_of_caps(const Vec3& x) const;

  std::vector<std::array<Index, 3>> turned_;  // used if `triangles` differ from the soup's
  aabb_tree::AabbTree tree_;                  // of triangles
  aabb_tree::AabbTree cap_tree_;
  mutable std::once_flag clustered_, hulled_;
  mutable std::vector<Cluster> clusters_;
  mutable paths::HullBounds hull_;
};

}  // namespace touche

namespace touche::paths {

inline bool determines_inside(const Interior& body) {
  return base::data_of(body).determines_inside();
}

/// Throws InvalidInput if the faces do not determine what is inside, or have slits. `who`: the
/// function that needs to know.
void require_inside(const char* who, const Interior& body);

}  // namespace touche::paths
