// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangulate.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"

namespace touche::geometry {

namespace {

/// Newell's normal of a face, with twice the face's area as its length, in units of the face's
/// extent.
struct MeanPlane {
  Vec3 origin;
  Vec3 normal = Vec3::Zero();
  double per_extent = 0;  // 0 for a face whose corners coincide

  MeanPlane(std::span<const Vec3> vertices, std::span<const Index> face)
      : origin(vertices[face[0]]) {
    Aabb box;
    for (Index v : face) box.include(vertices[v]);
    const double extent = (box.hi - box.lo).maxCoeff();
    if (!(extent > 0)) return;
    per_extent = 1 / extent;
    Vec3 previous = local(vertices[face.back()]);
    for (Index v : face) {
      const Vec3 p = local(vertices[v]);
      normal += previous.cross(p);
      previous = p;
    }
  }
  Vec3 local(const Vec3& p) const { return (p - origin) * per_extent; }
};

int largest_axis(const Vec3& n) {
  Eigen::Index axis;
  n.cwiseAbs().maxCoeff(&axis);
  return static_cast<int>(axis);
}

bool is_planar(std::span<const Vec3> vertices, std::span<const Index> face,
               const MeanPlane& plane) {
  const Vec3 unit = plane.normal.normalized();
  double lowest = kInfinity, highest = -kInfinity;
  for (Index v : face) {
    const double height = plane.local(vertices[v]).dot(unit);
    lowest = std::min(lowest, height);
    highest = std::max(highest, height);
  }
  return highest - lowest <= 2 * kPlanarTolerance;
}

/// Convex if every corner turns left, and every corner lies left of the first edge in the order
/// of its angle about corner 0: the last two exclude faces that wind around more than once.
bool is_convex(std::span<const Vec3> vertices, std::span<const Index> face,
               const MeanPlane& plane) {
  const Vec3 unit = plane.normal.normalized();
  const auto turns_left = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ac = c - a;
    return (b - a).cross(ac).dot(unit) >= -kConvexTolerance * ac.norm();
  };
  const std::size_t n = face.size();
  const Vec3 first = plane.local(vertices[face[0]]), second = plane.local(vertices[face[1]]);
  Vec3 a = plane.local(vertices[face[n - 2]]), b = plane.local(vertices[face[n - 1]]);
  for (Index v : face) {
    const Vec3 c = plane.local(vertices[v]);
    if (!turns_left(a, b, c) || !turns_left(first, b, c) || !turns_left(first, second, c))
      return false;
    a = b;
    b = c;
  }
  return true;
}

void fan(std::span<const Index> face, std::vector<std::array<Index, 3>>& triangles) {
  for (std::size_t i = 2; i < face.size(); ++i)
    triangles.push_back({face[0], face[i - 1], face[i]});
}

/// Ear clipping (Meisters 1975) in the projection along the axis closest to the face's normal,
/// which leaves coordinates unchanged, so that orientations are decided exactly.
class EarClipper {
 public:
  EarClipper(std::span<const Vec3> vertices, std::span<const Index> face, const Vec3& normal)
      : vertices_(vertices),
        face_(face),
        axis_(largest_axis(normal)),
        sign_(normal[axis_] > 0 ? 1 : -1),
        x_((axis_ + 1) % 3),
        y_((axis_ + 2) % 3),
        next_(face.size()),
        previous_(face.size()),
        by_x_(face.size()) {
    const auto n = static_cast<Index>(face.size());
    for (Index i = 0; i < n; ++i) {
      next_[i] = (i + 1) % n;
      previous_[i] = (i + n - 1) % n;
      by_x_[i] = i;
    }
    std::sort(by_x_.begin(), by_x_.end(), [&](Index i, Index j) { return at(i)[x_] < at(j)[x_]; });
  }

