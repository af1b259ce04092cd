// SPDX-License-Identifier: Apache-2.0
// SVG 1.1 and what of SVG 2 draws the same: shapes and paths in groups, symbols and nested
// drawings.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <optional>
#include <set>

#include "io/svg_style.h"
#include "io/svg_text.h"
#include "io/tally.h"
#include "io/text_scanner.h"
#include "io/xml_file.h"

namespace touche::io {
namespace {

class SvgReader {
 public:
  SvgReader(std::string_view bytes, const std::string& file, const OutlineOptions& options,
            std::optional<Split> split)
      : xml_(bytes, file),
        file_(file),
        options_(options),
        split_(split),
        drawing_(bytes.size(), file) {
    xml_.drop_first_prefix();
    if (bytes.find("<?xml-stylesheet") != bytes.npos)
      not_followed_.add("of style sheets in other files");
  }

  Drawing read() {
    const pugi::xml_node root = xml_.root().child("svg");
    if (!root) throw LoadError(file_, "", "not an SVG file");
    collect_ids(xml_.root());
    select_layers(root);
    // y points up, and lengths are millimetres where the file says how large it is on paper.
    const std::optional<SvgLength> width = length(root, "width"), height = length(root, "height");
    const bool physical = (width && width->physical) || (height && height->physical);
    const double unit = options_.scale * (physical ? 1 / kPxPerMillimetre : 1);
    Affine paper;
    paper.linear << unit, 0, 0, -unit;
    if (physical) paper = paper * view(root, width, height);
    Scope scope;
    scope.selected = selected_.empty();
    scope = within(root, scope);
    scope.to = paper * transform(root);
    if (physical) drawing_.set_unit(paper.linear(0, 0) / options_.scale);
    visit_children(root, scope);
    if (drawing_.is_empty() && !no_shapes_.empty())
      drawing_.remark(no_shapes_.sentence("not read"));
    if (!left_out_.empty()) drawing_.remark(left_out_.sentence("left out"));
    if (!unpainted_.empty()) drawing_.remark(unpainted_.sentence("read as the others are"));
    if (!beyond_.empty()) drawing_.remark(beyond_.sentence("read whole, and not cut off there"));
    if (!not_followed_.empty())
      drawing_.remark(not_followed_.sentence("not read, and may hide or move shapes"));
    return std::move(drawing_);
  }

 private:
  static constexpr int kMostDepth = 300;
  static constexpr std::size_t kNoPart = ~std::size_t{0};

  /// A rectangle in the coordinates of an element around.
  struct Viewport {
    Affine to;  ///< from these coordinates
    Vec2 lo, hi;
  };

  /// What an element takes over from the elements around it.
  struct Scope {
    Affine to;
    std::string_view name;
    int depth = 0;
    bool displayed = true, selected = true;
    SvgStyles::Shown shown;             ///< of the element; `displayed` is that of all around, too
    std::optional<Viewport> viewport;   ///< the innermost one that cuts off what is beyond it
    std::string_view hidden_by, layer;  ///< names
    pugi::xml_node layer_node;          ///< the innermost layer
    pugi::xml_node cut;                 ///< the innermost element that is clipped or masked
    std::size_t part = kNoPart;         ///< of the drawing, if it is that of a node around
  };

  // ---- attributes
  // --------------------------------------------------------------------------------

  SvgFail fail_at(pugi::xml_node node, const char* attribute) const {
    return [this, node, attribute](const std::string& reason) {
      xml_.fail(node, fmt::format("<{}> {}: {}", node.name(), attribute, reason));
    };
  }

  /// Nothing where it is not given, is "auto", or is relative to a size that only a page has.
  std::optional<SvgLength> length(pugi::xml_node node, const char* name) const {
    const std::string_view text = node.attribute(name).value();
    if (text.empty() || text == "auto" || text.ends_with('%')) return std::nullopt;
    return svg_length(text, fail_at(node, name));
  }

