// SPDX-License-Identifier: Apache-2.0
// A depth buffer, twice as fine as the picture so that edges are smooth. If a cut opens a closed
// part, its interior would be visible; such pixels are hatched instead, as in a section drawing.
// Parts that show through are drawn a second time, separately, and mixed with the pixels that hide
// them.
#include "report/render.h"

#include <algorithm>
#include <cmath>

namespace touche::report {
namespace {

constexpr int kFine = 2;
constexpr std::uint32_t kBackground = 0xffffffff;
constexpr double kBackgroundShade = 255;
constexpr double kHiddenShare = 0.6;  // of the light of what shines through

// A triangle that was drawn somewhere.
struct Surface {
  Vec3 normal;  // camera axes, towards the viewer
  std::uint32_t part;
  bool inside;  // of a closed part
};

// The nearest surface of each pixel.
struct Layer {
  explicit Layer(std::size_t pixels) : depth(pixels, -INFINITY), surface(pixels, kBackground) {}
  std::vector<float> depth;
  std::vector<std::uint32_t> surface;
};

class Canvas {
 public:
  explicit Canvas(const Camera& camera)
      : camera_(camera),
        width_(camera.width * kFine),
        height_(camera.height * kFine),
        front_(static_cast<std::size_t>(width_ * height_)),
        behind_(static_cast<std::size_t>(width_ * height_)) {
    camera_.width = width_;
    camera_.height = height_;
    camera_.scale *= kFine;
  }

  void draw(const RenderPart& part, std::uint32_t number) {
    std::vector<Vec3> projected;
    projected.reserve(part.soup->vertex_count());
    for (const Vec3& v : part.soup->vertices()) projected.push_back(camera_.project(part.pose * v));
    for (const auto& t : part.soup->triangles())
      for (Layer* layer : {&front_, &behind_})
        if (layer == &front_ || part.shines_through)
          triangle(*layer, projected[t[0]], projected[t[1]], projected[t[2]], number, part.outside);
  }

  Image resolve(const std::vector<RenderPart>& parts) const {
    Image image{width_ / kFine, height_ / kFine, {}};
    image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        Vec3 sum = Vec3::Zero();
        for (int dy = 0; dy < kFine; ++dy)
          for (int dx = 0; dx < kFine; ++dx) sum += mixed(x * kFine + dx, y * kFine + dy, parts);
        for (int c = 0; c < 3; ++c)
          image.at(x, y)[static_cast<std::size_t>(c)] =
              static_cast<std::uint8_t>(std::lround(sum[c] / (kFine * kFine)));
      }
    return image;
  }

 private:
  std::size_t pixel(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

  void triangle(Layer& layer, const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t part,
                int outside) {
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (area == 0 || !std::isfinite(area)) return;
    const Vec3 lo = a.cwiseMin(b).cwiseMin(c), hi = a.cwiseMax(b).cwiseMax(c);
    if (!(hi.x() >= 0 && hi.y() >= 0 && lo.x() < width_ && lo.y() < height_)) return;
    const int x0 = static_cast<int>(std::max(0.0, std::ceil(lo.x() - 0.5)));
    const int y0 = static_cast<int>(std::max(0.0, std::ceil(lo.y() - 0.5)));
    const int x1 = static_cast<int>(std::min(width_ - 1.0, std::floor(hi.x() - 0.5)));
    const int y1 = static_cast<int>(std::min(height_ - 1.0, std::floor(hi.y() - 0.5)));
    if (x0 > x1 || y0 > y1) return;

    const auto number = static_cast<std::uint32_t>(surfaces_.size());
    bool drawn = false;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((px - a.x()) * (c.y() - a.y()) - (py - a.y()) * (c.x() - a.x())) / area;
        const double v = ((b.x() - a.x()) * (py - a.y()) - (b.y() - a.y()) * (px - a.x())) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const double z = a.z() + u * (b.z() - a.z()) + v * (c.z() - a.z());
        float& depth = layer.depth[pixel(x, y)];
        if (z > camera_.cut || static_cast<float>(z) <= depth) continue;
        depth = static_cast<float>(z);
        layer.surface[pixel(x, y)] = number;
        drawn = true;
      }
    if (drawn) surfaces_.push_back(surface_of(a, b, c, area, part, outside));
  }

