// SPDX-License-Identifier: Apache-2.0
// The benchmark of steps within a budget: whether deadlines are kept, how many pairs are decided
// until then, and how good guesses of the others are.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>

#include "scene.h"
#include "times.h"

namespace touche::bench {
namespace {

using Clock = Budget::Clock;

// A thread that did not run for so long, in milliseconds, left its processor to others.
constexpr double kInterrupted = 0.1;

struct Options {
  std::vector<std::string> scenes{"headlamp", "traffic"};
  std::vector<double> rates{60, 90, 1000, 4000};          // steps per second
  std::vector<double> budgets{0.03, 0.1, 0.3, 1, 3, 10};  // milliseconds
  int steps = 1000, compared = 100, threads = 0;
  Index triangles = 2'000'000, bodies = 1000, body_triangles = 10'000;
  std::string out;
};

Clock::duration milliseconds(double ms) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(ms));
}

double in_milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

/// Processor time of this thread.
double thread_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// The value below which that share of them lies; they are sorted.
double quantile(const std::vector<double>& values, double share) {
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::ceil(share * last))];
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    if (options.out.empty()) return;
    deadlines_.open(options.out + "-deadlines.csv");
    deadlines_ << "scene,budget_ms,steps,used_up,median_over_ms,over_99_ms,over_99_9_ms,worst_ms,"
                  "kept_share,calm_steps,worst_calm_ms,kept_share_with_others\n";
    shares_.open(options.out + "-shares.csv");
    shares_ << "scene,budget_ms,share,pairs,undecided,guess,guesses,mean_error\n";
  }

  void measure(const std::string& name, StepScene& scene) {
    name_ = name;
    fmt::print(
        "{}: deadlines\n{:>10} {:>7} {:>8} {:>10} {:>9} {:>9} {:>9} {:>8} {:>6} {:>9} {:>8}\n",
        name, "budget", "steps", "used up", "median", "99 %", "99.9 %", "worst", "kept", "calm",
        "worst", "of all");
    for (const double rate : options_.rates) keep_deadlines(scene, 1000 / rate);
    fmt::print(
        "{}: what is decided, mean errors of guesses where it is not\n{:>10} {:>12} {:>8} "
        "{:>10} {:>12} {:>9} {:>9}\n",
        name, "budget", "share", "pairs", "undecided", "proved", "volumes", "faces");
    for (const double budget : options_.budgets)
      for (const BudgetShare share : {BudgetShare::one_queue, BudgetShare::equal})
        compare(scene, budget, share);
  }

 private:
  StepOptions step_options(const StepScene& scene) const {
    StepOptions options;
    options.tolerance = scene.tolerance();
    options.threads = options_.threads;
    return options;
  }

  // On one thread. The delay of the step itself excludes the time that its thread lost to other
  // threads.
  void keep_deadlines(StepScene& scene, double budget) {
    Stepper stepper(scene.world());
    StepOptions options = step_options(scene);
    options.policy = scene.policy();
    options.guess = Guess::volumes;
    options.threads = 1;
    std::vector<double> over, calm;  // calm: where nothing was lost
    int used_up = 0, kept = 0, kept_with_others = 0;
    for (int i = -20; i < options_.steps; ++i) {
      scene.advance();
      scene.give_motions(stepper);
      const double before = thread_milliseconds();
      const Clock::time_point start = Clock::now();
      options.budget.deadline = start + milliseconds(budget);
      const StepResult& step = stepper.run(options);
      const Clock::time_point end = Clock::now();
      if (i < 0) continue;  // warms up
      const double late = in_milliseconds(end - options.budget.deadline);
      const double lost = in_milliseconds(end - start) - (thread_milliseconds() - before);
      const double allowed = std::max(0.05 * budget, 0.3);
      used_up += step.undecided.empty() ? 0 : 1;
      kept += late - lost <= allowed ? 1 : 0;
      kept_with_others += late <= allowed ? 1 : 0;
      over.push_back(late - lost);
      if (lost < kInterrupted) calm.push_back(late);
    }
    std::sort(over.begin(), over.end());
    std::sort(calm.begin(), calm.end());
    const double worst_calm = calm.empty() ? 0 : calm.back();
    const double share = static_cast<double>(kept) / options_.steps;
    const double share_with_others = static_cast<double>(kept_with_others) / options_.steps;
    fmt::print(
        "{:>7.2f} ms {:>7} {:>8} {:>7.3f} ms {:>6.3f} ms {:>6.3f} ms {:>6.3f} ms {:>6.2f} % {:>6} "
        "{:>6.3f} ms {:>6.2f} %\n",
        budget, over.size(), used_up, quantile(over, 0.5), quantile(over, 0.99),
        quantile(over, 0.999), over.back(), 100 * share, calm.size(), worst_calm,
        100 * share_with_others);
    std::fflush(stdout);
    deadlines_ << fmt::format(
        "{},{:.4g},{},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{},{:.4g},{:.4g}\n", name_, budget,
        over.size(), used_up, quantile(over, 0.5), quantile(over, 0.99), quantile(over, 0.999),
        over.back(), share, calm.size(), worst_calm, share_with_others);
  }

  // Every pair is queried as if for the first time. A pair that does not meet counts as 1.
  void compare(StepScene& scene, double budget, BudgetShare share) {
    constexpr Guess kGuesses[] = {Guess::proved_time, Guess::volumes, Guess::faces};
    Stepper stepper(scene.world()), judge(scene.world());
    StepOptions options = step_options(scene);
    options.share = share;
    std::size_t pairs = 0, undecided = 0;
    std::map<Guess, std::pair<double, std::size_t>> errors;
    for (int i = 0; i < options_.compared; ++i) {
      scene.advance();
      scene.give_motions(judge);
      std::map<std::pair<NodeId, NodeId>, double> meet;
      for (const StepPair& pair : judge.run(step_options(scene)).contacts)
        meet[{pair.a, pair.b}] = pair.time.upper;
      for (const Guess guess : kGuesses) {
        stepper.forget();
        scene.give_motions(stepper);
        options.guess = guess;
        options.budget.deadline = Clock::now() + milliseconds(budget);
        const StepResult& step = stepper.run(options);
        pairs += step.stats.pairs;
        undecided += step.undecided.size();
        for (const StepPair& pair : step.undecided) {
          const auto found = meet.find({pair.a, pair.b});
          errors[guess].first += std::abs(*pair.guess - (found == meet.end() ? 1 : found->second));
          ++errors[guess].second;
        }
      }
      scene.arrive();
    }
    const auto mean = [&](Guess guess) {
      const auto& [sum, count] = errors[guess];
      return count == 0 ? 0 : sum / static_cast<double>(count);
    };
    fmt::print(
        "{:>7.2f} ms {:>12} {:>8} {:>8.2f} % {:>12.4f} {:>9.4f} {:>9.4f}\n", budget,
        touche::name(share), pairs,
        100 * static_cast<double>(undecided) / static_cast<double>(std::max<std::size_t>(pairs, 1)),
        mean(Guess::proved_time), mean(Guess::volumes), mean(Guess::faces));
    std::fflush(stdout);
    for (const Guess guess : kGuesses)
      shares_ << fmt::format("{},{:.4g},{},{},{},{},{},{:.4g}\n", name_, budget,
                             touche::name(share), pairs, undecided, touche::name(guess),
                             errors[guess].second, mean(guess));
  }

  const Options& options_;
  std::string name_;
  std::ofstream deadlines_, shares_;
};

