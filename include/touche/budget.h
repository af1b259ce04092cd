// SPDX-License-Identifier: Apache-2.0
// Limits the cost of an answer, and lets others watch and stop the search for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace touche {

/// How far a long answer is. Written by the query, read by any thread.
struct Progress {
  std::atomic<std::size_t> done{0}, total{0};
};

/// Limits of one query. A query that reaches one of them stops soon and says so in its result: it
/// never throws for this, and never calls free what it has not looked at. All that it proved until
/// then stays true. The flag and the counters belong to the caller, who keeps them alive.
struct Budget {
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// Pairs of nodes and of faces that are looked at, unless the options name another unit. Results
  /// do not depend on the machine.
  std::uint64_t max_work = kUnlimited;
  /// Results of queries that reach it vary from run to run. Looked at once in some hundred pairs.
  Clock::time_point deadline = Clock::time_point::max();
  /// The query stops soon after this becomes true, by any thread or a signal handler.
  const std::atomic<bool>* stop = nullptr;
  /// Where queries of many parts count; see their options. Others leave it alone.
  Progress* progress = nullptr;

  /// Whether the flag is set or the deadline is past; says nothing of the work.
  [[nodiscard]] bool expired() const {
    return (stop != nullptr && stop->load(std::memory_order_relaxed)) ||
           (deadline != Clock::time_point::max() && Clock::now() >= deadline);
  }
};

}  // namespace touche
