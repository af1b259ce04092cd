// SPDX-License-Identifier: Apache-2.0
#include "response/quadratic_program.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace touche::response {
namespace {

// A unit normal whose component outside of the others' span is shorter than this counts as within
// it: the direction of such a component is not known. If x = 0 is feasible, |y| <= 2 |y0|, and a
// constraint that depends on the others like this is violated by less than 1e-10 · 2 |y0|, which is
// below the slack. So such constraints are never reported as infeasible.
constexpr double kDependent = 1e-10;
constexpr double kMultiplierSlack = 1e-9;

constexpr int kMostIterations = 1000;

}  // namespace

QpStatus QuadraticProgram::solve(const Mat6& metric, const Vec6& start,
                                 std::span<const LinearConstraint> constraints) {
  const Eigen::LLT<Mat6> cholesky(metric);
  const Mat6 factor = cholesky.matrixL();
  normalize(factor, constraints);
  y0_ = y_ = factor.transpose() * start;
  count_ = 0;
  iterations_ = 0;
  const QpStatus status = run();
  x_ = count_ == 0 ? start : Vec6(factor.transpose().triangularView<Eigen::Upper>().solve(y_));
  for (std::size_t i = 0; i < count_; ++i) active_[i].multiplier /= lengths_[active_[i].constraint];
  return status;
}

void QuadraticProgram::normalize(const Mat6& factor,
                                 std::span<const LinearConstraint> constraints) {
  const Mat6 inverse = factor.triangularView<Eigen::Lower>().solve(Mat6(Mat6::Identity()));
  planes_.resize(constraints.size());
  lengths_.resize(constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Vec6 normal = inverse * constraints[i].a;
    const double length = normal.norm();
    // Without a direction it is a statement about numbers only: 0 >= b.
    const bool says_nothing = !(length > 0);
    planes_[i] = {says_nothing ? Vec6(Vec6::Zero()) : Vec6(normal / length),
                  says_nothing ? constraints[i].b : constraints[i].b / length};
    lengths_[i] = says_nothing ? 1 : length;
  }
}

QuadraticProgram::Violated QuadraticProgram::most_violated(const Vec6& y) const {
  Violated worst{kNone, slack_};
  for (std::size_t i = 0; i < planes_.size(); ++i) {
    const double by = planes_[i].b - planes_[i].a.dot(y);
    if (by > worst.by) worst = {static_cast<Index>(i), by};
  }
  return worst;
}

QpStatus QuadraticProgram::run() {
  for (;;) {
    slack_ = kMultiplierSlack * std::max(y0_.norm(), (y_ - y0_).norm());
    const Violated violated = most_violated(y_);
    if (violated.constraint == kNone) break;
    const QpStatus status = take_up(violated);
    if (status != QpStatus::optimal) return status;
  }
  // Constraints that hold nothing back are dropped.
  for (std::size_t i = count_; i-- > 0;)
    if (!(active_[i].multiplier > 0)) drop(i);
  return QpStatus::optimal;
}

// Moves y until the constraint holds, while all active ones hold as equations; active ones whose
// multipliers would become negative are dropped meanwhile. The value of the dual grows in either
// case.
QpStatus QuadraticProgram::take_up(Violated violated) {
  const Vec6 normal = planes_[violated.constraint].a;
  double multiplier = 0;
  for (;;) {
    if (++iterations_ > kMostIterations) return QpStatus::stalled;
    Vec6 outside;
    const Vec6 shares = along_active(normal, outside);
    const double squared = outside.squaredNorm();
    const bool depends = count_ == 6 || squared < kDependent * kDependent;

    double step = depends ? kInfinity : violated.by / squared;
    std::size_t blocking = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!(shares[i] > 0)) continue;
      const double until = active_[i].multiplier / shares[i];
      if (until < step) {
        step = until;
        blocking = i;
      }
    }
    if (step == kInfinity) return QpStatus::infeasible;

    for (std::size_t i = 0; i < count_; ++i)
      active_[i].multiplier = std::max(0.0, active_[i].multiplier - step * shares[i]);
    multiplier += step;
    if (!depends) {
      y_ += step * outside;
      violated.by -= step * squared;
    }
    if (blocking == count_) {
      add(violated.constraint, multiplier);
      return QpStatus::optimal;
    }
    drop(blocking);
  }
}

void QuadraticProgram::add(Index constraint, double multiplier) {
  active_[count_++] = {constraint, multiplier};
  factorize();
  meet_active();
}

void QuadraticProgram::drop(std::size_t position) {
  std::move(active_.begin() + position + 1, active_.begin() + count_, active_.begin() + position);
  --count_;
  factorize();
}

// Gram-Schmidt, applied twice: then q is orthonormal except for rounding, however small the angles.
void QuadraticProgram::factorize() {
  r_.setZero();
  for (std::size_t i = 0; i < count_; ++i) {
    Vec6 rest = planes_[active_[i].constraint].a;
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < i; ++j) {
        const double share = q_.col(j).dot(rest);
        r_(j, i) += share;
        rest -= share * q_.col(j);
      }
    r_(i, i) = rest.norm();
    q_.col(i) = rest / r_(i, i);
  }
}

// Coefficients of the active normals whose sum is nearest to the direction, and what is left.
Vec6 QuadraticProgram::along_active(const Vec6& direction, Vec6& rest) const {
  rest = direction;
  Vec6 shares = Vec6::Zero();
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t j = 0; j < count_; ++j) {
      const double share = q_.col(j).dot(rest);
      shares[j] += share;
      rest -= share * q_.col(j);
    }
  for (std::size_t j = count_; j-- > 0;) {
    for (std::size_t k = j + 1; k < count_; ++k) shares[j] -= r_(j, k) * shares[k];
    shares[j] /= r_(j, j);
  }
  return shares;
}

// Recomputes y from the active constraints as equations, and the multipliers with it, so that
// errors do not add up.
void QuadraticProgram::meet_active() {
  Vec6 along = Vec6::Zero();  // y − y0 in terms of q
  for (std::size_t i = 0; i < count_; ++i) {
    const LinearConstraint& plane = planes_[active_[i].constraint];
    double b = plane.b - plane.a.dot(y0_);
    for (std::size_t j = 0; j < i; ++j) b -= r_(j, i) * along[j];
    along[i] = b / r_(i, i);
  }
  y_ = y0_;
  for (std::size_t i = 0; i < count_; ++i) y_ += along[i] * q_.col(i);
  for (std::size_t i = count_; i-- > 0;) {
    double multiplier = along[i];
    for (std::size_t k = i + 1; k < count_; ++k) multiplier -= r_(i, k) * active_[k].multiplier;
    active_[i].multiplier = std::max(0.0, multiplier / r_(i, i));
  }
}

}  // namespace touche::response
