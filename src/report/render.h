// SPDX-License-Identifier: Apache-2.0
// Parts drawn by parallel projection, with hidden surfaces and outlines.
#pragma once

#include <array>
#include <memory>
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

/// What is marked over the parts, in world coordinates: lines, and regions as triangles that may
/// overlap. Where a part hides a mark or the cut removes what is around it, the mark is faint.
struct Marks {
  std::vector<std::array<Vec3, 2>> lines = {};
  std::vector<std::array<Vec3, 3>> regions = {};
  Rgb colour = {0, 0, 0};
};

/// Draws pictures. It keeps its memory from one to the next.
class Renderer {
 public:
  Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();
  Image render(const Camera& camera, const std::vector<RenderPart>& parts, const Marks& marks = {});

 private:
  class Canvas;
  std::unique_ptr<Canvas> canvas_;
};

/// The same for one picture.
Image render(const Camera& camera, const std::vector<RenderPart>& parts, const Marks& marks = {});

}  // namespace touche::report
