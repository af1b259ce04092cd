// SPDX-License-Identifier: Apache-2.0
#include "micro.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "case.h"
#include "geometry/triangle_pair.h"
#include "random.h"
#include "touche/distance.h"
#include "touche/distance_batch.h"
#include "touche/simd.h"
#include "touche/touche.h"

namespace touche::bench {
namespace {

Triangle random_triangle(scenes::Random& random, const Vec3& centre) {
  return {centre + random.in_box(1), centre + random.in_box(1), centre + random.in_box(1)};
}

/// Pairs of triangles of size 1 whose centres are `apart` from each other.
std::vector<std::pair<Triangle, Triangle>> triangle_pairs(double apart) {
  scenes::Random random(7);
  std::vector<std::pair<Triangle, Triangle>> pairs;
  for (int i = 0; i < 1024; ++i) {
    const Triangle a = random_triangle(random, Vec3::Zero());
    pairs.emplace_back(a, random_triangle(random, apart * random.direction()));
  }
  return pairs;
}

template <class Ask>
void add_triangles(const std::string& name, double apart, Ask ask) {
  benchmark::RegisterBenchmark(name.c_str(), [pairs = triangle_pairs(apart), ask](auto& state) {
    for ([[maybe_unused]] auto _ : state)
      for (const auto& [a, b] : pairs) benchmark::DoNotOptimize(ask(a, b));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pairs.size()));
  });
}

/// Distances by regions of many pairs at once, as spans.
template <class A, class B, class Ask>
void add_spans(const std::string& name, const std::string& target, const std::vector<A>& a,
               const std::vector<B>& b, Ask ask) {
  benchmark::RegisterBenchmark((name + "/" + target).c_str(), [=](benchmark::State& state) {
    set_simd_target(target);
    std::vector<RegionDistance> found(a.size());
    for ([[maybe_unused]] auto _ : state) {
      ask(a, b, found);
      benchmark::DoNotOptimize(found.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(a.size()));
  });
}

/// The parallelogram of two sides of a triangle.
Rectangle rectangle_of(const Triangle& t) { return {t[0], t[1] - t[0], t[2] - t[0]}; }

void add_batches(const std::string& target) {
  std::vector<Triangle> a, b;
  std::vector<Segment> segments_a, segments_b;
  std::vector<Vec3> points;
  std::vector<Line> lines;
  std::vector<Ray> rays;
  std::vector<Rectangle> rectangles_a, rectangles_b;
  for (const auto& [s, t] : triangle_pairs(2.0)) {
    a.push_back(s);
    b.push_back(t);
    segments_a.push_back({s[0], s[1]});
    segments_b.push_back({t[0], t[1]});
    points.push_back(s[0]);
    lines.push_back({s[0], s[1] - s[0]});
    rays.push_back({s[0], s[1] - s[0]});
    rectangles_a.push_back(rectangle_of(s));
    rectangles_b.push_back(rectangle_of(t));
  }
  add_spans("point_triangle_distances", target, points, b, point_triangle_distances);
  add_spans("segment_segment_distances", target, segments_a, segments_b, segment_segment_distances);
  add_spans("triangle_triangle_distances", target, a, b, triangle_triangle_distances);
  add_spans("point_segment_distances", target, points, segments_b, point_segment_distances);
  add_spans("point_rectangle_distances", target, points, rectangles_b, point_rectangle_distances);
  add_spans("line_triangle_distances", target, lines, b, line_triangle_distances);
  add_spans("ray_triangle_distances", target, rays, b, ray_triangle_distances);
  add_spans("segment_triangle_distances", target, segments_a, b, segment_triangle_distances);
  add_spans("rectangle_rectangle_distances", target, rectangles_a, rectangles_b,
            rectangle_rectangle_distances);
}

/// A query on the spheres of 20,000 triangles with one instruction set.
template <class Ask>
void add_query(const std::string& name, const std::string& target, const Object& a, const Object& b,
               const std::vector<PosePair>& placements, Ask ask) {
  benchmark::RegisterBenchmark((name + "/" + target).c_str(), [=](benchmark::State& state) {
    set_simd_target(target);
    QueryStats stats;
    for ([[maybe_unused]] auto _ : state)
      for (const PosePair& p : placements) stats += ask(a, b, p);
    const auto asked = static_cast<std::size_t>(state.iterations()) * placements.size();
    state.SetItemsProcessed(static_cast<std::int64_t>(asked));
    const auto each = [&](std::uint64_t n) {
      return static_cast<double>(n) / static_cast<double>(asked);
    };
    state.counters["node_pairs"] = each(stats.node_pairs);
    state.counters["volumes"] = each(stats.volume_tests);
    state.counters["triangles"] = each(stats.primitive_tests);
    state.counters["exact"] = each(stats.exact_tests);
  });
}

void add_queries(const std::string& target) {
  const Case spheres = bumpy_spheres(20000), knots = torus_knots();
  const Object a(spheres.a), b(spheres.b), knot_a(knots.a), knot_b(knots.b);
  add_query("intersects", target, a, b, spheres.placements,
            [](const Object& x, const Object& y, const PosePair& p) {
              return intersects(x, p.a, y, p.b).stats;
            });
  add_query("all pairs", target, a, b, spheres.placements,
            [](const Object& x, const Object& y, const PosePair& p) {
              return intersecting_faces(x, p.a, y, p.b).stats;
            });
  add_query("distance", target, a, b, spheres.placements,
            [](const Object& x, const Object& y, const PosePair& p) {
              return distance(x, p.a, y, p.b).stats;
            });
  benchmark::RegisterBenchmark(("time of impact/" + target).c_str(), [=](auto& state) {
    set_simd_target(target);
    for ([[maybe_unused]] auto _ : state)
      for (const Sweep& s : knots.sweeps)
        benchmark::DoNotOptimize(time_of_impact(knot_a, Motion::interpolated(s.start.a, s.end.a),
                                                knot_b, Motion::interpolated(s.start.b, s.end.b),
                                                {.tolerance = knots.tolerance}));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(knots.sweeps.size()));
  });
  benchmark::RegisterBenchmark(("build/" + target).c_str(), [=](auto& state) {
    set_simd_target(target);
    for ([[maybe_unused]] auto _ : state)
      benchmark::DoNotOptimize(Object(spheres.a, {}, {.threads = 1}));
  });
}

}  // namespace

