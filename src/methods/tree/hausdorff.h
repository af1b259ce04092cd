// SPDX-License-Identifier: Apache-2.0
// Brackets the directed Hausdorff distance from the surface of a bounding volume to the faces in
// it: how far at most a point of the surface is from the nearest face (thesis §3.8.2).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/bounds/mixed.h"
#include "methods/tree/faces.h"
#include "query/nearest_point.h"

namespace touche::tree {

/// Methods to bound the distances of all points of a region by that of one point, the sample.
enum class Correction {
  region_radius,  ///< by the farthest point of the region from the sample
  nearest_point,  ///< by the farthest from the point of the faces that is nearest to the sample
  nearest_face,   ///< by the farthest from the face it lies on; not in the thesis
  smallest,       ///< by the smallest of the three
};

/// Reaching either accuracy ends the search; both are limited by rounding.
struct HausdorffOptions {
  double absolute = 0;     ///< of upper − lower
  double relative = 0.01;  ///< of (upper − lower) / upper
  Correction correction = Correction::smallest;
  std::size_t max_samples = 1'000'000;
};

/// lower <= distance <= upper, as real numbers for the volume and faces as stored.
struct HausdorffBracket {
  double lower = 0, upper = kInfinity;
  std::size_t samples = 0;  ///< points whose nearest face was looked for
  bool reached = false;     ///< the accuracy; else max_samples came first
};

/// Best first: the region that may hold the farthest point is divided next. The volume need not
/// contain the faces. Throws InvalidInput for accuracies that are negative or not numbers.
HausdorffBracket hausdorff(const bounds::Sphere& sphere, const NearestPoint& faces,
                           const HausdorffOptions& options = {});
HausdorffBracket hausdorff(const bounds::AabbMinMax& box, const NearestPoint& faces,
                           const HausdorffOptions& options = {});
HausdorffBracket hausdorff(const bounds::Obb& box, const NearestPoint& faces,
                           const HausdorffOptions& options = {});
HausdorffBracket hausdorff(const bounds::Mixed& volume, const NearestPoint& faces,
                           const HausdorffOptions& options = {});

/// For rating volumes: an upper bound, no more than 10 % above the distance, unless that is below a
/// thousandth of the diameter or takes more than 2,000 samples.
template <typename V>
double hausdorff_quality(const V& volume, const Faces& faces, std::span<const Index> set) {
  std::vector<Triangle> corners;
  corners.reserve(set.size());
  for (const Index face : set) corners.push_back(faces.corners(face));
  const HausdorffOptions rough = {
      .absolute = 1e-3 * volume.diameter(), .relative = 0.1, .max_samples = 2000};
  return hausdorff(volume, FaceTree(corners), rough).upper;
}

}  // namespace touche::tree
