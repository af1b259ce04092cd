// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/tree/tree_file.h"
#include "touche/hierarchy_file.h"

namespace touche::tree {

template <bounds::BoundingVolume V>
void TypedTree<V>::save(const PolygonSoup& soup, const std::filesystem::path& file) const {
  // No gaps, which could hold anything.
  static_assert(sizeof(TreeNode<V>) == sizeof(V) + 4 * sizeof(double) + sizeof(Node));
  tree_file::Header header = {.prefix = tree_file::prefix(),
                              .mesh = mesh_hash(soup),
                              .faces = soup.triangle_count(),
                              .nodes = static_cast<std::uint32_t>(nodes().size()),
                              .quality = static_cast<std::uint32_t>(rating_.quality),
                              .combine = static_cast<std::uint32_t>(rating_.combine),
                              .cost = rating_.cost,
                              .gap = gap_};
  static_assert(V::kName.size() < sizeof header.volume);
  std::ranges::copy(V::kName, header.volume.begin());
  checked_file::Writer out(file, header.prefix);
  out.add(reinterpret_cast<const std::byte*>(&header) + sizeof header.prefix,
          sizeof header - sizeof header.prefix);
  out.add(nodes().data(), nodes().size_bytes());
  out.add(order().data(), order().size_bytes());
  out.finish();
}

}  // namespace touche::tree
