// SPDX-License-Identifier: Apache-2.0
// The surfaces of volumes as polygons.
#pragma once

#include <vector>

#include "methods/bounds/all.h"
#include "methods/bounds/drawn.h"
#include "methods/bounds/others.h"

namespace touche::bounds {

Skin skin(const Sphere& v);
Skin skin(const AabbMinMax& v);
Skin skin(const Obb& v);
Skin skin(const Rss& v);
Skin skin(const Capsule& v);
Skin skin(const Mixed& v);
Skin skin(const Cylinder& v);
Skin skin(const Cone& v);
Skin skin(const Shell& v);
Skin skin(const SlabPolytope& v);
Skin skin(const Zonotope& v);
Skin skin(const Hull& v);
Skin skin_of_faces(const std::vector<std::vector<Vec3>>& faces);

inline Skin skin(const Slabs& v) { return skin(v.body); }
template <typename D>
Skin skin(const DirectionDop<D>& v) {
  return skin(v.body);
}
template <int K>
Skin skin(const Kdop<K>& v) {
  return skin_of_faces(faces(v));
}

}  // namespace touche::bounds
