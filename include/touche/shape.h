// SPDX-License-Identifier: Apache-2.0
// Shapes beside soups: convex bodies by name, by their corners or by sums of others, and the same
// questions about any two of them.
//
// A convex shape is solid: one that lies inside of another touches it. A soup is its surface, as
// everywhere. Touching counts as intersecting. Lengths are in the model's unit, all >= 0, finite
// and at most 1e90; sizes of 0 are allowed: a box may be a plate, a segment or a point. Coordinates
// smaller than 1e-90 of the model's unit count as 0.
//
// This says what a shape is. Boxes, hulls, zonotopes and their sums are polytopes: hulls of
// finitely many corners with coordinates in double precision. Answers about two polytopes are exact
// for the coordinates that result when the corners of b are brought into a's frame in double
// precision. All other convex shapes are what their names say, and so are their poses; what
// rounding does to them is in each answer's bounds.
//
// Questions about two convex shapes take microseconds: budgets and workspaces count for soups only.
// `primitive_tests` of the stats are pairs of supporting points that were looked at, `exact_tests`
// decisions in exact arithmetic.
//
// Which pairs are answered is the table in src/shape/pair_table.cpp. A pair without an
// answer throws InvalidInput that names both shapes, before anything is computed; `answers` tells
// beforehand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "touche/names.h"
#include "touche/query.h"

namespace touche {

enum class ShapeKind : std::uint8_t {
  sphere,
  capsule,
  box,
  cylinder,
  cone,
  ellipsoid,
  hull,
  zonotope,
  sum,
  half_space,
  soup,
};
template <>
inline constexpr std::array<std::string_view, 11> kNames<ShapeKind> = {
    "sphere", "capsule",  "box", "cylinder",   "cone", "ellipsoid",
    "hull",   "zonotope", "sum", "half space", "soup"};

/// Immutable, cheap to copy, safe to share. Every function that makes one throws InvalidInput for
/// sizes that are negative, not finite or too large, and for no points at all.
class [[nodiscard]] Shape {
 public:
  // Round shapes lie around the origin, along the z axis.
  static Shape sphere(double radius);
  /// The points within `radius` of the segment from (0, 0, -length / 2) to (0, 0, length / 2).
  static Shape capsule(double radius, double length);
  static Shape box(const Vec3& half_widths);
  /// Without caps: from z = -height / 2 to z = height / 2.
  static Shape cylinder(double radius, double height);
  /// From its base at z = -height / 2 to its apex at z = height / 2.
  static Shape cone(double radius, double height);
  static Shape ellipsoid(const Vec3& half_axes);

  /// The convex hull of points, in any position: a single point, a segment, a polygon. Points
  /// inside are allowed, too, and repeated ones.
  static Shape hull(std::span<const Vec3> points);
  /// All centre + sum of x_k generator_k with x_k in [-1, 1]. Its corners are rounded: the shape is
  /// within 2^-51 · generators · reach of what was asked for, where reach is the distance from the
  /// origin of its farthest point. At most 64 generators;
  /// those have 4,034 corners and take seconds, 32 take less than one.
  static Shape zonotope(const Vec3& centre, std::span<const Vec3> generators);

  /// All x with normal · x <= offset. The normal need not have unit length, but a direction; with
  /// n = normal / |normal| in double precision, the shape is n · x <= offset / |normal|, rounded.
  static Shape half_space(const Vec3& normal, double offset);

  /// The surface of the object.
  static Shape soup(Object object);

  /// All points within `radius` of this shape: the shape swept by a sphere.
  /// One smaller than 1e-90 counts as 0, like coordinates.
  [[nodiscard]] Shape rounded(double radius) const;

  /// The Minkowski sum: all x + pose_b · y of points x of a and y of b. Sums of polytopes are
  /// polytopes: their corners are rounded as those of a zonotope, with two for the number of
  /// generators, and there are at most 2^16 sums of two corners. A sum has at most eight round
  /// shapes (discs, cones, ellipsoids). Throws InvalidInput beyond
  /// that, and for soups.
  static Shape sum(const Shape& a, const Shape& b, const Pose& pose_b = {});

  [[nodiscard]] ShapeKind kind() const;
  /// Returns by how much the shape was rounded; of spheres and capsules their radius, too.
  [[nodiscard]] double radius() const;
  /// A hull of corners, and not rounded.
  [[nodiscard]] bool is_polytope() const;
  /// Everything but soups.
  [[nodiscard]] bool is_convex() const;
  /// Holds the shape, rounded outwards; infinite where the shape is.
  [[nodiscard]] const Aabb& bounds() const;

  /// Points whose hull a polytope is: its corners, and few or no points on its surface besides; of
  /// rounded ones of what was rounded. Empty for all other shapes.
  [[nodiscard]] std::span<const Vec3> corners() const;

