// SPDX-License-Identifier: Apache-2.0
// Property tests run fewer random cases where time is short (under sanitizers, in a debugger), and
// other ones at night.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

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

/// The environment variable TOUCHE_TEST_SEED (a whole number, 0 when not set), which tests that
/// hold for any seed add to their own seeds.
inline std::uint64_t first_seed() {
  const char* text = std::getenv("TOUCHE_TEST_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

/// For the trace of a failure.
inline std::string case_of_seed(int number) {
  return "case " + std::to_string(number) + ", TOUCHE_TEST_SEED=" + std::to_string(first_seed());
}

}  // namespace touche::test
