// SPDX-License-Identifier: Apache-2.0
// Shapes, the bodies of all queries: primitives, hulls of points and Minkowski sums, which are
// convex, and soups. The queries of touche/query.h for pairs of shapes at one pose, at many poses
// and in motion; near features; points and rays; mass; meshes. An object converts to a shape, so
// each query takes objects and convex shapes in any order, and answers for a soup as for its
// object.
//
// A convex shape is solid: a shape that lies inside another one touches it. A soup is its surface,
// as in all other headers. Touching counts as intersecting. Lengths are in the model's unit; all
// are finite, >= 0 and at most 1e90. Sizes may be 0: a box may be a plate, a segment or a point.
// Coordinates smaller than 1e-90 of the model's unit count as 0.
//
// Boxes, hulls, zonotopes and their sums are polytopes: hulls of finitely many corners with
// coordinates in double precision. Results for two polytopes are exact for the coordinates that
// result when the corners of b are brought into a's frame in double precision. All other convex
// shapes are the ideal shapes that their parameters define, at exactly the given poses; the bounds
// in each result include the effect of rounding.
//
// A query of two convex shapes takes microseconds; budgets and workspaces are used for soups only.
// In the stats, `primitive_tests` counts pairs of supporting points and `exact_tests` decisions in
// exact arithmetic.
//
// The table in src/shape/pair_table.cpp lists the supported pairs of each query. A query of an
// unsupported pair throws InvalidInput, naming both shapes, before anything is computed. `answers`
// returns whether a pair is supported.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "touche/batch.h"
#include "touche/distance.h"
#include "touche/mass.h"
#include "touche/names.h"
#include "touche/near_faces.h"
#include "touche/point_query.h"
#include "touche/query.h"
#include "touche/soup.h"

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

/// A convex shape or a soup. It is immutable, cheap to copy and safe to share between threads. Each
/// function that creates one throws InvalidInput for sizes that are negative, not finite or larger
/// than 1e90, and for an empty list of points.
///
/// An object converts to a shape without any allocation. Where a query has an overload for two
/// objects, objects get that one.
///
///     const Shape peg = Shape::cylinder(0.01, 0.05).rounded(0.001);
///     const DistanceResult gap = distance(peg, pose, object, {});
class [[nodiscard]] Shape {
 public:
  // Primitives are centred at the origin; their axis is the z axis.
  static Shape sphere(double radius);
  /// The points within `radius` of the segment from (0, 0, -length / 2) to (0, 0, length / 2).
  static Shape capsule(double radius, double length);
  static Shape box(const Vec3& half_widths);
  /// From z = -height / 2 to z = height / 2, with flat ends.
  static Shape cylinder(double radius, double height);
  /// From its base at z = -height / 2 to its apex at z = height / 2.
  static Shape cone(double radius, double height);
  static Shape ellipsoid(const Vec3& half_axes);

  /// The convex hull of points in any order. It may be a single point, a segment or a flat polygon.
  /// Interior and repeated points are allowed.
  static Shape hull(std::span<const Vec3> points);
  /// All points centre + sum of x_k generator_k with x_k in [-1, 1]. Its corners are rounded: the
  /// shape is within 2^-51 · (number of generators) · reach of the exact one, where reach is the
  /// distance of its farthest point from the origin. There may be at most 64 generators; 64 give
  /// 4,034 corners and take seconds, 32 take less than one second.
  static Shape zonotope(const Vec3& centre, std::span<const Vec3> generators);

  /// All x with normal · x <= offset. The normal may have any length except 0. With n = normal /
  /// |normal| in double precision, the shape is n · x <= offset / |normal|, rounded.
  static Shape half_space(const Vec3& normal, double offset);

  /// The surface of an object, whose data the shape shares. Allocates nothing.
  Shape(Object object);  // NOLINT(google-explicit-constructor)
  /// The same, spelled out.
  static Shape soup(Object object) { return {std::move(object)}; }

