// SPDX-License-Identifier: Apache-2.0
// FNV-1a (Fowler, Noll, Vo), 64 bits: detects whether two inputs differ. Not a security hash.
#pragma once

#include <cstddef>
#include <cstdint>

#include "touche/soup.h"

namespace touche::study {

inline std::uint64_t fingerprint(const void* data, std::size_t size,
                                 std::uint64_t start = 0xcbf29ce484222325) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::uint64_t hash = start;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

/// Fingerprint of the placed vertices and the faces. It changes whenever the tested geometry
/// changes.
std::uint64_t mesh_fingerprint(const PolygonSoup& soup);

}  // namespace touche::study
