// SPDX-License-Identifier: Apache-2.0
#include "io/part_reader.h"

namespace touche::io {

const Assembly& PartReader::nodes(const std::filesystem::path& file, const LoadOptions& options) {
  const auto key = std::tuple(file, options.scale, options.split);
  auto found = assemblies_.find(key);
  if (found == assemblies_.end())
    found = assemblies_.emplace(key, load_assembly(file, options)).first;
  return found->second;
}

PolygonSoup PartReader::read(const PartName& part, double scale) {
  LoadOptions options{.scale = scale};
  if (part.node.empty()) return load_soup(part.file, options);
  const Assembly* assembly = &nodes(part.file, options);
  if (names_shell(part, *assembly)) {
    options.split = Split::shells;
    assembly = &nodes(part.file, options);
  }
  return assembly->soup(assembly->find(part.node));
}

}  // namespace touche::io
