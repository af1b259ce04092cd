// SPDX-License-Identifier: Apache-2.0
// Reads parts that are named by a file and a node.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "touche/io.h"

namespace touche::io {

/// Whether a node is called as a shell is: "shell 2".
bool names_shell(std::string_view node);

/// Reads a file once for all of its nodes; whole files are read each time.
class PartReader {
 public:
  /// Throws as load_soup does.
  PolygonSoup read(const PartName& part, double scale = 1);

 private:
  std::map<std::tuple<std::filesystem::path, double, bool>, Assembly> assemblies_;
};

}  // namespace touche::io
