// SPDX-License-Identifier: Apache-2.0
// From the bytes of a file, as `save` writes it, to a tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "methods/tree/tree_file.h"
#include "touche/hierarchy_file.h"

namespace touche::tree_file {

class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const PolygonSoup& soup, const std::string& file)
      : bytes_(bytes), soup_(soup), file_(file) {
    checked_file::check_prefix(bytes, sizeof(Header), prefix(), "tree", file);
    std::memcpy(&header_, bytes.data(), sizeof header_);
  }

  std::string volume() const {
    const auto end = std::ranges::find(header_.volume, '\0');
    return {header_.volume.begin(), end};
  }

  template <bounds::BoundingVolume V>
  std::unique_ptr<const tree::AnyTree> read(std::shared_ptr<const void> owner) const {
    checked_file::check_size(bytes_,
                             sizeof(Header) +
                                 sizeof(tree::TreeNode<V>) * std::uint64_t{header_.nodes} +
                                 sizeof(Index) * std::uint64_t{header_.faces},
                             file_);
    checked_file::check_sum(bytes_, file_);
    if (header_.faces != soup_.triangle_count() || header_.mesh != mesh_hash(soup_))
      fail("made for another mesh");
    const auto* nodes = reinterpret_cast<const tree::TreeNode<V>*>(bytes_.data() + sizeof(Header));
    const auto* order = reinterpret_cast<const Index*>(nodes + header_.nodes);
    const tree::TreeArrays<V> arrays = {
        {nodes, header_.nodes}, {order, header_.faces}, std::move(owner)};
    tree::check_structure(arrays.nodes, arrays.order, header_.faces,
                          [&](const std::string& what) { fail("the tree " + what); });
    for (std::size_t i = 0; i < arrays.nodes.size(); ++i)
      if (!possible(arrays.nodes[i])) fail("has impossible numbers", "node " + std::to_string(i));
    return std::make_unique<tree::TypedTree<V>>(arrays, rating(), header_.gap);
  }

  [[noreturn]] void fail(const std::string& reason, const std::string& place = {}) const {
    throw LoadError(file_, place, reason);
  }

 private:
  tree::Rating rating() const {
    bool good = header_.quality < names<Quality>().size() &&
                header_.combine < names<Combine>().size() && header_.gap >= 0 &&
                header_.zeros[0] == 0 && header_.zeros[1] == 0;
    for (const double cost : header_.cost) good &= cost > 0 && std::isfinite(cost);
    if (!good) fail("was rated in a way that is not possible");
    return {.quality = static_cast<Quality>(header_.quality),
            .combine = static_cast<Combine>(header_.combine),
            .cost = header_.cost};
  }

  // Volumes consist of numbers only; those of soups are far smaller than this. False for NaN.
  template <bounds::BoundingVolume V>
  static bool possible(const tree::TreeNode<V>& node) {
    constexpr double kLarge = 1e100;
    double numbers[sizeof(V) / sizeof(double)];
    static_assert(sizeof numbers == sizeof(V));
    const auto bytes = std::as_bytes(std::span(&node.volume, 1));
    std::memcpy(numbers, bytes.data(), bytes.size());
    bool good = true;
    for (const double x : numbers) good &= std::abs(x) <= kLarge;
    if constexpr (std::same_as<V, bounds::Mixed>)
      good &= node.volume.kind <= bounds::Mixed::Kind::obb;
    for (const double x : {node.quality, node.worst_child, node.expansion_cost, node.size})
      good &= x >= 0 && std::isfinite(x);
    return good;
  }

  std::span<const std::byte> bytes_;
  const PolygonSoup& soup_;
  const std::string& file_;
  Header header_ = {.prefix = prefix()};
};

}  // namespace touche::tree_file
