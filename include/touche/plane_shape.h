// SPDX-License-Identifier: Apache-2.0
// The volumes of touche/plane_volumes.h as shapes beside outlines, with the questions of
// touche/plane.h: do two of them touch, how far apart are they, when along motions do they first
// touch. Link target touche::shapes.
//
// A circle is asked as a circle, not as chords. Whatever is convex is solid: what lies inside of it
// touches it. An outline is its edges, as everywhere, or all points within a radius of these.
#pragma once

#include <span>

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
  template <Volume V>
  Shape(const V& volume) : Shape(plane::rounded(volume)) {}  // NOLINT(google-explicit-constructor)
  /// The edges of an outline.
  Shape(const Object& outline);  // NOLINT(google-explicit-constructor)

  /// All points within `radius` of this one.
  [[nodiscard]] Shape rounded(double radius) const;
  [[nodiscard]] double radius() const { return in_space_.radius(); }
  /// Everything but outlines.
  [[nodiscard]] bool is_convex() const { return in_space_.is_convex(); }

  /// A shape of space that is as far from others of its kind as this one in the plane, along all
  /// motions that keep z: flat in z = 0 and then rounded, or standing on the edges (decision 0021).
  [[nodiscard]] const touche::Shape& in_space() const { return in_space_; }

 private:
  explicit Shape(touche::Shape in_space) : in_space_(std::move(in_space)) {}
  touche::Shape in_space_;
};

// Edges in these results are those of outlines, kNone of convex shapes; features are not told.

/// Exact for two of which none has a radius, for the coordinates that result when b's are brought
/// into a's frame. With a radius there is no answer (`decided` is false) where the borders are
/// nearer than rounding tells, see touche::intersects of shapes.
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {});

/// Answers like touche::distance of shapes: both bounds are proved, and are 0 where they have a
/// point in common. Then the closest points are one point near both, and the normal says nothing.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

/// Certified as touche::time_of_impact of shapes: free in [0, time.lower), and at time.upper at
/// most clearance + tolerance apart. A convex shape that begins inside of another touches it; one
/// that moves inside of a closed outline is free.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

namespace brute_force {
/// The same answered by following every edge of an outline by itself.
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);
}  // namespace brute_force

}  // namespace touche::plane
