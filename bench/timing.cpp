// SPDX-License-Identifier: Apache-2.0
#include "timing.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace touche::bench {
namespace {

class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      const double iterations = static_cast<double>(std::max<std::int64_t>(1, run.iterations));
      const double queries = run.counters.at("queries");
      const Timing timing{run.cpu_accumulated_time / iterations / queries,
                          run.real_accumulated_time / iterations / queries};
      const auto [best, first] = timings.try_emplace(run.run_name.function_name, timing);
      best->second.cpu = std::min(best->second.cpu, timing.cpu);
      best->second.wall = std::min(best->second.wall, timing.wall);
    }
    if (!runs.empty() && runs.front().run_type == Run::RT_Iteration)
      fmt::print(stderr, "  {}\n", runs.front().run_name.function_name);
  }

  std::map<std::string, Timing> timings;
};

}  // namespace

double thread_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void add_timing(const std::string& name, std::size_t queries, double seconds,
                std::function<void()> pass) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [queries, pass](benchmark::State& state) {
                                 for ([[maybe_unused]] auto _ : state) pass();
                                 state.counters["queries"] = static_cast<double>(queries);
                               })
      ->MinTime(seconds)
      ->Repetitions(kRepetitions);
}

std::map<std::string, Timing> run_timings() {
  // By turns: what disturbs the machine for a while disturbs everyone.
  std::string arguments[] = {"touche_bench", "--benchmark_enable_random_interleaving=true"};
  char* argv[] = {arguments[0].data(), arguments[1].data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();
  return collector.timings;
}

}  // namespace touche::bench
