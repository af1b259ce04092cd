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
    base::checked_file::check_prefix(bytes, sizeof(Header), prefix(), "tree", file);
    std::memcpy(&header_, bytes.data(), sizeof header_);
  }

  std::string volume() const {
    const auto end = std::ranges::find(header_.volume, '\0');
    return {header_.volume.begin(), end};
  }

  template <bounds::BoundingVolume V>
  std::unique_ptr<const tree::AnyTree> read(std::shared_ptr<const void> owner) const {
    if constexpr (std::same_as<V, bounds::AnyVolume>) {
      return std::make_unique<tree::TypedTree<V>>(stored_nodes(), rating(), header_.gap);
    } else {
      check_bytes(sizeof(tree::TreeNode<V>) * std::uint64_t{header_.nodes});
      check_mesh();
      const auto* nodes =
          reinterpret_cast<const tree::TreeNode<V>*>(bytes_.data() + sizeof(Header));
      const auto* order = reinterpret_cast<const Index*>(nodes + header_.nodes);
      const tree::TreeArrays<V> arrays = {
          {nodes, header_.nodes}, {order, header_.faces}, std::move(owner)};
      check_nodes(arrays.nodes, arrays.order);
      for (std::size_t i = 0; i < arrays.nodes.size(); ++i) {
        double numbers[sizeof(V) / sizeof(double)];
        static_assert(sizeof numbers == sizeof(V));
        const auto volume = std::as_bytes(std::span(&arrays.nodes[i].volume, 1));
        std::memcpy(numbers, volume.data(), volume.size());
        bool good = possible(numbers);
        if constexpr (std::same_as<V, bounds::Mixed>)
          good &= arrays.nodes[i].volume.kind <= bounds::Mixed::Kind::obb;
        if (!good) fail_at(i);
      }
      return std::make_unique<tree::TypedTree<V>>(arrays, rating(), header_.gap);
    }
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
    if (!good) fail("has an impossible rating");
    return {.quality = static_cast<Quality>(header_.quality),
            .combine = static_cast<Combine>(header_.combine),
            .cost = header_.cost,
            .volume = *bounds::find_kind(volume())};
  }

  /// Checks the file's length, except for its header and the order of faces, and its checksum.
  void check_bytes(std::uint64_t of_nodes) const {
    base::checked_file::check_size(
        bytes_, sizeof(Header) + of_nodes + sizeof(Index) * std::uint64_t{header_.faces}, file_);
    base::checked_file::check_sum(bytes_, file_);
  }
  void check_mesh() const {
    if (header_.faces != soup_.triangle_count() || header_.mesh != mesh_hash(soup_))
      fail("made for another mesh");
  }
  [[noreturn]] void fail_at(std::size_t node) const {
    fail("has impossible numbers", "node " + std::to_string(node));
  }

  template <typename Nodes>
  void check_nodes(const Nodes& nodes, std::span<const Index> order) const {
    tree::check_structure(nodes, order, header_.faces,
                          [&](const std::string& what) { fail("the tree " + what); });
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const double x :
           {nodes[i].quality, nodes[i].worst_child, nodes[i].expansion_cost, nodes[i].size})
        if (!(x >= 0 && std::isfinite(x))) fail_at(i);
  }

  // Volumes consist of numbers only, and the coordinates of soups are far smaller than this limit.
  // False for NaN.
  static bool possible(std::span<const double> numbers) {
    constexpr double kLarge = 1e100;
    return std::ranges::all_of(numbers, [](double x) { return std::abs(x) <= kLarge; });
  }

  /// Nodes whose volumes take different numbers of numbers are not used as they lie in the file.
  tree::TreeArrays<bounds::AnyVolume> stored_nodes() const;

  std::span<const std::byte> bytes_;
  const PolygonSoup& soup_;
  const std::string& file_;
  Header header_ = {.prefix = prefix()};
};

}  // namespace touche::tree_file
