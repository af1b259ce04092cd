// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "methods/tree/tree_file.h"
#include "touche/hierarchy_file.h"

namespace touche::tree {

template <bounds::BoundingVolume V>
void TypedTree<V>::save(const PolygonSoup& soup, const std::filesystem::path& file) const {
  std::string_view name;
  if constexpr (std::same_as<V, bounds::AnyVolume>) {
    name = rating_.volume->name;
  } else {
    // No gaps, which could hold anything.
    static_assert(sizeof(TreeNode<V>) == sizeof(V) + 4 * sizeof(double) + sizeof(Node));
    name = V::kName;
  }
  tree_file::Header header = {.prefix = tree_file::prefix(),
                              .mesh = mesh_hash(soup),
                              .faces = soup.triangle_count(),
                              .nodes = static_cast<std::uint32_t>(nodes().size()),
                              .quality = static_cast<std::uint32_t>(rating_.quality),
                              .combine = static_cast<std::uint32_t>(rating_.combine),
                              .cost = rating_.cost,
                              .gap = gap_};
  std::ranges::copy(name.substr(0, header.volume.size() - 1), header.volume.begin());
  base::checked_file::Writer out(file, header.prefix);
  out.add(reinterpret_cast<const std::byte*>(&header) + sizeof header.prefix,
          sizeof header - sizeof header.prefix);
  if constexpr (std::same_as<V, bounds::AnyVolume>) {
    std::vector<tree_file::StoredNode> stored;
    std::vector<double> numbers;
    for (const TreeNode<V>& n : nodes()) {
      const std::vector<double> some = n.volume.numbers();
      numbers.insert(numbers.end(), some.begin(), some.end());
      stored.push_back({some.size(), n.quality, n.worst_child, n.expansion_cost, n.size, n.node});
    }
    static_assert(sizeof(tree_file::StoredNode) == 5 * sizeof(double) + sizeof(Node));
    out.add(stored.data(), stored.size() * sizeof stored[0]);
    out.add(numbers.data(), numbers.size() * sizeof numbers[0]);
  } else {
    out.add(nodes().data(), nodes().size_bytes());
  }
  out.add(order().data(), order().size_bytes());
  out.finish();
}

}  // namespace touche::tree
