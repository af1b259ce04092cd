// SPDX-License-Identifier: Apache-2.0
// A progress bar on the terminal, and Ctrl-C, for long computations.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "touche/budget.h"

namespace touche::cli {

/// During its lifetime, the first SIGINT or SIGTERM requests `cancel`; a second one ends the
/// program as usual.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(const Cancel& cancel);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

 private:
  const Cancel cancel_;
};

/// What a query has reported last, for another thread.
struct ProgressCounts {
  std::atomic<std::size_t> done{0}, total{0};

  /// Stores its arguments here; this object must outlive it.
  ProgressFunction function() {
    return [this](std::size_t done_now, std::size_t total_now) {
      total = total_now;
      done = done_now;
    };
  }
};

/// Draws a progress bar on stderr during its lifetime, but only on a terminal and only after a
/// second.
class ProgressBar {
 public:
  /// The bar shows when `cancel` is requested.
  explicit ProgressBar(const ProgressCounts& progress, const Cancel& cancel = Cancel::never());
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_done();

  const ProgressCounts& progress_;
  const Cancel cancel_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

/// Returns how many seconds have passed since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace touche::cli
