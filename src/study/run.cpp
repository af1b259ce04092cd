// SPDX-License-Identifier: Apache-2.0
// Runs a study: queries every step for every pair of parts that the step's bounds cannot discard.
#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/progress_report.h"
#include "base/threads.h"
#include "bvh/object_data.h"
#include "math/keeps_plane.h"
#include "study/allowed.h"
#include "study/ask_steps.h"
#include "study/conclude.h"
#include "study/contact_faces.h"
#include "study/explain.h"
#include "study/paths.h"
#include "study/step_bounds.h"
#include "touche/study.h"

namespace touche {
namespace {

using study::FreeSteps;
using study::Series;
using study::StepBounds;
using study::Task;

// Maximum number of pair–step tasks in memory. It does not depend on the number of threads, so
// neither does the result.
constexpr std::size_t kPairsAtATime = 1 << 14;
constexpr std::size_t kNever = static_cast<std::size_t>(-1);

// A pair's consecutive steps are proved together, so that one search serves all of them. The length
// of a series is limited, also such that many threads have work.
constexpr std::size_t kMaxSeriesSteps = 32;
constexpr std::size_t kMinSeries = 16;

struct PartPair {
  std::size_t a, b;
};

// Lists the pairs of parts that may move relative to each other.
std::vector<PartPair> moving_pairs(const std::vector<std::size_t>& groups) {
  std::vector<PartPair> pairs;
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = a + 1; b < groups.size(); ++b)
      if (groups[a] != groups[b]) pairs.push_back({a, b});
  return pairs;
}

void lower(std::atomic<std::size_t>& x, std::size_t to) {
  for (std::size_t seen = x; to < seen && !x.compare_exchange_weak(seen, to);) {
  }
}

// The health of a part's mesh. For an outline, the mesh is its walls, but closedness is the
// outline's own.
Health health_of(const Object& part) {
  Health health = examine(bvh::soup_to_show(part));
  if (const bvh::Flat* flat = bvh::flat_of(part)) health.closed = flat->closed();
  return health;
}

class StudyRun {
 public:
  // `result` holds the study and its parts; run() fills in the rest.
  StudyRun(const StudyOptions& options, StudyResult& result)
      : study_(result.study),
        parts_(result.parts),
        options_(options),
        balls_(study::balls_around(parts_)),
        groups_(study::group_of_part(study_)),
        pairs_(moving_pairs(groups_)),
        step_count_(study_.times.size() - 1),
        asker_(study_, parts_, options, groups_),
        arena_(base::arena_size(options.threads)),
        last_(pairs_.size()),
        progress_(options.budget.progress, step_count_ * pairs_.size()),
        result_(result) {}

