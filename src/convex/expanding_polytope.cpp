// SPDX-License-Identifier: Apache-2.0
#include "convex/expanding_polytope.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "geometry/predicates.h"
#include "math/rounding.h"

namespace touche::convex {

Vec3 ExpandingPolytope::normal(std::uint32_t face) const {
  const double inverse = columns_.inverse[face];
  return {inverse * columns_.cross[0][face], inverse * columns_.cross[1][face],
          inverse * columns_.cross[2][face]};
}

void ExpandingPolytope::make_room(std::size_t points, std::size_t faces) {
  if (points > begins_.size()) begins_.resize(2 * points);
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
  for (double*& c : columns_.cross) c = next(column);
  for (double*& c : columns_.anchor) c = next(column);
  columns_.rounding = next(column), columns_.inverse = next(column);
  columns_.offset = next(column);
  for (double*& c : staged_.from) c = next(staged);
  for (double*& c : staged_.to) c = next(staged);
}

void ExpandingPolytope::start(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  make_room(4, 4);
  points_.clear();
  for (const Vec3* p : {&a, &b, &c, &d}) points_.emplace_back(*p);
  std::ranges::fill(alive_, 0);
  count_ = dead_ = 0;
  // Seen from outside counter-clockwise: the fourth point is behind.
  constexpr Face kFaces[4] = {{{0, 1, 2}, {1, 2, 3}},
                              {{1, 0, 3}, {0, 3, 2}},
                              {{2, 1, 3}, {0, 1, 3}},
                              {{0, 2, 3}, {0, 2, 1}}};
  std::copy_n(kFaces, 4, faces_.begin());
  stage(0, 0, 1);
  add_staged(1, 2);
  for (std::size_t f = 0; f < 3; ++f) stage(f, kFaces[f + 1].corner[0], kFaces[f + 1].corner[1]);
  add_staged(3, 3);
}

void ExpandingPolytope::stage(std::size_t i, std::uint32_t from, std::uint32_t to) {
  const Three &p = points_[from], &q = points_[to];
  staged_.from[0][i] = p.x, staged_.from[1][i] = p.y, staged_.from[2][i] = p.z;
  staged_.to[0][i] = q.x, staged_.to[1][i] = q.y, staged_.to[2][i] = q.z;
}

void ExpandingPolytope::add_staged(std::size_t more, std::uint32_t apex) {
  const Three& p = points_[apex];
  const bool fit = kernels().add(columns_, count_, more, staged_, p.x, p.y, p.z);
  const std::size_t first = count_;
  count_ += more;
  for (std::size_t f = first; f < count_; ++f) alive_[f / 64] |= std::uint64_t{1} << (f % 64);
  if (fit) return;
  for (std::size_t f = first; f < count_; ++f)
    if (columns_.inverse[f] == 0) mend(static_cast<std::uint32_t>(f));
}

// Products did not fit: they are made of smaller numbers, and all decisions about the face are
// exact ones.
void ExpandingPolytope::mend(std::uint32_t face) {
  const std::array<std::uint32_t, 3>& corner = faces_[face].corner;
  const Three &a = points_[corner[0]], &b = points_[corner[1]], &c = points_[corner[2]];
  const Vec3 u = (b - a).vec(), v = (c - a).vec();
  const double size = std::max(u.lpNorm<1>(), v.lpNorm<1>());
  const Three n(size > 0 ? unit_or_zero((u / size).cross(v / size)) : Vec3(Vec3::Zero()));
  columns_.cross[0][face] = n.x, columns_.cross[1][face] = n.y, columns_.cross[2][face] = n.z;
  columns_.inverse[face] = 1;
  columns_.rounding[face] = kInfinity;
  columns_.offset[face] = std::min(std::min(dot(n, a), dot(n, b)), dot(n, c));
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

void ExpandingPolytope::find_seeing(const Three& point) {
  kernels().see(columns_, count_, point.x, point.y, point.z, sees_.data(), unsure_.data());
  for (std::size_t word = 0; 64 * word < count_; ++word) {
    sees_[word] &= alive_[word];
    for (std::uint64_t open = unsure_[word] & alive_[word]; open != 0; open &= open - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(open));
      const bool sees = sees_exactly(point, static_cast<std::uint32_t>(64 * word) + bit);
      sees_[word] |= static_cast<std::uint64_t>(sees) << bit;
    }
  }
}

/// Tells how many edges their border has; these are in no order.
std::size_t ExpandingPolytope::bury_seeing() {
  std::size_t edges = 0;
  for (std::size_t word = 0; 64 * word < count_; ++word) {
    for (std::uint64_t left = sees_[word]; left != 0; left &= left - 1) {
      const std::size_t f = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
      const Face& face = faces_[f];
      columns_.offset[f] = kInfinity;
      ++dead_;
      for (std::size_t k = 0; k < 3; ++k) {  // no branch: it would be mispredicted
        border_[edges] = {face.corner[k], face.corner[k < 2 ? k + 1 : 0], face.across[k]};
        edges += static_cast<std::size_t>(!has(sees_, face.across[k]));
      }
    }
    alive_[word] &= ~sees_[word];
  }
  return edges;
}

bool ExpandingPolytope::grow(const Vec3& point, std::uint32_t face) {
  const Three p(point);
  find_seeing(p);
  if (!has(sees_, face)) return false;
  const auto number = static_cast<std::uint32_t>(points_.size());
  points_.push_back(p);
  const std::size_t edges = bury_seeing();
  make_room(points_.size(), count_ + edges);
  const auto first = static_cast<std::uint32_t>(count_);
  for (std::uint32_t i = 0; i < edges; ++i) {
    const BorderEdge& e = border_[i];
    Face& f = faces_[first + i];
    f.corner = {e.from, e.to, number};
    f.across[0] = e.beyond;
    Face& beyond = faces_[e.beyond];
    const std::size_t back = beyond.corner[0] == e.to ? 0 : beyond.corner[1] == e.to ? 1 : 2;
    beyond.across[back] = first + i;
    begins_[e.from] = first + i;
    stage(i, e.from, e.to);
  }
  for (std::uint32_t i = 0; i < edges; ++i) {
    const std::uint32_t next = begins_[border_[i].to];
    faces_[first + i].across[1] = next;
    faces_[next].across[2] = first + i;
  }
  add_staged(edges, number);
  if (2 * dead_ > count_ + 128) leave_out_dead();
  return true;
}

void ExpandingPolytope::leave_out_dead() {
  std::vector<std::uint32_t>& number = renumbered_;
  number.resize(count_);
  std::uint32_t alive = 0;
  for (std::uint32_t f = 0; f < count_; ++f)
    if (is_alive(f)) number[f] = alive++;
  for (std::uint32_t f = 0; f < count_; ++f) {
    if (!is_alive(f)) continue;
    const std::uint32_t to = number[f];
    faces_[to] = faces_[f];
    for (std::uint32_t& g : faces_[to].across) g = number[g];
    for (std::size_t k = 0; k < 3; ++k) {
      columns_.cross[k][to] = columns_.cross[k][f];
      columns_.anchor[k][to] = columns_.anchor[k][f];
    }
    columns_.rounding[to] = columns_.rounding[f];
    columns_.inverse[to] = columns_.inverse[f];
    columns_.offset[to] = columns_.offset[f];
  }
  count_ = alive, dead_ = 0;
  std::ranges::fill(alive_, 0);
  for (std::size_t f = 0; f < count_; ++f) alive_[f / 64] |= std::uint64_t{1} << (f % 64);
  std::fill_n(columns_.offset + count_, kFaceBlock, kInfinity);
}

}  // namespace touche::convex
