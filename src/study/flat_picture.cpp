// SPDX-License-Identifier: Apache-2.0
#include "study/flat_picture.h"

#include <fmt/core.h>

#include <utility>

namespace touche::study {
namespace {

using plane::Outline;
using plane::Vec2;
using report::Camera;

constexpr double kMargin = 20;  // pixels beyond the picture, so that the edges of the clipping are
                                // not visible
constexpr double kNear = 1.0 / 3;

/// Clips a polygon to sign · p[axis] <= limit (Sutherland and Hodgman 1974). By the even-odd rule,
/// the enclosed area on that side is unchanged.
std::vector<Vec2> cut(const std::vector<Vec2>& polygon, int axis, double sign, double limit) {
  std::vector<Vec2> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &p = polygon[i], &q = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const double of_p = sign * p[axis] - limit, of_q = sign * q[axis] - limit;
    if (of_p <= 0) kept.push_back(p);
    if ((of_p <= 0) == (of_q <= 0)) continue;
    Vec2 between = p + of_p / (of_p - of_q) * (q - p);
    between[axis] = sign * limit;
    kept.push_back(between);
  }
  return kept;
}

class FlatPicture {
 public:
  FlatPicture(const Camera& camera, const FlatPart& part) : camera_(camera), part_(part) {
    const Outline& outline = *part.outline;
    for (Index c = 0; c < outline.chain_count(); ++c) {
      std::vector<Vec2> points;
      for (Index v = outline.first_vertex(c); v < outline.first_vertex(c + 1); ++v) {
        const Vec2& p = outline.vertex(v);
        points.emplace_back(camera.project(part.pose * Vec3(p.x(), p.y(), 0)).head<2>());
      }
      if (outline.closed(c) && !outline.again(c))
        add_closed(std::move(points));
      else
        add_open(points, outline.closed(c));
    }
  }

  std::string svg() const {
    const auto& [r, g, b] = part_.colour;
    const std::string fill = fmt::format("#{:02x}{:02x}{:02x}", r, g, b),
                      line = fmt::format("#{:02x}{:02x}{:02x}", r / 2, g / 2, b / 2);
    std::string out;
    if (!closed_.empty())
      out += fmt::format(
          R"(<path d="{}" fill="{}" fill-opacity=".6" fill-rule="evenodd" stroke="{}" stroke-width="1.5" stroke-linejoin="round"/>)",
          closed_, fill, line);
    if (!open_.empty())
      out += fmt::format(
          R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.5" stroke-linejoin="round"/>)",
          open_, line);
    return out;
  }

 private:
  void add_closed(std::vector<Vec2> points) {
    points = cut(points, 0, 1, camera_.width + kMargin);
    points = cut(points, 0, -1, kMargin);
    points = cut(points, 1, 1, camera_.height + kMargin);
    points = cut(points, 1, -1, kMargin);
    add(points, closed_);
    if (!points.empty()) closed_ += "Z";
  }

  /// Adds the visible pieces of an open chain.
  void add_open(const std::vector<Vec2>& points, bool closed) {
    std::vector<Vec2> piece;
    const std::size_t edges = closed || points.size() == 1 ? points.size() : points.size() - 1;
    for (std::size_t i = 0; i < edges; ++i) {
      const Vec2 &p = points[i], &q = points[i + 1 < points.size() ? i + 1 : 0];
      const Vec2 lo = p.cwiseMin(q), hi = p.cwiseMax(q);
      const bool seen = hi.x() >= -kMargin && lo.x() <= camera_.width + kMargin &&
                        hi.y() >= -kMargin && lo.y() <= camera_.height + kMargin;
      if (seen && piece.empty()) piece.push_back(p);
      if (seen) piece.push_back(q);
      if (seen && i + 1 < edges) continue;
      add(piece, open_);
      piece.clear();
    }
  }

  static void add(const std::vector<Vec2>& points, std::string& path) {
    Vec2 last = Vec2::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool end = i == 0 || i + 1 == points.size();
      if (!end && (points[i] - last).norm() < kNear) continue;
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", points[i].x(), points[i].y());
      last = points[i];
    }
  }

  const Camera& camera_;
  const FlatPart& part_;
  std::string closed_, open_;  // path data
};

}  // namespace

std::string flat_picture(const Camera& camera, const std::vector<FlatPart>& parts,
                         const std::string& overlay, const char* style) {
  std::string out = fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" class="{2}"><rect width="{0}" height="{1}" fill="#fff"/>)",
      camera.width, camera.height, style);
  for (const FlatPart& part : parts) out += FlatPicture(camera, part).svg();
  return out + overlay + "</svg>";
}

}  // namespace touche::study
