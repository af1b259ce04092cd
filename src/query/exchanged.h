// SPDX-License-Identifier: Apache-2.0
// A contact with the roles of the bodies swapped.
#pragma once

#include <utility>

#include "touche/query.h"

namespace touche::query {

/// The same contact with a and b exchanged.
inline Contact exchanged(Contact c) {
  std::swap(c.face_a, c.face_b);
  std::swap(c.feature_a, c.feature_b);
  std::swap(c.point_a, c.point_b);
  c.normal = -c.normal;
  return c;
}

}  // namespace touche::query
