// SPDX-License-Identifier: Apache-2.0
// DXF, from release 12 on, as seen from above: what is visible in the space of the model.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "io/dxf_entities.h"
#include "io/dxf_layers.h"
#include "io/dxf_paths.h"
#include "io/tally.h"
#include "io/text_scanner.h"

namespace touche::io {
namespace {

/// Returns whether an entity is an annotation, not part of the drawing.
bool is_annotation(std::string_view kind) {
  static const std::set<std::string_view> kinds = {
      "TEXT",       "MTEXT",         "DIMENSION",   "ARC_DIMENSION",
      "LEADER",     "MULTILEADER",   "MLEADER",     "TOLERANCE",
      "HATCH",      "VIEWPORT",      "ATTDEF",      "ATTRIB",
      "SEQEND",     "IMAGE",         "WIPEOUT",     "OLE2FRAME",
      "ACAD_TABLE", "XLINE",         "RAY",         "LIGHT",
      "SUN",        "UNDERLAY",      "PDFUNDERLAY", "LARGE_RADIAL_DIMENSION",
      "RTEXT",      "ARCALIGNEDTEXT"};
  return kinds.contains(kind);
}

/// Millimetres per unit of $INSUNITS; nothing where it has none.
std::optional<double> millimetres(int units) {
  static const std::map<int, double> known = {{1, 25.4},    {2, 304.8},  {3, 1609344}, {4, 1},
                                              {5, 10},      {6, 1e3},    {7, 1e6},     {8, 25.4e-6},
                                              {9, 25.4e-3}, {10, 914.4}, {11, 1e-7},   {12, 1e-6},
                                              {13, 1e-3},   {14, 100},   {15, 1e4},    {16, 1e5}};
  const auto found = known.find(units);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

class DxfReader {
 public:
  DxfReader(std::string_view bytes, const std::string& file, std::optional<Split> split)
      : file_(bytes, file), drawing_(bytes.size(), file), split_(split) {}

  Drawing read(const OutlineOptions& options, const std::string& file) {
    find_sections();
    layers_.select(options, file);
    drawing_.set_unit(named_unit_);
    unit_ = named_unit_.value_or(1) * options.scale;
    Affine to;
    to.linear *= unit_;
    for (const Range& section : sections_) draw(section, to, {}, kNoPart, 0);
    add_remarks();
    drawing_.join_ends();
    return std::move(drawing_);
  }

 private:
  static constexpr int kMostDepth = 100;
  static constexpr std::size_t kNoPart = ~std::size_t{0};

  const std::vector<DxfEntity>& all() const { return file_.entities(); }

  /// The entities [first, last).
  struct Range {
    std::size_t first = 0, last = 0;
  };
  /// The entities of a block, and the point that is placed.
  struct Block {
    Range range;
    Vec2 base = Vec2::Zero();
    bool is_only = true;       ///< of its name
    bool is_external = false;  ///< its entities are in another file
  };

  void add_remarks() {
    if (drawing_.is_empty() && !annotation_.empty())
      drawing_.remark(annotation_.sentence("not read"));
    if (!left_out_.empty()) drawing_.remark(left_out_.sentence("left out"));
    if (!references_.empty()) drawing_.remark(references_.sentence("not read"));
    if (!not_plotted_.empty()) drawing_.remark(not_plotted_.sentence("read"));
    if (!fitted_.empty())
      drawing_.remark(fitted_.sentence("drawn as cubic curves of continuous curvature"));
  }

  /// A section of a name may be there more than once: each counts.
  void find_sections() {
    std::string_view section;
    layers_of_.resize(all().size());
    for (std::size_t i = 0; i < all().size(); ++i) {
      const DxfEntity& e = all()[i];
      if (e.kind == "SECTION") {
        section = DxfFile::text(e, 2);
        if (section == "HEADER") read_units(e);
        if (section == "ENTITIES") sections_.push_back({i + 1, i + 1});
      } else if (e.kind == "ENDSEC") {
        section = {};
      } else if (section == "BLOCKS" && e.kind == "BLOCK") {
        Range range{i + 1, i + 1};
        for (; range.last < all().size() && all()[range.last].kind != "ENDBLK"; ++range.last)
          layers_of_[range.last] = layers_.layer_of(all()[range.last]);
        const Vec2 base(file_.number(e, 10, 0), file_.number(e, 20, 0));
        constexpr int kExternal = 4 | 8;
        const bool external = (file_.integer(e, 70, 0) & kExternal) != 0;
        const auto [block, is_new] =
            blocks_.try_emplace(DxfFile::text(e, 2), Block{range, base, true, external});
        block->second.is_only = is_new;
        i = range.last - 1;
      } else if (section == "TABLES" && e.kind == "LAYER") {
        layers_.add(file_, e);
      } else if (section == "ENTITIES") {
        layers_of_[i] = layers_.layer_of(e);
      }
      if (section == "ENTITIES") sections_.back().last = i + 1;
    }
    if (sections_.empty()) file_.fail(1, "not a DXF file: it has no section of entities");
  }

  void read_units(const DxfEntity& header) {
    for (std::size_t k = 0; k + 1 < header.groups.size(); ++k)
      if (header.groups[k].value == "$INSUNITS" && header.groups[k].code == 9)
        named_unit_ = millimetres(
            static_cast<int>(std::clamp(file_.value_of(header.groups[k + 1]), -1.0, 1000.0)));
  }

  // ---- entities
  // ----------------------------------------------------------------------------------

  /// The layer of an entity in a block that is placed on `outer`.
  DxfLayer layer_of(std::size_t entity, const DxfLayer& outer) const {
    const DxfLayer& own = layers_of_[entity];
    return own.number == DxfLayer::kZero && !outer.name.empty() ? outer : own;
  }

  /// `part` is that of the placed block that the entities are in, if it is one.
  void draw(const Range& range, const Affine& to, const DxfLayer& outer, std::size_t part,
            int depth) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const DxfEntity& e = all()[i];
      // Also of what is not drawn: a block of it may be placed a million times.
      drawing_.take(cost(e), file_.place(e.position));
      if (is_annotation(e.kind)) {
        annotation_.add("of annotation", e.kind);
        continue;
      }
      std::size_t end = i + 1;
      if (e.kind == "POLYLINE")
        for (; end < range.last && all()[end].kind == "VERTEX"; ++end)
          drawing_.take(cost(all()[end]), file_.place(e.position));
      const DxfLayer layer = layer_of(i, outer);
      if (is_left_out(e, layer)) {
        if (part != kNoPart) drawing_.note_left_out(part);
      } else if (e.kind == "INSERT") {
        insert(e, to, layer, part, depth);
      } else {
        add(e, std::span(all()).subspan(i + 1, end - i - 1), to, layer, part);
      }
      i = end - 1;
    }
  }

