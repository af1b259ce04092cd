// SPDX-License-Identifier: Apache-2.0
// Reads parts that are named by a file and a node.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "touche/io.h"

namespace touche::io {

/// Whether a part is a shell of a mesh file: it is called as shells are, "shell 2", and none of the
/// file's objects is.
bool names_shell(const PartName& part, const Assembly& objects);

/// Reads a file once for all of its nodes that are read with the same options, a file of which
/// shells are named once more for these; whole files are read each time.
class PartReader {
 public:
  /// The option `split` is not used. Throws as load_soup does.
  PolygonSoup read(const PartName& part, const LoadOptions& options = {});

 private:
  const Assembly& nodes(const std::filesystem::path& file, const LoadOptions& options);

  using Key =
      std::tuple<std::filesystem::path, double, std::optional<UpAxis>, Split, std::optional<double>,
                 std::optional<AnimationTime>, double, double, double>;
  std::map<Key, Assembly> assemblies_;
};

}  // namespace touche::io
