// SPDX-License-Identifier: Apache-2.0
// Counts the parts of a query that are done, and reports them to the caller's function.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

#include "touche/budget.h"

namespace touche::base {

/// Made in the thread that runs the query, which alone calls the function. Without a function it
/// costs one comparison per call.
class ProgressReport {
 public:
  /// The function must outlive it. Reports the start if the total is known.
  explicit ProgressReport(const ProgressFunction& function, std::size_t total = 0)
      : function_(function ? &function : nullptr) {
    if (total > 0) add_total(total);
  }
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  /// Adds parts that are to be done. Only for the query's thread, or while no other thread counts.
  void add_total(std::size_t count) {
    if (function_ == nullptr) return;
    total_ += count;
    report_if_due();
  }

  /// Counts parts that are done; for any thread.
  void add_done(std::size_t count = 1) {
    if (function_ == nullptr) return;
    done_.fetch_add(count, std::memory_order_relaxed);
    if (std::this_thread::get_id() == thread_) report_if_due();
  }

  /// As finish(), after parts that may not have been counted: all are done.
  void finish_all() {
    if (function_ == nullptr) return;
    done_ = total_;
    finish();
  }

  /// Reports the end of the query, unless that is what was reported last.
  void finish() {
    if (function_ != nullptr && (!reported_ || told_done_ != done_ || told_total_ != total_))
      report();
  }

 private:
  using Duration = std::chrono::nanoseconds;
  static constexpr Duration kInterval = std::chrono::milliseconds(50);

  static Duration now();
  void report_if_due();
  void report();

  const ProgressFunction* const function_;
  const std::thread::id thread_ = std::this_thread::get_id();
  std::atomic<std::size_t> done_{0};
  std::size_t total_ = 0, told_done_ = 0, told_total_ = 0;
  Duration next_{0};
  bool reported_ = false, reporting_ = false;
};

}  // namespace touche::base
