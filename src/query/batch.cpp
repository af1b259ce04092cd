// SPDX-License-Identifier: Apache-2.0
#include "touche/batch.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "base/budget_part.h"
#include "base/progress_report.h"
#include "base/threads.h"

namespace touche {

bool for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                          const BatchOptions& options) {
  const Budget& budget = options.budget;
  base::require_any_work(budget, "batch", "max_items");
  const std::size_t most = std::min<std::uint64_t>(count, options.max_items);
  base::ProgressReport progress(budget.progress, count);
  std::atomic<bool> stopped = false;
  std::atomic<std::size_t> failed = count;  // the least index whose call has thrown so far
  std::exception_ptr why;
  std::mutex reporting;
  const auto attempt = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(reporting);
      if (i >= failed) return;
      failed = i;
      why = std::current_exception();
    }
  };
  base::with_threads(options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, most, [&](std::size_t i) {
      if (i >= failed) return;
      if (stopped || budget.expired()) {
        stopped = true;
        return;
      }
      attempt(i);
      progress.add_done();
    });
  });
  if (why) std::rethrow_exception(why);
  progress.finish();
  return !stopped && most == count;
}

}  // namespace touche
