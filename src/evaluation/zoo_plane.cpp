// SPDX-License-Identifier: Apache-2.0
#include "evaluation/zoo_plane.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "touche/plane_volumes.h"

namespace touche::evaluation {
namespace {

using namespace plane;
using PlaneClock = std::chrono::steady_clock;

double passed(PlaneClock::time_point start) {
  return std::chrono::duration<double>(PlaneClock::now() - start).count();
}

std::vector<Vec2> points_of(const ZooOutline& outline) {
  std::vector<Vec2> points;
  for (const auto& [x, y] : outline.corners) points.emplace_back(x, y);
  return points;
}

/// Where an outline is drawn: pixels to the right and down.
struct Sheet {
  Vec2 middle;
  double scale, width, height;
  Vec2 operator()(const Vec2& p) const {
    return {0.5 * width + scale * (p.x() - middle.x()),
            0.5 * height - scale * (p.y() - middle.y())};
  }
};

/// All corners of the convex polygon, with arcs about them.
std::string border(const Rounded& v, const Sheet& sheet) {
  const auto at = [&](const Vec2& p) {
    const Vec2 q = sheet(p);
    return fmt::format("{:.1f} {:.1f}", q.x(), q.y());
  };
  const std::size_t n = v.corners.size();
  const double r = sheet.scale * v.radius;
  if (n == 1) {
    const Vec2 out(v.radius, 0);
    return fmt::format("M{}A{:.1f} {:.1f} 0 1 0 {}A{:.1f} {:.1f} 0 1 0 {}Z", at(v.corners[0] + out),
                       r, r, at(v.corners[0] - out), r, r, at(v.corners[0] + out));
  }
  std::string path;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &p = v.corners[i], &q = v.corners[(i + 1) % n];
    const Vec2 along = (q - p).normalized(), out = v.radius * Vec2(along.y(), -along.x());
    if (i > 0 && r > 0.05) path += fmt::format("A{:.1f} {:.1f} 0 0 0 {}", r, r, at(p + out));
    path += fmt::format("{}{}L{}", i == 0 ? "M" : "L", at(p + out), at(q + out));
  }
  return path + "Z";
}

std::string picture_of(const std::vector<Vec2>& points, const Rounded& volume, const Sheet& sheet) {
  std::string outline;
  for (const Vec2& p : points) {
    const Vec2 q = sheet(p);
    outline += fmt::format("{}{:.1f} {:.1f}", outline.empty() ? "M" : "L", q.x(), q.y());
  }
  const std::string around = border(volume, sheet);
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" class=\"picture\"><path d=\"{}\" fill=\"#d3e4f6\"/><path "
      "d=\"{}Z\" fill=\"#e88030\" stroke=\"#8a4a17\"/><path d=\"{}\" fill=\"none\" "
      "stroke=\"#26548a\" "
      "stroke-width=\"1.8\"/></svg>",
      sheet.width, sheet.height, around, outline, around);
}

/// One outline with the poses of a second copy for which both hulls are separate.
struct FlatExhibit {
  std::vector<Vec2> points;
  plane::Hull hull;
  std::vector<plane::Pose> places;
  Sheet sheet;
};

plane::Pose random_place(base::Random& random, const Vec2& middle, double reach) {
  const auto angle = [&] { return random.uniform(0, 2 * std::numbers::pi); };
  const double toward = angle(), far = random.uniform() * reach;
  const plane::Pose turn = plane::Pose(angle());
  const Vec2 shift = far * Vec2(std::cos(toward), std::sin(toward));
  return plane::Pose(turn.angle(), middle + shift - turn * middle);
}

FlatExhibit flat_exhibit_of(const ZooOutline& outline, const ZooOptions& options) {
  FlatExhibit e{points_of(outline), {}, {}, {}};
  e.hull = plane::Hull::fit(e.points);
  const Circle circle = Circle::fit(e.points);
  base::Random random(options.seed);
  for (int tries = 0;
       static_cast<int>(e.places.size()) < options.places && tries < 40 * options.places; ++tries) {
    const plane::Pose place = random_place(random, circle.centre, 2.5 * circle.radius);
    if (!overlap(e.hull, moved(e.hull, place))) e.places.push_back(place);
  }
  const double width = options.picture_width, height = width * 4 / 5;
  // The circle is the widest of all, except for corners of axis-aligned boxes.
  e.sheet = {circle.centre, 0.36 * height / std::max(circle.radius, 1e-300), width, height};
  return e;
}

/// Returns the time of tests of two volumes, half of which overlap where that can be brought about.
template <typename V>
double nanoseconds_of_test(const std::vector<FlatExhibit>& exhibits) {
  struct Case {
    V a, b;
  };
  std::vector<Case> cases;
  base::Random random(1);
  for (int i = 0; i < 256; ++i) {
    const FlatExhibit& e = exhibits[static_cast<std::size_t>(i) % exhibits.size()];
    const V a = V::fit(e.points);
    const Circle circle = Circle::fit(e.points);
    for (int attempt = 0;; ++attempt) {
      const V b = moved(a, random_place(random, circle.centre, 2.4 * circle.radius));
      if (overlap(a, b) != (i % 2 == 0) && attempt < 50) continue;
      cases.push_back({a, b});
      break;
    }
  }
  double best = kInfinity;
  volatile int sink = 0;
  for (int repetition = 0; repetition < 9; ++repetition) {
    const auto start = PlaneClock::now();
    std::size_t tests = 0;
    double seconds = 0;
    do {
      int met = 0;
      for (const Case& c : cases) met += overlap(c.a, c.b);
      sink = sink + met;
      tests += cases.size();
      seconds = passed(start);
    } while (seconds < 0.001);
    best = std::min(best, 1e9 * seconds / static_cast<double>(tests));
  }
  return best;
}

template <typename V>
ZooFit flat_fit(const FlatExhibit& e) {
  ZooFit fit;
  const auto start = PlaneClock::now();
  const V v = V::fit(e.points);
  fit.fit_seconds = passed(start);
  fit.size_ratio = e.hull.area() > 0 ? v.area() / e.hull.area() : 0;
  fit.border_ratio = e.hull.perimeter() > 0 ? v.perimeter() / e.hull.perimeter() : 0;
  // Does as a search would: the volume is moved, and a box along the axes grows by that.
  const auto alarms = std::ranges::count_if(
      e.places, [&](const plane::Pose& place) { return overlap(v, moved(v, place)); });
  fit.false_alarms =
      e.places.empty() ? 0 : static_cast<double>(alarms) / static_cast<double>(e.places.size());
  fit.picture = picture_of(e.points, rounded(v), e.sheet);
  return fit;
}

template <typename... V>
std::vector<ZooVolume> all_of(std::type_identity<std::tuple<V...>>,
                              const std::vector<FlatExhibit>& exhibits) {
  std::vector<ZooVolume> out;
  (
      [&] {
        ZooVolume& volume = out.emplace_back(
            ZooVolume{std::string(V::kName), nanoseconds_of_test<V>(exhibits), {}});
        for (const FlatExhibit& e : exhibits) volume.fits.push_back(flat_fit<V>(e));
      }(),
      ...);
  return out;
}

}  // namespace

std::vector<ZooVolume> zoo_of_plane(const std::vector<ZooOutline>& outlines,
                                    const ZooOptions& options) {
  std::vector<FlatExhibit> exhibits;
  exhibits.reserve(outlines.size());
  for (const ZooOutline& outline : outlines) exhibits.push_back(flat_exhibit_of(outline, options));
  return all_of(std::type_identity<plane::AllVolumes>(), exhibits);
}

}  // namespace touche::evaluation
