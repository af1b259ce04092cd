// SPDX-License-Identifier: Apache-2.0
#include "study/picture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "report/render.h"
#include "report/svg.h"
#include "study/describe.h"
#include "study/step_bounds.h"
#include "study/words.h"

namespace touche::study {
namespace {

using namespace report;

constexpr int kDirections = 12;
constexpr double kGaps = 6;                    // gaps from the close-up's middle to its edge
constexpr double kText = 15, kSmallText = 26;  // pixels; pictures of an overview are shown small
constexpr Rgb kWarm[] = {{222, 160, 84}, {214, 118, 92}, {201, 178, 96}, {196, 130, 150}};
constexpr Rgb kCool[] = {{142, 167, 191}, {150, 182, 168}, {160, 156, 192}, {168, 176, 184}};

Rgb rgb_of(const Study& study, std::size_t part) {
  const std::vector<std::size_t> groups = group_of_part(study);
  std::size_t alike = 0;  // parts before this one that move, or stand still, as it does
  for (std::size_t p = 0; p < part; ++p) alike += (groups[p] == kFixed) == (groups[part] == kFixed);
  return groups[part] == kFixed ? kCool[alike % std::size(kCool)] : kWarm[alike % std::size(kWarm)];
}

RenderPart placed(const StudyView& view, std::size_t part, double s) {
  return {&view.parts[part].soup(), pose_of_part(view.study, part, s), rgb_of(view.study, part)};
}

bool crosses(const Vec3& from, const Vec3& direction, const std::array<Vec3, 3>& t) {
  // Möller and Trumbore 1997. Beside an edge either answer will do.
  const Vec3 e1 = t[1] - t[0], e2 = t[2] - t[0], h = direction.cross(e2);
  const double det = e1.dot(h);
  if (det == 0) return false;
  const Vec3 to = from - t[0], q = to.cross(e1);
  const double u = to.dot(h) / det, v = direction.dot(q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && e2.dot(q) / det > 0;
}

// Counts the triangles between the point and a viewer in the given direction.
std::size_t hidden_by(const std::vector<RenderPart>& parts, const Vec3& point,
                      const Vec3& to_viewer) {
  std::size_t count = 0;
  for (const RenderPart& part : parts) {
    const Pose to_part = part.pose.inverse();
    const Vec3 from = to_part * point, direction = to_part.rotate(to_viewer);
    for (const auto& t : part.soup->triangles())
      count += crosses(from, direction,
                       {part.soup->vertex(t[0]), part.soup->vertex(t[1]), part.soup->vertex(t[2])});
  }
  return count;
}

Vec3 any_across(const Vec3& n) {
  Vec3 smallest = Vec3::Zero();
  Eigen::Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  smallest[axis] = 1;
  return n.cross(smallest).normalized();
}

double face_size(const PolygonSoup& soup, Index face) {
  Aabb box;
  for (const Index v : soup.face(face)) box.include(soup.vertex(v));
  return box.diagonal();
}

std::string outline(const Camera& camera, const RenderPart& part, Index face, const char* fill) {
  std::string points;
  for (const Index v : part.soup->face(face)) {
    const Vec3 p = camera.project(part.pose * part.soup->vertex(v));
    points += fmt::format("{:.1f},{:.1f} ", p.x(), p.y());
  }
  return fmt::format(
      R"(<polygon points="{}" fill="{}" fill-opacity=".45" stroke="{}" stroke-width="2" stroke-linejoin="round"/>)",
      points, fill, fill);
}

std::string arrow(const Vec3& from, const Vec3& direction) {
  Eigen::Vector2d d = direction.head<2>();
  if (d.norm() < 1e-9) return "";
  d.normalize();
  const Eigen::Vector2d side(-d.y(), d.x()), tip = from.head<2>() + 74 * d, neck = tip - 13 * d;
  const Eigen::Vector2d l = neck + 5 * side, r = neck - 5 * side;
  return fmt::format(
      R"(<path d="M{:.1f} {:.1f} L{:.1f} {:.1f}" stroke="#111" stroke-width="2.4"/><path d="M{:.1f} {:.1f} L{:.1f} {:.1f} L{:.1f} {:.1f} z" fill="#111"/>)",
      from.x(), from.y(), neck.x(), neck.y(), tip.x(), tip.y(), l.x(), l.y(), r.x(), r.y());
}

std::string scale_bar(const Study& study, const Camera& camera, double text) {
  const double bar = round_down(0.25 * camera.width / camera.scale);
  const double x = 16, y = camera.height - 16, width = bar * camera.scale;
  return fmt::format(
      R"(<rect x="{}" y="{}" width="{:.1f}" height="{}" rx="3" fill="#fff" fill-opacity=".8"/><path d="M{} {} v6 h{:.1f} v-6" fill="none" stroke="#111" stroke-width="1.6"/><text x="{}" y="{}">{}</text>)",
      x - 6, y - text - 6, std::max(width, 4 * text) + 12, text + 15, x, y - 3, width, x, y - 6,
      escape(length_text(bar, study.unit)));
}

std::string picture(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay, const char* style) {
  return fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" class="{4}"><image width="{0}" height="{1}" href="{2}"/>{3}</svg>)",
      camera.width, camera.height, png_data_uri(render(camera, parts)), overlay, style);
}

int outside_sign(const Health& health) {
  if (!health.closed || !health.oriented || health.volume == 0) return 0;
  return health.volume > 0 ? 1 : -1;
}

// Looks across the contact's normal from where the fewest triangles are in the way.
Camera close_camera(const std::vector<RenderPart>& parts, const Contact& contact, double extent) {
  Camera camera;
  camera.target = 0.5 * (contact.point_a + contact.point_b);
  camera.scale = 0.5 * camera.height / extent;
  const Vec3 u = any_across(contact.normal), v = contact.normal.cross(u);
  std::size_t least = static_cast<std::size_t>(-1);
  for (int i = 0; i < kDirections; ++i) {
    const double angle = 2 * std::numbers::pi * i / kDirections;
    const Vec3 look = std::cos(angle) * u + std::sin(angle) * v;
    const std::size_t hidden = hidden_by(parts, camera.target - 1e-6 * extent * look, -look);
    if (hidden >= least) continue;
    least = hidden;
    camera.axes = camera_axes(look);
  }
  if (least > 0) camera.cut = 1e-6 * extent;
  return camera;
}

std::vector<RenderPart> both_parts(const StudyView& view, const CloseUp& what) {
  std::vector<RenderPart> shown;
  for (const std::size_t p : {what.part_a, what.part_b}) {
    shown.push_back(placed(view, p, what.s));
    shown.back().outside = outside_sign(view.result.health[p]);
  }
  return shown;
}

// The length from the middle of the picture to its upper edge: such that the touching faces and
// some of their surroundings are seen.
double surroundings(const StudyView& view, const CloseUp& what) {
  const double size = std::min(view.parts[what.part_a].bounds().diagonal(),
                               view.parts[what.part_b].bounds().diagonal());
  const double faces = std::max(face_size(view.parts[what.part_a].soup(), what.contact.face_a),
                                face_size(view.parts[what.part_b].soup(), what.contact.face_b));
  const double extent = std::clamp(1.2 * faces, 0.08 * size, 0.5 * size);
  return extent > 0 ? extent : 1;
}

std::string dot(const Vec3& at, const char* fill) {
  return fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="{}" stroke="#111" stroke-width="2.2"/>)",
      at.x(), at.y(), fill);
}

