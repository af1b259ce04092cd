// SPDX-License-Identifier: Apache-2.0
// Property tests run fewer random cases where time is short: under sanitizers, in a debugger.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace touche::test {

/// `full` cases, times the environment variable TOUCHE_TEST_SCALE (a number, 1 when not set), but
/// at least `least`.
inline int scaled(int full, int least = 40) {
  const char* text = std::getenv("TOUCHE_TEST_SCALE");
  const double scale = text ? std::atof(text) : 1;
  if (!(scale > 0)) return full;
  return std::max(std::min(full, least), static_cast<int>(full * scale));
}

/// The same, but never more than `full`: for the length of one run.
inline int shortened(int full, int least) { return std::min(full, scaled(full, least)); }

}  // namespace touche::test
