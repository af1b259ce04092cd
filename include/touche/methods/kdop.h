// SPDX-License-Identifier: Apache-2.0
// k-DOPs of any directions (Klosowski 1998): what lies between two parallel planes across each of
// some directions. Link target touche::methods. Trees of them: TreeOptions::directions.
//
// Rounding is on the safe side, as for every volume of `volume_names()`: a fitted k-DOP contains
// its points as real numbers; `contains` holds for each of its points; `overlap` holds whenever two
// have a point in common; `lower_bound` never exceeds their distance, and is 0 where they overlap.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "touche/pose.h"

namespace touche {

/// k is twice the number of directions. An immutable value: copies share it.
class [[nodiscard]] Kdop {
 public:
  /// The points x with lo <= normal · x <= hi.
  struct Slab {
    Vec3 normal;
    double lo, hi;
  };

  /// The smallest one around the points, up to rounding. Directions may have any length; normals
  /// are these, each times a power of two. Where several are parallel up to an angle of 1e-4, the
  /// first is taken. Throws InvalidInput unless there are 3 to 120 directions, all finite and none
  /// zero, of which three are no nearer to one plane than a thousandth; and for no points, or some
  /// that are not finite.
  static Kdop fit(std::span<const Vec3> points, std::span<const Vec3> directions);

  /// One for each direction that is taken, in their order.
  [[nodiscard]] std::vector<Slab> slabs() const;
  [[nodiscard]] bool contains(const Vec3& p) const;
  [[nodiscard]] double volume() const;
  [[nodiscard]] double surface_area() const;
  [[nodiscard]] double diameter() const;
  /// The faces that have an area, as polygons, counter-clockwise from outside. Rounded.
  [[nodiscard]] std::vector<std::vector<Vec3>> faces() const;

  /// The smallest one of the same directions, up to rounding, that contains the moved set.
  [[nodiscard]] Kdop moved(const Pose& pose) const;

  struct Data;  ///< for the library

 private:
  explicit Kdop(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
  friend bool overlap(const Kdop& a, const Kdop& b, const Pose& pose);
  friend double lower_bound(const Kdop& a, const Kdop& b, const Pose& pose);
};

/// `pose` is that of b seen from a; directions of both may differ. Pairs that are apart by less
/// than about 1e-10 of their size may be called overlapping.
[[nodiscard]] bool overlap(const Kdop& a, const Kdop& b, const Pose& pose);
[[nodiscard]] double lower_bound(const Kdop& a, const Kdop& b, const Pose& pose);

}  // namespace touche
