// SPDX-License-Identifier: Apache-2.0
// A depth buffer, twice as fine as the picture so that edges are smooth. If a cut opens a closed
// part, its interior would be visible; such pixels are hatched instead, as in a section drawing.
// Parts that show through are drawn a second time, separately, and mixed with the pixels that hide
// them. Marks are drawn last, into a layer of their own that says where they are hidden.
#include "report/render.h"

#include <algorithm>
#include <cmath>

namespace touche::report {
namespace {

constexpr int kFine = 2;
constexpr std::uint32_t kBackground = 0xffffffff;
constexpr float kBackgroundShade = 255;
constexpr double kCrack = 1e-7;       // fine pixels by which rounding may open an edge
constexpr float kHiddenShare = 0.6f;  // of the light of what shines through
// Of marks, in fine pixels: half the width of lines, the width of a region's border, and how far
// behind a surface they still count as visible.
constexpr double kHalfLine = 2.4, kBorder = 2, kDepthSlack = 4;

}  // namespace

class Renderer::Canvas {
 public:
  void begin(const Camera& camera, const std::vector<RenderPart>& parts) {
    camera_ = camera;
    width_ = camera_.width = camera.width * kFine;
    height_ = camera_.height = camera.height * kFine;
    camera_.scale *= kFine;
    const auto pixels = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    front_.clear(pixels);
    shines_through_ = std::any_of(parts.begin(), parts.end(),
                                  [](const RenderPart& part) { return part.shines_through; });
    if (shines_through_) behind_.clear(pixels);
    surfaces_.clear();
    colours_.clear();
    for (const RenderPart& part : parts) colours_.push_back(as_colour(part.colour));
    marked_ = false;
  }

  void draw(const RenderPart& part, std::uint32_t number) {
    projected_.clear();
    projected_.reserve(part.soup->vertex_count());
    for (const Vec3& v : part.soup->vertices())
      projected_.push_back(camera_.project(part.pose * v));
    for (const auto& t : part.soup->triangles())
      triangle(part, number, projected_[t[0]], projected_[t[1]], projected_[t[2]]);
  }

  void draw(const Marks& marks) {
    marked_ = !marks.lines.empty() || !marks.regions.empty();
    if (!marked_) return;
    mark_colour_ = as_colour(marks.colour);
    marks_.assign(front_.depth.size(), Mark::none);
    for (const auto& [a, b, c] : marks.regions)
      for_pixels(camera_.project(a), camera_.project(b), camera_.project(c),
                 [&](std::size_t at, double z) { mark(at, z, Mark::region); });
    for (const auto& [a, b] : marks.lines) line(camera_.project(a), camera_.project(b));
  }

  Image resolve() const {
    Image image{width_ / kFine, height_ / kFine, {}};
    image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const Colour mean = is_even(x * kFine, y * kFine) ? even(x * kFine, y * kFine)
                                                          : mean_of(x * kFine, y * kFine);
        for (int c = 0; c < 3; ++c)
          image.at(x, y)[static_cast<std::size_t>(c)] =
              static_cast<std::uint8_t>(std::lround(mean[c]));
      }
    return image;
  }

 private:
  using Colour = Eigen::Vector3f;

  // A triangle that was drawn somewhere.
  struct Surface {
    Vec3 normal;    // camera axes, towards the viewer
    Colour colour;  // as it is lit
    std::uint32_t part;
    bool inside;  // of a closed part
  };

  // The nearest surface of each pixel.
  struct Layer {
    void clear(std::size_t pixels) {
      depth.assign(pixels, -INFINITY);
      surface.assign(pixels, kBackground);
    }
    std::vector<float> depth;
    std::vector<std::uint32_t> surface;
  };

  // What is marked at a pixel; greater ones are drawn over lesser ones.
  enum class Mark : std::uint8_t { none, hidden_region, region, hidden_line, line };

  static float opacity(Mark mark) {
    constexpr float kOpacities[] = {0, 0.3f, 0.6f, 0.5f, 1};
    return kOpacities[static_cast<std::size_t>(mark)];
  }

  static Colour as_colour(const Rgb& rgb) {
    return Eigen::Vector3f(static_cast<float>(rgb[0]), static_cast<float>(rgb[1]),
                           static_cast<float>(rgb[2]));
  }

