// SPDX-License-Identifier: Apache-2.0
// Hierarchies on disk: a header, then the arrays as in memory. docs/hierarchy-file.md describes the
// format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/checked_file.h"
#include "bvh/bvh.h"

namespace touche::bvh::file {

/// No text and no other format begins with these bytes; a transfer that converts line ends changes
/// them.
inline constexpr std::array<char, 8> kMagic = {'\x89', 'B', 'V', 'H', '\r', '\n', '\x1a', '\n'};
using base::checked_file::checksum, base::checked_file::kByteOrder;

/// Incremented when the format changes, and when the builder makes different hierarchies: then
/// cached ones are rebuilt, and all objects of a program are the same, cached or not.
inline constexpr std::uint32_t kVersion = 4;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t byte_order = kByteOrder;
  std::uint32_t version = kVersion;
  std::uint64_t layout;    // of nodes and leaves in memory
  std::uint64_t checksum;  // of everything after it
  std::uint64_t mesh;      // mesh_hash
  std::uint32_t triangles, nodes, leaves;
  std::int32_t root, height;
  std::uint32_t zero = 0;
  double centre[3], scale;
  float cost, built_cost;
  std::uint64_t zeros[3] = {};  // up to a multiple of 64
};
static_assert(sizeof(Header) == 128 && sizeof(Header) % alignof(BvhNode) == 0 &&
              sizeof(BvhNode) % alignof(BvhLeaf) == 0 && sizeof(BvhLeaf) % alignof(RootOfTwo) == 0);

/// The checksum covers everything from here on. Everything before is compared with the expected
/// values.
inline constexpr std::size_t kSummed = offsetof(Header, mesh);
static_assert(kSummed == sizeof(base::checked_file::Prefix));

/// A hash of the memory layout of nodes and leaves.
std::uint64_t layout();

/// The expected beginning of these files.
base::checked_file::Prefix prefix();

/// Reads a whole file, which begins at a multiple of 64 bytes and is kept alive by `owner`. Throws
/// LoadError naming `file` unless searches over the hierarchy are safe: whatever else is in the
/// file, they terminate and access only existing elements.
Bvh read(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
         const PolygonSoup& soup, const std::string& file);

/// Maps and reads a file.
Bvh load(const std::filesystem::path& file, const PolygonSoup& soup);

}  // namespace touche::bvh::file