// The gap between two points, as in a drawing: a line and its length.
std::string dimension(const StudyView& view, const Camera& camera, const Contact& contact) {
  const Vec3 a = camera.project(contact.point_a), b = camera.project(contact.point_b);
  const double width = camera.width;
  return fmt::format(
             R"(<path d="M{:.1f} {:.1f} L{:.1f} {:.1f}" stroke="#111" stroke-width="2.4"/>)", a.x(),
             a.y(), b.x(), b.y()) +
         dot(a, "#fff") + dot(b, "#fff") +
         fmt::format(
             R"(<rect x="{}" y="8" width="136" height="26" rx="3" fill="#fff" fill-opacity=".85"/><text x="{}" y="27" text-anchor="end">{}</text>)",
             width - 144, width - 16, escape(length_text(contact.distance, view.study.unit)));
}

// Draws where the middle of a part's group goes over the whole path.
std::string way(const StudyView& view, const Camera& camera, std::size_t part) {
  constexpr int kPoints = 240;
  const std::size_t group = group_of_part(view.study)[part];
  if (group == kFixed) return "";
  Aabb box;
  for (const std::size_t p : view.study.groups[group].parts) box.include(view.parts[p].bounds());
  std::string points;
  for (int i = 0; i <= kPoints; ++i) {
    const Vec3 at = camera.project(
        view.study.groups[group].motion.pose(static_cast<double>(i) / kPoints) * box.centre());
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

Figure contact_picture(const StudyView& view, const CloseUp& what) {
  const std::vector<RenderPart> shown = both_parts(view, what);
  const double extent = surroundings(view, what);
  const Camera camera = close_camera(shown, what.contact, extent);
  const Vec3 at = camera.project(camera.target);
  const Vec3 tip = camera.project(camera.target + extent * what.contact.normal);
  std::string overlay = outline(camera, shown[0], what.contact.face_a, "#b3311f") +
                        outline(camera, shown[1], what.contact.face_b, "#1f5fa8");
  overlay += arrow(at, tip - at) + dot(at, "#fff") + scale_bar(view.study, camera, kText);
  return {picture(camera, shown, overlay, "picture"), std::isfinite(camera.cut)};
}

std::array<Figure, 2> gap_pictures(const StudyView& view, const CloseUp& what) {
  const std::vector<RenderPart> shown = both_parts(view, what);
  const double far = surroundings(view, what);
  std::array<Figure, 2> figures;
  for (const bool close : {false, true}) {
    const double extent = close ? std::clamp(kGaps * what.contact.distance, 1e-9 * far, far) : far;
    const Camera camera = close_camera(shown, what.contact, extent);
    figures[close ? 1 : 0] = {
        picture(camera, shown,
                dimension(view, camera, what.contact) + scale_bar(view.study, camera, kText),
                "picture"),
        std::isfinite(camera.cut)};
  }
  return figures;
}

std::vector<std::string> overviews(const StudyView& view, const std::vector<double>& positions,
                                   std::optional<std::size_t> watched) {
  const std::vector<std::size_t> groups = group_of_part(view.study);
  Camera camera;
  camera.axes = camera_axes({-0.62, 0.9, -0.55});
  std::vector<std::vector<RenderPart>> scenes;
  Aabb seen;  // in camera axes
  for (const double s : positions) {
    scenes.emplace_back();
    for (std::size_t p = 0; p < view.parts.size(); ++p) {
      scenes.back().push_back(placed(view, p, s));
      scenes.back().back().shines_through =
          groups[p] != kFixed && (!watched || groups[p] == groups[*watched]);
      const Aabb& box = view.parts[p].bounds();
      for (int corner = 0; corner < 8; ++corner)
        seen.include(camera.axes * (scenes.back().back().pose *
                                    Vec3((corner & 1) != 0 ? box.hi.x() : box.lo.x(),
                                         (corner & 2) != 0 ? box.hi.y() : box.lo.y(),
                                         (corner & 4) != 0 ? box.hi.z() : box.lo.z())));
    }
  }
  const Vec3 size = (seen.hi - seen.lo).cwiseMax(1e-300);
  camera.width = 520;
  camera.height = std::clamp(static_cast<int>(camera.width * size.y() / size.x()), 240, 620);
  camera.target = camera.axes.transpose() * seen.centre();
  camera.scale = 0.94 * std::min(camera.width / size.x(), camera.height / size.y());
  std::vector<std::string> result;
  result.reserve(scenes.size());
  for (const std::vector<RenderPart>& scene : scenes)
    result.push_back(picture(camera, scene,
                             (watched ? way(view, camera, *watched) : std::string()) +
                                 scale_bar(view.study, camera, kSmallText),
                             "picture small"));
  return result;
}

}  // namespace touche::study
