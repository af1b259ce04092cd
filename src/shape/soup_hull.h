// SPDX-License-Identifier: Apache-2.0
// Moving soups, represented by the convex hulls of their vertices: if the hulls are disjoint, so
// are the soups. Testing hulls takes a tenth of the time of testing faces. If the soups are the
// surfaces of their hulls, the hulls also give the time of contact.
#pragma once

#include <optional>

#include "touche/near_faces.h"
#include "touche/shape.h"

namespace touche::shape {

/// Soups with more vertices get no hull.
inline constexpr std::size_t kMostHullVertices = 128;

/// The convex hull of an object's vertices, made at the first use. Null if the object has too many
/// vertices, or a size outside the range for which hulls are supported.
const Shape* hull_of(const Object& object);

/// The corner of a polytope that is farthest along a direction in its frame, of length in [2^-100,
/// 2^100].
Vec3 farthest_corner(const Shape& polytope, const Vec3& direction);

/// Whether two objects are proved to be farther apart than the clearance during both motions, as
/// time_of_impact proves it. False if the hulls touch within the tolerance, or if an object has no
/// hull.
bool hulls_stay_apart(const Object& a, const Motion& motion_a, const Object& b,
                      const Motion& motion_b, const ToiOptions& options);

/// Whether an object is the surface of its hull, except for rounding: it is closed, and for each
/// face all vertices are on one side. A ring or an open box is not: its hull covers the hole or the
/// mouth, where there is no face.
bool is_hull_surface(const Object& object);

/// Whether a contact found by the hulls is confirmed by the distance of the faces, which also names
/// the faces.
enum class Confirmed : std::uint8_t {
  by_faces,  ///< confirmed here
  later,     ///< not confirmed: faces are kNone, and the caller has to find them
};

/// The time of impact of two objects that are the surfaces of their hulls, found by the hulls. For
/// a contact after the start, the nearest faces at that time are reported, unless `confirmed` is
/// `later`. A contact at the start is reported if the hulls are apart; its faces are kNone. Empty
/// if the hulls overlap at the start, or if rounding prevents a decision: then the faces must be
/// tested. Not for `may_separate`. If the search begins at the start of the motions,
/// `apart_at_start` is set to a lower bound of the distance there.
std::optional<ToiResult> impact_by_hulls(const Object& a, const Motion& motion_a, const Object& b,
                                         const Motion& motion_b, const ToiOptions& options,
                                         Confirmed confirmed = Confirmed::by_faces,
                                         double* apart_at_start = nullptr);

/// Gives the same result as near_features, bit by bit, from the parts of both objects that are near
/// according to their hulls. Returns false if near_features has to be called instead: an object has
/// no hull, the hulls overlap, or too many faces are near.
[[nodiscard]] bool near_features_by_hulls(const Object& a, const Pose& pose_a, const Object& b,
                                          const Pose& pose_b, const NearOptions& options,
                                          NearResult& result);

}  // namespace touche::shape
