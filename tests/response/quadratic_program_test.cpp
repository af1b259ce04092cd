// SPDX-License-Identifier: Apache-2.0
// Small quadratic programs against all sets of active constraints, one by one, and against the
// conditions that make a point the best.
#include "response/quadratic_program.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <optional>
#include <vector>

#include "base/random.h"
#include "counted_new.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::scaled;

struct Problem {
  response::Mat6 metric = response::Mat6::Identity();
  response::Vec6 start = response::Vec6::Zero();
  std::vector<response::LinearConstraint> constraints = {};

  double energy(const response::Vec6& x) const {
    return 0.5 * (x - start).dot(metric * (x - start));
  }
  double violation(const response::Vec6& x) const {
    double most = 0;
    for (const response::LinearConstraint& c : constraints)
      most = std::max(most, (c.b - c.a.dot(x)) / std::max(1.0, c.a.norm()));
    return most;
  }
};

constexpr double kClose = 1e-7;

response::Vec6 random_vector(base::Random& random, double size) {
  response::Vec6 v;
  for (double& value : v) value = random.uniform(-size, size);
  return v;
}
// Numbers that make ties: whole ones.
response::Vec6 whole_vector(base::Random& random, int size) {
  response::Vec6 v;
  for (double& value : v)
    value = static_cast<double>(random.below(static_cast<Index>(2 * size + 1))) - size;
  return v;
}

response::Mat6 random_metric(base::Random& random) {
  response::Mat6 root;
  for (Index i = 0; i < 6; ++i) root.col(i) = random_vector(random, 1);
  return root * root.transpose() + 0.1 * response::Mat6::Identity();
}

// The best point that fulfils all constraints, of the points that belong to sets of independent
// active constraints; empty if there is none.
std::optional<response::Vec6> by_enumeration(const Problem& p) {
  const response::Mat6 inverse = p.metric.inverse();
  std::optional<response::Vec6> best;
  const auto m = static_cast<unsigned>(p.constraints.size());
  for (unsigned set = 0; set < 1U << m; ++set) {
    std::vector<Index> active;
    for (Index i = 0; i < m; ++i)
      if ((set >> i & 1U) != 0) active.push_back(i);
    if (active.size() > 6) continue;
    const auto n = static_cast<Eigen::Index>(active.size());
    Eigen::MatrixXd a(n, 6);
    Eigen::VectorXd b(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      a.row(i) = p.constraints[active[static_cast<std::size_t>(i)]].a;
      b[i] = p.constraints[active[static_cast<std::size_t>(i)]].b;
    }
    response::Vec6 x = p.start;
    if (n > 0) {
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(a * inverse * a.transpose());
      if (qr.rank() < n) continue;
      x += inverse * a.transpose() * qr.solve(b - a * p.start);
    }
    if (p.violation(x) < kClose * (1 + x.norm()) && (!best || p.energy(x) < p.energy(*best)))
      best = x;
  }
  return best;
}

// Multipliers that are positive, and forces that balance: then no feasible point is better.
void expect_best(const Problem& p, const response::QuadraticProgram& qp) {
  EXPECT_LT(p.violation(qp.x()), kClose * (1 + qp.x().norm()));
  response::Vec6 force = p.metric * (qp.x() - p.start);
  double size = force.norm();
  EXPECT_LE(qp.active().size(), 6U);
  for (const auto& [constraint, multiplier] : qp.active()) {
    const response::LinearConstraint& c = p.constraints[constraint];
    EXPECT_GT(multiplier, 0);
    EXPECT_NEAR(c.a.dot(qp.x()), c.b, kClose * (1 + qp.x().norm()) * std::max(1.0, c.a.norm()));
    force -= multiplier * c.a;
    size += multiplier * c.a.norm();
  }
  EXPECT_LT(force.norm(), kClose * (1 + size));
}

// How often each outcome was found.
struct Counts {
  int optimal = 0, infeasible = 0, held = 0;
};

void compare(const Problem& p, response::QuadraticProgram& qp, Counts& counts) {
  const response::QpStatus status = qp.solve(p.metric, p.start, p.constraints);
  const std::optional<response::Vec6> best = by_enumeration(p);
  ASSERT_EQ(status == response::QpStatus::optimal, best.has_value());
  if (!best) {
    EXPECT_EQ(status, response::QpStatus::infeasible);
    ++counts.infeasible;
    return;
  }
  ++counts.optimal;
  if (!qp.active().empty()) ++counts.held;
  EXPECT_LT((qp.x() - *best).norm(), kClose * (1 + best->norm()));
  expect_best(p, qp);
}

