// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "math/nelder_mead.h"
#include "plane/volumes.h"

namespace touche::plane {
namespace {

/// A generator or its opposite, which is equivalent, such that y >= 0, and x > 0 if y = 0.
Vec2 upwards(const Vec2& g) { return g.y() < 0 || (g.y() == 0 && g.x() < 0) ? Vec2(-g) : g; }

/// Sorted by direction, with parallel generators added up.
std::vector<Vec2> in_order(std::vector<Vec2> generators) {
  for (Vec2& g : generators) g = upwards(g);
  std::erase_if(generators, [](const Vec2& g) { return g.isZero(0); });
  std::ranges::stable_sort(generators,
                           [](const Vec2& a, const Vec2& b) { return cross(a, b) > 0; });
  std::vector<Vec2> result;
  for (const Vec2& g : generators)
    if (!result.empty() && cross(result.back(), g) == 0)
      result.back() += g;
    else
      result.push_back(g);
  return result;
}

/// Half of the sides of the smallest polygon that contains the points and is symmetric about
/// `centre`.
std::vector<Vec2> symmetric_sides(std::span<const Vec2> points, const Vec2& centre) {
  std::vector<Vec2> both;
  both.reserve(2 * points.size());
  for (const Vec2& p : points) {
    both.push_back(p - centre);
    both.push_back(centre - p);
  }
  const std::vector<Vec2> hull = convex_hull(both);
  // The second half of a symmetric polygon repeats the first. With two corners there is one side,
  // traversed in both directions.
  std::vector<Vec2> sides;
  for (std::size_t i = 0; 2 * i < hull.size(); ++i)
    sides.push_back(0.5 * (hull[(i + 1) % hull.size()] - hull[i]));
  return in_order(std::move(sides));
}

/// The area 4 Σ |gᵢ × gⱼ| over i < j, computed by the corners.
double symmetric_area(std::span<const Vec2> g) {
  double area = 0;
  Vec2 sum = Vec2::Zero();
  for (const Vec2& next : g) {
    area += cross(sum, next);
    sum += next;
  }
  return 4 * area;
}

/// Removes sides, the one that adds the least area first, by extending its two neighbours until
/// they meet: g = α before + β after, where both factors are at least 0 because g lies between
/// them.
void reduce(std::vector<Vec2>& g, std::size_t most) {
  while (g.size() > most) {
    std::size_t cheapest = 0;
    double least = kInfinity, least_alpha = 0, least_beta = 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const std::size_t n = g.size();
      // The side before the first one is the opposite of the last one, and likewise after the last
      // one.
      const Vec2 before = i == 0 ? Vec2(-g[n - 1]) : g[i - 1];
      const Vec2 after = i + 1 == n ? Vec2(-g[0]) : g[i + 1];
      const double turn = cross(before, after);
      if (!(turn > 0)) continue;
      const double alpha = cross(g[i], after) / turn, beta = cross(before, g[i]) / turn;
      // This adds the triangle between the side and the point where its neighbours meet, twice.
      const double added = 4 * alpha * beta * turn;
      if (added >= 0 && added < least)
        least = added, cheapest = i, least_alpha = alpha, least_beta = beta;
    }
    if (least == kInfinity) return;
    const std::size_t n = g.size();
    g[(cheapest + n - 1) % n] *= 1 + least_alpha;
    g[(cheapest + 1) % n] *= 1 + least_beta;
    g.erase(g.begin() + static_cast<std::ptrdiff_t>(cheapest));
  }
}

/// The extent of the zonogon along n, rounded. zonogon_slack() bounds the error of it and of n·d:
/// products and sums of as many terms as there are generators.
double zonogon_reach(const Zonogon& z, const Vec2& n) {
  double reach = 0;
  for (const Vec2& g : z.generators) reach += std::abs(n.dot(g));
  return reach;
}
double zonogon_size(const Zonogon& z) {
  double size = 0;
  for (const Vec2& g : z.generators) size += g.lpNorm<1>();
  return size;
}
double zonogon_slack(const Zonogon& z, double size, const Vec2& n, const Vec2& d) {
  return 4 * math::kUnitRoundoff * static_cast<double>(z.generators.size() + 4) * n.lpNorm<1>() *
         (size + d.lpNorm<1>());
}

/// Visits the normals of the slabs whose intersection is the zonogon. A single generator also needs
/// a slab for its ends.
template <class Visit>
void for_normals(const Zonogon& z, const Visit& visit) {
  for (const Vec2& g : z.generators) visit(turned_left(g));
  if (z.generators.size() == 1) visit(z.generators[0]);
}

/// Returns an upper bound of the distance by which a point is outside; 0 if it is certainly inside.
double excess(const Zonogon& z, const Vec2& p) {
  const Vec2 d = p - z.centre;
  if (z.generators.empty()) return d.norm() * kNormUp;
  const double size = zonogon_size(z);
  double most = 0;
  for_normals(z, [&](const Vec2& n) {
    const double over = std::abs(n.dot(d)) + 2 * zonogon_slack(z, size, n, d) - zonogon_reach(z, n);
    most = std::max(most, over / n.norm());
  });
  return most * (1 + 16 * math::kUnitRoundoff);
}

/// Extends the zonogon to contain all points within `extra` of it. It is scaled if it is so wide
/// that this changes it by no more than rounding; otherwise a small box is added to it.
void grow(Zonogon& z, double extra) {
  if (!(extra > 0)) return;
  double least_reach = kInfinity;
  for_normals(z, [&](const Vec2& n) {
    least_reach = std::min(least_reach, zonogon_reach(z, n) / n.norm());
  });
  if (z.generators.size() >= 2 && extra < 1e-6 * least_reach) {
    for (Vec2& g : z.generators)
      g *= 1 + extra / least_reach * math::kRoundUp + 4 * math::kUnitRoundoff;
    return;
  }
  // Add a small box that covers the rounding errors of a very thin zonogon.
  const double half = extra * math::kRoundUp + math::kUnderflow;
  z.generators.emplace_back(half, 0);
  z.generators.emplace_back(0, half);
  z.generators = in_order(std::move(z.generators));
}

/// The corners relative to the centre, counter-clockwise from the lowest.
std::vector<Vec2> around_centre(std::span<const Vec2> g) {
  Vec2 at = Vec2::Zero();
  for (const Vec2& side : g) at -= side;
  std::vector<Vec2> corners;
  for (const Vec2& side : g) {
    corners.push_back(at);
    at += 2 * side;
  }
  const std::size_t half = corners.size();
  for (std::size_t i = 0; i < half; ++i) corners.push_back(-corners[i]);
  if (corners.empty()) corners.push_back(at);
  return corners;
}

}  // namespace

