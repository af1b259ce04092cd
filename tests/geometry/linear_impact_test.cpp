// SPDX-License-Identifier: Apache-2.0
// Contacts of linearly moving primitives against rational arithmetic: at the time reported they are
// that near, before it they are not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "exact.h"
#include "hit_share.h"
#include "progress_record.h"
#include "random.h"
#include "requested_cancel.h"
#include "test_scale.h"
#include "touche/linear.h"

namespace touche {
namespace {

using scenes::Random;
using test::Rational;
using test::RVec;
using Query = std::array<MovingVertex, 4>;

RVec place(const MovingVertex& v, double t) {
  return RVec(v.start) + Rational(t) * (RVec(v.end) - RVec(v.start));
}

enum class Kind { vertex_face, edge_edge };

Rational distance2(Kind kind, const Query& q, double t) {
  const RVec p0 = place(q[0], t), p1 = place(q[1], t), p2 = place(q[2], t), p3 = place(q[3], t);
  return kind == Kind::vertex_face ? test::point_triangle2(p0, {p1, p2, p3})
                                   : test::segment_segment2(p0, p1, p2, p3);
}

double distance(Kind kind, const Query& q, double t) {
  return std::sqrt(static_cast<double>(distance2(kind, q, t)));
}

LinearImpact impact(Kind kind, const Query& q, const LinearOptions& options = {}) {
  return kind == Kind::vertex_face ? vertex_face_impact(q, options) : edge_edge_impact(q, options);
}

/// What a smaller tolerance is raised to, see LinearOptions.
double least_tolerance(Kind kind, const Query& q) {
  const int of_first = kind == Kind::vertex_face ? 1 : 2;
  double most = 0;
  for (int i = 0; i < of_first; ++i)
    for (int j = of_first; j < 4; ++j)
      most = std::max(most, (q[i].start - q[j].start).lpNorm<1>() +
                                (q[i].end - q[i].start).lpNorm<1>() +
                                (q[j].end - q[j].start).lpNorm<1>());
  return 0x1p-45 * most;
}

double largest_difference(const Query& q) {
  Aabb box;
  for (const MovingVertex& v : q) {
    box.include(v.start);
    box.include(v.end);
  }
  return (box.hi - box.lo).maxCoeff();
}

/// Checks the conditions that every answer has to satisfy.
void judge(Kind kind, const Query& q, const LinearOptions& options, const LinearImpact& r,
           base::Random& random) {
  ASSERT_TRUE(r.complete) << r.steps << " steps";
  ASSERT_GE(r.t, 0);
  ASSERT_LE(r.t, 1);
  const double raised = least_tolerance(kind, q);
  EXPECT_LE(raised, 0x1p-41 * largest_difference(q) * (1 + 1e-15));
  if (r.contact) {
    const Rational most =
        Rational(options.clearance) + Rational(std::max(options.tolerance, raised));
    EXPECT_LE(distance2(kind, q, r.t), most * most);
  } else {
    EXPECT_EQ(r.t, 1);
  }
  for (int i = 0; i < 8; ++i) {
    const double t = i == 0 ? 0 : r.t * (i == 1 ? 1 - 1e-9 : random.uniform());
    if (t < r.t) {
      EXPECT_GT(distance2(kind, q, t), Rational(options.clearance) * Rational(options.clearance))
          << t << " of " << r.t;
    }
  }
}

MovingVertex moving(const Vec3& start, const Vec3& end) { return {start, end}; }

Query random_query(base::Random& random, double speed) {
  Query q;
  const Vec3 drift = speed * random.in_box(1);
  for (int i = 0; i < 4; ++i) {
    const Vec3 start = random.in_box(1);
    q[i] = {start, start + 0.5 * speed * random.in_box(1)};
  }
  q[0].end += drift;
  return q;
}

class Linear : public testing::TestWithParam<Kind> {};

TEST_P(Linear, RandomQueries) {
  base::Random random(41 + test::first_seed());
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(1500, 150); ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    Query q = random_query(random, 3);
    if (GetParam() == Kind::edge_edge) q[1].end += q[0].end - q[0].start;
    // Towards each other: halfway through, their middles are not far apart.
    const bool face = GetParam() == Kind::vertex_face;
    const auto half_way = [&](int i) { return Vec3(0.5 * (q[i].start + q[i].end)); };
    const Vec3 middle = face ? Vec3((half_way(1) + half_way(2) + half_way(3)) / 3)
                             : Vec3(0.5 * (half_way(2) + half_way(3)));
    const Vec3 from = face ? half_way(0) : Vec3(0.5 * (half_way(0) + half_way(1)));
    const Vec3 shift = middle - from + random.in_box(face ? 0.25 : 0.6);
    for (const int i : face ? std::vector{0} : std::vector{0, 1}) {
      q[i].start += shift;
      q[i].end += shift;
    }
    const LinearOptions options{.tolerance = round % 4 == 1 ? 0 : 1e-9,
                                .clearance = round % 3 == 0 ? random.uniform(0, 0.1) : 0};
    const LinearImpact r = impact(GetParam(), q, options);
    judge(GetParam(), q, options, r, random);
    hits += r.contact;
    ++total;
  }
  test::expect_about_half(hits, total);
}

// Aimed at each other, with gaps from none to a thousandth.
TEST_P(Linear, NearMisses) {
  base::Random random(42 + test::first_seed());
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(1000, 150); ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    Query q = random_query(random, 1);
    // At t = s the first primitive's point lies on the other one, up to a gap.
    const double s = random.uniform(0.05, 0.95);
    const double w0 = random.uniform(), w1 = random.uniform(0, 1 - w0);
    const auto at = [&](int i) { return Vec3(q[i].start + s * (q[i].end - q[i].start)); };
    const bool face = GetParam() == Kind::vertex_face;
    const Vec3 target = face ? Vec3(w0 * at(1) + w1 * at(2) + (1 - w0 - w1) * at(3))
                             : Vec3(w1 * at(2) + (1 - w1) * at(3));
    const Vec3 from = face ? at(0) : Vec3(w0 * at(0) + (1 - w0) * at(1));
    const Vec3 normal =
        face ? (at(2) - at(1)).cross(at(3) - at(1)) : (at(1) - at(0)).cross(at(3) - at(2));
    const double gap = round % 3 == 0 ? 0 : std::pow(10, random.uniform(-10, -3));
    const Vec3 shift = target - from + gap * normal.normalized();
    for (const int i : face ? std::vector{0} : std::vector{0, 1}) {
      q[i].start += shift;
      q[i].end += shift;
    }
    // Without speed across it, the gap is the least distance there is: grazing.
    if (round % 8 < 5)
      for (MovingVertex& v : q) {
        const Vec3 n = normal.normalized();
        const Vec3 across = n * n.dot(v.end - v.start);
        v.start += s * across;
        v.end -= (1 - s) * across;
      }
    const LinearOptions options{.tolerance = 1e-11};
    const LinearImpact r = impact(GetParam(), q, options);
    judge(GetParam(), q, options, r, random);
    if (gap == 0) {
      EXPECT_TRUE(distance(GetParam(), q, s) > 1e-12 || r.contact) << round;
    }
    hits += r.contact;
    ++total;
  }
  test::expect_about_half(hits, total);
}

