// SPDX-License-Identifier: Apache-2.0
// Queries at many poses. Groups of poses are searched in SIMD lanes; poses that remain undecided
// are queried one by one.
#include "touche/shape.h"

#include <algorithm>

#include "base/budget_part.h"
#include "convex/pose_lanes.h"
#include "query/distance_options.h"
#include "shape/convex_question.h"

namespace touche {
namespace {

bool has_lanes(const Shape& shape) {
  return shape.is_convex() && shape.kind() != ShapeKind::half_space &&
         convex::has_few_corners(shape::body_of(shape));
}

/// The searches at one group of poses.
class PoseGroup {
 public:
  PoseGroup(const convex::PosesQuestion& question, const Pose& pose_a,
            std::span<const Pose> poses_b)
      : question_(question), count_(poses_b.size()) {
    const convex::PoseLaneKernels& kernels = convex::pose_lane_kernels();
    kernels.place(pose_a, poses_b, placements_);
    kernels.search(question, placements_, std::span(found_).first(count_));
  }

  [[nodiscard]] const convex::AtPose& at(std::size_t i) const { return found_[i]; }
  /// The result of a search that ended at closest points or in an overlap.
  [[nodiscard]] std::optional<convex::Separation> separation(std::size_t i) const {
    const convex::PoseEnding ending = found_[i].ending;
    if (ending != convex::PoseEnding::nearest && ending != convex::PoseEnding::around) return {};
    return convex::separation_at(question_, placements_, i, found_[i]);
  }

 private:
  const convex::PosesQuestion& question_;
  const std::size_t count_;
  convex::TransformColumns placements_;
  std::array<convex::AtPose, convex::kPoseGroup> found_;
};

/// Calls group(poses, answers) for consecutive parts of at most kPoseGroup poses.
template <class Answer, class Group>
BatchResult<Answer> in_groups(std::span<const Pose> poses, const BatchOptions& options,
                              const Group& group) {
  BatchResult<Answer> result{.answers = std::vector<Answer>(poses.size())};
  const Budget& budget = options.budget;
  base::require_any_work(budget, "batch", "max_items");
  const std::size_t asked = std::min<std::uint64_t>(poses.size(), options.max_items);
  const std::size_t groups = (asked + convex::kPoseGroup - 1) / convex::kPoseGroup;
  Budget of_groups = base::with_any_work(budget);
  if (budget.progress)
    of_groups.progress = [&](std::size_t done, std::size_t) {
      budget.progress(std::min(done * convex::kPoseGroup, asked), poses.size());
    };
  const bool all = for_each_in_parallel(
      groups,
      [&](std::size_t g) {
        const std::size_t first = g * convex::kPoseGroup,
                          count = std::min(convex::kPoseGroup, asked - first);
        group(poses.subspan(first, count), std::span(result.answers).subspan(first, count));
      },
      {.threads = options.threads, .budget = of_groups});
  result.complete = all && asked == poses.size();
  return result;
}

IntersectsResult told_intersects(bool intersects, int supports) {
  IntersectsResult result;
  result.intersects = intersects, result.complete = true;
  shape::add_supports(result.stats, supports);
  return result;
}

}  // namespace

BatchResult<IntersectsResult> intersects_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                            std::span<const Pose> poses_b,
                                            const BatchOptions& options) {
  const auto ask = [&](const Pose& pose_b) { return intersects(a, pose_a, b, pose_b); };
  if (!has_lanes(a) || !has_lanes(b)) return batch(poses_b, ask, options);
  convex::PosesQuestion question{shape::body_of(a),
                                 shape::body_of(b),
                                 shape::are_exact(shape::body_of(a), shape::body_of(b)),
                                 {},
                                 true};
  question.options.goal = convex::Goal::decide;
  return in_groups<IntersectsResult>(
      poses_b, options, [&](std::span<const Pose> poses, std::span<IntersectsResult> answers) {
        const PoseGroup group(question, pose_a, poses);
        for (std::size_t i = 0; i < poses.size(); ++i) {
          const convex::AtPose& at = group.at(i);
          if (at.ending == convex::PoseEnding::far_apart) {
            answers[i] = told_intersects(false, at.supports);
          } else if (at.ending == convex::PoseEnding::meeting) {
            answers[i] = told_intersects(true, at.supports);
          } else {
            const std::optional<convex::Separation> s = group.separation(i);
            answers[i] = s && s->upper <= 0 ? told_intersects(true, at.supports) : ask(poses[i]);
          }
        }
      });
}

BatchResult<DistanceResult> distances_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                         std::span<const Pose> poses_b,
                                         const DistanceOptions& options,
                                         const BatchOptions& batch_options) {
  const auto ask = [&](const Pose& pose_b) { return distance(a, pose_a, b, pose_b, options); };
  if (!has_lanes(a) || !has_lanes(b)) return batch(poses_b, ask, batch_options);
  query::check(options);
  convex::PosesQuestion question{shape::body_of(a),
                                 shape::body_of(b),
                                 shape::are_exact(shape::body_of(a), shape::body_of(b)),
                                 {}};
  question.options.stop_above = options.max_distance;
  question.options.relative_error = options.relative_error;
  question.options.absolute_error = options.absolute_error;
  return in_groups<DistanceResult>(
      poses_b, batch_options, [&](std::span<const Pose> poses, std::span<DistanceResult> answers) {
        const PoseGroup group(question, pose_a, poses);
        for (std::size_t i = 0; i < poses.size(); ++i) {
          const convex::AtPose& at = group.at(i);
          QueryStats stats;
          shape::add_supports(stats, at.supports);
          if (at.ending == convex::PoseEnding::far_apart) {
            answers[i] = shape::far_apart(convex::proved_lower(question, at), stats);
            continue;
          }
          const std::optional<convex::Separation> s = group.separation(i);
          const bool told =
              s && (s->upper <= 0 || (s->converged && (s->lower > 0 || !question.exact)));
          answers[i] =
              told ? shape::told_distance(pose_a, *s, s->upper <= 0, stats) : ask(poses[i]);
        }
      });
}

BatchResult<DepthResult> depths_at(const Shape& a, const Pose& pose_a, const Shape& b,
                                   std::span<const Pose> poses_b, const DepthOptions& options,
                                   const BatchOptions& batch_options) {
  const auto ask = [&](const Pose& pose_b) { return depth(a, pose_a, b, pose_b, options); };
  if (!has_lanes(a) || !has_lanes(b)) return batch(poses_b, ask, batch_options);
  shape::check(options);
  convex::PosesQuestion question{shape::body_of(a),
                                 shape::body_of(b),
                                 shape::are_exact(shape::body_of(a), shape::body_of(b)),
                                 {},
                                 true};
  question.options.goal = convex::Goal::cores;
  const double balls = question.a.radius + question.b.radius;
  return in_groups<DepthResult>(
      poses_b, batch_options, [&](std::span<const Pose> poses, std::span<DepthResult> answers) {
        const PoseGroup group(question, pose_a, poses);
        for (std::size_t i = 0; i < poses.size(); ++i) {
          std::optional<convex::Separation> s;
          if (group.at(i).ending == convex::PoseEnding::nearest) s = group.separation(i);
          const bool told = s && s->converged && s->lower + balls > 0;
          answers[i] =
              told ? shape::told_depth(pose_a, convex::overlap_of_balls(question.a, question.b, *s))
                   : ask(poses[i]);
        }
      });
}

}  // namespace touche
