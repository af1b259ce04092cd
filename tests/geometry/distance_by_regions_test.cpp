// SPDX-License-Identifier: Apache-2.0
// Every pair of shapes of touche/distance.h against rational geometry: regions, points, distances.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "random.h"
#include "region_oracle.h"
#include "test_scale.h"
#include "touche/distance.h"

namespace touche {
namespace {

using scenes::Random;
using test::Rational;
using test::RVec;

constexpr int kMostPoints = 6;
using Points = std::array<Vec3, kMostPoints>;

Vec3 on_grid(base::Random& random, Index n) {
  return Vec3(random.below(n), random.below(n), random.below(n)) - Vec3::Constant((n - 1) / 2);
}

/// Points of which shapes are made: in general position, and everything that is hard.
Points some_points(base::Random& random, int i) {
  Points points;
  const int family = i % 10;
  const Vec3 line = on_grid(random, 5), other = on_grid(random, 5), start = on_grid(random, 5);
  for (Vec3& p : points) switch (family) {
      case 0:
        p = random.in_box(1);
        break;
      case 1:
        p = on_grid(random, 5);
        break;
      case 2:
        p = on_grid(random, 3);
        break;
      case 3:
        p = on_grid(random, 5);
        p.z() = 0;
        break;
      case 4:
        p = start + (random.below(7) - 3.0) * line;
        break;  // on one line
      case 5:
        p = start + (random.below(5) - 2.0) * line + (random.below(5) - 2.0) * other;
        break;
      case 6:
        p = 0.1 * on_grid(random, 5) + Vec3(1e3, 2e3, -1e3) / 3;
        break;
      case 7:
        p = start + random.uniform(-1, 1) * line + 1e-9 * random.in_box(1);
        break;
      case 8:
        p = start + random.uniform(-1, 1) * line + random.uniform(-1, 1) * other +
            1e-14 * random.in_box(1);
        break;
      default:
        p = std::pow(10.0, random.below(20) - 19.0) * random.in_box(1);
        break;
    }
  static constexpr double kScale[] = {1, 0.1, 1e-75, 1e75, 3e-310, 5e306, 1e-200, 1};
  double scale = kScale[random.below(8)];
  if (family == 6 && scale > 1e300) scale = 1e303;  // far from the origin already
  for (Vec3& p : points) p *= scale;
  return points;
}

Vec3 shape_of(const Points& p, std::size_t i, const Vec3*) { return p[i]; }
Segment shape_of(const Points& p, std::size_t i, const Segment*) { return {p[i], p[i + 1]}; }
Ray shape_of(const Points& p, std::size_t i, const Ray*) { return {p[i], p[i + 1]}; }
Line shape_of(const Points& p, std::size_t i, const Line*) { return {p[i], p[i + 1]}; }
Triangle shape_of(const Points& p, std::size_t i, const Triangle*) {
  return {p[i], p[i + 1], p[i + 2]};
}
Rectangle shape_of(const Points& p, std::size_t i, const Rectangle*) {
  return {p[i], p[i + 1], p[i + 2]};
}

void extend(const Vec3& p, Aabb& box) { box.include(p); }
void extend(const Segment& s, Aabb& box) { box.include(s.start), box.include(s.end); }
void extend(const Ray& r, Aabb& box) { box.include(r.origin); }
void extend(const Line& l, Aabb& box) { box.include(l.origin); }
void extend(const Triangle& t, Aabb& box) {
  for (const Vec3& p : t) box.include(p);
}
void extend(const Rectangle& r, Aabb& box) {
  box.include(r.corner), box.include(r.corner + r.side_u), box.include(r.corner + r.side_v);
  box.include(r.corner + r.side_u + r.side_v);
}

void shift(Segment& s, const Vec3& by) { s.start += by, s.end += by; }
void shift(Ray& r, const Vec3& by) { r.origin += by; }
void shift(Line& l, const Vec3& by) { l.origin += by; }
void shift(Triangle& t, const Vec3& by) {
  for (Vec3& p : t) p += by;
}
void shift(Rectangle& r, const Vec3& by) { r.corner += by; }

/// A point of a corner, an edge or the inside, each as often as the others.
template <class A>
Vec3 point_of_some_region(const A& shape, base::Random& random) {
  const test::OracleShape regions = test::oracle_shape(shape);
  const test::OracleRegion& region = regions[random.below(static_cast<Index>(regions.size()))];
  const auto rounded = [](const RVec& p) {
    return Vec3(static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
  };
  Vec3 p = rounded(region.base);
  for (const RVec& along : region.span) p += random.uniform(0, 0.5) * rounded(along);
  return p;
}

void expect_near(const Vec3& p, const RVec& exact, const Rational& tolerance) {
  const Rational off =
      std::max<Rational>({abs(Rational(p.x()) - exact.x), abs(Rational(p.y()) - exact.y),
                          abs(Rational(p.z()) - exact.z)});
  EXPECT_TRUE(off <= tolerance) << static_cast<double>(off) << " > "
                                << static_cast<double>(tolerance);
}

struct Seen {
  double worst = 0;  // error of a point or distance, as a share of S
  std::set<std::tuple<FeatureKind, int, FeatureKind, int>> regions;
  int touching = 0, too_far = 0;
};

template <class A, class B>
void compare(const A& a, const B& b, const RegionDistance& found, Seen& seen) {
  const test::OracleAnswer exact =
      test::oracle_regions(test::oracle_shape(a), test::oracle_shape(b));
  EXPECT_EQ(found.region_a, exact.region_a);
  EXPECT_EQ(found.region_b, exact.region_b);
  Aabb box;
  extend(a, box);
  extend(b, box);
  if constexpr (requires { a.direction, b.direction; }) {
    const auto rounded = [](const RVec& p) {
      return Vec3(static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z));
    };
    const Vec3 p = rounded(exact.point_a), q = rounded(exact.point_b);
    if (!p.allFinite() || !q.allFinite() || !(p - q).allFinite()) {
      EXPECT_FALSE(found.point_a.hasNaN() || found.point_b.hasNaN());
      ++seen.too_far;
      return;
    }
    box.include(p), box.include(q);
    if (!(box.hi - box.lo).allFinite()) return;
  }
  const double size = (box.hi - box.lo).maxCoeff();
  const double largest = std::max(box.lo.cwiseAbs().maxCoeff(), box.hi.cwiseAbs().maxCoeff());
  const Rational least = 4 * Rational(std::numeric_limits<double>::denorm_min());
  const Rational of_distance = Rational(kRegionDistanceError) * Rational(size) + least;
  const Rational of_points = of_distance + Rational(0x1p-50) * Rational(largest);
  const Rational low = Rational(found.distance) - of_distance,
                 high = Rational(found.distance) + of_distance;
  if (found.distance > std::numeric_limits<double>::min()) {
    EXPECT_TRUE(low <= 0 || low * low <= exact.square) << found.distance;
  }
  EXPECT_TRUE(exact.square <= high * high) << found.distance;
  EXPECT_EQ(found.distance == 0, exact.square == 0);
  if (found.distance == 0) {
    EXPECT_EQ(found.point_a, found.point_b);
  }
  if (size > 1e-290) {
    const double root =
        std::sqrt(static_cast<double>(exact.square / Rational(size) / Rational(size)));
    seen.worst = std::max(seen.worst, std::abs(found.distance / size - root));
  }
  expect_near(found.point_a, exact.point_a, of_points);
  expect_near(found.point_b, exact.point_b, of_points);
  seen.touching += exact.square == 0;
  seen.regions.insert(
      {found.region_a.kind, found.region_a.index, found.region_b.kind, found.region_b.index});
}

/// Compares the first pair of shapes found for each pair of regions that was not seen yet. Each
/// shape has a point of some region that is near one of the other's.
template <class A, class B, class Ask>
void look_for_unseen(base::Random& random, std::size_t regions, std::size_t points_a,
                     const Ask& ask, Seen& seen) {
  for (int i = 0; i < 100000 && seen.regions.size() < regions; ++i) {
    Points points = some_points(random, 10 * i);
    if (i % 4 == 0)  // a line without a direction is a point
      for (Vec3& p : points)
        if (random.below(2) == 0) p.setZero();
    const A a = shape_of(points, 0, static_cast<const A*>(nullptr));
    B b = shape_of(points, points_a, static_cast<const B*>(nullptr));
    const double apart = std::array{0.0, 1e-3, 0.3}[random.below(3)];
    shift(b, point_of_some_region(a, random) - point_of_some_region(b, random) +
                 apart * random.in_box(1));
    const RegionDistance found = ask(a, b);
    if (!seen.regions.contains(
            {found.region_a.kind, found.region_a.index, found.region_b.kind, found.region_b.index}))
      compare(a, b, found, seen);
    if (testing::Test::HasFailure()) return;
  }
}

/// Tests many pairs, which must cover exactly `regions` pairs of regions. These are all pairs (a
/// line or a ray without a direction is a point), except:
/// - two faces: some edge is at the same distance;
/// - a face of a and the last edge of b. An edge inside a face crosses it, otherwise one of its
///   ends would be as near. So both shapes have a segment in common, and each end of it is an edge
///   of one in the face of the other. If one of these were an edge of a, it would be reported
///   before; otherwise both ends are on edges of b, and the one with the lower number is reported.
template <class A, class B, class Ask>
void check_pairs(int seed, int cases, std::size_t regions, std::size_t points_a, const Ask& ask) {
  base::Random random(static_cast<std::uint64_t>(seed));
  Seen seen;
  const int count = test::scaled(cases);
  for (int i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    const Points points = some_points(random, i);
    const A a = shape_of(points, 0, static_cast<const A*>(nullptr));
    const B b = shape_of(points, points_a, static_cast<const B*>(nullptr));
    compare(a, b, ask(a, b), seen);
    if (testing::Test::HasFailure()) {
      std::printf("case %d of seed %d:\n", i, seed);
      for (const Vec3& p : points) std::printf("  {%a, %a, %a}\n", p.x(), p.y(), p.z());
    }
  }
  std::printf("distances are off by up to 2^%.1f S\n", std::log2(seen.worst));
  if (count == cases) {
    EXPECT_GT(seen.touching, count / 25);
    EXPECT_LT(seen.too_far, count / 10);
    EXPECT_LT(seen.touching, count * 9 / 10);
  }
  std::printf("%zu pairs of regions", seen.regions.size());
  look_for_unseen<A, B>(random, regions, points_a, ask, seen);
  std::printf(", %zu with the ones that were searched for\n", seen.regions.size());
  EXPECT_EQ(seen.regions.size(), regions);
}

TEST(DistanceByRegions, PointAndSegment) {
  check_pairs<Vec3, Segment>(1, 2000, 3, 1, point_segment_distance);
}
TEST(DistanceByRegions, PointAndLine) {
  check_pairs<Vec3, Line>(11, 1000, 2, 1, point_line_distance);
}
TEST(DistanceByRegions, PointAndRay) { check_pairs<Vec3, Ray>(12, 1000, 2, 1, point_ray_distance); }
TEST(DistanceByRegions, TwoLines) { check_pairs<Line, Line>(13, 1000, 4, 2, line_line_distance); }
TEST(DistanceByRegions, LineAndRay) { check_pairs<Line, Ray>(14, 1000, 4, 2, line_ray_distance); }
TEST(DistanceByRegions, LineAndSegment) {
  check_pairs<Line, Segment>(15, 1000, 6, 2, line_segment_distance);
}
TEST(DistanceByRegions, TwoRays) { check_pairs<Ray, Ray>(16, 1500, 4, 2, ray_ray_distance); }
TEST(DistanceByRegions, RayAndSegment) {
  check_pairs<Ray, Segment>(17, 1500, 6, 2, ray_segment_distance);
}
TEST(DistanceByRegions, PointAndTriangle) {
  check_pairs<Vec3, Triangle>(2, 2000, 7, 1, point_triangle_distance);
}
TEST(DistanceByRegions, PointAndRectangle) {
  check_pairs<Vec3, Rectangle>(3, 2000, 9, 1, point_rectangle_distance);
}
TEST(DistanceByRegions, TwoSegments) {
  check_pairs<Segment, Segment>(4, 2000, 9, 2, segment_segment_distance);
}
TEST(DistanceByRegions, LineAndTriangle) {
  check_pairs<Line, Triangle>(5, 1000, 14, 2, line_triangle_distance);
}
TEST(DistanceByRegions, RayAndTriangle) {
  check_pairs<Ray, Triangle>(6, 1500, 14, 2, ray_triangle_distance);
}
TEST(DistanceByRegions, SegmentAndTriangle) {
  check_pairs<Segment, Triangle>(7, 1500, 21, 2, segment_triangle_distance);
}
TEST(DistanceByRegions, TwoTriangles) {
  check_pairs<Triangle, Triangle>(8, 1200, 49 - 2, 3, triangle_triangle_distance);
}
TEST(DistanceByRegions, TwoRectangles) {
  check_pairs<Rectangle, Rectangle>(9, 800, 81 - 2, 3, rectangle_rectangle_distance);
}

TEST(DistanceByRegions, PointAndBox) {
  base::Random random(10);
  std::set<std::array<int, 3>> regions;
  for (int i = 0, n = test::scaled(3000, 300); i < n; ++i) {
    const Vec3 p = on_grid(random, 7);
    Aabb box;
    box.include(on_grid(random, 5));
    box.include(on_grid(random, 5));
    const BoxDistance found = point_box_distance(p, box);
    Rational square = 0;
    for (int k = 0; k < 3; ++k) {
      // By the regions that the point is in, one axis at a time.
      const int side = found.region[k];
      EXPECT_TRUE(side == -1 ? p[k] <= box.lo[k] : p[k] > box.lo[k]);
      EXPECT_TRUE(side == 1 ? p[k] >= box.hi[k] : side == -1 || p[k] < box.hi[k]);
      const Rational at = side < 0 ? box.lo[k] : side > 0 ? box.hi[k] : p[k];
      EXPECT_EQ(Rational(found.point_b[k]), at);
      square += (Rational(p[k]) - at) * (Rational(p[k]) - at);
    }
    EXPECT_TRUE(test::is_root_within(found.distance, square, 1e-15 * found.distance));
    EXPECT_EQ(found.distance == 0, square == 0);
    regions.insert(found.region);
  }
  EXPECT_EQ(regions.size(), 27u);
  EXPECT_TRUE(std::isfinite(point_box_distance({1e300, 0, 0}, {{0, 0, 0}, {1, 1, 1}}).distance));
}

TEST(DistanceByRegions, TellsTheLeastRegionsOfThoseThatAreClosest) {
  // Parallel faces above each other: corners of one over the other's inside.
  const Triangle low = {Vec3(0, 0, 0), Vec3(8, 0, 0), Vec3(0, 8, 0)};
  const Triangle high = {Vec3(1, 1, 1), Vec3(2, 1, 1), Vec3(1, 2, 1)};
  RegionDistance found = triangle_triangle_distance(low, high);
  EXPECT_EQ(found.distance, 1);
  EXPECT_EQ(found.region_a, (Region{FeatureKind::face, 0}));
  EXPECT_EQ(found.region_b, (Region{FeatureKind::vertex, 0}));
  EXPECT_EQ(found.point_a, Vec3(1, 1, 0));
  // Parallel segments.
  found = segment_segment_distance({{0, 0, 0}, {4, 0, 0}}, {{1, 1, 0}, {9, 1, 0}});
  EXPECT_EQ(found.region_a, (Region{FeatureKind::vertex, 1}));
  EXPECT_EQ(found.region_b, (Region{FeatureKind::edge, 0}));
  // The same triangle twice.
  found = triangle_triangle_distance(low, low);
  EXPECT_EQ(found.distance, 0);
  EXPECT_EQ(found.region_a, (Region{FeatureKind::vertex, 0}));
  // A triangle that is a segment, seen from its middle.
  found = point_triangle_distance({2, 3, 0}, {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(2, 0, 0)});
  EXPECT_EQ(found.region_b, (Region{FeatureKind::vertex, 2}));
  EXPECT_EQ(found.distance, 3);
}

TEST(DistanceByRegions, LinesThatAreParallelOrNearlySo) {
  const Line axis = {{0, 0, 0}, {1, 2, 4}};
  RegionDistance found = line_line_distance({{5, -2.5, 0}, {-3, -6, -12}}, axis);
  EXPECT_EQ(found.region_a, (Region{FeatureKind::edge, 0}));
  EXPECT_EQ(found.region_b, (Region{FeatureKind::edge, 0}));
  EXPECT_EQ(found.point_a, Vec3(5, -2.5, 0));
  EXPECT_NEAR(found.distance, std::sqrt(31.25), 1e-15);
  EXPECT_EQ(line_line_distance({{3, 6, 12}, {2, 4, 8}}, axis).distance, 0);
  // They cross a million million lengths away.
  found = line_line_distance({{0, 1, 0}, {1, -1e-12, 0}}, {{0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(found.distance, 0);
  EXPECT_NEAR(found.point_a.x(), 1e12, 1e-3);
  // Rays that come nearer, and rays that part.
  EXPECT_EQ(ray_ray_distance({{0, 1, 0}, {1, -1e-12, 0}}, {{0, 0, 0}, {1, 0, 0}}).distance, 0);
  found = ray_ray_distance({{0, 1, 0}, {1, 1e-12, 0}}, {{0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(found.distance, 1);
  EXPECT_EQ(found.region_a, (Region{FeatureKind::vertex, 0}));
}

TEST(DistanceByRegions, TinyCoordinatesCountAsZero) {
  const auto ask = [](double tiny) {
    return segment_segment_distance({{0, 0, 0}, {1, tiny, 0}}, {{0, 0, 1}, {1, -tiny, 1}});
  };
  const RegionDistance tiny = ask(1e-200), none = ask(0), some = ask(1e-100);
  EXPECT_EQ(tiny.region_a, none.region_a);
  EXPECT_EQ(tiny.point_a, none.point_a);
  EXPECT_EQ(none.region_a, (Region{FeatureKind::vertex, 0}));
  EXPECT_EQ(some.region_a, (Region{FeatureKind::vertex, 0}));
  EXPECT_EQ(some.region_b, (Region{FeatureKind::vertex, 0}));
}

TEST(DistanceByRegions, RefusesWhatIsNoNumber) {
  const double nan = std::nan("");
  const Triangle t = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  EXPECT_THROW((void)point_triangle_distance({nan, 0, 0}, t), InvalidInput);
  EXPECT_THROW((void)point_triangle_distance({0, 0, kInfinity}, t), InvalidInput);
  EXPECT_THROW((void)line_triangle_distance({{0, 0, 0}, {0, nan, 0}}, t), InvalidInput);
  EXPECT_THROW((void)point_box_distance({nan, 0, 0}, {{0, 0, 0}, {1, 1, 1}}), InvalidInput);
  EXPECT_THROW((void)point_box_distance({0, 0, 0}, {}), InvalidInput);
}

}  // namespace
}  // namespace touche
