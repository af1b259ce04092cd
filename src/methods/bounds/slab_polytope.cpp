// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/slab_polytope.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "math/rounding.h"
#include "methods/bounds/convex_pair.h"
#include "methods/bounds/min_rectangle.h"

namespace touche::bounds {
namespace {

/// The product's rounding, 3 u of the magnitudes in it; and adding it to an end.
double product_error(const Vec3& n, const Vec3& p) {
  return 8 * math::kUnitRoundoff * n.cwiseAbs().dot(p.cwiseAbs()) + math::kUnderflow;
}

/// Tolerance for corners that are as far along a direction as the farthest, up to rounding.
constexpr double kAsFar = 1e-12;

/// The planes of three unit normals whose product is smaller do not make a corner. One of a larger
/// product is off by less than 64 u / product of the size, along the planes that are nearly
/// parallel.
constexpr double kLeastProduct = 1e-9;

/// Half of the sine that Slabs and even_directions leave between them: turns round it.
constexpr double kLeastSine = 0.5 * SlabPolytope::kAlike;

/// Corners on both of two planes that are nearly parallel would be anywhere on them.
void refuse_parallel(std::span<const Slab> slabs) {
  std::vector<Vec3> units;
  for (const Slab& s : slabs) {
    const Vec3 unit = math::unit_or_zero(s.normal);
    for (std::size_t i = 0; i < units.size(); ++i)
      if (unit.cross(units[i]).norm() < kLeastSine)
        throw InvalidInput("slabs " + std::to_string(i) + " and " + std::to_string(units.size()) +
                           " of a volume are parallel, or nearly so");
    units.push_back(unit);
  }
}

}  // namespace

SlabPolytope::SlabPolytope(std::span<const Slab> slabs) : slabs_(slabs.begin(), slabs.end()) {
  if (slabs_.size() < 3 || slabs_.size() > 120)
    throw InvalidInput("a volume of slabs needs between 3 and 120 of them");
  for (const Slab& s : slabs_)
    if (!(s.lo <= s.hi) || !s.normal.allFinite() || s.normal.isZero(0) || !std::isfinite(s.lo) ||
        !std::isfinite(s.hi))
      throw InvalidInput("a slab must have a normal and lo <= hi");
  refuse_parallel(slabs_);
  find_ball();
  find_corners();
}

SlabPolytope SlabPolytope::around(std::span<const Vec3> points, std::span<const Vec3> normals) {
  require_points(points);
  std::vector<Slab> slabs;
  for (const Vec3& n : normals) {
    Slab& slab = slabs.emplace_back(Slab{n, kInfinity, -kInfinity});
    // Along an axis of coordinates products are exact.
    const bool exact = (n.array() != 0).count() == 1 && n.cwiseAbs().maxCoeff() == 1;
    for (const Vec3& p : points) {
      const double x = n.dot(p), slack = exact ? 0 : product_error(n, p);
      slab.lo = std::min(slab.lo, x - slack);
      slab.hi = std::max(slab.hi, x + slack);
    }
  }
  return SlabPolytope(slabs);
}

/// Three slabs alone hold all points in a parallelepiped: x = N⁻¹ y with |yᵢ| at most half a width,
/// from its middle. Takes the three whose unit normals are nearest to right angles.
void SlabPolytope::find_ball() {
  double best = 0;
  Mat3 normals = Mat3::Identity();
  std::array<std::size_t, 3> chosen = {0, 1, 2};
  for (std::size_t i = 0; i < slabs_.size(); ++i)
    for (std::size_t j = i + 1; j < slabs_.size(); ++j)
      for (std::size_t k = j + 1; k < slabs_.size(); ++k) {
        Mat3 m;
        m << slabs_[i].normal.normalized(), slabs_[j].normal.normalized(),
            slabs_[k].normal.normalized();
        if (const double d = std::abs(m.determinant()); d > best + 1e-9)
          best = d, normals << slabs_[i].normal, slabs_[j].normal, slabs_[k].normal,
          chosen = {i, j, k};
      }
  // Then the inverse is right to a millionth and better.
  if (!(best > 1e-3))
    throw InvalidInput("three slabs must have directions no nearer to one plane than a thousandth");
  const Mat3 inverse = normals.transpose().inverse();
  Vec3 middle, half;
  for (int c = 0; c < 3; ++c) {
    const Slab& s = slabs_[chosen[static_cast<std::size_t>(c)]];
    middle[c] = 0.5 * s.lo + 0.5 * s.hi;
  }
  ball_.centre = inverse * middle;
  for (int c = 0; c < 3; ++c) {
    const Slab& s = slabs_[chosen[static_cast<std::size_t>(c)]];
    const double at = s.normal.dot(ball_.centre);
    half[c] = std::max(s.hi - at, at - s.lo) + product_error(s.normal, ball_.centre) +
              8 * math::kUnitRoundoff * (std::abs(s.lo) + std::abs(s.hi));
  }
  ball_.radius = (inverse.cwiseAbs() * half).norm() * (1 + 1e-6);
  for (const Slab& s : slabs_) {
    const double at = s.normal.dot(ball_.centre);
    const double error = product_error(s.normal, ball_.centre) +
                         4 * math::kUnitRoundoff * (std::abs(s.lo) + std::abs(s.hi));
    planes_.push_back({s.normal, s.hi - at + error});
    planes_.push_back({-s.normal, at - s.lo + error});
  }
}

void SlabPolytope::find_corners() {
  corners_.clear();
  std::vector<double> size;  // of the ball, along each plane
  for (const Plane& p : planes_) size.push_back(p.normal.norm() * ball_.radius);
  const std::size_t n = planes_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = (i | 1) + 1; j < n; ++j) {
      const Vec3 across = planes_[i].normal.cross(planes_[j].normal);
      for (std::size_t k = (j | 1) + 1; k < n; ++k) {
        const Vec3 &ni = planes_[i].normal, &nj = planes_[j].normal, &nk = planes_[k].normal;
        const double det = across.dot(nk);
        const double product = std::abs(det) / (ni.norm() * nj.norm() * nk.norm());
        if (!(product >= kLeastProduct)) continue;
        const double off = 1e-11 + 64 * math::kUnitRoundoff / product;
        const Vec3 at = (planes_[i].height * nj.cross(nk) + planes_[j].height * nk.cross(ni) +
                         planes_[k].height * across) /
                        det;
        bool inside = true;
        for (std::size_t p = 0; inside && p < n; ++p)
          inside = planes_[p].normal.dot(at) <= planes_[p].height + off * size[p];
        if (inside)
          corners_.push_back({at,
                              {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j),
                               static_cast<std::uint8_t>(k)}});
      }
    }
}

