// SPDX-License-Identifier: Apache-2.0
// Prefetching of memory that will be used soon.
#pragma once

namespace touche::base {

/// Prefetches the cache line that holds an address, for reading and writing.
inline void fetch(const void* at) { __builtin_prefetch(at, 1); }

}  // namespace touche::base
