// SPDX-License-Identifier: Apache-2.0
#include "dynamics/joint_system.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace touche::dynamics {
namespace {

// A pivot below this share of its diagonal element belongs to a row that others imply. Rows of an
// open loop are implied only up to about the square of the opening, so the share grows with that,
// but never beyond kMostImplied.
constexpr double kImplied = 1e-13, kImpliedByOpening = 10, kMostImplied = 1e-4;
// Another row of a joint is taken first if the rows taken before leave this many times as much of
// it.
constexpr double kMoreOwn = 4;
constexpr std::size_t kMostRows = std::tuple_size_v<decltype(JointRows::rows)>;

bool shares_body(const JointBlock& p, const JointBlock& q, std::span<const SolverBody> bodies) {
  for (const Index x : {p.a, p.b})
    if (bodies[x].inverse_mass > 0 && (x == q.a || x == q.b)) return true;
  return false;
}

}  // namespace

// Orders blocks by a breadth-first search from a block at one end, so that blocks that share a body
// are near each other in the order.
void JointSystem::order_blocks(std::span<const SolverBody> bodies) {
  const std::size_t count = blocks_.size();
  std::vector<std::vector<std::size_t>> beside(count);
  std::vector<std::pair<Index, std::size_t>> users;
  for (std::size_t p = 0; p < count; ++p) {
    for (const Index body : {blocks_[p].a, blocks_[p].b})
      if (bodies[body].inverse_mass > 0) users.emplace_back(body, p);
  }
  std::sort(users.begin(), users.end());
  for (std::size_t i = 0; i < users.size();) {
    std::size_t end = i;
    while (end < users.size() && users[end].first == users[i].first) ++end;
    for (std::size_t x = i; x < end; ++x)
      for (std::size_t y = i; y < end; ++y)
        if (x != y) beside[users[x].second].push_back(users[y].second);
    i = end;
  }
  std::vector<bool> seen(count, false);
  const auto search = [&](std::size_t from) {
    const std::size_t begin = order_.size();
    order_.push_back(from);
    seen[from] = true;
    for (std::size_t i = begin; i < order_.size(); ++i)
      for (const std::size_t next : beside[order_[i]])
        if (!seen[next]) {
          seen[next] = true;
          order_.push_back(next);
        }
    return begin;
  };
  order_.clear();
  for (std::size_t p = 0; p < count; ++p) {
    if (seen[p]) continue;
    const std::size_t begin = search(p);
    const std::size_t last = order_.back();
    for (std::size_t i = begin; i < order_.size(); ++i) seen[order_[i]] = false;
    order_.resize(begin);
    (void)search(last);
  }
}

// An element of J M⁻¹ Jᵀ: row i of block p, row j of block q.
double JointSystem::coupling(std::size_t p, int i, std::size_t q, int j,
                             std::span<const SolverBody> bodies) const {
  const JointBlock &x = blocks_[p], &y = blocks_[q];
  const JointRow &r = x.made.rows[static_cast<std::size_t>(i)],
                 &s = y.made.rows[static_cast<std::size_t>(j)];
  double sum = 0;
  const auto add = [&](Index body, const Vec3& lever_r, const Vec3& lever_s, double sign) {
    const SolverBody& of = bodies[body];
    if (!(of.inverse_mass > 0)) return;
    sum += sign * (of.inverse_mass * r.direction.dot(s.direction) +
                   lever_r.dot(of.inverse_inertia * lever_s));
  };
  if (x.a == y.a) add(x.a, r.lever_a, s.lever_a, 1);
  if (x.b == y.b) add(x.b, r.lever_b, s.lever_b, 1);
  if (x.a == y.b) add(x.a, r.lever_a, s.lever_b, -1);
  if (x.b == y.a) add(x.b, r.lever_b, s.lever_a, -1);
  return sum;
}

void JointSystem::build(std::span<const SolverBody> bodies, std::span<const JointBlock> blocks,
                        double open) {
  implied_ = std::clamp(kImpliedByOpening * open * open, kImplied, kMostImplied);
  blocks_.assign(blocks.begin(), blocks.end());
  std::size_t row = 0;
  first_row_.clear();
  for (const JointBlock& block : blocks_) {
    first_row_.push_back(row);
    row += static_cast<std::size_t>(block.made.count);
  }
  order_blocks(bodies);

  rows_.clear();
  values_.clear();
  inverse_.assign(row, 0);
  work_.assign(row, 0);
  begin_.resize(blocks_.size());
  for (std::size_t o = 0; o < order_.size(); ++o) {
    list_rows(o, bodies);
    factor_rows(o, bodies);
  }
}

// Adds the rows of a block at its position in the order, with their couplings to the rows before
// it. Rows of a block may be swapped, so each has room for the whole block.
void JointSystem::list_rows(std::size_t o, std::span<const SolverBody> bodies) {
  const std::size_t p = order_[o];
  std::size_t from = o;
  for (std::size_t before = 0; before < o; ++before)
    if (shares_body(blocks_[order_[before]], blocks_[p], bodies)) {
      from = before;
      break;
    }
  const int count = blocks_[p].made.count;
  begin_[o] = rows_.size();
  for (int i = 0; i < count; ++i) {
    rows_.push_back({begin_[from], values_.size(), first_row_[p] + static_cast<std::size_t>(i)});
    for (std::size_t other = from; other < o; ++other) {
      const std::size_t q = order_[other];
      for (int j = 0; j < blocks_[q].made.count; ++j) {
        const Row& row = rows_[begin_[other] + static_cast<std::size_t>(j)];
        values_.push_back(coupling(p, i, q, static_cast<int>(row.row - first_row_[q]), bodies));
      }
    }
    values_.resize(values_.size() + static_cast<std::size_t>(count));
  }
}