  void run(std::vector<std::array<Index, 3>>& triangles) {
    Index i = 0;
    for (std::size_t left = face_.size(); left > 3; --left) {
      i = find_ear(i, left);
      triangles.push_back({face_[previous_[i]], face_[i], face_[next_[i]]});
      next_[previous_[i]] = next_[i];
      previous_[next_[i]] = previous_[i];
      const Index cut = i;
      i = next_[next_[i]];  // not the neighbour: this spreads the ears and avoids a fan of slivers
      next_[cut] = kNone;
      if (2 * left < by_x_.size()) std::erase_if(by_x_, [&](Index k) { return next_[k] == kNone; });
    }
    triangles.push_back({face_[previous_[i]], face_[i], face_[next_[i]]});
  }

 private:
  /// A rule defines which corners are accepted as ears. Rules are tried in this order.
  enum class Rule {
    clear,      ///< turns left, no other corner inside or on its border
    flat,       ///< no area: cutting it off changes nothing
    touched,    ///< turns left, other corners on its border only
    left_turn,  ///< the face crosses itself: there is no right result
  };

  const Vec3& at(Index i) const { return vertices_[face_[i]]; }
  int turn(Index a, Index b, Index c) const { return sign_ * orient2d(at(a), at(b), at(c), axis_); }

  Index find_ear(Index start, std::size_t left) {
    for (Rule rule : {Rule::clear, Rule::flat, Rule::touched, Rule::left_turn}) {
      if (crosses_itself_ && rule != Rule::left_turn) continue;
      Index i = start;
      for (std::size_t tried = 0; tried < left; ++tried, i = next_[i])
        if (is_ear(i, rule)) return i;
      // A face that does not cross itself always has an ear. Searching for more of them in a
      // crossing face would take cubic time.
      if (rule == Rule::touched) crosses_itself_ = true;
    }
    return start;
  }

  bool is_ear(Index i, Rule rule) const {
    const int turned = turn(previous_[i], i, next_[i]);
    if (rule == Rule::flat) return turned == 0;
    if (turned <= 0) return false;
    return rule == Rule::left_turn || !blocked(i, rule == Rule::clear);
  }

  /// Whether another corner lies inside the ear at i, or with `closed` on its border. Corners at
  /// the position of one of the ear's own do not count: faces with holes have two corners there.
  bool blocked(Index i, bool closed) const {
    const Index a = previous_[i], b = next_[i];
    const int limit = closed ? 0 : 1;
    const Vec3 lo = at(a).cwiseMin(at(i)).cwiseMin(at(b));
    const Vec3 hi = at(a).cwiseMax(at(i)).cwiseMax(at(b));
    const auto left_of = [&](Index k, double limit_x) { return at(k)[x_] < limit_x; };
    auto k = std::lower_bound(by_x_.begin(), by_x_.end(), lo[x_], left_of);
    for (; k != by_x_.end() && at(*k)[x_] <= hi[x_]; ++k) {
      const Vec3& p = at(*k);
      if (next_[*k] == kNone || p[y_] < lo[y_] || p[y_] > hi[y_]) continue;
      if (p == at(a) || p == at(i) || p == at(b)) continue;
      if (turn(a, i, *k) >= limit && turn(i, b, *k) >= limit && turn(b, a, *k) >= limit)
        return true;
    }
    return false;
  }

  std::span<const Vec3> vertices_;
  std::span<const Index> face_;
  int axis_, sign_, x_, y_;
  bool crosses_itself_ = false;
  std::vector<Index> next_, previous_;  // kNone once cut off
  std::vector<Index> by_x_;             // sorted by x, so that an ear tests only corners near it
};

}  // namespace

FaceShape classify_face(std::span<const Vec3> vertices, std::span<const Index> face) {
  const MeanPlane plane(vertices, face);
  // A face without area has no plane and no inside, so it counts as planar and convex.
  if (!(plane.normal.squaredNorm() > 0)) return {};
  return {is_planar(vertices, face, plane), is_convex(vertices, face, plane)};
}

void triangulate_face(std::span<const Vec3> vertices, std::span<const Index> face,
                      std::vector<std::array<Index, 3>>& triangles) {
  if (face.size() == 3) return fan(face, triangles);
  const FaceShape shape = classify_face(vertices, face);
  if (shape.planar && shape.convex) return fan(face, triangles);
  EarClipper(vertices, face, MeanPlane(vertices, face).normal).run(triangles);
}

}  // namespace touche::geometry
