// SPDX-License-Identifier: Apache-2.0
// Limits the cost of a query, cancels it from another thread or a signal handler, reports its
// progress, and keeps memory that queries reuse.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace touche {

/// Cancels queries from outside. All copies share one flag, which exists as long as any of them: a
/// query may outlive the scope that started it. A request cannot be withdrawn; the next query gets
/// a new `Cancel`.
///
/// Ctrl-C ends a query early when the handler of the signal has a copy that lives longer than the
/// handler is installed:
///
///     static const Cancel interrupted;
///     std::signal(SIGINT, [](int) { interrupted.request(); });
///     const PathResult r = path(a, motion_a, b, motion_b,
///                               {.tolerance = 1e-3, .budget = {.cancel = interrupted}});
///     std::signal(SIGINT, SIG_DFL);  // before `interrupted` is destroyed
///
/// A language whose own signal handling runs only between its instructions (Python, Java, C#) runs
/// the query in a thread with a copy, and waits for it in short intervals. When the wait is
/// interrupted, it calls request(), waits for the query to return, and raises its exception.
class Cancel {
 public:
  /// A new flag. This allocates.
  Cancel() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  /// No flag: never requested, whatever is called. Allocates nothing.
  [[nodiscard]] static Cancel never() noexcept { return Cancel(nullptr); }

  // Copies only: a Cancel that was moved from would ignore requests.
  Cancel(const Cancel&) noexcept = default;
  Cancel& operator=(const Cancel&) noexcept = default;
  ~Cancel() = default;

  /// Ends all queries that have a copy soon. Any thread and any signal handler may call it, any
  /// number of times: it stores to one lock-free atomic.
  void request() const noexcept {
    if (flag_ != nullptr) flag_->store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool requested() const noexcept {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }

  /// Whether they share one flag, or both have none.
  friend bool operator==(const Cancel&, const Cancel&) noexcept = default;

 private:
  friend struct CancelAccess;
  static_assert(std::atomic<bool>::is_always_lock_free);
  explicit Cancel(std::shared_ptr<std::atomic<bool>> flag) noexcept : flag_(std::move(flag)) {}

  std::shared_ptr<std::atomic<bool>> flag_;
};

/// Receives how many parts of a query are done, and how many there are.
///
/// It is called by the thread that called the query, and by no other, while the query runs: when
/// it begins, at most about 20 times per second, and when it ends. `done` never decreases; `total`
/// may grow while the query finds more to do. The last call has `done == total` unless the query
/// was stopped. A long part in the calling thread delays the next call.
///
/// If it throws, the query ends soon and throws the same exception; its results are lost. It may
/// run other queries and cancel this one.
using ProgressFunction = std::function<void(std::size_t done, std::size_t total)>;

/// Limits of one query. A query that reaches a limit stops soon and reports this in its result. It
/// does not throw for this reason, and never reports as free what it has not tested. All that it
/// has proved until then holds.
///
///     const Cancel cancel;  // another thread calls cancel.request()
///     const Budget budget = {.max_work = 100'000, .cancel = cancel};
struct Budget {
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

  /// Maximum number of tested pairs of nodes and of faces or other primitives, as
  /// QueryStats::work() counts them. The results do not depend on the machine. Queries that count
  /// something else have an option for that and throw InvalidInput if this one is set; queries
  /// whose work is not limited say so in their options.
  std::uint64_t max_work = kUnlimited;
  /// Absolute time at which the query stops; the clock is read once in some hundred pairs. Results
  /// of queries that reach it vary from run to run.
  Clock::time_point deadline = Clock::time_point::max();
  /// The query stops soon after this is requested.
  Cancel cancel = Cancel::never();
  /// Progress of queries with many parts, see their options. Other queries do not call it.
  ProgressFunction progress = {};

  /// Whether it is cancelled or the deadline is past; does not consider the work.
  [[nodiscard]] bool expired() const {
    return cancel.requested() || (deadline != Clock::time_point::max() && Clock::now() >= deadline);
  }
};

// ---- memory -------------------------------------------------------------------------------------

/// Scratch memory for queries, passed in their options. A query for which it is large enough
/// allocates nothing; otherwise the query enlarges it. Results do not depend on it. It serves one
/// query at a time, so each thread needs its own.
///
/// Without one, a query takes memory that its thread keeps, and gives it back when it ends:
/// repeated queries allocate nothing either. A query that is called by a callback of another one
/// gets other memory. Each thread keeps at most 4 MiB until it ends; what a query needs beyond that
/// is freed when the query ends. A Workspace has no such limit, and is freed when the caller
/// decides.
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
