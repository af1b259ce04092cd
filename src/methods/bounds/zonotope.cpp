// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/zonotope.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/rounding.h"
#include "methods/bounds/convex_pair.h"
#include "methods/bounds/fit_obb.h"

namespace touche::bounds {
namespace {

constexpr int kGenerators = 7, kNormals = kGenerators * (kGenerators - 1) / 2;

/// Maximises value · y subject to columns of `need` · y <= limit and y >= 0, with limits >= 0, by
/// the simplex method with Bland's rule. Returns the dual solution, one value per row: least limit
/// · x with need ᵀ x >= value and x >= 0. Rounding may end it early, so the caller must check the
/// result.
template <int Rows, int Columns>
Eigen::Matrix<double, Rows, 1> dual_of_most(const Eigen::Matrix<double, Rows, Columns>& need,
                                            const Eigen::Matrix<double, Rows, 1>& limit,
                                            const Eigen::Matrix<double, Columns, 1>& value) {
  constexpr int kAll = Columns + Rows;
  Eigen::Matrix<double, Rows + 1, kAll + 1> table =
      Eigen::Matrix<double, Rows + 1, kAll + 1>::Zero();
  table.template topLeftCorner<Rows, Columns>() = need;
  table.template block<Rows, Rows>(0, Columns).setIdentity();
  table.template topRightCorner<Rows, 1>() = limit;
  table.template bottomLeftCorner<1, Columns>() = -value.transpose();
  std::array<int, Rows> basis;
  for (int r = 0; r < Rows; ++r) basis[r] = Columns + r;
  constexpr double kNothing = 1e-11;
  for (int step = 0; step < 400; ++step) {
    int enter = 0;
    while (enter < kAll && table(Rows, enter) >= -kNothing) ++enter;
    if (enter == kAll) break;
    int leave = -1;
    for (int r = 0; r < Rows; ++r) {
      if (table(r, enter) <= kNothing) continue;
      if (leave < 0) {
        leave = r;
        continue;
      }
      const double ours = table(r, kAll) * table(leave, enter),
                   theirs = table(leave, kAll) * table(r, enter);
      if (ours < theirs || (ours == theirs && basis[r] < basis[leave])) leave = r;
    }
    if (leave < 0) break;
    table.row(leave) /= table(leave, enter);
    for (int r = 0; r <= Rows; ++r)
      if (r != leave && table(r, enter) != 0) table.row(r) -= table(r, enter) * table.row(leave);
    basis[leave] = enter;
  }
  return table.template block<1, Rows>(Rows, Columns).transpose();
}

/// Normals of unit length of all faces that generators in these directions may have.
std::vector<Vec3> normals_of(std::span<const Vec3> directions) {
  std::vector<Vec3> normals;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t j = i + 1; j < directions.size(); ++j)
      if (const Vec3 n = math::unit_or_zero(directions[i].cross(directions[j])); !n.isZero(0))
        normals.push_back(n);
  return normals;
}

/// How far the points reach along a normal, both ways, from the origin.
struct Extent {
  double lo = kInfinity, hi = -kInfinity;
};
std::vector<Extent> extents_of(std::span<const Vec3> points, const Vec3& origin,
                               std::span<const Vec3> normals) {
  std::vector<Extent> extents(normals.size());
  for (const Vec3& p : points) {
    const Vec3 d = p - origin;
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const double x = normals[i].dot(d);
      extents[i] = {std::min(extents[i].lo, x), std::max(extents[i].hi, x)};
    }
  }
  return extents;
}

/// The box's axes, then the diagonals of a box that is not flat, all of unit length.
std::array<Vec3, kGenerators> directions_for(const Obb& box) {
  const Vec3 side = box.half.cwiseMax(0.25 * box.half.maxCoeff());
  std::array<Vec3, kGenerators> out;
  for (int i = 0; i < 3; ++i) out[i] = box.axes.col(i);
  const Vec3 signs[] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};
  for (int i = 0; i < 4; ++i) out[3 + i] = (box.axes * side.cwiseProduct(signs[i])).normalized();
  return out;
}