// Corners on a small grid: coplanar, parallel, collapsed, touching at the start, at the end, along
// a whole edge.
TEST_P(Linear, SmallGrid) {
  base::Random random(43 + test::first_seed());
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(2000, 200); ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    Query q;
    const auto point = [&] {
      return Vec3(random.below(3), random.below(3), random.below(round % 2 == 0 ? 3 : 2));
    };
    for (MovingVertex& v : q) v = {point(), point()};
    const LinearImpact r = impact(GetParam(), q);
    judge(GetParam(), q, {}, r, random);
    hits += r.contact;
    ++total;
  }
  test::expect_about_half(hits, total);
}

// At any size, and anywhere.
TEST_P(Linear, ScalesAndOffsets) {
  base::Random random(44 + test::first_seed());
  for (int round = 0; round < test::scaled(120, 30); ++round)
    for (const double scale : {1e-6, 1e6})
      for (const double offset : {0.0, 1e6}) {
        Query q = random_query(random, 3);
        const Vec3 away = offset * scale * random.direction();
        for (MovingVertex& v : q) v = {scale * v.start + away, scale * v.end + away};
        const LinearOptions options{.tolerance = 1e-8 * scale};
        judge(GetParam(), q, options, impact(GetParam(), q, options), random);
      }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Linear, testing::Values(Kind::vertex_face, Kind::edge_edge),
                         [](const auto& kind) {
                           return kind.param == Kind::vertex_face ? "vertex_face" : "edge_edge";
                         });

TEST(LinearImpacts, ClosedForms) {
  const MovingVertex a = moving({-2, 0, -1}, {-2, 0, -1}), b = moving({2, 0, -1}, {2, 0, -1}),
                     c = moving({0, 0, 3}, {0, 0, 3});
  // A vertex that falls straight onto a face at rest.
  for (const double y : {-0.5, -1e-12, 0.0, 1e-12, 0.25}) {
    const LinearImpact r = vertex_face_impact({moving({0.1, 0.5, 0}, {0.1, y, 0}), a, b, c});
    EXPECT_EQ(r.contact, y <= 0);
    if (y <= 0) {
      EXPECT_LE(r.t, 0.5 / (0.5 - y));
      EXPECT_NEAR(r.t, 0.5 / (0.5 - y), 1e-12);
    }
  }
  // With a clearance it is met earlier.
  const LinearImpact early =
      vertex_face_impact({moving({0.1, 0.5, 0}, {0.1, -0.5, 0}), a, b, c}, {.clearance = 0.25});
  EXPECT_NEAR(early.t, 0.25, 1e-12);
  EXPECT_NEAR(early.distance, 0.25, 1e-12);
  // Beside the face by 1e-8: the data's closed form.
  const LinearImpact beside =
      vertex_face_impact({moving({2 + 1e-8, 0.5, -1}, {2 + 1e-8, -0.5, -1}), a, b, c});
  EXPECT_FALSE(beside.contact);
  // Edges that cross.
  const LinearImpact cross =
      edge_edge_impact({moving({-1, 1, 0}, {-1, -3, 0}), moving({1, 1, 0}, {1, -3, 0}),
                        moving({0, 0, -1}, {0, 0, -1}), moving({0, 0, 1}, {0, 0, 1})});
  EXPECT_TRUE(cross.contact);
  EXPECT_NEAR(cross.t, 0.25, 1e-12);
}

