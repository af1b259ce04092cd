// SPDX-License-Identifier: Apache-2.0
// The bounding volumes that trees are compiled for, each by itself. A new one is a line here, and a
// tenth of the time that trees take to compile; or a line in others.h, and then a call of a virtual
// function for each test.
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
inline constexpr bool kAllBoundingVolumes<std::tuple<V...>> = (FittedVolume<V> && ...);
static_assert(kAllBoundingVolumes<AllVolumes>);

}  // namespace touche::bounds