/// Lengthens the box until every point lies in the zonotope as real numbers. A zonotope is what
/// reaches no farther along the normals of its faces, which are products of two generators; as
/// computed they are off by 8 u, and so is the direction of a generator. So each point may be
/// wrongly judged by 32 u of the sizes involved, and what is added along three axes at right angles
/// reaches as far along every normal.
void lengthen_around(Zonotope& z, std::span<const Vec3> points, std::span<const Vec3> normals) {
  const std::array<Vec3, kGenerators> generators = z.generators();
  const auto extents = extents_of(points, z.box.centre, normals);
  double size = 0, short_of = 0;
  for (const Vec3& p : points) size = std::max(size, (p - z.box.centre).lpNorm<1>());
  for (const Vec3& g : generators) size += g.lpNorm<1>();
  for (std::size_t i = 0; i < normals.size(); ++i) {
    double width = 0;
    for (const Vec3& g : generators) width += std::abs(normals[i].dot(g));
    short_of = std::max({short_of, extents[i].hi - width, -extents[i].lo - width});
  }
  if (size > 0)
    z.box.half.array() +=
        short_of * (1 + 64 * math::kUnitRoundoff) + 128 * math::kUnitRoundoff * size;
}

}  // namespace

std::array<Vec3, 7> Zonotope::generators() const {
  std::array<Vec3, 7> out;
  for (int i = 0; i < 3; ++i) out[i] = box.half[i] * box.axes.col(i);
  std::ranges::copy(segments, out.begin() + 3);
  return out;
}

Zonotope Zonotope::fit(std::span<const Vec3> points) {
  require_points(points);
  const Obb box = fit_obb(points);
  const double size = box.half.maxCoeff();
  Zonotope best;
  best.box = box;
  if (!(size > 0)) return best;
  const auto directions = directions_for(box);
  const std::vector<Vec3> normals = normals_of(directions);
  if (normals.size() != kNormals) return best;
  const auto extents = extents_of(points, box.centre, normals);
  // Half lengths x of the generators and the centre's shift s, both ways, such that along every
  // normal n: Σ x |n · d| + n · s >= hi and Σ x |n · d| − n · s >= −lo. The least Σ x: a segment's
  // mean width is half its length, and mean widths add up. A shift costs nothing.
  Eigen::Matrix<double, kGenerators + 6, 2 * kNormals> need;
  Eigen::Matrix<double, kGenerators + 6, 1> limit;
  Eigen::Matrix<double, 2 * kNormals, 1> value;
  limit << Eigen::Matrix<double, kGenerators, 1>::Ones(), Eigen::Matrix<double, 6, 1>::Zero();
  for (int i = 0; i < kNormals; ++i) {
    const Vec3 n = box.axes.transpose() * normals[i];
    for (const int side : {0, 1}) {
      const int column = 2 * i + side;
      for (int k = 0; k < kGenerators; ++k)
        need(k, column) = std::abs(normals[i].dot(directions[k]));
      need.col(column).segment<3>(kGenerators) = side == 0 ? n : Vec3(-n);
      need.col(column).tail<3>() = -need.col(column).segment<3>(kGenerators);
      value[column] = (side == 0 ? extents[i].hi : -extents[i].lo) / size;
    }
  }
  const auto found = dual_of_most<kGenerators + 6, 2 * kNormals>(need, limit, value);
  if (!found.allFinite()) return best;
  Zonotope z;
  z.box.axes = box.axes;
  z.box.centre = box.centre + size * (box.axes * (found.segment<3>(kGenerators) - found.tail<3>()));
  for (int k = 0; k < 3; ++k) z.box.half[k] = size * std::max(0.0, found[k]);
  for (int k = 0; k < 4; ++k)
    z.segments[k] = size * std::max(0.0, found[3 + k]) * directions[3 + k];
  lengthen_around(z, points, normals);
  double width = 0;
  for (const Vec3& g : z.generators()) width += g.norm();
  return width <= box.half.sum() ? z : best;
}

bool Zonotope::contains(const Vec3& p) const {
  return proved_gap(convex_set(*this), single_point(p), PoseMatrix(), Seek::any_gap) == 0;
}

double Zonotope::volume() const {
  const auto g = generators();
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = i + 1; j < g.size(); ++j)
      for (std::size_t k = j + 1; k < g.size(); ++k) sum += std::abs(g[i].dot(g[j].cross(g[k])));
  return 8 * sum;
}

