// SPDX-License-Identifier: Apache-2.0
// How many threads a piece of work may use.
#pragma once

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace touche {

/// The size of an arena for so many threads: no more than there are, for oneTBB prints a warning
/// when asked for more; all for 0.
inline int arena_size(int threads) {
  return threads > 0 ? std::min(threads, tbb::info::default_concurrency())
                     : tbb::task_arena::automatic;
}

/// Runs work on that many threads, but no more than there are; on all for 0. Returns what it does.
template <class Work>
auto with_threads(int threads, const Work& work) {
  if (threads <= 0) return work();
  tbb::task_arena arena(arena_size(threads));
  return arena.execute(work);
}

}  // namespace touche
