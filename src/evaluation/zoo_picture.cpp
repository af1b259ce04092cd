// SPDX-License-Identifier: Apache-2.0
// Volume and mesh are drawn separately and mixed: a volume that contains the mesh is always partly
// in front of it, so no depths have to be compared. Edges of the volume that face the viewer are
// drawn over the mesh, edges behind only beside it.
#include "evaluation/zoo_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "math/rounding.h"

namespace touche::evaluation {
namespace {

constexpr report::Rgb kMeshColour = {232, 128, 48}, kGlassColour = {110, 168, 228},
                      kEdgeColour = {38, 84, 138};

/// The skin as faces that can be drawn; nothing where it has none.
PolygonSoup soup_of(const bounds::Skin& skin) {
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  for (const Vec3& p : skin.vertices) coordinates.insert(coordinates.end(), p.begin(), p.end());
  for (const auto& face : skin.faces) {
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  }
  return sizes.empty() ? PolygonSoup() : PolygonSoup(coordinates, corners, sizes);
}

report::Image drawn(const report::Camera& camera, const PolygonSoup& soup, report::Rgb colour) {
  std::vector<report::RenderPart> parts;
  if (soup.face_count() > 0) parts.push_back({.soup = &soup, .pose = {}, .colour = colour});
  return report::render(camera, parts);
}

constexpr report::Rgb kPaper = {255, 255, 255};

double mean_of(const report::Rgb& c) { return (c[0] + c[1] + c[2]) / 3.0; }

void mix(report::Rgb& pixel, const report::Rgb& other, double share) {
  for (std::size_t c = 0; c < 3; ++c)
    pixel[c] = static_cast<std::uint8_t>(std::lround((1 - share) * pixel[c] + share * other[c]));
}

struct Crease {
  Vec3 from, to;
  bool seen;  ///< one of its faces is visible to the viewer
};

/// Edges at which two faces meet at an angle. Faces need not share vertices, but meet at the same
/// positions up to rounding.
std::vector<Crease> creases_of(const bounds::Skin& skin, const Vec3& to_viewer) {
  double size = 0;
  for (const Vec3& p : skin.vertices) size = std::max(size, (p - skin.vertices[0]).norm());
  const auto key = [&](const Vec3& p) {
    const Vec3 q = 1e6 / std::max(size, 1e-300) * (p - skin.vertices[0]);
    return std::array<long, 3>{std::lround(q.x()), std::lround(q.y()), std::lround(q.z())};
  };
  struct Edge {
    Vec3 from, to, normal;
  };
  std::map<std::array<std::array<long, 3>, 2>, Edge> open;
  std::vector<Crease> creases;
  constexpr double kFlat = 0.985;  // cosine of 10 degrees
  for (const auto& face : skin.faces) {
    Vec3 normal = Vec3::Zero();
    const Vec3& origin = skin.vertices[face[0]];
    for (std::size_t i = 2; i < face.size(); ++i)
      normal += (skin.vertices[face[i - 1]] - origin).cross(skin.vertices[face[i]] - origin);
    normal = math::unit_or_zero(normal);
    if (normal.isZero(0)) continue;
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vec3 &p = skin.vertices[face[i]], &q = skin.vertices[face[(i + 1) % face.size()]];
      const auto twin = open.find({key(q), key(p)});
      if (twin == open.end()) {
        open[{key(p), key(q)}] = {p, q, normal};
      } else {
        if (normal.dot(twin->second.normal) < kFlat)
          creases.push_back(
              {p, q, normal.dot(to_viewer) > 0 || twin->second.normal.dot(to_viewer) > 0});
        open.erase(twin);
      }
    }
  }
  return creases;
}

/// A line two pixels wide with soft sides, where `may(x, y)`.
template <typename May>
void draw_line(report::Image& image, const Vec3& from, const Vec3& to, double share,
               const May& may) {
  const bool steep = std::abs(to.y() - from.y()) > std::abs(to.x() - from.x());
  const int along = steep ? 1 : 0, across = 1 - along;
  const Vec3 &a = from[along] <= to[along] ? from : to, &b = from[along] <= to[along] ? to : from;
  const double run = std::max(b[along] - a[along], 1e-9);
  for (int i = static_cast<int>(std::ceil(a[along])); i <= std::floor(b[along]); ++i) {
    const double middle = a[across] + (b[across] - a[across]) * (i - a[along]) / run;
    for (int k = static_cast<int>(std::floor(middle)) - 1; k <= std::floor(middle) + 2; ++k) {
      const int x = steep ? k : i, y = steep ? i : k;
      if (x < 0 || y < 0 || x >= image.width || y >= image.height || !may(x, y)) continue;
      const double covered = std::clamp(1.35 - std::abs(k - middle), 0.0, 1.0);
      mix(image.at(x, y), kEdgeColour, share * covered);
    }
  }
}

}  // namespace

report::Camera zoo_camera(std::span<const bounds::AnyVolume> volumes, int width, int height) {
  report::Camera camera;
  camera.axes = report::camera_axes(Vec3(-0.55, 0.75, -0.5));
  camera.width = width;
  camera.height = height;
  Vec3 lo = Vec3::Constant(kInfinity), hi = -lo;
  for (const bounds::AnyVolume& v : volumes)
    for (const Vec3& p : v.skin().vertices) {
      const Vec3 seen = camera.axes * p;
      lo = lo.cwiseMin(seen);
      hi = hi.cwiseMax(seen);
    }
  camera.target = camera.axes.transpose() * (0.5 * (lo + hi));
  constexpr double kBorder = 8;  // pixels
  const double wide = std::max(hi.x() - lo.x(), 1e-300), high = std::max(hi.y() - lo.y(), 1e-300);
  camera.scale = std::min((width - 2 * kBorder) / wide, (height - 2 * kBorder) / high);
  return camera;
}

std::string zoo_picture(const PolygonSoup& mesh, const bounds::AnyVolume& volume,
                        const report::Camera& camera) {
  const report::Image body = drawn(camera, mesh, kMeshColour);
  const bounds::Skin skin = volume.skin();
  const report::Image glass = drawn(camera, soup_of(skin), kGlassColour);
  const auto bare = [&](int x, int y) { return body.at(x, y) == kPaper; };
  report::Image image = body;
  const Vec3 to_viewer = camera.axes.row(2).transpose();
  const std::vector<Crease> creases =
      skin.vertices.empty() ? std::vector<Crease>() : creases_of(skin, to_viewer);
  for (const Crease& c : creases)
    if (!c.seen) draw_line(image, camera.project(c.from), camera.project(c.to), 0.3, bare);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (glass.at(x, y) == kPaper) continue;
      // Glass lets most through, its border next to nothing.
      const double light = mean_of(glass.at(x, y)) / mean_of(kGlassColour);
      const double border = std::clamp((0.6 - light) / 0.2, 0.0, 1.0);
      const double share = bare(x, y) ? 0.5 : 0.2;
      mix(image.at(x, y), glass.at(x, y), share + (0.9 - share) * border);
    }
  for (const Crease& c : creases)
    if (c.seen)
      draw_line(image, camera.project(c.from), camera.project(c.to), 0.8,
                [](int, int) { return true; });
  return report::png_data_uri(image);
}

}  // namespace touche::evaluation
