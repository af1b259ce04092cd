// SPDX-License-Identifier: Apache-2.0
// For tests of moving bodies: random objects, boxes as they lie in space, and how near the
// triangles of nodes are.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bvh/bvh.h"
#include "geometry/triangle_pair.h"
#include "query/relative.h"
#include "random.h"
#include "touche/object.h"

namespace touche::test {

/// A few triangles near each other, spread out evenly or not.
inline Object random_object(scenes::Random& random, double scale = 1) {
  const double flat = random.below(2) == 0 ? 1 : 0.02, slim = random.below(3) == 0 ? 0.1 : 1;
  const double size = random.uniform(0.05, 0.4);
  std::vector<double> coordinates;
  std::vector<Index> corners;
  const int triangles = 2 + static_cast<int>(random.below(40));
  for (int t = 0; t < triangles; ++t) {
    const Vec3 middle = random.in_box(2);
    for (int v = 0; v < 3; ++v) {
      const Vec3 x = (middle + random.in_box(size)).cwiseProduct(scale * Vec3(1, slim, flat));
      corners.push_back(static_cast<Index>(coordinates.size() / 3));
      coordinates.insert(coordinates.end(), x.begin(), x.end());
    }
  }
  return Object(PolygonSoup(coordinates, corners));
}

/// A node of a path from the root to a leaf.
inline bvh::NodeRef random_node(const bvh::Bvh& bvh, scenes::Random& random) {
  bvh::NodeRef ref = bvh.root();
  while (!bvh::is_leaf(ref) && random.below(2) == 0) {
    bvh::Boxes8 room;
    const bvh::NodeView node = bvh.node(ref, room);
    ref = node.child[random.below(static_cast<Index>(node.count()))];
  }
  return ref;
}

inline bvh::NodeRef random_leaf(const bvh::Bvh& bvh, scenes::Random& random) {
  bvh::NodeRef ref = random_node(bvh, random);
  bvh::Boxes8 room;
  while (!bvh::is_leaf(ref)) ref = bvh.node(ref, room).child[0];
  return ref;
}

/// The triangles in the leaves below a node.
inline std::vector<Index> triangles_below(const bvh::Bvh& bvh, bvh::NodeRef ref) {
  if (bvh::is_leaf(ref)) {
    const bvh::BvhLeaf& leaf = bvh.leaf(ref);
    return {leaf.triangle, leaf.triangle + leaf.count()};
  }
  std::vector<Index> all;
  bvh::Boxes8 room;
  const bvh::NodeView node = bvh.node(ref, room);
  for (int i = 0; i < node.count(); ++i) {
    const std::vector<Index> below = triangles_below(bvh, node.child[i]);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

/// The least distance of some of a's triangles to some of b's.
inline double least_distance(const Object& a, const std::vector<Index>& of_a, const Object& b,
                             const std::vector<Index>& of_b, const query::RelativePose& pose) {
  double least = kInfinity;
  for (const Index ta : of_a)
    for (const Index tb : of_b)
      least = std::min(least, geometry::closest_points(query::triangle_of(a.soup(), ta),
                                                       query::triangle_of(b.soup(), tb, pose))
                                  .distance);
  return least;
}

/// The box of a node as it lies in space.
struct PlacedBox {
  Vec3 centre, axes[3], half;

  PlacedBox(const bvh::Bvh& bvh, const bvh::Bounds& from, const Pose& pose) {
    Vec3 local(from.frame.origin[0], from.frame.origin[1], from.frame.origin[2]);
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis(from.frame.axis(k, 0), from.frame.axis(k, 1), from.frame.axis(k, 2));
      local += axis * static_cast<double>(from.box.centre[k]);
      axes[k] = pose.matrix() * axis;
      half[k] = static_cast<double>(from.box.half[k]) / bvh.scale();
    }
    centre = pose * Vec3(local / bvh.scale() + bvh.centre());
  }
  double reach(const Vec3& n) const {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::abs(n.dot(axes[k])) * half[k];
    return sum;
  }
};

/// Calls visit(unit axis towards b, gap) for the 15 axes of which one separates two boxes that are
/// apart.
template <class Visit>
void for_axes(const PlacedBox& a, const PlacedBox& b, const Visit& visit) {
  const auto axis = [&](const Vec3& x) {
    if (x.norm() < 1e-3) return;
    const Vec3 n = x.dot(b.centre - a.centre) < 0 ? -x.normalized() : x.normalized();
    visit(n, n.dot(b.centre - a.centre) - a.reach(n) - b.reach(n));
  };
  for (int i = 0; i < 3; ++i) {
    axis(a.axes[i]);
    axis(b.axes[i]);
    for (int j = 0; j < 3; ++j) axis(a.axes[i].cross(b.axes[j]));
  }
}

}  // namespace touche::test
