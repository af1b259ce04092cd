// SPDX-License-Identifier: Apache-2.0
// A long study's manners: a progress bar on a terminal, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "touche/budget.h"

namespace touche::cli {

/// While it lives, the first SIGINT or SIGTERM sets `stop`; a second one kills as usual.
class StopOnSignal {
 public:
  explicit StopOnSignal(std::atomic<bool>& stop);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
};

/// Draws on the terminal behind stderr while it lives, but only if there is one, and only when it
/// takes longer than a second.
class ProgressBar {
 public:
  /// `stop`: that the bar tells of, if not null.
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
