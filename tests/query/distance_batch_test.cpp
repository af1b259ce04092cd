// SPDX-License-Identifier: Apache-2.0
// Distances in batches equal the distances of single pairs, bit for bit, with all instruction sets.
#include "touche/distance_batch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "random.h"
#include "test_scale.h"
#include "touche/simd.h"

namespace touche::distance_batch_test {
namespace {

using scenes::Random;

/// General, on a grid, nearly in one line, tiny, huge, and in a plane.
Vec3 some_point(base::Random& random, int family) {
  const Vec3 grid = Vec3(random.below(5), random.below(5), random.below(5)) - Vec3(2, 2, 2);
  switch (family) {
    case 0:
      return random.in_box(1);
    case 1:
      return grid;
    case 2:
      return random.uniform(-1, 1) * Vec3(1, 2, 3) + 1e-12 * random.in_box(1);
    case 3:
      return 1e-300 * random.in_box(1);
    case 4:
      return 1e300 * grid;
    default:
      return {grid.x(), 0.1 * grid.y(), 0.25};
  }
}

struct Inputs {
  std::vector<Vec3> points;
  std::vector<Segment> segments_a, segments_b;
  std::vector<Triangle> triangles_a, triangles_b;
  std::vector<Line> lines;
  std::vector<Ray> rays;
  std::vector<Rectangle> rectangles_a, rectangles_b;
};

/// For counts at which the last vector is not full.
Inputs some_inputs(int count) {
  base::Random random(5);
  Inputs in;
  for (int i = 0; i < count; ++i) {
    const auto p = [&] { return some_point(random, i % 6); };
    in.points.push_back(p());
    in.segments_a.push_back({p(), p()});
    in.segments_b.push_back({p(), p()});
    in.triangles_a.push_back({p(), p(), p()});
    in.triangles_b.push_back({p(), p(), p()});
    in.lines.push_back({p(), p()});
    in.rays.push_back({p(), p()});
    in.rectangles_a.push_back({p(), p(), p()});
    in.rectangles_b.push_back({p(), p(), p()});
  }
  return in;
}

bool same_bits(const Vec3& p, const Vec3& q) {
  for (int k = 0; k < 3; ++k)
    if (std::bit_cast<std::uint64_t>(p[k]) != std::bit_cast<std::uint64_t>(q[k])) return false;
  return true;
}

template <class A, class B, class Many, class One>
void expect_same(const std::vector<A>& a, const std::vector<B>& b, const Many& many,
                 const One& one) {
  std::vector<RegionDistance> found(a.size());
  many(a, b, found);
  int touching = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const RegionDistance alone = one(a[i], b[i]);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found[i].distance),
              std::bit_cast<std::uint64_t>(alone.distance))
        << i;
    ASSERT_TRUE(same_bits(found[i].point_a, alone.point_a)) << i;
    ASSERT_TRUE(same_bits(found[i].point_b, alone.point_b)) << i;
    ASSERT_EQ(found[i].region_a, alone.region_a) << i;
    ASSERT_EQ(found[i].region_b, alone.region_b) << i;
    touching += alone.distance == 0;
  }
  EXPECT_GT(touching, 0);
  EXPECT_LT(touching, static_cast<int>(a.size()));
}

TEST(DistanceBatch, SameBitsAsOneByOneWithAllInstructions) {
  const Inputs in = some_inputs(test::scaled(3000, 600) + 5);
  const std::vector<std::string> targets = simd_targets();
  for (const std::string& target : targets) {
    SCOPED_TRACE(target);
    set_simd_target(target);
    expect_same(in.points, in.segments_b, point_segment_distances, point_segment_distance);
    expect_same(in.points, in.rectangles_b, point_rectangle_distances, point_rectangle_distance);
    expect_same(in.lines, in.triangles_b, line_triangle_distances, line_triangle_distance);
    expect_same(in.rays, in.triangles_b, ray_triangle_distances, ray_triangle_distance);
    expect_same(in.segments_a, in.triangles_b, segment_triangle_distances,
                segment_triangle_distance);
    expect_same(in.rectangles_a, in.rectangles_b, rectangle_rectangle_distances,
                rectangle_rectangle_distance);
    expect_same(in.points, in.triangles_b, point_triangle_distances, point_triangle_distance);
    expect_same(in.segments_a, in.segments_b, segment_segment_distances, segment_segment_distance);
    expect_same(in.triangles_a, in.triangles_b, triangle_triangle_distances,
                triangle_triangle_distance);
  }
  set_simd_target(targets.front());
}

TEST(DistanceBatch, RefusesWhatItCannotAnswer) {
  const std::vector<Vec3> points(3, Vec3(0, 0, 1));
  std::vector<Triangle> triangles(3, {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)});
  std::vector<RegionDistance> found(3);
  point_triangle_distances(points, triangles, found);
  EXPECT_EQ(found[2].distance, 1);
  std::vector<RegionDistance> few(2);
  EXPECT_THROW(point_triangle_distances(points, triangles, few), InvalidInput);
  triangles[2][1].y() = std::nan("");
  EXPECT_THROW(point_triangle_distances(points, triangles, found), InvalidInput);
  EXPECT_NO_THROW(point_triangle_distances({}, {}, {}));
}

}  // namespace
}  // namespace touche::distance_batch_test
