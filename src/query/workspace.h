// SPDX-License-Identifier: Apache-2.0
// Memory that queries keep between calls. It changes how long answers take, and how a time of
// impact is narrowed within its bracket, but not whether bodies meet.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <utility>
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
  [[nodiscard]] virtual std::size_t bytes() const = 0;
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

  /// What it occupies.
  [[nodiscard]] std::size_t bytes() const;
};

struct WorkspaceAccess {
  static Workspace::Memory& memory(Workspace& workspace) { return *workspace.memory_; }
};

}  // namespace touche

namespace touche::query {

/// Limits of what each thread keeps for queries without a workspace.
inline constexpr std::size_t kMostMemories = 4, kMostKeptBytes = std::size_t{4} << 20;

/// Memory that this thread keeps, or new memory.
std::unique_ptr<Workspace::Memory> take_memory();
/// Keeps the memory for the next query of this thread, or frees it if that would exceed the limits.
void give_back(std::unique_ptr<Workspace::Memory> memory) noexcept;
/// The bytes that this thread keeps.
std::size_t kept_bytes();

/// The memory of the caller's workspace. Without one it is memory of this thread, which no other
/// query uses meanwhile: queries may be nested.
class WorkspaceUse {
 public:
  explicit WorkspaceUse(Workspace* workspace)
      : taken_(workspace == nullptr ? take_memory() : nullptr),
        memory_(workspace != nullptr ? &WorkspaceAccess::memory(*workspace) : taken_.get()) {}
  ~WorkspaceUse() {
    if (taken_ != nullptr) give_back(std::move(taken_));
  }
  WorkspaceUse(const WorkspaceUse&) = delete;
  WorkspaceUse& operator=(const WorkspaceUse&) = delete;
  Workspace::Memory* operator->() const { return memory_; }

 private:
  std::unique_ptr<Workspace::Memory> taken_;
  Workspace::Memory* memory_;
};

}  // namespace touche::query
