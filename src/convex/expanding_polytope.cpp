// SPDX-License-Identifier: Apache-2.0
#include "convex/expanding_polytope.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "geometry/predicates.h"
#include "math/rounding.h"

namespace touche::convex {

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
  std::vector<double> numbers(9 * room);
  for (std::size_t column = 0; column < 9; ++column)
    std::copy_n(numbers_.data() + column * before, before, numbers.data() + column * room);
  numbers_.swap(numbers);
  staged_numbers_.resize(6 * room);
  faces_.resize(room), border_.resize(3 * room);
  alive_.resize(room / 64), sees_.resize(room / 64), unsure_.resize(room / 64);
  double *column = numbers_.data(), *staged = staged_numbers_.data();
  const auto next = [&](double*& of) { return std::exchange(of, of + room); };
  for (double*& c : tables_.columns.cross) c = next(column);
  for (double*& c : tables_.columns.anchor) c = next(column);
  tables_.columns.rounding = next(column), tables_.columns.inverse = next(column);
  tables_.columns.offset = next(column);
  tables_.faces = faces_.data(), tables_.border = border_.data();
  tables_.alive = alive_.data(), tables_.sees = sees_.data(), tables_.unsure = unsure_.data();
  for (double*& c : tables_.staged.from) c = next(staged);
  for (double*& c : tables_.staged.to) c = next(staged);
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
  // Seen from outside counter-clockwise: the fourth point is behind the first face.
  constexpr Face kFaces[4] = {{{0, 1, 2}}, {{1, 0, 3}}, {{2, 1, 3}}, {{0, 2, 3}}};
  std::copy_n(kFaces, 4, faces_.begin());
  set_all_edges();
  mend_new(0, kernels().start(tables_));
}

void ExpandingPolytope::mend_new(std::size_t first, const Grown& grown) {
  nearest_ = grown.least.face;
  if (grown.fits) return;
  for (std::size_t f = first; f < tables_.count; ++f)
    if (tables_.columns.inverse[f] == 0) mend(static_cast<std::uint32_t>(f));
  nearest_ = kernels().nearest(tables_).face;
}

// Products did not fit: they are made of smaller numbers, and all decisions about the face are
// exact ones.
void ExpandingPolytope::mend(std::uint32_t face) {
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const Three &a = points_[corner[0]], &b = points_[corner[1]], &c = points_[corner[2]];
  const Vec3 u = (b - a).vec(), v = (c - a).vec();
  const double size = std::max(u.lpNorm<1>(), v.lpNorm<1>());
  const Three n(size > 0 ? unit_or_zero((u / size).cross(v / size)) : Vec3(Vec3::Zero()));
  tables_.columns.cross[0][face] = n.x, tables_.columns.cross[1][face] = n.y,
  tables_.columns.cross[2][face] = n.z;
  tables_.columns.inverse[face] = 1;
  tables_.columns.rounding[face] = kInfinity;
  tables_.columns.offset[face] = std::min(std::min(dot(n, a), dot(n, b)), dot(n, c));
}

bool ExpandingPolytope::sees_exactly(const Three& point, std::uint32_t face) const {
  const auto is_at = [&](const Three& p) {
    return point.x == p.x && point.y == p.y && point.z == p.z;
  };
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const Three &a = points_[corner[0]], &b = points_[corner[1]], &c = points_[corner[2]];
  if (is_at(a) || is_at(b) || is_at(c)) return false;
  return orient3d(a.vec(), b.vec(), c.vec(), point.vec()) < 0;
}

void ExpandingPolytope::find_seeing(std::uint32_t number) {
  kernels().see(tables_, number);
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
  // A border around so many triangles has at most two edges more.
  make_room(points_.size(), 2 * tables_.count + 4);
  find_seeing(number);
  if (face == kAnyFace ? !sees_any() : !has(sees_, face)) {
    points_.pop_back();
    return false;
  }
  const std::size_t first = tables_.count;
  const Grown grown = kernels().grow(tables_, number);
  dead_ += grown.buried;
  mend_new(first, grown);
  if (2 * dead_ > tables_.count + 128) leave_out_dead();
  return true;
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
    tables_.columns.inverse[to] = tables_.columns.inverse[f];
    tables_.columns.offset[to] = tables_.columns.offset[f];
  }
  nearest_ = number[nearest_];
  tables_.count = alive, dead_ = 0;
  std::ranges::fill(alive_, 0);
  for (std::size_t f = 0; f < alive; ++f) alive_[f / 64] |= std::uint64_t{1} << (f % 64);
  set_all_edges();
}

}  // namespace touche::convex
