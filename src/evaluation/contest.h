// SPDX-License-Identifier: Apache-2.0
// One study, run with one setting after the other.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "touche/methods/evaluation.h"

namespace touche::evaluation {

class Contest {
 public:
  /// Keeps references.
  Contest(const RemovalStudy& study, const CostMatrix& costs, int threads);

  /// At every `stride`-th pose. Throws Error when a pose is answered otherwise than by the queries'
  /// own hierarchy.
  Trial run(const TreeOptions& tree, const TraversalOptions& traversal, bool timed,
            std::size_t stride = 1);

  DefaultTrial run_own();

 private:
  using Trees = std::map<std::size_t, VolumeTree>;  // by part

  const Trees& trees(const TreeOptions& options);
  TrialRun run_removal(const Removal& removal, const Trees& trees,
                       const TraversalOptions& traversal, bool timed, std::size_t stride) const;
  double cost(const TreeStats& stats, const std::string& volume) const;
  double triangles() const;  // of the parts that the queries are about

  const RemovalStudy& study_;
  const CostMatrix& costs_;
  const int threads_;
  std::set<std::size_t> asked_;          // parts
  std::vector<std::vector<bool>> hits_;  // by removal and pose
  TreeOptions built_;                    // options that made trees_, if any
  Trees trees_;
  double build_seconds_ = 0, bytes_ = 0;
  Index largest_leaf_ = 0;
};

/// Whether the trees are the same.
bool same_tree(const TreeOptions& a, const TreeOptions& b);

}  // namespace touche::evaluation