TEST(QuadraticProgram, IsTheBestOfAllActiveSets) {
  base::Random random(1);
  response::QuadraticProgram qp;
  Counts counts;
  for (int i = 0; i < scaled(400); ++i) {
    Problem p{.metric = random_metric(random), .start = random_vector(random, 2)};
    const Index m = random.below(11);
    for (Index k = 0; k < m; ++k) {
      const response::Vec6 a = random_vector(random, 1);
      p.constraints.push_back({a, random.uniform(-0.5, 1)});
    }
    compare(p, qp, counts);
  }
  EXPECT_GT(counts.held, counts.optimal / 2);
}

TEST(QuadraticProgram, MeetsDegenerateCorners) {
  base::Random random(2);
  response::QuadraticProgram qp;
  Counts counts;
  for (int i = 0; i < scaled(400); ++i) {
    Problem p{.start = whole_vector(random, 2)};
    const Index m = 1 + random.below(11);
    for (Index k = 0; k < m; ++k) {
      const response::Vec6 a = whole_vector(random, 1);  // may be 0
      p.constraints.push_back({a, static_cast<double>(random.below(4)) - 1});
      const Index twin = random.below(2 * m);
      if (twin < p.constraints.size()) p.constraints.back() = p.constraints[twin];
    }
    compare(p, qp, counts);
  }
  EXPECT_GT(counts.infeasible, counts.optimal / 50);
  EXPECT_GT(counts.held, counts.infeasible);
}

// Contacts of large, flat and round surfaces give such constraints: hundreds that nearly say the
// same, and their opposites.
TEST(QuadraticProgram, BearsHundredsOfNearlyParallelConstraints) {
  base::Random random(3);
  response::QuadraticProgram qp;
  int held = 0;
  for (int i = 0; i < scaled(200); ++i) {
    Problem p{.metric = random_metric(random), .start = random_vector(random, 10)};
    std::vector<response::Vec6> normals;
    for (Index k = 0; k < 4; ++k) normals.push_back(random_vector(random, 1));
    const double spread = std::pow(10, random.uniform(-14, -1));
    for (int k = 0; k < 300; ++k) {
      const response::Vec6 around = random_vector(random, spread);
      const double sign = random.below(2) == 0 ? 1 : -1;
      // x = 0 fulfils all, some of them just so.
      const double room = random.below(3) == 0 ? 0 : random.uniform(0, 0.1);
      p.constraints.push_back({sign * normals[random.below(4)] + around, -room});
    }
    ASSERT_EQ(qp.solve(p.metric, p.start, p.constraints), response::QpStatus::optimal)
        << i << ' ' << spread;
    // Forces between walls that are nearly parallel are as large as their angle is small.
    EXPECT_LT(p.violation(qp.x()), kClose) << spread;
    EXPECT_LE(p.energy(qp.x()), p.energy(response::Vec6::Zero()) * (1 + 1e-4));
    if (spread > 1e-5) expect_best(p, qp);
    if (!qp.active().empty()) ++held;
  }
  EXPECT_GT(held, scaled(200) / 2);
}

// A positive sum of them says 0 >= something positive.
TEST(QuadraticProgram, TellsThatNothingFulfilsAll) {
  base::Random random(4);
  response::QuadraticProgram qp;
  int larger_room = 0;
  for (int i = 0; i < scaled(300); ++i) {
    Problem p{.metric = random_metric(random), .start = random_vector(random, 2)};
    const Index m = 1 + random.below(6);
    response::Vec6 sum = response::Vec6::Zero();
    double least = 0;
    for (Index k = 0; k < m; ++k) {
      const response::Vec6 a = random_vector(random, 1);
      const double b = random.uniform(-1, 1), share = random.uniform(0.5, 2);
      p.constraints.push_back({a, b});
      sum += share * a;
      least += share * b;
    }
    const double room = random.uniform(-0.5, 0.5);  // negative: there is none
    p.constraints.push_back({-sum, -least - room});
    const response::QpStatus status = qp.solve(p.metric, p.start, p.constraints);
    if (room < -1e-6) {
      EXPECT_EQ(status, response::QpStatus::infeasible) << i;
    } else if (room > 1e-6) {
      ++larger_room;
      ASSERT_EQ(status, response::QpStatus::optimal) << i << ' ' << room;
      expect_best(p, qp);
    }
  }
  EXPECT_GT(larger_room, scaled(300) / 4);
  EXPECT_LT(larger_room, scaled(300) * 3 / 4);
}

TEST(QuadraticProgram, AllocatesOnce) {
  base::Random random(5);
  Problem p{.metric = random_metric(random), .start = random_vector(random, 2)};
  for (int k = 0; k < 100; ++k) p.constraints.push_back({random_vector(random, 1), -0.1});
  response::QuadraticProgram qp;
  (void)qp.solve(p.metric, p.start, p.constraints);
  const std::size_t before = test::allocations;
  for (int k = 0; k < 10; ++k) (void)qp.solve(p.metric, p.start * k, p.constraints);
  EXPECT_EQ(test::allocations, before);
  EXPECT_FALSE(qp.active().empty());
}

}  // namespace
}  // namespace touche