  /// In user units, 0 where it is not given.
  double px(pugi::xml_node node, const char* name) const {
    const pugi::xml_attribute attribute = node.attribute(name);
    return attribute ? svg_length(attribute.value(), fail_at(node, name)).px : 0;
  }

  double size(pugi::xml_node node, const char* name) const {
    const double value = px(node, name);
    if (value < 0) xml_.fail(node, fmt::format("<{}> {} is negative", node.name(), name));
    return value;
  }

  Affine transform(pugi::xml_node node) const {
    refuse_moves(node, node.attribute("style").value(), "a style", has_size(node));
    const pugi::xml_attribute attribute = node.attribute("transform");
    for (const char* about : {"transform-origin", "transform-box"})
      if (attribute && node.attribute(about))
        xml_.fail(node, fmt::format("a {} is not read", about));
    return attribute ? svg_transform(attribute.value(), fail_at(node, "transform")) : Affine{};
  }

  /// Refuses style that puts what is drawn elsewhere: it would not be found out that it is missing.
  void refuse_moves(pugi::xml_node node, std::string_view style, std::string_view of,
                    bool sized) const {
    if (const std::string_view property = svg_moving_property(style, sized); !property.empty())
      xml_.fail(node, fmt::format("{} in {} is not read", property, of));
  }

  /// Whether a width in its style changes what is drawn. That of the drawing itself is for a page.
  bool has_size(pugi::xml_node node) const {
    const std::string_view kind = node.name();
    return kind == "rect" || kind == "use" || kind == "symbol" ||
           (kind == "svg" && node.parent() != xml_.root());
  }

  /// The transform from the units of a viewBox to the surrounding ones. By default it keeps the
  /// aspect ratio and centres.
  Affine view(pugi::xml_node node, const std::optional<SvgLength>& width,
              const std::optional<SvgLength>& height) const {
    const pugi::xml_attribute box = node.attribute("viewBox");
    if (!box || (!width && !height)) return {};
    const SvgFail fail = fail_at(node, "viewBox");
    SvgScanner scanner(box.value(), fail);
    const Vec2 origin = scanner.point(), extent = scanner.point();
    if (!scanner.at_end() || !(extent.x() > 0) || !(extent.y() > 0))
      scanner.fail("a viewBox needs a width and a height above 0");
    // Without one of the two the other gives the scale.
    Vec2 scale = Vec2::Constant(width ? width->px / extent.x() : height->px / extent.y());
    if (height) scale.y() = height->px / extent.y();
    if (!(scale.array() > 0).all()) xml_.fail(node, "a width or height that is not above 0");
    const std::string_view keep = node.attribute("preserveAspectRatio").value();
    Vec2 spare = Vec2::Zero();
    if (!keep.starts_with("none")) {
      const double both =
          keep.find("slice") != std::string_view::npos ? scale.maxCoeff() : scale.minCoeff();
      spare = (scale - Vec2::Constant(both)).cwiseProduct(extent);
      scale.setConstant(both);
      const auto share = [&](const char* least, const char* most) {
        return keep.find(least) != std::string_view::npos  ? 0.0
               : keep.find(most) != std::string_view::npos ? 1.0
                                                           : 0.5;
      };
      spare = spare.cwiseProduct(Vec2(share("xMin", "xMax"), share("YMin", "YMax")));
    }
    Affine result;
    result.linear << scale.x(), 0, 0, scale.y();
    result.shift = spare - scale.cwiseProduct(origin);
    return result;
  }

  // ---- what is drawn
  // ------------------------------------------------------------------------------

  static bool is_marked_layer(pugi::xml_node node) {
    return std::string_view(node.attribute("inkscape:groupmode").value()) == "layer";
  }

  /// Layers are the groups that Inkscape marks so; in files without these, named groups right below
  /// the root.
  bool is_layer(pugi::xml_node node) const {
    if (std::string_view(node.name()) != "g") return false;
    if (marked_layers_) return is_marked_layer(node);
    return node.parent().parent() == xml_.root() && !name_of(node, "").empty();
  }