Zonogon Zonogon::fit(std::span<const Vec2> points, int max_generators) {
  check_points(points);
  if (max_generators < 2) throw InvalidInput("zonogon: fewer than two generators");
  const std::vector<Vec2> hull = convex_hull(points);
  const OrientedBox start = OrientedBox::fit(hull);
  Zonogon z;
  z.centre = start.centre;
  const std::size_t most = static_cast<std::size_t>(max_generators);
  const auto sides_about = [&](const Vec2& middle) {
    std::vector<Vec2> sides = symmetric_sides(hull, middle);
    reduce(sides, most);
    return sides;
  };
  if (hull.size() > 2) {
    const auto area = [&](std::span<const double> c) {
      return symmetric_area(sides_about(Vec2(c[0], c[1])));
    };
    const double step = 0.1 * start.half.minCoeff();
    const math::Minimum best = math::nelder_mead(area, {z.centre.x(), z.centre.y()}, step,
                                                 {.max_evaluations = 120, .tolerance = 1e-4});
    z.centre = {best.at[0], best.at[1]};
  }
  z.generators = sides_about(z.centre);
  // Repeat until it is verified that all points are contained: usually once because of rounding, a
  // few times if the points are nearly collinear and an added box changes the sides.
  for (;;) {
    double extra = 0;
    for (const Vec2& p : hull) extra = std::max(extra, excess(z, p));
    if (!(extra > 0)) return z;
    grow(z, 2 * extra);
  }
}

bool Zonogon::contains(const Vec2& p) const {
  const Vec2 d = p - centre;
  if (generators.empty()) return d.isZero(0);
  const double size = zonogon_size(*this);
  bool inside = true;
  for_normals(*this, [&](const Vec2& n) {
    if (std::abs(n.dot(d)) >
        zonogon_reach(*this, n) + zonogon_slack(*this, size, n, d) + math::kUnderflow)
      inside = false;
  });
  return inside;
}

double Zonogon::area() const { return symmetric_area(generators); }

double Zonogon::perimeter() const {
  double length = 0;
  for (const Vec2& g : generators) length += 4 * g.norm();
  return length;
}

double Zonogon::diameter() const {
  double far = 0;
  for (const Vec2& p : around_centre(generators)) far = std::max(far, 2 * p.norm());
  return far;
}

Rounded rounded(const Zonogon& v) {
  std::vector<Vec2> corners = around_centre(v.generators);
  for (Vec2& p : corners) p += v.centre;
  const double size = v.centre.lpNorm<1>() + zonogon_size(v);
  return {convex_hull(corners),
          4 * math::kUnitRoundoff * static_cast<double>(v.generators.size() + 2) * size};
}

Zonogon moved(const Zonogon& v, const Pose& pose) {
  Zonogon there;
  there.centre = pose * v.centre;
  for (const Vec2& g : v.generators) there.generators.push_back(pose.rotate(g));
  there.generators = in_order(std::move(there.generators));
  grow(there, moved_error(pose, v.centre) + math::kMovedPointError * zonogon_size(v));
  return there;
}

}  // namespace touche::plane
