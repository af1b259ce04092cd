// SPDX-License-Identifier: Apache-2.0
// k-DOPs of any directions (Klosowski 1998): the intersection of slabs, each between two parallel
// planes. Trees of them: see TreeOptions::directions. Link target touche::methods.
//
// Rounding is conservative, as for every volume of `volume_names()`: a fitted k-DOP contains its
// points as real numbers; `contains` is true for each of its points; `overlap` is true whenever two
// have a point in common; `lower_bound` never exceeds their distance, and is 0 if they overlap.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "touche/pose.h"

namespace touche {

/// A k-DOP; k is twice the number of directions. It is immutable, and copies share its data.
///
///     const Kdop dop = Kdop::fit(points, directions);
///     if (overlap(dop, dop_b, relative(pose, pose_b))) ++count;
class [[nodiscard]] Kdop {
 public:
  /// The points x with lo <= normal · x <= hi.
  struct Slab {
    Vec3 normal;
    double lo, hi;
  };

  /// The smallest k-DOP around the points, up to rounding. Directions may have any length except 0;
  /// normals are the directions times powers of two. Of directions that are parallel up to an angle
  /// of 1e-4, the first one is used. Throws InvalidInput unless there are 3 to 120 finite
  /// directions that are not zero, three of which are linearly independent (up to a thousandth);
  /// and for an empty list of points and points that are not finite.
  static Kdop fit(std::span<const Vec3> points, std::span<const Vec3> directions);

  /// One slab for each direction that is used, in their order.
  [[nodiscard]] std::vector<Slab> slabs() const;
  [[nodiscard]] bool contains(const Vec3& p) const;
  [[nodiscard]] double volume() const;
  [[nodiscard]] double surface_area() const;
  [[nodiscard]] double diameter() const;
  /// The faces of positive area, as polygons that are counter-clockwise seen from outside. Rounded.
  [[nodiscard]] std::vector<std::vector<Vec3>> faces() const;

  /// The smallest k-DOP with the same directions, up to rounding, that contains the moved one.
  [[nodiscard]] Kdop moved(const Pose& pose) const;

  struct Data;  ///< internal

 private:
  explicit Kdop(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
  friend bool overlap(const Kdop& a, const Kdop& b, const Pose& pose);
  friend double lower_bound(const Kdop& a, const Kdop& b, const Pose& pose);
};

/// Test two k-DOPs; `pose` is that of b relative to a, and their directions may differ. Pairs that
/// are apart by less than about 1e-10 of their size may be reported as overlapping.
[[nodiscard]] bool overlap(const Kdop& a, const Kdop& b, const Pose& pose);
[[nodiscard]] double lower_bound(const Kdop& a, const Kdop& b, const Pose& pose);

}  // namespace touche
