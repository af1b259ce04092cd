// SPDX-License-Identifier: Apache-2.0
// The volumes of touche/plane_volumes.h as shapes beside outlines, with the questions of
// touche/plane.h: do two of them touch, where, how far apart are they or how deep in each other,
// when along motions do they first touch. Link target touche::shapes.
//
// A circle is asked as a circle, not as chords. Whatever is convex is solid: what lies inside of it
// touches it. An outline is its edges, as everywhere, or all points within a radius of these.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "touche/plane.h"
#include "touche/plane_volumes.h"
#include "touche/shape.h"

namespace touche::plane {

/// Immutable, cheap to copy, safe to share. Volumes, what is rounded, and outlines convert to it;
/// who asks one often makes it once.
class [[nodiscard]] Shape {
 public:
  /// All points within the radius of the convex hull of the corners, which need not be corners of
  /// it, nor in any order. Throws InvalidInput for no points, coordinates that are not finite or
  /// larger than 1e90, and a radius that is negative or such. Coordinates smaller than 1e-90 count
  /// as 0.
  Shape(const Rounded& set);  // NOLINT(google-explicit-constructor)
  /// The `rounded` of the volume: itself for circles, boxes, 4-DOPs and hulls without a margin;
  /// others with what rounding adds.
  template <typename V>
  requires(!std::same_as<V, Shape> && Volume<V>) Shape(const V& volume)
      : Shape(plane::rounded(volume)) {}  // NOLINT(google-explicit-constructor)
  /// The edges of an outline.
  Shape(const Object& outline);  // NOLINT(google-explicit-constructor)

  /// All points within `radius` of this one.
  [[nodiscard]] Shape rounded(double radius) const;
  [[nodiscard]] double radius() const { return in_space_.radius(); }
  /// Everything but outlines.
  [[nodiscard]] bool is_convex() const { return in_space_.is_convex(); }

  /// The corners of a convex shape, counter-clockwise, no three on one line; of what was rounded.
  /// None of an outline. Side k runs from corner k to the next.
  [[nodiscard]] std::vector<Vec2> corners() const;

  /// A shape of space that is as far from others of its kind as this one in the plane, along all
  /// motions that keep z: flat in z = 0 and then rounded, or standing on the edges (decision 0021).
  [[nodiscard]] const touche::Shape& in_space() const { return in_space_; }

 private:
  explicit Shape(touche::Shape in_space) : in_space_(std::move(in_space)) {}
  touche::Shape in_space_;
};

// Edges in these results are those of outlines, kNone of convex shapes; features are told of
// contacts only.

/// Exact for two of which none has a radius, for the coordinates that result when b's are brought
/// into a's frame. With a radius there is no answer (`decided` is false) where the borders are
/// nearer than rounding tells, see touche::intersects of shapes.
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {});

/// Answers like touche::distance of shapes: both bounds are proved, and are 0 where they have a
/// point in common. Then the closest points are one point near both, and the normal says nothing.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct [[nodiscard]] DepthResult {
  Bracket depth;  ///< as in touche::DepthResult: the length of the shortest shift that parts them
  Vec2 direction = Vec2::UnitX();  ///< unit length, from a to b; b shifted along it comes apart
  /// Deepest points of either in the other.
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();
  bool complete = false;
  QueryStats stats;
};
/// Gives the same as touche::depth does for shapes in space: both bounds are proved. Throws
/// InvalidInput for an outline: it consists of edges, so nothing is deep in it.
DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options = {});

/// A place where a shape is in contact with another, or nearly so. In the world.
struct ShapeContact {
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();  ///< on the borders
  /// Along the normal: negative where they overlap.
  double separation = 0;
  Vec2 normal = Vec2::UnitX();           ///< unit length, from a to b
  Index edge_a = kNone, edge_b = kNone;  ///< of outlines
  /// A vertex or an edge: of an outline by its number there, of a convex shape a corner or a side.
  Feature feature_a, feature_b;
};
struct [[nodiscard]] ShapeContactsResult {
  Vec2 normal = Vec2::UnitX();  ///< from a to b: that of the contact with the least separation
  /// Holds what two convex shapes have in common when they are pushed together along the normal: a
  /// point, or both ends of a segment. Empty where the shapes are farther apart than the margin,
  /// and only there. Right up to rounding, without proof.
  ///
  /// With an outline it holds that of each edge within the margin, as of two convex shapes, by
  /// number of the edge, but:
  /// - where the outline beside an edge's end is nearer, the edge has no contact; one that overlaps
  ///   the shape has those along its own normal;
  /// - the end of an edge counts only where the outline ends or turns, unless a corner of the shape
  ///   is there. So a box on a straight line of any number of edges has two contacts.
  /// The nearest place of all is told in any case.
  std::vector<ShapeContact> contacts;
  QueryStats stats;
};
/// Contacts of shapes that overlap or are at most `margin` apart, which is in [0, 1e90]. At least
/// one must be convex: contacts of two outlines are those of touche/plane.h.
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double margin = 0);

/// Certified as touche::time_of_impact of shapes: free in [0, time.lower), and at time.upper at
/// most clearance + tolerance apart. A convex shape that begins inside of another touches it; one
/// that moves inside of a closed outline is free.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

namespace brute_force {
/// The same answered by asking every edge of an outline.
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double margin = 0);
/// The same answered by following every edge of an outline by itself.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche::plane
