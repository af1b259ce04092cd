// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h for one pair of bodies at many poses: one pose in each SIMD lane. In a
// single search each operation waits for the one before; here as many searches run in parallel as a
// vector has numbers. Everything is in double precision with the bounds of the single search, so
// each lane's proofs are valid. Poses that remain undecided are searched again one by one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convex/gjk.h"
#include "convex/polytope_gjk.h"

namespace touche::convex {

/// Maximum number of poses in one call. A lane whose search has ended takes the next pose.
inline constexpr std::size_t kPoseGroup = 128;

/// `has_few_corners` must hold for both bodies. A guess is not used.
struct PosesQuestion {
  const Body &a, &b;
  bool exact;  ///< the corners of b are, by definition, exact after rounding: see `corners_error`
  SeparationOptions options;
  /// End as soon as a common point is proved: of the cores, unless the goal is to decide. Always
  /// set with `decide`.
  bool ends_where_meeting = false;
};

/// The error bounds of `separation`; `move` is the sum of the magnitudes of the translation.
struct PoseErrors {
  double size;  ///< of differences, directions and lengths, and of the nearest points
  double all;   ///< including the errors of supporting points

  PoseErrors(const PosesQuestion& q, double move)
      : size(8 * math::kUnitRoundoff * (q.a.reach + q.b.reach + move)),
        all(supporting_error(q.a) + supporting_error(q.b) +
            (q.exact ? 8 * math::kUnitRoundoff * move
                     : math::kMovedPointError * (q.b.reach + move)) +
            2 * size) {}
};

/// How the search at a pose ended.
enum class PoseEnding : std::uint8_t {
  open,       ///< nothing is proved
  far_apart,  ///< proved to be farther apart than `stop_above`; with `decide`: proved to be apart
  meeting,    ///< with `ends_where_meeting`: a common point is proved
  nearest,    ///< ended at the nearest point of the vertices, as precise as demanded
  around,     ///< up to rounding, the origin is inside the four vertices
};

struct AtPose {
  PoseEnding ending;
  std::uint8_t size;                    ///< number of vertices; 0 if the balls inside meet
  int supports;                         ///< pairs of supporting points computed
  std::array<std::uint16_t, 4> vertex;  ///< kFewCorners times the corner of a, plus that of b
  std::array<double, 4> share;  ///< weights of the nearest point, times a factor; not negative
  double lower;                 ///< of the cores, proved by the plane perpendicular to `direction`
  math::Three direction;        ///< of unit length, up to rounding
};

/// The lower bound for the bodies with their balls.
inline double proved_lower(const PosesQuestion& q, const AtPose& at) {
  return at.lower - (q.a.radius + q.b.radius) * (1 + 4 * math::kUnitRoundoff);
}

/// The transforms of b into a's frame at each pose, by column: the same bits as of
/// `RigidTransform`.
struct TransformColumns {
  /// The rotation, column by column, then the translation.
  alignas(64) std::array<std::array<double, kPoseGroup>, 12> at;
};

struct PoseLaneKernels {
  /// Computes the transform of b at each of up to kPoseGroup poses.
  void (*place)(const Pose& pose_a, std::span<const Pose> poses_b, TransformColumns& placements);
  /// Searches at the first found.size() poses.
  void (*search)(const PosesQuestion& question, const TransformColumns& placements,
                 std::span<AtPose> found);
};
const PoseLaneKernels& pose_lane_kernels();

/// The result of `separation` at pose i, if the search ended at the nearest point or around the
/// origin, with an upper bound that is proved again. Empty if that proof fails.
std::optional<Separation> separation_at(const PosesQuestion& question,
                                        const TransformColumns& placements, std::size_t i,
                                        const AtPose& found);

/// One table for each instruction set of this machine, the best one first. For tests.
std::vector<PoseLaneKernels> pose_lane_kernels_of_targets();

}  // namespace touche::convex
