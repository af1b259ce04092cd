// SPDX-License-Identifier: Apache-2.0
#include "query/nearest_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "bvh/object_data.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "query/relative.h"
#include "query/visit_triangles.h"

namespace touche::tree {
namespace {

constexpr Index kLeafFaces = 4;

double longest_edge_of(const Triangle& t) {
  return std::sqrt(std::max(
      {(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()}));
}

Aabb box_of(const Triangle& t) {
  return {t[0].cwiseMin(t[1]).cwiseMin(t[2]), t[0].cwiseMax(t[1]).cwiseMax(t[2])};
}

/// The closest point of the faces seen so far.
struct Search {
  const Vec3& x;
  double least2 = kInfinity;
  ClosestPoint closest = {};

  void look(Index face, const Triangle& t) {
    if (aabb_tree::squared_distance(x, box_of(t)) > least2) return;
    const Vec3 offset = geometry::nearest_offset(x, t);
    if (const double d2 = offset.squaredNorm(); d2 < least2) {
      least2 = d2;
      closest = {face, x - offset, std::sqrt(d2)};
    }
  }
};

}  // namespace

// ---- any faces ---------------------------------------------------------------------------------

FaceTree::FaceTree(std::span<const Triangle> faces) : faces_(faces) {
  if (faces.empty()) throw InvalidInput("no faces to be near to");
  std::vector<Aabb> boxes;
  boxes.reserve(faces.size());
  for (const Triangle& t : faces) {
    longest_edge_ = std::max(longest_edge_, longest_edge_of(t));
    boxes.push_back(box_of(t));
  }
  tree_ = aabb_tree::AabbTree(boxes, kLeafFaces);
}

ClosestPoint FaceTree::nearest(const Vec3& x, Index guess) const {
  Search search = {x};
  search.look(guess, faces_[guess]);
  tree_.nearest(
      search.least2, [&](const Aabb& box) { return aabb_tree::squared_distance(x, box); },
      [&](Index face) {
        search.look(face, faces_[face]);
        return search.least2;
      });
  return search.closest;
}

// ---- an object's faces -------------------------------------------------------------------------

ObjectFaces::ObjectFaces(const Object& object) : object_(object) {
  for (Index i = 0; i < size(); ++i)
    longest_edge_ = std::max(longest_edge_, longest_edge_of(ObjectFaces::face(i)));
}

Triangle ObjectFaces::face(Index i) const {
  const auto& [a, b, c] = object_.soup().triangle(i);
  return {object_.soup().vertex(a), object_.soup().vertex(b), object_.soup().vertex(c)};
}

ClosestPoint ObjectFaces::nearest(const Vec3& x, Index guess) const {
  return closest_triangle(object_, x, kInfinity, guess);
}

ClosestPoint closest_triangle(const Object& object, const Vec3& x, double max_distance,
                              Index guess) {
  const bvh::Bvh& bvh = bvh::bvh_of(object);
  Search search = {x};
  // Slightly enlarged, so that a triangle at exactly this distance is found, even at 0.
  search.least2 = max_distance * max_distance * (1 + 10 * math::kUnitRoundoff) +
                  std::numeric_limits<double>::min();
  const auto look = [&](Index t) { search.look(t, query::triangle_of(object.soup(), t)); };
  look(guess);
  const Vec3 local = (x - bvh.centre()) * bvh.scale();
  query::visit_triangles(
      bvh, [&](const bvh::NodeView& node) { return query::child_distances(node, local); },
      [&] {
        // Round upwards, so that no triangle within the limit is left out.
        const double distance = std::min(search.closest.distance, max_distance);
        return static_cast<float>(std::min(distance * bvh.scale() * (1 + 1e-6), 1e30));
      },
      look);
  return search.closest;
}

}  // namespace touche::tree
