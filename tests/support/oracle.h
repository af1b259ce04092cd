// SPDX-License-Identifier: Apache-2.0
// An independent judge of continuous tests, for small soups: its own formulas for motions, its own
// distance of triangles, both in extended precision, sampled densely enough to be sure. It shares
// no code with the library's hierarchy, kinematics or queries.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "touche/motion.h"
#include "touche/soup.h"

namespace touche::test {

using Real = long double;
using Point = Eigen::Matrix<Real, 3, 1>;
using Turn = Eigen::Quaternion<Real>;
using Corners = std::array<Point, 3>;

/// x' = turn x + move.
struct Place {
  Turn turn = Turn::Identity();
  Point move = Point::Zero();
  Point operator*(const Point& x) const { return turn * x + move; }
};
Place place_of(const Pose& pose);

/// A smooth piece of a path from t = begin to end, given as a function of its own u in [u0, u1].
/// The body point `centre` moves no faster than `speed`, the body turns no faster than `spin`.
struct Leg {
  Real begin = 0, end = 1, u0 = 0, u1 = 1;
  std::function<Place(Real)> place;
  Point centre = Point::Zero();
  Real speed = 0, spin = 0;  // per unit of u

  Place at(Real t) const;
  Real rate() const { return (u1 - u0) / (end - begin); }
};

/// A motion twice: as the library knows it, and by the oracle's own formulas.
struct Ride {
  Motion motion = Motion::at(Pose());
  std::vector<Leg> legs;

  Place at(Real t) const;
};

Ride still(const Pose& pose);
Ride interpolated(const Pose& start, const Pose& end, Interpolation how);
Ride screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle, double travel);
/// A user's function: the body point `reference` swings along `swing` and the body rocks about
/// `axis` by up to `angle`, both `waves` times.
Ride rocking(const Pose& start, const Vec3& reference, const Vec3& swing, const Vec3& axis,
             double angle, double waves);
Ride through(std::span<const Pose> poses, std::span<const double> times, Interpolation how);
Ride chain(std::span<const Ride> rides, std::span<const double> times);
Ride part(const Ride& ride, double t0, double t1);
Ride reversed(const Ride& ride);

/// Distance of two triangles, of which any may be a segment or a point.
Real triangle_distance(const Corners& a, const Corners& b);
Real point_triangle_distance(const Point& p, const Corners& t);

/// The distance of two triangles, or minus the depth of their overlap: how far one has to be moved,
/// in the best direction, until they at most touch. Zero-area and coplanar triangles that meet have
/// a depth of zero.
Real signed_distance(const Corners& a, const Corners& b);
Corners corners(const PolygonSoup& soup, Index triangle, const Place& place);

/// Distance of two soups at one time.
Real soup_distance(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b,
                   const Ride& ride_b, Real t);

/// The least signed distance of any pair of their triangles.
Real soup_signed_distance(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b,
                          const Ride& ride_b, Real t);

struct Truth {
  std::optional<double> touch;   ///< they surely touch at this time; the first found, sharp
  double near_from = kInfinity;  ///< until here their distance is proved to be above `near`
  /// Before `touch` (or the end) every moment is proved to be free of contact.
  bool sure = true;
  bool clear() const { return near_from == kInfinity; }
};

/// Searches [0, 1]: steps so short that nothing can happen between two samples, and refines every
/// minimum of the distance that comes under `near`.
Truth find_touch(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b, const Ride& ride_b,
                 double near);

/// Size of all numbers in play; the unit roundoff times this is what coordinates are worth.
double reach(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b, const Ride& ride_b);

}  // namespace touche::test