  void select_layers(pugi::xml_node root) {
    if (options_.layers.empty()) return;
    struct Walker : pugi::xml_tree_walker {
      const SvgReader* reader = nullptr;
      std::vector<std::string> names;
      bool for_each(pugi::xml_node& node) override {
        if (reader->is_layer(node)) names.emplace_back(name_of(node, ""));
        return true;
      }
    } walker;
    walker.reader = this;
    root.traverse(walker);
    for (const std::string& name : options_.layers)
      if (std::find(walker.names.begin(), walker.names.end(), name) == walker.names.end()) {
        for (std::string& other : walker.names) other = shown_name(other);
        fail_unknown_layer(file_, name, walker.names);
      }
    selected_.insert(options_.layers.begin(), options_.layers.end());
  }

  /// What the elements in `node` take over, except for its transform.
  Scope within(pugi::xml_node node, const Scope& outer) const {
    const auto value = [&](const char* name) {
      return std::string_view(node.attribute(name).value());
    };
    Scope scope = outer;
    ++scope.depth;
    scope.name = name_of(node, outer.name);
    if (is_layer(node)) {
      scope.layer = scope.name;
      scope.layer_node = node;
      if (selected_.contains(scope.name)) scope.selected = true;
      if (options_.all_layers) return scope;
    }
    SvgElement element{node.name(), value("id"), value("class"), value("style")};
    for (std::size_t k = 0; k < kSvgProperties.size(); ++k)
      element.attributes[k] = value(kSvgProperties[k]);
    scope.shown = styles_.shown(element, outer.shown);
    if (outer.displayed && scope.shown.by_variable)
      xml_.fail(node, fmt::format("<{}> is shown or hidden by a variable, which is not read",
                                  node.name()));
    scope.displayed = outer.displayed && scope.shown.displayed && is_for_us(node);
    if (scope.shown.cut) scope.cut = node;
    if ((outer.displayed && !scope.displayed) || (outer.shown.visible && !scope.shown.visible))
      scope.hidden_by = scope.name;
    return scope;
  }

  /// Whether the conditions that an element may have are met: no extensions are read, and texts
  /// are taken in English.
  static bool is_for_us(pugi::xml_node node) {
    const std::string_view extensions = node.attribute("requiredExtensions").value();
    if (extensions.find_first_not_of(" \t\r\n") != extensions.npos) return false;
    const pugi::xml_attribute language = node.attribute("systemLanguage");
    if (!language) return true;
    std::string_view left = language.value();
    while (!left.empty()) {
      left.remove_prefix(std::min(left.find_first_not_of(", "), left.size()));
      if (left.substr(0, left.find_first_of(", -")) == "en") return true;
      left.remove_prefix(std::min(left.find_first_of(", "), left.size()));
    }
    return false;
  }

  /// Of a shape: nothing is lost of a group that holds none.
  void refuse_cut(const Scope& scope) const {
    if (const pugi::xml_node node = scope.cut)
      xml_.fail(node,
                fmt::format("<{}> is cut by a clip-path or mask, which is not read", node.name()));
  }

  /// Counts it if it is.
  bool is_left_out(std::string_view kind, const Scope& scope) {
    if (!scope.selected)
      left_out_.add("on layers that are not selected", scope.layer);
    else if (!scope.displayed)
      left_out_.add("not displayed", scope.hidden_by);
    else if (!scope.shown.visible && kind != "use")  // what is used may be visible again
      left_out_.add("with hidden visibility", scope.hidden_by);
    else
      return false;
    if (scope.part != kNoPart) drawing_.note_left_out(scope.part);
    return true;
  }

  // ---- parts
  // -------------------------------------------------------------------------------------

  /// The part of all elements in a layer, or outside of all layers, that are in no other part.
  std::size_t part_of_layer(pugi::xml_node layer) {
    const auto [found, is_new] = part_of_layer_.try_emplace(layer.internal_object(), kNoPart);
    if (is_new) found->second = drawing_.add_part(layer ? name_of(layer, "") : "", "");
    return found->second;
  }

