// SPDX-License-Identifier: Apache-2.0
// A spherical shell is what a cone cuts out of the space between two spheres, all about one centre
// (Krishnan, Pattekar, Lin, Manocha 1998). It follows curved pieces of a surface. Not convex: it
// has a hollow, into which others may reach.
#pragma once

#include <span>
#include <string_view>

#include "geometry/triangle_pair.h"
#include "methods/bounds/sphere.h"

namespace touche::bounds {

/// The points centre + w with inner <= |w| <= outer and axis · w >= cosine |w|. The axis has unit
/// length up to 8 u; a cosine of −2 leaves nothing out.
struct Shell {
  static constexpr std::string_view kName = "shell";
  Vec3 centre = Vec3::Zero(), axis = Vec3::UnitZ();
  double cosine = -2;
  double inner = 0, outer = 0;

  /// Around all triangles, with their insides: the smallest about its centre, and with the smallest
  /// cone around all directions, if that is no more than a half space. The centre is that of the
  /// sphere nearest to the corners, or one of eight beside the flattest side of their box, or that
  /// of their smallest sphere: whichever gives the least surface.
  static Shell fit_faces(std::span<const Triangle> triangles);
  /// Around the convex hull of the points, which leaves less of the hollow.
  static Shell fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const;
  /// Half the opening of the cone; π when nothing is left out.
  double half_angle() const;
};

Shell moved(const Shell& s, const PoseMatrix& pose);
bool overlap(const Shell& a, const Shell& b, const PoseMatrix& pose);
/// The gap between their convex hulls, or between one and the inner sphere of the other that it
/// lies in.
double lower_bound(const Shell& a, const Shell& b, const PoseMatrix& pose);

// Required by convex_pair.h, for the convex hull.
Sphere ball_of(const Shell& s);
Vec3 farthest(const Shell& s, const Vec3& d);
double reach(const Shell& s, const Vec3& d);

}  // namespace touche::bounds
