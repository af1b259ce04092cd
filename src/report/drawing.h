// SPDX-License-Identifier: Apache-2.0
// This draws what pictures of parts have over them, as SVG, and says where they are seen from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/render.h"
#include "report/words.h"

namespace touche::report {

inline constexpr double kPictureText = 15;  // pixels

/// Looks towards `target` across a normal, from the side with the fewest triangles in between; if
/// triangles hide it from everywhere, they are cut away. `extent`: half height of the picture.
Camera close_camera(const std::vector<RenderPart>& parts, const Vec3& target, const Vec3& normal,
                    double extent);

/// Looks down at outlines of the plane, with y upwards.
Camera camera_above(const Vec3& target, double extent);

/// An image with what is drawn over it; `style`: classes of CSS.
std::string picture(const Image& image, const std::string& overlay, const char* style);
/// The parts as they are seen, likewise.
std::string picture(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay, const char* style);

/// A face of a part, marked in a colour.
std::string face_outline(const Camera& camera, const RenderPart& part, Index face,
                         const char* fill);

/// An arrow in the plane of the picture; nothing where the direction points at the viewer.
std::string arrow(const Vec3& from, const Vec3& direction);

std::string dot(const Vec3& at, const char* fill);

/// A line of a mark; a spot where both ends are equal. In pixels.
std::string marked_line(const Vec3& from, const Vec3& to, const char* colour);

/// The gap between two points of the world, as in a drawing: a line and its length.
std::string dimension(const Camera& camera, const Vec3& point_a, const Vec3& point_b,
                      const Lengths& length);

/// A round length, at the lower left; `text`: height in pixels.
std::string scale_bar(const Lengths& length, const Camera& camera, double text);

/// Returns RenderPart::outside for a mesh of this health.
int outside_sign(const Health& health);

double face_size(const PolygonSoup& soup, Index face);

}  // namespace touche::report
