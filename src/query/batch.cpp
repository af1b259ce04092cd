// SPDX-License-Identifier: Apache-2.0
#include "touche/batch.h"

#include <tbb/parallel_for.h>

#include <atomic>
#include <exception>
#include <mutex>

#include "base/threads.h"

namespace touche {

void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                          const BatchOptions& options) {
  std::atomic<std::size_t> failed = count;  // the first that did so far
  std::exception_ptr why;
  std::mutex reporting;
  const auto attempt = [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard lock(reporting);
      if (i > failed) return;
      failed = i;
      why = std::current_exception();
    }
  };
  with_threads(options.threads, [&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      if (i < failed) attempt(i);
    });
  });
  if (why) std::rethrow_exception(why);
}

}  // namespace touche
