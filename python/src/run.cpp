// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

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
  double seconds = 0;
  try {
    seconds = real_of(number);
  } catch (py::error_already_set&) {
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

int checked_threads(int threads) {
  if (threads < 0) throw InvalidInput("threads: expected 0 or more");
  return threads;
}

// ---- threads without the lock -----------------------------------------------------------------

std::atomic<bool> Unlocked::none = false;
std::atomic<int> Unlocked::count = 0;

void Unlocked::wait_for_all() {
  none = true;
  for (int i = 0; i < 500 && count > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

namespace {

bool interpreter_ends() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// The queries in threads that callers wait for. A forked process has none of them.
struct Queries {
  std::mutex mutex;
  std::condition_variable one_ended;
  std::vector<Cancel> running;
  pid_t process = 0;
  bool end = false;  // no more begin

  // With the mutex.
  void add(const Cancel& cancel) {
    if (process != getpid()) running.clear();
    process = getpid();
    running.push_back(cancel);
    if (end) cancel.request();
  }
  bool any() const { return process == getpid() && !running.empty(); }
};
Queries& queries() {
  static auto* const all = new Queries;  // they may outlive all else
  return *all;
}

// A query in a thread, for which the thread of the caller waits.
class Running {
 public:
  Running(Budget budget, std::function<void(const Budget&)> work) {
    budget.cancel = cancel_;
    done_ = promise_->get_future();
    thread_ = std::thread(
        [promise = promise_, given = std::move(budget), work = std::move(work)]() mutable {
          std::exception_ptr error;
          try {
            work(given);
          } catch (const std::exception&) {  // what ends the thread itself goes on
            error = std::current_exception();
          }
          work = nullptr;  // before the caller goes on
          if (error)
            promise->set_exception(std::move(error));
          else
            promise->set_value();
        });
    const std::lock_guard lock(queries().mutex);
    queries().add(cancel_);
  }
  // Also where Python ends this thread: it unwinds threads that wait for its lock at its end.
  ~Running() {
    if (thread_.joinable()) {
      cancel_.request();
      thread_.join();
    }
    const std::lock_guard lock(queries().mutex);
    std::erase(queries().running, cancel_);
    queries().one_ended.notify_all();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  // Whether it ended; false if a signal interrupted it. Without the lock of the interpreter.
  bool wait() {
    while (done_.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
      if (interpreter_ends()) {  // this is no main thread, and never gets the lock again
        cancel_.request();
        thread_.join();
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
      }
      const py::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() != 0) {
        cancel_.request();
        return false;
      }
    }
    return true;
  }
  // Throws what the query threw.
  void finish() {
    thread_.join();
    done_.get();
  }
  // Whether it ended within the time.
  bool ends_within(std::chrono::milliseconds time) const {
    return done_.wait_for(time) == std::future_status::ready;
  }
  std::thread take_thread() { return std::move(thread_); }

 private:
  const Cancel cancel_;
  std::shared_ptr<std::promise<void>> promise_ = std::make_shared<std::promise<void>>();
  std::future<void> done_;
  std::thread thread_;
};

// Threads that were left alone. A forked process has none of them.
struct LeftAlone {
  std::mutex mutex;
  std::vector<std::thread> threads;
  pid_t process = 0;
};
LeftAlone& left_alone() {
  static auto* const threads = new LeftAlone;  // they may outlive all else
  return *threads;
}

void leave_alone(std::thread thread) {
  LeftAlone& left = left_alone();
  const std::lock_guard lock(left.mutex);
  if (left.process != getpid()) {
    for (std::thread& lost : left.threads) lost.detach();
    left.threads.clear();
    left.process = getpid();
  }
  left.threads.push_back(std::move(thread));
}

}  // namespace

void run_in_thread(Budget budget, const std::function<void(const Budget&)>& work) {
  bool is_done = false;
  {
    const Unlocked unlocked;
    Running running(std::move(budget), [&](const Budget& given) { work(given); });
    is_done = running.wait();
    if (is_done) running.finish();
  }
  if (!is_done) throw py::error_already_set();
}

void run_alone(Budget budget, std::function<void(const Budget&)> work) {
  constexpr std::chrono::milliseconds kPatience(30);
  bool is_done = false;
  {
    const Unlocked unlocked;
    Running running(std::move(budget), std::move(work));
    is_done = running.wait();
    if (is_done)
      running.finish();
    else if (!running.ends_within(kPatience))
      leave_alone(running.take_thread());
  }
  if (!is_done) throw py::error_already_set();
}

void end_queries() {
  LeftAlone& left = left_alone();
  const py::gil_scoped_release released;
  {
    std::unique_lock lock(queries().mutex);
    queries().end = true;
    for (const Cancel& cancel : queries().running) cancel.request();
    queries().one_ended.wait_for(lock, std::chrono::seconds(5), [] { return !queries().any(); });
  }
  Unlocked::wait_for_all();
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(left.mutex);
    if (left.process == getpid()) threads.swap(left.threads);
  }
  for (std::thread& thread : threads) thread.join();
}

namespace {

// Ends an object of Python in any thread; after the end of the interpreter it is left.
struct EndInAnyThread {
  template <class Value>
  void operator()(Value* value) const {
    if (interpreter_ends()) return;
    const py::gil_scoped_acquire acquired;
    delete value;
  }
};

}  // namespace

Kept::Kept(py::object object) : object_(new py::object(std::move(object)), EndInAnyThread()) {}

Callback::Callback(py::function function)
    : function_(new py::function(std::move(function)), EndInAnyThread()) {}

void Callback::require_interpreter() {
  if (interpreter_ends()) throw Error("the interpreter ends");
}

bool Callback::is_running() { return in_callback; }

Callback::Running::Running() : before(std::exchange(in_callback, true)) {}
Callback::Running::~Running() { in_callback = before; }

}  // namespace touche::python
