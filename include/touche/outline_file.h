// SPDX-License-Identifier: Apache-2.0
// Reads outlines from SVG and DXF files. Link target touche::io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "touche/io.h"
#include "touche/plane.h"

namespace touche {

struct OutlineOptions {
  double scale = 1;  ///< coordinates are multiplied by this; finite, > 0
  /// Length, after scaling: the largest distance of a curve from the chords that approximate it, in
  /// both directions. 0: 1/10,000 of the diagonal of the drawing.
  double chord_error = 0;
  /// Length, after scaling: ends of lines and arcs in one layer of a DXF file that are at most this
  /// far apart are joined, and so are both ends of an SVG subpath. 0: 1/100,000 of the diagonal.
  double join_gap = 0;
  /// Names of layers: only what is drawn on them is read. Empty: all layers. In DXF case does not
  /// matter; in SVG these are the groups that Inkscape marks as layers, or, in a file without such
  /// groups, the named groups right below the root.
  std::vector<std::string> layers = {};
  /// Whether layers that are hidden are read, too: frozen and off ones in DXF, groups that are
  /// layers in SVG.
  bool all_layers = false;
  bool drop_open = false;  ///< whether chains that stay open are left out
  /// Length, after scaling: closed chains whose box has a shorter diagonal are left out.
  double drop_loops_below = 0;

  bool operator==(const OutlineOptions&) const = default;
};

/// How curves were approximated, and which lines and arcs were joined or found to be repeated.
struct OutlineReport {
  double unit = 0;           ///< millimetres that are a unit of the file; 0: it does not name one
  double chord_error = 0;    ///< length: largest distance of a curve from its chords; 0: no curves
  std::size_t joined = 0;    ///< elements that were joined to longer chains, or were closed
  double widest_gap = 0;     ///< length of the longest edge that bridges two ends
  std::size_t repeated = 0;  ///< repeated elements, which are left out
  std::vector<std::string> open;  ///< the first chains that remain open, with layers and ends
  /// Sentences for the user about open chains, bridged gaps and repeated elements. The outline
  /// holds them, too.
  std::vector<std::string> remarks;
};

/// Reads SVG and DXF (text and binary); the file's extension selects the format. The result has a
/// chain for each subpath, line, arc, circle or polyline, with the name of its element or layer. x
/// points right and y up.
///
/// If the file gives a unit (SVG: width or height in mm, cm, in, pt or pc; DXF: $INSUNITS), the
/// result is in millimetres, times `scale`; else coordinates are as in the file, times `scale`.
///
/// SVG: path, line, polyline, polygon, rect, circle and ellipse are read, in groups, symbols and
/// nested drawings, and placed by `use`, with all transforms. y is reversed: the outline's y is the
/// file's −y. Elements that are not drawn are left out: elements in defs, clips, masks, patterns
/// and markers, and elements that `display` or `visibility` hide, by attribute, style or style
/// sheet. Text and images are left out, and so are other effects of style sheets; a file in which
/// these move or shape drawn elements is refused.
///
/// DXF: LINE, ARC, CIRCLE, ELLIPSE, LWPOLYLINE and POLYLINE with bulges, SPLINE (of degree 3 or
/// less, with positive weights, or through points), SOLID, POINT, and blocks placed by INSERT are
/// read, as seen from above; the file must end with EOF. Entities in paper space, marked as
/// invisible, or on frozen or off layers are left out, also if that is so for an INSERT of them.
/// Text, dimensions, hatches, construction lines and viewports are left out.
///
/// A remark counts what is hidden or dropped and names its layers. See docs/drawings.md.
///
/// Lines, arcs, splines and open polylines in one layer of a DXF file are joined to one chain where
/// exactly two ends meet; a chain that returns to its start is closed. No point moves: if ends do
/// not coincide, an edge connects them. Where three or more ends meet, nothing is joined, so a line
/// or arc that is repeated in a layer is kept only once. In SVG a subpath that returns to its start
/// is closed.
///
/// A closed chain that follows another one all along, within their chord error, is marked as drawn
/// again (see plane::Chain). Otherwise a circle and two arcs drawn over it would enclose nothing by
/// the even-odd rule.
///
/// Throws LoadError, naming file and line (of a binary file the byte), also for unsupported content
/// that would change the outline: lengths relative to a font, clipped elements, circles and arcs
/// that are not parallel to the plane, entities that are not listed above; for curves beyond 1e90;
/// and for layers that the file has not. Throws InvalidInput for options that are not finite or
/// have the wrong sign. Memory is limited in proportion to the file, as for load_soup.
///
///     const plane::Outline outline = load_outline("gasket.dxf", {.chord_error = 0.01});
[[nodiscard]] plane::Outline load_outline(const std::filesystem::path& file,
                                          const OutlineOptions& options = {},
                                          OutlineReport* report = nullptr);

/// A part of a drawing.
struct OutlinePart {
  std::string name;  ///< a step of a path, see Assembly; unique in its file
  plane::Outline outline;
  OutlineReport report;  ///< on this part; the remarks are on the file first, then on the part
};

/// Reads a drawing as several outlines, in the order of the file. Each line, curve or point that
/// load_outline reads belongs to one of them.
///
/// Split::layers: layers as in OutlineOptions::layers. In SVG an element belongs to the innermost
/// layer around it, and all elements outside of layers are one part.
///
/// Split::objects:
/// - SVG: the outermost groups that are not layers. A `use` of a group or symbol is such a group,
///   too. A group is named by its label or id, else by its number among these groups. Elements
///   outside of groups are one part for each layer, and one for the file.
/// - DXF: each INSERT that is not in a block, with all copies of its array, named by its block.
///   Entities outside of blocks are one part for each layer.
///
/// Names follow the rules for nodes (see Assembly): parts of one name are called "gear", "gear#2".
/// Elements outside of layers and groups are called "unnamed".
///
/// Ends are joined, and repeated lines and chains are found, within each part only. Where options
/// are relative to the drawing, they are so to the whole drawing. Parts without outlines, and parts
/// all of whose chains are left out, are left out with a remark.
///
/// `report` is on all parts together; its remarks are on the file. Throws as load_outline does, and
/// InvalidInput for Split::shells.
///
///     for (const OutlinePart& part : load_outlines("nest.svg", Split::objects))
///       std::puts(part.name.c_str());
[[nodiscard]] std::vector<OutlinePart> load_outlines(const std::filesystem::path& file, Split split,
                                                     const OutlineOptions& options = {},
                                                     OutlineReport* report = nullptr);

/// Reads an object or layer of a drawing, or the whole: "nest.svg#left" is the object `left`, or
/// the layer if no object is called so. Throws LoadError, listing what there is, for other names.
[[nodiscard]] plane::Outline load_outline(const PartName& part, const OutlineOptions& options = {},
                                          OutlineReport* report = nullptr);

/// Whether files with this extension hold outlines: .svg, .dxf, in upper or lower case.
[[nodiscard]] bool is_outline(const std::filesystem::path& file);

}  // namespace touche