  /// Begins a part with a node: with an outermost group or symbol.
  void begin_object(pugi::xml_node node, Scope& scope) {
    if (split_ != Split::objects || scope.part != kNoPart) return;
    ++objects_;
    const std::string_view name = name_of(node, "");
    spend(kVisit + kRead * name.size(), node);
    scope.part = drawing_.add_part(name.empty() ? std::to_string(objects_) : name, "");
  }

  void begin_part(pugi::xml_node node, Scope& scope) {
    if (!scope.displayed || std::string_view(node.name()) != "g") return;
    if (!is_layer(node))
      begin_object(node, scope);
    else if (split_ == Split::layers)
      scope.part = part_of_layer(node);
  }

  // ---- elements
  // ----------------------------------------------------------------------------------

  void collect_ids(pugi::xml_node root) {
    struct Walker : pugi::xml_tree_walker {
      SvgReader* reader = nullptr;
      bool for_each(pugi::xml_node& node) override {
        if (const pugi::xml_attribute id = node.attribute("id"))
          reader->ids_.emplace(id.value(), node);
        if (std::string_view(node.name()) == "style") {
          std::string sheet;  // a comment may begin in one of its texts and end in the next
          for (const pugi::xml_node text : node.children()) sheet += text.value();
          reader->refuse_moves(node, sheet, "a style sheet", true);
          if (const std::string media = node.attribute("media").value(); !media.empty())
            sheet = "@media " + media + "{" + sheet + "}";
          reader->styles_.add(sheet, reader->fail_at(node, "rule"));
          if (sheet.find("@import") != sheet.npos)
            reader->not_followed_.add("of style sheets in other files");
        }
        const std::string_view kind = node.name();
        if (kind == "script") reader->not_followed_.add("of scripts");
        if (kind == "set" || kind.starts_with("animate"))
          reader->not_followed_.add("of animations");
        if (is_marked_layer(node)) reader->marked_layers_ = true;
        return true;
      }
    } walker;
    walker.reader = this;
    root.traverse(walker);
  }

  void visit_children(pugi::xml_node parent, const Scope& scope) {
    const bool takes_one = std::string_view(parent.name()) == "switch";
    for (const pugi::xml_node child : parent.children()) {
      // Also of what is not drawn: it may be used a million times.
      spend(kLook, parent);
      if (child.type() != pugi::node_element) continue;
      visit(child, scope);
      const std::string_view kind = child.name();
      const bool is_drawn = kind != "title" && kind != "desc" && kind != "metadata";
      if (takes_one && is_drawn && is_for_us(child)) return;  // the first one that is for us
    }
  }

  void visit(pugi::xml_node node, const Scope& outer) {
    const std::string_view kind = node.name();
    if (outer.depth > kMostDepth) xml_.fail(node, "elements lie too deep below each other");
    // Texts are gone through on each visit, and rules are compared with them.
    std::size_t texts = kLook * styles_.rule_count();
    for (const pugi::xml_attribute a : node.attributes())
      texts += kLook + kRead * std::string_view(a.value()).size();
    spend(texts, node);
    const bool shape = is_shape(kind);
    if (!shape && kind != "g" && kind != "a" && kind != "switch" && kind != "use" &&
        kind != "svg") {
      if (kind == "text" || kind == "image" || kind == "foreignObject")
        no_shapes_.add("of other kinds", kind);
      return;
    }
    spend(kVisit, node);
    Scope scope = within(node, outer);
    begin_part(node, scope);
    if ((shape || kind == "use") && is_left_out(kind, scope)) return;
    if (!scope.displayed) return visit_children(node, scope);  // to count what is not
    scope.to = outer.to * transform(node);
    if (shape) {
      add_shape(kind, node, scope);
    } else if (kind == "use") {
      visit_used(node, scope);
    } else {
      if (kind == "svg") {
        set_viewport(node, node, scope);
        scope.to = scope.to * nested(node);
      }
      visit_children(node, scope);
    }
  }

