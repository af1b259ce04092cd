// SPDX-License-Identifier: Apache-2.0
#include "convex/growing_hull.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "math/rounding.h"
#include "math/three.h"

namespace touche::convex {

bool GrowingHull::start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  points_.clear(), faces_.clear(), offset_.clear(), dead_.clear(), fresh_.clear();
  const int side = geometry::orient3d(a, b, c, d);
  if (side == 0) return false;
  // Counter-clockwise seen from outside: the fourth point is behind.
  points_ = {a, side > 0 ? b : c, side > 0 ? c : b, d};
  constexpr std::uint32_t kCorners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  constexpr std::uint32_t kAcross[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (std::size_t f = 0; f < 4; ++f) {
    add_face(kCorners[f][0], kCorners[f][1], kCorners[f][2]);
    faces_[f].across = {kAcross[f][0], kAcross[f][1], kAcross[f][2]};
  }
  return true;
}

// Computes a determinant of differences in double precision, with Shewchuk's bound of its rounding,
// as PlaneSide does, using the largest of the magnitudes for all three.
bool GrowingHull::sees(const Vec3& point, std::uint32_t face) const {
  const Face& f = faces_[face];
  const math::Three w = math::Three(point) - math::Three(points_[f.anchor]);
  const double det = math::dot(w, math::Three(f.cross));
  const double bound =
      f.rounding * (std::abs(w.x) + std::abs(w.y) + std::abs(w.z)) + math::kUnderflow;
  if (det > bound) return true;
  if (det < -bound) return false;
  return geometry::orient3d(points_[f.corner[0]], points_[f.corner[1]], points_[f.corner[2]],
                            point) < 0;
}

std::uint32_t GrowingHull::edge_from(const Face& f, std::uint32_t corner) {
  return f.corner[0] == corner ? 0 : f.corner[1] == corner ? 1 : 2;
}

std::uint32_t GrowingHull::add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t number = static_cast<std::uint32_t>(faces_.size());
  if (dead_.empty()) {
    faces_.emplace_back();
    offset_.push_back(0);
  } else {
    number = dead_.back();
    dead_.pop_back();
  }
  fresh_.push_back(number);
  // Of three cross products that are equal except for rounding, use the one with the shorter edges:
  // at the corner opposite to the longest edge.
  const math::Three at_a(points_[a]), at_b(points_[b]), at_c(points_[c]);
  const math::Three to_b = at_b - at_a, to_c = at_c - at_b, to_a = at_a - at_c;
  const double ab = math::dot(to_b, to_b), bc = math::dot(to_c, to_c), ca = math::dot(to_a, to_a);
  const unsigned is_ab = static_cast<unsigned>(ab >= bc) & static_cast<unsigned>(ab >= ca);
  const unsigned is_ca = (1 - is_ab) & static_cast<unsigned>(ca >= bc);
  const std::array<std::uint32_t, 5> around = {a, b, c, a, b};
  const std::uint32_t* from = &around[2 * is_ab + is_ca];  // no branch: it would be mispredicted
  const math::Three p(points_[from[0]]), q(points_[from[1]]), r(points_[from[2]]);
  const math::Three u = q - p, v = r - p, normal = math::cross(u, v);
  const auto sum = [](const math::Three& x) {
    return (std::abs(x.x) + std::abs(x.y)) + std::abs(x.z);
  };
  const double size_u = sum(u), size_v = sum(v);
  Face& f = faces_[number];
  f.corner = {a, b, c};
  f.anchor = from[0];
  f.alive = true;
  f.cross = normal.vec();
  // The magnitudes of each component's two products are included in this product.
  f.rounding = geometry::PlaneSide::kFilter * 1.0001 * (size_u * size_v);
  double length2 = math::dot(normal, normal), offset = 0;
  math::Three n = normal;
  if (!(length2 > 1e-290 && length2 < 1e290)) {  // the products overflow or underflow
    const double size = std::max(size_u, size_v);
    n = size > 0 ? math::Three(math::unit_or_zero((u.vec() / size).cross(v.vec() / size)))
                 : math::Three(0, 0, 0);
    length2 = math::dot(n, n);
  }
  if (length2 > 0) {
    n = 1 / std::sqrt(length2) * n;
    offset = std::min(std::min(math::dot(n, at_a), math::dot(n, at_b)), math::dot(n, at_c));
  } else {
    n = math::Three(0, 0, 0);
  }
  f.normal = n.vec();
  offset_[number] = offset;
  return number;
}

void GrowingHull::bury(std::uint32_t face) {
  faces_[face].alive = false;
  offset_[face] = kInfinity;
  dead_.push_back(face);
}

std::uint32_t GrowingHull::nearest() const {
  // Keep four minima, so that no comparison waits for the one before.
  std::array<double, 4> least = {kInfinity, kInfinity, kInfinity, kInfinity};
  const std::size_t size = offset_.size();
  std::size_t f = 0;
  for (; f + 4 <= size; f += 4)
    for (std::size_t k = 0; k < 4; ++k) least[k] = std::min(offset_[f + k], least[k]);
  for (; f < size; ++f) least[0] = std::min(offset_[f], least[0]);
  const double all = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  const auto there = std::ranges::find(offset_, all);
  return static_cast<std::uint32_t>(there - offset_.begin());
}

void GrowingHull::grow(const Vec3& point, std::uint32_t face) {
  const auto number = static_cast<std::uint32_t>(points_.size());
  points_.push_back(point);
  border_.clear(), fresh_.clear(), waiting_.clear();

  // Remove all faces that see the point, depth first, so that the edges of the border are found in
  // order.
  bury(face);
  waiting_.push_back({face, 0, 3});
  while (!waiting_.empty()) {
    Visit& visit = waiting_.back();
    if (visit.left == 0) {
      waiting_.pop_back();
      continue;
    }
    const std::uint32_t here = visit.face, edge = visit.edge;
    visit.edge = (edge + 1) % 3, --visit.left;
    const Face& f = faces_[here];
    const std::uint32_t from = f.corner[edge], to = f.corner[(edge + 1) % 3];
    const std::uint32_t next = f.across[edge];
    if (!faces_[next].alive) continue;
    const std::uint32_t back = edge_from(faces_[next], to);
    if (sees(point, next)) {
      bury(next);
      waiting_.push_back({next, (back + 1) % 3, 2});
    } else {
      border_.push_back({from, to, next, back});
    }
  }
  const std::size_t count = border_.size();
  for (const BorderEdge& e : border_) add_face(e.from, e.to, number);
  for (std::size_t i = 0; i < count; ++i) {
    const BorderEdge& e = border_[i];
    faces_[fresh_[i]].across = {e.beyond, fresh_[(i + 1) % count], fresh_[(i + count - 1) % count]};
    faces_[e.beyond].across[e.edge_beyond] = fresh_[i];
  }
}

}  // namespace touche::convex
