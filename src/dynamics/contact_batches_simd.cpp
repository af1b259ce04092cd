// SPDX-License-Identifier: Apache-2.0
// Compiles the iteration for the instruction sets that bvh/kernels_simd.cpp offers, without fused
// multiply-add, so that all of them, and ContactSweep, round in the same manner.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dynamics/contact_batches_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <algorithm>

#include "dynamics/contact_batches.h"

HWY_BEFORE_NAMESPACE();
namespace touche::dynamics {
namespace HWY_NAMESPACE {
namespace contact_batches {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 4>;
using V = hn::Vec<D>;
constexpr std::size_t kLanes = hn::MaxLanes(D());

struct V3 {
  V x, y, z;
};

HWY_INLINE V3 operator-(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE V3 operator+(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 operator*(V s, const V3& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
// The order of operations is that of Eigen, whose packets hold two numbers.
HWY_INLINE V Dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V3 Cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V Load(const ContactBatch::Lanes& lanes, std::size_t l) {
  return hn::Load(D(), lanes + l);
}
HWY_INLINE V3 Load(const ContactBatch::Lanes (&lanes)[3], std::size_t l) {
  return {Load(lanes[0], l), Load(lanes[1], l), Load(lanes[2], l)};
}
HWY_INLINE V3 Times(const ContactBatch::Lanes (&m)[9], std::size_t l, const V3& v) {
  const auto row = [&](std::size_t k) HWY_ATTR {
    return V3{Load(m[k], l), Load(m[k + 1], l), Load(m[k + 2], l)};
  };
  const V3 last = row(6);
  return {Dot(row(0), v), Dot(row(3), v),
          hn::Add(hn::Mul(last.x, v.x), hn::Add(hn::Mul(last.y, v.y), hn::Mul(last.z, v.z)))};
}

// Gathers vectors from these rows of the twists; `base` is the vector's address in the first row.
constexpr std::size_t kStride = sizeof(BodyTwist) / sizeof(double);
HWY_INLINE V3 Gather(const double* base, const Index* rows) {
  const D d;
#if HWY_TARGET == HWY_SCALAR
  const double* const row = base + kStride * rows[0];
  return {hn::Set(d, row[0]), hn::Set(d, row[1]), hn::Set(d, row[2])};
#else
  const auto row = [&](std::size_t i) HWY_ATTR { return base + kStride * rows[i]; };
  if constexpr (kLanes == 2) {
    const V r0 = hn::Load(d, row(0)), r1 = hn::Load(d, row(1));
    return {hn::InterleaveLower(d, r0, r1), hn::InterleaveUpper(d, r0, r1),
            hn::InterleaveLower(d, hn::Load(d, row(0) + 2), hn::Load(d, row(1) + 2))};
  } else {
    static_assert(kLanes == 2 || kLanes == 4);
    const V r0 = hn::Load(d, row(0)), r1 = hn::Load(d, row(1)), r2 = hn::Load(d, row(2)),
            r3 = hn::Load(d, row(3));
    const V lower = hn::InterleaveLower(d, r0, r1), upper = hn::InterleaveUpper(d, r0, r1),
            lower2 = hn::InterleaveLower(d, r2, r3), upper2 = hn::InterleaveUpper(d, r2, r3);
    return {hn::ConcatLowerLower(d, lower2, lower), hn::ConcatLowerLower(d, upper2, upper),
            hn::ConcatUpperUpper(d, lower2, lower)};
  }
#endif
}
HWY_INLINE void Scatter(const V3& v, double* base, const Index* rows) {
#if HWY_TARGET == HWY_SCALAR
  double* const row = base + kStride * rows[0];
  row[0] = hn::GetLane(v.x);
  row[1] = hn::GetLane(v.y);
  row[2] = hn::GetLane(v.z);
#else
  const D d;
  const auto row = [&](std::size_t i) HWY_ATTR { return base + kStride * rows[i]; };
  const V none = hn::Zero(d);
  const V xy = hn::InterleaveLower(d, v.x, v.y), xy2 = hn::InterleaveUpper(d, v.x, v.y),
          z = hn::InterleaveLower(d, v.z, none), z2 = hn::InterleaveUpper(d, v.z, none);
  if constexpr (kLanes == 2) {
    hn::Store(xy, d, row(0));
    hn::Store(xy2, d, row(1));
    hn::Store(z, d, row(0) + 2);
    hn::Store(z2, d, row(1) + 2);
  } else {
    hn::Store(hn::ConcatLowerLower(d, z, xy), d, row(0));
    hn::Store(hn::ConcatLowerLower(d, z2, xy2), d, row(1));
    hn::Store(hn::ConcatUpperUpper(d, z, xy), d, row(2));
    hn::Store(hn::ConcatUpperUpper(d, z2, xy2), d, row(3));
  }
#endif
}

// Does the same as ContactSweep::visit, in all lanes.
HWY_INLINE V Visit(const ContactBatch& c, std::size_t l, BodyTwist* HWY_RESTRICT twists,
                   BatchImpulses& impulses, BatchImpulses& changes, BatchChange& sizes) {
  const D d;
  const V zero = hn::Zero(d);
  double *const linear = twists->linear, *const angular = twists->angular;
  const V3 linear_a = Gather(linear, c.a + l), angular_a = Gather(angular, c.a + l),
           linear_b = Gather(linear, c.b + l), angular_b = Gather(angular, c.b + l);
  const V3 normal = Load(c.normal, l), first = Load(c.first, l), second = Load(c.second, l),
           arm_a = Load(c.arm_a, l), arm_b = Load(c.arm_b, l);
  const V3 impulse = Load(impulses.along, l);
  const V mass = Load(c.mass, l), least = Load(c.least, l);

  const V most = hn::Mul(Load(c.friction, l), impulse.x);
  const V3 speed = ((linear_b - linear_a) + Cross(angular_b, arm_b)) - Cross(angular_a, arm_a);
  const V speed_x = Dot(first, speed), speed_y = Dot(second, speed);
  const auto size_of = [](V x, V y)
                           HWY_ATTR { return hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y))); };
  const V xx = Load(c.xx, l), xy = Load(c.xy, l), yy = Load(c.yy, l);
  const V stops_x = hn::Sub(hn::Sub(impulse.y, hn::Mul(xx, speed_x)), hn::Mul(xy, speed_y)),
          stops_y = hn::Sub(hn::Sub(impulse.z, hn::Mul(xy, speed_x)), hn::Mul(yy, speed_y));
  const auto slides = hn::Gt(size_of(stops_x, stops_y), most);
  const V down_x = hn::Sub(impulse.y, hn::Mul(least, speed_x)),
          down_y = hn::Sub(impulse.z, hn::Mul(least, speed_y)), size = size_of(down_x, down_y);
  const auto beyond = hn::And(hn::Gt(size, most), hn::Gt(size, zero));
  const V one = hn::Set(d, 1.0);
  const V part = hn::IfThenElse(beyond, hn::Div(most, hn::IfThenElse(beyond, size, one)), one);
  const auto acts =
      hn::Or(hn::Ne(most, zero), hn::Or(hn::Ne(impulse.y, zero), hn::Ne(impulse.z, zero)));
  const auto chosen = [&](V now, V stops, V down) HWY_ATTR {
    return hn::IfThenElse(acts, hn::IfThenElse(slides, hn::Mul(down, part), stops), now);
  };
  const V x = chosen(impulse.y, stops_x, down_x), y = chosen(impulse.z, stops_y, down_y);
  const V change_x = hn::Sub(x, impulse.y), change_y = hn::Sub(y, impulse.z);
  const auto larger = [](V p, V q) HWY_ATTR { return hn::IfThenElse(hn::Lt(p, q), q, p); };
  const auto over = [&](V p, V q) HWY_ATTR {  // 0 where q is 0
    const auto some = hn::Gt(q, zero);
    return hn::IfThenElseZero(some, hn::Div(p, hn::IfThenElse(some, q, one)));
  };
  V change = over(larger(hn::Abs(change_x), hn::Abs(change_y)), least);

  const V along = hn::Add(hn::Add(Dot(normal, speed), hn::Mul(Load(c.normal_first, l), change_x)),
                          hn::Mul(Load(c.normal_second, l), change_y));
  const V wanted = hn::Add(impulse.x, hn::Mul(hn::Sub(Load(c.least_speed, l), along), mass));
  const V pushes = hn::IfThenElse(hn::Lt(wanted, zero), zero, wanted);
  const V change_n = hn::Sub(pushes, impulse.x);
  change = larger(change, over(hn::Abs(change_n), mass));

  const auto changes_any = hn::Ne(change, zero);
  const V3 push = (hn::IfThenElseZero(changes_any, change_n) * normal +
                   hn::IfThenElseZero(changes_any, change_x) * first) +
                  hn::IfThenElseZero(changes_any, change_y) * second;
  const V3 push_a = Load(c.inverse_mass_a, l) * push, push_b = Load(c.inverse_mass_b, l) * push;
  Scatter(linear_a - push_a, linear, c.to_a + l);
  Scatter(angular_a - Times(c.inertia_a, l, Cross(arm_a, push)), angular, c.to_a + l);
  Scatter(linear_b + push_b, linear, c.to_b + l);
  Scatter(angular_b + Times(c.inertia_b, l, Cross(arm_b, push)), angular, c.to_b + l);

  const V after_n = hn::Add(impulse.x, change_n);
  hn::Store(after_n, d, impulses.along[0] + l);
  hn::Store(x, d, impulses.along[1] + l);
  hn::Store(y, d, impulses.along[2] + l);
  const V3 changed = {hn::Sub(after_n, impulse.x), change_x, change_y};
  hn::Store(changed.x, d, changes.along[0] + l);
  hn::Store(changed.y, d, changes.along[1] + l);
  hn::Store(changed.z, d, changes.along[2] + l);
  const V energy = over(Dot(changed, changed), mass);
  hn::Store(energy, d, sizes.energy + l);
  hn::Store(over(energy, mass), d, sizes.square + l);
  return change;
}

double Pass(std::span<const ContactBatch> batches, bool forwards, BodyTwist* twists,
            BatchImpulses* impulses, BatchImpulses* changes, BatchChange* sizes) {
  const D d;
  V most = hn::Zero(d);
  const std::size_t count = batches.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = forwards ? i : count - 1 - i;
    for (std::size_t l = 0; l < ContactBatch::kLanes; l += kLanes) {
      const V change = Visit(batches[at], l, twists, impulses[at], changes[at], sizes[at]);
      most = hn::IfThenElse(hn::Lt(most, change), change, most);
    }
  }
  alignas(64) double lanes[kLanes];
  hn::Store(most, d, lanes);
  return *std::max_element(lanes, lanes + kLanes);
}

void GoOn(double share, const double* change, double* direction, double* at, std::size_t count) {
  const D d;
  const V part = hn::Set(d, share);
  for (std::size_t i = 0; i < count; i += kLanes) {
    const V more = hn::Mul(part, hn::Load(d, direction + i));
    hn::Store(hn::Add(more, hn::Load(d, change + i)), d, direction + i);
    hn::Store(hn::Add(hn::Load(d, at + i), more), d, at + i);
  }
}

}  // namespace contact_batches

ContactBatchKernels MakeContactBatchKernels() {
  return {&contact_batches::Pass, &contact_batches::GoOn};
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::dynamics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace touche::dynamics {
namespace {
HWY_EXPORT(MakeContactBatchKernels);
}  // namespace

const ContactBatchKernels& contact_batch_kernels() {
  static const ContactBatchKernels best =
      base::table_of_best([] { return HWY_DYNAMIC_DISPATCH(MakeContactBatchKernels)(); });
  return best;
}

std::vector<ContactBatchKernels> contact_batch_kernels_of_targets() {
  return base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeContactBatchKernels)(); });
}

}  // namespace touche::dynamics
#endif
