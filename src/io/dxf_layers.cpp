// SPDX-License-Identifier: Apache-2.0
#include "io/dxf_layers.h"

#include <fmt/format.h>

#include "io/tally.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return small;
}

}  // namespace

DxfLayers::DxfLayers() { number_of("0"); }

std::size_t DxfLayers::number_of(std::string_view name) {
  const auto [found, is_new] = numbers_.emplace(in_small_letters(name), at_.size());
  // Programs for CAD never plot the layer that dimensions put their points on.
  if (is_new) at_.push_back({.name = std::string(name), .plotted = found->first != "defpoints"});
  return found->second;
}

void DxfLayers::add(const DxfFile& file, const DxfEntity& entry) {
  Layer& layer = at_[number_of(DxfFile::text(entry, 2))];
  if (layer.in_table) return;  // an entry that is there again
  constexpr int kFrozen = 1;
  layer.in_table = true;
  layer.frozen = (file.integer(entry, 70, 0) & kFrozen) != 0;
  layer.off = file.number(entry, 62, 0) < 0;
  layer.plotted = layer.plotted && file.integer(entry, 290, 1) != 0;
}

DxfLayer DxfLayers::layer_of(const DxfEntity& e) {
  for (const DxfGroup& g : e.groups)
    if (g.code == 8) {
      const std::size_t number = number_of(g.value);
      at_[number].used = true;
      return {number, g.value};
    }
  at_[DxfLayer::kZero].used = true;
  return {};
}

void DxfLayers::select(const OutlineOptions& options, const std::string& file) {
  hides_ = !options.all_layers;
  all_ = options.layers.empty();
  for (const std::string& name : options.layers) {
    const auto found = numbers_.find(in_small_letters(name));
    const bool is_there =
        found != numbers_.end() && (at_[found->second].in_table || at_[found->second].used);
    if (is_there) {
      at_[found->second].selected = true;
      continue;
    }
    std::vector<std::string> names;
    for (const Layer& layer : at_)
      if (layer.in_table || layer.used) names.push_back(shown_name(layer.name));
    fail_unknown_layer(file, name, names);
  }
}

}  // namespace touche::io
