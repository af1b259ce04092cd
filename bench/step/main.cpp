// SPDX-License-Identifier: Apache-2.0
// The benchmark of steps within a budget: whether deadlines are kept, how many pairs are decided
// until then, and how good guesses of the others are.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>

#include "scene.h"

namespace touche::bench {
namespace {

using Clock = Budget::Clock;

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

/// How often this thread had to leave the processor to others.
long interruptions() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
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
    deadlines_ << "scene,budget_ms,steps,interrupted,used_up,median_over_ms,over_99_ms,over_99_9_"
                  "ms,worst_ms,"
                  "kept_share,kept_share_of_all\n";
    shares_.open(options.out + "-shares.csv");
    shares_ << "scene,budget_ms,share,pairs,undecided,guess,guesses,mean_error\n";
  }

  void measure(const std::string& name, StepScene& scene) {
    name_ = name;
    fmt::print("{}: deadlines\n{:>10} {:>7} {:>7} {:>9} {:>12} {:>9} {:>9} {:>9} {:>8} {:>8}\n",
               name, "budget", "steps", "broken", "used up", "median over", "99 %", "99.9 %",
               "worst", "kept", "of all");
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

  // On one thread. Of steps in which it was interrupted only `kept of all` tells something.
  void keep_deadlines(StepScene& scene, double budget) {
    Stepper stepper(scene.world());
    StepOptions options = step_options(scene);
    options.policy = scene.policy();
    options.guess = Guess::volumes;
    options.threads = 1;
    std::vector<double> over;
    int used_up = 0, kept = 0, interrupted = 0, kept_of_all = 0;
    for (int i = -20; i < options_.steps; ++i) {
      scene.advance();
      scene.give_motions(stepper);
      const long before = interruptions();
      options.budget.deadline = Clock::now() + milliseconds(budget);
      const StepResult& step = stepper.run(options);
      const double late = in_milliseconds(Clock::now() - options.budget.deadline);
      if (i < 0) continue;  // warms up
      const int is_kept = late <= std::max(0.05 * budget, 0.3) ? 1 : 0;
      kept_of_all += is_kept;
      if (interruptions() != before) {
        ++interrupted;
        continue;
      }
      over.push_back(late);
      used_up += step.undecided.empty() ? 0 : 1;
      kept += is_kept;
    }
    if (over.empty()) return;
    std::sort(over.begin(), over.end());
    const double share = static_cast<double>(kept) / static_cast<double>(over.size());
    const double share_of_all = static_cast<double>(kept_of_all) / options_.steps;
    fmt::print(
        "{:>7.2f} ms {:>7} {:>7} {:>9} {:>9.3f} ms {:>6.3f} ms {:>6.3f} ms {:>6.3f} ms {:>6.2f} % "
        "{:>6.2f} %\n",
        budget, over.size(), interrupted, used_up, quantile(over, 0.5), quantile(over, 0.99),
        quantile(over, 0.999), over.back(), 100 * share, 100 * share_of_all);
    std::fflush(stdout);
    deadlines_ << fmt::format("{},{:.4g},{},{},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g},{:.4g}\n",
                              name_, budget, over.size(), interrupted, used_up, quantile(over, 0.5),
                              quantile(over, 0.99), quantile(over, 0.999), over.back(), share,
                              share_of_all);
  }

  // Every pair is asked as if it had never been looked at. Who does not meet does so at 1.
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
  CLI11_PARSE(app, argc, argv);
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
