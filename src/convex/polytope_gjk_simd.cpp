// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/polytope_gjk_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <algorithm>

#include "convex/gjk-inl.h"
#include "convex/polytope_gjk.h"
#include "convex/scan-inl.h"
#include "convex/small_depth-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace polytope_gjk {
namespace hn = hwy::HWY_NAMESPACE;

using convex_scan::Columns;
using convex_scan::NearlyFarthest;
using touche::math::Three;

template <std::size_t kBlocks>
HWY_INLINE void PlaceBlocks(const Body& body, const double* m, const double* t,
                            PlacedCorners& placed) {
  const convex_scan::D d;
  double* const to[3] = {placed.x, placed.y, placed.z};
  for (std::size_t i = 0; i < kBlocks * kBlock; i += hn::MaxLanes(d)) {
    const auto x = hn::LoadU(d, body.x + i), y = hn::LoadU(d, body.y + i),
               z = hn::LoadU(d, body.z + i);
    for (std::size_t k = 0; k < 3; ++k)
      hn::Store(
          hn::Add(hn::Add(hn::Add(hn::Mul(hn::Set(d, m[k]), x), hn::Mul(hn::Set(d, m[3 + k]), y)),
                          hn::Mul(hn::Set(d, m[6 + k]), z)),
                  hn::Set(d, t[k])),
          d, to[k] + i);
  }
}

void Place(const Body& body, const RigidTransform& placement, PlacedCorners& placed) {
  const double *const m = placement.rotation.data(),  // column by column
      *const t = placement.translation.data();
  // The end of a loop would be mispredicted.
  switch (body.padded / kBlock) {
    case 1:
      return PlaceBlocks<1>(body, m, t, placed);
    case 2:
      return PlaceBlocks<2>(body, m, t, placed);
    case 3:
      return PlaceBlocks<3>(body, m, t, placed);
    case 4:
      return PlaceBlocks<4>(body, m, t, placed);
    case 5:
      return PlaceBlocks<5>(body, m, t, placed);
    case 6:
      return PlaceBlocks<6>(body, m, t, placed);
    case 7:
      return PlaceBlocks<7>(body, m, t, placed);
    default:
      return PlaceBlocks<8>(body, m, t, placed);
  }
}

/// The corners of both bodies in one frame.
struct BothCorners {
  Columns a, b;
  std::size_t blocks_a, blocks_b;
  Index last_a, last_b;  // larger numbers are padding

  HWY_INLINE BothCorners(const Body& body_a, const Body& body_b, const Columns& in_a)
      : a{body_a.x, body_a.y, body_a.z},
        b(in_a),
        blocks_a(body_a.padded / kBlock),
        blocks_b(body_b.padded / kBlock),
        last_a(static_cast<Index>(body_a.corners - 1)),
        last_b(static_cast<Index>(body_b.corners - 1)) {}

  /// Sets only the vertex's corners, which may be padding.
  HWY_INLINE Farthest find(double x, double y, double z, Vertex& v) const {
    return make(convex_scan::NearlyFarthestOfBlocks(a, blocks_a, -x, -y, -z),
                convex_scan::NearlyFarthestOfBlocks(b, blocks_b, x, y, z), v);
  }
  /// Makes one point of the difference from the farthest corners of both bodies.
  HWY_INLINE Farthest make(const NearlyFarthest& at_a, const NearlyFarthest& at_b,
                           Vertex& v) const {
    const std::size_t i = at_a.corner, j = at_b.corner;
    v.corner_a = static_cast<Index>(i), v.corner_b = static_cast<Index>(j);
    return {math::Three(b.x[j], b.y[j], b.z[j]) - math::Three(a.x[i], a.y[i], a.z[i]),
            at_a.most + at_b.most};
  }
  /// Padding repeats the last corner.
  HWY_INLINE void name_corners(Vertex& v) const {
    v.corner_a = std::min(v.corner_a, last_a), v.corner_b = std::min(v.corner_b, last_b);
  }
};

double Find(const Body& a, const Body& b, const PlacedCorners& placed_b, double x, double y,
            double z, Vertex& v) {
  const BothCorners both(a, b, {placed_b.x, placed_b.y, placed_b.z});
  const Farthest found = both.find(x, y, z, v);
  both.name_corners(v);
  v.w = found.w.vec();
  return found.most;
}

/// The corners of both bodies in a's frame.
class PlacedFinder {
 public:
  static constexpr bool kAnyLength = true;

  HWY_INLINE explicit PlacedFinder(const Pair& pair)
      : corners_(pair.a, pair.b, {pair.b.x, pair.b.y, pair.b.z}) {
    const double *const p = pair.b.centre.data(), *const q = pair.a.centre.data();
    if (pair.in_place) {
      middle_ = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
      return;
    }
    Place(pair.b, pair.b_in_a, placed_);
    corners_.b = {placed_.x, placed_.y, placed_.z};
    const double *const m = pair.b_in_a.rotation.data(), *const t = pair.b_in_a.translation.data();
    middle_ = {(((m[0] * p[0] + m[3] * p[1]) + m[6] * p[2]) + t[0]) - q[0],
               (((m[1] * p[0] + m[4] * p[1]) + m[7] * p[2]) + t[1]) - q[1],
               (((m[2] * p[0] + m[5] * p[1]) + m[8] * p[2]) + t[2]) - q[2]};
  }