double Zonotope::surface_area() const {
  const auto g = generators();
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = i + 1; j < g.size(); ++j) sum += g[i].cross(g[j]).norm();
  return 8 * sum;
}

double Zonotope::diameter() const {  // between opposite corners
  const auto g = generators();
  double far2 = 0;
  for (int signs = 0; signs < 1 << (kGenerators - 1); ++signs) {
    Vec3 corner = g[kGenerators - 1];
    for (int k = 0; k < kGenerators - 1; ++k) corner += (signs >> k & 1) != 0 ? g[k] : Vec3(-g[k]);
    far2 = std::max(far2, corner.squaredNorm());
  }
  return 2 * std::sqrt(far2);
}

std::vector<ZonotopeFace> faces(const Zonotope& z) {
  const auto g = z.generators();
  // Generators in one plane share a face, which is tiled by their parallelograms. The tiling is the
  // lower side of a zonotope of one more dimension: generators are lifted, and generators above a
  // lifted pair are on its far side.
  constexpr std::array<double, kGenerators> kLift = {1, 1.31, 1.73, 2.09, 2.57, 3.11, 3.83};
  std::vector<ZonotopeFace> out;
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = i + 1; j < g.size(); ++j) {
      const Vec3 n = g[i].cross(g[j]);
      if (!(n.norm() > 1e-9 * g[i].norm() * g[j].norm())) continue;
      // All pairs in one plane that are on the same side of it are to agree.
      const double up = n.dot(Vec3(0.58, 0.37, 0.73)) >= 0 ? 1 : -1;
      Vec3 middle = Vec3::Zero();
      for (std::size_t k = 0; k < g.size(); ++k) {
        if (k == i || k == j) continue;
        double side = n.dot(g[k]);
        if (std::abs(side) <= 1e-9 * n.norm() * g[k].norm())
          side = up * (kLift[k] -
                       (g[k].cross(g[j]).dot(n) * kLift[i] + g[i].cross(g[k]).dot(n) * kLift[j]) /
                           n.squaredNorm());
        middle += side >= 0 ? g[k] : Vec3(-g[k]);
      }
      out.push_back({z.box.centre + middle, g[i], g[j]});
      out.push_back({z.box.centre - middle, g[j], g[i]});
    }
  return out;
}

Sphere ball_of(const Zonotope& z) {
  double radius = z.box.half.norm();
  for (const Vec3& s : z.segments) radius += s.norm();
  return {z.box.centre, radius * (1 + 64 * math::kUnitRoundoff)};
}

Vec3 farthest(const Zonotope& z, const Vec3& d) {
  Vec3 out = Vec3::Zero();
  for (const Vec3& g : z.generators()) out += d.dot(g) >= 0 ? g : Vec3(-g);
  return out;
}

double reach(const Zonotope& z, const Vec3& d) {
  double sum = 0, size = 0;
  for (const Vec3& g : z.generators()) {
    sum += std::abs(d.dot(g));
    size += g.lpNorm<1>();
  }
  // Generators of the box are products: 2 u; each product with d 3 u, the sum 7 u.
  return sum + 32 * math::kUnitRoundoff * size * d.lpNorm<1>();
}

Zonotope moved(const Zonotope& z, const PoseMatrix& pose) {
  Zonotope out;
  out.box = moved(z.box, pose);
  double size = 0;
  for (int k = 0; k < 4; ++k) {
    out.segments[k] = pose.rotation * z.segments[k];
    size += z.segments[k].lpNorm<1>();
  }
  // A turned segment is off by 28 u a component, and its end by what the pose adds for its size.
  out.box.half.array() += 128 * math::kUnitRoundoff * size + pose.error(size) - pose.error(0);
  out.box.half *= 1 + 4 * math::kUnitRoundoff;
  return out;
}

double lower_bound(const Zonotope& a, const Zonotope& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::distance);
}

bool overlap(const Zonotope& a, const Zonotope& b, const PoseMatrix& pose) {
  return proved_gap(convex_set(a), convex_set(b), pose, Seek::any_gap) == 0;
}

}  // namespace touche::bounds
