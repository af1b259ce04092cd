// SPDX-License-Identifier: Apache-2.0
#include "query/toi_guess.h"

#include <algorithm>

#include "bvh/object_data.h"
#include "math/rounding.h"

namespace touche::query {
namespace {

// Limits of the cost of a guess: at most `kMostLooks` iterations, ended early when one advances the
// time by less than this share of the remaining interval.
constexpr int kMostLooks = 16;
constexpr double kLeastProgress = 1.0 / 256;

bvh::Bounds flattened(const bvh::Bounds& bounds) {
  bvh::Bounds flat = bounds;
  *std::min_element(flat.box.half, flat.box.half + 3) = 0;
  return flat;
}

}  // namespace

double guess_contact(const Object& a, const Object& b, const TimeSlices& slices,
                     const ToiSearch& search, Stand stand) {
  const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
  const ToiSearch::Heads heads = search.heads();
  bvh::Bounds flat_a[bvh::kWidth], flat_b[bvh::kWidth];
  bvh::BoundsPairs bounds;
  for (int n = 0; n < heads.node_count; ++n) {
    const bvh::Bounds &of_a = bvh_a.bounds(heads.nodes[n].a),
                      &of_b = bvh_b.bounds(heads.nodes[n].b);
    if (stand == Stand::faces) {
      flat_a[n] = flattened(of_a);
      flat_b[n] = flattened(of_b);
    }
    bounds.a[n] = stand == Stand::faces ? &flat_a[n] : &of_a;
    bounds.b[n] = stand == Stand::faces ? &flat_b[n] : &of_b;
  }
  bounds.count = heads.node_count;
  if (bounds.count > 0) bounds.fill_up();

  // Returns for how long after t all of these pairs are proved apart.
  const double end = search.end();
  const auto time_apart = [&](double t) {
    const Snapshot snapshot = slices.snapshot(search.part(), t);
    double apart = end - t;
    if (bounds.count > 0) {
      const LocalSnapshot local(bvh_a, bvh_b, snapshot);
      const float limit = static_cast<float>(end - t) * math::kRoundUpFloat + 1e-30f;
      float time[bvh::kBatch] = {};
      bvh::kernels().impact_nodes(local.map, bounds, local.velocities.in_a, limit, time);
      for (int n = 0; n < bounds.count; ++n) apart = std::min(apart, static_cast<double>(time[n]));
    }
    for (int n = 0; n < heads.triangle_count; ++n) {
      const TriangleIds& ids = heads.triangles[n];
      const TriangleImpact impact =
          conservative_advancement(a, ids.a, b, ids.b, snapshot, slices.tolerance());
      apart = std::min(apart, impact.touching ? 0 : impact.dt);
    }
    return apart;
  };
  double t = heads.t;
  for (int i = 0; i < kMostLooks && t < end; ++i) {
    const double apart = time_apart(t);
    t = std::min(end, t + apart);
    if (apart <= kLeastProgress * (end - t)) break;
  }
  return t;
}

}  // namespace touche::query