  /// `sized`: the element with the width and height; in its coordinates, x and y included.
  void set_viewport(pugi::xml_node node, pugi::xml_node sized, Scope& scope) const {
    const std::string_view overflow = node.attribute("overflow").value(),
                           style = node.attribute("style").value();
    const std::optional<SvgLength> width = length(sized, "width"), height = length(sized, "height");
    const bool shows_all = overflow == "visible" || overflow == "auto" ||
                           style.find("overflow:visible") != style.npos ||
                           style.find("overflow: visible") != style.npos;
    if (shows_all || !width || !height || scope.to.linear.determinant() == 0) return;
    const Vec2 lo(px(sized, "x"), px(sized, "y"));
    scope.viewport = Viewport{scope.to, lo, lo + Vec2(width->px, height->px)};
  }

  Affine nested(pugi::xml_node node) const {
    const Affine shift{Mat2::Identity(), {px(node, "x"), px(node, "y")}};
    return shift * view(node, length(node, "width"), length(node, "height"));
  }

  void visit_used(pugi::xml_node node, const Scope& outer) {
    pugi::xml_attribute link = node.attribute("href");
    if (!link) link = node.attribute("xlink:href");
    const std::string_view text = link.value();
    if (!text.starts_with('#'))
      xml_.fail(node, fmt::format("<use> of {}, which is not in this file", in_quotes(text)));
    const auto found = ids_.find(std::string(text.substr(1)));
    if (found == ids_.end())
      xml_.fail(node, fmt::format("<use> of {}: no element has this id", in_quotes(text)));
    const pugi::xml_node used = found->second;
    const bool symbol = std::string_view(used.name()) == "symbol";
    if (outer.depth > kMostDepth) xml_.fail(node, "elements lie too deep below each other");
    // A symbol is displayed where it is used.
    Scope scope = symbol ? within(used, outer) : outer;
    scope.displayed = true;
    if (symbol) {
      set_viewport(used, node, scope);
    }
    if (symbol || std::string_view(used.name()) == "g") begin_object(used, scope);
    scope.to = outer.to * Affine{Mat2::Identity(), {px(node, "x"), px(node, "y")}};
    if (!symbol) return visit(used, scope);
    scope.to =
        scope.to * transform(used) * view(used, length(node, "width"), length(node, "height"));
    visit_children(used, scope);
  }

  static bool is_shape(std::string_view kind) {
    return kind == "path" || kind == "line" || kind == "polyline" || kind == "polygon" ||
           kind == "rect" || kind == "circle" || kind == "ellipse";
  }

  static std::string_view name_of(pugi::xml_node node, std::string_view group) {
    for (const char* attribute : {"inkscape:label", "id"})
      if (const pugi::xml_attribute name = node.attribute(attribute)) return name.value();
    return group;
  }

  void spend(std::size_t bytes, pugi::xml_node node) {
    drawing_.take(bytes, drawing_.has(bytes) ? std::string() : place(node));
  }

  std::string place(pugi::xml_node node) const { return std::to_string(xml_.line(node)); }

  // ---- shapes
  // ------------------------------------------------------------------------------------