  Surface surface_of(const Vec3& a, const Vec3& b, const Vec3& c, double area, std::uint32_t part,
                     int outside) const {
    // Rows run downwards, so a triangle that faces the viewer has negative area.
    const Vec3 to_units(1 / camera_.scale, -1 / camera_.scale, 1);
    Vec3 normal = (b - a).cwiseProduct(to_units).cross((c - a).cwiseProduct(to_units));
    normal.normalize();
    if (normal.z() < 0) normal = -normal;
    return {normal, part, outside * (area < 0 ? 1 : -1) < 0};
  }

  Vec3 mixed(int x, int y, const std::vector<RenderPart>& parts) const {
    const std::uint32_t hidden = behind_.surface[pixel(x, y)];
    Vec3 seen = shade(front_, x, y, parts);
    if (hidden == kBackground || parts[surfaces_[front_.surface[pixel(x, y)]].part].shines_through)
      return seen;
    return kHiddenShare * shade(behind_, x, y, parts) + (1 - kHiddenShare) * seen;
  }

  Vec3 shade(const Layer& layer, int x, int y, const std::vector<RenderPart>& parts) const {
    const std::uint32_t number = layer.surface[pixel(x, y)];
    if (number == kBackground) return Vec3::Constant(kBackgroundShade);
    const Surface& s = surfaces_[number];
    const Rgb& rgb = parts[s.part].colour;
    const Vec3 colour(rgb[0], rgb[1], rgb[2]);
    if (is_outline(layer, x, y)) return 0.35 * colour;
    if (s.inside && std::isfinite(camera_.cut)) {
      const int stripe = (s.part % 2 == 0 ? x + y : x - y + height_) % (14 * kFine);
      return stripe < kFine ? Vec3(0.55 * colour) : Vec3(0.4 * colour + Vec3::Constant(140));
    }
    static const Vec3 light = Vec3(-0.35, 0.5, 0.8).normalized();
    // Half of the light comes from the viewer, so that nothing in sight is dark.
    const double bright = 0.42 + 0.3 * std::max(0.0, s.normal.dot(light)) + 0.28 * s.normal.z();
    return (bright * colour + Vec3::Constant(14)).cwiseMin(255);
  }

  // Where the part or the direction of the surface changes, or the depth jumps.
  bool is_outline(const Layer& layer, int x, int y) const {
    const auto differs = [&](int nx, int ny) {
      if (nx >= width_ || ny >= height_) return false;
      const std::uint32_t here = layer.surface[pixel(x, y)], there = layer.surface[pixel(nx, ny)];
      if (here == there) return false;
      if (here == kBackground || there == kBackground) return true;
      const Surface &a = surfaces_[here], &b = surfaces_[there];
      if (a.part != b.part || a.inside != b.inside) return true;
      if (a.inside && std::isfinite(camera_.cut)) return false;
      const double jump =
          std::abs(layer.depth[pixel(x, y)] - layer.depth[pixel(nx, ny)]) * camera_.scale;
      return a.normal.dot(b.normal) < 0.8 || jump > 12 * kFine;
    };
    return differs(x + 1, y) || differs(x, y + 1);
  }

  Camera camera_;
  int width_, height_;
  Layer front_, behind_;
  std::vector<Surface> surfaces_;
};

}  // namespace

Vec3 Camera::project(const Vec3& p) const {
  const Vec3 v = axes * (p - target);
  return {0.5 * width + scale * v.x(), 0.5 * height - scale * v.y(), v.z()};
}

Mat3 camera_axes(const Vec3& direction) {
  const Vec3 back = -direction.normalized();
  const Vec3 hint = std::abs(back.z()) < 0.95 ? Vec3::UnitZ() : Vec3::UnitY();
  const Vec3 right = hint.cross(back).normalized();
  Mat3 axes;
  axes.row(0) = right.transpose();
  axes.row(1) = back.cross(right).transpose();
  axes.row(2) = back.transpose();
  return axes;
}

Image render(const Camera& camera, const std::vector<RenderPart>& parts) {
  Canvas canvas(camera);
  for (std::size_t p = 0; p < parts.size(); ++p)
    canvas.draw(parts[p], static_cast<std::uint32_t>(p));
  return canvas.resolve(parts);
}

}  // namespace touche::report