  void run() {
    // Examine the meshes.
    result_.pair_count = pairs_.size();
    for (std::size_t k = 0; k < step_count_; ++k)
      result_.steps.push_back(
          {.s_start = study_.times[k], .s_end = study_.times[k + 1], .stats = {}});
    result_.health.resize(parts_.size());
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, parts_.size(),
                        [&](std::size_t p) { result_.health[p] = health_of(parts_[p]); });
    });

    // Process as many steps at a time as fit into memory.
    const std::size_t chunk =
        std::max<std::size_t>(1, kPairsAtATime / std::max<std::size_t>(1, pairs_.size()));
    for (std::size_t k = 0; k < step_count_ && !stopped() && first_step_ == kNever; k += chunk)
      run_steps(k, std::min(step_count_, k + chunk));
    const std::size_t wanted_steps = first_step_ == kNever ? step_count_ : first_step_ + 1;

    // All pairs of a part share its interior.
    std::vector<paths::LazyInterior> insides(parts_.begin(), parts_.end());
    study::conclude_steps(study_, examined_steps_, result_);
    study::agree_on_contacts(study_, parts_, result_);
    const bool complete = examined_steps_ >= wanted_steps &&
                          study::find_containments(study_, insides, options_, result_);
    conclude(complete);
    // What the steps prove is complete now; whole paths add to it.
    if (result_.verdict != StudyVerdict::interrupted && options_.paths && !options_.stop_at_first)
      follow_paths(insides);
    // Steps after the first contact, if the study ends there, are not counted.
    if (stopped())
      progress_.finish();
    else
      progress_.finish_all();
  }

 private:
  bool stopped() const { return options_.budget.expired(); }

  // Calls work(i) for i in [0, count) on all threads, starting in ascending order. After an
  // exception no other call is started.
  template <class Work>
  void in_order(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next{0};
    arena_.execute([&] {
      tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), [&](int) {
        try {
          for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
          next = count;
          throw;
        }
      });
    });
  }

  void conclude(bool complete) {
    study::conclude(study_, complete, result_);
    if (!options_.explain || !complete) return;
    const std::optional<StudyHint> before = result_.hint;
    study::find_hint(study_, parts_, options_, result_);
    if (before && stopped()) result_.hint = before;  // the new one may be incomplete
  }

  void follow_paths(std::vector<paths::LazyInterior>& insides) {
    study::follow_paths(study_, insides, options_, progress_, result_);
    if (result_.paths.empty()) return;
    study::agree_on_contacts(study_, parts_, result_);
    study::take_containments(study_, insides, result_);
    conclude(true);
  }

  void run_steps(std::size_t begin, std::size_t end) {
    std::vector<std::optional<StepBounds>> bounds(end - begin);
    in_order(end - begin,
             [&](std::size_t i) { bounds[i].emplace(study_, parts_, balls_, groups_, begin + i); });

    std::vector<Task> tasks;
    std::vector<std::size_t> pair_of_task;
    for (std::size_t k = begin; k < end; ++k)
      for (std::size_t p = 0; p < pairs_.size(); ++p)
        if (std::optional<Task> task = prepare(*bounds[k - begin], k, p)) {
          tasks.push_back(std::move(*task));
          pair_of_task.push_back(p);
        }

    // Group the tasks of each pair into series of consecutive steps.
    std::vector<Series> series;
    std::vector<std::size_t> series_of_pair(pairs_.size(), kNever);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      std::size_t& last = series_of_pair[pair_of_task[i]];
      if (last == kNever || !continues(tasks, series[last], tasks[i])) {
        last = series.size();
        series.emplace_back();
      }
      series[last].push_back(i);
    }

    // Answer the series. Tasks after the first contact are skipped, but none at or before it, so
    // the answered steps do not depend on the threads' speed.
    std::atomic<std::size_t> first_step{kNever};
    in_order(series.size(), [&](std::size_t i) {
      const Series& steps = series[i];
      if (stopped() || tasks[steps.front()].answer.step > first_step) return;
      const FreeSteps free = asker_.prove_free(tasks, steps);
      for (std::size_t n = 0; n < steps.size(); ++n) {
        Task& task = tasks[steps[n]];
        if (stopped() || task.answer.step > first_step) return;
        if (!task.repeats) asker_.answer(*bounds[task.answer.step - begin], task, n, free);
        progress_.add_done();
        const bool touches = task.answer.status == StepStatus::contact ||
                             task.answer.status == StepStatus::initially_touching;
        if (options_.stop_at_first && touches && !task.answer.allowed)
          lower(first_step, task.answer.step);
      }
    });

    // Collect the answers in task order.
    first_step_ = first_step;
    for (std::size_t i = 0; i < tasks.size(); ++i) collect(std::move(tasks[i]), pair_of_task[i]);
    for (std::size_t k = begin; k < end && k <= first_step_; ++k) examined_steps_ = k + 1;
  }

  // Makes the task of a pair in a step; empty if the step's bounds discard the pair.
  std::optional<Task> prepare(const StepBounds& bounds, std::size_t step, std::size_t pair) {
    const auto [a, b] = pairs_[pair];
    LastSeen& last = last_[pair];
    if (bounds.apart(a, b, std::max(study_.tolerance, study_.clearance))) {
      ++result_.steps[step].pairs_discarded;
      last.still = false;
      progress_.add_done();
      return std::nullopt;
    }
    Task task;
    task.answer.step = step;
    task.answer.part_a = a;
    task.answer.part_b = b;
    task.answer.status = StepStatus::not_examined;
    task.answer.allowed = study::is_allowed(study_, a, b);
    const bool still = bounds.is_still(a) && bounds.is_still(b);
    task.repeats = still && last.still;
    last.still = still;
    return task;
  }

  // Returns whether the task is for the step right after the last one of the series, and the pair
  // moves in both.
  bool continues(const std::vector<Task>& tasks, const Series& series, const Task& next) const {
    const std::size_t most = std::clamp(step_count_ / kMinSeries, std::size_t{1}, kMaxSeriesSteps);
    const Task& last = tasks[series.back()];
    return series.size() < most && !last.repeats && !next.repeats &&
           next.answer.step == last.answer.step + 1;
  }

  void collect(Task task, std::size_t pair) {
    PairStep& answer = task.answer;
    if (answer.step > first_step_) return;
    LastSeen& last = last_[pair];
    if (task.repeats && last.answer.status != StepStatus::not_examined) repeat(task, last);
    StudyStep& step = result_.steps[answer.step];
    step.stats += answer.stats;
    ++(task.repeats ? step.pairs_still : step.pairs_examined);
    for (const Clearance& c : task.clearances) result_.clearances.push_back(c);
    last.answer = answer;
    last.clearance.reset();
    if (!task.clearances.empty() && task.clearances.front().pose == answer.step)
      last.clearance = task.clearances.front();
    result_.pairs.push_back(std::move(answer));
  }

  struct LastSeen {
    bool still = false;
    PairStep answer;
    std::optional<Clearance> clearance;
  };

  // Copies the answers of the pair's previous step, because neither part has moved since.
  void repeat(Task& task, const LastSeen& last) const {
    const std::size_t step = task.answer.step;
    task.answer = last.answer;
    task.answer.step = step;
    task.answer.stats = {};
    if (!last.clearance) return;
    task.clearances.push_back(*last.clearance);
    task.clearances.back().pose = step;
    if (step + 1 < step_count_) return;
    task.clearances.push_back(task.clearances.back());
    task.clearances.back().pose = step + 1;
  }

  const Study& study_;
  const std::vector<Object>& parts_;
  const StudyOptions& options_;
  const std::vector<Ball> balls_;
  const std::vector<std::size_t> groups_;
  const std::vector<PartPair> pairs_;
  const std::size_t step_count_;
  const study::StepAsker asker_;
  tbb::task_arena arena_;
  std::vector<LastSeen> last_;       // by pair
  std::size_t first_step_ = kNever;  // step of the first contact, if the study stops there
  std::size_t examined_steps_ = 0;   // number of finished steps
  base::ProgressReport progress_;
  StudyResult& result_;
};

