// SPDX-License-Identifier: Apache-2.0
// The triangles of a face.
#pragma once

#include <utility>

#include "touche/soup.h"

namespace touche::geometry {

/// Their numbers, which are consecutive: the first one, and the one after the last.
inline std::pair<Index, Index> face_triangles(const PolygonSoup& soup, Index face) {
  // The first triangle whose face is not before this one.
  const auto first_of = [&](Index wanted) {
    Index from = 0, to = soup.triangle_count();
    while (from < to) {
      const Index middle = from + (to - from) / 2;
      if (soup.face_of_triangle(middle) < wanted)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  };
  return {first_of(face), first_of(face + 1)};
}

}  // namespace touche::geometry
