// SPDX-License-Identifier: Apache-2.0
// Finds the point of some faces that is closest to a given point: by the existing hierarchy of an
// object, or by a lighter one that is quickly built for any set of faces.
#pragma once

#include <span>

#include "aabb_tree/aabb_tree.h"
#include "bvh/bvh.h"
#include "geometry/triangle_pair.h"
#include "touche/object.h"
#include "touche/point_query.h"

namespace touche::tree {

/// Results refer to a face by its index in the set; kOffsetError gives the accuracy of distances.
class NearestPoint {
 public:
  virtual ~NearestPoint() = default;
  virtual Index size() const = 0;
  virtual Triangle face(Index i) const = 0;
  /// `guess`: a face that is probably near, such as the one nearest to a neighbour of x.
  virtual ClosestPoint nearest(const Vec3& x, Index guess = 0) const = 0;
  /// The longest edge of all faces; 0 if they are points.
  double longest_edge() const { return longest_edge_; }

 protected:
  double longest_edge_ = 0;
};

/// Any set of faces, in a tree of axis-aligned boxes. Building it takes n log n time. The faces
/// must outlive it. Throws InvalidInput if there are none.
class FaceTree final : public NearestPoint {
 public:
  explicit FaceTree(std::span<const Triangle> faces);
  Index size() const override { return static_cast<Index>(faces_.size()); }
  Triangle face(Index i) const override { return faces_[i]; }
  ClosestPoint nearest(const Vec3& x, Index guess) const override;

 private:
  std::span<const Triangle> faces_;
  aabb_tree::AabbTree tree_;
};

/// All faces of an object, searched by the object's own hierarchy. The object must outlive it.
class ObjectFaces final : public NearestPoint {
 public:
  explicit ObjectFaces(const Object& object);
  Index size() const override { return object_.soup().triangle_count(); }
  Triangle face(Index i) const override;
  ClosestPoint nearest(const Vec3& x, Index guess) const override;

 private:
  const Object& object_;
};

/// The triangle of an object that is closest to x, as ClosestPoint::face, in the object's
/// coordinates; kNone if all are farther than max_distance.
ClosestPoint closest_triangle(const Object& object, const Vec3& x, double max_distance,
                              Index guess = 0);

}  // namespace touche::tree