// Factors the rows of a block. The rows before it are factored already.
void JointSystem::factor_rows(std::size_t o, std::span<const SolverBody> bodies) {
  const std::size_t p = order_[o], first = begin_[o], count = rows_.size() - first;
  // The part of these rows that the rows before the block do not imply (the Schur complement).
  std::array<std::array<double, kMostRows>, kMostRows> left;
  std::array<double, kMostRows> diagonal;
  for (std::size_t i = 0; i < count; ++i) {
    const Row& at = rows_[first + i];
    double* const mine = values_.data() + at.at;  // column c is at c − at.from
    for (std::size_t j = at.from; j < first; ++j) {
      const Row& other = rows_[j];
      const double* const theirs = values_.data() + other.at;
      double value = mine[j - at.from];
      for (std::size_t k = std::max(at.from, other.from); k < j; ++k)
        value -= mine[k - at.from] * theirs[k - other.from];
      mine[j - at.from] = value;  // times D of that column
    }
    for (std::size_t c = 0; c <= i; ++c) {
      double value = coupling(p, static_cast<int>(i), p, static_cast<int>(c), bodies);
      if (c == i) diagonal[i] = value;
      const double* const theirs = values_.data() + rows_[first + c].at;
      for (std::size_t j = at.from; j < first; ++j) {
        const double scaled = c < i ? theirs[j - at.from] : mine[j - at.from] * inverse_[j];
        value -= mine[j - at.from] * scaled;
        if (c == i) mine[j - at.from] = scaled;
      }
      left[i][c] = left[c][i] = value;
    }
  }

  for (std::size_t k = 0; k < count; ++k) {
    const auto share = [&](std::size_t i) {
      return diagonal[i] > 0 ? left[i][i] / diagonal[i] : 0;
    };
    std::size_t best = k;
    for (std::size_t i = k + 1; i < count; ++i)
      if (share(i) > share(best)) best = i;
    if (share(best) > kMoreOwn * share(k)) {
      std::swap(rows_[first + k], rows_[first + best]);
      std::swap(diagonal[k], diagonal[best]);
      std::swap(left[k], left[best]);
      for (std::size_t i = k; i < count; ++i) std::swap(left[i][k], left[i][best]);
    }
    const double inverse = left[k][k] > implied_ * diagonal[k] ? 1 / left[k][k] : 0;
    inverse_[first + k] = inverse;
    for (std::size_t i = k + 1; i < count; ++i) {
      const Row& at = rows_[first + i];
      values_[at.at + first + k - at.from] = left[i][k] * inverse;
      for (std::size_t c = k + 1; c <= i; ++c)
        left[i][c] = left[c][i] = left[i][c] - left[i][k] * (left[c][k] * inverse);
    }
  }
}

void JointSystem::speeds(std::span<const SolverBody> bodies, std::vector<double>& out) const {
  out.clear();
  for (const JointBlock& block : blocks_) {
    const SolverBody &a = bodies[block.a], &b = bodies[block.b];
    for (int i = 0; i < block.made.count; ++i) {
      const JointRow& row = block.made.rows[static_cast<std::size_t>(i)];
      out.push_back(row.direction.dot(b.linear - a.linear) + row.lever_b.dot(b.angular) -
                    row.lever_a.dot(a.angular));
    }
  }
}

void JointSystem::solve(std::vector<double>& rows) {
  const std::size_t count = rows_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Row& at = rows_[i];
    double value = rows[at.row];
    for (std::size_t j = at.from; j < i; ++j) value -= values_[at.at + j - at.from] * work_[j];
    work_[i] = value;
  }
  for (std::size_t i = 0; i < count; ++i) work_[i] *= inverse_[i];
  for (std::size_t i = count; i-- > 0;) {
    const Row& at = rows_[i];
    for (std::size_t j = at.from; j < i; ++j) work_[j] -= values_[at.at + j - at.from] * work_[i];
  }
  for (std::size_t i = 0; i < count; ++i) rows[rows_[i].row] = work_[i];
}

void JointSystem::apply(std::span<SolverBody> bodies, std::span<const double> impulses) const {
  std::size_t at = 0;
  for (const JointBlock& block : blocks_) {
    SolverBody &a = bodies[block.a], &b = bodies[block.b];
    Vec3 push = Vec3::Zero(), turn_a = Vec3::Zero(), turn_b = Vec3::Zero();
    for (int i = 0; i < block.made.count; ++i) {
      const JointRow& row = block.made.rows[static_cast<std::size_t>(i)];
      const double impulse = impulses[at++];
      push += impulse * row.direction;
      turn_a += impulse * row.lever_a;
      turn_b += impulse * row.lever_b;
    }
    a.linear -= a.inverse_mass * push;
    a.angular -= a.inverse_inertia * turn_a;
    b.linear += b.inverse_mass * push;
    b.angular += b.inverse_inertia * turn_b;
  }
}

void JointSystem::change(std::span<SolverBody> bodies, std::vector<double>& rows) {
  solve(rows);
  apply(bodies, rows);
}

void JointSystem::project(std::span<SolverBody> bodies, std::vector<double>& impulses) {
  speeds(bodies, impulses);
  for (double& speed : impulses) speed = -speed;
  change(bodies, impulses);
}

}  // namespace touche::dynamics
