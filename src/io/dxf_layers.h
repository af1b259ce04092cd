// SPDX-License-Identifier: Apache-2.0
// The layers of a DXF file, and which of them are drawn. Names differ by more than case.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/dxf_entities.h"

namespace touche::io {

/// Entities on layer 0 in a block are on the layer of the INSERT of the block.
struct DxfLayer {
  static constexpr std::size_t kZero = 0;
  std::size_t number = kZero;
  std::string_view name;  ///< as the entity spells it; empty if it names none
};

class DxfLayers {
 public:
  DxfLayers();

  /// A layer of the table of layers.
  void add(const DxfFile& file, const DxfEntity& entry);
  /// The layer that an entity names. Each is a layer, also without an entry in the table.
  DxfLayer layer_of(const DxfEntity& e);
  /// Selects the layers to read; none named: all. Throws LoadError for names that the file has not.
  void select(const OutlineOptions& options, const std::string& file);

  const std::string& name_of(const DxfLayer& layer) const { return at_[layer.number].name; }
  bool is_frozen(const DxfLayer& layer) const { return hides_ && at_[layer.number].frozen; }
  /// Off layers hide entities, but not the blocks that are placed on them.
  bool is_off(const DxfLayer& layer) const { return hides_ && at_[layer.number].off; }
  bool is_selected(const DxfLayer& layer) const { return all_ || at_[layer.number].selected; }
  bool is_plotted(const DxfLayer& layer) const { return at_[layer.number].plotted; }

 private:
  struct Layer {
    std::string name;
    bool frozen = false, off = false, plotted = true, selected = false;
    bool in_table = false;
    bool used = false;
  };
  std::size_t number_of(std::string_view name);

  std::vector<Layer> at_;
  std::map<std::string, std::size_t> numbers_;  // by the name in small letters
  bool all_ = true, hides_ = true;
};

}  // namespace touche::io
