// SPDX-License-Identifier: Apache-2.0
// Loops over several threads that begin their items in order.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/threads.h"

namespace touche::world {

/// Number of threads for `pieces` pieces of work: at most `most`, or all of them for 0. Very few
/// pieces are not worth waking other threads.
inline std::size_t threads_for(std::size_t pieces, int most) {
  constexpr std::size_t kFew = 2;
  if (pieces < kFew) return 1;
  const int all = tbb::this_task_arena::max_concurrency();
  return std::min(pieces, static_cast<std::size_t>(most > 0 ? std::min(most, all) : all));
}

/// Calls work(i) for all i below count, beginning the smallest i first.
template <class Work>
void for_each_in_order(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto take_all = [&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  if (threads <= 1) return take_all(0);
  tbb::parallel_for(std::size_t{0}, threads, take_all, tbb::simple_partitioner());
}

}  // namespace touche::world
