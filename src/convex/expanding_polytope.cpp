// SPDX-License-Identifier: Apache-2.0
#include "convex/expanding_polytope.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/expansion.h"
#include "geometry/predicates.h"
#include "math/rounding.h"

namespace touche::convex {
namespace {

/// Positive if x is certainly beyond the plane of a, b and c, negative if it certainly is not,
/// computed in the machine's longest floating-point numbers; 0 if undecided. Four corners of a
/// difference that belong to two pairs of corners are coplanar except for their own rounding; this
/// function usually decides them.
int side_in_long(const PointRow& a, const PointRow& b, const PointRow& c, const PointRow& x) {
  using Long = long double;
  using Limits = std::numeric_limits<Long>;
  // Numbers made of two doubles have no unit roundoff.
  if constexpr (!Limits::is_iec559 || (Limits::digits != 64 && Limits::digits != 113)) return 0;
  struct LongThree {
    Long x, y, z;
  };
  const auto from_a = [&a](const PointRow& p) -> LongThree {
    return {Long{p.x} - Long{a.x}, Long{p.y} - Long{a.y}, Long{p.z} - Long{a.z}};
  };
  const LongThree u = from_a(b), v = from_a(c), w = from_a(x);
  Long det = 0, magnitudes = 0;
  const auto add = [&](Long wi, Long uj, Long vk, Long uk, Long vj) {
    const Long p = uj * vk, q = uk * vj;
    det += wi * (p - q);
    magnitudes += std::abs(wi) * (std::abs(p) + std::abs(q));
  };
  add(w.x, u.y, v.z, u.z, v.y), add(w.y, u.z, v.x, u.x, v.z), add(w.z, u.x, v.y, u.y, v.x);
  // The filter is that of double precision, with the unit roundoff of the long numbers.
  constexpr Long kUnit = Limits::epsilon() / 2;
  constexpr Long kShare =
      geometry::PlaneSide::kFilter * 1.01L * (kUnit / Long{math::kUnitRoundoff});
  const Long bound = kShare * magnitudes + Long{math::kUnderflow};
  return det > bound ? 1 : det < -bound ? -1 : 0;
}

/// Whether p - q = r - s exactly: two rounded differences and their rounding errors determine it.
bool same_way(const PointRow& p, const PointRow& q, const PointRow& r, const PointRow& s) {
  const auto is_same = [](double a, double b, double c, double d) {
    const geometry::exact::TwoTerms ab = geometry::exact::two_sum(a, -b),
                                    cd = geometry::exact::two_sum(c, -d);
    return ab.high == cd.high && ab.low == cd.low;
  };
  return is_same(p.x, q.x, r.x, s.x) && is_same(p.y, q.y, r.y, s.y) && is_same(p.z, q.z, r.z, s.z);
}

/// Whether the four points are the corners of a parallelogram, in any order. Points of a difference
/// that belong to two pairs of corners are, unless rounding has moved them apart.
bool are_parallelogram(const PointRow& a, const PointRow& b, const PointRow& c, const PointRow& x) {
  return same_way(x, b, c, a) || same_way(x, a, c, b) || same_way(x, a, b, c);
}

}  // namespace

void ExpandingPolytope::make_room(std::size_t points, std::size_t faces) {
  tables_.points = points_.data();
  if (points > tables_.stride) {
    tables_.stride = std::max<std::size_t>(64, 2 * points);
    face_at_.assign(tables_.stride * tables_.stride, 0);
    tables_.face_at = face_at_.data();
    set_all_edges();
  }
  faces += kFaceBlock;
  const std::size_t before = faces_.size();
  if (faces <= before) return;
  const std::size_t room = (2 * faces + 64) / 64 * 64;
  std::vector<double> numbers(8 * room);
  for (std::size_t column = 0; column < 8; ++column)
    std::copy_n(numbers_.data() + column * before, before, numbers.data() + column * room);
  numbers_.swap(numbers);
  faces_.resize(room), border_.resize(6 * room + 2 * kFaceBlock);
  alive_.resize(room / 64), sees_.resize(room / 64), unsure_.resize(room / 64);
  double* column = numbers_.data();
  const auto next = [&](double*& of) { return std::exchange(of, of + room); };
  for (double*& c : tables_.columns.cross) c = next(column);
  for (double*& c : tables_.columns.anchor) c = next(column);
  tables_.columns.rounding = next(column), tables_.columns.signed_square = next(column);
  tables_.faces = faces_.data();
  tables_.from = border_.data(), tables_.to = border_.data() + 3 * room + kFaceBlock;
  tables_.alive = alive_.data(), tables_.sees = sees_.data(), tables_.unsure = unsure_.data();
}

void ExpandingPolytope::set_all_edges() {
  for (std::uint32_t f = 0; f < tables_.count; ++f)
    if (is_alive(f)) set_edges(tables_, f);
}

void ExpandingPolytope::start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  points_.clear();
  tables_.count = 0;
  for (const Vec3* p : {&a, &b, &c, &d}) points_.emplace_back(*p);
  make_room(4, 4);
  std::ranges::fill(alive_, 0);
  alive_[0] = 0b1111;
  tables_.count = 4, dead_ = 0;
  // Counter-clockwise seen from outside: the fourth point is behind the first face.
  constexpr Face kFaces[4] = {{{0, 1, 2}}, {{1, 0, 3}}, {{2, 1, 3}}, {{0, 2, 3}}};
  std::copy_n(kFaces, 4, faces_.begin());
  set_all_edges();
  mend_new(0, kernels().start(tables_));
}

