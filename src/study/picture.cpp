// SPDX-License-Identifier: Apache-2.0
#include "study/picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "bvh/object_data.h"
#include "math/box_corner.h"
#include "plane/flat_outline.h"
#include "report/drawing.h"
#include "report/svg.h"
#include "report/words.h"
#include "study/describe.h"
#include "study/flat_picture.h"
#include "study/step_bounds.h"

namespace touche::study {
namespace {

using namespace report;

constexpr double kGaps = 6;        // half height of the close-up, in gaps
constexpr double kSmallText = 26;  // pixels; overviews are shown at a reduced size
constexpr Rgb kWarm[] = {{222, 160, 84}, {214, 118, 92}, {201, 178, 96}, {196, 130, 150}};
constexpr Rgb kCool[] = {{142, 167, 191}, {150, 182, 168}, {160, 156, 192}, {168, 176, 184}};

Rgb rgb_of(const Study& study, std::size_t part) {
  const std::vector<std::size_t> groups = group_of_part(study);
  std::size_t alike = 0;  // preceding parts that move, or are fixed, like this one
  for (std::size_t p = 0; p < part; ++p) alike += (groups[p] == kFixed) == (groups[part] == kFixed);
  return groups[part] == kFixed ? kCool[alike % std::size(kCool)] : kWarm[alike % std::size(kWarm)];
}

RenderPart placed(const StudyResult& result, std::size_t part, double s) {
  return {&bvh::soup_to_show(result.parts[part]), pose_of_part(result.study, part, s),
          rgb_of(result.study, part)};
}

std::vector<RenderPart> both_parts(const StudyResult& result, const CloseUp& what) {
  std::vector<RenderPart> shown;
  for (const std::size_t p : {what.part_a, what.part_b}) {
    shown.push_back(placed(result, p, what.s));
    shown.back().outside = outside_sign(result.health[p]);
  }
  return shown;
}

// Draws the parts with these numbers, which correspond to `shown`, rendered or as outlines.
std::string picture_of(const StudyResult& result, const Camera& camera,
                       const std::vector<RenderPart>& shown, const std::vector<std::size_t>& parts,
                       const std::string& overlay, const char* style) {
  if (!of_drawings(result)) return picture(camera, shown, overlay, style);
  std::vector<FlatPart> flat;
  for (const bool front : {false, true})
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (shown[i].shines_through == front)
        flat.push_back({plane::outline_of(result.parts[parts[i]]), shown[i].pose, shown[i].colour});
  return flat_picture(camera, flat, overlay, style);
}

// Half height of the close-up, chosen such that the touching faces and some of their surroundings
// are visible.
double surroundings(const StudyResult& result, const CloseUp& what) {
  const double size = std::min(result.parts[what.part_a].bounds().diagonal(),
                               result.parts[what.part_b].bounds().diagonal());
  const double faces =
      std::max(face_size(bvh::soup_to_show(result.parts[what.part_a]), what.contact.face_a),
               face_size(bvh::soup_to_show(result.parts[what.part_b]), what.contact.face_b));
  const double extent = std::clamp(1.2 * faces, 0.08 * size, 0.5 * size);
  return extent > 0 ? extent : 1;
}

Camera camera_at(const StudyResult& result, const CloseUp& what,
                 const std::vector<RenderPart>& shown, double extent) {
  const Vec3 at = 0.5 * (what.contact.point_a + what.contact.point_b);
  return bvh::flat_of(result.parts[what.part_a]) != nullptr
             ? camera_above(at, extent)
             : close_camera(shown, at, what.contact.normal, extent);
}

// Draws the path of the centre of a part's group.
std::string way(const StudyResult& result, const Camera& camera, std::size_t part) {
  constexpr int kPoints = 240;
  const std::size_t group = group_of_part(result.study)[part];
  if (group == kFixed) return "";
  Aabb box;
  for (const std::size_t p : result.study.groups[group].parts)
    box.include(result.parts[p].bounds());
  std::string points;
  for (int i = 0; i <= kPoints; ++i) {
    const Vec3 at = camera.project(
        result.study.groups[group].motion.pose(static_cast<double>(i) / kPoints) * box.centre());
    points += fmt::format("{:.1f},{:.1f} ", at.x(), at.y());
  }
  return fmt::format(
      R"(<polyline points="{}" fill="none" stroke="#c8372d" stroke-width="2.5" stroke-dasharray="2 6" stroke-linecap="round"/>)",
      points);
}

}  // namespace

std::string part_colour(const Study& study, std::size_t part) {
  const Rgb c = rgb_of(study, part);
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

Figure contact_picture(const StudyResult& result, const CloseUp& what) {
  const std::vector<RenderPart> shown = both_parts(result, what);
  const double extent = surroundings(result, what);
  const Camera camera = camera_at(result, what, shown, extent);
  const Vec3 at = camera.project(camera.target);
  const Vec3 tip = camera.project(camera.target + extent * what.contact.normal);
  std::string overlay = face_outline(camera, shown[0], what.contact.face_a, "#b3311f") +
                        face_outline(camera, shown[1], what.contact.face_b, "#1f5fa8");
  overlay += arrow(at, tip - at) + dot(at, "#fff") +
             scale_bar({result.study.unit, ""}, camera, kPictureText);
  return {picture_of(result, camera, shown, {what.part_a, what.part_b}, overlay, "picture"),
          std::isfinite(camera.cut)};
}

std::array<Figure, 2> gap_pictures(const StudyResult& result, const CloseUp& what) {
  const std::vector<RenderPart> shown = both_parts(result, what);
  const double far = surroundings(result, what);
  std::array<Figure, 2> figures;
  for (const bool close : {false, true}) {
    const double extent = close ? std::clamp(kGaps * what.contact.distance, 1e-9 * far, far) : far;
    const Camera camera = camera_at(result, what, shown, extent);
    figures[close ? 1 : 0] = {
        picture_of(
            result, camera, shown, {what.part_a, what.part_b},
            dimension(camera, what.contact.point_a, what.contact.point_b, {result.study.unit, ""}) +
                scale_bar({result.study.unit, ""}, camera, kPictureText),
            "picture"),
        std::isfinite(camera.cut)};
  }
  return figures;
}

std::vector<std::string> overviews(const StudyResult& result, const std::vector<double>& positions,
                                   std::optional<std::size_t> watched) {
  const std::vector<std::size_t> groups = group_of_part(result.study);
  Camera camera;
  if (!of_drawings(result)) camera.axes = camera_axes({-0.62, 0.9, -0.55});
  std::vector<std::vector<RenderPart>> scenes;
  Aabb seen;  // in camera axes
  for (const double s : positions) {
    scenes.emplace_back();
    for (std::size_t p = 0; p < result.parts.size(); ++p) {
      scenes.back().push_back(placed(result, p, s));
      scenes.back().back().shines_through =
          groups[p] != kFixed && (!watched || groups[p] == groups[*watched]);
      const Aabb& box = result.parts[p].bounds();
      for (int i = 0; i < 8; ++i)
        seen.include(camera.axes * (scenes.back().back().pose * math::corner_of(box, i)));
    }
  }
  const Vec3 size = (seen.hi - seen.lo).cwiseMax(1e-300);
  camera.width = 520;
  camera.height = std::clamp(static_cast<int>(camera.width * size.y() / size.x()), 240, 620);
  camera.target = camera.axes.transpose() * seen.centre();
  camera.scale = 0.94 * std::min(camera.width / size.x(), camera.height / size.y());
  std::vector<std::string> pictures;
  pictures.reserve(scenes.size());
  std::vector<std::size_t> all(result.parts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::vector<RenderPart>& scene : scenes)
    pictures.push_back(picture_of(result, camera, scene, all,
                                  (watched ? way(result, camera, *watched) : std::string()) +
                                      scale_bar({result.study.unit, ""}, camera, kSmallText),
                                  "picture small"));
  return pictures;
}

}  // namespace touche::study
