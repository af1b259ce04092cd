// SPDX-License-Identifier: Apache-2.0
#include "touche/spatial.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "aabb_tree/aabb_tree.h"
#include "geometry/box_triangle.h"
#include "geometry/point_triangle.h"
#include "spatial/check.h"

namespace touche {

Index BspTree::leaf_at(const Vec3& point) const {
  spatial::check_point(point, "BSP tree");
  if (nodes_.empty()) return kNone;
  Index at = 0;
  while (!nodes_[at].is_leaf())
    at = nodes_[at].plane.height(point) > 0 ? nodes_[at].front : nodes_[at].back;
  return at;
}

// Lists first what is beyond a plane as seen from the eye, then what is in it, then what is on the
// eye's side.
std::vector<Index> BspTree::back_to_front(const Vec3& eye) const {
  spatial::check_point(eye, "BSP tree");
  struct Waiting {
    Index node;
    bool own;  // only the node's own pieces, not its children
  };
  std::vector<Index> order;
  order.reserve(pieces_.size());
  std::vector<Waiting> waiting;
  if (!nodes_.empty()) waiting.push_back({0, false});
  while (!waiting.empty()) {
    const auto [at, own] = waiting.back();
    waiting.pop_back();
    const Node& node = nodes_[at];
    if (own || node.is_leaf()) {
      for (Index i = 0; i < node.piece_count; ++i) order.push_back(node.first_piece + i);
      continue;
    }
    const bool above = node.plane.height(eye) > 0;
    waiting.push_back({above ? node.front : node.back, false});
    waiting.push_back({at, true});
    waiting.push_back({above ? node.back : node.front, false});
  }
  return order;
}

std::vector<Index> BspTree::front_to_back(const Vec3& eye) const {
  std::vector<Index> order = back_to_front(eye);
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<Index> BspTree::faces_in_box(const Aabb& box) const {
  spatial::check_box(box, "BSP tree", kNone);
  std::vector<Index> near;  // pieces, one for each triangle
  std::vector<Index> waiting;
  if (!nodes_.empty()) waiting.push_back(0);
  while (!waiting.empty()) {
    const Node& node = nodes_[waiting.back()];
    waiting.pop_back();
    if (!overlap(node.box, box)) continue;
    for (Index i = 0; i < node.piece_count; ++i) near.push_back(node.first_piece + i);
    if (!node.is_leaf()) waiting.insert(waiting.end(), {node.front, node.back});
  }
  const auto triangle = [&](Index piece) { return pieces_[piece].triangle; };
  std::sort(near.begin(), near.end(), [&](Index a, Index b) { return triangle(a) < triangle(b); });
  near.erase(std::unique(near.begin(), near.end(),
                         [&](Index a, Index b) { return triangle(a) == triangle(b); }),
             near.end());
  std::vector<Index> faces;
  for (const Index piece : near)
    if (geometry::box_meets_triangle(box, triangles_[triangle(piece)]))
      faces.push_back(pieces_[piece].face);
  std::sort(faces.begin(), faces.end());
  faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
  return faces;
}

// Nodes are opened nearest first. A piece represents its whole triangle, so each triangle is tested
// at least once before all remaining nodes are too far away.
std::vector<NearFace> BspTree::nearest_faces(const Vec3& point, Index count) const {
  spatial::check_point(point, "BSP tree");
  if (nodes_.empty() || count == 0) return {};
  // Distances of boxes and triangles are computed differently: the computed distance of a box may
  // exceed that of its contents by the error of the latter, 2^-45 of the distance and of the
  // longest edge (where the edge's part is less than the tolerance), and by a few roundings of its
  // own.
  constexpr double kLess = 1 - 0x1p-43;
  const auto bound = [&](Index node) {
    return kLess * std::sqrt(aabb_tree::squared_distance(point, nodes_[node].box)) - tolerance_;
  };
  struct Waiting {
    double bound;
    Index node;
    bool operator<(const Waiting& other) const {  // the nearest is on top of the heap
      return bound != other.bound ? bound > other.bound : node > other.node;
    }
  };
  const auto nearer = [](const NearFace& a, const NearFace& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.face < b.face;
  };
  std::vector<NearFace> found;  // sorted
  const auto add = [&](const NearFace& candidate) {
    const auto same = std::find_if(found.begin(), found.end(), [&](const NearFace& other) {
      return other.face == candidate.face;
    });
    if (same != found.end()) {
      if (!nearer(candidate, *same)) return;
      found.erase(same);
    }
    found.insert(std::upper_bound(found.begin(), found.end(), candidate, nearer), candidate);
    if (found.size() > count) found.pop_back();
  };
  std::vector<Waiting> open{{bound(0), 0}};
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end());
    const Waiting next = open.back();
    open.pop_back();
    if (found.size() == count && next.bound > found.back().distance) break;
    const Node& node = nodes_[next.node];
    for (Index i = 0; i < node.piece_count; ++i) {
      const Piece& piece = pieces_[node.first_piece + i];
      add({piece.face, geometry::nearest_offset(point, triangles_[piece.triangle]).norm()});
    }
    if (node.is_leaf()) continue;
    for (const Index child : {node.front, node.back}) {
      if (nodes_[child].box.empty()) continue;
      open.push_back({bound(child), child});
      std::push_heap(open.begin(), open.end());
    }
  }
  return found;
}

void BspTree::validate() const {
  const auto require = [](bool holds, std::size_t node, const char* what) {
    if (!holds) throw Error("BSP tree: node " + std::to_string(node) + ' ' + what);
  };
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    require(node.first_piece == pieces, i, "has pieces of others");
    pieces += node.piece_count;
    if (!node.is_leaf())
      require(nodes_.at(node.front).parent == i && nodes_.at(node.back).parent == i, i,
              "has children that are not its own");
    for (Index p = 0; p < node.piece_count; ++p) {
      const Piece& piece = pieces_.at(node.first_piece + p);
      require(piece.corner_count >= 3, i, "has a piece that is no polygon");
      for (const Vec3& corner : corners(piece)) {
        require(overlap(node.box, {corner, corner}), i, "has a piece outside of its box");
        // Cut corners have rounding errors.
        const double slack = 1.25 * tolerance_;
        if (!node.is_leaf())
          require(std::abs(node.plane.height(corner)) <= slack, i, "has a piece off its plane");
        for (Index below = static_cast<Index>(i), at = node.parent; at != kNone;
             below = at, at = nodes_[at].parent) {
          const double height = nodes_[at].plane.height(corner);
          require(below == nodes_[at].front ? height >= -slack : height <= slack, i,
                  "has a piece beyond a plane above it");
        }
      }
    }
  }
  require(pieces == pieces_.size(), nodes_.size(), "is missing");
}

}  // namespace touche
