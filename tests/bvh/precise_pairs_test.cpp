// SPDX-License-Identifier: Apache-2.0
// Pairs of triangles that are decided in double precision: as the exact test decides them, on every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "bvh/kernels.h"
#include "geometry/triangle_pair.h"
#include "hit_share.h"
#include "test_scale.h"

namespace touche {
namespace {

struct Pair {
  Triangle a, b;
};

/// Makes triangles of any size and position. Many are needles, and in many pairs one has a corner
/// in the plane or on an edge of the other, up to a few roundings.
Pair random_pair(base::Random& random) {
  const double scale = std::exp2(random.below(4) == 0 ? random.uniform(-250, 250) : 0);
  const Vec3 far = random.below(4) == 0 ? Vec3(1000 * random.in_box(1)) : Vec3(Vec3::Zero());
  const auto triangle = [&] {
    Triangle t{random.in_box(1), random.in_box(1), random.in_box(1)};
    if (random.below(3) == 0) t[2] = t[1] + std::exp2(-random.uniform(0, 40)) * random.in_box(1);
    return t;
  };
  Pair pair{triangle(), triangle()};
  const double s = random.uniform(-0.2, 1), t = random.uniform(0, 1 - s);
  const Vec3 in_plane = pair.a[0] + s * (pair.a[1] - pair.a[0]) + t * (pair.a[2] - pair.a[0]);
  switch (random.below(4)) {
    case 0:
      pair.b[0] = in_plane;
      break;
    case 1:
      for (Vec3& corner : pair.b) corner += in_plane - pair.b[1];
      break;
    case 2:
      pair.b[2] = pair.a[random.below(3)];
      break;
    default:
      break;
  }
  for (Triangle* triangle_of : {&pair.a, &pair.b})
    for (Vec3& corner : *triangle_of) corner = scale * (corner + far);
  return pair;
}

TEST(PrecisePairs, AreDecidedAsTheExactTestDoes) {
  base::Random random(1);
  int decided = 0, hits = 0, total = 0;
  for (int round = 0; round < test::scaled(20000, 500); ++round) {
    const int count = 1 + static_cast<int>(random.below(bvh::kWidth));
    Pair pairs[bvh::kWidth];
    bvh::PrecisePairs precise;
    for (int lane = 0; lane < bvh::kWidth; ++lane) {
      if (lane < count) pairs[lane] = random_pair(random);
      for (std::size_t v = 0; v < 3; ++v)
        for (int k = 0; k < 3; ++k) {
          precise.a[v][k][lane] = pairs[lane < count ? lane : 0].a[v][k];
          precise.b[v][k][lane] = pairs[lane < count ? lane : 0].b[v][k];
        }
    }
    const bvh::Verdicts first = bvh::kernels().classify_precisely(precise, count);
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      const bvh::Verdicts verdicts = kernel.classify_precisely(precise, count);
      EXPECT_EQ(verdicts.hit, first.hit) << kernel.name;
      EXPECT_EQ(verdicts.miss, first.miss) << kernel.name;
    }
    EXPECT_EQ((first.hit | first.miss) >> count, 0u);
    for (int n = 0; n < count; ++n) {
      const bool intersect = geometry::triangles_intersect(pairs[n].a, pairs[n].b);
      const bool hit = (first.hit >> n & 1) != 0, miss = (first.miss >> n & 1) != 0;
      EXPECT_TRUE(intersect || !hit) << round << ' ' << n;
      EXPECT_TRUE(!intersect || !miss) << round << ' ' << n;
      decided += hit || miss;
      hits += intersect;
      ++total;
    }
  }
  test::expect_about_half(hits, total);
  EXPECT_GT(decided, total / 4);  // the rest touches, or is too thin
}

}  // namespace
}  // namespace touche
