// SPDX-License-Identifier: Apache-2.0
// The parts of the engine bay, at any fineness. Millimetres. `more` makes parts of one kind differ
// a little, where that changes no clash.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mesh_builder.h"

namespace touche::scenes::bay {

// How large things are.
inline constexpr double kCell = 300;  // along the row
inline constexpr double kTile = 30, kPlate = 8, kBore = 4.5, kScrew = 4, kNut = 4.1;
inline constexpr double kPipe = 10, kClampPlate = 6, kHarness = 6, kClipDepth = 14;
inline const Vec3 kUnitSize(50, 24, 20);

/// The resolution that gives a part of weight 1 this number of triangles.
struct Fineness {
  explicit Fineness(double triangles)
      : around(8 * static_cast<Index>(std::clamp(std::sqrt(triangles / 4) / 8, 3.0, 32.0))),
        budget(triangles) {}
  Index around;   // segments of every circle
  double budget;  // triangles of a part of weight 1

  /// The number of pieces, each of `triangles_each` triangles, that make up a share of the budget.
  Index pieces(double weight, double triangles_each, double others = 0) const {
    return static_cast<Index>(
        std::max(1.0, std::round((weight * budget - others) / triangles_each)));
  }
};

/// Four tiles in a row, two with bores; from z = 0 upwards, the first bore about the z axis.
PolygonSoup bracket(const Fineness& f, double more);
/// The underside of its head is at z = 0.
PolygonSoup screw(const Fineness& f, double more);
/// Its upper side is at z = 0.
PolygonSoup nut(const Fineness& f, double more);
/// Its lower corner is at the origin.
PolygonSoup control_unit(const Fineness& f, double more);
/// About the x axis, from x = 0 on.
PolygonSoup clamp(const Fineness& f, double bore, double more);
/// Its upper side is at z = 0.
PolygonSoup clip(const Fineness& f, double more);
/// Along the x axis through `cells` cells.
PolygonSoup pipe(const Fineness& f, Index cells);
/// The same, straight where the clips are, with waves in between.
PolygonSoup harness(const Fineness& f, Index cells);

}  // namespace touche::scenes::bay
