// SPDX-License-Identifier: Apache-2.0
// Programs with sanitizers take longer, and more memory. Programs that count which lines run (`dev
// coverage`) take longer, too.
#pragma once

// There where the address sanitizer is linked, also into tests that are compiled without.
extern "C" void __asan_init() __attribute__((weak));

namespace touche::test {

/// The sanitizer's shadow is terabytes of address space.
inline bool is_sanitized() { return __asan_init != nullptr; }

#ifdef TOUCHE_COVERAGE
inline constexpr bool kCountsLines = true;
#else
inline constexpr bool kCountsLines = false;
#endif

/// A limit of processor time; ten times as much with sanitizers, and where lines are counted.
inline double seconds_allowed(double seconds) {
  return is_sanitized() || kCountsLines ? 10 * seconds : seconds;
}

}  // namespace touche::test
