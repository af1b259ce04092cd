// SPDX-License-Identifier: Apache-2.0
// Compares all bounding volumes in space on a few meshes, and all volumes of the plane on a few
// outlines: tightness, rate of false alarms and cost of a test. Link target touche::evaluation.
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
  /// Its volume (in the plane its area), relative to that of the convex hull; at least 1, except
  /// for a shell, which need not be convex; 0 for a flat hull.
  double size_ratio = 0;
  double border_ratio = 0;  ///< its surface (in the plane its perimeter), relative likewise
  /// Rate of false alarms: the fraction of random poses with disjoint convex hulls at which its
  /// test reports an overlap.
  double false_alarms = 0;
  double fit_seconds = 0;  ///< time of fitting it to all vertices
  std::string picture;     ///< "data:image/png;base64,..." or, in the plane, SVG
};

/// One kind of volume around all meshes or outlines.
struct ZooVolume {
  std::string name;          ///< as on the command line
  double nanoseconds = 0;    ///< mean time of a test of two; half of the pairs overlap
  std::vector<ZooFit> fits;  ///< in the order of the meshes or outlines
};

struct [[nodiscard]] Zoo {
  std::vector<std::string> meshes;  ///< their titles
  std::vector<ZooVolume> volumes;   ///< in the order of volume_names()
  std::vector<std::string> outlines;
  std::vector<ZooVolume> plane;
  double seconds = 0;     ///< time of the whole comparison
  bool complete = false;  ///< false when it was stopped; then volumes are missing
};

struct ZooOptions {
  int places = 400;         ///< number of poses at which hulls are apart, for false alarms
  int picture_width = 360;  ///< pixels; they are four fifths as high
  std::uint64_t seed = 1;   ///< of the random poses
  Budget budget = {};       ///< progress: volumes; work is not counted
};

/// Compares all volumes; `costs` come from measure_costs. Throws InvalidInput for a mesh without
/// faces, an outline without corners, and options out of range.
Zoo make_zoo(const std::vector<ZooMesh>& meshes, const std::vector<ZooOutline>& outlines,
             const CostMatrix& costs, const ZooOptions& options = {});

/// A self-contained HTML page: a plot of tightness against cost, then each volume around each mesh
/// or outline.
[[nodiscard]] std::string zoo_html(const Zoo& zoo, const std::string& remark = {});

}  // namespace touche
