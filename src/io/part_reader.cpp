// SPDX-License-Identifier: Apache-2.0
#include "io/part_reader.h"

namespace touche::io {

PolygonSoup PartReader::read(const PartName& part, const LoadOptions& options) {
  if (part.node.empty()) return load_soup(part.file, options);
  const auto key = Key(part.file, options.scale, options.up, names_shell(part.node));
  auto found = assemblies_.find(key);
  if (found == assemblies_.end())
    found = assemblies_.emplace(key, load_assembly(part, options)).first;
  return found->second.soup(found->second.find(part.node));
}

}  // namespace touche::io
