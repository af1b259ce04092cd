// SPDX-License-Identifier: Apache-2.0
#include "world/pair_search.h"

#include <algorithm>
#include <utility>

#include "base/budget_part.h"
#include "query/workspace.h"
#include "shape/impact.h"

namespace touche::world {

void PairSearch::begin(const PairQuestion& question, PairState* state) {
  motion_a_ = question.motion_a;
  motion_b_ = question.motion_b;
  question_.emplace(PairQuestion{.a = question.a,
                                 .motion_a = motion_a_,
                                 .b = question.b,
                                 .motion_b = motion_b_,
                                 .from = question.from,
                                 .tolerance = question.tolerance,
                                 .clearance = question.clearance});
  state_ = state;
  asked_.reset();
  run_.reset();
  stages_ = {};
  earlier_ = {};
  answer_ = {};
  answer_.time.lower = question.from;
}

const PairAnswer& PairSearch::go_on(base::BudgetMeter& meter) {
  if (!asked_ && !begin_run(meter)) return answer_;
  for (;;) {
    const ToiResult& found = search(meter);
    answer_.stats = earlier_;
    answer_.stats += found.stats;
    question_->budget = base::with_any_work(meter.rest());
    if (stages_.is_passed(found.status, *question_, apart_at_start_, workspace_, answer_.stats)) {
      stages_.pass(*question_, apart_);
    } else if (!stages_.widen(found, *question_, workspace_, answer_.stats)) {
      settle(found, meter);
      return answer_;
    }
    earlier_ = answer_.stats;
    if (!begin_stage(meter)) return answer_;
  }
}

const ToiResult& PairSearch::search(base::BudgetMeter& meter) {
  if (run_) return run_->go_on(meter);
  if (by_hulls_) return found_;
  // An interval that is proved free stays so, even if this call has a smaller budget.
  const double proved = found_.time.lower;
  found_ = shape::shape_impact(question_->a, motion_a_, question_->b, motion_b_, *asked_, meter);
  if (found_.status == ToiStatus::undecided)
    found_.time.lower = std::max(found_.time.lower, proved);
  return found_;
}

// Returns false if there is nothing to search: the bodies are known to be apart, or time is up.
bool PairSearch::begin_run(base::BudgetMeter& meter) {
  question_->budget = base::with_any_work(meter.rest());
  if (question_->budget.expired()) return false;
  if (state_ != nullptr) {
    state_->tests = 0;  // no gaps of many triangles: their work is not counted
    if (is_known_apart(*question_, *state_, earlier_, workspace_)) {
      answer_ = {.status = ToiStatus::free, .time = {1, kInfinity}, .stats = earlier_};
      return false;
    }
    stages_.number = state_->stage;
  }
  return begin_stage(meter);
}

double PairSearch::guess(Guess how) {
  const double proved = answer_.time.lower;
  if (how == Guess::proved_time) return proved;
  const bool begun = run_.has_value();
  if (!begun) {
    // Later stages would have to measure a distance first.
    if (stages_.number != 0) return proved;
    const Budget any;
    base::BudgetMeter meter(any);
    if (!begin_stage(meter)) return proved;
  }
  const double t =
      run_ ? run_->guess(how == Guess::volumes ? query::Stand::volumes : query::Stand::faces)
           : found_.time.lower;  // found by hulls
  if (!begun) {
    asked_.reset();
    run_.reset();
  }
  return std::clamp(in_step(t), proved, 1.0);
}

double PairSearch::in_step(double t) const { return question_->from + t * (1 - question_->from); }

// Returns false if time is up, or if rounding leaves the distance at the start open.
bool PairSearch::begin_stage(base::BudgetMeter& meter) {
  run_.reset();
  found_ = {};
  question_->budget = base::with_any_work(meter.rest());
  asked_ = stages_.enter(*question_, workspace_, earlier_);
  if (!asked_) {
    answer_.stuck = !question_->budget.expired();
    return false;
  }
  AnswerOfHulls hulls = answer_of_hulls(*question_, stages_, *asked_);
  by_hulls_ = hulls.result.has_value();
  apart_ = hulls.apart;
  apart_at_start_ = hulls.apart_at_start;
  if (by_hulls_) {
    found_ = std::move(*hulls.result);
    return true;
  }
  Workspace::Memory& memory = WorkspaceAccess::memory(workspace_);
  memory.queue.set_often_asked();  // queried step by step
  if (are_soups(question_->a, question_->b))
    run_.emplace(question_->a.object(), motion_a_, question_->b.object(), motion_b_, *asked_,
                 memory.queue, memory.slices);
  else
    asked_->workspace = &workspace_;
  return true;
}

void PairSearch::settle(const ToiResult& found, base::BudgetMeter& meter) {
  const bool decided = found.status != ToiStatus::undecided;
  Bracket time = found.time;
  if (stages_.is_last() && found.status != ToiStatus::free) {
    // Until the faces have separated nothing is proved free.
    question_->budget = base::with_any_work(meter.rest());
    time.lower = decided ? time_to_stop(*question_, found, workspace_) : 0;
  }
  answer_.time = {in_step(time.lower), in_step(time.upper)};
  answer_.status = found.status;
  answer_.contact = found.contact;
  answer_.stage = stages_.number;
  answer_.stuck = !decided && !run_ && !meter.exhausted();
  if (decided && state_ != nullptr)
    state_->stage = found.status == ToiStatus::free ? 0 : stages_.number;
}

PairSearch& PairSearches::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return all_.emplace_back();
  PairSearch& search = *free_.back();
  free_.pop_back();
  return search;
}

void PairSearches::give_back(PairSearch& search) {
  const std::lock_guard lock(mutex_);
  free_.push_back(&search);
}

void PairSearches::give_back_all() {
  free_.clear();
  for (PairSearch& search : all_) free_.push_back(&search);
}

}  // namespace touche::world
