// SPDX-License-Identifier: Apache-2.0
// Random faces around the origin.
#pragma once

#include "shape_cases.h"
#include "shapes.h"
#include "touche/object.h"

namespace touche::test {

inline Object faces_around(base::Random& random, Index faces, double size = 0.4) {
  return Object(scenes::random_soup(random.next(), {.faces = faces, .face_size = size}));
}

}  // namespace touche::test
