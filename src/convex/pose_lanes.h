// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h for one pair of bodies at many poses: a pose in each lane of the
// machine's vectors. A single search waits for each of its operations; here as many go on at a time
// as a vector has numbers. All is in double precision with the bounds of the single search, so that
// what a lane proves is proved. Poses that it leaves open are asked once more, alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convex/gjk.h"
#include "convex/polytope_gjk.h"

namespace touche::convex {

/// So many poses are looked at in one call at most. A lane whose search has ended takes the next.
inline constexpr std::size_t kPoseGroup = 128;

/// For both bodies `has_few_corners` holds. A guess is not used.
struct PosesQuestion {
  const Body &a, &b;
  bool exact;  ///< corners of b are, by definition, where rounding puts them: see `corners_error`
  SeparationOptions options;
  /// End as soon as a point in common is proved, of the cores unless the goal is to decide. With
  /// `decide` it is set.
  bool ends_where_meeting = false;
};

/// Holds what `separation` counts for rounding; `move` is the sum of the translation's magnitudes.
struct PoseErrors {
  double size;  ///< of differences, directions and lengths, and of the nearest points
  double all;   ///< with the errors of supporting points

  PoseErrors(const PosesQuestion& q, double move)
      : size(8 * kUnitRoundoff * (q.a.reach + q.b.reach + move)),
        all(supporting_error(q.a) + supporting_error(q.b) +
            (q.exact ? 8 * kUnitRoundoff * move : kMovedPointError * (q.b.reach + move)) +
            2 * size) {}
};

/// How the search at a pose ended.
enum class PoseEnding : std::uint8_t {
  open,       ///< nothing is claimed
  far_apart,  ///< proved to be farther apart than `stop_above`; with `decide` to be apart
  meeting,    ///< with `ends_where_meeting`: a point in common is proved
  nearest,    ///< at the nearest point of the vertices, which is as near as was asked for
  around,     ///< up to rounding the origin is inside of the four vertices
};

struct AtPose {
  PoseEnding ending;
  std::uint8_t size;                    ///< number of vertices, 0 where the balls inside meet
  int supports;                         ///< pairs of supporting points that were looked at
  std::array<std::uint16_t, 4> vertex;  ///< kFewCorners times the corner of a, plus that of b
  std::array<double, 4> share;          ///< of the nearest point, times a factor; none is negative
  double lower;                         ///< of the cores, proved by the plane across `direction`
  Three direction;                      ///< of unit length, up to rounding
};

/// The lower bound for the bodies with their balls.
inline double proved_lower(const PosesQuestion& q, const AtPose& at) {
  return at.lower - (q.a.radius + q.b.radius) * (1 + 4 * kUnitRoundoff);
}

/// Coordinate by coordinate: b as a sees it at each of the poses, the same bits as of
/// `RigidTransform`.
struct TransformColumns {
  /// Holds numbers of the rotation, column by column, then of the translation.
  alignas(64) std::array<std::array<double, kPoseGroup>, 12> at;
};

struct PoseLaneKernels {
  /// Where b is at each of up to kPoseGroup poses.
  void (*place)(const Pose& pose_a, std::span<const Pose> poses_b, TransformColumns& placements);
  /// Searches at each of the first so many.
  void (*search)(const PosesQuestion& question, const TransformColumns& placements,
                 std::span<AtPose> found);
};
const PoseLaneKernels& pose_lane_kernels();

/// Returns what `separation` tells of pose number i, where the search ended at the nearest point or
/// around the origin, with an upper bound that is proved again. None where these have no proof.
std::optional<Separation> separation_at(const PosesQuestion& question,
                                        const TransformColumns& placements, std::size_t i,
                                        const AtPose& found);

/// The same for each instruction set that this machine has, the best one first. For tests.
std::vector<PoseLaneKernels> pose_lane_kernels_of_targets();

}  // namespace touche::convex