  bool is_left_out(const DxfEntity& e, const DxfLayer& layer) {
    const bool places = e.kind == "INSERT";
    std::string_view reason, name;
    if (file_.integer(e, 67, 0) == 1) {
      reason = "in paper space";
    } else if (file_.integer(e, 60, 0) == 1) {
      reason = "marked as invisible";
    } else if (!places && !layers_.is_selected(layer)) {
      reason = "on layers that are not selected", name = layer.name;
    } else if (layers_.is_frozen(layer) || (!places && layers_.is_off(layer))) {
      reason = "on frozen or off layers", name = layer.name;
    }
    if (reason.empty()) return false;
    left_out_.add(reason, name);
    return true;
  }

  void note_height(double height) {
    if (height > 0) drawing_.leave_plane(unit_ * height);
  }

  void add(const DxfEntity& e, std::span<const DxfEntity> vertices, const Affine& to,
           const DxfLayer& layer, std::size_t part) {
    Path path = e.kind == "POLYLINE" ? dxf_polyline(file_, e, vertices) : dxf_path(file_, e);
    double height = dxf_height(file_, e);
    for (const DxfEntity& vertex : vertices) height = std::max(height, dxf_height(file_, vertex));
    note_height(height);
    if (!layers_.is_plotted(layer)) not_plotted_.add("on layers that are not plotted", layer.name);
    if (e.kind == "SPLINE" && is_fitted(e)) fitted_.add("given by points that they run through");
    path.name = layer.name;
    if (split_) path.part = part == kNoPart ? part_of_layer(layer, e) : part;
    drawing_.add(std::move(path), to * dxf_axes(file_, e), file_.place(e.position));
  }

