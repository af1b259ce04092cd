// SPDX-License-Identifier: Apache-2.0
// The parts of the headlamp, at any fineness. Millimetres; z points to the rear, into the engine
// bay, where covers and bulbs come out; y points up.
//
// Each of the two lamps is built around its own axis, the outside of the housing's rear wall at
// z = 0, and put in its place by centre and scale.
#pragma once

#include "mesh_builder.h"

namespace touche::scenes {

/// How finely curves are cut; 1 gives some 60,000 triangles in all.
struct Detail {
  double factor = 1;
  Index along(double base) const;
  Index around(double base) const;  ///< a multiple of four
};

struct LampUnit {
  const char* name;
  Vec3 centre;
  double scale;
};
inline const LampUnit kMainLamp{"main beam", {-72, 0, 40}, 1};
inline const LampUnit kAuxiliaryLamp{"auxiliary", {78, -6, 40}, 0.8};

// These parts stay, in world coordinates.
PolygonSoup headlamp_housing(const Detail& detail);  ///< shell, rear wall, ribs, collars with clips
PolygonSoup headlamp_lens(const Detail& detail);
PolygonSoup headlamp_harness(const Detail& detail);  ///< cables
PolygonSoup headlamp_screws(const Detail& detail);   ///< for adjusting the beams
PolygonSoup engine_bay(const Detail& detail);        ///< battery box and hose behind the lamps

// These parts come with each lamp, in the lamp's own coordinates, to its scale.
PolygonSoup reflector(const Detail& detail, const LampUnit& unit);
PolygonSoup cover(const Detail& detail, const LampUnit& unit);
PolygonSoup bulb_glass(const Detail& detail, const LampUnit& unit);
PolygonSoup bulb_base(const Detail& detail, const LampUnit& unit);

}  // namespace touche::scenes
