// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/tree_file.h"

#include "base/xxhash64.h"
#include "methods/bounds/all.h"

namespace touche {
namespace tree_file {
namespace {

template <typename... V>
std::uint64_t layout(std::type_identity<std::tuple<V...>>) {
  const std::uint64_t places[] = {
      sizeof(tree::TreeNode<V>)..., offsetof(tree::TreeNode<V>, quality)...,
      offsetof(tree::TreeNode<V>, node)..., sizeof(StoredNode), sizeof(Index)};
  return base::xxhash64(std::as_bytes(std::span(places)));
}

}  // namespace

base::checked_file::Prefix prefix() {
  static const std::uint64_t kLayout = layout(std::type_identity<bounds::AllVolumes>());
  return {.magic = kMagic, .version = kVersion, .layout = kLayout};
}

}  // namespace tree_file

void save_tree(const VolumeTree& tree, const std::filesystem::path& file) {
  base::data_of(tree).tree->save(tree.soup(), file);
}

VolumeTree load_tree(PolygonSoup soup, const std::filesystem::path& file) {
  base::checked_file::Mapping mapping = base::checked_file::map(file);
  return VolumeTree(
      tree_file::read(mapping.bytes, std::move(mapping.owner), std::move(soup), file.string()));
}

}  // namespace touche
