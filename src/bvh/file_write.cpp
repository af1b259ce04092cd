// SPDX-License-Identifier: Apache-2.0
#include "bvh/file_format.h"
#include "bvh/object_data.h"
#include "touche/hierarchy_file.h"

namespace touche::bvh {

namespace file {
namespace {

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
  base::checked_file::Writer out(path, prefix());
  out.add(reinterpret_cast<const std::byte*>(&header) + kSummed, sizeof header - kSummed);
  out.add(bvh.bytes().data(), bvh.bytes().size());
  out.finish();
  return {header.mesh, header.nodes, header.leaves, header.height,
          sizeof header + bvh.bytes().size()};
}

}  // namespace
}  // namespace file

}  // namespace touche::bvh

namespace touche {

SavedHierarchy save_hierarchy(const Object& object, const std::filesystem::path& file) {
  return bvh::file::save(bvh::bvh_of(object), object.soup(), file);
}

}  // namespace touche
