// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/ending.h"
#include "io/drawing.h"
#include "io/outline_reader.h"
#include "io/readers.h"
#include "io/text_scanner.h"
#include "touche/outline_file.h"

namespace touche {
namespace {

void check(const std::filesystem::path& file, const OutlineOptions& options) {
  const auto expect = [&](double value, bool may_be_zero, const char* name) {
    if (!std::isfinite(value) || value < 0 || (value == 0 && !may_be_zero))
      throw InvalidInput(std::string("the ") + name + " of " + file.string() +
                         " must be finite and " + (may_be_zero ? "not negative" : "positive"));
  };
  expect(options.scale, false, "scale");
  expect(options.chord_error, true, "chord error");
  expect(options.join_gap, true, "join gap");
  expect(options.drop_loops_below, true, "size of loops to drop");
  if (!is_outline(file))
    throw LoadError(file.string(), "",
                    "'" + base::ending_of(file) + "' files hold no outlines; .svg and .dxf do");
}

}  // namespace

bool is_outline(const std::filesystem::path& file) {
  const std::string ending = base::ending_of(file);
  return ending == ".svg" || ending == ".dxf";
}

plane::Outline load_outline(const std::filesystem::path& file, const OutlineOptions& options,
                            OutlineReport* report) {
  check(file, options);
  return io::read_outline(io::read_file(file), base::ending_of(file), file.string(), options,
                          report);
}

std::vector<OutlinePart> load_outlines(const std::filesystem::path& file, Split split,
                                       const OutlineOptions& options, OutlineReport* report) {
  check(file, options);
  if (split == Split::shells)
    throw InvalidInput("split: " + file.string() +
                       " has no shells; SVG and DXF files are split into objects or layers, OBJ, "
                       "STL, PLY and OFF files into objects or shells");
  return io::read_outlines(io::read_file(file), base::ending_of(file), file.string(), split,
                           options, report);
}

plane::Outline load_outline(const PartName& part, const OutlineOptions& options,
                            OutlineReport* report) {
  if (part.node.empty()) return load_outline(part.file, options, report);
  io::OutlineReader reader;
  const OutlinePart& found = reader.part(part, options).part;
  if (report != nullptr) *report = found.report;
  return found.outline;
}

namespace io {

const OutlineReader::Parts& OutlineReader::parts(const std::filesystem::path& file, Split split,
                                                 const OutlineOptions& options) {
  for (const Known& known : known_)
    if (known.file == file && known.split == split && known.options == options) return known.parts;
  Parts parts;
  parts.outlines = load_outlines(file, split, options, &parts.report);
  return known_.emplace_back(Known{file, split, options, std::move(parts)}).parts;
}

OutlineReader::Named OutlineReader::part(const PartName& name, const OutlineOptions& options) {
  constexpr std::size_t kMostShown = 8;
  std::vector<std::string> others;
  for (const Split split : {Split::objects, Split::layers}) {
    const Parts& all = parts(name.file, split, options);
    for (const OutlinePart& part : all.outlines) {
      if (part.name == name.node) return {part, all.report};
      if (others.size() <= kMostShown &&
          std::find(others.begin(), others.end(), part.name) == others.end())
        others.push_back(part.name);
    }
  }
  const bool more = others.size() > kMostShown;
  if (more) others.pop_back();
  throw LoadError(name.file.string(), "",
                  fmt::format("there is no object or layer {}; there are: {}{}",
                              in_quotes(name.node), fmt::join(others, ", "), more ? ", …" : ""));
}

}  // namespace io
}  // namespace touche