  /// The part of entities on a layer that are in no other part.
  std::size_t part_of_layer(const DxfLayer& layer, const DxfEntity& e) {
    const auto [found, is_new] = part_of_layer_.try_emplace(layer.number, kNoPart);
    if (is_new) found->second = drawing_.add_part(layers_.name_of(layer), file_.place(e.position));
    return found->second;
  }

  // ---- blocks
  // ------------------------------------------------------------------------------------

  void insert(const DxfEntity& e, const Affine& to, const DxfLayer& layer, std::size_t part,
              int depth) {
    const std::string_view name = DxfFile::text(e, 2);
    const auto found = blocks_.find(name);
    if (found == blocks_.end()) file_.fail(e, fmt::format("there is no block {}", in_quotes(name)));
    if (!found->second.is_only)
      file_.fail(e, fmt::format("there are several blocks {}", in_quotes(name)));
    if (depth >= kMostDepth) file_.fail(e, "blocks lie too deep in each other");
    const Block& block = found->second;
    if (block.is_external) references_.add("to other files", name);
    if (split_ == Split::objects && part == kNoPart)
      part = drawing_.add_part(name, file_.place(e.position));
    note_height(dxf_height(file_, e));
    Affine placed;
    const Mat2 turn = turn_by_degrees(file_.number(e, 50, 0));
    placed.linear = turn * Vec2(file_.number(e, 41, 1), file_.number(e, 42, 1)).asDiagonal();
    const Vec2 at = file_.point(e, 10), step(file_.number(e, 44, 0), file_.number(e, 45, 0));
    const int columns = std::max(1, file_.integer(e, 70, 1)),
              rows = std::max(1, file_.integer(e, 71, 1));
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        drawing_.take(kVisit, file_.place(e.position));
        placed.shift =
            at + turn * Vec2(column * step.x(), row * step.y()) - placed.linear * block.base;
        draw(block.range, to * dxf_axes(file_, e) * placed, layer, part, depth + 1);
      }
  }

  static constexpr std::size_t kVisit = 512;  // as of SVG
  /// Cost of visiting an entity, which reads all its groups.
  static std::size_t cost(const DxfEntity& e) { return kVisit + 16 * e.groups.size(); }

  DxfFile file_;
  Drawing drawing_;
  std::optional<Split> split_;
  std::map<std::size_t, std::size_t> part_of_layer_;  // by the layer's number
  std::optional<double> named_unit_;
  double unit_ = 1;
  std::vector<Range> sections_;  // of entities
  std::map<std::string_view, Block> blocks_;
  DxfLayers layers_;
  std::vector<DxfLayer> layers_of_;  // of each entity
  Tally left_out_{"entity", "entities"}, not_plotted_{"entity", "entities"};
  Tally fitted_{"spline", "splines"};
  Tally annotation_{"entity", "entities"};
  Tally references_{"reference", "references"};
};

}  // namespace

Drawing read_dxf(std::string_view bytes, const std::string& file, const OutlineOptions& options,
                 std::optional<Split> split) {
  return DxfReader(bytes, file, split).read(options, file);
}

}  // namespace touche::io