  /// A point of the shape that is farthest along `direction`, off by at most 2^-46 of the distance
  /// of the shape's farthest point from its origin. Throws InvalidInput for half spaces and soups,
  /// and for a direction that is not finite or zero.
  [[nodiscard]] Vec3 support(const Vec3& direction) const;

  /// Returns the object of a soup, else throws InvalidInput.
  [[nodiscard]] const Object& object() const;

  struct Data;  ///< for the library

 private:
  friend struct DataAccess;
  explicit Shape(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

enum class ShapeQuestion : std::uint8_t { intersects, distance, depth, contacts, time_of_impact };
template <>
inline constexpr std::array<std::string_view, 5> kNames<ShapeQuestion> = {
    "intersects", "distance", "depth", "contacts", "time of impact"};

/// Whether there is an answer for two shapes of these kinds. One that says no throws when asked.
[[nodiscard]] bool answers(ShapeQuestion question, ShapeKind a, ShapeKind b);

/// Exact for two polytopes, for a polytope and a half space, and for soups. With a round shape
/// there is no answer (`decided` is false) where the surfaces are nearer than rounding tells: by
/// less than 2^-34 of the sum of both shapes' reaches and the distance of their origins, typically
/// by 1e-13 of it. The numbers of faces are those of soups, else kNone.
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {}, Workspace* workspace = nullptr);

/// 0 where the shapes have a point in common. `distance.upper` is the distance of two points of the
/// shapes, with room for the rounding of both, `distance.lower` was proved by a plane between the
/// shapes. `complete` says that they agree up to what `options` allow or rounding leaves: 2^-34 of
/// the sum of both shapes' reaches and the distance of their origins. For polytopes and rounded
/// ones it is always true, with 2^-42 of that, however thin they are. Where it is false, as for a
/// cylinder a billionth as high as wide that is level with a face, or a point on a round surface,
/// the bracket is wider, by up to 1e-5 of that as far as was seen, and holds nevertheless. The
/// closest points of shapes that meet are one point, which is near both: off them by no more than
/// `options` allow, and by rounding typically 1e-14, but up to 1e-5 of their sizes where they only
/// just touch. `stop_below`, faces and features are those of soups.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct DepthOptions {
  double relative_error = 1e-9;  ///< `lower` may be as small as upper / (1 + relative_error)
  double absolute_error = 0;     ///< or as upper - absolute_error; the larger allowance holds
};
struct [[nodiscard]] DepthResult {
  /// The length of the shortest shift of b that leaves the interiors of both without a common
  /// point; 0 where there is none. Both bounds are proved, also in floating point: a ball of radius
  /// `lower` lies in the difference of the shapes, and b shifted by `upper` times `direction` does
  /// not reach into a.
  Bracket depth;
  Vec3 direction = Vec3::UnitX();  ///< unit length up to rounding, from a to b; in the world
  /// Deepest points of either in the other, in the world: b's is about `depth` along -direction
  /// from a's.
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  /// Whether the bounds agree as the options ask or as rounding allows. So those of polytopes do,
  /// rounded ones too, however thin they are. If not they hold anyway.
  bool complete = false;
  QueryStats stats;
};
DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options = {});

/// A place where two shapes are in contact, or nearly so. In the world.
struct ShapeContact {
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< on the surfaces
  /// Along the normal: negative where the shapes overlap.
  double separation = 0;
  Vec3 normal = Vec3::UnitX();           ///< unit length, from a to b
  Index face_a = kNone, face_b = kNone;  ///< of soups
};
struct [[nodiscard]] ShapeContactsResult {
  /// Unit length, from a to b: of all contacts of two convex shapes, with a soup of the contact
  /// with the least separation.
  Vec3 normal = Vec3::UnitX();
  /// Holds what both shapes have in common when they are pushed together along the normal: a point,
  /// the ends of a segment or the corners of a polygon; of discs 16 points on their rims. Empty
  /// where the shapes are farther apart than the margin, and only there. Right up to rounding,
  /// without proof.
  ///
  /// With a soup it holds that of each triangle within the margin, as of two convex shapes, by
  /// number of the triangle, but:
  /// - where the surface beside a triangle's nearest point is nearer, the triangle has no contact;
  ///   one that overlaps the shape has those along its own normal;
  /// - the border of a triangle counts only where the surface ends or bends: of triangles in one
  ///   plane the corners of what all of them have in common with the shape are told, each once;
  /// - over a half space a triangle's lowest corners count, where the surface ends or bends and is
  ///   not lower around.
  /// So a box on a ground of any number of triangles has its four corners. The nearest pair of all
  /// is told in any case: no triangle within the margin has a separation smaller than the least of
  /// all contacts.
  std::vector<ShapeContact> contacts;
  QueryStats stats;
};
/// Contacts of shapes that overlap or are at most `margin` >= 0 apart.
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double margin = 0);

}  // namespace touche
