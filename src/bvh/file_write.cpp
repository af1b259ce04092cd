// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"

namespace touche {
namespace bvh_file {
namespace {

template <class T>
class Bytes {
 public:
  Bytes() { std::memset(bytes_, 0, sizeof bytes_); }
  template <class Member>
  void put(std::size_t offset, const Member& member) {
    std::memcpy(bytes_ + offset, &member, sizeof member);
  }
  void add_to(checked_file::Writer& out) const { out.add(bytes_, sizeof bytes_); }

 private:
  std::byte bytes_[sizeof(T)];
};

// Writes member by member: bytes between members are zero in the file, whatever they are in memory.
void add(const BvhNode& node, checked_file::Writer& out) {
  Bytes<BvhNode> bytes;
  bytes.put(offsetof(BvhNode, bounds), node.bounds);
  bytes.put(offsetof(BvhNode, count), node.count);
  bytes.put(offsetof(BvhNode, children), node.children);
  bytes.put(offsetof(BvhNode, child), node.child);
  bytes.add_to(out);
}
void add(const BvhLeaf& leaf, checked_file::Writer& out) {
  Bytes<BvhLeaf> bytes;
  bytes.put(offsetof(BvhLeaf, bounds), leaf.bounds);
  bytes.put(offsetof(BvhLeaf, count), leaf.count);
  bytes.put(offsetof(BvhLeaf, corner), leaf.corner);
  bytes.put(offsetof(BvhLeaf, triangle), leaf.triangle);
  bytes.add_to(out);
}

SavedHierarchy save(const Bvh& bvh, const PolygonSoup& soup, const std::filesystem::path& path) {
  Header header = {.layout = layout(),
                   .checksum = 0,
                   .mesh = mesh_hash(soup),
                   .triangles = soup.triangle_count(),
                   .nodes = static_cast<std::uint32_t>(bvh.node_count()),
                   .leaves = static_cast<std::uint32_t>(bvh.leaf_count()),
                   .root = bvh.root(),
                   .height = bvh.height(),
                   .centre = {bvh.centre()[0], bvh.centre()[1], bvh.centre()[2]},
                   .scale = bvh.scale(),
                   .cost = bvh.cost(),
                   .built_cost = bvh.built_cost()};
  checked_file::Writer out(path, prefix());
  out.add(reinterpret_cast<const std::byte*>(&header) + kSummed, sizeof header - kSummed);
  for (const BvhNode& node : bvh.nodes()) add(node, out);
  for (const BvhLeaf& leaf : bvh.leaves()) add(leaf, out);
  out.finish();
  return {header.mesh, header.nodes, header.leaves, header.height,
          sizeof header + bvh.nodes().size_bytes() + bvh.leaves().size_bytes()};
}

}  // namespace
}  // namespace bvh_file

SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file) {
  return bvh_file::save(bvh_of(object), object.soup(), file);
}

}  // namespace touche
