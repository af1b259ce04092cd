// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/obb_forms.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::bounds {
namespace {

/// Offsets n·x of the points x = centre + axes h with |hᵢ| <= halfᵢ deviate from n·centre ± halfᵢ
/// by the product's rounding, 4 u |n|·|x|, and by the axes' defect, 32 u |h|.
double offset_error(const Obb& box) {
  return 64 * math::kUnitRoundoff * (box.centre.lpNorm<1>() + box.half.lpNorm<1>()) +
         math::kUnderflow;
}

}  // namespace

BoxCorners to_corners(const Obb& box) {
  BoxCorners out;
  for (int k = 0; k < 8; ++k) {
    Vec3 h = box.half;
    for (int i = 0; i < 3; ++i)
      if ((k >> i & 1) == 0) h[i] = -h[i];
    out[k] = box.centre + box.axes * h;
  }
  return out;
}

Obb from_corners(const BoxCorners& corners) {
  // Edges as axes, the longest first: a short one says little about its direction, and is made
  // orthogonal to the others.
  std::array<Vec3, 3> edges = {corners[1] - corners[0], corners[2] - corners[0],
                               corners[4] - corners[0]};
  std::array<int, 3> order = {0, 1, 2};
  std::ranges::sort(order, [&](int i, int j) { return edges[i].norm() > edges[j].norm(); });
  Mat3 sorted;
  sorted << edges[order[0]], edges[order[1]], edges[order[2]];
  const Mat3 unit = orthonormal(sorted);
  Mat3 axes;
  for (int k = 0; k < 3; ++k) axes.col(order[k]) = unit.col(k);
  Obb box = obb_in_frame(corners, axes);
  // Corners were rounded to doubles: up to 8 u of their coordinates off the box they stand for.
  double size = 0;
  for (const Vec3& p : corners) size = std::max(size, p.lpNorm<1>());
  box.half.array() += 16 * math::kUnitRoundoff * size;
  return box;
}

BoxPlanes to_planes(const Obb& box) {
  BoxPlanes out;
  const BoxSlabs slabs = to_slabs(box);
  for (int i = 0; i < 3; ++i) {
    out[2 * i] = {slabs[i].normal, slabs[i].hi};
    out[2 * i + 1] = {-slabs[i].normal, -slabs[i].lo};
  }
  return out;
}

Obb from_planes(const BoxPlanes& planes) {
  BoxSlabs slabs;
  for (int i = 0; i < 3; ++i)
    slabs[i] = {planes[2 * i].normal, -planes[2 * i + 1].offset, planes[2 * i].offset};
  return from_slabs(slabs);
}

BoxSlabs to_slabs(const Obb& box) {
  BoxSlabs out;
  for (int i = 0; i < 3; ++i) {
    const Vec3 n = box.axes.col(i);
    const double middle = n.dot(box.centre), reach = box.half[i] + offset_error(box);
    out[i] = {n, middle - reach, middle + reach};
  }
  return out;
}

Obb from_slabs(const BoxSlabs& slabs) {
  Mat3 normals;
  Obb box;
  Vec3 middle;
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    normals.col(i) = slabs[i].normal;
    middle[i] = 0.5 * (slabs[i].lo + slabs[i].hi);
    box.half[i] = 0.5 * (slabs[i].hi - slabs[i].lo);
    size += std::max(std::abs(slabs[i].lo), std::abs(slabs[i].hi));
  }
  box.axes = orthonormal(normals);
  box.centre = box.axes * middle;
  // A left-handed set of normals has its third axis turned round.
  if (box.axes.col(2).dot(slabs[2].normal) < 0) box.centre -= 2 * middle[2] * box.axes.col(2);
  // Points have coordinates of at most `size` along the normals, which the axes equal up to 32 u,
  // so the coordinates along the axes are off by that, and the centre by its own roundings: 128 u.
  box.half.array() += 128 * math::kUnitRoundoff * size + math::kUnderflow;
  return box;
}

CompactObb to_compact(const Obb& box) {
  return {box.centre, box.axes.col(0), box.axes.col(1), box.half};
}

Obb from_compact(const CompactObb& box) {
  Obb out = {box.centre, Mat3::Identity(), box.half};
  Mat3 axes;
  axes << box.axis_0, box.axis_1, box.axis_0.cross(box.axis_1);
  out.axes = orthonormal(axes);
  // Right-handed or not, the box is symmetric; the axes change by at most 64 u.
  out.half.array() += 64 * math::kUnitRoundoff * box.half.lpNorm<1>();
  return out;
}

QuaternionObb to_quaternion(const Obb& box) {
  // The axes of a left-handed box turned round make it right-handed, and the same box.
  Mat3 axes = box.axes;
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  QuaternionObb out = {box.centre, Eigen::Quaterniond(axes).normalized(), box.half};
  // A matrix that is off by 32 u gives a quaternion off by 64 u at most, and that a matrix off by
  // twice as much: corners by 4 · 64 u of the half widths.
  out.half.array() += 512 * math::kUnitRoundoff * box.half.lpNorm<1>();
  return out;
}

Obb from_quaternion(const QuaternionObb& box) {
  Obb out = {box.centre, orthonormal(box.rotation.toRotationMatrix()), box.half};
  out.half.array() += 64 * math::kUnitRoundoff * box.half.lpNorm<1>();  // the same as from two axes
  return out;
}

}  // namespace touche::bounds