TEST(LinearImpacts, ManyAreAnsweredAsOneByOne) {
  base::Random random(45 + test::first_seed());
  std::vector<Query> queries;
  for (int i = 0; i < 1000; ++i) queries.push_back(random_query(random, 3));
  std::vector<LinearImpact> one(queries.size()), two(queries.size());
  for (const Kind kind : {Kind::vertex_face, Kind::edge_edge}) {
    const auto many = kind == Kind::vertex_face ? vertex_face_impacts : edge_edge_impacts;
    many(queries, one, {.tolerance = 1e-9}, 1);
    many(queries, two, {.tolerance = 1e-9}, 2);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const LinearImpact r = impact(kind, queries[i], {.tolerance = 1e-9});
      EXPECT_EQ(one[i].t, r.t);
      EXPECT_EQ(two[i].t, r.t);
      EXPECT_EQ(two[i].contact, r.contact);
    }
    EXPECT_THROW(many(queries, std::span(one).first(3), {}, 1), InvalidInput);
  }
}

// Stopped after any number of steps, what was proved until then holds, and nothing is free.
TEST(LinearImpacts, SayWhenTheirBudgetEnds) {
  base::Random random(48 + test::first_seed());
  int interrupted = 0;
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(test::case_of_seed(round));
    const Query q = random_query(random, 3);
    for (const Kind kind : {Kind::vertex_face, Kind::edge_edge}) {
      const LinearImpact whole = impact(kind, q, {.tolerance = 1e-9});
      double proved = 0;
      for (std::uint32_t work = 0; work <= whole.steps; ++work) {
        const LinearImpact r = impact(kind, q, {.tolerance = 1e-9, .max_steps = work});
        if (work == whole.steps) {
          EXPECT_EQ(r.t, whole.t);
          EXPECT_EQ(r.complete, whole.complete);
          continue;
        }
        EXPECT_TRUE(r.contact && !r.complete);
        EXPECT_EQ(r.steps, work);
        EXPECT_GE(r.t, proved);
        EXPECT_LE(r.t, whole.t);
        proved = r.t;
        ++interrupted;
      }
    }
  }
  EXPECT_GT(interrupted, 500);
}

TEST(LinearImpacts, ManyAreStopped) {
  base::Random random(49);
  std::vector<Query> queries;
  for (int i = 0; i < 1000; ++i) queries.push_back(random_query(random, 3));
  std::vector<LinearImpact> results(queries.size());
  const Cancel cancel = test::requested();
  test::ProgressRecord progress;
  vertex_face_impacts(queries, results,
                      {.budget = {.cancel = cancel, .progress = progress.function()}}, 2);
  EXPECT_EQ(progress.done, queries.size());
  EXPECT_EQ(progress.total, queries.size());
  for (const LinearImpact& r : results) {
    EXPECT_TRUE(r.contact && !r.complete);
    EXPECT_EQ(r.t, 0);
  }
}

// Differences that are no numbers any more prove nothing.
TEST(LinearImpacts, NumbersTooLargeAreNotDecided) {
  base::Random random(47);
  Query q = random_query(random, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    Query huge = q;
    huge[i] = {Vec3(1.7e308, 0, 0), Vec3(-1.7e308, 1e308, 0)};
    for (const Kind kind : {Kind::vertex_face, Kind::edge_edge}) {
      const LinearImpact r = impact(kind, huge, {});
      EXPECT_TRUE(r.contact);
      EXPECT_FALSE(r.complete);
      EXPECT_EQ(r.t, 0);
    }
  }
}

TEST(LinearImpacts, BadInputIsRefused) {
  base::Random random(46);
  const Query good = random_query(random, 1);
  Query bad = good;
  bad[2].end.y() = std::nan("");
  EXPECT_THROW((void)vertex_face_impact(bad), InvalidInput);
  EXPECT_THROW((void)edge_edge_impact(bad), InvalidInput);
  for (const double x : {-1.0, std::nan(""), kInfinity}) {
    EXPECT_THROW((void)vertex_face_impact(good, {.tolerance = x}), InvalidInput);
    EXPECT_THROW((void)edge_edge_impact(good, {.clearance = x}), InvalidInput);
  }
}

}  // namespace
}  // namespace touche
