// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/ending.h"
#include "io/drawing.h"
#include "io/readers.h"
#include "touche/outline_file.h"

namespace touche {
bool is_outline(const std::filesystem::path& file) {
  const std::string ending = base::ending_of(file);
  return ending == ".svg" || ending == ".dxf";
}

plane::Outline load_outline(const std::filesystem::path& file, const OutlineOptions& options,
                            OutlineReport* report) {
  if (!std::isfinite(options.scale) || options.scale <= 0)
    throw InvalidInput("the scale of " + file.string() + " must be finite and positive");
  if (!std::isfinite(options.chord_error) || options.chord_error < 0)
    throw InvalidInput("the chord error of " + file.string() + " must be finite and not negative");
  if (!std::isfinite(options.join_gap) || options.join_gap < 0)
    throw InvalidInput("the join gap of " + file.string() + " must be finite and not negative");
  if (!is_outline(file))
    throw LoadError(file.string(), "",
                    "'" + base::ending_of(file) + "' files hold no outlines; .svg and .dxf do");
  return io::read_outline(io::read_file(file), base::ending_of(file), file.string(), options,
                          report);
}

}  // namespace touche