bool SlabPolytope::contains(const Vec3& p) const {
  if (slabs_.empty()) return p.isZero(0);
  return std::ranges::all_of(slabs_, [&](const Slab& s) {
    const double x = s.normal.dot(p), slack = product_error(s.normal, p);
    return x + slack >= s.lo && x - slack <= s.hi;
  });
}

std::vector<std::vector<Vec3>> SlabPolytope::faces() const {
  std::vector<std::vector<Vec3>> out;
  for (const Plane& plane : planes_) {
    const Vec3 n = plane.normal.normalized(), u = n.unitOrthogonal(), v = n.cross(u);
    const double height = plane.height / plane.normal.norm();
    // Corners that planes nearly agree on are one.
    const double same = 1e-9 * ball_.radius;
    std::vector<Vec2> flat;
    for (const Corner& c : corners_)
      if (std::abs(n.dot(c.at) - height) <= same) {
        const Vec2 p(u.dot(c.at), v.dot(c.at));
        if (std::ranges::none_of(flat, [&](const Vec2& q) { return (p - q).norm() <= same; }))
          flat.push_back(p);
      }
    const std::vector<Vec2> border = convex_hull(std::move(flat));
    if (border.size() < 3) continue;
    auto& face = out.emplace_back();
    for (const Vec2& p : border) face.push_back(ball_.centre + height * n + p.x() * u + p.y() * v);
  }
  return out;
}

namespace {

/// Twice the area as a vector along the normal.
Vec3 twice_area(const std::vector<Vec3>& face) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 2; i < face.size(); ++i)
    sum += (face[i - 1] - face[0]).cross(face[i] - face[0]);
  return sum;
}

}  // namespace

double SlabPolytope::volume() const {
  double sum = 0;
  for (const auto& face : faces()) sum += twice_area(face).dot(face[0] - ball_.centre);
  return std::max(0.0, sum / 6);
}

double SlabPolytope::surface_area() const {
  double sum = 0;
  for (const auto& face : faces()) sum += twice_area(face).norm();
  return 0.5 * sum;
}

