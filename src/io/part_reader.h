// SPDX-License-Identifier: Apache-2.0
// Reads parts that are named by a file and a node.
#pragma once

#include <filesystem>
#include <map>
#include <tuple>

#include "touche/io.h"

namespace touche::io {

/// Whether a part is a shell of a mesh file: it is called as shells are, "shell 2", and none of the
/// file's objects is.
bool names_shell(const PartName& part, const Assembly& objects);

/// Reads a file once for all of its nodes, a file of which shells are named once more for these;
/// whole files are read each time.
class PartReader {
 public:
  /// Throws as load_soup does.
  PolygonSoup read(const PartName& part, double scale = 1);

 private:
  const Assembly& nodes(const std::filesystem::path& file, const LoadOptions& options);

  std::map<std::tuple<std::filesystem::path, double, Split>, Assembly> assemblies_;
};

}  // namespace touche::io
