// SPDX-License-Identifier: Apache-2.0
// How far apart closed bodies are, and how deep in each other: a distance with a sign. Link target
// touche::dynamics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "touche/names.h"
#include "touche/overlap.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

struct SeparationOptions {
  double tolerance = 0;  ///< length, > 0: shifts are found to two of it, and distances to one
  /// Length, >= 0: bodies that are shifted apart are farther from each other than this.
  double clearance = 0;
  /// How well the thickness of an overlap is known, see ThicknessOptions.
  double relative_error = 0.02;
  /// Work: places that are looked at. A deadline or a flag also stops the questions themselves.
  Budget budget = {.max_work = 3000};
};

enum class SeparationStatus : std::uint8_t {
  undecided,    ///< the budget ended before it was known whether they overlap
  apart,        ///< no point in common, and no part of one lies inside the other
  overlapping,  ///< they touch or overlap, or a part of one lies inside the other
};
template <>
inline constexpr std::array<std::string_view, 3> kNames<SeparationStatus> = {"undecided", "apart",
                                                                             "overlapping"};

struct [[nodiscard]] Separation {
  SeparationStatus status = SeparationStatus::undecided;
  /// Apart: their distance. Overlapping: minus the length of the shortest shift of b after which
  /// they are apart; `-lower` is that of one that was found and is proved to do it, and `-upper` is
  /// the diameter of a ball that fits into both, which no shorter shift takes out of itself. That
  /// none in between does it is not proved.
  Bracket distance = {-kInfinity, kInfinity};
  /// World, unit length: apart, from a to b where they are closest; overlapping, of the shift.
  Vec3 direction = Vec3::UnitX();
  /// World: brings b apart from a, farther than the clearance, which is proved; some two tolerances
  /// farther, so that motions begin free there. 0 where they are apart, also where they are nearer
  /// than the clearance then.
  Vec3 shift = Vec3::Zero();
  std::optional<Contact> closest;  ///< where they are apart: their closest faces
  /// False when the budget ended the search, and where lengths are not found as well as asked: the
  /// thickness of the overlap, as where a closed body encloses no volume, or a shift to two
  /// tolerances that are smaller than what rounding of the coordinates hides. The bracket holds.
  bool complete = false;
  std::uint64_t work = 0;
};

/// The signed separation of two closed bodies. Bodies are what their faces enclose, so one in the
/// cavity of another is apart. The shift is searched along that which parts their convex hulls,
/// where both have at most 128 vertices, along the normals of faces that touch and their means,
/// towards the surfaces from the centre of the overlap, along fixed directions all around, and from
/// what is met on the way back along the normals there. For convex bodies of so few vertices that
/// is the least shift there is, for larger ones a local minimum, in tests nearly always the least.
/// Nothing is moved: see resolved_pose. Throws InvalidInput for options without meaning and for
/// objects that are not closed, which have no depth.
Separation separation(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                      const SeparationOptions& options);

/// The same of shapes, which are solid where they are convex; soups are closed bodies, as above.
/// The depth of two convex shapes is that of depth(), the least there is. A soup and a half space
/// are answered as the hull of the soup and the half space, so that it need not be closed. For a
/// soup and another convex shape the shift is searched for a polyhedron around the shape; that is
/// in the bracket. Throws InvalidInput as above, for two half spaces, and for a rounded soup beside
/// anything but a half space: no inside is known of it.
Separation separation(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                      const SeparationOptions& options);

/// The pose of b after its shift: for those who want bodies that start in each other apart. Throws
/// InvalidInput for an undecided separation.
Pose resolved_pose(const Separation& separation, const Pose& pose_b);

}  // namespace touche
