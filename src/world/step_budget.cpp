// SPDX-License-Identifier: Apache-2.0
// How pairs share the budget of a step (thesis, chapter 8). All pairs go on in rounds until the
// budget ends; a decided pair leaves the rest of its share to the others. With a limit of work
// only, shares are fixed before a round begins, so answers do not depend on threads.
#include <algorithm>
#include <atomic>
#include <ctime>
#include <numeric>
#include <tuple>
#include <utility>

#include "world/in_order.h"
#include "world/step_data.h"

namespace touche {
namespace {

// Work of a pair per round of one queue: in the first round, in the longest regular one, and at
// most. Less would cost more to hand out than to do; more would delay pairs whose proofs end
// earlier.
constexpr std::uint64_t kFirstTurn = 64, kLongestTurn = 1024, kEndlessTurn = Budget::kUnlimited / 4;

// The budget divided by this is kept for pairs that are queried again because a body stopped.
constexpr int kShareKept = 8;

// Upper bound of the time of a guess; all guesses get no more than a quarter of the time left.
constexpr std::chrono::microseconds kGuessTime{10};
constexpr int kMostGuessing = 4;

// Upper bound of the time to stop a body without a query.
constexpr std::chrono::microseconds kStopTime{2};

bool is_open(const world::PairAnswer& answer) {
  return answer.status == ToiStatus::undecided && !answer.stuck;
}

bool used_up(const Budget& budget) { return budget.max_work == 0 || budget.expired(); }

Budget::Clock::duration time_left(const Budget& budget) {
  const Budget::Clock::time_point now = Budget::Clock::now();
  return budget.deadline > now ? budget.deadline - now : Budget::Clock::duration{0};
}

// The time that this thread has used.
Budget::Clock::duration processor_time() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#else
  return Budget::Clock::now().time_since_epoch();  // all elapsed time
#endif
}

// Distance from a point to a box; 0 inside.
double distance_to(const Vec3& point, const Vec3& lo, const Vec3& hi) {
  return (lo - point).cwiseMax(point - hi).cwiseMax(0).norm();
}

}  // namespace

bool Stepper::Data::is_limited() const {
  return left_.max_work != Budget::kUnlimited || left_.deadline != Budget::Clock::time_point::max();
}

Budget Stepper::Data::first_share() const {
  Budget share = left_;
  if (options->policy != StepPolicy::each && options->policy != StepPolicy::respond) return share;
  if (share.max_work != Budget::kUnlimited) share.max_work -= share.max_work / kShareKept;
  if (share.deadline != Budget::Clock::time_point::max())
    share.deadline -= time_left(share) / kShareKept;
  return share;
}

// After the deadline of the pairs, bodies of undecided pairs are stopped, all groups are moved and
// events are reported; nothing of this can be left out. So pairs have to end earlier than the step,
// by the time that earlier steps were late.
void Stepper::Data::keep_time_for_end() {
  if (left_.deadline == Budget::Clock::time_point::max()) return;
  const Budget::Clock::time_point now = Budget::Clock::now();
  lost_before_ = now.time_since_epoch() - processor_time();
  begun_in_time_ = now < left_.deadline;
  left_.deadline -= end_.keep(time_left(left_));
}

// Time in which the thread did not have the processor is not counted.
void Stepper::Data::learn_time_for_end() {
  using Duration = Budget::Clock::duration;
  const Budget::Clock::time_point deadline = options->budget.deadline;
  if (deadline == Budget::Clock::time_point::max() || !begun_in_time_) return;
  const Budget::Clock::time_point now = Budget::Clock::now();
  const Duration lost = now.time_since_epoch() - processor_time() - lost_before_;
  end_.learn(now - deadline - std::max(lost, Duration{0}),
             std::any_of(questions.begin(), questions.end(),
                         [](const Question& q) { return is_open(q.answer); }));
}

// Pairs that wait may have to be stopped when time is up.
Budget Stepper::Data::next_share() const {
  Budget share = left_;
  if (share.deadline != Budget::Clock::time_point::max())
    share.deadline -= kStopTime * static_cast<long>(waiting.size());
  return share;
}

// Weight of a pair's share: larger near the viewer, unless shares are equal.
double Stepper::Data::weight(const Question& q) const {
  if (options->share == BudgetShare::equal) return 1;
  const auto box = [&](Index node) {
    return world::to_aabb(world.boxes->box(world.bodies[node].box));
  };
  const Aabb a = box(q.a), b = box(q.b);
  const Vec3 lo = a.lo.cwiseMax(b.lo), hi = a.hi.cwiseMin(b.hi).cwiseMax(lo);
  return 1 / (distance_to(options->viewer, lo, hi) + (hi - lo).norm() + options->tolerance);
}

