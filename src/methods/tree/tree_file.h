// SPDX-License-Identifier: Apache-2.0
// Trees on disk: a header, the nodes as they lie in memory, the order of the faces. Described in
// docs/hierarchy-file.md.
#pragma once

#include "base/checked_file.h"
#include "methods/tree/typed_tree.h"

namespace touche::tree_file {

inline constexpr std::array<char, 8> kMagic = {'\x89', 'V', 'T', 'R', '\r', '\n', '\x1a', '\n'};

/// Raised when the format changes.
inline constexpr std::uint32_t kVersion = 2;

struct Header {
  base::checked_file::Prefix prefix;
  std::uint64_t mesh = 0;  // mesh_hash
  std::array<char, 16> volume = {};
  std::uint32_t faces = 0, nodes = 0;
  std::uint32_t quality = 0, combine = 0;
  std::array<double, 4> cost = {};
  double gap = 0;
  std::uint64_t zeros[2] = {};  // up to a multiple of 64
};
static_assert(sizeof(Header) == 128);

/// A node of a tree of volumes that take different numbers of numbers; these follow all nodes.
struct StoredNode {
  std::uint64_t numbers = 0;  ///< of its volume
  double quality = 0, worst_child = 0, expansion_cost = 0, size = 0;
  tree::Node node;
};

/// How these files begin.
base::checked_file::Prefix prefix();

/// Reads a whole file, which begins at a multiple of 8 and which `owner` keeps. Throws LoadError
/// naming `file` unless the tree is fit for searches over the soup: whatever else the file
/// contains, searches end and access only existing data.
std::shared_ptr<const VolumeTree::Data> read(std::span<const std::byte> bytes,
                                             std::shared_ptr<const void> owner, PolygonSoup soup,
                                             const std::string& file);

}  // namespace touche::tree_file
