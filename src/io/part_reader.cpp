// SPDX-License-Identifier: Apache-2.0
#include "io/part_reader.h"

namespace touche::io {

const Assembly& PartReader::nodes(const std::filesystem::path& file, const LoadOptions& options) {
  const Vec3& stretch = options.stretch;
  const auto key = Key(file, options.scale, options.up, options.split, options.weld,
                       options.animation, stretch.x(), stretch.y(), stretch.z());
  auto found = assemblies_.find(key);
  if (found == assemblies_.end())
    found = assemblies_.emplace(key, load_assembly(file, options)).first;
  return found->second;
}

PolygonSoup PartReader::read(const PartName& part, const LoadOptions& options) {
  if (part.node.empty()) return load_soup(part.file, options);
  LoadOptions how = options;
  how.split = Split::objects;
  const Assembly* assembly = &nodes(part.file, how);
  if (names_shell(part, *assembly)) {
    how.split = Split::shells;
    assembly = &nodes(part.file, how);
  }
  return assembly->soup(assembly->find(part.node));
}

}  // namespace touche::io
