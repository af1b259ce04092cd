// SPDX-License-Identifier: Apache-2.0
// Parts drawn by parallel projection, with hidden surfaces and outlines.
#pragma once

#include <vector>

#include "report/image.h"
#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::report {

/// Looks along −axes.row(2); axes.row(0) points right in the picture, axes.row(1) up.
struct Camera {
  Vec3 target = Vec3::Zero();  // in the middle of the picture
  Mat3 axes = Mat3::Identity();
  double scale = 1;  // pixels per unit of length
  int width = 640, height = 480;
  /// Everything nearer to the viewer than this (measured from the target) is cut away.
  double cut = kInfinity;

  /// Pixel coordinates from the top left, and the height above the target towards the viewer.
  Vec3 project(const Vec3& p) const;
};

/// Axes of a camera that looks along `direction`, with z up if possible.
Mat3 camera_axes(const Vec3& direction);

struct RenderPart {
  const PolygonSoup* soup;
  Pose pose;
  Rgb colour;
  int outside = 0;  // +1 / −1: closed, front faces outwards / inwards; 0: not known
  /// Seen through whatever of the other parts is in front of it.
  bool shines_through = false;
};

Image render(const Camera& camera, const std::vector<RenderPart>& parts);

}  // namespace touche::report