  /// All points within `radius` of this shape: its Minkowski sum with a ball. A radius smaller than
  /// 1e-90 counts as 0.
  [[nodiscard]] Shape rounded(double radius) const;

  /// The Minkowski sum: all x + pose_b · y for points x of a and y of b. The sum of two polytopes
  /// is a polytope; its corners are rounded like the corners of a zonotope with two generators. The
  /// product of the numbers of corners may be at most 2^16, and a sum may contain at most eight
  /// round shapes (discs, cones, ellipsoids). Throws InvalidInput beyond these limits, for soups,
  /// and for two half spaces.
  static Shape sum(const Shape& a, const Shape& b, const Pose& pose_b = {});

  [[nodiscard]] ShapeKind kind() const;
  /// The radius by which the shape is rounded; for spheres and capsules this includes their own
  /// radius.
  [[nodiscard]] double radius() const;
  /// Whether the shape is the hull of finitely many corners and not rounded.
  [[nodiscard]] bool is_polytope() const;
  /// True for all shapes except soups.
  [[nodiscard]] bool is_convex() const { return !object_; }
  /// A box that contains the shape, rounded outwards; infinite in the directions in which the shape
  /// is.
  [[nodiscard]] const Aabb& bounds() const;

  /// Points whose hull is the polytope: its corners, and possibly a few other points of its
  /// surface. For a rounded polytope, the points of the polytope before it was rounded. Empty for
  /// all other shapes.
  [[nodiscard]] std::span<const Vec3> corners() const;

  /// A point of the shape that is farthest along `direction`, with an error of at most 2^-46 of the
  /// distance from the origin to the shape's farthest point. Throws InvalidInput for half spaces
  /// and soups, and for a direction that is zero or not finite.
  [[nodiscard]] Vec3 support(const Vec3& direction) const;

  /// The object of a soup. Throws InvalidInput for any other shape.
  [[nodiscard]] const Object& object() const;

  struct Data;  ///< internal

 private:
  friend struct DataAccess;
  explicit Shape(std::shared_ptr<const Data> data, std::optional<Object> object = {})
      : data_(std::move(data)), object_(std::move(object)) {}
  std::shared_ptr<const Data> data_;  // one for all soups that are not rounded, without an owner
  std::optional<Object> object_;      // of soups
};

enum class ShapeQuestion : std::uint8_t { intersects, distance, depth, contacts, time_of_impact };
template <>
inline constexpr std::array<std::string_view, 5> kNames<ShapeQuestion> = {
    "intersects", "distance", "depth", "contacts", "time of impact"};

/// Whether a query supports two shapes of these kinds. An unsupported query throws InvalidInput.
[[nodiscard]] bool answers(ShapeQuestion question, ShapeKind a, ShapeKind b);

/// Whether two shapes have a point in common. Exact for two polytopes, for a polytope and a half
/// space, and for soups. With a round shape the result may be undecided (`complete` is false) where
/// the surfaces are nearer than rounding can resolve: at most 2^-34, typically 1e-13, of the sum of
/// both shapes' reaches and the distance of their origins. Face numbers are set for soups; for
/// convex shapes they are kNone.
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {}, Workspace* workspace = nullptr);

/// The distance of two shapes, 0 where they have a point in common. `distance.upper` is the
/// distance of a point of a and a point of b, with allowance for rounding. `distance.lower` is
/// proved by a plane between the shapes.
///
/// `complete` says that the bounds agree up to what `options` allow, or up to rounding: 2^-34 of
/// the sum of both shapes' reaches and the distance of their origins. For polytopes and rounded
/// polytopes it is always true, with 2^-42 in place of 2^-34, however thin they are. It may be
/// false for a cylinder a billionth as high as wide that is parallel to a face, or for a point on a
/// round surface. The bracket is then wider, in tests by up to 1e-5 of that sum, and still holds.
///
/// The closest points of shapes that meet are one common point, near both shapes. Its distance from
/// them is at most what `options` allow plus rounding: typically 1e-14 of their sizes, but up to
/// 1e-5 where they only just touch. `stop_below`, faces and features apply to soups only.
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});