void Stepper::Data::go_on_within(Budget budget) {
  const std::uint64_t given = budget.max_work;
  const Budget::Clock::time_point deadline = budget.deadline;
  const Budget::Clock::duration most = time_left(budget) / kMostGuessing;
  open_.clear();
  for (Index i = 0; i < questions.size(); ++i)
    if (is_open(questions[i].answer)) open_.push_back(i);
  for (std::uint64_t turn = kFirstTurn; !open_.empty();) {
    if (guesses_cost() && deadline != Budget::Clock::time_point::max()) {
      const auto threads = static_cast<long>(world::threads_for(open_.size(), options->threads));
      budget.deadline =
          deadline - std::min<Budget::Clock::duration>(
                         most, kGuessTime * static_cast<long>(open_.size()) / threads);
    }
    if (used_up(budget)) break;
    // The pair with the earliest proved time goes first.
    std::sort(open_.begin(), open_.end(), [&](Index x, Index y) {
      return std::tuple(questions[x].answer.time.lower, x) <
             std::tuple(questions[y].answer.time.lower, y);
    });
    if (options->share == BudgetShare::one_queue)
      give_turns(budget, turn);
    else
      give_by_weight(budget);
    run_round(budget);
    const std::size_t decided =
        std::erase_if(open_, [&](Index i) { return !is_open(questions[i].answer); });
    // Pairs that are answered triangle by triangle begin again in each turn: while no pair is
    // decided, turns get longer and longer.
    if (decided == 0 || 2 * turn <= kLongestTurn) turn = std::min(2 * turn, kEndlessTurn);
  }
  if (given != Budget::kUnlimited) left_.max_work -= given - budget.max_work;
}

// Each pair gets a turn while there is work left.
void Stepper::Data::give_turns(const Budget& budget, std::uint64_t turn) {
  std::uint64_t work = budget.max_work;
  shares_.clear();
  for (std::size_t k = 0; k < open_.size() && work > 0; ++k) {
    shares_.push_back({std::min(turn, work), 0});
    if (work != Budget::kUnlimited) work -= shares_.back().work;
  }
}

// Shares of work and of time in proportion to weights, but at least one unit of work: if there are
// more pairs than units, the last pairs get none.
void Stepper::Data::give_by_weight(const Budget& budget) {
  shares_.clear();
  double total = 0;
  for (const Index i : open_) total += shares_.emplace_back(Share{0, weight(questions[i])}).weight;
  if (!(total > 0)) {  // all are infinitely far away
    for (Share& share : shares_) share.weight = 1;
    total = static_cast<double>(shares_.size());
  }
  std::uint64_t work = budget.max_work;
  for (Share& share : shares_) {
    share.work = work;
    if (budget.max_work == Budget::kUnlimited) continue;
    const double part = static_cast<double>(budget.max_work) * (share.weight / total);
    if (part < static_cast<double>(work))
      share.work = std::min(work, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part)));
    work -= share.work;
  }
  std::erase_if(shares_, [](const Share& share) { return share.work == 0; });
}

// Continues the queries that were given a share. Each gets its part of the time that is left when
// its turn comes.
void Stepper::Data::run_round(Budget& budget) {
  using Clock = Budget::Clock;
  const std::size_t threads = world::threads_for(shares_.size(), options->threads);
  const bool timed = budget.deadline != Clock::time_point::max();
  std::atomic<std::uint64_t> used{0};
  std::atomic<double> weight_left{
      std::accumulate(shares_.begin(), shares_.end(), 0.0,
                      [](double sum, const Share& share) { return sum + share.weight; })};
  world::for_each_in_order(shares_.size(), threads, [&](std::size_t k) {
    const Share& share = shares_[k];
    Budget part = budget;
    part.max_work = share.work;
    if (timed) {
      const Clock::time_point now = Clock::now();
      if (now >= budget.deadline) return;
      if (share.weight > 0) {
        const double weight = std::max(share.weight, weight_left.fetch_sub(share.weight));
        const double time = static_cast<double>((budget.deadline - now).count()) *
                            std::min(1.0, static_cast<double>(threads) * share.weight / weight);
        part.deadline = now + Clock::duration(static_cast<Clock::rep>(time));
      }
    }
    used.fetch_add(go_on_with(questions[open_[k]], part));
  });
  if (budget.max_work != Budget::kUnlimited)
    budget.max_work -= std::min(budget.max_work, used.load());
}

// Returns the work done.
std::uint64_t Stepper::Data::go_on_with(Question& q, const Budget& budget) {
  base::BudgetMeter meter(budget);
  q.answer = search_of(q).go_on(meter);
  if (!is_open(q.answer)) drop_search(q);
  return std::min(meter.work(), budget.max_work);
}

world::PairSearch& Stepper::Data::search_of(Question& q) {
  if (q.search != nullptr) return *q.search;
  q.search = &searches_.take();
  const Motion motion_a = motion_from(q.a, q.from), motion_b = motion_from(q.b, q.from);
  q.search->begin(pair_question(q, motion_a, motion_b),
                  q.memory == Question::kNothing ? nullptr : &memory[q.memory]);
  return *q.search;
}

bool Stepper::Data::guesses_cost() const {
  return options->guess == Guess::volumes || options->guess == Guess::faces;
}

// When time is up, the proved time is the guess.
void Stepper::Data::guess_undecided() {
  const std::size_t threads = world::threads_for(open_.size(), options->threads);
  world::for_each_in_order(questions.size(), threads, [&](std::size_t i) {
    Question& q = questions[i];
    q.guess.reset();
    if (q.answer.status != ToiStatus::undecided) return;
    const bool may_guess =
        guesses_cost() && !left_.expired() && world::are_soups(world.shape(q.a), world.shape(q.b));
    q.guess = may_guess ? search_of(q).guess(options->guess) : q.answer.time.lower;
  });
}

void Stepper::Data::drop_search(Question& q) {
  if (q.search != nullptr) searches_.give_back(*std::exchange(q.search, nullptr));
}

}  // namespace touche
