// SPDX-License-Identifier: Apache-2.0
// Runs many queries in parallel: one pair of objects at many poses, many pairs at one pose each, or
// any other list of inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>
#include <vector>

#include "touche/budget.h"

namespace touche {

struct BatchOptions {
  int threads = 0;                               ///< 0: all; the results do not depend on it
  std::uint64_t max_items = Budget::kUnlimited;  ///< only the first of the queries are run
  /// The deadline and the cancellation of the whole batch; each query may have a budget of its own,
  /// which limits its work. Progress: queries.
  Budget budget = {};
};

/// Calls work(0), ..., work(count − 1), in any order, on several threads. If calls throw, the
/// exception of the one with the smallest number is thrown; calls with larger numbers may have been
/// left out. Returns false when the budget ended before all calls were started; calls that were
/// started have finished.
[[nodiscard]] bool for_each_in_parallel(std::size_t count,
                                        const std::function<void(std::size_t)>& work,
                                        const BatchOptions& options = {});

template <class Answer>
struct [[nodiscard]] BatchResult {
  /// One result for each query. Results of queries that were not run are default-constructed; for
  /// results of this library that means undecided.
  std::vector<Answer> answers;
  bool complete = false;  ///< false when the budget ended before all queries were run
};

/// The results `ask(q)` for all q of `questions`, in their order; each is the same as that of a
/// single call. `ask` is called on several threads. If calls throw, the exception of the first
/// failing question is thrown, for any number of threads.
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
