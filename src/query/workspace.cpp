// SPDX-License-Identifier: Apache-2.0
#include "query/workspace.h"

#include <array>

#include "base/held_bytes.h"

namespace touche {

Workspace::Workspace() : memory_(std::make_unique<Memory>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::size_t Workspace::Memory::bytes() const {
  return sizeof(Memory) +
         base::held_bytes(pairs.nodes, pairs.waiting, pairs.faces, pairs.sorted, pairs.hits,
                          near.waiting, near.hits, near.features, near.order, distance.candidates,
                          distance.waiting, slices) +
         (near.owners != nullptr ? sizeof(query::FeatureOwners) : 0) + queue.bytes() +
         (shapes != nullptr ? shapes->bytes() : 0);
}

}  // namespace touche

namespace touche::query {
namespace {

// Remains valid while the thread's other variables are destroyed, when queries may still be called.
thread_local bool has_ended = false;

struct Kept {
  std::array<std::unique_ptr<Workspace::Memory>, kMostMemories> memories;
  std::array<std::size_t, kMostMemories> bytes{};
  std::size_t count = 0, all_bytes = 0;

  ~Kept() { has_ended = true; }
};
thread_local Kept kept;

}  // namespace

std::unique_ptr<Workspace::Memory> take_memory() {
  if (has_ended || kept.count == 0) return std::make_unique<Workspace::Memory>();
  --kept.count;
  kept.all_bytes -= kept.bytes[kept.count];
  return std::move(kept.memories[kept.count]);
}

void give_back(std::unique_ptr<Workspace::Memory> memory) noexcept {
  if (has_ended || kept.count == kMostMemories) return;
  const std::size_t bytes = memory->bytes();
  if (bytes > kMostKeptBytes - kept.all_bytes) return;
  kept.memories[kept.count] = std::move(memory);
  kept.bytes[kept.count] = bytes;
  kept.all_bytes += bytes;
  ++kept.count;
}

std::size_t kept_bytes() { return has_ended ? 0 : kept.all_bytes; }

}  // namespace touche::query
