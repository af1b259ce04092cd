// SPDX-License-Identifier: Apache-2.0
// A world of Python, which steppers, hands and dynamics share. One thread uses it at a time; others
// wait without the lock of the interpreter.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
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
  std::mutex mutex;
};
using WorldPointer = std::shared_ptr<SharedWorld>;

/// The use of a world by this thread, as long as it exists. Throws Error within a function that a
/// query of a world calls: it would wait for ever.
class InUse {
 public:
  explicit InUse(const WorldPointer& shared);
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  WorldPointer shared_;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace touche::python