void run_micro() {
  const auto intersect = [](const Triangle& a, const Triangle& b) {
    return geometry::triangles_intersect(a, b);
  };
  const auto closest = [](const Triangle& a, const Triangle& b) {
    return geometry::closest_points(a, b);
  };
  add_triangles("triangles_intersect/near", 0.5, intersect);
  add_triangles("triangles_intersect/far", 2.0, intersect);
  add_triangles("closest_points/near", 0.5, closest);
  add_triangles("closest_points/far", 2.0, closest);
  const auto regions = [](const Triangle& a, const Triangle& b) {
    return triangle_triangle_distance(a, b);
  };
  add_triangles("triangle_triangle_distance/near", 0.5, regions);
  add_triangles("triangle_triangle_distance/far", 2.0, regions);
  add_triangles("point_triangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return point_triangle_distance(a[0], b);
  });
  add_triangles("segment_segment_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return segment_segment_distance({a[0], a[1]}, {b[0], b[1]});
  });
  add_triangles("point_segment_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return point_segment_distance(a[0], {b[0], b[1]});
  });
  add_triangles("point_rectangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return point_rectangle_distance(a[0], rectangle_of(b));
  });
  add_triangles("line_triangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return line_triangle_distance({a[0], a[1] - a[0]}, b);
  });
  add_triangles("ray_triangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return ray_triangle_distance({a[0], a[1] - a[0]}, b);
  });
  add_triangles("segment_triangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return segment_triangle_distance({a[0], a[1]}, b);
  });
  add_triangles("rectangle_rectangle_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return rectangle_rectangle_distance(rectangle_of(a), rectangle_of(b));
  });
  add_triangles("point_box_distance/far", 2.0, [](const Triangle& a, const Triangle& b) {
    return point_box_distance(a[0], {b[0].cwiseMin(b[1]), b[0].cwiseMax(b[1])});
  });
  const std::vector<std::string> targets = simd_targets();
  for (const std::string& target : targets) add_batches(target);
  for (const std::string& target : targets) add_queries(target);
  benchmark::RunSpecifiedBenchmarks();
  set_simd_target(targets.front());
}

}  // namespace touche::bench
