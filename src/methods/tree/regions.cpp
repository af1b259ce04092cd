// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/regions.h"

#include <algorithm>

#include "methods/bounds/fit_obb.h"
#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

Split by_nearest(const Faces& faces, std::span<const Index> set, std::span<const Vec3> centres) {
  std::vector<std::uint8_t> part(set.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    double least = kInfinity;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      const double d2 = (faces.middle(set[i]) - centres[c]).squaredNorm();
      if (d2 < least) least = d2, part[i] = static_cast<std::uint8_t>(c);
    }
  }
  return numbered(std::move(part));
}

}  // namespace

AxisOrder longest_first(const Vec3& half) {
  AxisOrder order = {0, 1, 2};
  std::ranges::stable_sort(order, [&](int a, int b) { return half[a] > half[b]; });
  return order;
}

std::vector<Vec3> region_centres(const bounds::Obb& box, int degree, const AxisOrder& order) {
  const auto arm = [&](int k) -> Vec3 { return box.axes.col(order[k]) * box.half[order[k]]; };
  const Vec3 u = arm(0), v = arm(1), w = arm(2), none = Vec3::Zero();
  const double t = 2.0 / 3;
  std::vector<Vec3> at;
  switch (degree) {
    case 2:
      at = {-u / 2, u / 2};
      break;
    case 3:
      at = {-t * u, none, t * u};
      break;
    case 4:
      at = {-(u + v) / 2, -(u - v) / 2, (u - v) / 2, (u + v) / 2};
      break;
    case 5:
      at = {-(u + v) / 2, -(u - v) / 2, none, (u - v) / 2, (u + v) / 2};
      break;
    case 6:
    case 7:
      at = {-v / 2 - t * u, -v / 2, -v / 2 + t * u, v / 2 - t * u, v / 2, v / 2 + t * u};
      if (degree == 7) at.insert(at.begin() + 3, none);
      break;
    case 8:
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double z : {-0.5, 0.5}) at.emplace_back(x * u + y * v + z * w);
      break;
    default:
      throw InvalidInput("regions: the degree must be 2 to 8");
  }
  for (Vec3& p : at) p += box.centre;
  return at;
}

Split divide_by_regions(const Faces& faces, std::span<const Index> set, const bounds::Obb& box,
                        int degree) {
  const AxisOrder by_length = longest_first(box.half);
  AxisOrder rank = {0, 1, 2};
  Split split;
  do {
    const AxisOrder order = {by_length[rank[0]], by_length[rank[1]], by_length[rank[2]]};
    split = by_nearest(faces, set, region_centres(box, degree, order));
  } while (split.parts < 2 && std::ranges::next_permutation(rank).found);
  return split;
}

bounds::Obb principal_box(const Faces& faces, std::span<const Index> set) {
  std::vector<Triangle> triangles;
  triangles.reserve(set.size());
  for (const Index face : set) triangles.push_back(faces.corners(face));
  std::vector<Vec3> points;
  faces.gather(set, points);
  return bounds::obb_in_frame(points, bounds::principal_axes(triangles));
}

}  // namespace touche::tree
