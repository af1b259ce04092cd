// SPDX-License-Identifier: Apache-2.0
// Reads parts that are named by a file and a node.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "touche/io.h"

namespace touche::io {

/// Whether a node is called as a shell is: "shell 2".
bool names_shell(std::string_view node);

/// Reads a file once for all of its nodes that are read with the same options; whole files are read
/// each time.
class PartReader {
 public:
  /// The option `split` is not used. Throws as load_soup does.
  PolygonSoup read(const PartName& part, const LoadOptions& options = {});

 private:
  // File, scale, axis up, and whether it is split into shells.
  using Key = std::tuple<std::filesystem::path, double, std::optional<UpAxis>, bool>;
  std::map<Key, Assembly> assemblies_;
};

}  // namespace touche::io
