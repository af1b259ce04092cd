// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "io/drawing.h"
#include "io/readers.h"
#include "touche/outline_file.h"

namespace touche {
namespace {

std::string outline_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

}  // namespace

bool is_outline(const std::filesystem::path& file) {
  const std::string ending = outline_ending(file);
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
                    "'" + outline_ending(file) + "' files hold no outlines; .svg and .dxf do");
  return io::read_outline(io::read_file(file), outline_ending(file), file.string(), options,
                          report);
}

}  // namespace touche
