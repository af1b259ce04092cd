// SPDX-License-Identifier: Apache-2.0
// How good a volume is (thesis §3.4.3): its measure times what a test of its kind costs.
#pragma once

#include <array>
#include <optional>

#include "methods/bounds/all.h"
#include "methods/bounds/any_volume.h"
#include "methods/tree/faces.h"
#include "methods/tree/hausdorff.h"
#include "touche/methods/volume_tree.h"

namespace touche::tree {

using Kind = TreeStats::Kind;

template <bounds::BoundingVolume V>
Kind kind_of(const V& v) {
  if constexpr (std::same_as<V, bounds::Mixed>) {
    return v.kind == bounds::Mixed::Kind::sphere ? Kind::sphere
           : v.kind == bounds::Mixed::Kind::aabb ? Kind::aabb
                                                 : Kind::obb;
  } else {
    return std::same_as<V, bounds::Sphere>       ? Kind::sphere
           : std::same_as<V, bounds::AabbMinMax> ? Kind::aabb
           : std::same_as<V, bounds::Obb>        ? Kind::obb
                                                 : Kind::other;
  }
}

/// The rules by which a tree is rated; kept with it for refitting.
struct Rating {
  Quality quality = Quality::surface_area;
  Combine combine = Combine::mean;
  std::array<double, 4> cost = {1, 1, 1, 1};  ///< of a test, by the kind of volume
  std::optional<bounds::VolumeKind> volume;   ///< of the tree's, as AnyVolume

  /// In a tree of one volume a test's cost is that of two of them; in a mixed one it is the mean or
  /// maximum over the kinds that a node may meet.
  static Rating of(const TreeOptions& options);

  /// The measure that fitted volumes make small.
  bounds::Criterion criterion() const {
    return quality == Quality::volume     ? bounds::Criterion::volume
           : quality == Quality::diameter ? bounds::Criterion::diameter
                                          : bounds::Criterion::surface_area;
  }

  template <bounds::BoundingVolume V>
  double test_cost(const V& v) const {
    return cost[kind_of(v)];
  }
};

template <typename V>
concept HasHausdorff = requires(const V& v, const NearestPoint& faces) {
  hausdorff(v, faces);
};

/// The quality of a volume around these faces. Throws InvalidInput for a Hausdorff distance that
/// its surface has not.
template <bounds::BoundingVolume V>
double quality_of(const V& v, const Rating& rating, const Faces& faces,
                  std::span<const Index> set) {
  if (rating.quality != Quality::hausdorff)
    return rating.test_cost(v) * bounds::measure(v, rating.criterion());
  if constexpr (HasHausdorff<V>) {
    return rating.test_cost(v) * hausdorff_quality(v, faces, set);
  } else {
    std::string_view name;
    if constexpr (bounds::FittedVolume<V>)
      name = V::kName;
    else
      name = v.kind().name;
    throw InvalidInput("tree: there is no Hausdorff distance for the volume " + std::string(name));
  }
}

}  // namespace touche::tree
