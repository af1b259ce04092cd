// SPDX-License-Identifier: Apache-2.0
// All bounding volumes: a new one is a line here.
#pragma once

#include <tuple>

#include "methods/bounds/aabb.h"
#include "methods/bounds/bounding_volume.h"
#include "methods/bounds/capsule.h"
#include "methods/bounds/kdop.h"
#include "methods/bounds/mixed.h"
#include "methods/bounds/obb.h"
#include "methods/bounds/rss.h"
#include "methods/bounds/sphere.h"

namespace touche::bounds {

using AllVolumes = std::tuple<Sphere,      //
                              AabbMinMax,  //
                              Obb,         //
                              Kdop<6>,     //
                              Kdop<14>,    //
                              Kdop<18>,    //
                              Kdop<26>,    //
                              Rss,         //
                              Capsule,     //
                              Mixed>;

template <typename List>
inline constexpr bool kAllBoundingVolumes = false;
template <typename... V>
inline constexpr bool kAllBoundingVolumes<std::tuple<V...>> = (BoundingVolume<V> && ...);
static_assert(kAllBoundingVolumes<AllVolumes>);

}  // namespace touche::bounds
