// SPDX-License-Identifier: Apache-2.0
#include "study/fingerprint.h"

namespace touche::study {

std::uint64_t mesh_fingerprint(const PolygonSoup& soup) {
  std::uint64_t hash = fingerprint(nullptr, 0);
  for (const Vec3& v : soup.vertices()) hash = fingerprint(v.data(), 3 * sizeof(double), hash);
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    hash = fingerprint(face.data(), face.size_bytes(), hash);
    hash = fingerprint("|", 1, hash);
  }
  return hash;
}

}  // namespace touche::study
