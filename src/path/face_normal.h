// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/soup.h"

namespace touche::paths {

/// The normal of a face, on the side from which its corners run counterclockwise. Its length is
/// twice the area of the face.
inline Vec3 face_normal(const PolygonSoup& soup, Index face) {
  const auto corners = soup.face(face);
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    normal += (soup.vertex(corners[i]) - soup.vertex(corners[0]))
                  .cross(soup.vertex(corners[i + 1]) - soup.vertex(corners[0]));
  return normal;
}

}  // namespace touche::paths