struct DepthOptions {
  double relative_error = 1e-9;  ///< `lower` may be as small as upper / (1 + relative_error)
  double absolute_error = 0;     ///< or as upper - absolute_error; the larger allowance holds
};
struct [[nodiscard]] DepthResult {
  /// The length of the shortest shift of b after which the interiors have no common point; 0 where
  /// they have none. Both bounds are proved, also in floating point: a ball of radius `lower`
  /// around the origin lies in the Minkowski difference of the shapes, and b shifted by `upper`
  /// times `direction` does not overlap a.
  Bracket depth;
  Vec3 direction = Vec3::UnitX();  ///< unit length up to rounding, from a to b, in the world
  /// Deepest point of each shape in the other, in the world: point_b is about point_a − depth ·
  /// direction.
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  /// Whether the bounds agree up to what the options allow, or up to rounding. This is always true
  /// for polytopes and rounded polytopes, however thin. If it is false, the bounds still hold.
  bool complete = false;
  QueryStats stats;
};
DepthResult depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                  const DepthOptions& options = {});

/// A contact point of two shapes that overlap or are at most `max_distance` apart, in world
/// coordinates.
struct ShapeContact {
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< on the surfaces
  /// Signed distance along the normal: negative where the shapes overlap.
  double distance = 0;
  Vec3 normal = Vec3::UnitX();           ///< unit length, from a to b
  Index face_a = kNone, face_b = kNone;  ///< set for soups, else kNone
};
struct [[nodiscard]] ShapeContactsResult {
  /// Unit length, from a to b. For two convex shapes it is the normal of all contacts; with a soup,
  /// that of the contact with the least distance.
  Vec3 normal = Vec3::UnitX();
  /// The contact region of two convex shapes that are pushed together along the normal: a point,
  /// the ends of a segment, or the corners of a polygon; a disc is represented by 16 points on its
  /// rim. The list is empty if and only if the shapes are farther apart than `max_distance`.
  /// Accurate up to rounding, without proof.
  ///
  /// With a soup, each triangle within `max_distance` is treated as a convex shape of its own, in
  /// ascending order of triangle numbers, with these exceptions:
  /// - A triangle has no contact where its nearest point lies on its border and the surface beyond
  ///   that border is nearer. If such a triangle overlaps the shape, it has contacts along its own
  ///   normal.
  /// - The border of a triangle counts only where the surface ends or bends. Triangles in one plane
  ///   give the corners of their common contact region with the shape, each once.
  /// - Over a half space, the contacts of a triangle are its lowest corners, where the surface ends
  ///   or bends and is not lower nearby.
  /// So a box on a ground of any number of triangles has its four corners as contacts. The nearest
  /// pair is always listed: no triangle within `max_distance` has a distance smaller than the least
  /// of all contacts.
  ///
  /// With two soups there is one contact for each pair of faces within `max_distance`, sorted by
  /// (face_a, face_b). Faces that intersect have distance 0. With a `max_distance` of 0 the list is
  /// that of contacts() for their objects (touche/query.h), with a larger one or rounded soups that
  /// of near_faces.
  std::vector<ShapeContact> contacts;
  QueryStats stats;
};
/// A length >= 0, which converts from a number. It is a type of its own so that calls with two
/// objects and `{}` as last argument stay unambiguous.
struct MaxDistance {
  double length = 0;
  MaxDistance() = default;
  MaxDistance(double l) : length(l) {}  // NOLINT(google-explicit-constructor)
};
/// Contacts of shapes that overlap or are at most `max_distance` apart.
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             MaxDistance max_distance = {});

// ---- where they are near ------------------------------------------------------------------------

