// SPDX-License-Identifier: Apache-2.0
// Limits the number of threads of a computation.
#pragma once

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace touche::base {

/// The size of a task arena for `threads` threads: at most the available number, because oneTBB
/// prints a warning if more are requested; all for 0.
inline int arena_size(int threads) {
  return threads > 0 ? std::min(threads, tbb::info::default_concurrency())
                     : tbb::task_arena::automatic;
}

/// Runs work on `threads` threads, at most the available number; on all for 0. Returns its result.
template <class Work>
auto with_threads(int threads, const Work& work) {
  if (threads <= 0) return work();
  tbb::task_arena arena(arena_size(threads));
  return arena.execute(work);
}

}  // namespace touche::base
