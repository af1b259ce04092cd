// SPDX-License-Identifier: Apache-2.0
// Memory that is going to be used soon: it comes nearer while other things are done.
#pragma once

namespace touche {

/// Fetches the line of memory that holds an address, to be read and written.
inline void fetch(const void* at) { __builtin_prefetch(at, 1); }

}  // namespace touche
