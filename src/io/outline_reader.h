// SPDX-License-Identifier: Apache-2.0
// Reads parts of drawings that are named by a file and an object or layer.
#pragma once

#include <deque>
#include <filesystem>
#include <vector>

#include "touche/outline_file.h"

namespace touche::io {

/// Reads a drawing once for all of its parts that are read with the same options. What it returns
/// stays valid as long as the reader. Throws as load_outlines does.
class OutlineReader {
 public:
  struct Parts {
    std::vector<OutlinePart> outlines;
    OutlineReport report;  ///< on all of them
  };
  const Parts& parts(const std::filesystem::path& file, Split split, const OutlineOptions& options);

  struct Named {
    const OutlinePart& part;
    const OutlineReport& report;  ///< on all parts
  };
  /// An object, or a layer if no object is called so. Throws LoadError if there is neither.
  Named part(const PartName& name, const OutlineOptions& options);

 private:
  struct Known {
    std::filesystem::path file;
    Split split;
    OutlineOptions options;
    Parts parts;
  };
  std::deque<Known> known_;
};

}  // namespace touche::io
