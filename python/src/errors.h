// SPDX-License-Identifier: Apache-2.0
// touche.Error, InvalidInput (a ValueError), LoadError (an OSError) and Undecided.
#pragma once

#include <pybind11/pybind11.h>

namespace touche::python {

namespace py = pybind11;

/// Raises touche.Undecided.
[[noreturn]] void raise_undecided(const char* what);

}  // namespace touche::python
