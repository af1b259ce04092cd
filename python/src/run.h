// SPDX-License-Identifier: Apache-2.0
// Runs queries without the lock of the interpreter, so that other threads of Python go on, and ends
// them on Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "touche/budget.h"

namespace touche::python {

namespace py = pybind11;

/// None or numbers: `max_work` pairs, `timeout` in seconds. `progress`: None, or a function of what
/// is done and the total.
Budget budget_of(py::handle max_work, py::handle timeout, py::handle progress = py::none());

/// Calls work(budget) in a thread of its own. Every 10 ms this thread looks for signals; if a
/// handler raises, as that of Ctrl-C does, the query is cancelled and its result is lost.
void run_in_thread(Budget budget, const std::function<void(const Budget&)>& work);

template <class Query>
auto in_thread(const Budget& budget, const Query& query) {
  std::optional<std::invoke_result_t<const Query&, const Budget&>> answer;
  run_in_thread(budget, [&](const Budget& given) { answer.emplace(query(given)); });
  return std::move(*answer);
}

/// The answer of query(budget). Most queries take microseconds, so the first attempt is made in
/// this thread, with work for some milliseconds. One that needs more starts again in a thread of
/// its own: answers do not depend on limits that they do not reach. `is_whole(answer)` says whether
/// none ended the query.
template <class Query, class IsWhole>
auto interruptible(const Budget& budget, const Query& query, const IsWhole& is_whole) {
  constexpr std::uint64_t kFirstWork = 20'000;
  const auto attempt = [&](const Budget& given) {
    const py::gil_scoped_release released;
    return query(given);
  };
  if (budget.max_work <= kFirstWork) return attempt(budget);
  Budget first = budget;
  first.max_work = kFirstWork;
  auto answer = attempt(first);
  return is_whole(answer) ? answer : in_thread(budget, query);
}

/// A function of Python that threads of a query call. They take turns, since each takes the lock of
/// the interpreter; what it raises ends the query. The last copy may end in any thread.
class Callback {
 public:
  explicit Callback(py::function function);

  /// use(function), with the lock of the interpreter; its result must not hold objects of Python.
  template <class Use>
  auto operator()(const Use& use) const {
    const py::gil_scoped_acquire acquired;
    const Running running;
    return use(*function_);
  }

  /// Whether this thread is within such a function.
  static bool is_running();

 private:
  struct Running {
    Running();
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    bool before;
  };
  std::shared_ptr<py::function> function_;
};

}  // namespace touche::python