/// Where two shapes are near each other: the contact candidates that contact solvers and Manifold
/// need, with the same options and the same kind of list as for two objects (touche/near_faces.h).
/// For two soups it is the list of their objects.
///
/// For two convex shapes it contains the intersections of their parts (points, segments, polygons;
/// a disc is represented by 16 points of its rim) that are inclined to the normal of the nearest
/// pair by at most `turn`. The same holds for a convex shape and the triangles of a soup, of which
/// only corners and edges count that are not flat and are inclined little. The nearest pair itself
/// is listed if none of these is as near. A round shape touches in one point or along one segment
/// and is listed like that: additional points beside it would slow it down when it rolls.
///
/// Faces are set for soups and kNone for convex shapes. Features of a convex shape are numbers that
/// stay the same while it moves; a half space has the one face 0. Distances are correct up to
/// rounding, but not certified: times of impact certify motions. Two convex shapes do not use the
/// budget. Throws InvalidInput for options out of range, for two half spaces, and for a rounded
/// soup, which has no features: give its object, and a larger `max_distance`.
///
///     const NearOptions options{.max_distance = 1e-3};
///     manifold.update(near_features(gripper, pose_a, object, pose_b, options).contacts);
NearResult near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                         const NearOptions& options);
/// The same, written into an existing result whose memory is used again. The first query of a soup
/// computes the features of its object.
void near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);

// ---- points, rays and segments ------------------------------------------------------------------
// Arguments are in world coordinates. InvalidInput is thrown for arguments that are not finite or
// larger than 1e90. A soup that is not rounded gives the results of its object, see
// touche/point_query.h.

/// The point of a shape that is closest to x; for x inside a convex shape it is x itself, since
/// these are solid. A rounded soup contains all points within its radius of its faces.
///
/// The distance is the upper bound of touche::distance for the shape and a point. For x on or
/// inside a round shape it may be slightly more than 0, and the returned point that far from x: in
/// 40,000 random cases at most 1e-13 of the shape's size, with sums that contain discs 1e-7. `face`
/// is set for soups and kNone for convex shapes. An infinite distance means that the shape is
/// proved to be farther away than `max_distance`; so the distance may exceed it by rounding.
///
///     const ClosestPoint closest = closest_point(Shape::capsule(0.1, 1), pose, {0, 0, 5});
///     if (closest.distance < 0.1) report(closest.point);
[[nodiscard]] ClosestPoint closest_point(const Shape& shape, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);

/// An intersection of a ray with the surface of a shape.
struct SurfaceHit {
  double t = 0;                ///< parameter of the point: origin + t · direction
  Vec3 point = Vec3::Zero();   ///< world coordinates
  Vec3 normal = Vec3::Zero();  ///< unit length, pointing out of the shape
};

/// The part of a ray inside a convex shape, from `enters` to `leaves`. If neither is set, the ray
/// misses the shape. `enters` is not set for a ray that starts inside, `leaves` not for one that
/// stays in a half space.
struct ShapeRayHits {
  std::optional<SurfaceHit> enters, leaves;
};

/// Where a ray enters and leaves a shape. The ray before `enters` and after `leaves` is proved to
/// be outside the shape, up to the rounding of points on the ray. At both points the ray is at most
/// 2^-38 of the shape's size and position away from the shape. So a ray that passes the shape
/// nearer than that may or may not hit it, and may enter and leave at the same point; a ray that
/// starts nearer than that starts inside. For half spaces t is accurate up to rounding. Exception:
/// for round shapes that are far flatter than wide (a millionth and less), rounding may end the
/// search earlier. What is proved still holds, but the points may be farther away from the shape;
/// 6.6e-10 was seen for a rounded cone 1e-9 high and 0.82 wide. Throws InvalidInput for a direction
/// of length 0, and for soups: a surface has no inside, so a ray meets it any number of times, see
/// all_ray_hits.
///
///     const ShapeRayHits hits = ray_hits(Shape::sphere(1), pose, {eye, direction});
///     if (hits.enters) draw(hits.enters->point, hits.enters->normal);
[[nodiscard]] ShapeRayHits ray_hits(const Shape& shape, const Pose& pose, const Ray& ray);

