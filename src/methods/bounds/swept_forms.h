// SPDX-License-Identifier: Apache-2.0
// Swept sphere volumes by the names of Larsen, Gottschalk, Lin and Manocha (1999), and each as one
// of the others. The result of a conversion contains what it was given.
#pragma once

#include "methods/bounds/capsule.h"
#include "methods/bounds/rss.h"
#include "methods/bounds/sphere.h"

namespace touche::bounds {

using Pss = Sphere;   ///< the point-swept sphere
using Lss = Capsule;  ///< the line-swept sphere; Rss is the rectangle-swept one

// Swept by more: the same set, up to rounding.
Lss to_lss(const Pss& s);
Rss to_rss(const Pss& s);
Rss to_rss(const Lss& s);

// Swept by less: the smallest about the middle, and of a rectangle's along its longer side.
Pss to_pss(const Lss& s);
Pss to_pss(const Rss& s);
Lss to_lss(const Rss& s);

}  // namespace touche::bounds
