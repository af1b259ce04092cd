// SPDX-License-Identifier: Apache-2.0
// Memory that queries keep between calls. It changes how long answers take, and how a time of
// impact is narrowed within its bracket, but not whether bodies meet.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/feature_pairs.h"
#include "query/pair_queue.h"
#include "query/time_slices.h"
#include "touche/budget.h"

namespace touche::query {

/// A pair of nodes that waits to be opened.
struct WaitingNodes {
  NodePair nodes;
  const bvh::Bounds *a, *b;
};

/// Two indices in one number, ordered by a's, then by b's.
using PackedPair = std::uint64_t;

inline PackedPair pack(Index a, Index b) { return static_cast<PackedPair>(a) << 32 | b; }
inline Index first_of(PackedPair pair) { return static_cast<Index>(pair >> 32); }
inline Index second_of(PackedPair pair) { return static_cast<Index>(pair); }

struct PairsMemory {
  /// A pair of triangles that intersect, and the pair of their faces.
  struct Hit {
    PackedPair faces, triangles;
    friend auto operator<=>(const Hit&, const Hit&) = default;
  };
  std::vector<NodePair> nodes;
  std::vector<WaitingNodes> waiting;
  std::vector<PackedPair> faces, sorted;
  std::vector<Hit> hits;
};

struct DistanceMemory {
  /// Triangles that may be nearer than the best so far.
  struct Candidate {
    float squared;  // lower bound of the distance, local units of a
    Index a, b;
    bool operator<(const Candidate& other) const { return squared < other.squared; }
  };
  struct Waiting {
    NodePair nodes;
    const bvh::Bounds *a, *b;
    float squared;  // lower bound of the distance, local units of a
  };
  std::vector<Candidate> candidates;
  std::vector<Waiting> waiting;
};

struct NearMemory {
  /// A pair of triangles within the margin, and the pair of their faces.
  struct Hit {
    PackedPair faces, triangles;
    double distance;
  };
  std::vector<DistanceMemory::Waiting> waiting;
  std::vector<Hit> hits;
  struct Key {
    std::uint64_t a, b;  // features
    PackedPair triangles;
    Index hit;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::vector<FeatureHit> features;
  std::vector<Key> order;
  std::unique_ptr<FeatureOwners> owners;
};

/// Memory of queries of other folders; only they know its type.
struct OtherMemory {
  OtherMemory() = default;
  virtual ~OtherMemory() = default;
  OtherMemory(const OtherMemory&) = delete;
  OtherMemory& operator=(const OtherMemory&) = delete;
};

}  // namespace touche::query

namespace touche {

struct Workspace::Memory {
  query::PairsMemory pairs;
  query::NearMemory near;
  query::DistanceMemory distance;
  query::PairQueue queue;
  std::vector<query::TimeSlice> slices;
  std::unique_ptr<query::OtherMemory> shapes;  // of src/shape, created on first use
};

struct WorkspaceAccess {
  static Workspace::Memory& memory(Workspace& workspace) { return *workspace.memory_; }
};

}  // namespace touche

namespace touche::query {

/// The memory of the caller's workspace, or own memory if there is none.
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

/// Likewise for one part of the memory; without a workspace the other parts cost nothing.
template <class Part>
class WorkspacePartUse {
 public:
  WorkspacePartUse(Workspace* workspace, Part Workspace::Memory::*part)
      : part_(workspace != nullptr ? &(WorkspaceAccess::memory(*workspace).*part)
                                   : &own_.emplace()) {}
  WorkspacePartUse(const WorkspacePartUse&) = delete;
  WorkspacePartUse& operator=(const WorkspacePartUse&) = delete;
  Part& operator*() const { return *part_; }

 private:
  std::optional<Part> own_;
  Part* part_;
};

}  // namespace touche::query