/// The first point at which a ray or segment meets the surface of a shape; no value if it meets
/// none. It meets a convex shape from outside or, if it starts inside, from inside; `side` is then
/// +1 where it enters and −1 where it leaves, `face` is kNone, and the points are the ones of
/// ray_hits. Throws InvalidInput as ray_hits does for a ray; a segment of length 0 meets no convex
/// shape. For soups these are the functions of touche/point_query.h. Throws InvalidInput for
/// rounded soups, whose surface is not computed: use cast_ball with their object.
///
///     if (const auto hit = cast_segment(Shape::capsule(0.1, 1), pose, {eye, target}))
///       std::printf("hidden after %g of the line\n", hit->t);
[[nodiscard]] std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray);
[[nodiscard]] std::optional<RayHit> cast_segment(const Shape& shape, const Pose& pose,
                                                 const Segment& segment);
/// All of these points, sorted by t. For a convex shape there are at most two.
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Shape& shape, const Pose& pose,
                                               const Ray& ray);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Shape& shape, const Pose& pose,
                                                   const Segment& segment);

// ---- faces of a soup ----------------------------------------------------------------------------

struct [[nodiscard]] ShapeFacesResult {
  std::vector<Index> faces;  ///< faces that are proved to meet the shape; sorted, each once
  /// Faces so near to the surface of a round shape that rounding leaves them undecided; sorted,
  /// each once, none of them in `faces`.
  std::vector<Index> undecided;
  bool complete = false;  ///< false when the budget ended the search
  QueryStats stats;
};

/// All faces of an object that have a point in common with a convex shape. The shape is solid: a
/// face inside it meets it. A soup is its surface: a shape inside a closed soup meets no face.
///
/// Exact for polytopes, for the coordinates that result when their corners are brought into the
/// object's frame in double precision; and for half spaces, up to 2^-44 of the coordinates. With
/// any other shape, faces are undecided that are nearer to its surface than 2^-40 of the sum of the
/// reaches of both and the distance of their origins. For a soup, these are the faces of the object
/// that meet its surface, exactly. Throws InvalidInput for rounded soups: use near_faces with their
/// object. The budget counts opened nodes and tested triangles.
///
///     const ShapeFacesResult met = intersecting_faces(Shape::sphere(1), pose, object, {});
ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget = {});
/// The same in the other order. The faces of the object are listed in either order.
ShapeFacesResult intersecting_faces(const Object& object, const Pose& object_pose,
                                    const Shape& shape, const Pose& pose,
                                    const Budget& budget = {});

// ---- when ---------------------------------------------------------------------------------------

/// The certified time of impact of two shapes. For all t in [0, time.lower) the shapes are proved
/// disjoint and farther apart than the clearance; at time.upper they are at most clearance +
/// tolerance apart. Throws InvalidInput for two half spaces and for invalid options.
///
/// Convex shapes are solid: a shape that starts inside another one touches it, and so does a soup
/// that starts inside a convex shape. A soup is a surface: a convex shape that moves inside a
/// closed soup is free. The tolerance is raised to at least 2^-40 of the sum of all coordinates of
/// shapes and motions; the result's `tolerance` is the one used. Where rounding prevents a decision
/// beyond some time, the result is `undecided`, and free until `time.lower`.
///
/// The faces of the contact are set for soups and kNone for convex shapes; its features are not
/// set. The budget counts steps of pairs of convex bodies and opened nodes. If a motion has many
/// pieces, soups are searched piece by piece.
///
///     const Shape ball = Shape::sphere(1);
///     const ToiResult r =
///         time_of_impact(ball, motion, object, Motion::at({}), {.tolerance = 1e-3});
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- many poses ---------------------------------------------------------------------------------
// Queries of one pair of shapes at many poses of the second shape, in one call. Pairs of convex
// shapes with at most 64 corners and no round parts except rounding (hulls, boxes and zonotopes,
// also rounded; spheres and capsules) are processed at several poses at a time with SIMD, which
// takes less time than single queries. All other pairs are queried pose by pose.
//
// Each result has the same guarantees as that of a single query, and its bracket is as narrow up to
// rounding. It depends on its own pose only: not on the other poses, the number of threads or the
// instruction set. Where several points or directions are equally good, the choice may differ from
// that of a single query, and so may `primitive_tests`.
//
// Throws InvalidInput as single queries do. Only the first `max_items` poses are queried,
// and the results of all others keep their default values.
//
//     const auto hits = intersects_at(gripper, {}, bolt, poses);
//     for (const IntersectsResult& hit : hits.answers) count += hit.intersects;

