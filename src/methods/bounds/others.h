// SPDX-License-Identifier: Apache-2.0
// The bounding volumes in addition to all.h: all that Denner names, and k-DOPs of other directions.
// Trees use them as AnyVolume; a new one is a line here.
#pragma once

#include <tuple>

#include "methods/bounds/cone.h"
#include "methods/bounds/cylinder.h"
#include "methods/bounds/direction_dop.h"
#include "methods/bounds/hull.h"
#include "methods/bounds/kdop.h"
#include "methods/bounds/shell.h"
#include "methods/bounds/slabs.h"
#include "methods/bounds/zonotope.h"

namespace touche::bounds {

using OtherVolumes = std::tuple<Cylinder,  //
                                Cone,      //
                                Shell,     //
                                Dop8,      //
                                Kdop<10>,  //
                                Dop12,     //
                                Slabs,     //
                                Zonotope,  //
                                Hull>;

}  // namespace touche::bounds
