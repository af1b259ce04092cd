// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/swept_forms.h"

#include <cmath>

#include "methods/bounds/obb.h"

namespace touche::bounds {
namespace {

/// The middle of a segment and half of it round to below 8 u of its ends; a rectangle's corners to
/// that of its middle and sides; axes are orthonormal up to 32 u.
double forms_error(const Vec3& at, double size) {
  return 64 * math::kUnitRoundoff * (at.lpNorm<1>() + size);
}

}  // namespace

Lss to_lss(const Pss& s) { return {s.centre, s.centre, s.radius}; }

Rss to_rss(const Pss& s) { return {s.centre, Mat3::Identity(), {0, 0}, s.radius}; }

Rss to_rss(const Lss& s) {
  const Vec3 half = 0.5 * s.end - 0.5 * s.start;
  Mat3 axes = Mat3::Zero();
  axes.col(0) = half;
  Rss out;
  out.centre = 0.5 * s.start + 0.5 * s.end;
  out.axes = orthonormal(axes);
  out.half[0] = half.norm();
  if (out.half[0] > 0) out.radius = forms_error(s.start.cwiseAbs() + s.end.cwiseAbs(), out.half[0]);
  out.radius += s.radius;
  out.radius *= 1 + 2 * math::kUnitRoundoff;
  return out;
}

Pss to_pss(const Lss& s) {
  const Vec3 half = 0.5 * s.end - 0.5 * s.start;
  const double length = half.norm();
  if (!(length > 0) && s.start == s.end) return {s.start, s.radius};
  return {0.5 * s.start + 0.5 * s.end,
          (s.radius + length + forms_error(s.start.cwiseAbs() + s.end.cwiseAbs(), length)) *
              (1 + 4 * math::kUnitRoundoff)};
}

Pss to_pss(const Rss& s) {
  const double reach = std::hypot(s.half[0], s.half[1]);
  if (!(reach > 0)) return {s.centre, s.radius};
  return {s.centre,
          (s.radius + reach + forms_error(Vec3::Zero(), reach)) * (1 + 4 * math::kUnitRoundoff)};
}

Lss to_lss(const Rss& s) {
  const int along = s.half[0] >= s.half[1] ? 0 : 1;
  const Vec3 half = s.half[along] * s.axes.col(along);
  Lss out = {s.centre - half, s.centre + half, s.radius};
  if (s.half[along] > 0)
    out.radius = (s.radius + s.half[1 - along] + forms_error(s.centre, s.half[0] + s.half[1])) *
                 (1 + 4 * math::kUnitRoundoff);
  return out;
}

}  // namespace touche::bounds