int run(int argc, char** argv) {
  CLI::App app{"Steps of worlds within a budget of time."};
  Options options;
  app.add_option("scenes", options.scenes, "Which of them")
      ->check(CLI::IsMember({"headlamp", "traffic"}))
      ->capture_default_str();
  app.add_option("--rates", options.rates, "Steps per second that deadlines are kept for")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--budgets", options.budgets, "In milliseconds, for what is decided by then")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Of each rate")->capture_default_str();
  app.add_option("--compared", options.compared, "Steps of each budget")->capture_default_str();
  app.add_option("--threads", options.threads, "0: all")->capture_default_str();
  app.add_option("--triangles", options.triangles, "Of the headlamp")->capture_default_str();
  app.add_option("--bodies", options.bodies, "Of the traffic")->capture_default_str();
  app.add_option("--body-triangles", options.body_triangles, "Of each")->capture_default_str();
  app.add_option("--out", options.out, "Writes FILE-deadlines.csv and FILE-shares.csv");
  bool times = false, memory = false;
  app.add_flag("--times", times, "What steps without a budget take, instead");
  app.add_flag("--memory", memory, "What it saves to remember pairs, instead");
  CLI11_PARSE(app, argc, argv);
  constexpr int kTimed = 100;
  if (times) measure_times(kTimed);
  if (memory) measure_memory(kTimed);
  if (times || memory) return 0;
  Bench bench(options);
  for (const std::string& name : options.scenes) {
    const auto scene = name == "headlamp" ? headlamp_scene(options.triangles)
                                          : traffic_scene(options.bodies, options.body_triangles);
    bench.measure(name, *scene);
  }
  return 0;
}

}  // namespace
}  // namespace touche::bench

int main(int argc, char** argv) {
  try {
    return touche::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "touche_step_bench: {}\n", error.what());
    return 2;
  }
}
