// SPDX-License-Identifier: Apache-2.0
// XXH64 (Collet, xxHash specification 0.1.1), a hash that runs at memory speed. It detects
// accidental differences between inputs, not forgeries. Numbers are read in the machine's byte
// order, so values equal the published ones only on little-endian machines.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace touche::base {

namespace xxhash64_detail {

inline constexpr std::uint64_t kPrime1 = 0x9e3779b185ebca87, kPrime2 = 0xc2b2ae3d27d4eb4f,
                               kPrime3 = 0x165667b19e3779f9, kPrime4 = 0x85ebca77c2b2ae63,
                               kPrime5 = 0x27d4eb2f165667c5;

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline std::uint64_t round(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}
inline std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) {
  return (hash ^ round(0, lane)) * kPrime1 + kPrime4;
}

}  // namespace xxhash64_detail

inline std::uint64_t xxhash64(std::span<const std::byte> bytes, std::uint64_t seed = 0) {
  using namespace xxhash64_detail;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = seed + kPrime5;
  // Process four lanes in parallel.
  if (left >= 32) {
    std::uint64_t lane[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
    for (; left >= 32; at += 32, left -= 32)
      for (int i = 0; i < 4; ++i) lane[i] = round(lane[i], read<std::uint64_t>(at + 8 * i));
    hash = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) +
           std::rotl(lane[3], 18);
    for (const std::uint64_t one : lane) hash = merge(hash, one);
  }
  hash += bytes.size();
  // Process the rest, in ever smaller pieces.
  for (; left >= 8; at += 8, left -= 8)
    hash = std::rotl(hash ^ round(0, read<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  for (; left >= 4; at += 4, left -= 4)
    hash = std::rotl(hash ^ read<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
  for (; left > 0; ++at, --left)
    hash = std::rotl(hash ^ std::to_integer<std::uint64_t>(*at) * kPrime5, 11) * kPrime1;
  // Mix, so that every bit of the input affects every bit of the hash.
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace touche::base
