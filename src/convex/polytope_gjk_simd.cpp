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
namespace touche {
namespace HWY_NAMESPACE {
namespace polytope_gjk {
namespace hn = hwy::HWY_NAMESPACE;

using convex_scan::Columns;
using convex_scan::NearlyFarthest;
using touche::Three;

template <std::size_t kBlocks>
HWY_INLINE void PlaceBlocks(const convex::Body& body, const double* m, const double* t,
                            convex::PlacedCorners& placed) {
  const convex_scan::D d;
  double* const to[3] = {placed.x, placed.y, placed.z};
  for (std::size_t i = 0; i < kBlocks * convex::kBlock; i += hn::MaxLanes(d)) {
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

void Place(const convex::Body& body, const convex::RigidTransform& placement,
           convex::PlacedCorners& placed) {
  const double *const m = placement.rotation.data(),  // column by column
      *const t = placement.translation.data();
  // The end of a loop would be mispredicted.
  switch (body.padded / convex::kBlock) {
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

  HWY_INLINE BothCorners(const convex::Body& body_a, const convex::Body& body_b,
                         const Columns& in_a)
      : a{body_a.x, body_a.y, body_a.z},
        b(in_a),
        blocks_a(body_a.padded / convex::kBlock),
        blocks_b(body_b.padded / convex::kBlock),
        last_a(static_cast<Index>(body_a.corners - 1)),
        last_b(static_cast<Index>(body_b.corners - 1)) {}

  /// Sets only the vertex's corners, which may be padding.
  HWY_INLINE convex::Farthest find(double x, double y, double z, convex::Vertex& v) const {
    return make(convex_scan::NearlyFarthestOfBlocks(a, blocks_a, -x, -y, -z),
                convex_scan::NearlyFarthestOfBlocks(b, blocks_b, x, y, z), v);
  }
  /// Makes one point of the difference from the farthest corners of both bodies.
  HWY_INLINE convex::Farthest make(const NearlyFarthest& at_a, const NearlyFarthest& at_b,
                                   convex::Vertex& v) const {
    const std::size_t i = at_a.corner, j = at_b.corner;
    v.corner_a = static_cast<Index>(i), v.corner_b = static_cast<Index>(j);
    return {Three(b.x[j], b.y[j], b.z[j]) - Three(a.x[i], a.y[i], a.z[i]), at_a.most + at_b.most};
  }
  /// Padding repeats the last corner.
  HWY_INLINE void name_corners(convex::Vertex& v) const {
    v.corner_a = std::min(v.corner_a, last_a), v.corner_b = std::min(v.corner_b, last_b);
  }
};

double Find(const convex::Body& a, const convex::Body& b, const convex::PlacedCorners& placed_b,
            double x, double y, double z, convex::Vertex& v) {
  const BothCorners both(a, b, {placed_b.x, placed_b.y, placed_b.z});
  const convex::Farthest found = both.find(x, y, z, v);
  both.name_corners(v);
  v.w = found.w.vec();
  return found.most;
}

/// The corners of both bodies in a's frame.
class PlacedFinder {
 public:
  static constexpr bool kAnyLength = true;

  HWY_INLINE explicit PlacedFinder(const convex::Pair& pair)
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

  HWY_INLINE convex::Farthest find(const Three& n, convex::Vertex& v) const {
    return corners_.find(n.x, n.y, n.z, v);
  }
  HWY_INLINE convex::Ends complete(convex::Vertex& v) const {
    corners_.name_corners(v);
    const Columns &a = corners_.a, &b = corners_.b;
    const Three at_a(a.x[v.corner_a], a.y[v.corner_a], a.z[v.corner_a]),
        at_b(b.x[v.corner_b], b.y[v.corner_b], b.z[v.corner_b]);
    v.w = (at_b - at_a).vec(), v.a = at_a.vec(), v.b = at_b.vec();
    return {at_a, at_b};
  }
  HWY_INLINE Three middle() const { return middle_; }

  /// Finds corners that are nearly the farthest along kFirst directions around `side`; see
  /// FindAround.
  HWY_INLINE void find_around(const Three& side, const Three& u, const Three& v,
                              convex::SmallTables& tables) const {
    convex_scan::FindAround(corners_.a, corners_.blocks_a, -side, -u, -v, tables.corner_a.data());
    convex_scan::FindAround(corners_.b, corners_.blocks_b, side, u, v, tables.corner_b.data());
  }
  /// A corner of a body, in a's frame.
  HWY_INLINE Three corner_a(std::size_t i) const {
    return {corners_.a.x[i], corners_.a.y[i], corners_.a.z[i]};
  }
  HWY_INLINE Three corner_b(std::size_t i) const {
    return {corners_.b.x[i], corners_.b.y[i], corners_.b.z[i]};
  }

 private:
  convex::PlacedCorners placed_;
  BothCorners corners_;
  Three middle_;
};

void Separate(const convex::Pair& pair, const convex::SeparationOptions& options,
              convex::Simplex& simplex, convex::Separation& found) {
  const PlacedFinder finder(pair);
  convex_gjk::GjkRun<PlacedFinder>(pair, options, 1, finder, simplex).run(found);
}

/// Finds vertices of polytopes with any number of corners.
class LargeFinder {
 public:
  static constexpr bool kAnyLength = false;

  explicit LargeFinder(const convex::Pair& pair) : pair_(pair) {}

  convex::Farthest find(const Three& n, convex::Vertex& v) const {
    convex::find_vertex(pair_, n.vec(), 1, v);
    const Three w(v.w);
    return {w, dot(n, w)};
  }
  Three middle() const { return Three(pair_.b_in_a * pair_.b.centre - pair_.a.centre); }
  void find_around(const Three& side, const Three& u, const Three& v,
                   convex::SmallTables& tables) const {
    const Three near[] = {u, -0.5 * u + v, -0.5 * u - v};
    const Three ways[convex::kFirst] = {
        -side, side + near[0],      side + near[1],      side + near[2],
        side,  side + -3 * near[0], side + -3 * near[1], side + -3 * near[2]};
    for (std::size_t i = 0; i < convex::kFirst; ++i) {
      convex::Vertex vertex;
      find(ways[i], vertex);
      tables.corner_a[i] = vertex.corner_a, tables.corner_b[i] = vertex.corner_b;
    }
  }
  Three corner_a(std::size_t i) const { return Three(pair_.a.corner(i)); }
  Three corner_b(std::size_t i) const { return Three(pair_.b_in_a * pair_.b.corner(i)); }

 private:
  const convex::Pair& pair_;
};

bool Penetrate(const convex::Pair& pair, const convex::PenetrationOptions& options,
               convex::SmallTables& tables, convex::Penetration& found) {
  using small_polytope::SmallDepth;
  if (convex::has_few_corners(pair.a) && convex::has_few_corners(pair.b)) {
    const PlacedFinder finder(pair);
    return SmallDepth<PlacedFinder>(pair, options, finder, tables).run(found);
  }
  const LargeFinder finder(pair);
  return SmallDepth<LargeFinder>(pair, options, finder, tables).run(found);
}

}  // namespace polytope_gjk

convex::PolytopePairKernels MakePolytopePairKernels() {
  return {&polytope_gjk::Separate, &polytope_gjk::Place, &polytope_gjk::Find,
          &polytope_gjk::Penetrate};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche {
namespace {

HWY_EXPORT(MakePolytopePairKernels);

}  // namespace

const convex::PolytopePairKernels& convex::polytope_pair_kernels() {
  static const PolytopePairKernels best =
      table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakePolytopePairKernels)(); });
  return best;
}

std::vector<convex::PolytopePairKernels> convex::polytope_pair_kernels_of_targets() {
  return tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakePolytopePairKernels)(); });
}

}  // namespace touche
#endif
