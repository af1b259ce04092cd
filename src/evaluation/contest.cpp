// SPDX-License-Identifier: Apache-2.0
#include "evaluation/contest.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "base/threads.h"
#include "evaluation/timing.h"

namespace touche::evaluation {
namespace {

bool free_of_contact(const RemovalStudy& study, const std::vector<Removal::Pair>& pose) {
  return std::none_of(pose.begin(), pose.end(), [&](const Removal::Pair& p) {
    return intersects(study.parts[p.a], p.pose_a, study.parts[p.b], p.pose_b).intersects;
  });
}

}  // namespace

bool same_tree(const TreeOptions& a, const TreeOptions& b) {
  return a.volume == b.volume && a.method == b.method && a.degree == b.degree &&
         a.improvement == b.improvement && a.min_split_faces == b.min_split_faces &&
         a.leaf_faces == b.leaf_faces && a.max_faces == b.max_faces && a.quality == b.quality &&
         a.combine == b.combine && a.directions == b.directions && a.start == b.start &&
         a.order == b.order;
}

Contest::Contest(const RemovalStudy& study, const CostMatrix& costs, int threads)
    : study_(study), costs_(costs), threads_(threads) {
  for (const Removal& removal : study.removals) {
    hits_.emplace_back();
    for (const auto& pose : removal.poses) {
      hits_.back().push_back(!free_of_contact(study, pose));
      for (const Removal::Pair& pair : pose) asked_.insert({pair.a, pair.b});
    }
  }
}

double Contest::triangles() const {
  double sum = 0;
  for (const std::size_t part : asked_) sum += study_.parts[part].soup().triangle_count();
  return sum;
}

const Contest::Trees& Contest::trees(const TreeOptions& options) {
  if (!trees_.empty() && same_tree(built_, options)) return trees_;
  trees_.clear();
  build_seconds_ = bytes_ = 0;
  largest_leaf_ = 0;
  for (const std::size_t part : asked_) {
    build_seconds_ +=
        seconds([&] { trees_.emplace(part, VolumeTree(study_.parts[part].soup(), options)); });
    const TreeShape shape = trees_.at(part).shape();
    bytes_ += static_cast<double>(shape.bytes);
    largest_leaf_ = std::max(largest_leaf_, shape.largest_leaf);
  }
  built_ = options;
  return trees_;
}

// A pair of mixed volumes costs what its kinds cost, any other what its volume does.
double Contest::cost(const TreeStats& stats, const std::string& volume) const {
  static constexpr const char* kKinds[] = {"sphere", "aabb", "obb"};
  const auto name = [&](std::size_t kind) {
    return kind == TreeStats::other ? volume : std::string(kKinds[kind]);
  };
  double sum = costs_.triangles * static_cast<double>(stats.primitive_tests);
  for (std::size_t a = 0; a < stats.by_kind.size(); ++a)
    for (std::size_t b = 0; b < stats.by_kind.size(); ++b)
      if (stats.by_kind[a][b] > 0)
        sum += costs_.of(name(a), name(b)) * static_cast<double>(stats.by_kind[a][b]);
  return 1e-3 * sum;
}

TrialRun Contest::run_removal(const Removal& removal, const Trees& trees,
                              const TraversalOptions& traversal, bool timed,
                              std::size_t stride) const {
  const std::size_t count = (removal.poses.size() + stride - 1) / stride;
  TrialRun run{.removal = removal.name, .cost = std::vector<double>(count)};
  std::vector<TreeStats> stats(count);
  std::vector<char> hits(count);
  const auto ask = [&](std::size_t i) {
    stats[i] = {};
    hits[i] = 0;
    for (const Removal::Pair& pair : removal.poses[i * stride]) {
      const TreeResult answer =
          intersects(trees.at(pair.a), pair.pose_a, trees.at(pair.b), pair.pose_b, traversal);
      stats[i] += answer.stats;
      if (!answer.intersects) continue;
      hits[i] = 1;
      break;
    }
  };
  if (timed) {
    for (std::size_t i = 0; i < count; ++i) run.seconds.push_back(best_seconds([&] { ask(i); }));
  } else {
    tbb::task_arena arena(base::arena_size(threads_));
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, ask); });
  }
  const auto r = static_cast<std::size_t>(&removal - study_.removals.data());
  // There are no trees, and no costs, where parts never come near each other.
  const std::string volume = trees.empty() ? "" : trees.begin()->second.volume();
  for (std::size_t i = 0; i < count; ++i) {
    if ((hits[i] != 0) != hits_[r][i * stride])
      throw Error(fmt::format("{}, {}, pose {}: a tree and the queries' own hierarchy disagree",
                              study_.title, removal.name, i * stride));
    run.cost[i] = cost(stats[i], volume);
    run.stats += stats[i];
    run.hits += static_cast<std::size_t>(hits[i]);
  }
  return run;
}

Trial Contest::run(const TreeOptions& tree, const TraversalOptions& traversal, bool timed,
                   std::size_t stride) {
  const Trees& built = trees(tree);
  Trial trial{.study = study_.title,
              .tree = tree,
              .traversal = traversal,
              .build_seconds = build_seconds_,
              .bytes_per_triangle = bytes_ / std::max(triangles(), 1.0),
              .largest_leaf = largest_leaf_};
  for (const Removal& removal : study_.removals)
    trial.runs.push_back(run_removal(removal, built, traversal, timed, stride));
  return trial;
}

DefaultTrial Contest::run_own() {
  DefaultTrial trial{.study = study_.title};
  double bytes = 0;
  for (const std::size_t part : asked_) {
    bytes += static_cast<double>(study_.parts[part].memory().hierarchy_bytes);
    trial.build_seconds +=
        seconds([&] { Object(study_.parts[part].soup(), {}, {.threads = threads_}); });
  }
  trial.bytes_per_triangle = bytes / triangles();
  for (std::size_t r = 0; r < study_.removals.size(); ++r) {
    const Removal& removal = study_.removals[r];
    TrialRun run{.removal = removal.name};
    for (std::size_t i = 0; i < removal.poses.size(); ++i) {
      run.seconds.push_back(best_seconds([&] { (void)free_of_contact(study_, removal.poses[i]); }));
      run.hits += hits_[r][i] ? 1 : 0;
    }
    trial.runs.push_back(std::move(run));
  }
  return trial;
}

}  // namespace touche::evaluation
