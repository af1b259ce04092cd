// SPDX-License-Identifier: Apache-2.0
// Compiled for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "convex/pose_lanes_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "convex/lane_search-inl.h"
#include "convex/pose_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace pose_lanes {

/// Computes the same as PoseBits::relative, in the same order of operations.
HWY_INLINE void PlaceLanes(const PoseBits::Numbers& a, const V& bw, const V& bx, const V& by,
                           const V& bz, const V3& move_b, V* rotation, V3& translation) {
  const V aw = Num(a.w), ax = Num(-a.x), ay = Num(-a.y), az = Num(-a.z);
  const auto product = [](const V& p, const V& q) HWY_ATTR { return hn::Mul(p, q); };
  const auto sum = [](const V& p, const V& q) HWY_ATTR { return hn::Add(p, q); };
  const auto less = [](const V& p, const V& q) HWY_ATTR { return hn::Sub(p, q); };
  const V x = less(sum(product(aw, bx), product(ay, bz)), less(product(az, by), product(ax, bw))),
          y = sum(sum(product(aw, by), product(ay, bw)), less(product(az, bx), product(ax, bz))),
          z = sum(less(product(aw, bz), product(ay, bx)), sum(product(az, bw), product(ax, by))),
          w = less(less(product(aw, bw), product(ay, by)), sum(product(az, bz), product(ax, bx)));
  const V square = sum(sum(product(x, x), product(z, z)), sum(product(y, y), product(w, w)));
  const V length = less(Num(1.5), product(Num(0.5), square));
  const V factor = hn::IfThenElse(hn::Lt(w, hn::Zero(D())), hn::Neg(length), length);
  const V nw = product(factor, w), nx = product(factor, x), ny = product(factor, y),
          nz = product(factor, z);
  const V3 v = move_b - V3{Num(a.move_x), Num(a.move_y), Num(a.move_z)}, at = {ax, ay, az};
  const V3 u = Cross(at, v), u2 = u + u, turned = Cross(at, u2);
  translation = (v + aw * u2) + turned;
  const V tx = sum(nx, nx), ty = sum(ny, ny), tz = sum(nz, nz);
  const V twx = product(tx, nw), twy = product(ty, nw), twz = product(tz, nw),
          txx = product(tx, nx), txy = product(ty, nx), txz = product(tz, nx),
          tyy = product(ty, ny), tyz = product(tz, ny), tzz = product(tz, nz);
  const V one = Num(1);
  rotation[0] = less(one, sum(tyy, tzz)), rotation[1] = sum(txy, twz), rotation[2] = less(txz, twy);
  rotation[3] = less(txy, twz), rotation[4] = less(one, sum(txx, tzz)), rotation[5] = sum(tyz, twx);
  rotation[6] = sum(txz, twy), rotation[7] = less(tyz, twx), rotation[8] = less(one, sum(txx, tyy));
}

void Place(const Pose& pose_a, std::span<const Pose> poses_b, TransformColumns& placements) {
  const D d;
  // Vectors are read and written as a whole, so the last pose is repeated in the remaining lanes.
  alignas(64) double from[7][kPoseGroup];
  const std::size_t count = poses_b.size(), padded = (count + kLanes - 1) / kLanes * kLanes;
  for (std::size_t i = 0; i < padded; ++i) {
    const PoseBits::Numbers n = PoseBits::numbers(poses_b[std::min(i, count - 1)]);
    from[0][i] = n.w, from[1][i] = n.x, from[2][i] = n.y, from[3][i] = n.z;
    from[4][i] = n.move_x, from[5][i] = n.move_y, from[6][i] = n.move_z;
  }
  const PoseBits::Numbers a = PoseBits::numbers(pose_a);
  for (std::size_t i = 0; i < padded; i += kLanes) {
    V rotation[9];
    V3 translation;
    PlaceLanes(a, hn::Load(d, from[0] + i), hn::Load(d, from[1] + i), hn::Load(d, from[2] + i),
               hn::Load(d, from[3] + i),
               {hn::Load(d, from[4] + i), hn::Load(d, from[5] + i), hn::Load(d, from[6] + i)},
               rotation, translation);
    for (std::size_t k = 0; k < 9; ++k) hn::Store(rotation[k], d, placements.at[k].data() + i);
    hn::Store(translation.x, d, placements.at[9].data() + i);
    hn::Store(translation.y, d, placements.at[10].data() + i);
    hn::Store(translation.z, d, placements.at[11].data() + i);
  }
}

/// If the distance of the cores is needed, and the inner balls would meet if enlarged by this
/// factor, the cores nearly always meet: then the search would give no result and is skipped.
inline constexpr double kLikelyMeeting = 1.3;

