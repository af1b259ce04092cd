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

namespace touche::study {
namespace {

using namespace report;

constexpr int kDirections = 12;
constexpr Rgb kWarm[] = {{222, 160, 84}, {214, 118, 92}, {201, 178, 96}, {196, 130, 150}};
constexpr Rgb kCool[] = {{142, 167, 191}, {150, 182, 168}, {160, 156, 192}, {168, 176, 184}};

Rgb rgb_of(const Study& study, std::size_t part) {
  const std::vector<std::size_t> groups = group_of_part(study);
  std::size_t alike = 0;  // parts before this one that move, or do not
  for (std::size_t p = 0; p < part; ++p) alike += (groups[p] == kFixed) == (groups[part] == kFixed);
  return groups[part] == kFixed ? kCool[alike % std::size(kCool)] : kWarm[alike % std::size(kWarm)];
}

RenderPart placed(const StudyView& view, std::size_t part, double s) {
  const std::size_t group = group_of_part(view.study)[part];
  const Pose pose = group == kFixed ? Pose() : view.study.groups[group].motion.pose(s);
  return {&view.parts[part].soup(), pose, rgb_of(view.study, part), 0};
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

// How many triangles lie between the point and a viewer in the given direction.
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

std::string scale_bar(const Study& study, const Camera& camera) {
  const double bar = round_down(0.25 * camera.width / camera.scale);
  const double x = 16, y = camera.height - 16, width = bar * camera.scale;
  return fmt::format(
      R"(<rect x="{}" y="{}" width="{:.1f}" height="26" rx="3" fill="#fff" fill-opacity=".8"/><path d="M{} {} v6 h{:.1f} v-6" fill="none" stroke="#111" stroke-width="1.6"/><text x="{}" y="{}">{}</text>)",
      x - 6, y - 17, width + 12, x, y - 3, width, x, y - 5, escape(length(study, bar)));
}

std::string picture(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay) {
  return fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" class="picture"><image width="{0}" height="{1}" href="{2}"/>{3}</svg>)",
      camera.width, camera.height, png_data_uri(render(camera, parts)), overlay);
}

int outside_sign(const Health& health) {
  if (!health.closed || !health.oriented || health.volume == 0) return 0;
  return health.volume > 0 ? 1 : -1;
}

// Looks across the normal from where least is in the way.
Camera contact_camera(const std::vector<RenderPart>& parts, const Contact& contact, double extent) {
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

}  // namespace

std::string part_colour(const Study& study, std::size_t part) {
  const Rgb c = rgb_of(study, part);
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

Figure contact_picture(const StudyView& view, const PairStep& pair) {
  if (!pair.contact) return {};
  const Contact& contact = *pair.contact;
  const double s = path_position(view.study, pair.step, pair.time.upper);
  std::vector<RenderPart> shown;
  for (const std::size_t p : {pair.part_a, pair.part_b}) {
    shown.push_back(placed(view, p, s));
    shown.back().outside = outside_sign(view.result.health[p]);
  }
  const double object_size = std::min(view.parts[pair.part_a].bounds().diagonal(),
                                      view.parts[pair.part_b].bounds().diagonal());
  const double faces = std::max(face_size(*shown[0].soup, contact.face_a),
                                face_size(*shown[1].soup, contact.face_b));
  double extent = std::clamp(1.2 * faces, 0.05 * object_size, 0.5 * object_size);
  if (!(extent > 0)) extent = 1;
  const Camera camera = contact_camera(shown, contact, extent);

  const Vec3 at = camera.project(camera.target);
  const Vec3 tip = camera.project(camera.target + extent * contact.normal);
  std::string overlay = outline(camera, shown[0], contact.face_a, "#b3311f") +
                        outline(camera, shown[1], contact.face_b, "#1f5fa8");
  overlay += arrow(at, tip - at);
  overlay += fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="#fff" stroke="#111" stroke-width="2.2"/>)",
      at.x(), at.y());
  overlay += scale_bar(view.study, camera);
  return {picture(camera, shown, overlay), std::isfinite(camera.cut)};
}

std::vector<std::string> overviews(const StudyView& view, const std::vector<double>& positions) {
  Camera camera;
  camera.axes = camera_axes({-0.62, 0.9, -0.55});
  std::vector<std::vector<RenderPart>> scenes;
  Aabb seen;  // in camera axes
  for (const double s : positions) {
    scenes.emplace_back();
    for (std::size_t p = 0; p < view.parts.size(); ++p) {
      scenes.back().push_back(placed(view, p, s));
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
    result.push_back(picture(camera, scene, scale_bar(view.study, camera)));
  return result;
}

}  // namespace touche::study
