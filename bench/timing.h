// SPDX-License-Identifier: Apache-2.0
// Google Benchmark does the timing; this hands it passes over all poses of a case and collects
// what it finds.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace touche::bench {

inline constexpr int kRepetitions = 7;

/// Seconds per query. The best of the repetitions: what disturbs a measurement only adds to it.
struct Timing {
  double cpu = 0;  ///< time of the one thread
  double wall = 0;
};

/// CPU time of the calling thread so far.
double thread_seconds();

/// Registers `pass`, which runs `queries` queries; `seconds` is how long to repeat it.
void add_timing(const std::string& name, std::size_t queries, double seconds,
                std::function<void()> pass);

/// Runs what was added since the last time, and says so on stderr. By name.
std::map<std::string, Timing> run_timings();

}  // namespace touche::bench
