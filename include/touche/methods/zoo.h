// SPDX-License-Identifier: Apache-2.0
// Every bounding volume around the same few meshes, and those of the plane around the same few
// outlines: how tight each is, how often it raises a false alarm, what a test costs. Link target
// touche::evaluation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "touche/budget.h"
#include "touche/methods/volume_tree.h"
#include "touche/soup.h"

namespace touche {

struct ZooMesh {
  std::string title;
  PolygonSoup soup;
};

/// The corners of a polygon.
struct ZooOutline {
  std::string title;
  std::vector<std::array<double, 2>> corners;
};

/// One kind of volume around one mesh or outline.
struct ZooFit {
  double size_ratio = 0;  ///< its volume (in the plane its area), as that of the convex hull; at
                          ///< least 1 but for a shell, which need not be convex; 0 for a flat hull
  double border_ratio = 0;  ///< its surface (in the plane its perimeter), likewise
  /// The share, among random places at which the convex hulls are apart, at which its test does not
  /// tell it.
  double false_alarms = 0;
  double fit_seconds = 0;  ///< for all vertices
  std::string picture;     ///< "data:image/png;base64,..." or, in the plane, SVG
};

/// One kind of volume around all of them.
struct ZooVolume {
  std::string name;          ///< as on the command line
  double nanoseconds = 0;    ///< of a test of two, half of which overlap
  std::vector<ZooFit> fits;  ///< in the order of the meshes or outlines
};

struct [[nodiscard]] Zoo {
  std::vector<std::string> meshes;  ///< their titles
  std::vector<ZooVolume> volumes;   ///< in the order of volume_names()
  std::vector<std::string> outlines;
  std::vector<ZooVolume> plane;
  double seconds = 0;     ///< how long all this took
  bool complete = false;  ///< false when it was stopped: then volumes are missing
};

struct ZooOptions {
  int places = 400;         ///< at which hulls are apart, for false alarms
  int picture_width = 360;  ///< pixels; they are four fifths as high
  std::uint64_t seed = 1;   ///< of the places
  Budget budget = {};       ///< progress: volumes; work is not counted
};

/// `costs` as measure_costs tells them. Throws InvalidInput for a mesh without faces, an outline
/// without corners, and options out of range.
Zoo make_zoo(const std::vector<ZooMesh>& meshes, const std::vector<ZooOutline>& outlines,
             const CostMatrix& costs, const ZooOptions& options = {});

/// One self-contained page to be shown: the volumes between tight and cheap, then each around each.
[[nodiscard]] std::string zoo_html(const Zoo& zoo, const std::string& remark = {});

}  // namespace touche