  HWY_INLINE Farthest find(const math::Three& n, Vertex& v) const {
    return corners_.find(n.x, n.y, n.z, v);
  }
  HWY_INLINE Ends complete(Vertex& v) const {
    corners_.name_corners(v);
    const Columns &a = corners_.a, &b = corners_.b;
    const math::Three at_a(a.x[v.corner_a], a.y[v.corner_a], a.z[v.corner_a]),
        at_b(b.x[v.corner_b], b.y[v.corner_b], b.z[v.corner_b]);
    v.w = (at_b - at_a).vec(), v.a = at_a.vec(), v.b = at_b.vec();
    return {at_a, at_b};
  }
  HWY_INLINE math::Three middle() const { return middle_; }

  /// Finds corners that are nearly the farthest along kFirst directions around `side`; see
  /// FindAround.
  HWY_INLINE void find_around(const math::Three& side, const math::Three& u, const math::Three& v,
                              SmallTables& tables) const {
    convex_scan::FindAround(corners_.a, corners_.blocks_a, -side, -u, -v, tables.corner_a.data());
    convex_scan::FindAround(corners_.b, corners_.blocks_b, side, u, v, tables.corner_b.data());
  }
  /// A corner of a body, in a's frame.
  HWY_INLINE math::Three corner_a(std::size_t i) const {
    return {corners_.a.x[i], corners_.a.y[i], corners_.a.z[i]};
  }
  HWY_INLINE math::Three corner_b(std::size_t i) const {
    return {corners_.b.x[i], corners_.b.y[i], corners_.b.z[i]};
  }

 private:
  PlacedCorners placed_;
  BothCorners corners_;
  math::Three middle_;
};

void Separate(const Pair& pair, const SeparationOptions& options, Simplex& simplex,
              Separation& found) {
  const PlacedFinder finder(pair);
  convex_gjk::GjkRun<PlacedFinder>(pair, options, 1, finder, simplex).run(found);
}

/// Finds vertices of polytopes with any number of corners.
class LargeFinder {
 public:
  static constexpr bool kAnyLength = false;

  explicit LargeFinder(const Pair& pair) : pair_(pair) {}

  Farthest find(const math::Three& n, Vertex& v) const {
    find_vertex(pair_, n.vec(), 1, v);
    const math::Three w(v.w);
    return {w, math::dot(n, w)};
  }
  math::Three middle() const { return math::Three(pair_.b_in_a * pair_.b.centre - pair_.a.centre); }
  void find_around(const math::Three& side, const math::Three& u, const math::Three& v,
                   SmallTables& tables) const {
    const math::Three near[] = {u, -0.5 * u + v, -0.5 * u - v};
    const math::Three ways[kFirst] = {
        -side, side + near[0],      side + near[1],      side + near[2],
        side,  side + -3 * near[0], side + -3 * near[1], side + -3 * near[2]};
    for (std::size_t i = 0; i < kFirst; ++i) {
      Vertex vertex;
      find(ways[i], vertex);
      tables.corner_a[i] = vertex.corner_a, tables.corner_b[i] = vertex.corner_b;
    }
  }
  math::Three corner_a(std::size_t i) const { return math::Three(pair_.a.corner(i)); }
  math::Three corner_b(std::size_t i) const {
    return math::Three(pair_.b_in_a * pair_.b.corner(i));
  }

 private:
  const Pair& pair_;
};

bool Penetrate(const Pair& pair, const PenetrationOptions& options, SmallTables& tables,
               Penetration& found) {
  using small_polytope::SmallDepth;
  if (has_few_corners(pair.a) && has_few_corners(pair.b)) {
    const PlacedFinder finder(pair);
    return SmallDepth<PlacedFinder>(pair, options, finder, tables).run(found);
  }
  const LargeFinder finder(pair);
  return SmallDepth<LargeFinder>(pair, options, finder, tables).run(found);
}

}  // namespace polytope_gjk

PolytopePairKernels MakePolytopePairKernels() {
  return {&polytope_gjk::Separate, &polytope_gjk::Place, &polytope_gjk::Find,
          &polytope_gjk::Penetrate};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::convex {
namespace {

HWY_EXPORT(MakePolytopePairKernels);

}  // namespace

const PolytopePairKernels& polytope_pair_kernels() {
  static const PolytopePairKernels best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakePolytopePairKernels)(); });
  return best;
}

std::vector<PolytopePairKernels> polytope_pair_kernels_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakePolytopePairKernels)(); });
}

}  // namespace touche::convex
#endif
