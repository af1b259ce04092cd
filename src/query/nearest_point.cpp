// SPDX-License-Identifier: Apache-2.0
#include "query/nearest_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geometry/point_triangle.h"

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

/// The nearest point of the faces seen so far.
struct Search {
  const Vec3& x;
  double least2 = kInfinity;
  Foot foot = {};

  void look(Index face, const Triangle& t) {
    if (squared_distance(x, box_of(t)) > least2) return;
    const Vec3 offset = nearest_offset(x, t);
    if (const double d2 = offset.squaredNorm(); d2 < least2) {
      least2 = d2;
      foot = {face, x - offset, std::sqrt(d2)};
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
  tree_ = AabbTree(boxes, kLeafFaces);
}

Foot FaceTree::nearest(const Vec3& x, Index guess) const {
  Search search = {x};
  search.look(guess, faces_[guess]);
  tree_.nearest(
      search.least2, [&](const Aabb& box) { return squared_distance(x, box); },
      [&](Index face) {
        search.look(face, faces_[face]);
        return search.least2;
      });
  return search.foot;
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

namespace {

/// Bounds of the distances from a point to a node's children, in the object's local coordinates.
///
/// In the node's frame, coordinates of boxes are below 4 and rounded to single precision, with a
/// relative error of 2^-24 for each of the point's coordinate, three sums and the squares; and the
/// axes, as stored, lengthen a vector by at most 2^-21. One millionth is above each of the two.
std::array<float, kWidth> child_distances(const BvhNode& node, const Vec3& local) {
  const Frame& frame = node.bounds.frame;
  float y[3], largest = 0;
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int j = 0; j < 3; ++j)
      sum +=
          static_cast<double>(frame.axis(k, j)) * (local[j] - static_cast<double>(frame.origin[j]));
    y[k] = static_cast<float>(sum);
    largest = std::max(largest, std::abs(y[k]));
  }
  std::array<float, kWidth> squares = {};
  if (!(largest < 1e15f)) return squares;  // so far away that squares could overflow: no bounds
  for (int k = 0; k < 3; ++k)
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      const float beyond = std::max(
          std::abs(y[k] - node.children.centre[k][lane]) - node.children.half[k][lane], 0.0f);
      squares[lane] += beyond * beyond;
    }
  const float slack = 1e-6f * (8 + 4 * largest);
  for (float& s : squares) s = std::max(std::sqrt(s) * (1 - 2e-6f) - slack, 0.0f);
  return squares;
}

}  // namespace

Foot ObjectFaces::nearest(const Vec3& x, Index guess) const {
  const Bvh& bvh = object_.bvh();
  Search search = {x};
  search.look(guess, face(guess));
  const Vec3 local = (x - bvh.centre()) * bvh.scale();
  struct Waiting {
    NodeRef ref;
    float at_least;
  };
  std::array<Waiting, kMostHeight * kWidth + 1> stack;
  std::size_t waiting = 0;
  stack[waiting++] = {bvh.root(), 0};
  while (waiting > 0) {
    const auto [ref, at_least] = stack[--waiting];
    // Rounded upwards, as one is not there yet when all the rest is equal.
    const auto limit = static_cast<float>(search.foot.distance * bvh.scale() * (1 + 1e-6));
    if (at_least > limit) continue;
    if (is_leaf(ref)) {
      const BvhLeaf& leaf = bvh.leaf(ref);
      for (int i = 0; i < leaf.count; ++i) search.look(leaf.triangle[i], face(leaf.triangle[i]));
      continue;
    }
    const BvhNode& node = bvh.node(ref);
    const std::array<float, kWidth> distances = child_distances(node, local);
    const std::size_t bottom = waiting;
    for (int i = 0; i < node.count; ++i) {
      const float d = distances[static_cast<std::size_t>(i)];
      if (d <= limit) stack[waiting++] = {node.child[i], d};
    }
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(bottom),
              stack.begin() + static_cast<std::ptrdiff_t>(waiting),
              [](const Waiting& a, const Waiting& b) { return a.at_least > b.at_least; });
  }
  return search.foot;
}

}  // namespace touche::tree
