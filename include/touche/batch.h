// SPDX-License-Identifier: Apache-2.0
// Many questions on all cores: one pair of objects at many poses, many pairs at one pose each, or
// whatever else a query can be asked about.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <type_traits>
#include <vector>

namespace touche {

struct BatchOptions {
  int threads = 0;  ///< 0: all; the answers do not depend on it
};

/// Calls work(0), ..., work(count − 1), in any order, on several threads. What the first of them
/// throws, first by number, comes out of it; of those after it any may have been left out.
void for_each_in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                          const BatchOptions& options = {});

/// The answers to many questions, in the order of the questions, each as if it had been asked
/// alone. `ask` is called on several threads; when it throws, so does this, for any number of
/// threads what the first of the questions that fail does.
///
///     const auto hits = batch(poses, [&](const Pose& p) { return intersects(a, {}, b, p); });
///     const auto gaps = batch(pairs, [&](const auto& p) { return distance(p.a, {}, p.b, {}); });
template <class Questions, class Ask>
auto batch(const Questions& questions, const Ask& ask, const BatchOptions& options = {}) {
  const auto first = std::begin(questions);
  using Answer = std::decay_t<std::invoke_result_t<const Ask&, decltype(*first)>>;
  static_assert(!std::is_same_v<Answer, bool>, "vectors of bool cannot be filled in parallel");
  std::vector<Answer> answers(std::size(questions));
  for_each_in_parallel(
      answers.size(),
      [&](std::size_t i) { answers[i] = ask(first[static_cast<std::ptrdiff_t>(i)]); }, options);
  return answers;
}

}  // namespace touche
