// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>

#include "touche/types.h"

namespace touche::python {
namespace {

thread_local bool in_callback = false;

std::uint64_t work_of(py::handle number) {
  const py::object whole = py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()));
  if (!whole) {
    PyErr_Clear();
    throw py::type_error("max_work: expected a whole number");
  }
  const long long work = PyLong_AsLongLong(whole.ptr());
  if (work < 0) {
    const bool is_large = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    throw InvalidInput(is_large ? "max_work: out of range" : "max_work: expected 0 or more");
  }
  return static_cast<std::uint64_t>(work);
}

Budget::Clock::time_point deadline_of(py::handle number) {
  const double seconds = PyFloat_AsDouble(number.ptr());
  if (seconds == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw py::type_error("timeout: expected seconds");
  }
  if (!(seconds >= 0)) throw InvalidInput("timeout: expected seconds, 0 or more");
  constexpr double kMost = 1e9;  // thirty years: later times are none
  if (seconds > kMost) return Budget::Clock::time_point::max();
  return Budget::Clock::now() + std::chrono::duration_cast<Budget::Clock::duration>(
                                    std::chrono::duration<double>(seconds));
}

}  // namespace

Budget budget_of(py::handle max_work, py::handle timeout, py::handle progress) {
  Budget budget;
  if (!max_work.is_none()) budget.max_work = work_of(max_work);
  if (!timeout.is_none()) budget.deadline = deadline_of(timeout);
  py::object call = py::reinterpret_borrow<py::object>(progress);
  if (call.is(py::bool_(true))) call = py::module_::import("touche._progress").attr("bar")();
  if (!call.is_none() && !call.is(py::bool_(false))) {
    if (PyCallable_Check(call.ptr()) == 0)
      throw py::type_error("progress: expected a function of (done, total), or True");
    const Callback report(py::reinterpret_borrow<py::function>(call));
    budget.progress = [report](std::size_t done, std::size_t total) {
      report([&](const py::function& function) { function(done, total); });
    };
  }
  return budget;
}

void run_in_thread(Budget budget, const std::function<void(const Budget&)>& work) {
  const Cancel cancel;
  budget.cancel = cancel;
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  bool interrupted = false;
  {
    const py::gil_scoped_release released;
    std::thread worker([&] {
      try {
        work(budget);
        promise.set_value();
      } catch (...) {
        promise.set_exception(std::current_exception());
      }
    });
    while (!interrupted &&
           done.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
      const py::gil_scoped_acquire acquired;
      interrupted = PyErr_CheckSignals() != 0;
    }
    if (interrupted) cancel.request();
    worker.join();
  }
  if (interrupted) throw py::error_already_set();
  done.get();
}

Callback::Callback(py::function function)
    : function_(new py::function(std::move(function)), [](py::function* f) {
        const py::gil_scoped_acquire acquired;
        delete f;
      }) {}

bool Callback::is_running() { return in_callback; }

Callback::Running::Running() : before(std::exchange(in_callback, true)) {}
Callback::Running::~Running() { in_callback = before; }

}  // namespace touche::python