void ExpandingPolytope::mend_new(std::size_t first, const Grown& grown) {
  nearest_ = grown.least.face;
  if (grown.fits) return;
  for (std::size_t f = first; f < tables_.count; ++f)
    if (tables_.columns.rounding[f] < 0) mend(static_cast<std::uint32_t>(f));
  nearest_ = kernels().nearest(tables_).face;
}

// Recomputes a normal whose products overflowed or underflowed, from scaled numbers.
void ExpandingPolytope::mend(std::uint32_t face) {
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const math::Three a = points_[corner[0]].at(), b = points_[corner[1]].at(),
                    c = points_[corner[2]].at();
  const Vec3 u = (b - a).vec(), v = (c - a).vec();
  const double size = std::max(u.lpNorm<1>(), v.lpNorm<1>());
  set_normal(face, math::Three(size > 0 ? math::unit_or_zero((u / size).cross(v / size))
                                        : Vec3(Vec3::Zero())));
}

void ExpandingPolytope::refine(std::uint32_t face) {
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const Vec3 a = points_[corner[0]].at().vec(), b = points_[corner[1]].at().vec(),
             c = points_[corner[2]].at().vec();
  set_normal(face, math::Three(math::unit_or_zero(Vec3(geometry::determinant2d(a, b, c, 0),
                                                       geometry::determinant2d(a, b, c, 1),
                                                       geometry::determinant2d(a, b, c, 2)))));
  nearest_ = kernels().nearest(tables_).face;
}

/// Sets a unit normal. All later decisions about the face are made exactly.
void ExpandingPolytope::set_normal(std::uint32_t face, const math::Three& n) {
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const math::Three a = points_[corner[0]].at(), b = points_[corner[1]].at(),
                    c = points_[corner[2]].at();
  tables_.columns.cross[0][face] = n.x, tables_.columns.cross[1][face] = n.y,
  tables_.columns.cross[2][face] = n.z;
  tables_.columns.rounding[face] = kInfinity;
  const double least = std::min(std::min(math::dot(n, a), math::dot(n, b)), math::dot(n, c));
  tables_.columns.signed_square[face] = least * std::abs(least);
}

bool ExpandingPolytope::sees_exactly(const PointRow& point, std::uint32_t face) const {
  const auto is_at = [&](const PointRow& p) {
    return point.x == p.x && point.y == p.y && point.z == p.z;
  };
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const PointRow &a = points_[corner[0]], &b = points_[corner[1]], &c = points_[corner[2]];
  if (is_at(a) || is_at(b) || is_at(c)) return false;
  if (const int side = side_in_long(a, b, c, point); side != 0) return side > 0;
  if (are_parallelogram(a, b, c, point)) return false;
  return geometry::orient3d(a.at().vec(), b.at().vec(), c.at().vec(), point.at().vec()) < 0;
}

void ExpandingPolytope::settle_unsure(std::uint32_t number) {
  for (std::size_t word = 0; 64 * word < tables_.count; ++word) {
    sees_[word] &= alive_[word];
    for (std::uint64_t open = unsure_[word] & alive_[word]; open != 0; open &= open - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(open));
      const bool sees = sees_exactly(points_[number], static_cast<std::uint32_t>(64 * word) + bit);
      sees_[word] |= static_cast<std::uint64_t>(sees) << bit;
    }
  }
}

bool ExpandingPolytope::sees_any() const {
  std::uint64_t any = 0;
  for (std::size_t word = 0; 64 * word < tables_.count; ++word) any |= sees_[word];
  return any != 0;
}

bool ExpandingPolytope::grow(const Vec3& point, std::uint32_t face) {
  const auto number = static_cast<std::uint32_t>(points_.size());
  points_.emplace_back(point);
  // A border around N triangles has at most N + 2 edges.
  make_room(points_.size(), 2 * tables_.count + 4);
  const std::size_t first = tables_.count;
  Grown grown;
  Added added = kernels().add(tables_, number, face, grown);
  if (added == Added::too_many_faces) {
    kernels().see(tables_, number);
    added = Added::open;
  }
  if (added == Added::open) [[unlikely]]
    added = add_open(number, face, grown);
  if (added == Added::not_beyond) {
    points_.pop_back();
    return false;
  }
  dead_ += grown.buried;
  mend_new(first, grown);
  if (2 * dead_ > tables_.count + 128) leave_out_dead();
  return true;
}

Added ExpandingPolytope::add_open(std::uint32_t number, std::uint32_t face, Grown& grown) {
  settle_unsure(number);
  if (face == kAnyFace ? !sees_any() : !has(sees_, face)) return Added::not_beyond;
  grown = kernels().grow(tables_, number);
  return Added::beyond;
}

void ExpandingPolytope::leave_out_dead() {
  std::vector<std::uint32_t>& number = renumbered_;
  number.resize(tables_.count);
  std::uint32_t alive = 0;
  for (std::uint32_t f = 0; f < tables_.count; ++f)
    if (is_alive(f)) number[f] = alive++;
  for (std::uint32_t f = 0; f < tables_.count; ++f) {
    if (!is_alive(f)) continue;
    const std::uint32_t to = number[f];
    faces_[to] = faces_[f];
    for (std::size_t k = 0; k < 3; ++k) {
      tables_.columns.cross[k][to] = tables_.columns.cross[k][f];
      tables_.columns.anchor[k][to] = tables_.columns.anchor[k][f];
    }
    tables_.columns.rounding[to] = tables_.columns.rounding[f];
    tables_.columns.signed_square[to] = tables_.columns.signed_square[f];
  }
  nearest_ = number[nearest_];
  tables_.count = alive, dead_ = 0;
  std::ranges::fill(alive_, 0);
  for (std::size_t f = 0; f < alive; ++f) alive_[f / 64] |= std::uint64_t{1} << (f % 64);
  set_all_edges();
}

}  // namespace touche::convex