// Validates a study that a program has built, since the parser has not checked it.
void check(const Study& study, const std::vector<Object>& parts) {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw InvalidInput(std::string("study: ") + what);
  };
  require(parts.size() == study.parts.size(), "these are not the parts of this study");
  require(study.tolerance > 0, "the tolerance must be positive");
  require(study.clearance >= 0, "the clearance threshold is negative");
  const std::vector<double>& s = study.times;
  require(s.size() >= 2 && s.front() == 0 && s.back() == 1, "the times must run from 0 to 1");
  require(std::adjacent_find(s.begin(), s.end(), std::greater_equal<>()) == s.end(),
          "the times must increase");
  std::vector<int> uses(parts.size(), 0);
  for (const StudyGroup& group : study.groups)
    for (const std::size_t part : group.parts) {
      require(part < parts.size(), "a group names a part that is not there");
      require(++uses[part] == 1, "a part is in two groups");
    }
  const auto is_flat = [](const Object& part) { return bvh::flat_of(part) != nullptr; };
  if (std::none_of(parts.begin(), parts.end(), is_flat)) return;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (!is_flat(parts[p]))
      throw InvalidInput("study: the part \"" + study.parts[p].name +
                         "\" is a mesh, others are drawings of the plane");
  for (const StudyGroup& group : study.groups)
    if (!math::keeps_plane(group.motion))
      throw InvalidInput("study: the group \"" + group.name +
                         "\" leaves the plane: drawings move within z = 0 and turn about z only");
}

}  // namespace

StudyResult run_study(Study study, std::vector<Object> parts, const StudyOptions& options) {
  check(study, parts);
  StudyResult result;
  result.study = std::move(study);
  result.parts = std::move(parts);
  StudyRun(options, result).run();
  return result;
}

}  // namespace touche
