// SPDX-License-Identifier: Apache-2.0
// The queries of touche/shape.h for one pair of shapes at many poses of the second shape, in one
// call. Pairs of convex shapes with at most 64 corners and no round parts except rounding (hulls,
// boxes and zonotopes, also rounded; spheres and capsules) are processed at several poses at a time
// with SIMD, which takes less time than single queries. All other pairs are queried pose by pose.
//
// Each result has the same guarantees as that of a single query, and its bracket is as narrow up to
// rounding. It depends on its own pose only: not on the other poses, the number of threads or the
// instruction set. Where several points or directions are equally good, the choice may differ from
// that of a single query, and so may `primitive_tests`.
//
// Throws InvalidInput as single queries do. The budget's work counts poses: only the first
// `max_work` poses are queried, and the results of all others keep their default values.
//
//     const auto hits = intersects_at(gripper, {}, bolt, poses);
//     for (const IntersectsResult& hit : hits.answers) count += hit.intersects;
#pragma once

#include <span>

#include "touche/batch.h"
#include "touche/shape.h"

namespace touche {

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

}  // namespace touche
