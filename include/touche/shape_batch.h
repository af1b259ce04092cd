// SPDX-License-Identifier: Apache-2.0
// One pair of shapes at many poses of the second one: what touche/shape.h answers, for all of them
// in one call. Convex shapes of up to 64 corners without round parts (hulls, boxes, zonotopes, also
// rounded; spheres and capsules) are searched at several poses at a time, in the machine's vectors,
// which takes less time than single questions. All other pairs are asked one by one.
//
// Each answer is proved as that of a single question is, its bracket as narrow up to rounding. It
// depends on its own pose only: not on the other poses, the number of threads or the instruction
// set. Where several points or directions are as good, others may be told than those of a single
// question, and `primitive_tests` may differ.
//
// Throws InvalidInput where single questions do. The budget's work is poses, of which the first so
// many are asked; answers to those that were not asked are as an answer begins.
//
//     const auto hits = intersects_at(gripper, {}, part, poses);
//     for (const IntersectsResult& hit : hits.answers) count += hit.intersects;
#pragma once

#include <span>

#include "touche/batch.h"
#include "touche/shape.h"

namespace touche {

/// Whether a at pose_a and b have a point in common, for b at each of the poses.
BatchResult<IntersectsResult> intersects_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                            std::span<const Pose> poses_b,
                                            const BatchOptions& batch = {});

/// How far they are apart at each of the poses. `options.budget` is that of each question, which
/// only soups use.
///
///     const auto gaps = distances_at(gripper, {}, part, poses, {.max_distance = 0.5});
BatchResult<DistanceResult> distances_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                         std::span<const Pose> poses_b,
                                         const DistanceOptions& options = {},
                                         const BatchOptions& batch = {});

/// How deep they are in each other at each of the poses. Only where they are apart this is sooner
/// than single questions; where they meet it takes up to a fifth longer.
///
///     const auto depths = depths_at(gripper, {}, part, poses, {.relative_error = 1e-3});
BatchResult<DepthResult> depths_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                   std::span<const Pose> poses_b, const DepthOptions& options = {},
                                   const BatchOptions& batch = {});

}  // namespace touche