  void add_shape(std::string_view kind, pugi::xml_node node, const Scope& scope) {
    if (scope.to.linear.determinant() == 0) {
      left_out_.add("scaled by 0", scope.name);
      return;
    }
    refuse_cut(scope);
    if (styles_.know_colours() &&
        (!(scope.shown.filled || scope.shown.stroked) || scope.shown.transparent))
      unpainted_.add("without fill and line, or with opacity 0", scope.name);
    const auto add = [&](Path path) {
      if (reaches_beyond(path, scope)) beyond_.add("beyond the borders of a drawing", scope.name);
      path.name = scope.name;
      if (split_) path.part = scope.part == kNoPart ? part_of_layer(scope.layer_node) : scope.part;
      drawing_.add(std::move(path), scope.to, place(node));
    };
    if (kind == "path") {
      for (Path& path : svg_path(node.attribute("d").value(), fail_at(node, "d")))
        add(std::move(path));
    } else if (kind == "polyline" || kind == "polygon") {
      const std::vector<Vec2> points =
          svg_points(node.attribute("points").value(), fail_at(node, "points"));
      if (points.empty()) return;
      Path path;
      path.start = points.front();
      for (std::size_t i = 1; i < points.size(); ++i) path.line_to(points[i]);
      path.closed = kind == "polygon";
      add(std::move(path));
    } else if (kind == "line") {
      Path path;
      path.start = {px(node, "x1"), px(node, "y1")};
      path.line_to({px(node, "x2"), px(node, "y2")});
      add(std::move(path));
    } else if (kind == "rect") {
      if (size(node, "width") > 0 && size(node, "height") > 0) add(rectangle(node));
    } else {
      const bool circle = kind == "circle";
      const Vec2 radii(size(node, circle ? "r" : "rx"), size(node, circle ? "r" : "ry"));
      if (!(radii.array() > 0).all()) return;  // is not drawn
      add(ellipse_path({px(node, "cx"), px(node, "cy")}, {radii.x(), 0}, {0, radii.y()}));
    }
  }

  static bool reaches_beyond(const Path& path, const Scope& scope) {
    if (!scope.viewport) return false;
    const Viewport& port = *scope.viewport;
    const Mat2 back = port.to.linear.inverse();
    const double slack = 1e-6 * (port.hi - port.lo).norm();
    const auto is_beyond = [&](const Vec2& p) {
      const Vec2 x = back * (scope.to * p - port.to.shift);
      return (port.lo - x).maxCoeff() > slack || (x - port.hi).maxCoeff() > slack;
    };
    return is_beyond(path.start) || std::ranges::any_of(path.strokes, [&](const Stroke& stroke) {
             return is_beyond(stroke.end);
           });
  }

  Path rectangle(pugi::xml_node node) const {
    const Vec2 lo(px(node, "x"), px(node, "y")), extent(size(node, "width"), size(node, "height"));
    // One radius stands for both; none is more than half of its side.
    const bool has_x = node.attribute("rx"), has_y = node.attribute("ry");
    Vec2 r(has_x || !has_y ? size(node, "rx") : size(node, "ry"),
           has_y || !has_x ? size(node, "ry") : size(node, "rx"));
    if (!has_x && !has_y) r.setZero();
    r = r.cwiseMin(0.5 * extent);
    return rectangle_path(lo, extent, r);
  }

  /// Cost of a visit to an element. It exceeds the memory of an element and accounts for its time,
  /// so that a small file can require at most a million visits.
  static constexpr std::size_t kVisit = 512;
  static constexpr std::size_t kLook = 16;  // for testing a node or an attribute
  static constexpr std::size_t kRead = 8;   // of a character

  XmlFile xml_;
  const std::string& file_;
  const OutlineOptions& options_;
  std::optional<Split> split_;
  Drawing drawing_;
  SvgStyles styles_;
  bool marked_layers_ = false;
  std::set<std::string, std::less<>> selected_;  // names of layers; empty: all
  Tally left_out_{"shape", "shapes"};
  Tally no_shapes_{"element", "elements"};
  Tally unpainted_{"shape", "shapes"}, beyond_{"shape", "shapes"}, not_followed_{"use", "uses"};
  std::map<std::string, pugi::xml_node> ids_;
  std::map<pugi::xml_node_struct*, std::size_t> part_of_layer_;
  std::size_t objects_ = 0;  // groups that are parts
};

}  // namespace

Drawing read_svg(std::string_view bytes, const std::string& file, const OutlineOptions& options,
                 std::optional<Split> split) {
  return SvgReader(bytes, file, options, split).read();
}

}  // namespace touche::io