double SlabPolytope::diameter() const {
  double far2 = 0;
  for (const Corner& p : corners_)
    for (const Corner& q : corners_) far2 = std::max(far2, (p.at - q.at).squaredNorm());
  return std::sqrt(far2);
}

Vec3 farthest(const SlabPolytope& p, const Vec3& d) {
  Vec3 best = Vec3::Zero();
  double most = -kInfinity;
  for (const auto& c : p.corners_)
    if (const double x = d.dot(c.at); x > most) most = x, best = c.at;
  return best;
}

double SlabPolytope::bound_by(const Corner& corner, const Vec3& d) const {
  const auto& [i, j, k] = corner.planes;
  const Vec3 &ni = planes_[i].normal, &nj = planes_[j].normal, &nk = planes_[k].normal;
  const Vec3 jk = nj.cross(nk), ki = nk.cross(ni), ij = ni.cross(nj);
  const double det = ij.dot(nk);
  double sum = 0, size = 0;
  Vec3 rest = d;
  const auto take = [&](std::size_t plane, double lambda) {
    // A negative share of this end of the slab is a positive one of the other.
    const Plane& p = planes_[lambda < 0 ? plane ^ 1 : plane];
    sum += std::abs(lambda) * p.height;
    size += std::abs(lambda) * (std::abs(p.height) + p.normal.lpNorm<1>() * ball_.radius);
    rest -= lambda * planes_[plane].normal;
  };
  take(i, d.dot(jk) / det);
  take(j, d.dot(ki) / det);
  take(k, d.dot(ij) / det);
  // Whatever λ is: d · x = Σ λ n · x + rest · x, and no point is farther than the radius. The sum
  // rounds to below 4 u of its size, the rest to as much of the size of what it is made of.
  return sum + rest.norm() * ball_.radius +
         32 * math::kUnitRoundoff * (size + d.lpNorm<1>() * ball_.radius);
}

double reach(const SlabPolytope& p, const Vec3& d) {
  double most = -kInfinity;
  for (const auto& c : p.corners_) most = std::max(most, d.dot(c.at));
  const double near = most - kAsFar * d.norm() * p.ball_.radius;
  double least = d.norm() * (1 + 8 * math::kUnitRoundoff) * p.ball_.radius;
  if (p.slabs_.empty()) return least;
  for (const auto& c : p.corners_)
    if (d.dot(c.at) >= near) least = std::min(least, p.bound_by(c, d));
  return least;
}

SlabPolytope moved(const SlabPolytope& p, const PoseMatrix& pose) {
  const Sphere& ball = ball_of(p);
  // A point x lies in n · x <= hi; y = R x + t in R n · y <= hi + R n · t, up to what R lacks of
  // being a rotation, 64 u, and R n of being exact, 8 u, in the size of points and the shift.
  const double size = ball.centre.lpNorm<1>() + 2 * ball.radius;
  const double slack =
      2 * pose.error(size) + 128 * math::kUnitRoundoff * (size + pose.translation.lpNorm<1>());
  std::vector<Slab> slabs;
  for (const Slab& s : p.slabs()) {
    const Vec3 n = pose.rotation * s.normal;
    const double shift = n.dot(pose.translation), by = slack * s.normal.lpNorm<1>();
    slabs.push_back({n, s.lo + shift - by, s.hi + shift + by});
  }
  return slabs.empty() ? p : SlabPolytope(slabs);
}

SlabPolytope moved(const SlabPolytope& p, const PoseMatrix& pose, std::span<const Vec3> normals) {
  const Sphere& ball = ball_of(p);
  const Vec3 centre = pose * ball.centre;
  const double slack = 2 * pose.error(ball.centre.lpNorm<1>() + 2 * ball.radius) +
                       32 * math::kUnitRoundoff * (centre.lpNorm<1>() + ball.radius);
  std::vector<Slab> slabs;
  for (const Vec3& n : normals) {
    const Vec3 back = pose.rotation.transpose() * n;
    const double at = n.dot(centre), by = slack * n.lpNorm<1>();
    slabs.push_back({n, at - reach(p, -back) - by, at + reach(p, back) + by});
  }
  return SlabPolytope(slabs);
}

double lower_bound(const SlabPolytope& a, const SlabPolytope& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::distance);
}

bool overlap(const SlabPolytope& a, const SlabPolytope& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::any_gap) == 0;
}

}  // namespace touche::bounds