/// Whether a at pose_a and b have a point in common, for b at each of `poses_b`.
BatchResult<IntersectsResult> intersects_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                            std::span<const Pose> poses_b,
                                            const BatchOptions& batch = {});

/// The distance at each pose. `options.budget` limits each single query; only soups use it.
///
///     const auto gaps = distances_at(gripper, {}, bolt, poses, {.max_distance = 0.5});
BatchResult<DistanceResult> distances_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                         std::span<const Pose> poses_b,
                                         const DistanceOptions& options = {},
                                         const BatchOptions& batch = {});

/// The penetration depth at each pose. This is faster than single queries only where the shapes are
/// apart; where they overlap it takes up to a fifth longer.
///
///     const auto depths = depths_at(gripper, {}, bolt, poses, {.relative_error = 1e-3});
BatchResult<DepthResult> depths_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                   std::span<const Pose> poses_b, const DepthOptions& options = {},
                                   const BatchOptions& batch = {});

// ---- mass ---------------------------------------------------------------------------------------

/// Mass properties of a shape with uniform `density` (mass per volume, > 0), in the shape's frame.
///
/// Spheres, capsules, boxes and cylinders, rounded or not, cones and ellipsoids have closed forms;
/// hulls, zonotopes and sums of polytopes are integrated as polyhedra, and so are soups, which must
/// be closed, see touche/mass.h. All results are exact except for rounding. Throws InvalidInput for
/// shapes without volume, for a density that is not a positive number, and for unsupported shapes,
/// whose mass must be given by the caller: half spaces, other rounded shapes, rounded soups, and
/// sums with round shapes.
///
///     dynamics.add(ball, mass_properties(Shape::sphere(0.1), 7800));
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double density);

// ---- meshes -------------------------------------------------------------------------------------
// Inscribed meshes for pictures and files, and enclosing meshes for functions that take meshes
// only. Where there is a choice, query the shapes themselves.

/// The surface of an inscribed polytope: no point of the shape is farther from the polytope than
/// `error`, a length > 0. The mesh is closed and consists of triangles that are counter-clockwise
/// seen from outside. Its corners are points of the shape up to rounding, so it is not larger than
/// the shape. A shape without volume is first enlarged to all points within half the error. Throws
/// InvalidInput for half spaces and soups, and for an error that would need more than 20,000
/// corners.
///
///     save(shape_mesh(Shape::capsule(0.1, 1), 1e-3), "capsule.stl");
[[nodiscard]] PolygonSoup shape_mesh(const Shape& shape, double error);

/// The surface of a polytope that contains the shape and has no point farther from it than `error`,
/// a length > 0. So a body that is apart from the mesh's polytope is apart from the shape. For a
/// polytope with volume the result is its own surface, whatever the error. Throws InvalidInput as
/// shape_mesh does, and for an error below 2^-32 of the distance from the origin to the shape's
/// farthest point, which is too small for double precision.
[[nodiscard]] PolygonSoup enclosing_mesh(const Shape& shape, double error);

/// A default error for enclosing_mesh, which gives some thousand corners: a thousandth of the
/// largest radius of a round part, more for sums of several round shapes, and never less than
/// enclosing_mesh accepts. 0 for polytopes with volume. Throws InvalidInput for half spaces, soups
/// and a single point.
[[nodiscard]] double default_mesh_error(const Shape& shape);

}  // namespace touche
