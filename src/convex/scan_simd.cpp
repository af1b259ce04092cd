// SPDX-License-Identifier: Apache-2.0
// Compiles the scans for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/scan_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include "convex/scan-inl.h"
#include "convex/scan.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace convex_scan {
Index Farthest(const Body& body, const Vec3& direction) {
  const D d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const V dx = hn::Set(d, direction.x()), dy = hn::Set(d, direction.y()),
          dz = hn::Set(d, direction.z());
  const auto along = [&](std::size_t i) HWY_ATTR {
    return hn::Add(
        hn::Add(hn::Mul(hn::LoadU(d, body.x + i), dx), hn::Mul(hn::LoadU(d, body.y + i), dy)),
        hn::Mul(hn::LoadU(d, body.z + i), dz));
  };
  // Each lane keeps the first of its largest numbers and its position. The vectors of a block have
  // separate maxima, so that none waits for another.
  constexpr std::size_t kApart = kBlock / kLanes;
  V most[kApart], where[kApart];
  for (std::size_t k = 0; k < kApart; ++k) {
    most[k] = along(k * kLanes);
    where[k] = hn::Iota(d, static_cast<double>(k * kLanes));
  }
  V now[kApart];
  for (std::size_t k = 0; k < kApart; ++k) now[k] = where[k];
  const V step = hn::Set(d, static_cast<double>(kBlock));
  for (std::size_t i = kBlock; i < body.padded; i += kBlock)
    for (std::size_t k = 0; k < kApart; ++k) {
      const V here = along(i + k * kLanes);
      now[k] = hn::Add(now[k], step);
      const auto farther = hn::Gt(here, most[k]);
      most[k] = hn::IfThenElse(farther, here, most[k]);
      where[k] = hn::IfThenElse(farther, now[k], where[k]);
    }
  for (std::size_t k = 1; k < kApart; ++k) {
    const auto better = hn::Or(hn::Gt(most[k], most[0]),
                               hn::And(hn::Eq(most[k], most[0]), hn::Lt(where[k], where[0])));
    most[0] = hn::IfThenElse(better, most[k], most[0]);
    where[0] = hn::IfThenElse(better, where[k], where[0]);
  }
  const V all = hn::MaxOfLanes(d, most[0]);
  const V first =
      hn::MinOfLanes(d, hn::IfThenElse(hn::Eq(most[0], all), where[0], hn::Set(d, 1e300)));
  return static_cast<Index>(hn::GetLane(first));
}

HWY_INLINE std::size_t FarthestOfAny(const Body& body, double x, double y, double z) {
  const std::size_t blocks = body.padded / kBlock;
  return blocks <= 8 ? FarthestOfBlocks({body.x, body.y, body.z}, blocks, x, y, z)
                     : Farthest(body, {x, y, z});
}

// Compiled here because scalar code of newer instruction sets is shorter, too; without fused
// multiply-add (see the compilers' options) it gives the same bits.
void FindVertex(const Body& a, const Body& b, const RigidTransform& place, double x, double y,
                double z, double scale, Vertex& out) {
  const double* const m = place.rotation.data();  // column by column
  const double bx = (m[0] * x + m[1] * y) + m[2] * z, by = (m[3] * x + m[4] * y) + m[5] * z,
               bz = (m[6] * x + m[7] * y) + m[8] * z;
  const std::size_t i = FarthestOfAny(a, -x, -y, -z), j = FarthestOfAny(b, bx, by, bz);
  const double px = b.x[j], py = b.y[j], pz = b.z[j];
  const double* const t = place.translation.data();
  const double ax = scale * a.x[i], ay = scale * a.y[i], az = scale * a.z[i];
  const double qx = scale * (((m[0] * px + m[3] * py) + m[6] * pz) + t[0]),
               qy = scale * (((m[1] * px + m[4] * py) + m[7] * pz) + t[1]),
               qz = scale * (((m[2] * px + m[5] * py) + m[8] * pz) + t[2]);
  out.w = {qx - ax, qy - ay, qz - az};
  out.a = {ax, ay, az}, out.b = {qx, qy, qz};
  out.corner_a = static_cast<Index>(i), out.corner_b = static_cast<Index>(j);
}

}  // namespace convex_scan

FindPolytopeVertex MakeFindPolytopeVertex() { return &convex_scan::FindVertex; }

FarthestCorner MakeFarthestCorner() { return &convex_scan::Farthest; }

}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::convex {
namespace {

HWY_EXPORT(MakeFarthestCorner);
HWY_EXPORT(MakeFindPolytopeVertex);

}  // namespace

FarthestCorner farthest_corner() {
  static const FarthestCorner best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakeFarthestCorner)(); });
  return best;
}

FindPolytopeVertex find_polytope_vertex() {
  static const FindPolytopeVertex best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakeFindPolytopeVertex)(); });
  return best;
}

std::vector<FarthestCorner> farthest_corner_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeFarthestCorner)(); });
}

std::vector<FindPolytopeVertex> find_polytope_vertex_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeFindPolytopeVertex)(); });
}

}  // namespace touche::convex
#endif
