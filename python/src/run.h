// SPDX-License-Identifier: Apache-2.0
// Runs queries without the lock of the interpreter, so that other threads of Python go on, and ends
// them on Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "numbers.h"
#include "touche/budget.h"

namespace touche::python {

namespace py = pybind11;

/// None or numbers: `max_work` pairs, `timeout` in seconds. `progress`: None, or a function of what
/// is done and the total.
Budget budget_of(py::handle max_work, py::handle timeout, py::handle progress = py::none());

/// The number, if it is not negative. Throws InvalidInput.
int checked_threads(int threads);

/// As long as it exists, this thread does not have the lock of the interpreter. When that ends, it
/// waits for all of them: threads that take the lock after that are unwound, which destructors
/// forbid. From then on threads keep the lock.
class Unlocked {
 public:
  Unlocked() {
    if (none.load(std::memory_order_relaxed)) return;
    count.fetch_add(1, std::memory_order_relaxed);
    state_ = PyEval_SaveThread();
  }
  ~Unlocked() {
    if (state_ == nullptr) return;
    PyEval_RestoreThread(state_);
    count.fetch_sub(1, std::memory_order_relaxed);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  /// Without the lock; for some seconds at most.
  static void wait_for_all();
  static bool are_allowed() { return !none.load(std::memory_order_relaxed); }

 private:
  static std::atomic<bool> none;
  static std::atomic<int> count;
  PyThreadState* state_ = nullptr;
};

/// Throws what a handler of a signal raises, as that of Ctrl-C does. With the lock of the
/// interpreter.
inline void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Calls work(budget) in a thread of its own. Every 10 ms this thread checks for signals; if a
/// handler raises, as that of Ctrl-C does, the query is cancelled and its result is lost.
void run_in_thread(Budget budget, const std::function<void(const Budget&)>& work);

template <class Query>
auto in_thread(const Budget& budget, const Query& query) {
  std::optional<std::invoke_result_t<const Query&, const Budget&>> answer;
  run_in_thread(budget, [&](const Budget& given) { answer.emplace(query(given)); });
  return std::move(*answer);
}

/// The same for work that may take long to notice that it is cancelled: after some milliseconds the
/// thread is left alone, and what it finds is lost. So the work must own all that it uses.
void run_alone(Budget budget, std::function<void(const Budget&)> work);

template <class Query>
auto alone(const Budget& budget, Query query) {
  struct Shared {
    Query query;
    std::optional<std::invoke_result_t<Query&, const Budget&>> answer = {};
  };
  const auto shared = std::make_shared<Shared>(Shared{std::move(query)});
  run_alone(budget,
            [shared](const Budget& given) { shared->answer.emplace(shared->query(given)); });
  return std::move(*shared->answer);
}
template <class Query>
auto alone(Query query) {
  return alone({}, [query = std::move(query)](const Budget&) mutable { return query(); });
}

/// The answer of query(budget). Most queries take microseconds, so the first attempt is made in
/// this thread, with work for some milliseconds. One that needs more starts again in a thread of
/// its own: answers do not depend on limits that they do not reach. `is_whole(answer)` says whether
/// none ended the query.
template <class Query, class IsWhole>
auto interruptible(const Budget& budget, const Query& query, const IsWhole& is_whole) {
  constexpr std::uint64_t kFirstWork = 20'000;
  const auto attempt = [&](const Budget& given) {
    const Unlocked unlocked;
    return query(given);
  };
  if (budget.max_work <= kFirstWork) return attempt(budget);
  Budget first = budget;
  first.max_work = kFirstWork;
  auto answer = attempt(first);
  return is_whole(answer) ? answer : in_thread(budget, query);
}

/// An object of Python that work in another thread keeps alive. The last copy may end in any
/// thread.
class Kept {
 public:
  explicit Kept(py::object object);

 private:
  std::shared_ptr<py::object> object_;
};

/// A function of Python that threads of a query call. They take turns, since each takes the lock of
/// the interpreter; what it raises ends the query. The last copy may end in any thread.
class Callback {
 public:
  explicit Callback(py::function function);

  /// use(function), with the lock of the interpreter; its result must not hold objects of Python.
  template <class Use>
  auto operator()(const Use& use) const {
    require_interpreter();
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
  // Throws Error when the interpreter ends: a thread that then waits for its lock never goes on.
  static void require_interpreter();

  std::shared_ptr<py::function> function_;
};

/// Cancels the queries of other threads, and waits for them and for the threads that were left
/// alone. Called when the interpreter ends.
void end_queries();

}  // namespace touche::python