  std::size_t pixel(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

  /// Calls `visit` for each pixel whose centre a projected triangle covers, with its height.
  template <class Visit>
  void for_pixels(const Vec3& a, const Vec3& b, const Vec3& c, const Visit& visit) const {
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    if (area == 0 || !std::isfinite(area)) return;
    const Vec3 lo = a.cwiseMin(b).cwiseMin(c), hi = a.cwiseMax(b).cwiseMax(c);
    if (!(hi.x() >= 0 && hi.y() >= 0 && lo.x() < width_ && lo.y() < height_)) return;
    const int x0 = static_cast<int>(std::max(0.0, std::ceil(lo.x() - 0.5)));
    const int y0 = static_cast<int>(std::max(0.0, std::ceil(lo.y() - 0.5)));
    const int x1 = static_cast<int>(std::min(width_ - 1.0, std::floor(hi.x() - 0.5)));
    const int y1 = static_cast<int>(std::min(height_ - 1.0, std::floor(hi.y() - 0.5)));
    // Along a row all three coordinates of the triangle are linear in x, counted from a here.
    const double u_x = (c.y() - a.y()) / area, v_x = -(b.y() - a.y()) / area;
    for (int y = y0; y <= y1; ++y) {
      const double py = y + 0.5 - a.y();
      const double u_0 = -py * (c.x() - a.x()) / area, v_0 = py * (b.x() - a.x()) / area;
      double from = x0 + 0.5 - a.x(), to = x1 + 0.5 - a.x();
      const auto keep = [&](double value, double slope) {  // where value + slope · x >= 0
        if (slope > 0) {
          from = std::max(from, -value / slope);
        } else if (slope < 0) {
          to = std::min(to, -value / slope);
        } else if (value < 0) {
          to = -INFINITY;
        }
      };
      keep(u_0, u_x);
      keep(v_0, v_x);
      keep(1 - u_0 - v_0, -u_x - v_x);
      if (!(from <= to + 2 * kCrack)) continue;
      // A pixel between two triangles that share an edge belongs to one of them at least.
      const double first = std::ceil(from + a.x() - 0.5 - kCrack);
      const double last = std::floor(to + a.x() - 0.5 + kCrack);
      for (int x = std::max(x0, static_cast<int>(first)),
               end = std::min(x1, static_cast<int>(last));
           x <= end; ++x) {
        const double run = x + 0.5 - a.x();
        const double u = u_0 + u_x * run, v = v_0 + v_x * run;
        visit(pixel(x, y), a.z() + u * (b.z() - a.z()) + v * (c.z() - a.z()));
      }
    }
  }

  void triangle(const RenderPart& part, std::uint32_t number, const Vec3& a, const Vec3& b,
                const Vec3& c) {
    const auto surface = static_cast<std::uint32_t>(surfaces_.size());
    bool drawn = false;
    for_pixels(a, b, c, [&](std::size_t at, double z) {
      if (z > camera_.cut) return;
      const auto depth = static_cast<float>(z);
      for (Layer* layer : {&front_, &behind_}) {
        if (layer == &behind_ && !part.shines_through) break;
        if (depth <= layer->depth[at]) continue;
        layer->depth[at] = depth;
        layer->surface[at] = surface;
        drawn = true;
      }
    });
    if (drawn) surfaces_.push_back(surface_of(part, number, a, b, c));
  }

  Surface surface_of(const RenderPart& part, std::uint32_t number, const Vec3& a, const Vec3& b,
                     const Vec3& c) const {
    // Rows run downwards, so a triangle that faces the viewer has negative area.
    const double area = (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
    const Vec3 to_units(1 / camera_.scale, -1 / camera_.scale, 1);
    Vec3 normal = (b - a).cwiseProduct(to_units).cross((c - a).cwiseProduct(to_units));
    normal.normalize();
    if (normal.z() < 0) normal = -normal;
    static const Vec3 light = Vec3(-0.35, 0.5, 0.8).normalized();
    // Half of the light comes from the viewer, so that nothing in sight is dark.
    const double bright = 0.42 + 0.3 * std::max(0.0, normal.dot(light)) + 0.28 * normal.z();
    const Colour lit = static_cast<float>(bright) * as_colour(part.colour) + Colour::Constant(14);
    const Colour colour = lit.cwiseMin(255.0f);
    return {normal, colour, number, part.outside * (area < 0 ? 1 : -1) < 0};
  }

  // ---- marks -----------------------------------------------------------------------------------

  void mark(std::size_t at, double z, Mark mark) {
    // What shines through is visible, and so are the marks on it.
    const double slack = kDepthSlack / camera_.scale;
    float nearest = front_.depth[at];
    if (shines_through_ && behind_.surface[at] != kBackground)
      nearest = std::min(nearest, behind_.depth[at]);
    const bool hidden = z < nearest - slack || z > camera_.cut + slack;
    if (hidden) mark = static_cast<Mark>(static_cast<int>(mark) - 1);
    marks_[at] = std::max(marks_[at], mark);
  }

  // Columns of pixels along a line that is wider than high, else rows.
  void line(const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    if (!d.allFinite()) return;
    const int along = std::abs(d.x()) >= std::abs(d.y()) ? 0 : 1, across = 1 - along;
    const Vec3 &start = d[along] >= 0 ? a : b, &end = d[along] >= 0 ? b : a;
    const int size[] = {width_, height_};
    const double length = end[along] - start[along];
    const double slope = length > 0 ? (end[across] - start[across]) / length : 0;
    const double half = kHalfLine * std::hypot(1, slope);
    // Half of the width beyond both ends, so that bends are closed.
    const double beyond = kHalfLine / std::hypot(1, slope);
    const double from = std::max(0.0, std::ceil(start[along] - beyond - 0.5));
    const double to = std::min(size[along] - 1.0, std::floor(end[along] + beyond - 0.5));
    for (double p = from; p <= to; ++p) {
      const double run = p + 0.5 - start[along];
      const double share = length > 0 ? std::clamp(run / length, 0.0, 1.0) : 0;
      const double middle = start[across] + slope * run,
                   z = start.z() + share * (end.z() - start.z());
      const double low = std::max(0.0, std::ceil(middle - half - 0.5)),
                   high = std::min(size[across] - 1.0, std::floor(middle + half - 0.5));
      for (double q = low; q <= high; ++q) {
        const int x = static_cast<int>(along == 0 ? p : q),
                  y = static_cast<int>(along == 0 ? q : p);
        mark(pixel(x, y), z, Mark::line);
      }
    }
  }

  static bool is_region(Mark mark) { return mark == Mark::region || mark == Mark::hidden_region; }

  // A region's border is drawn like a line.
  Mark mark_at(int x, int y) const {
    const Mark mark = marks_[pixel(x, y)];
    if (!is_region(mark)) return mark;
    constexpr int kStep = static_cast<int>(kBorder);
    for (const auto& [nx, ny] :
         {std::pair(x - kStep, y), {x + kStep, y}, {x, y - kStep}, {x, y + kStep}})
      if (nx >= 0 && ny >= 0 && nx < width_ && ny < height_ && marks_[pixel(nx, ny)] == Mark::none)
        return static_cast<Mark>(static_cast<int>(mark) + 2);
    return mark;
  }

  // ---- colours ---------------------------------------------------------------------------------

  // Whether the fine pixels of a pixel, and the ones that decide on outlines, are of one surface.
  bool is_even(int x, int y) const {
    if (x + kFine >= width_ || y + kFine >= height_) return false;
    const std::uint32_t surface = front_.surface[pixel(x, y)];
    for (int dy = 0; dy <= kFine; ++dy)
      for (int dx = 0; dx <= kFine; ++dx) {
        const std::size_t at = pixel(x + dx, y + dy);
        if (front_.surface[at] != surface) return false;
        if (marked_ && marks_[at] != Mark::none) return false;
        if (shines_through_ && behind_.surface[at] != kBackground && behind_.surface[at] != surface)
          return false;
      }
    return surface == kBackground || !is_hatched(surfaces_[surface]);
  }

  Colour even(int x, int y) const {
    const std::uint32_t surface = front_.surface[pixel(x, y)];
    return surface == kBackground ? Colour(Colour::Constant(kBackgroundShade))
                                  : surfaces_[surface].colour;
  }

  Colour mean_of(int x, int y) const {
    Colour sum = Colour::Zero();
    for (int dy = 0; dy < kFine; ++dy)
      for (int dx = 0; dx < kFine; ++dx) sum += marked(x + dx, y + dy);
    return sum / static_cast<float>(kFine * kFine);
  }

  Colour marked(int x, int y) const {
    const Mark mark = marked_ ? mark_at(x, y) : Mark::none;
    if (mark == Mark::none) return mixed(x, y);
    return opacity(mark) * mark_colour_ + (1 - opacity(mark)) * mixed(x, y);
  }

  Colour mixed(int x, int y) const {
    Colour seen = shade(front_, x, y);
    if (!shines_through_) return seen;
    const std::uint32_t hidden = behind_.surface[pixel(x, y)];
    if (hidden == kBackground || hidden == front_.surface[pixel(x, y)]) return seen;
    return kHiddenShare * shade(behind_, x, y) + (1 - kHiddenShare) * seen;
  }

  bool is_hatched(const Surface& s) const { return s.inside && std::isfinite(camera_.cut); }

  Colour shade(const Layer& layer, int x, int y) const {
    const std::uint32_t number = layer.surface[pixel(x, y)];
    if (number == kBackground) return Colour::Constant(kBackgroundShade);
    const Surface& s = surfaces_[number];
    const Colour& colour = colours_[s.part];
    if (is_outline(layer, x, y)) return 0.35f * colour;
    if (!is_hatched(s)) return s.colour;
    const int stripe = (s.part % 2 == 0 ? x + y : x - y + height_) % (14 * kFine);
    return stripe < kFine ? Colour(0.55f * colour) : Colour(0.4f * colour + Colour::Constant(140));
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
  int width_ = 0, height_ = 0;
  Layer front_, behind_;  // `behind_` only if something shines through
  bool shines_through_ = false, marked_ = false;
  std::vector<Mark> marks_;
  Colour mark_colour_ = Colour::Zero();
  std::vector<Colour> colours_;  // of the parts
  std::vector<Surface> surfaces_;
  std::vector<Vec3> projected_;
};

Renderer::Renderer() : canvas_(std::make_unique<Canvas>()) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Image Renderer::render(const Camera& camera, const std::vector<RenderPart>& parts,
                       const Marks& marks) {
  canvas_->begin(camera, parts);
  for (std::size_t p = 0; p < parts.size(); ++p)
    canvas_->draw(parts[p], static_cast<std::uint32_t>(p));
  canvas_->draw(marks);
  return canvas_->resolve();
}

Image render(const Camera& camera, const std::vector<RenderPart>& parts, const Marks& marks) {
  return Renderer().render(camera, parts, marks);
}

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

}  // namespace touche::report
