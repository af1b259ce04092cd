// SPDX-License-Identifier: Apache-2.0
// Files of trees whose volumes take different numbers of numbers.
#include "methods/tree/read.h"

namespace touche::tree_file {

tree::TreeArrays<bounds::AnyVolume> Reader::stored_nodes() const {
  const std::uint64_t count = header_.nodes, of_records = count * sizeof(StoredNode);
  const std::uint64_t room = bytes_.size() / sizeof(double);
  std::vector<StoredNode> stored;
  std::uint64_t numbers = 0;
  if (of_records <= bytes_.size() - sizeof(Header)) {
    stored.resize(count);
    std::memcpy(stored.data(), bytes_.data() + sizeof(Header), of_records);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      if (stored[i].numbers > room) fail_at(i);
      numbers += stored[i].numbers;
    }
  }
  check_bytes(of_records + numbers * sizeof(double));
  check_mesh();

  struct Held {
    std::vector<tree::TreeNode<bounds::AnyVolume>> nodes;
    std::vector<Index> order;
  };
  const auto held = std::make_shared<Held>();
  const std::byte* at = bytes_.data() + sizeof(Header) + of_records;
  held->order.resize(header_.faces);
  std::memcpy(held->order.data(), at + numbers * sizeof(double), header_.faces * sizeof(Index));
  check_nodes(stored, held->order);

  bounds::VolumeKind kind = *rating().volume;
  std::vector<double> some;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const StoredNode& s = stored[i];
    some.resize(s.numbers);
    std::memcpy(some.data(), at, s.numbers * sizeof(double));
    at += s.numbers * sizeof(double);
    if (!possible(some)) fail_at(i);
    try {
      held->nodes.push_back(
          {kind.from_numbers(some), s.quality, s.worst_child, s.expansion_cost, s.size, s.node});
    } catch (const InvalidInput&) {
      fail_at(i);
    }
    kind = held->nodes.back().volume.kind();  // with the directions that all share
  }
  return {held->nodes, held->order, held};
}

}  // namespace touche::tree_file
