// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/hull.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"
#include "methods/bounds/convex_hull.h"
#include "methods/bounds/convex_pair.h"

namespace touche::bounds {
namespace {

/// A ball around the corners' box that holds the margin, too.
Sphere ball_around(const Hull& h) {
  Vec3 lo = h.corners[0], hi = lo;
  for (const Vec3& p : h.corners) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  Sphere ball = sphere_about(0.5 * lo + 0.5 * hi, h.corners);
  ball.radius = (ball.radius + h.margin) * (1 + 2 * math::kUnitRoundoff);
  return ball;
}

}  // namespace

Hull Hull::fit(std::span<const Vec3> points) {
  require_points(points);
  Hull h;
  h.corners.clear();
  const auto triangles = touche::convex_hull(points);
  std::vector<Index> place(points.size(), kNone);
  const auto corner = [&](Index i) {
    if (place[i] == kNone) {
      place[i] = static_cast<Index>(h.corners.size());
      h.corners.push_back(points[i]);
    }
    return place[i];
  };
  for (const auto& [a, b, c] : triangles) {
    const Index i = corner(a), j = corner(b), k = corner(c);
    h.faces.push_back({i, j, k});
  }
  if (triangles.empty()) {
    for (const Vec3& p : points)
      if (std::ranges::find(h.corners, p) == h.corners.end()) h.corners.push_back(p);
  } else {
    // Each point was moved by up to √3 joggles of the extent before the hull was made, exactly, of
    // the moved ones; so it is within twice that of the hull of the points themselves. The rest
    // is the rounding of coordinates to that extent.
    Vec3 lo = points[0], hi = lo;
    for (const Vec3& p : points) {
      lo = lo.cwiseMin(p);
      hi = hi.cwiseMax(p);
    }
    h.margin = 4 * kHullJoggle * (hi - lo).maxCoeff() +
               16 * math::kUnitRoundoff * (lo.lpNorm<1>() + hi.lpNorm<1>());
  }
  h.ball = ball_around(h);
  return h;
}

bool Hull::contains(const Vec3& p) const {
  return proved_gap(convex_set(*this), single_point(p), PoseMatrix(), Seek::any_gap) == 0;
}

double Hull::volume() const {
  double sum = 0;
  for (const auto& [a, b, c] : faces)
    sum +=
        (corners[a] - ball.centre).dot((corners[b] - ball.centre).cross(corners[c] - ball.centre));
  return std::max(0.0, sum / 6) + margin * surface_area();
}

double Hull::surface_area() const {
  double sum = 0;
  for (const auto& [a, b, c] : faces)
    sum += (corners[b] - corners[a]).cross(corners[c] - corners[a]).norm();
  if (faces.empty() && corners.size() == 3)  // both sides
    sum = 2 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
  return 0.5 * sum;
}

double Hull::diameter() const {
  double far2 = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = i + 1; j < corners.size(); ++j)
      far2 = std::max(far2, (corners[i] - corners[j]).squaredNorm());
  return std::sqrt(far2) + 2 * margin;
}

std::vector<double> Hull::numbers() const {
  std::vector<double> out = {margin, static_cast<double>(corners.size())};
  for (const Vec3& p : corners) out.insert(out.end(), p.begin(), p.end());
  for (const auto& face : faces) out.insert(out.end(), face.begin(), face.end());
  return out;
}

Hull Hull::from_numbers(std::span<const double> numbers) {
  const auto require = [](bool good) {
    if (!good) throw InvalidInput("these numbers are no convex hull");
  };
  require(numbers.size() >= 5);
  Hull h;
  h.margin = numbers[0];
  const double count = numbers[1];
  const std::span<const double> rest = numbers.subspan(2);
  const std::size_t most = rest.size() / 3;
  require(h.margin >= 0 && count >= 1 && count <= static_cast<double>(most) &&
          count == std::floor(count) && rest.size() % 3 == 0);
  const auto n = static_cast<std::size_t>(count);
  h.corners.clear();
  for (std::size_t i = 0; i < n; ++i)
    h.corners.emplace_back(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]);
  for (std::size_t i = 3 * n; i < rest.size(); i += 3) {
    std::array<Index, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = rest[i + k];
      require(corner >= 0 && corner < count && corner == std::floor(corner));
      face[k] = static_cast<Index>(corner);
    }
    h.faces.push_back(face);
  }
  h.ball = ball_around(h);
  return h;
}

Sphere ball_of(const Hull& h) { return h.ball; }

Vec3 farthest(const Hull& h, const Vec3& d) {
  const Vec3* best = h.corners.data();
  double most = -kInfinity;
  for (const Vec3& p : h.corners)
    if (const double x = d.dot(p - h.ball.centre); x > most) most = x, best = &p;
  return *best - h.ball.centre;
}

double reach(const Hull& h, const Vec3& d) {
  // The difference and the product: 4 u of their size, which is no more than the ball's.
  return d.dot(farthest(h, d)) + h.margin * d.norm() * (1 + 8 * math::kUnitRoundoff) +
         16 * math::kUnitRoundoff * h.ball.radius * d.lpNorm<1>();
}

Hull moved(const Hull& h, const PoseMatrix& pose) {
  Hull out = h;
  double size = 0;
  for (Vec3& p : out.corners) {
    size = std::max(size, p.lpNorm<1>());
    p = pose * p;
  }
  out.margin = (h.margin + pose.error(size + 2 * h.margin)) * (1 + 2 * math::kUnitRoundoff);
  out.ball = ball_around(out);
  return out;
}

double lower_bound(const Hull& a, const Hull& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::distance);
}

bool overlap(const Hull& a, const Hull& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::any_gap) == 0;
}

}  // namespace touche::bounds
