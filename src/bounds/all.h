// SPDX-License-Identifier: Apache-2.0
// All bounding volumes: a new one is a line here.
#pragma once

#include <tuple>

#include "bounds/aabb.h"
#include "bounds/bounding_volume.h"
#include "bounds/capsule.h"
#include "bounds/kdop.h"
#include "bounds/mixed.h"
#include "bounds/obb.h"
#include "bounds/rss.h"
#include "bounds/sphere.h"

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
