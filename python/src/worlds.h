// SPDX-License-Identifier: Apache-2.0
// A world of Python, which steppers, hands and dynamics share. One thread uses it at a time; others
// wait without the lock of the interpreter.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "run.h"
#include "touche/world.h"

namespace touche::python {

namespace py = pybind11;

/// Python's number of a node: its index, and above it the generation.
inline std::int64_t number_of(NodeId id) {
  return static_cast<std::int64_t>(id.generation) << 32 | id.index;
}
NodeId node_of(py::handle number, const char* what = "node");

struct SharedWorld {
  World world;
  std::timed_mutex mutex;
  std::atomic<std::thread::id> user = {};  ///< of the mutex
  std::optional<Cancel> cancel;            ///< of the query that the user makes
};
using WorldPointer = std::shared_ptr<SharedWorld>;

/// The use of a world by this thread, as long as it exists; Ctrl-C ends the wait for it. Throws
/// Error where that wait could last for ever: in a function that a query calls, while the world is
/// in use, and in a thread that uses it.
class InUse {
 public:
  explicit InUse(const WorldPointer& shared);
  ~InUse();
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

  /// Remembers by what the query is cancelled.
  const Budget& with(const Budget& budget) {
    shared_->cancel = budget.cancel;
    return budget;
  }

 private:
  WorldPointer shared_;
  std::unique_lock<std::timed_mutex> lock_;
};

}  // namespace touche::python
