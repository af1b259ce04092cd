// SPDX-License-Identifier: Apache-2.0
// Convex shapes of the plane, made of the volumes of touche/plane_volumes.h, and outlines, with
// queries for each pair: do they touch, where, how far apart or how deep in each other are they,
// and when do they first touch along motions. Link target touche::shapes.
//
// A circle is an exact circle, not a polygon. Convex shapes are solid: a body inside of one touches
// it. An outline is its edges, as in touche/plane.h, or all points within a radius of these.
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "touche/plane.h"
#include "touche/plane_volumes.h"
#include "touche/shape.h"

namespace touche::plane {

/// A convex shape of the plane or an outline. It is immutable, cheap to copy and safe to share
/// between threads. Volumes, `Rounded` sets and outlines convert to it implicitly. To query one
/// often, construct its Shape once.
///
///     const Shape disc = Circle{{0, 0}, 0.5};
///     const DistanceResult gap = distance(disc, pose, Shape(drawing), {});
class [[nodiscard]] Shape {
 public:
  /// All points within the set's radius of the convex hull of its corners. The corners may be any
  /// points, in any order. Throws InvalidInput for an empty list, for coordinates or a radius that
  /// are not finite or larger than 1e90, and for a negative radius. Coordinates smaller than 1e-90
  /// count as 0.
  Shape(const Rounded& set);  // NOLINT(google-explicit-constructor)
  /// The `rounded` set of a volume: the volume itself for circles, boxes, 4-DOPs and hulls without
  /// a margin; for others a set that contains it and is larger by rounding only.
  template <typename V>
  requires(!std::same_as<V, Shape> && Volume<V>) Shape(const V& volume)
      : Shape(plane::rounded(volume)) {}  // NOLINT(google-explicit-constructor)
  /// The edges of an outline.
  Shape(const Object& outline);  // NOLINT(google-explicit-constructor)

  /// All points within `radius` of this shape.
  [[nodiscard]] Shape rounded(double radius) const;
  [[nodiscard]] double radius() const { return in_space_.radius(); }
  /// True for all shapes except outlines.
  [[nodiscard]] bool is_convex() const { return in_space_.is_convex(); }

  /// The corners of a convex shape without its radius, counter-clockwise, no three on one line.
  /// Side k runs from corner k to the next. Empty for an outline.
  [[nodiscard]] std::vector<Vec2> corners() const;

  /// The shape in space that represents this one: flat in z = 0 and then rounded, or for an outline
  /// faces standing on its edges (decision 0021). Two such shapes have the same distance as in the
  /// plane, along all motions that keep z.
  [[nodiscard]] const touche::Shape& in_space() const { return in_space_; }

 private:
  explicit Shape(touche::Shape in_space) : in_space_(std::move(in_space)) {}
  touche::Shape in_space_;
};

// In these results edges are set for outlines and kNone for convex shapes. Features are set by
// contacts() only.

/// Whether two shapes have a point in common. Exact for two shapes without radius, for the
/// coordinates that result when b's are brought into a's frame. With a radius the result may be
/// undecided (`complete` is false) where the borders are nearer than rounding can resolve, see
/// touche::intersects of shapes.
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {});

/// As touche::distance of shapes: both bounds are proved, and are 0 if the shapes have a point in
/// common. Then the closest points are one point near both shapes, and the normal has no meaning.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct [[nodiscard]] DepthResult {
  Bracket depth;  ///< length of the shortest shift that separates them, as in touche::DepthResult
  Vec2 direction = Vec2::UnitX();  ///< unit length, from a to b; shifting b along it separates them
  /// The deepest point of each shape in the other.
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();
  bool complete = false;
  QueryStats stats;
};
/// The penetration depth, as touche::depth: both bounds are proved. Throws InvalidInput for an
/// outline, which consists of edges and has no depth; what two outlines enclose has one, see
/// touche/separation.h.
DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options = {});

