// SPDX-License-Identifier: Apache-2.0
// Soups in motion, seen as the convex hulls of their vertices: who is free of the other's hull is
// free of the other. Hulls are asked in a tenth of the time that the faces take. Where soups are
// the surfaces of their hulls, these also tell when they meet.
#pragma once

#include <optional>

#include "touche/near_faces.h"
#include "touche/shape.h"

namespace touche {

/// Soups with more vertices have no hull here.
inline constexpr std::size_t kMostHullVertices = 128;

/// The convex hull of an object's vertices, made when it is first asked for. Null of an object that
/// has too many of them, or whose size is beyond what hulls are asked about.
const Shape* hull_of(const Object& object);

/// The corner of a polytope that is farthest along a direction of its frame, of length in [2^-100,
/// 2^100].
Vec3 farthest_corner(const Shape& polytope, const Vec3& direction);

/// Whether two objects are proved to be farther apart than the clearance on all of both motions, as
/// time_of_impact proves it. False where hulls touch, within the tolerance, or where one has none.
bool hulls_stay_apart(const Object& a, const Motion& motion_a, const Object& b,
                      const Motion& motion_b, const ToiOptions& options);

/// Whether an object is the surface of its hull, but for rounding: it is closed, and all vertices
/// are on one side of each face. The hole of a ring and the mouth of an open box are in their
/// hulls, and in no face: what is near to them is near to nothing.
bool is_hull_surface(const Object& object);

/// Who confirms that a contact which hulls tell is one of faces, and names these.
enum class Confirmed : std::uint8_t {
  by_faces,  ///< their distance
  later,     ///< whoever is told of the contact: its faces are kNone
};

/// The time of impact of two objects that are the surfaces of their hulls, found by these. A
/// contact after the start is told by the faces that are nearest then, unless that waits. One at
/// the start is told of hulls that are apart; its faces are kNone. Nothing where hulls overlap at
/// the start, or where rounding hides the answer: then the faces must be asked. Not for
/// `may_separate`. Where the search begins at the start of the motions, `apart_at_start` becomes a
/// lower bound of the distance there.
std::optional<ToiResult> impact_by_hulls(const Object& a, const Motion& motion_a, const Object& b,
                                         const Motion& motion_b, const ToiOptions& options,
                                         Confirmed confirmed = Confirmed::by_faces,
                                         double* apart_at_start = nullptr);

/// Gives what near_features gives, to the last bit, from the parts of both that their hulls tell to
/// be near. False where near_features is to be asked: one has no hull, the hulls overlap, or too
/// much of them is near.
[[nodiscard]] bool near_features_by_hulls(const Object& a, const Pose& pose_a, const Object& b,
                                          const Pose& pose_b, const NearOptions& options,
                                          NearResult& result);

}  // namespace touche
