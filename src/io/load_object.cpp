// SPDX-License-Identifier: Apache-2.0
// Separate from load_soup, so that programs that load soups only need not link hierarchies.
#include "touche/io.h"

namespace touche {

Object load(const std::filesystem::path& path, const LoadOptions& options) {
  return Object(load_soup(path, options), path.stem().string());
}

}  // namespace touche
