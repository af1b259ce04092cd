// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"

namespace touche::bvh {

namespace file {
namespace {

Header header_of(const Bvh& bvh, const PolygonSoup& soup) {
  return {.layout = layout(),
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
}

SavedHierarchy save(const Bvh& bvh, const PolygonSoup& soup, const std::filesystem::path& path) {
  const Header header = header_of(bvh, soup);
  base::checked_file::Writer out(path, prefix());
  out.add(reinterpret_cast<const std::byte*>(&header) + kSummed, sizeof header - kSummed);
  out.add(bvh.bytes().data(), bvh.bytes().size());
  out.finish();
  return {header.mesh, header.nodes, header.leaves, header.height,
          sizeof header + bvh.bytes().size()};
}

std::vector<std::byte> bytes_of(const Bvh& bvh, const PolygonSoup& soup) {
  Header header = header_of(bvh, soup);
  std::vector<std::byte> bytes(sizeof header + bvh.bytes().size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, bvh.bytes().data(), bvh.bytes().size());
  header.checksum = checksum(std::span(bytes).subspan(kSummed));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

}  // namespace
}  // namespace file

}  // namespace touche::bvh

namespace touche {

SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file) {
  return bvh::file::save(bvh::bvh_of(object), object.soup(), file);
}

std::vector<std::byte> hierarchy_bytes(const Object& object) {
  return bvh::file::bytes_of(bvh::bvh_of(object), object.soup());
}

}  // namespace touche
