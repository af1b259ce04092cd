// SPDX-License-Identifier: Apache-2.0
// Assemblies: how nodes are addressed.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ending.h"
#include "io/assembly_builder.h"
#include "io/readers.h"
#include "io/text_scanner.h"

namespace touche {
namespace {

// Edits (a letter more, less or another) that turn one text into the other, up to `max`.
std::size_t edits_between(std::string_view a, std::string_view b, std::size_t max) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > max) return max + 1;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t other = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({other, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string Assembly::path(Index node) const {
  std::vector<Index> way;
  for (Index n = node; n != kNone; n = nodes[n].parent) way.push_back(n);
  std::string out;
  for (std::size_t i = way.size(); i-- > 0;) {
    out += nodes[way[i]].step;
    if (i > 0) out += '/';
  }
  return out;
}

Index Assembly::find(std::string_view wanted) const {
  constexpr std::size_t kShown = 8, kMostEdits = 3, kMostCompared = 5000;
  // Descend, as long as a step of the path names a child.
  Index at = kNone;
  std::string_view rest = wanted;
  for (bool found = true; found;) {
    found = false;
    const std::string_view step = rest.substr(0, rest.find('/'));
    Index child = at == kNone ? 0 : at + 1;
    const Index end = at == kNone ? static_cast<Index>(nodes.size()) : nodes[at].end;
    while (child < end && nodes[child].step != step) child = nodes[child].end;
    if (child >= end) break;
    if (step.size() == rest.size()) return child;
    at = child;
    rest.remove_prefix(step.size() + 1);
    found = true;
  }

  // Name similar paths, or else the siblings at the node where the path left the tree.
  std::vector<std::string> near, siblings;
  const std::string wanted_end = base::in_small_letters(wanted.substr(wanted.rfind('/') + 1));
  for (Index n = 0; n < std::min<std::size_t>(nodes.size(), kMostCompared); ++n) {
    if (near.size() < kShown && wanted_end.size() < 1000 &&
        edits_between(base::in_small_letters(nodes[n].step), wanted_end, kMostEdits) <=
            std::min(kMostEdits, wanted_end.size() / 2))
      near.push_back(path(n));
    if (nodes[n].parent == at && siblings.size() < kShown) siblings.push_back(path(n));
  }
  const auto& shown = near.empty() ? siblings : near;
  throw LoadError(
      file, "",
      fmt::format("there is no node {}; {}: {}", io::in_quotes(wanted),
                  near.empty() ? "there are" : "similar are",
                  shown.empty() ? "no nodes below it" : fmt::format("{}", fmt::join(shown, ", "))));
}

PolygonSoup Assembly::soup(Index node) const {
  return io::to_soup(io::flattened(*this, node, nodes[node].end), file);
}

PolygonSoup Assembly::soup() const {
  return io::to_soup(io::flattened(*this, 0, static_cast<Index>(nodes.size())), file);
}

PolygonSoup load_soup(const PartName& part, const LoadOptions& options) {
  if (part.node.empty()) return load_soup(part.file, options);
  const Assembly assembly = load_assembly(part, options);
  return assembly.soup(assembly.find(part.node));
}

PartName parse_part_name(const std::string& text) {
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
    const std::string before = base::in_small_letters(std::string_view(text).substr(0, at));
    for (const std::string_view ending :
         {".gltf", ".glb", ".3mf", ".dae", ".obj", ".stl", ".ply", ".off", ".svg", ".dxf"})
      if (before.ends_with(ending)) return {text.substr(0, at), text.substr(at + 1)};
  }
  return {text, ""};
}

}  // namespace touche
