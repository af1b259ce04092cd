// SPDX-License-Identifier: Apache-2.0
// Programs with sanitizers take longer, and more memory. Programs that are not built as a Release
// take longer, too, for example while coverage is measured.
#pragma once

// There where the address sanitizer is linked, also into tests that are compiled without.
extern "C" void __asan_init() __attribute__((weak));

namespace touche::test {

/// The sanitizer's shadow is terabytes of address space.
inline bool is_sanitized() { return __asan_init != nullptr; }

inline bool is_release() {
#ifdef NDEBUG
  return true;
#else
  return false;
#endif
}

/// A limit of processor time; ten times as much with sanitizers, and in all builds but a Release.
inline double seconds_allowed(double seconds) {
  return is_sanitized() || !is_release() ? 10 * seconds : seconds;
}

}  // namespace touche::test
