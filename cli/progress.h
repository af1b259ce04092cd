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

/// During its lifetime, the first SIGINT or SIGTERM sets `stop`; a second one ends the program as
/// usual.
class StopOnSignal {
 public:
  explicit StopOnSignal(std::atomic<bool>& stop);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
};

/// Draws a progress bar on stderr during its lifetime, but only on a terminal and only after a
/// second.
class ProgressBar {
 public:
  /// `stop`: if not null, the bar shows that it was set.
  explicit ProgressBar(const Progress& progress, const std::atomic<bool>* stop = nullptr);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

 private:
  void draw_until_done();

  const Progress& progress_;
  const std::atomic<bool>* const stop_;
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
