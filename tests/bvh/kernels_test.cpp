// SPDX-License-Identifier: Apache-2.0
// Single precision must err to the safe side: bounds of triangles' distances against their
// distances in double precision, on every instruction set.
#include "bvh/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "geometry/triangle_pair.h"
#include "random.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;

struct ShapeOfPairs {
  const char* name;
  std::function<Triangle(base::Random&)> make;
  double tight;  // share of pairs whose bound must be nearly their distance
};

Triangle scaled(const Triangle& t, const Vec3& by) {
  return {t[0].cwiseProduct(by), t[1].cwiseProduct(by), t[2].cwiseProduct(by)};
}

Triangle random_triangle(base::Random& random) {
  return {random.in_box(0.1), random.in_box(0.1), random.in_box(0.1)};
}

const ShapeOfPairs kShapes[] = {
    {"any", random_triangle, 0.99},
    {"small", [](base::Random& r) { return scaled(random_triangle(r), Vec3::Constant(1e-3)); },
     0.99},
    {"parallel", [](base::Random& r) { return scaled(random_triangle(r), Vec3(1, 1, 0)); }, 0.99},
    {"needles", [](base::Random& r) { return scaled(random_triangle(r), Vec3(1, 1e-5, 1e-5)); },
     0.5},
    {"segments",
     [](base::Random& r) {
       const Vec3 p = r.in_box(0.1), q = r.in_box(0.1);
       return Triangle{p, q, q};
     },
     0.99},
    {"points",
     [](base::Random& r) {
       return Triangle{Vec3::Zero(), Vec3::Zero(), 0 * r.direction()};
     },
     0.99},
};

/// Pairs of disjoint triangles as the kernels get them: every coordinate wrong by up to `error`.
struct Pairs {
  bvh::TriangleBatch batch;
  double distance[bvh::kBatch];

  Pairs(const ShapeOfPairs& shape, int count, float error, base::Random& random) {
    while (batch.count < count) {
      Triangle a = shape.make(random), b = shape.make(random);
      const Vec3 to_a = random.in_box(0.5), to_b = to_a + random.in_box(0.2);
      for (std::size_t v = 0; v < 3; ++v) {
        a[v] += to_a;
        b[v] += to_b;
      }
      const double d = geometry::closest_points(a, b).distance;
      if (d == 0) continue;
      const auto at = batch.count++;
      distance[at] = d;
      batch.error[at] = error + 6e-8f;  // and rounded
      const auto wrong = [&](double x) {
        return static_cast<float>(x + static_cast<double>(error) * random.uniform(-1, 1));
      };
      for (std::size_t v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k) {
          batch.a[v][k][at] = wrong(a[v][k]);
          batch.b[v][k][at] = wrong(b[v][k]);
        }
    }
    for (int at = count; at < bvh::kBatch;
         ++at) {  // where nothing waits there are numbers of before
      batch.error[at] = 0;
      for (std::size_t v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k) batch.a[v][k][at] = batch.b[v][k][at] = 0.25f;
    }
  }
};

class Measure : public testing::TestWithParam<ShapeOfPairs> {};

TEST_P(Measure, NeverAboveTheDistanceAndMostlyNearIt) {
  const ShapeOfPairs& shape = GetParam();
  base::Random random(1);
  int tight = 0, total = 0;
  for (int round = 0; round < test::scaled(4000, 200); ++round) {
    const float error = round % 2 == 0 ? 0.0f : 1e-6f;
    const int count = 1 + static_cast<int>(random.below(bvh::kBatch));
    const Pairs pairs(shape, count, error, random);
    const float target = static_cast<float>(random.uniform(0, 0.04));
    float first[bvh::kBatch];
    std::uint32_t first_near = 0;
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      bvh::TriangleBatch batch = pairs.batch;
      float squared[bvh::kBatch];
      const std::uint32_t near = kernel.measure(batch, count, target, squared);
      EXPECT_EQ(batch.count, 0);
      if (&kernel == &bvh::all_kernels().front()) {
        first_near = near;
        std::copy_n(squared, count, first);
      }
      EXPECT_EQ(near, first_near) << kernel.name;
      for (int n = 0; n < count; ++n) {
        EXPECT_EQ(squared[n], first[n]) << kernel.name;
        EXPECT_EQ(squared[n] <= target, (near >> n & 1) != 0);
      }
    }
    for (int n = 0; n < count; ++n) {
      const double lower = std::sqrt(static_cast<double>(first[n]));
      EXPECT_LE(lower, pairs.distance[n] * (1 + 1e-12)) << round;
      ++total;
      tight += lower >= 0.999 * pairs.distance[n] - 20 * (static_cast<double>(error) + 6e-8);
    }
  }
  EXPECT_GE(tight, shape.tight * total);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Measure, testing::ValuesIn(kShapes),
                         [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace touche
