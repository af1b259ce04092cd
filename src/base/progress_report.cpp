// SPDX-License-Identifier: Apache-2.0
#include "base/progress_report.h"

#include <time.h>

namespace touche::base {

// Parts may take less than a microsecond, so a clock that is cheap to read is used where there is
// one. It is precise to a few milliseconds.
ProgressReport::Duration ProgressReport::now() {
#ifdef CLOCK_MONOTONIC_COARSE
  timespec time;
  if (clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0)
    return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
#endif
  return std::chrono::duration_cast<Duration>(Budget::Clock::now().time_since_epoch());
}

void ProgressReport::report_if_due() {
  // The function may run queries; while this thread waits for them, it may continue with parts of
  // the outer query.
  if (!reporting_ && now() >= next_) report();
}

void ProgressReport::report() {
  struct Reporting {
    bool& reporting;
    ~Reporting() { reporting = false; }
  };
  reporting_ = reported_ = true;
  const Reporting reporting{reporting_};
  told_done_ = done_.load(std::memory_order_relaxed);
  told_total_ = total_;
  (*function_)(told_done_, told_total_);
  next_ = now() + kInterval;
}

}  // namespace touche::base
