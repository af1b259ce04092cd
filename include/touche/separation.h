// SPDX-License-Identifier: Apache-2.0
// Signed distance of closed bodies and of closed outlines: how far they are apart, or how deep they
// overlap. Link target touche::dynamics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "touche/names.h"
#include "touche/overlap.h"
#include "touche/plane.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

struct SeparationOptions {
  /// Length, > 0: shifts are found up to two tolerances, distances up to one.
  double tolerance = 0;
  /// Length, >= 0: after the shift the bodies are farther apart than this.
  double clearance = 0;
  /// Of the thickness of the overlap, see ThicknessOptions.
  double relative_error = 0.02;
  std::uint64_t max_positions = 3000;  ///< of b that are tested
  /// A deadline or a cancellation also stops single queries. Work is not counted.
  Budget budget = {};
};

enum class SeparationStatus : std::uint8_t {
  undecided,    ///< the budget ended before it was decided whether they overlap
  apart,        ///< they have no common point, and no part of one lies inside the other
  overlapping,  ///< they touch or overlap, or a part of one lies inside the other
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<SeparationStatus> = {"undecided", "apart",
                                                                             "overlapping"};

struct [[nodiscard]] Separation {
  SeparationStatus status = SeparationStatus::undecided;
  /// Apart: their distance. Overlapping: minus the length of the shortest shift of b after which
  /// they are apart. `-lower` is the length of `shift`, which is proved to separate them. `-upper`
  /// is the diameter of a ball that fits into both; no shorter shift can separate them. Whether a
  /// shift of a length in between could is not known.
  Bracket distance = {-kInfinity, kInfinity};
  /// World, unit length. Apart: from a to b at the closest points. Overlapping: the direction of
  /// `shift`.
  Vec3 direction = Vec3::UnitX();
  /// World: a shift of b after which the bodies are proved to be farther apart than the clearance;
  /// it exceeds the clearance by some two tolerances, so that motions start free. 0 if they are
  /// apart, even when they are nearer than the clearance.
  Vec3 shift = Vec3::Zero();
  std::optional<Contact> closest;  ///< apart only: the closest faces
  /// False when a limit ended the search, or when a length is less accurate than requested: the
  /// thickness of the overlap, for instance if a closed body encloses no volume, or the shift, if
  /// the tolerance is below the rounding error of the coordinates. The bracket holds in any case.
  bool complete = false;
  std::uint64_t work = 0;  ///< number of tested positions
};

/// The signed separation of two closed bodies. A body is the volume that its faces enclose, so a
/// body in the cavity of another one is apart from it. Nothing is moved: see resolved_pose.
///
/// The shift is searched for in these directions: the one that separates the convex hulls, if both
/// have at most 128 vertices; the normals of touching faces and their means; from the centre of the
/// overlap towards the surfaces; a fixed set of directions all around; and the normals of contacts
/// that are met when b moves back. For convex bodies with at most 128 vertices the result is the
/// shortest shift; for larger ones it is a local minimum, which in tests was nearly always the
/// shortest. Throws InvalidInput for invalid options and for objects that are not closed or
/// whose faces have contradicting orientations (see Interior::is_open), which have no depth. The
/// in_space() objects of two outlines are shifted within their plane, see plane::separation below;
/// an outline and a mesh throw.
///
///     const Interior inside_a(a), inside_b(b);
///     const Separation s = separation(inside_a, pose_a, inside_b, pose_b, {.tolerance = 1e-3});
///     if (s.status == SeparationStatus::overlapping) pose_b = resolved_pose(s, pose_b);
Separation separation(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                      const SeparationOptions& options);

/// The same for shapes. Convex shapes are solid, soups are closed bodies as above. For two convex
/// shapes the depth is the minimum, as found by depth(). For a soup and a half space, the hull of
/// the soup is used, so the soup need not be closed. For a soup and another convex shape, the shift
/// is searched for a polyhedron that encloses the shape; the bracket includes the difference.
/// Throws InvalidInput as above, for two half spaces, and for a rounded soup, whose inside is not
/// defined, with any shape except a half space.
Separation separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const SeparationOptions& options);

/// The pose of b after its shift, for separating bodies that start in each other. Throws
/// InvalidInput for an undecided separation.
Pose resolved_pose(const Separation& separation, const Pose& pose_b);

}  // namespace touche

// ---- outlines -----------------------------------------------------------------------------------

namespace touche::plane {

/// As touche::Separation, with edges in place of faces and a disc in place of the ball.
struct [[nodiscard]] Separation {
  SeparationStatus status = SeparationStatus::undecided;
  Bracket distance = {-kInfinity, kInfinity};
  Vec2 direction = Vec2::UnitX();  ///< unit length
  Vec2 shift = Vec2::Zero();
  std::optional<Contact> closest;  ///< apart only: the closest edges
  bool complete = false;
  std::uint64_t work = 0;
};

/// The signed separation of two outlines in the plane, as touche::separation. An outline is the
/// area that its closed chains enclose by the even-odd rule, as for plane::path; chains that are
/// drawn again do not count. For two volumes use distance and depth of touche/plane_shape.h. Throws
/// InvalidInput as touche::separation does, and for outlines with open chains, which enclose
/// nothing.
///
///     const Separation s = separation(object, pose, drawing, {}, {.tolerance = 1e-3});
///     if (s.status == SeparationStatus::overlapping) report(resolved_pose(s, {}));
Separation separation(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                      const SeparationOptions& options);

/// The pose of b after its shift. Throws InvalidInput for an undecided separation.
Pose resolved_pose(const Separation& separation, const Pose& pose_b);

}  // namespace touche::plane
