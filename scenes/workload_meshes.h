// SPDX-License-Identifier: Apache-2.0
// Meshes as CAD systems produce them, which are hard for hierarchies: two triangles on a plate
// beside thousands in a fillet, long thin triangles, triangles of all sizes close together.
#pragma once

#include <cstdint>

#include "mesh_builder.h"

namespace touche::scenes {

/// A flat square in the plane z = 0, of side 2 about the origin, as a grid of about this number of
/// triangles.
PolygonSoup plate(Index triangles);

/// `count` triangles that touch the unit sphere, scattered over it, with sizes (radii) log-uniform
/// over the four decades up to 0.3.
PolygonSoup scales(std::uint64_t seed, Index count);

/// A square bundle of parallel round rods of radius 0.02, 0.1 apart, about the x axis, 10 long;
/// about `triangles` in all, 60 in each rod.
PolygonSoup bundle_of_rods(Index triangles);

/// A straight body from z = 0 to `length` over a simple, counter-clockwise outline, concave or not;
/// each of its sides is cut into `stations` rectangles.
PolygonSoup prism(std::span<const Vec2> outline, double length, Index stations = 1);

/// A spur gear with involute flanks about the z axis, of pitch radius 1 and width 0.3; the pressure
/// angle is 20 degrees. A tooth points along x, and is thinner than its gap by the angle
/// `backlash`.
PolygonSoup spur_gear(Index teeth, double backlash, Index triangles);

/// A round body of radius 1 about the z axis, 10 long, in long thin triangles: one hundredth as
/// wide as long when there are 16,000.
PolygonSoup shaft(Index triangles);
/// The shaft turns in this sleeve of inner radius 1 + gap and outer radius 2, which is nowhere
/// closer to the axis.
PolygonSoup sleeve(double gap, Index triangles);

/// A beam of I-section along z with rounded inner corners, 10 long and 1 high and wide: four fifths
/// of its triangles are in its fillets, which have `segments` each.
PolygonSoup beam(Index segments);

/// A square plate of side 1 about the origin, 0.1 thick, with a bore of radius 0.2 of `segments`.
PolygonSoup bored_plate(Index segments);

/// A bolt along z: a hexagon head below 0, a shank of radius 0.2 and length 1 of many rings.
PolygonSoup bolt(Index segments);

/// A fan about the z axis: a hub of radius 0.2 and `blades` twisted, thin blades which reach to
/// radius 1; z from -0.15 to 0.15.
PolygonSoup fan(Index blades, Index triangles);

/// A cage around such a fan with a gap of `gap` on all sides: thin rings about the z axis above and
/// below, and bars which go from the innermost ring outwards and down the side.
PolygonSoup cage(double gap, Index triangles);

}  // namespace touche::scenes
