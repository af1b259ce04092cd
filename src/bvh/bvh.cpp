// SPDX-License-Identifier: Apache-2.0
#include "bvh/bvh.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace touche::bvh {

Normalization::Normalization(const Aabb& bounds) : centre(0.5 * bounds.lo + 0.5 * bounds.hi) {
  const Vec3 half = (bounds.hi - centre).cwiseMax(centre - bounds.lo);
  const double widest = half.maxCoeff();
  // √3 · widest < 2^e; an object of a single point gets a scale that cannot overflow.
  scale = widest > 1e-100 ? std::ldexp(1.0, -(std::ilogb(widest) + 2)) : 1.0;
  inverse_scale = 1 / scale;
  largest_number = centre.lpNorm<1>() + 2 * inverse_scale;
  radius = half.norm();
}

std::size_t Bvh::memory_bytes() const { return sizeof(*this) + bytes().size(); }

namespace {

[[noreturn]] void broken(const char* what, std::size_t index, const std::string& why) {
  throw Error(std::string("hierarchy: ") + what + " " + std::to_string(index) + ": " + why);
}

Vec3 in_frame(const Frame& frame, const Vec3& local) {
  Vec3 y;
  for (int k = 0; k < 3; ++k) {
    y[k] = 0;
    for (int j = 0; j < 3; ++j)
      y[k] +=
          static_cast<double>(frame.axis(k, j)) * (local[j] - static_cast<double>(frame.origin[j]));
  }
  return y;
}

bool contains(const Vec3& centre, const Vec3& half, const Vec3& y) {
  return ((y - centre).cwiseAbs().array() <= half.array()).all();
}

}  // namespace

void Bvh::validate(const PolygonSoup& soup) const {
  check_structure(soup.triangle_count());

  // Every point of a subtree must lie in the box that each of its ancestors stores for it.
  const auto check_points = [&](NodeRef subtree, const Frame& frame, const Vec3& centre,
                                const Vec3& half, const char* what, std::size_t index) {
    std::vector<NodeRef> stack{subtree};
    while (!stack.empty()) {
      const NodeRef ref = stack.back();
      stack.pop_back();
      if (!is_leaf(ref)) {
        Boxes8 room;
        const NodeView n = node(ref, room);
        stack.insert(stack.end(), n.child, n.child + n.count());
        continue;
      }
      const BvhLeaf& l = leaf(ref);
      for (int lane = 0; lane < l.count(); ++lane)
        for (const Index v : soup.triangle(l.triangle[lane]))
          if (!contains(centre, half,
                        in_frame(frame, (soup.vertex(v) - normalization().centre) *
                                            normalization().scale)))
            broken(what, index, "does not contain triangle " + std::to_string(l.triangle[lane]));
    }
  };
  const auto check_box = [&](NodeRef ref, const Bounds& bounds, const char* what,
                             std::size_t index) {
    const auto vec = [](const float(&x)[4]) { return Vec3(x[0], x[1], x[2]); };
    check_points(ref, bounds.frame, vec(bounds.box.centre), vec(bounds.box.half), what, index);
  };
  for (std::size_t index = 0; index < leaf_count(); ++index)
    check_box(~static_cast<NodeRef>(index), leaves()[index].bounds, "leaf", index);
  for (std::size_t index = 0; index < node_count(); ++index) {
    Boxes8 room;
    const NodeView n = node(static_cast<NodeRef>(index), room);
    check_box(static_cast<NodeRef>(index), n.bounds, "node", index);
    for (int lane = 0; lane < n.count(); ++lane) {
      const Vec3 centre(n.children.centre[0][lane], n.children.centre[1][lane],
                        n.children.centre[2][lane]);
      const Vec3 half(n.children.half[0][lane], n.children.half[1][lane], n.children.half[2][lane]);
      check_points(n.child[lane], n.bounds.frame, centre, half, "node", index);
    }
  }
}

// Checks that this is a tree that contains each triangle once; then it is safe to traverse.
void Bvh::check_structure(std::size_t triangles) const {
  if (height() < 0 || height() > kMostHeight)
    throw Error("hierarchy: a height of " + std::to_string(height()) + " is not possible");
  std::vector<int> seen(triangles, 0);
  std::vector<char> node_seen(node_count(), 0), leaf_seen(leaf_count(), 0);
  struct Visit {
    NodeRef ref;
    int depth;
  };
  std::vector<Visit> stack{{root(), 0}};
  while (!stack.empty()) {
    const auto [ref, depth] = stack.back();
    stack.pop_back();
    if (is_leaf(ref)) {
      const std::size_t index = static_cast<std::size_t>(~ref);
      if (index >= leaf_count()) broken("leaf", index, "does not exist");
      if (leaf_seen[index]++) broken("leaf", index, "is held twice");
      const BvhLeaf& l = leaf(ref);
      if (l.count() < 1 || l.count() > kWidth) broken("leaf", index, "has a wrong count");
      if (depth > height()) broken("leaf", index, "is deeper than the hierarchy's height");
      for (int lane = 0; lane < l.count(); ++lane) {
        if (l.triangle[lane] >= seen.size()) broken("leaf", index, "names no triangle");
        ++seen[l.triangle[lane]];
      }
      continue;
    }
    const std::size_t index = static_cast<std::size_t>(ref);
    if (index >= node_count()) broken("node", index, "does not exist");
    if (node_seen[index]++) broken("node", index, "is held twice");
    Boxes8 room;
    const NodeView n = node(ref, room);
    if (n.count() < 1 || n.count() > kWidth) broken("node", index, "has a wrong count");
    for (int lane = 0; lane < n.count(); ++lane) stack.push_back({n.child[lane], depth + 1});
  }
  for (std::size_t t = 0; t < seen.size(); ++t)
    if (seen[t] != 1)
      broken("triangle", t, "is held " + std::to_string(seen[t]) + " times, expected once");
  for (std::size_t i = 0; i < node_count(); ++i)
    if (!node_seen[i]) broken("node", i, "is not held");
  for (std::size_t i = 0; i < leaf_count(); ++i)
    if (!leaf_seen[i]) broken("leaf", i, "is not held");
}

}  // namespace touche::bvh
