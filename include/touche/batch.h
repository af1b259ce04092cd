// SPDX-License-Identifier: Apache-2.0
// Many questions on all cores: one pair of objects at many poses, many pairs at one pose each, or
// whatever else a query can be asked about.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <vector>

#include "touche/budget.h"

namespace touche {

struct BatchOptions {
  int threads = 0;  ///< 0: all; the answers do not depend on it
  /// The budget of all questions; each question has its own where it is asked. Work: questions, of
  /// which the first so many are asked. Progress: questions.
  Budget budget = {};
};

/// Calls work(0), ..., work(count − 1), in any order, on several threads. If calls throw, it throws
/// as the first of them by number; any calls after that may have been left out. False when the
/// budget ended before all were called: those that were called were finished.
[[nodiscard]] bool for_each_in_parallel(std::size_t count,
                                        const std::function<void(std::size_t)>& work,
                                        const BatchOptions& options = {});

template <class Answer>
struct [[nodiscard]] BatchResult {
  /// One answer for each question. Answers to questions that were not asked are as an `Answer`
  /// begins: undecided, if it is a result of ours.
  std::vector<Answer> answers;
  bool complete = false;  ///< false when the budget ended before all were asked
};

/// The answers to many questions, in the order of the questions, each as if it had been asked
/// alone. `ask` is called on several threads; when it throws, so does this, for any number of
/// threads what the first of the questions that fail does.
///
///     const auto hits = batch(poses, [&](const Pose& p) { return intersects(a, {}, b, p); });
///     for (const IntersectsResult& hit : hits.answers) count += hit.intersects;
template <class Questions, class Ask>
auto batch(const Questions& questions, const Ask& ask, const BatchOptions& options = {}) {
  const auto first = std::begin(questions);
  using Answer = std::decay_t<std::invoke_result_t<const Ask&, decltype(*first)>>;
  static_assert(!std::is_same_v<Answer, bool>, "vectors of bool cannot be filled in parallel");
  BatchResult<Answer> result{.answers = std::vector<Answer>(std::size(questions))};
  result.complete = for_each_in_parallel(
      result.answers.size(),
      [&](std::size_t i) { result.answers[i] = ask(first[static_cast<std::ptrdiff_t>(i)]); },
      options);
  return result;
}

}  // namespace touche
