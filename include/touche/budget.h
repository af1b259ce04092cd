// SPDX-License-Identifier: Apache-2.0
// Limits the cost of a query, lets other threads watch its progress and stop it, and keeps memory
// that queries reuse.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace touche {

/// Progress of a long query: written by the query, read by any thread.
struct Progress {
  std::atomic<std::size_t> done{0}, total{0};
};

/// Limits of one query. A query that reaches a limit stops soon and reports this in its result. It
/// does not throw for this reason, and never reports as free what it has not tested. All that it
/// has proved until then holds. The flag and the counters belong to the caller and must outlive the
/// query.
///
///     std::atomic<bool> stop{false};
///     const Budget budget = {.max_work = 100'000, .stop = &stop};
struct Budget {
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// Maximum number of tested pairs of nodes and of faces, unless the options name another unit.
  /// The results do not depend on the machine.
  std::uint64_t max_work = kUnlimited;
  /// Absolute time at which the query stops; the clock is read once in some hundred pairs. Results
  /// of queries that reach it vary from run to run.
  Clock::time_point deadline = Clock::time_point::max();
  /// The query stops soon after this becomes true; any thread or a signal handler may set it.
  const std::atomic<bool>* stop = nullptr;
  /// Progress of queries with many parts, see their options. Other queries do not change it.
  Progress* progress = nullptr;

  /// Whether the flag is set or the deadline is past; does not consider the work.
  [[nodiscard]] bool expired() const {
    return (stop != nullptr && stop->load(std::memory_order_relaxed)) ||
           (deadline != Clock::time_point::max() && Clock::now() >= deadline);
  }
};

// ---- memory -------------------------------------------------------------------------------------

/// Scratch memory for queries, passed in their options. A query for which it is large enough
/// allocates nothing; otherwise the query enlarges it. Results do not depend on it. It serves one
/// query at a time, so each thread needs its own.
///
///     Workspace workspace;
///     for (const Pose& pose : poses) report(distance(a, {}, b, pose, {.workspace = &workspace}));
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Memory;  ///< internal

 private:
  friend struct WorkspaceAccess;
  std::unique_ptr<Memory> memory_;
};

}  // namespace touche
