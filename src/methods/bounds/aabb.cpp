// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/aabb.h"

#include <cmath>

#include "geometry/expansion.h"
#include "methods/bounds/obb.h"

namespace touche::bounds {
namespace {

/// a + b rounded upwards.
double sum_up(double a, double b) {
  const geometry::exact::TwoTerms s = geometry::exact::two_sum(a, b);
  return s.low > 0 ? std::nextafter(s.high, kInfinity) : s.high;
}

double sum_down(double a, double b) { return -sum_up(-a, -b); }

}  // namespace

AabbMinMax AabbMinMax::fit(std::span<const Vec3> points) {
  require_points(points);
  AabbMinMax box = {points[0], points[0]};
  for (const Vec3& p : points) {
    box.lo = box.lo.cwiseMin(p);
    box.hi = box.hi.cwiseMax(p);
  }
  return box;
}

bool AabbMinMax::contains(const Vec3& p) const {
  return (p.array() >= lo.array()).all() && (p.array() <= hi.array()).all();
}

double AabbMinMax::volume() const { return (hi - lo).prod(); }

double AabbMinMax::surface_area() const {
  const Vec3 w = hi - lo;
  return 2 * (w.x() * w.y() + w.y() * w.z() + w.z() * w.x());
}

AabbMinWidths to_min_widths(const AabbMinMax& box) {
  AabbMinWidths out = {box.lo, Vec3::Zero()};
  for (int i = 0; i < 3; ++i) out.widths[i] = sum_up(box.hi[i], -box.lo[i]);
  return out;
}

AabbMinWidths to_min_widths(const AabbCentre& box) { return to_min_widths(to_min_max(box)); }

AabbCentre to_centre(const AabbMinMax& box) {
  AabbCentre out = {0.5 * box.lo + 0.5 * box.hi, Vec3::Zero()};
  for (int i = 0; i < 3; ++i)
    out.half[i] = std::max(sum_up(box.hi[i], -out.centre[i]), sum_up(out.centre[i], -box.lo[i]));
  return out;
}

AabbCentre to_centre(const AabbMinWidths& box) { return to_centre(to_min_max(box)); }

AabbMinMax to_min_max(const AabbMinWidths& box) {
  AabbMinMax out = {box.lo, Vec3::Zero()};
  for (int i = 0; i < 3; ++i) out.hi[i] = sum_up(box.lo[i], box.widths[i]);
  return out;
}

AabbMinMax to_min_max(const AabbCentre& box) {
  AabbMinMax out;
  for (int i = 0; i < 3; ++i) {
    out.lo[i] = sum_down(box.centre[i], -box.half[i]);
    out.hi[i] = sum_up(box.centre[i], box.half[i]);
  }
  return out;
}

bool overlap(const AabbMinMax& a, const AabbMinMax& b) {
  return (a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all();
}

bool overlap(const AabbMinWidths& a, const AabbMinWidths& b) {
  const Vec3 ahead = a.lo - b.lo;
  return (ahead.array() <= b.widths.array()).all() && (-ahead.array() <= a.widths.array()).all();
}

bool overlap(const AabbCentre& a, const AabbCentre& b) {
  return ((a.centre - b.centre).cwiseAbs().array() <= (a.half + b.half).array()).all();
}

AabbMinMax moved(const AabbMinMax& box, const PoseMatrix& pose) {
  const AabbCentre c = to_centre(box);
  // Centre and half widths moved apart: three roundings of a sum of products more than a point has.
  const double size = c.centre.lpNorm<1>() + c.half.lpNorm<1>();
  const Vec3 half = pose.rotation.cwiseAbs() * c.half + Vec3::Constant(2 * pose.error(size));
  return to_min_max(AabbCentre{pose * c.centre, half});
}

bool overlap(const AabbMinMax& a, const AabbMinMax& b, const PoseMatrix& pose) {
  return overlap(to_obb(a), to_obb(b), pose);
}

double lower_bound(const AabbMinMax& a, const AabbMinMax& b, const PoseMatrix& pose) {
  return lower_bound(to_obb(a), to_obb(b), pose);
}

}  // namespace touche::bounds
