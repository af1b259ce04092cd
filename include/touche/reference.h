// SPDX-License-Identifier: Apache-2.0
// Reference implementations: slow and simple code that tests every pair of triangles, faces, edges
// or parts, for tests of the fast functions of the same names. They take the same arguments, throw
// the same exceptions, and their results have the same guarantees, except where a comment says
// otherwise. Include the header of the fast function as well: this one only declares its types.
//
//     const double fast = distance(a, pose_a, b, pose_b).distance.upper;
//     const double slow = brute_force::distance(a, pose_a, b, pose_b).distance.upper;
//     if (fast != slow) report(fast, slow);
#pragma once

#include <optional>
#include <vector>

#include "touche/query.h"

namespace touche {

struct Ball;
struct BallHit;
struct ClashOptions;
struct ClashParts;
struct ClashResult;
struct ClosestPoint;
struct NearOptions;
struct NearResult;
struct RayHit;
struct Segment;
struct ShapeContactsResult;
struct ShapeFacesResult;
class Shape;

namespace brute_force {

// ---- touche/query.h -----------------------------------------------------------------------------
// If `distance` is stopped, its lower bound is 0, since the nearest pair may be untested.

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {});
FacePairsResult intersecting_faces(const Object& a, const Pose& pose_a, const Object& b,
                                   const Pose& pose_b, const Budget& budget = {});
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- touche/near_faces.h ------------------------------------------------------------------------

NearResult near_faces(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const NearOptions& options);
NearResult near_features(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                         const NearOptions& options);

// ---- touche/point_query.h -----------------------------------------------------------------------

[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<Index> faces_in_box(const Object& object, const Pose& pose,
                                              const Aabb& box);
[[nodiscard]] std::vector<Index> faces_in_ball(const Object& object, const Pose& pose,
                                               const Ball& ball);

// ---- touche/shape.h -----------------------------------------------------------------------------
// Each triangle of a soup is tested; `time_of_impact` searches each of them separately. Two convex
// shapes are tested by the fast functions, two soups by the functions of objects.

ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget = {});
ShapeFacesResult intersecting_faces(const Object& object, const Pose& object_pose,
                                    const Shape& shape, const Pose& pose,
                                    const Budget& budget = {});
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {});
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double max_distance = 0);
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

// ---- touche/response.h, link target touche::dynamics --------------------------------------------

[[nodiscard]] std::optional<BallHit> cast_ball(const Object& object, const Pose& pose,
                                               const Segment& path, double radius,
                                               double tolerance);

// ---- touche/clash.h, link target touche::clash --------------------------------------------------
// Every pair is tested, one after the other, without boxes.

ClashResult find_clashes(ClashParts parts, const ClashOptions& options);

}  // namespace brute_force

// ---- touche/plane.h, touche/plane_shape.h -------------------------------------------------------

namespace plane {

enum class Place : std::uint8_t;
struct Box;
struct Circle;
struct ContactsResult;
struct DistanceResult;
struct IntersectsResult;
struct RayHit;
struct Segment;
struct ShapeContactsResult;
struct ToiResult;
class Motion;
class Object;
class Pose;
class Region;
class Shape;

/// Every edge is tested. All functions except time_of_impact of outlines work in the plane, by
/// exact signs of areas.
namespace brute_force {

IntersectsResult intersects(const Object& a, const Pose& pose_a, const Object& b,
                            const Pose& pose_b, const Budget& budget = {});
ContactsResult contacts(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const ContactsOptions& options = {});
DistanceResult distance(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ToiResult time_of_impact(const Object& a, const Motion& motion_a, const Object& b,
                         const Motion& motion_b, const ToiOptions& options);
[[nodiscard]] Place place(const Region& region, const Eigen::Vector2d& x);
[[nodiscard]] double signed_distance(const Region& region, const Eigen::Vector2d& x);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<Index> edges_in_box(const Object& object, const Pose& pose,
                                              const Box& box);
[[nodiscard]] std::vector<Index> edges_in_disc(const Object& object, const Pose& pose,
                                               const Circle& disc);
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double max_distance = 0);
ToiResult time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ToiOptions& options);

}  // namespace brute_force
}  // namespace plane

}  // namespace touche
