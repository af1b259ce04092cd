// SPDX-License-Identifier: Apache-2.0
// The interface of every bounding volume. A volume is a small value type with these members and
// three functions for pairs; it is one header and source, and one line in bounds/all.h or others.h.
//
// Volumes are closed sets and touching counts, for all of them alike. Rounding is on the safe side:
// a fitted volume contains its points as real numbers; `contains` holds for every point of the
// volume; `overlap` holds whenever the two sets share a point; `lower_bound` never exceeds their
// distance and is 0 where they overlap.
#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

template <typename V>
concept BoundingVolume = std::copyable<V> &&
    requires(const V& v, const V& other, const Vec3& p, const PoseMatrix& pose) {
  { v.contains(p) } -> std::same_as<bool>;
  { v.volume() } -> std::same_as<double>;
  { v.surface_area() } -> std::same_as<double>;
  { v.diameter() } -> std::same_as<double>;
  { moved(v, pose) } -> std::same_as<V>;              ///< contains the moved set
  { overlap(v, other, pose) } -> std::same_as<bool>;  ///< `pose` of `other` seen from v
  { lower_bound(v, other, pose) } -> std::same_as<double>;
};

/// One of a type of its own; AnyVolume is fitted by its VolumeKind.
template <typename V>
concept FittedVolume = BoundingVolume<V> && requires(std::span<const Vec3> points) {
  { V::kName } -> std::convertible_to<std::string_view>;  ///< the command line calls it so
  { V::fit(points) } -> std::same_as<V>;  ///< around their convex hull; throws if none
};

/// The measure that a fitted volume makes small; smaller is better.
enum class Criterion { volume, diameter, surface_area };

template <BoundingVolume V>
double measure(const V& v, Criterion criterion) {
  return criterion == Criterion::volume     ? v.volume()
         : criterion == Criterion::diameter ? v.diameter()
                                            : v.surface_area();
}

}  // namespace touche::bounds
