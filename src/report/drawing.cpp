// SPDX-License-Identifier: Apache-2.0
#include "report/drawing.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/svg.h"
#include "report/words.h"

namespace touche::report {
namespace {

constexpr int kDirections = 12;

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

}  // namespace

double face_size(const PolygonSoup& soup, Index face) {
  Aabb box;
  for (const Index v : soup.face(face)) box.include(soup.vertex(v));
  return box.diagonal();
}

std::string face_outline(const Camera& camera, const RenderPart& part, Index face,
                         const char* fill) {
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

std::string scale_bar(const Lengths& length, const Camera& camera, double text) {
  const double bar = round_down(0.25 * length.factor() * camera.width / camera.scale);
  const double x = 16, y = camera.height - 16, width = bar / length.factor() * camera.scale;
  return fmt::format(
      R"(<rect x="{}" y="{}" width="{:.1f}" height="{}" rx="3" fill="#fff" fill-opacity=".8"/><path d="M{} {} v6 h{:.1f} v-6" fill="none" stroke="#111" stroke-width="1.6"/><text x="{}" y="{}">{}</text>)",
      x - 6, y - text - 6, std::max(width, 4 * text) + 12, text + 15, x, y - 3, width, x, y - 6,
      escape(length_text(bar, length.unit())));
}

std::string picture(const Image& image, const std::string& overlay, const char* style) {
  return fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" class="{4}"><image width="{0}" height="{1}" href="{2}"/>{3}</svg>)",
      image.width, image.height, png_data_uri(image), overlay, style);
}

std::string picture(const Camera& camera, const std::vector<RenderPart>& parts,
                    const std::string& overlay, const char* style) {
  return picture(render(camera, parts), overlay, style);
}

int outside_sign(const Health& health) {
  if (!health.closed || !health.oriented || health.volume == 0) return 0;
  return health.volume > 0 ? 1 : -1;
}

Camera close_camera(const std::vector<RenderPart>& parts, const Vec3& target, const Vec3& normal,
                    double extent) {
  Camera camera;
  camera.target = target;
  camera.scale = 0.5 * camera.height / extent;
  const Vec3 u = any_across(normal), v = normal.cross(u);
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

Camera camera_above(const Vec3& target, double extent) {
  Camera camera;
  camera.target = target;
  camera.scale = 0.5 * camera.height / extent;
  return camera;
}

std::string dot(const Vec3& at, const char* fill) {
  return fmt::format(
      R"(<circle cx="{:.1f}" cy="{:.1f}" r="5" fill="{}" stroke="#111" stroke-width="2.2"/>)",
      at.x(), at.y(), fill);
}

std::string marked_line(const Vec3& from, const Vec3& to, const char* colour) {
  return fmt::format(
      R"(<path d="M{:.1f} {:.1f} L{:.1f} {:.1f}" stroke="{}" stroke-width="5" stroke-linecap="round"/>)",
      from.x(), from.y(), to.x(), to.y(), colour);
}

std::string dimension(const Camera& camera, const Vec3& point_a, const Vec3& point_b,
                      const Lengths& length) {
  const Vec3 a = camera.project(point_a), b = camera.project(point_b);
  const double width = camera.width;
  return fmt::format(
             R"(<path d="M{:.1f} {:.1f} L{:.1f} {:.1f}" stroke="#111" stroke-width="2.4"/>)", a.x(),
             a.y(), b.x(), b.y()) +
         dot(a, "#fff") + dot(b, "#fff") +
         fmt::format(
             R"(<rect x="{}" y="8" width="136" height="26" rx="3" fill="#fff" fill-opacity=".85"/><text x="{}" y="27" text-anchor="end">{}</text>)",
             width - 144, width - 16, escape(length.text((point_b - point_a).norm())));
}

}  // namespace touche::report