/// A contact point of two shapes that overlap or are at most `max_distance` apart, in world
/// coordinates.
struct ShapeContact {
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();  ///< on the borders
  /// Signed distance along the normal: negative where they overlap.
  double distance = 0;
  Vec2 normal = Vec2::UnitX();           ///< unit length, from a to b
  Index edge_a = kNone, edge_b = kNone;  ///< set for outlines, else kNone
  /// A vertex or an edge: its number in the outline, or the number of a corner or side of a convex
  /// shape.
  Feature feature_a, feature_b;
};
struct [[nodiscard]] ShapeContactsResult {
  Vec2 normal = Vec2::UnitX();  ///< from a to b: of the contact with the least distance
  /// The contact region of two convex shapes that are pushed together along the normal: a point, or
  /// both ends of a segment. The list is empty if and only if the shapes are farther apart than
  /// `max_distance`. Accurate up to rounding, without proof.
  ///
  /// With an outline, each edge within `max_distance` is treated as a convex shape of its own, in
  /// ascending order of edge numbers, with these exceptions:
  /// - An edge has no contact where its nearest point is its end and the outline beyond that end is
  ///   nearer. If such an edge overlaps the shape, it has contacts along its own normal.
  /// - The end of an edge counts only where the outline ends or turns, unless a corner of the shape
  ///   is there. So a box on a straight line of any number of edges has two contacts.
  /// The nearest contact is always listed.
  ///
  /// With two outlines, each pair of edges within `max_distance` is treated so, with the exceptions
  /// above for the ends of both edges; so a box upon a long line has two contacts. Edges that
  /// intersect have one contact, with the normal of touche/plane.h and a distance of 0 less both
  /// radii, because edges are not deep in each other. These are listed without exception, but
  /// points shared by several pairs only once.
  std::vector<ShapeContact> contacts;
  QueryStats stats;
};
/// Contacts of shapes that overlap or are at most `max_distance` (a length in [0, 1e90]) apart.
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double max_distance = 0);

/// The certified time of impact, as touche::time_of_impact of shapes: free in [0, time.lower), and
/// at time.upper at most clearance + tolerance apart. A convex shape that starts inside another one
/// touches it; one that moves inside a closed outline is free.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- points and rays ----------------------------------------------------------------------------
// As touche::closest_point and touche::ray_hits of shapes, which list errors and exceptions.

/// The point of a shape that is closest to x: x itself, with distance 0, inside a convex shape, and
/// within the radius of an outline. The edge is set for outlines and kNone for convex shapes. An
/// infinite distance means that the shape is farther away than `max_distance`, a length >= 0.
///
///     const ClosestPoint closest = closest_point(Circle{{0, 0}, 1}, pose, {3, 4});
[[nodiscard]] ClosestPoint closest_point(const Shape& shape, const Pose& pose, const Vec2& x,
                                         double max_distance = kInfinity);

/// A common point of a ray and the border of a convex shape.
struct BorderHit {
  double t = 0;                ///< parameter of the point: origin + t · direction
  Vec2 point = Vec2::Zero();   ///< world coordinates
  Vec2 normal = Vec2::Zero();  ///< unit length, pointing out of the shape
};

/// The part of a ray inside a convex shape, from `enters` to `leaves`. If neither is set, the ray
/// misses the shape. `enters` is not set for a ray that starts inside.
struct ShapeRayHits {
  std::optional<BorderHit> enters, leaves;
};

/// Where a ray enters and leaves a convex shape, with the accuracy of touche::ray_hits: at both
/// points the ray is at most 2^-38 of the shape's size and position away from the shape. Throws
/// InvalidInput for an outline, whose edges cast_ray and all_ray_hits of touche/plane.h report, and
/// for a direction of length 0.
///
///     const ShapeRayHits hits = ray_hits(Box{{0, 0}, {2, 1}}, pose, {eye, target - eye});
[[nodiscard]] ShapeRayHits ray_hits(const Shape& shape, const Pose& pose, const Ray& ray);

}  // namespace touche::plane
