// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "touche/motion.h"

namespace touche::python {

namespace py = pybind11;

/// `touche.Motion`: a motion and the function that made it with its arguments, for pickling; None
/// for motions that are results.
struct MadeMotion : Motion {
  MadeMotion(Motion motion, py::object made_by)
      : Motion(std::move(motion)), recipe(std::move(made_by)) {}
  py::object recipe;
};

py::object object_of(const Motion& motion);

}  // namespace touche::python
