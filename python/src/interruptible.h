// SPDX-License-Identifier: Apache-2.0
// Runs queries without the lock of the interpreter, so that other threads of Python go on, and ends
// them when Ctrl-C is pressed.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <thread>
#include <type_traits>

#include "touche/budget.h"

namespace touche::python {

namespace py = pybind11;

/// Waits for a query that runs in a thread of its own. Every 10 ms it looks whether a signal has
/// come; then the query is cancelled, and its result is lost.
template <class Query>
auto in_thread(Budget budget, const Query& query) {
  const Cancel cancel;
  budget.cancel = cancel;
  std::promise<std::invoke_result_t<const Query&, const Budget&>> promise;
  auto answer = promise.get_future();
  std::thread worker([&] {
    try {
      promise.set_value(query(budget));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  });
  bool interrupted = false;
  {
    const py::gil_scoped_release released;
    while (answer.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
      const py::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() != 0) {
        interrupted = true;
        break;
      }
    }
    if (interrupted) cancel.request();
    worker.join();
  }
  if (interrupted) throw py::error_already_set();
  return answer.get();
}

/// The answer of query(budget). Most queries take microseconds, so the first attempt is made in
/// this thread, with a deadline. One that needs longer starts again in a thread of its own: answers
/// do not depend on how long they take. `is_whole(answer)` says whether no limit ended the query.
template <class Query, class IsWhole>
auto interruptible(const Budget& budget, const Query& query, const IsWhole& is_whole) {
  const auto soon = Budget::Clock::now() + std::chrono::milliseconds(10);
  if (budget.deadline > soon) {
    Budget first = budget;
    first.deadline = soon;
    auto answer = [&] {
      const py::gil_scoped_release released;
      return query(first);
    }();
    if (is_whole(answer) || Budget::Clock::now() < soon) return answer;
  }
  return in_thread(budget, query);
}

}  // namespace touche::python
