// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace touche::python {

namespace py = pybind11;

/// Raises touche.Undecided.
[[noreturn]] void raise_undecided(const char* what);

}  // namespace touche::python
