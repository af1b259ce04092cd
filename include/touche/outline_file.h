// SPDX-License-Identifier: Apache-2.0
// Outlines from SVG and DXF files. Link target touche::io.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "touche/plane.h"

namespace touche {

struct OutlineOptions {
  double scale = 1;  ///< coordinates are multiplied by this; finite, > 0
  /// Length, after scaling: no point of a curve is farther than this from the chords that stand for
  /// it, and no point of a chord from the curve. 0: 1/10,000 of the diagonal of the drawing.
  double chord_error = 0;
  /// Length, after scaling: ends of lines and arcs of one layer of a DXF that are no farther apart
  /// meet, and so do both ends of a subpath of SVG. 0: 1/100,000 of the diagonal.
  double join_gap = 0;
};

/// Tells what became of curves, and of lines and arcs that were drawn apart, or twice.
struct OutlineReport {
  double chord_error = 0;         ///< length; no curve is farther from its chords. 0: no curves
  std::size_t joined = 0;         ///< that are parts of longer chains now, or were closed
  double widest_gap = 0;          ///< length of the longest edge that bridges two ends
  std::size_t repeated = 0;       ///< that were drawn before, and are left out
  std::vector<std::string> open;  ///< the first chains that are left open, with layers and ends
  /// Sentences for a person: open chains, bridged gaps, what is drawn twice. The outline has them,
  /// too.
  std::vector<std::string> remarks;
};

/// Reads SVG and DXF (text); the format is told by the file's ending. A chain for each subpath,
/// line, arc, circle or polyline, with the name of its element or layer. x is right and y is up.
///
/// Where the file says its unit (SVG: width or height in mm, cm, in, pt or pc; DXF: $INSUNITS), the
/// result is in millimetres, times `scale`; else coordinates are those of the file.
///
/// SVG: path, line, polyline, polygon, rect, circle, ellipse, in groups, symbols and nested
/// drawings, placed by `use`, with all transforms. y is turned upwards: the outline's y is the
/// file's −y. Not drawn, and left out: what is in defs, clips, masks, patterns and markers, what
/// has display="none". Text and images are left out, and so is what style sheets do; where they
/// move or shape what is drawn, the file is refused. DXF: LINE, ARC, CIRCLE, ELLIPSE, LWPOLYLINE
/// and POLYLINE with bulges, SPLINE (of degree 3 or less, with weights above 0), SOLID, POINT, and
/// blocks placed by INSERT; the file ends with EOF. Text, dimensions, hatches, construction lines
/// and viewports are left out.
///
/// Lines, arcs, splines and open polylines of one layer of a DXF become one chain where exactly two
/// ends meet; what comes back to its start is closed. No point moves: where ends do not coincide,
/// an edge leads from one to the other. Where three or more ends meet, nothing is joined; so a line
/// or an arc that is drawn twice in one layer counts once. In SVG a subpath that comes back to its
/// start is closed.
///
/// A closed chain that follows another one all along, within their chord error, is marked as
/// drawn again (see plane::Chain): else a circle beside the two arcs of it would enclose nothing.
///
/// Throws LoadError naming file and line, also for what would change the outline and is not read:
/// lengths relative to a font, clipped elements, entities that leave the plane or are none of
/// these. Throws InvalidInput for options that are not finite or have the wrong sign. Nothing takes
/// memory out of proportion to the file, as for load_soup.
[[nodiscard]] plane::Outline load_outline(const std::filesystem::path& file,
                                          const OutlineOptions& options = {},
                                          OutlineReport* report = nullptr);

/// Whether files of this ending hold outlines: .svg, .dxf (case does not matter).
[[nodiscard]] bool is_outline(const std::filesystem::path& file);

}  // namespace touche
