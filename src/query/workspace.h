// SPDX-License-Identifier: Apache-2.0
// What queries keep in a workspace: memory only, nothing that answers depend on.
#pragma once

#include <optional>
#include <vector>

#include "query/pair_queue.h"
#include "query/toi_query.h"
#include "touche/workspace.h"

namespace touche {

struct DistanceMemory {
  /// Triangles that may be nearer than the best so far.
  struct Candidate {
    float squared;  // lower bound of the distance, local units of a
    Index a, b;
    bool operator<(const Candidate& other) const { return squared < other.squared; }
  };
  struct Waiting {
    NodePair nodes;
    const Bounds *a, *b;
    float squared;  // lower bound of the distance, local units of a
  };
  std::vector<Candidate> candidates;
  std::vector<Waiting> waiting;
};

struct Workspace::Memory {
  DistanceMemory distance;
  PairQueue queue;
  std::vector<TimeSlice> slices;
};

struct WorkspaceAccess {
  static Workspace::Memory& memory(Workspace& workspace) { return *workspace.memory_; }
};

/// The memory of the caller's workspace, or of one's own where there is none.
class WorkspaceUse {
 public:
  explicit WorkspaceUse(Workspace* workspace)
      : memory_(workspace != nullptr ? &WorkspaceAccess::memory(*workspace) : &own_.emplace()) {}
  WorkspaceUse(const WorkspaceUse&) = delete;
  WorkspaceUse& operator=(const WorkspaceUse&) = delete;
  Workspace::Memory* operator->() const { return memory_; }

 private:
  std::optional<Workspace::Memory> own_;
  Workspace::Memory* memory_;
};

}  // namespace touche