/// Decides the poses that the inner balls decide, and leaves out poses for which the search would
/// give no result, or which are not numbers, or too large or small for it. The data of all others
/// are stored in `waiting`.
HWY_INLINE void Prepare(const PosesQuestion& q, const SharedNumbers& shared,
                        const TransformColumns& placements, std::span<AtPose> found,
                        WaitingPoses& waiting) {
  const D d;
  const bool decide = q.options.goal == Goal::decide;
  const double within =
      shared.inner + (decide ? (q.a.radius + q.b.radius) * math::kRoundDown : 0.0);
  const Vec3 &ca = q.a.centre, &cb = q.b.centre;
  for (std::size_t i = 0; i < found.size(); i += kLanes) {
    const auto at = [&](std::size_t k)
                        HWY_ATTR { return hn::Load(d, placements.at[k].data() + i); };
    const V3 t = {at(9), at(10), at(11)};
    const V move = hn::Add(hn::Add(hn::Abs(t.x), hn::Abs(t.y)), hn::Abs(t.z));
    const V size = hn::Add(Num(shared.size), move),
            error = hn::Add(Num(shared.error), hn::Mul(Num(shared.error_by_move), move));
    const V3 centre =
        ((Num(cb[0]) * V3{at(0), at(1), at(2)} + Num(cb[1]) * V3{at(3), at(4), at(5)}) +
         Num(cb[2]) * V3{at(6), at(7), at(8)}) +
        t;
    const V3 middle = centre - V3{Num(ca[0]), Num(ca[1]), Num(ca[2])};
    const V trace = hn::Abs(hn::Add(hn::Add(at(0), at(4)), at(8)));
    const M fits = hn::And(hn::And(hn::Gt(size, Num(0x1p-60)), hn::Lt(size, Num(0x1p60))),
                           hn::Lt(trace, Num(4)));
    const V room = hn::Sub(Num(within), error);
    const V near = decide ? room : hn::Mul(room, Num(kLikelyMeeting));
    M settled = hn::And(Above0(room), hn::Lt(Dot(middle, middle), hn::Mul(near, near)));
    if (!q.ends_where_meeting) settled = hn::MaskFromVec(hn::Zero(d));
    const V kind = hn::IfThenElseZero(fits, hn::IfThenElse(settled, Num(1), Num(2)));
    alignas(64) double kinds[kLanes], extra[4][kLanes];
    hn::Store(kind, d, kinds);
    hn::Store(middle.x, d, extra[0]), hn::Store(middle.y, d, extra[1]);
    hn::Store(middle.z, d, extra[2]), hn::Store(error, d, extra[3]);
    const std::size_t end = std::min(kLanes, found.size() - i);
    for (std::size_t k = 0; k < end; ++k) {
      AtPose& f = found[i + k];
      f.ending = decide && kinds[k] == 1 ? PoseEnding::meeting : PoseEnding::open;
      f.size = 0, f.supports = 0;
      if (kinds[k] != 2) continue;
      const std::size_t n = waiting.count++;
      for (std::size_t c = 0; c < 12; ++c) waiting.at[n][c] = placements.at[c][i + k];
      for (std::size_t c = 0; c < 4; ++c) waiting.at[n][12 + c] = extra[c][k];
      waiting.number[n] = static_cast<std::uint8_t>(i + k);
    }
  }
}

/// Two groups of lanes alternate, so that one proceeds while the other waits for its numbers.
template <bool kEndsWhereMeeting>
HWY_INLINE void SearchAll(const SharedNumbers& shared, WaitingPoses& waiting, AtPose* found) {
  using Group = LaneGroup<kEndsWhereMeeting>;
  Group groups[2] = {Group(shared, waiting, found), Group(shared, waiting, found)};
  while (groups[0].Runs()) {
    for (Group& g : groups)
      if (g.Runs()) g.Find();
    for (Group& g : groups)
      if (g.Runs()) g.Advance();
  }
  while (groups[1].Runs()) groups[1].Find(), groups[1].Advance();
}

void Search(const PosesQuestion& question, const TransformColumns& placements,
            std::span<AtPose> found) {
  const SharedNumbers shared(question);
  WaitingPoses waiting;
  Prepare(question, shared, placements, found, waiting);
  if (waiting.count == 0) return;
  if (question.ends_where_meeting)
    SearchAll<true>(shared, waiting, found.data());
  else
    SearchAll<false>(shared, waiting, found.data());
}

}  // namespace pose_lanes

PoseLaneKernels MakePoseLaneKernels() { return {&pose_lanes::Place, &pose_lanes::Search}; }

}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::convex {
namespace {

HWY_EXPORT(MakePoseLaneKernels);

}  // namespace

const PoseLaneKernels& pose_lane_kernels() {
  static const PoseLaneKernels best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakePoseLaneKernels)(); });
  return best;
}

std::vector<PoseLaneKernels> pose_lane_kernels_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakePoseLaneKernels)(); });
}

}  // namespace touche::convex
#endif
